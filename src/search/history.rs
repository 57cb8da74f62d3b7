//! Move histories: which moves were good before, for move ordering and reductions.
//!
//! Each value rises with a cutoff and falls with a failure, the less the nearer it is to its limit
//! ("gravity"), so it never exceeds the limit. Quiet histories also age between searches (+18 ± 16 for
//! the butterfly history, +16 ± 14 for the continuation histories, at 5,000 nodes).

use std::collections::TryReserveError;

use super::params;
use crate::geometry::Board;
use crate::position::Position;
use crate::position::Threats;
use crate::system::{boxed, filled};
use crate::types::{Color, Move, Piece, Role, Square, SquareMap};

/// The largest absolute value of a history.
pub const LIMIT: i32 = 16_384;

type PerPieceTo<G, T> = [SquareMap<G, T>; Piece::COUNT];

/// An index of the continuation histories: a piece and the square that it moved to. The last index
/// stands for "no move" (before the root, a null move), whose histories are never updated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContinuationKey(u16);

impl ContinuationKey {
    /// Returns the key of a move of a piece to a square.
    pub fn new<G: Board>(piece: Piece, to: Square<G>) -> ContinuationKey {
        ContinuationKey((piece.index() * (G::INDEX_MASK + 1) + to.index()) as u16)
    }

    /// Returns a hash of two keys.
    #[inline(always)]
    pub fn pair(self, before: ContinuationKey) -> usize {
        let mixed = (u32::from(self.0) << 16 | u32::from(before.0)).wrapping_mul(0x9e37_79b1);
        (mixed >> 16) as usize
    }

    /// Returns the key of "no move".
    pub fn none<G: Board>() -> ContinuationKey {
        ContinuationKey((Piece::COUNT * (G::INDEX_MASK + 1)) as u16)
    }
}

/// The keys of the histories of a node's quiet moves.
#[derive(Clone, Copy)]
pub struct QuietKeys<G: Board> {
    /// Of the moves [`CONTINUATION_PLIES`] plies before.
    pub continuations: [ContinuationKey; 3],
    /// The squares that the opponent attacks.
    pub threats: Threats<G>,
    /// Plies from the root.
    pub ply: usize,
}

/// Histories age before a search if at least this many nodes were searched since the last time. So
/// ageing (12 microseconds on 8x8, 53 on 10x10) takes at most 1% of the time even in tiny searches.
const AGE_NODES: u64 = 8_192;

/// The first plies have separate histories, for one search only (+8 ± 13 at 5,000 nodes).
const LOW_PLIES: usize = 5;

/// Continuation histories exist for the moves these numbers of plies before.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

type FromTo<G> = SquareMap<G, SquareMap<G, i16>>;

/// The move histories of one thread.
pub struct Histories<G: Board> {
    /// Quiet moves by side, threats, from and to. Threats: whether the opponent attacks either square
    /// (+26 ± 13 at 5,000 nodes).
    butterfly: Box<[[FromTo<G>; 4]; 2]>,
    /// Quiet moves near the root by ply, from and to.
    low: Box<[FromTo<G>; LOW_PLIES]>,
    /// Captures and promotions by piece, target and captured piece.
    capture: Vec<[i16; 8]>,
    /// Quiet moves by the key of an earlier move, piece and target.
    continuation: Vec<PerPieceTo<G, i16>>,
    /// Countermoves: the quiet move that last refuted a move, by the key of that move.
    counter: Vec<Option<Move>>,
    /// Nodes searched since the histories last aged.
    pub searched: u64,
}

impl<G: Board> Histories<G> {
    /// Creates empty tables; fails if the allocation fails.
    pub fn new() -> Result<Self, TryReserveError> {
        let squares = G::INDEX_MASK + 1;
        let continuations = Piece::COUNT * squares + 1;
        let from_to = SquareMap::filled(SquareMap::filled(0));
        Ok(Histories {
            butterfly: boxed([from_to; 4])?,
            low: boxed(from_to)?,
            capture: filled(Piece::COUNT * squares, [0; 8])?,
            continuation: filled(continuations, [SquareMap::filled(0); Piece::COUNT])?,
            counter: filled(continuations, None)?,
            searched: 0,
        })
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        let from_to = SquareMap::filled(SquareMap::filled(0));
        self.butterfly.fill([from_to; 4]);
        self.low.fill(from_to);
        self.capture.fill([0; 8]);
        self.continuation.fill([SquareMap::filled(0); Piece::COUNT]);
        self.counter.fill(None);
        self.searched = 0;
    }

    /// Returns the histories of a position's quiet moves.
    #[inline(always)]
    pub fn quiets<'a>(&'a self, position: &'a Position<G>, keys: QuietKeys<G>) -> Quiets<'a, G> {
        Quiets {
            position,
            butterfly: &self.butterfly[position.side_to_move().index()],
            continuation: keys.continuations.map(|key| &self.continuation[key.0 as usize]),
            threats: keys.threats,
            low: self.low.get(keys.ply),
            low_divisor: 1 + keys.ply as i32,
        }
    }

    /// Returns the history of a capture or promotion.
    #[inline]
    pub fn capture(&self, position: &Position<G>, mv: Move) -> i32 {
        let captured = position.captured(mv).map_or(Role::King, |role| role);
        self.capture[ContinuationKey::new::<G>(position.moved_piece(mv), mv.to()).0 as usize]
            [captured.index()]
        .into()
    }

    /// Returns the countermove of the move with this key.
    #[inline]
    pub fn counter(&self, key: ContinuationKey) -> Option<Move> {
        self.counter[key.0 as usize]
    }

    /// Sets the countermove of the move with this key.
    #[inline]
    pub fn set_counter(&mut self, key: ContinuationKey, refutation: Move) {
        if key != ContinuationKey::none::<G>() {
            self.counter[key.0 as usize] = Some(refutation);
        }
    }

    /// Rewards the best move of a node of this depth. If it caused a cutoff, `tried` are the moves tried
    /// before it, which get a malus.
    pub fn update(
        &mut self,
        position: &Position<G>,
        keys: QuietKeys<G>,
        best: Move,
        tried: Option<&Tried>,
        depth: i32,
    ) {
        let bonus = params::history_bonus(depth);
        let malus = params::history_malus(depth);
        if is_noisy(position, best) {
            self.update_capture(position, best, bonus);
        } else {
            self.update_quiet(position, keys, best, bonus);
            for &mv in tried.iter().flat_map(|tried| &tried.quiets) {
                self.update_quiet(position, keys, mv, -malus);
            }
        }
        for &mv in tried.iter().flat_map(|tried| &tried.captures) {
            self.update_capture(position, mv, -malus);
        }
    }

    /// Prepares for a new search: clears the histories near the root, and ages the other quiet histories
    /// if enough nodes were searched since they last aged.
    pub fn begin_search(&mut self) {
        self.low.fill(SquareMap::filled(SquareMap::filled(0)));
        if self.searched >= AGE_NODES {
            self.searched = 0;
            self.age();
        }
    }

    /// Scales the quiet histories down.
    fn age(&mut self) {
        let scale = |value: &mut i16, percentage: i32| {
            *value = (i32::from(*value) * percentage / 100) as i16;
        };
        for table in self.butterfly.iter_mut().flatten() {
            for from in Square::all() {
                for to in Square::all() {
                    scale(&mut table[from][to], params::history_kept());
                }
            }
        }
        for table in self.continuation.iter_mut().flatten() {
            for to in Square::all() {
                scale(&mut table[to], params::continuation_kept());
            }
        }
    }

    /// Sets the history of a move at the root, for its place in the move order.
    pub fn set_root(&mut self, mv: Move, value: i32) {
        self.low[0][mv.from()][mv.to()] = value.min(LIMIT) as i16;
    }

    /// Updates all histories of a quiet move by a bonus or malus.
    pub fn update_quiet(
        &mut self,
        position: &Position<G>,
        keys: QuietKeys<G>,
        mv: Move,
        bonus: i32,
    ) {
        let piece = position.moved_piece(mv);
        self.update_butterfly(position.side_to_move(), keys, mv, bonus);
        if let Some(low) = self.low.get_mut(keys.ply) {
            gravitate(&mut low[mv.from()][mv.to()], bonus);
        }
        self.update_continuations(keys, piece, mv, bonus);
    }

    /// Updates the histories of the quiet move that led to this position. `keys` are those of the node
    /// where it was made.
    pub fn update_last(
        &mut self,
        position: &Position<G>,
        keys: QuietKeys<G>,
        mv: Move,
        bonus: i32,
    ) {
        let them = !position.side_to_move();
        self.update_butterfly(them, keys, mv, bonus);
        // After castling another piece may stand on the target square.
        if let Some(piece) = position.piece_at(mv.to()).filter(|piece| piece.color() == them) {
            self.update_continuations(keys, piece, mv, bonus);
        }
    }

    /// Updates the butterfly history of a quiet move.
    #[inline]
    pub fn update_butterfly(&mut self, side: Color, keys: QuietKeys<G>, mv: Move, bonus: i32) {
        let table = &mut self.butterfly[side.index()][keys.threats.index(mv)];
        gravitate(&mut table[mv.from()][mv.to()], bonus);
    }

    /// Updates the continuation histories of a quiet move.
    fn update_continuations(&mut self, keys: QuietKeys<G>, piece: Piece, mv: Move, bonus: i32) {
        for key in keys.continuations {
            if key != ContinuationKey::none::<G>() {
                let table = &mut self.continuation[key.0 as usize];
                gravitate(&mut table[piece.index()][mv.to()], bonus);
            }
        }
    }

    /// Updates the history of the capture that led to this position, by its key.
    pub fn update_last_capture(&mut self, key: ContinuationKey, captured: Role, bonus: i32) {
        gravitate(&mut self.capture[key.0 as usize][captured.index()], bonus);
    }

    fn update_capture(&mut self, position: &Position<G>, mv: Move, bonus: i32) {
        let captured = position.captured(mv).map_or(Role::King, |role| role);
        let key = ContinuationKey::new::<G>(position.moved_piece(mv), mv.to());
        gravitate(&mut self.capture[key.0 as usize][captured.index()], bonus);
    }
}

/// The histories of one position's quiet moves.
pub struct Quiets<'a, G: Board> {
    position: &'a Position<G>,
    threats: Threats<G>,
    butterfly: &'a [FromTo<G>; 4],
    low: Option<&'a FromTo<G>>,
    /// The divisor of the history near the root, which counts less at each ply.
    low_divisor: i32,
    continuation: [&'a PerPieceTo<G, i16>; 3],
}

impl<G: Board> Quiets<'_, G> {
    /// Returns the history of a quiet move for reductions, without the history near the root.
    #[inline(always)]
    pub fn merit(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let piece = self.position.moved_piece(mv).index();
        let butterfly = i32::from(self.butterfly[self.threats.index(mv)][from][to]);
        let weights = [
            params::continuation_first(),
            params::continuation_second(),
            params::continuation_fourth(),
        ];
        let continuations = self.continuation.iter().zip(weights);
        let continuation: i32 =
            continuations.map(|(table, weight)| i32::from(table[piece][to]) * weight / 32).sum();
        butterfly + continuation
    }

    /// Returns the history of a quiet move for move ordering, with the history near the root.
    #[inline(always)]
    pub fn order(&self, mv: Move) -> i32 {
        self.merit(mv) + self.near_root(mv)
    }

    #[inline(always)]
    fn near_root(&self, mv: Move) -> i32 {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        self.low.map_or(0, |low| {
            params::order_near_root() * i32::from(low[from][to]) / (4 * self.low_divisor)
        })
    }
}

/// Whether a legal move captures or promotes.
#[inline(always)]
pub fn is_noisy<G: Board>(position: &Position<G>, mv: Move) -> bool {
    position.is_capture(mv) || position.is_promotion(mv)
}

/// Adds a bonus to a history, the less the nearer the history is to its limit.
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// The moves that a node searched without a cutoff.
#[derive(Default)]
pub struct Tried {
    pub quiets: arrayvec::ArrayVec<Move, 64>,
    pub captures: arrayvec::ArrayVec<Move, 32>,
    /// Whether quiet moves were skipped by futility pruning.
    pub futile: bool,
}

impl Tried {
    /// Adds a move, or drops it if the list is full, because such late moves matter little.
    #[inline]
    pub fn push(&mut self, mv: Move, noisy: bool) {
        let _ = if noisy { self.captures.try_push(mv) } else { self.quiets.try_push(mv) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::notation::parse_uci;
    use crate::rules::KingRight;

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

    #[test]
    fn quiet_histories_depend_on_threats_and_age() {
        let fen = "4k3/8/8/8/3n4/8/8/1R2K3 w - - 0 1";
        let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        // The knight attacks the target square.
        let mv = parse_uci(&position, "b1b3").unwrap();
        let threats = Threats::of(&position, Color::Black);
        let knight = Piece::new(Color::Black, Role::Knight);
        let continuations = [ContinuationKey::new::<Board8x8>(knight, mv.from()); 3];
        let threatened = QuietKeys { continuations, threats, ply: LOW_PLIES };
        let calm = QuietKeys { threats: Threats::NONE, ..threatened };
        let mut histories = Histories::new().unwrap();
        let score = |histories: &Histories<_>, at| histories.quiets(&position, at).order(mv);
        histories.update_quiet(&position, threatened, mv, 1_000);
        let [with, without] = [threatened, calm].map(|at| score(&histories, at));
        // Continuation histories do not depend on threats.
        assert!(with > without && without > 0, "{with} {without}");
        // They do not age after every tiny search.
        histories.searched = AGE_NODES - 1;
        histories.begin_search();
        assert_eq!(score(&histories, threatened), with);
        histories.searched += 1;
        histories.begin_search();
        assert!((1..with).contains(&score(&histories, threatened)));
        // The histories near the root last until the next search.
        let root = QuietKeys { ply: 0, ..calm };
        histories.update_quiet(&position, root, mv, 1_000);
        let fresh = score(&histories, root);
        histories.begin_search();
        assert!(fresh > score(&histories, root));
    }
}
