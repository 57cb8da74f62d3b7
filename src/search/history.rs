//! Which moves were good before: the tables that order moves and steer reductions.
//!
//! Every value is a running average that a cut-off pulls up and a failure pulls down, the weaker
//! the nearer it is to its limit ("gravity"), so no table ever needs scaling.

use super::params;
use crate::attacks::Board;
use crate::geometry::Geometry;
use crate::position::Position;
use crate::types::{Move, Piece, Role, Square, SquareMap};

/// History values stay within this, either sign.
pub const LIMIT: i32 = 16_384;

type PerPieceTo<G, T> = [SquareMap<G, T>; Piece::COUNT];

/// A piece that came to a square: what a continuation follows. The last index stands for "no
/// move" (the root, a null move).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context(u16);

impl Context {
    /// After a move of this piece to this square.
    pub fn new<G: Geometry>(piece: Piece, to: Square<G>) -> Context {
        Context((piece.index() * (G::INDEX_MASK + 1) + to.index()) as u16)
    }

    /// A number that two contexts in a row are likely to have for themselves.
    #[inline(always)]
    pub fn pair(self, before: Context) -> usize {
        let mixed = (u32::from(self.0) << 16 | u32::from(before.0)).wrapping_mul(0x9e37_79b1);
        (mixed >> 16) as usize
    }

    /// After no move.
    pub fn none<G: Geometry>() -> Context {
        Context((Piece::COUNT * (G::INDEX_MASK + 1)) as u16)
    }
}

/// The moves one and two plies before.
pub type Contexts = [Context; 2];

/// The move histories of one thread.
pub struct Histories<G: Board> {
    /// Quiet moves by side, from and to.
    butterfly: Box<[SquareMap<G, SquareMap<G, i16>>; 2]>,
    /// Captures by piece, target and what they take.
    capture: Vec<[i16; 8]>,
    /// Quiet moves by piece and target, after a piece came to a square one or two plies before.
    continuation: Vec<PerPieceTo<G, i16>>,
    /// The quiet move that last refuted a move, by its piece and target.
    counter: Vec<Option<Move>>,
}

impl<G: Board> Default for Histories<G> {
    fn default() -> Self {
        let squares = G::INDEX_MASK + 1;
        let contexts = Piece::COUNT * squares + 1;
        Histories {
            butterfly: Box::new([SquareMap::filled(SquareMap::filled(0)); 2]),
            capture: vec![[0; 8]; Piece::COUNT * squares],
            continuation: vec![[SquareMap::filled(0); Piece::COUNT]; contexts],
            counter: vec![None; contexts],
        }
    }
}

impl<G: Board> Histories<G> {
    /// What is known of the quiet moves of a position, reached by these moves.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, position: &'a Position<G>, contexts: Contexts) -> Quiets<'a, G> {
        Quiets {
            position,
            butterfly: &self.butterfly[position.side_to_move().index()],
            continuation: contexts.map(|context| &self.continuation[context.0 as usize]),
        }
    }

    /// What is known of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position<G>, mv: Move) -> i32 {
        let taken = position.captured(mv).map_or(Role::King, |role| role);
        self.capture[Context::new::<G>(position.moved_piece(mv), mv.to()).0 as usize][taken.index()]
            .into()
    }

    /// The quiet move that last refuted the one of this context.
    #[inline]
    pub fn counter(&self, context: Context) -> Option<Move> {
        self.counter[context.0 as usize]
    }

    /// A move cut at this depth after others, of either kind, had been tried in vain.
    pub fn update(
        &mut self,
        position: &Position<G>,
        contexts: Contexts,
        best: Move,
        tried: &Tried,
        depth: i32,
    ) {
        let bonus = params::history_bonus(depth);
        if is_noisy(position, best) {
            self.update_capture(position, best, bonus);
        } else {
            self.counter[contexts[0].0 as usize] = Some(best);
            self.update_quiet(position, contexts, best, bonus);
            for &mv in &tried.quiets {
                self.update_quiet(position, contexts, mv, -bonus);
            }
        }
        for &mv in &tried.captures {
            self.update_capture(position, mv, -bonus);
        }
    }

    fn update_quiet(&mut self, position: &Position<G>, contexts: Contexts, mv: Move, bonus: i32) {
        let side = position.side_to_move();
        let piece = position.moved_piece(mv);
        gravitate(&mut self.butterfly[side.index()][mv.from()][mv.to()], bonus);
        for context in contexts {
            let table = &mut self.continuation[context.0 as usize];
            gravitate(&mut table[piece.index()][mv.to()], bonus);
        }
    }

    fn update_capture(&mut self, position: &Position<G>, mv: Move, bonus: i32) {
        let taken = position.captured(mv).map_or(Role::King, |role| role);
        let context = Context::new::<G>(position.moved_piece(mv), mv.to());
        gravitate(&mut self.capture[context.0 as usize][taken.index()], bonus);
    }
}

/// The tables of one position's quiet moves.
pub struct Quiets<'a, G: Board> {
    position: &'a Position<G>,
    butterfly: &'a SquareMap<G, SquareMap<G, i16>>,
    continuation: [&'a PerPieceTo<G, i16>; 2],
}

impl<G: Board> Quiets<'_, G> {
    /// What is known of a quiet move, all tables together.
    #[inline(always)]
    pub fn score(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let piece = self.position.moved_piece(mv).index();
        let [one, two] = self.continuation.map(|table| i32::from(table[piece][to]));
        i32::from(self.butterfly[from][to]) + one + two
    }
}

/// Whether a legal move takes or promotes.
#[inline(always)]
pub fn is_noisy<G: Board>(position: &Position<G>, mv: Move) -> bool {
    position.is_capture(mv) || position.is_promotion(mv)
}

fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// The moves of a node that were searched and did not cut, as many as it pays to remember.
#[derive(Default)]
pub struct Tried {
    pub quiets: arrayvec::ArrayVec<Move, 64>,
    pub captures: arrayvec::ArrayVec<Move, 32>,
}

impl Tried {
    /// Notes a move. Beyond the capacity it is dropped: so late a move says little.
    #[inline]
    pub fn push(&mut self, mv: Move, noisy: bool) {
        let _ = if noisy { self.captures.try_push(mv) } else { self.quiets.try_push(mv) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_limit() {
        let mut value = 0_i16;
        for _ in 0..10_000 {
            gravitate(&mut value, 1_800);
            assert!(i32::from(value) <= LIMIT);
        }
        assert!(i32::from(value) > LIMIT * 9 / 10);
        for _ in 0..10_000 {
            gravitate(&mut value, -1_800);
            assert!(i32::from(value) >= -LIMIT);
        }
    }
}
