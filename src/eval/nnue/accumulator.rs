use std::collections::TryReserveError;
use std::sync::Arc;

use super::delta::Delta;
use super::features::{self, Perspective, Rights};
use super::kernels::Lanes;
use super::network::Network;
use super::trace;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Color, Value};

/// The first layer along a line of moves: the sums of both views after each of them.
///
/// Sums are taken anew at the root, and for its own view when a king changes between the halves of
/// the board: at once, for where the table knows what these positions are worth nobody asks for
/// their sums, and every line below would have to take them anew. Nothing else is computed when a
/// move is made: an evaluation goes back to the last sums that are known and follows the moves from
/// there. A null move changes nothing.
pub struct Accumulators<G: Board> {
    network: Arc<Network<G>>,
    /// The root, and the moves after it that are no null moves.
    moves: Vec<Entry<G>>,
    /// Two views for each of `moves`.
    sums: Vec<Lanes>,
    /// For each position of the line the index in `moves` of what led there.
    line: Vec<usize>,
}

struct Entry<G: Board> {
    /// What leads here.
    delta: Delta<G>,
    /// Whether the sums of White's and of Black's view are known.
    known: [bool; 2],
}

impl<G: Board> Accumulators<G> {
    /// For lines of so many moves at first: longer ones get their memory when they come.
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

    /// Room for one more move.
    #[cold]
    fn grow(&mut self) {
        let delta = Delta::none(&Position::empty());
        self.moves.push(Entry { delta, known: [false; 2] });
        let length = self.moves.len() * 2 * self.network.width();
        self.sums.resize(length, Lanes::ZERO);
    }

    pub fn network(&self) -> &Arc<Network<G>> {
        &self.network
    }

    /// The index in `moves` of what led to the present position.
    #[inline(always)]
    fn top(&self) -> usize {
        self.line.last().copied().unwrap_or_default()
    }

    /// Begins a line at any position.
    pub fn reset(&mut self, root: &Position<G>) {
        self.line.clear();
        self.line.push(0);
        Color::ALL.into_iter().for_each(|color| self.refresh(color, 0, root));
    }

    /// A move is made that leads to this position.
    #[inline]
    pub fn push(&mut self, delta: Delta<G>, child: &Position<G>) {
        let top = self.top() + 1;
        if top == self.moves.len() {
            self.grow();
        }
        let crossed = delta.crossed;
        self.moves[top] = Entry { delta, known: [false; 2] };
        self.line.push(top);
        if let Some(color) = crossed {
            self.refresh(color, top, child);
        }
    }

    /// A null move is made.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push(self.top());
    }

    /// The last move is taken back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.line.len() > 1, "the line is at its root");
        self.line.pop();
    }

    /// The value of the present position for the side to move, in centipawns.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        for color in Color::ALL {
            self.bring_up(color);
        }
        let side = position.side_to_move();
        let views = [side, !side].map(|color| self.view(self.top(), color));
        let value = self.network.output(views, position.occupied().count() as usize);
        // That takes so long that debug builds look at one position in sixteen; tests look at all.
        debug_assert!(
            !position.key().is_multiple_of(16)
                || value == trace::evaluate(&self.network, position, None),
            "{position:?}"
        );
        value
    }

    fn view(&self, index: usize, color: Color) -> &[Lanes] {
        let width = self.network.width();
        let begin = (2 * index + color.index()) * width;
        &self.sums[begin..begin + width]
    }

    /// Computes the sums of a view of the present position. Those of the root are known.
    #[inline]
    fn bring_up(&mut self, color: Color) {
        let top = self.top();
        let mut known = top;
        while !self.moves[known].known[color.index()] {
            known -= 1;
        }
        for index in known + 1..=top {
            self.follow(color, index);
        }
    }

    /// Computes the sums after a move from those before it.
    #[inline]
    fn follow(&mut self, color: Color, index: usize) {
        let entry = &mut self.moves[index];
        entry.known[color.index()] = true;
        let (set, unset) = entry.delta.features(color);
        let width = self.network.width();
        let to = (2 * index + color.index()) * width;
        let (before, after) = self.sums.split_at_mut(to);
        let from = &before[to - 2 * width..to - width];
        self.network.update(&mut after[..width], from, &set, &unset);
    }

    /// Takes the sums of a view of a position anew.
    fn refresh(&mut self, color: Color, index: usize, position: &Position<G>) {
        let view = Perspective::new(color, position.king(color));
        let features = view.features(features::men(position), Rights::of(position));
        let width = self.network.width();
        let begin = (2 * index + color.index()) * width;
        self.network.refresh(&mut self.sums[begin..begin + width], &features);
        self.moves[index].known[color.index()] = true;
    }
}
