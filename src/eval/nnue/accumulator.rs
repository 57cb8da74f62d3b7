//! The accumulators: the first layer of the network, updated incrementally along a line of moves.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::delta::Delta;
use super::features::{Attacked, Perspective, PlacedPiece, Rights, pieces};
use super::kernels::Lanes;
use super::network::Network;
use super::trace;
use crate::geometry::Board;
use crate::position::{Position, Threats};
use crate::types::{Color, Value};

/// The accumulators of both perspectives after each move of a line.
///
/// The accumulators are refreshed at the root. A king move to the other half of the board refreshes the
/// accumulator of the king's side immediately. A refresh at the next evaluation could be slower: if the
/// transposition table already has the evaluation of the position, each line below the position would need
/// a separate refresh. All other moves compute nothing when they are made. An evaluation goes back to the
/// last computed accumulators and applies the moves from there. A null move changes no accumulator.
pub struct Accumulators<G: Board> {
    network: Arc<Network<G>>,
    /// The root position, and the position after each later move except null moves.
    moves: Vec<Entry<G>>,
    /// The accumulators of both perspectives for each entry of `moves`.
    sums: Vec<Lanes>,
    /// The index in `moves` for each position of the line.
    line: Vec<usize>,
}

/// The position after a move, and which of its accumulators are computed.
struct Entry<G: Board> {
    position: Position<G>,
    /// The squares that White and Black attack, computed on first use.
    threats: [Option<Threats<G>>; 2],
    /// Whether White's and Black's accumulators are computed.
    known: [bool; 2],
}

impl<G: Board> Entry<G> {
    fn empty() -> Entry<G> {
        Entry { position: Position::empty(), threats: [None; 2], known: [false; 2] }
    }

    /// Sets the position and marks everything else as not computed.
    #[inline(always)]
    fn begin(&mut self, position: &Position<G>) {
        self.position.clone_from(position);
        self.threats = [None; 2];
        self.known = [false; 2];
    }

    /// Returns the perspective of a side.
    fn perspective(&self, color: Color) -> Perspective {
        Perspective::new(color, self.position.king(color))
    }

    #[inline]
    fn threats(&mut self, color: Color) -> Threats<G> {
        let position = &self.position;
        *self.threats[color.index()].get_or_insert_with(|| Threats::of(position, color))
    }

    #[inline]
    fn attacked(&mut self) -> Attacked<G> {
        let threats = Color::ALL.map(|color| self.threats(color));
        Attacked::of(&self.position, threats)
    }
}

impl<G: Board> Accumulators<G> {
    /// Creates accumulators for lines of `moves` moves. Longer lines allocate more memory when needed.
    /// Fails if the allocation fails.
    pub fn new(network: Arc<Network<G>>, moves: usize) -> Result<Self, TryReserveError> {
        let mut new = Accumulators { network, moves: vec![], sums: vec![], line: vec![] };
        new.moves.try_reserve_exact(moves + 1)?;
        new.sums.try_reserve_exact((moves + 1) * 2 * new.network.width())?;
        new.line.try_reserve_exact(moves + 1)?;
        for _ in 0..=moves {
            new.grow();
        }
        new.reset(&Position::empty());
        Ok(new)
    }

    /// Allocates space for one more move.
    #[cold]
    fn grow(&mut self) {
        self.moves.push(Entry::empty());
        let length = self.moves.len() * 2 * self.network.width();
        self.sums.resize(length, Lanes::ZERO);
    }

    pub fn network(&self) -> &Arc<Network<G>> {
        &self.network
    }

    /// Returns the index in `moves` of the current position.
    #[inline(always)]
    fn top(&self) -> usize {
        self.line.last().copied().unwrap_or_default()
    }

    /// Starts a new line at a position.
    pub fn reset(&mut self, root: &Position<G>) {
        self.line.clear();
        self.line.push(0);
        self.moves[0].begin(root);
        Color::ALL.into_iter().for_each(|color| self.refresh(color, 0));
    }

    /// Extends the line by a move that leads to the position `child`.
    #[inline]
    pub fn push(&mut self, child: &Position<G>) {
        let top = self.top() + 1;
        if top == self.moves.len() {
            self.grow();
        }
        self.moves[top].begin(child);
        self.line.push(top);
        let us = !child.side_to_move();
        if self.moves[top].perspective(us) != self.moves[top - 1].perspective(us) {
            self.refresh(us, top);
        }
    }

    /// Extends the line by a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push(self.top());
    }

    /// Removes the last move from the line.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.line.len() > 1, "the line is at its root");
        self.line.pop();
    }

    /// Evaluates the current position for the side to move, in the unit of search values.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        self.bring_up_to_date();
        let side = position.side_to_move();
        let views = [side, !side].map(|color| self.accumulator(self.top(), color));
        let value = self.network.output(views, position.occupied().count() as usize);
        // The computation from scratch is slow, so debug builds check one position in sixteen. Tests check
        // all positions.
        debug_assert!(
            !position.key().is_multiple_of(16)
                || value == trace::evaluate(&self.network, position, None),
            "{position:?}"
        );
        value
    }

    /// Returns the squares that a side attacks in the current position.
    #[inline]
    pub fn threats(&mut self, color: Color) -> Threats<G> {
        let top = self.top();
        self.moves[top].threats(color)
    }

    /// Returns the accumulator of a side after the move with this index.
    fn accumulator(&self, index: usize, color: Color) -> &[Lanes] {
        let width = self.network.width();
        let begin = (2 * index + color.index()) * width;
        &self.sums[begin..begin + width]
    }

    /// Computes the accumulators of the current position if necessary. The accumulators of the root are
    /// always computed.
    #[inline]
    fn bring_up_to_date(&mut self) {
        let top = self.top();
        let known = Color::ALL.map(|color| {
            let known = |entry: &Entry<G>| entry.known[color.index()];
            self.moves[..=top].iter().rposition(known).unwrap_or_default()
        });
        for index in known[0].min(known[1]) + 1..=top {
            self.apply_move(index, known.map(|known| known < index));
        }
    }

    /// Computes accumulators after a move from the accumulators before the move. `wanted` says for which
    /// side.
    #[inline]
    fn apply_move(&mut self, index: usize, wanted: [bool; 2]) {
        let attacked = [index - 1, index].map(|index| self.moves[index].attacked());
        let [before, after] = [index - 1, index].map(|index| &self.moves[index]);
        let delta =
            Delta::between((&before.position, &attacked[0]), (&after.position, &attacked[1]));
        for color in Color::ALL.into_iter().filter(|color| wanted[color.index()]) {
            let view = after.perspective(color);
            let width = self.network.width();
            let to = (2 * index + color.index()) * width;
            let (before, after) = self.sums.split_at_mut(to);
            let from = &before[to - 2 * width..to - width];
            self.network.update(&mut after[..width], from, delta.set(view), delta.unset(view));
        }
        let known = &mut self.moves[index].known;
        known.iter_mut().zip(wanted).for_each(|(known, wanted)| *known |= wanted);
    }

    /// Refreshes the accumulator of a side: computes the accumulator from the position alone.
    fn refresh(&mut self, color: Color, index: usize) {
        let entry = &mut self.moves[index];
        let attacked = entry.attacked();
        let pieces =
            pieces(&entry.position).map(|(piece, at)| PlacedPiece::new(piece, at, &attacked));
        let features = entry.perspective(color).features(pieces, Rights::of(&entry.position));
        let width = self.network.width();
        let begin = (2 * index + color.index()) * width;
        self.network.refresh(&mut self.sums[begin..begin + width], &features);
        entry.known[color.index()] = true;
    }
}
