//! A game on one board size, without the placement phase.

use super::Termination;
use crate::geometry::Board;
use crate::position::Position;
use crate::types::Move;

/// A position with the moves that led to the position. The draw rules and `undo` need these moves.
#[derive(Clone, Debug)]
pub struct BoardGame<G: Board> {
    position: Position<G>,
    /// The earlier positions, each with the move that was made in the position.
    earlier: Vec<(Position<G>, Move)>,
    /// The keys of the earlier positions.
    keys: Vec<u64>,
}

impl<G: Board> BoardGame<G> {
    /// Creates a game that begins at a position.
    pub const fn new(position: Position<G>) -> BoardGame<G> {
        BoardGame { position, earlier: Vec::new(), keys: Vec::new() }
    }

    /// Returns the current position.
    pub const fn position(&self) -> &Position<G> {
        &self.position
    }

    /// Returns the position at which the game began.
    pub fn start(&self) -> &Position<G> {
        self.earlier.first().map_or(&self.position, |(position, _)| position)
    }

    /// Returns the keys of the earlier positions, oldest first.
    pub fn earlier_keys(&self) -> &[u64] {
        &self.keys
    }

    /// Returns the number of moves made.
    pub const fn plies(&self) -> usize {
        self.earlier.len()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        let after = self.position.after(mv);
        self.keys.push(self.position.key());
        self.earlier.push((std::mem::replace(&mut self.position, after), mv));
    }

    /// Takes back the last move. Returns whether there was a move to take back.
    pub fn undo(&mut self) -> bool {
        let Some((position, _)) = self.earlier.pop() else { return false };
        self.keys.pop();
        self.position = position;
        true
    }

    /// Returns the moves made, each with the position before it.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (&Position<G>, Move)> {
        self.earlier.iter().map(|(position, mv)| (position, *mv))
    }

    /// Returns how the game ended by the rules, or `None` if the game is not over.
    pub fn termination(&self) -> Option<Termination> {
        let position = &self.position;
        let key = position.key();
        // Only positions since the last irreversible move can be repeated.
        let recent = self.keys.len().saturating_sub(usize::from(position.halfmove_clock()));
        if !position.has_legal_move() {
            let mate = Termination::Mate(!position.side_to_move());
            Some(if position.in_check() { mate } else { Termination::Stalemate })
        } else if self.keys[recent..].iter().filter(|&&other| other == key).count() >= 2 {
            Some(Termination::Repetition)
        } else if position.halfmove_clock() >= 100 {
            Some(Termination::FiftyMoves)
        } else if position.is_insufficient_material() {
            Some(Termination::Material)
        } else {
            None
        }
    }
}
