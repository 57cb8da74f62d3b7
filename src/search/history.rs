//! Move histories: statistics of how well moves did earlier in the search, for move ordering and
//! reductions.
//!
//! A history value rises when its move causes a cutoff and falls when another move causes the cutoff. The
//! change shrinks as the value approaches its limit ("gravity"), so a value never exceeds the limit. Quiet
//! histories also age between searches. At 5,000 nodes, ageing gained 18 ± 16 Elo for the butterfly history
//! and 16 ± 14 Elo for the continuation histories.

use std::collections::TryReserveError;

use super::params;
use crate::geometry::Board;
use crate::position::Position;
use crate::position::Threats;
use crate::system::{boxed, filled};
use crate::types::{Color, Move, Piece, Role, Square, SquareMap};

/// The largest absolute value of a history entry.
pub const LIMIT: i32 = 16_384;

type PerPieceTo<G, T> = [SquareMap<G, T>; Piece::COUNT];

/// An index of the continuation histories, made of a piece and its target square. The last index stands for
/// "no move": a null move, or a ply before the root. The histories of "no move" are never updated.
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

/// The keys that select the histories of a node's quiet moves.
#[derive(Clone, Copy)]
pub struct QuietKeys<G: Board> {
    /// The keys of the moves made [`CONTINUATION_PLIES`] plies before the node.
    pub continuations: [ContinuationKey; 3],
    /// The squares that the opponent attacks.
    pub threats: Threats<G>,
    /// The distance of the node from the root, in plies.
    pub ply: usize,
}

/// The minimum number of nodes between two ageings of the histories. The histories age at the start of a
/// search, which takes 12 microseconds on 8x8 and 53 microseconds on 10x10. With this interval, ageing
/// takes at most 1% of the time even if all searches are tiny.
const AGE_NODES: u64 = 8_192;

/// The number of plies from the root that have separate histories. These near-root histories are cleared
/// before each search (+8 ± 13 Elo at 5,000 nodes).
const LOW_PLIES: usize = 5;

/// The distances, in plies, from a node back to the moves that select its continuation histories.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

type FromTo<G> = SquareMap<G, SquareMap<G, i16>>;

/// The move histories of one thread.
pub struct Histories<G: Board> {
    /// Histories of quiet moves, indexed by side, threats, origin square and target square. The threats say
    /// which of the two squares the opponent attacks (+26 ± 13 Elo at 5,000 nodes).
    butterfly: Box<[[FromTo<G>; 4]; 2]>,
    /// Near-root histories of quiet moves, indexed by ply, origin square and target square.
    low: Box<[FromTo<G>; LOW_PLIES]>,
    /// Histories of captures and promotions, indexed by piece, target square and captured piece.
    capture: Vec<[i16; 8]>,
    /// Continuation histories of quiet moves, indexed by the key of an earlier move, piece and target
    /// square.
    continuation: Vec<PerPieceTo<G, i16>>,
    /// Countermoves, indexed by the key of a move: the quiet move that last refuted the move.
    counter: Vec<Option<Move>>,
    /// The number of nodes searched since the histories last aged.
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

    /// Rewards the best move of a node that was searched to `depth`. After a cutoff, `tried` holds the
    /// moves tried before the best move. Captures in `tried` get a malus. Quiet moves in `tried` get a
    /// malus if the best move is quiet.
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

    /// Prepares the histories for a new search. Clears the near-root histories. Ages the other quiet
    /// histories if enough nodes were searched since the last ageing.
    pub fn begin_search(&mut self) {
        self.low.fill(SquareMap::filled(SquareMap::filled(0)));
        if self.searched >= AGE_NODES {
            self.searched = 0;
            self.age();
        }
    }

    /// Ages the quiet histories: scales down the butterfly and continuation histories.
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

    /// Sets the near-root history of a root move, which affects the move's place in the move order.
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

    /// Updates the histories of the quiet move that led to this position. `keys` are the keys of the node
    /// where the move was made.
    pub fn update_last(
        &mut self,
        position: &Position<G>,
        keys: QuietKeys<G>,
        mv: Move,
        bonus: i32,
    ) {
        let them = !position.side_to_move();
        self.update_butterfly(them, keys, mv, bonus);
        // After castling, the target square may be empty or hold another piece.
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

    /// Updates the history of the capture that led to this position. `key` holds the capture's piece and
    /// target square.
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
    /// The divisor of the near-root history. The divisor grows with the ply, so the near-root history
    /// counts less farther from the root.
    low_divisor: i32,
    continuation: [&'a PerPieceTo<G, i16>; 3],
}

impl<G: Board> Quiets<'_, G> {
    /// Returns the history value of a quiet move for reductions, which leaves out the near-root history.
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

    /// Returns the history value of a quiet move for move ordering, which includes the near-root history.
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

/// Returns whether a legal move captures or promotes.
#[inline(always)]
pub fn is_noisy<G: Board>(position: &Position<G>, mv: Move) -> bool {
    position.is_capture(mv) || position.is_promotion(mv)
}

/// Adds a bonus or malus to a history value. The change shrinks as the value approaches the limit.
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// The moves of a node that were searched without causing a cutoff.
#[derive(Default)]
pub struct Tried {
    pub quiets: arrayvec::ArrayVec<Move, 64>,
    pub captures: arrayvec::ArrayVec<Move, 32>,
    /// Whether quiet moves were skipped by futility pruning.
    pub futile: bool,
}

impl Tried {
    /// Adds a move to its list. Drops the move if the list is full, because moves this late in the order
    /// matter little.
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
    fn history_values_stay_within_their_limit() {
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
        // The knight attacks the target square of the move.
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
        // The quiet histories do not age after every tiny search.
        histories.searched = AGE_NODES - 1;
        histories.begin_search();
        assert_eq!(score(&histories, threatened), with);
        histories.searched += 1;
        histories.begin_search();
        assert!((1..with).contains(&score(&histories, threatened)));
        // The near-root histories last until the next search.
        let root = QuietKeys { ply: 0, ..calm };
        histories.update_quiet(&position, root, mv, 1_000);
        let fresh = score(&histories, root);
        histories.begin_search();
        assert!(fresh > score(&histories, root));
    }
}
