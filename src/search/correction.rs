//! How wrong the static evaluation was in positions like this one.
//!
//! Each table keeps, for some feature of a position, a running average of the difference between
//! what a search found and what the evaluation had said. Features are the pawns, the pieces of
//! either side, and the last move with the one two or four plies before the node: an evaluation
//! errs in the same direction as long as they stay the same. (Pawn correction history comes from
//! Caissa, the other kinds from Stockfish and Stormphrax.)

use std::collections::TryReserveError;

use super::history::ContinuationKey;
use super::params;
use crate::attacks::Board;
use crate::position::Position;
use crate::system::boxed;
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Value};

/// Entries of a table, by the low bits of a key. Positions that share one disturb each other a
/// little; the average forgives.
const SIZE: usize = 1 << 14;

/// No entry grows beyond this.
const LIMIT: i32 = 1024;

/// A table for each side to move.
type Table = Box<[[i16; SIZE]; 2]>;

/// The corrections of one thread.
pub struct Corrections {
    /// By pawn structure.
    pawn: Table,
    /// By the pieces of one colour.
    non_pawn: [Table; 2],
    /// By the last two moves.
    continuation: Table,
    /// By the last move and the one four plies before the node.
    fourth: Table,
}

/// Where a position's entries are.
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
    /// Nothing is known yet; an error if the memory is not to be had.
    pub fn new() -> Result<Self, TryReserveError> {
        let table = || boxed([0; SIZE]);
        Ok(Corrections {
            pawn: table()?,
            non_pawn: [table()?, table()?],
            continuation: table()?,
            fourth: table()?,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn;
        let continuations = [&mut self.continuation, &mut self.fourth];
        for table in [&mut self.pawn, white, black].into_iter().chain(continuations) {
            table.fill([0; SIZE]);
        }
    }

    /// An evaluation with the error that it is likely to have taken off.
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
        let error = params::CORRECTION_PAWN * entry(&self.pawn, places.pawn)
            + params::CORRECTION_NON_PAWN * (white + black)
            + params::CORRECTION_CONTINUATION * entry(&self.continuation, places.continuation)
            + params::CORRECTION_FOURTH * entry(&self.fourth, places.fourth);
        (eval + error / params::CORRECTION_SCALE).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// A search of this depth found the corrected evaluation wrong by so many centipawns.
    pub fn update<G: Board>(
        &mut self,
        position: &Position<G>,
        moves: [ContinuationKey; 3],
        error: Value,
        depth: i32,
    ) {
        let Places { side, pawn, non_pawn, continuation, fourth } = Places::new(position, moves);
        let error = error.clamp(-1_000, 1_000);
        let bonus = (error * depth / params::CORRECTION_DEPTH_DIVISOR).clamp(-LIMIT / 4, LIMIT / 4);
        let learn = |entry: &mut i16| {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        };
        learn(&mut self.pawn[side][pawn]);
        learn(&mut self.non_pawn[0][side][non_pawn[0]]);
        learn(&mut self.non_pawn[1][side][non_pawn[1]]);
        learn(&mut self.continuation[side][continuation]);
        learn(&mut self.fourth[side][fourth]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;

    #[test]
    fn what_was_learned_shows_in_positions_alike_and_only_there() {
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
        // Bounded, whatever is learned.
        let weights = params::CORRECTION_PAWN
            + 2 * params::CORRECTION_NON_PAWN
            + params::CORRECTION_CONTINUATION
            + params::CORRECTION_FOURTH;
        assert!(much <= LIMIT * weights / params::CORRECTION_SCALE);
    }
}
