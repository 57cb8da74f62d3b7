use std::collections::TryReserveError;
use std::sync::Arc;

use super::delta::Delta;
use super::features::{Attacked, Perspective, PlacedPiece, Rights, pieces};
use super::kernels::Lanes;
use super::network::Network;
use super::trace;
use crate::attacks::Board;
use crate::position::{Position, Threats};
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
    position: Position<G>,
    /// What White and Black attack, once somebody asked.
    threats: [Option<Threats<G>>; 2],
    /// Whether the sums of White's and of Black's view are known.
    known: [bool; 2],
}

impl<G: Board> Entry<G> {
    fn empty() -> Entry<G> {
        Entry { position: Position::empty(), threats: [None; 2], known: [false; 2] }
    }

    /// Forgets what was there before.
    #[inline(always)]
    fn begin(&mut self, position: &Position<G>) {
        self.position.clone_from(position);
        self.threats = [None; 2];
        self.known = [false; 2];
    }

    /// The view of a side.
    fn view(&self, color: Color) -> Perspective {
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
        self.moves.push(Entry::empty());
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
        self.moves[0].begin(root);
        Color::ALL.into_iter().for_each(|color| self.refresh(color, 0));
    }

    /// A move is made that leads to this position.
    #[inline]
    pub fn push(&mut self, child: &Position<G>) {
        let top = self.top() + 1;
        if top == self.moves.len() {
            self.grow();
        }
        self.moves[top].begin(child);
        self.line.push(top);
        let us = !child.side_to_move();
        if self.moves[top].view(us) != self.moves[top - 1].view(us) {
            self.refresh(us, top);
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
        self.bring_up();
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

    /// What a side attacks in the present position.
    #[inline]
    pub fn threats(&mut self, color: Color) -> Threats<G> {
        let top = self.top();
        self.moves[top].threats(color)
    }

    fn view(&self, index: usize, color: Color) -> &[Lanes] {
        let width = self.network.width();
        let begin = (2 * index + color.index()) * width;
        &self.sums[begin..begin + width]
    }

    /// Computes the sums of the present position. Those of the root are known.
    #[inline]
    fn bring_up(&mut self) {
        let top = self.top();
        let known = Color::ALL.map(|color| {
            let known = |entry: &Entry<G>| entry.known[color.index()];
            self.moves[..=top].iter().rposition(known).unwrap_or_default()
        });
        for index in known[0].min(known[1]) + 1..=top {
            self.follow(index, known.map(|known| known < index));
        }
    }

    /// Computes the sums of the wanted views after a move from those before it.
    #[inline]
    fn follow(&mut self, index: usize, wanted: [bool; 2]) {
        let attacked = [index - 1, index].map(|index| self.moves[index].attacked());
        let [before, after] = [index - 1, index].map(|index| &self.moves[index]);
        let delta =
            Delta::between((&before.position, &attacked[0]), (&after.position, &attacked[1]));
        for color in Color::ALL.into_iter().filter(|color| wanted[color.index()]) {
            let view = after.view(color);
            let width = self.network.width();
            let to = (2 * index + color.index()) * width;
            let (before, after) = self.sums.split_at_mut(to);
            let from = &before[to - 2 * width..to - width];
            self.network.update(&mut after[..width], from, delta.set(view), delta.unset(view));
        }
        let known = &mut self.moves[index].known;
        known.iter_mut().zip(wanted).for_each(|(known, wanted)| *known |= wanted);
    }

    /// Takes the sums of a view of a position anew.
    fn refresh(&mut self, color: Color, index: usize) {
        let entry = &mut self.moves[index];
        let attacked = entry.attacked();
        let pieces =
            pieces(&entry.position).map(|(piece, at)| PlacedPiece::new(piece, at, &attacked));
        let features = entry.view(color).features(pieces, Rights::of(&entry.position));
        let width = self.network.width();
        let begin = (2 * index + color.index()) * width;
        self.network.refresh(&mut self.sums[begin..begin + width], &features);
        entry.known[color.index()] = true;
    }
}
