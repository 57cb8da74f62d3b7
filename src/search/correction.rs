//! Correction history: how wrong the static evaluation was in similar positions.
//!
//! Each table covers one feature of a position. An entry holds a running average of the difference between
//! the search value and the static evaluation. The features are the pawn structure, the pieces of each
//! side, the last two moves, and the last move combined with the move four plies before the node. Positions
//! that share a feature tend to be misjudged in the same direction. Pawn correction history comes from
//! Caissa, the other kinds from Stockfish and Stormphrax.

use std::collections::TryReserveError;

use super::history::ContinuationKey;
use super::params;
use crate::geometry::Board;
use crate::position::Position;
use crate::system::boxed;
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Value};

/// The number of entries of a table. The low bits of a key select the entry. Different keys may share an
/// entry, which does little harm to an average.
const SIZE: usize = 1 << 14;

/// The largest absolute value of an entry.
const LIMIT: i32 = 1024;

/// The table of one feature, indexed by side to move and by key.
type Table = Box<[[i16; SIZE]; 2]>;

/// The correction histories of one thread.
pub struct Corrections {
    /// The table indexed by pawn structure.
    pawn: Table,
    /// Two tables, indexed by White's pieces and by Black's pieces.
    non_pawn: [Table; 2],
    /// The table indexed by the last two moves.
    continuation: Table,
    /// The table indexed by the last move and the move four plies before the node.
    fourth: Table,
}

/// The indices of the table entries that belong to a position.
struct Places {
    side: usize,
    pawn: usize,
    non_pawn: [usize; 2],
    continuation: usize,
    fourth: usize,
}

impl Places {
    #[inline(always)]
    fn new<G: Board>(
        position: &Position<G>,
        [last, before, fourth]: [ContinuationKey; 3],
    ) -> Places {
        let place = |key: u64| key as usize % SIZE;
        Places {
            side: position.side_to_move().index(),
            pawn: place(position.pawn_key()),
            non_pawn: [Color::White, Color::Black].map(|color| place(position.non_pawn_key(color))),
            continuation: last.pair(before) % SIZE,
            fourth: last.pair(fourth) % SIZE,
        }
    }
}

impl Corrections {
    /// Creates empty tables; fails if the allocation fails.
    pub fn new() -> Result<Self, TryReserveError> {
        let table = || boxed([0; SIZE]);
        Ok(Corrections {
            pawn: table()?,
            non_pawn: [table()?, table()?],
            continuation: table()?,
            fourth: table()?,
        })
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn;
        let continuations = [&mut self.continuation, &mut self.fourth];
        for table in [&mut self.pawn, white, black].into_iter().chain(continuations) {
            table.fill([0; SIZE]);
        }
    }

    /// Corrects a static evaluation: adds the average error of similar positions.
    #[inline]
    pub fn apply<G: Board>(
        &self,
        position: &Position<G>,
        moves: [ContinuationKey; 3],
        eval: Value,
    ) -> Value {
        let places = Places::new(position, moves);
        let side = places.side;
        let entry = |table: &Table, place: usize| i32::from(table[side][place]);
        let [white, black] = [0, 1].map(|i| entry(&self.non_pawn[i], places.non_pawn[i]));
        let error = params::correction_pawn() * entry(&self.pawn, places.pawn)
            + params::correction_non_pawn() * (white + black)
            + params::correction_continuation() * entry(&self.continuation, places.continuation)
            + params::correction_fourth() * entry(&self.fourth, places.fourth);
        (eval + error / params::CORRECTION_SCALE).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Updates the entries of a position that was searched to `depth`. `error` is the search value minus
    /// the corrected evaluation, in centipawns.
    pub fn update<G: Board>(
        &mut self,
        position: &Position<G>,
        moves: [ContinuationKey; 3],
        error: Value,
        depth: i32,
    ) {
        let Places { side, pawn, non_pawn, continuation, fourth } = Places::new(position, moves);
        let error = error.clamp(-1_000, 1_000);
        let bonus =
            (error * depth / params::correction_depth_divisor()).clamp(-LIMIT / 4, LIMIT / 4);
        let update = |entry: &mut i16| {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        };
        update(&mut self.pawn[side][pawn]);
        update(&mut self.non_pawn[0][side][non_pawn[0]]);
        update(&mut self.non_pawn[1][side][non_pawn[1]]);
        update(&mut self.continuation[side][continuation]);
        update(&mut self.fourth[side][fourth]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;

    #[test]
    fn corrections_apply_to_similar_positions_only() {
        let position = |fen| Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let seen = position("4k3/pppp4/8/8/8/8/4PPPP/2B1K3 w - - 0 1");
        let same_pawns = position("4k3/pppp4/8/8/8/8/4PPPP/4KN2 w - - 0 1");
        let other = position("3k1r2/ppp5/8/8/8/8/4PPPP/3K1N2 w - - 0 1");
        let none = [ContinuationKey::none::<Board8x8>(); 3];
        let some = [ContinuationKey::new::<Board8x8>(
            seen.piece_at(seen.king(Color::White)).unwrap(),
            seen.king(Color::White),
        ); 3];
        let mut corrections = Corrections::new().unwrap();
        for _ in 0..1_000 {
            corrections.update(&seen, none, 500, 8);
        }
        let [much, some_of_it, nothing] = [(&seen, none), (&same_pawns, some), (&other, some)]
            .map(|(position, moves)| corrections.apply(position, moves, 0));
        assert!(
            much > some_of_it && some_of_it > 0 && nothing == 0,
            "{much} {some_of_it} {nothing}"
        );
        // The correction is bounded.
        let weights = params::correction_pawn()
            + 2 * params::correction_non_pawn()
            + params::correction_continuation()
            + params::correction_fourth();
        assert!(much <= LIMIT * weights / params::CORRECTION_SCALE);
    }
}
