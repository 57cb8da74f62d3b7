//! The game on one board, past any set-up.

use super::Outcome;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::Move;

/// A position and the moves that led to it, which the rules of draws and `undo` need.
#[derive(Clone, Debug)]
pub struct BoardGame<G: Board> {
    position: Position<G>,
    /// Each position before, with the move that was made there.
    earlier: Vec<(Position<G>, Move)>,
    /// Their keys.
    keys: Vec<u64>,
}

impl<G: Board> BoardGame<G> {
    /// A game that begins at a position.
    pub const fn new(position: Position<G>) -> BoardGame<G> {
        BoardGame { position, earlier: Vec::new(), keys: Vec::new() }
    }

    /// The position now.
    pub const fn position(&self) -> &Position<G> {
        &self.position
    }

    /// The position at which the game began.
    pub fn start(&self) -> &Position<G> {
        self.earlier.first().map_or(&self.position, |(position, _)| position)
    }

    /// Keys of the positions before this one, the first one first.
    pub fn earlier_keys(&self) -> &[u64] {
        &self.keys
    }

    /// Moves made.
    pub const fn plies(&self) -> usize {
        self.earlier.len()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        let after = self.position.after(mv);
        self.keys.push(self.position.key());
        self.earlier.push((std::mem::replace(&mut self.position, after), mv));
    }

    /// Takes the last move back and says whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some((position, _)) = self.earlier.pop() else { return false };
        self.keys.pop();
        self.position = position;
        true
    }

    /// The moves made, each with the position before it.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (&Position<G>, Move)> {
        self.earlier.iter().map(|(position, mv)| (position, *mv))
    }

    /// How the rules have ended the game, if they have.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        let key = position.key();
        // Only positions since the last move that cannot be taken back can recur.
        let recent = self.keys.len().saturating_sub(usize::from(position.halfmove_clock()));
        if !position.has_legal_move() {
            Some(if position.in_check() { Outcome::Mate } else { Outcome::Stalemate })
        } else if self.keys[recent..].iter().filter(|&&other| other == key).count() >= 2 {
            Some(Outcome::Threefold)
        } else if position.halfmove_clock() >= 100 {
            Some(Outcome::FiftyMoves)
        } else if position.is_insufficient_material() {
            Some(Outcome::Material)
        } else {
            None
        }
    }
}
