//! What a position is worth: the [`Evaluator`] is all that the search sees of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `endgame` | what no evaluation needs to find out: material that cannot win, mates of bare kings |
//! | `classical` | terms counted from the looks of a position |
//! | `nnue` | networks that learnt from games |

pub mod classical;
pub mod endgame;
pub mod nnue;

use std::collections::TryReserveError;

use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Move, Value};
use classical::Classical;

/// Evaluates positions; each search thread has one of its own.
///
/// It follows the search down a line and back, so that an evaluation may bring forward what it
/// knew of the position before: [`reset`](Self::reset) to a root, then one `push` for each move
/// made and one [`pop`](Self::pop) for each taken back. [`evaluate`](Self::evaluate) is asked about
/// the position where the line ends, if at all.
pub struct Evaluator<G: Board> {
    classical: Classical<G>,
}

impl<G: Board> Evaluator<G> {
    /// An evaluator of its own tables; an error if the memory for them is not to be had.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Evaluator { classical: Classical::new()? })
    }

    /// A new line begins at this position.
    #[inline]
    pub fn reset(&mut self, _root: &Position<G>) {}

    /// The position after a legal move of the one where the line ends, to which the line now goes
    /// on.
    #[inline(always)]
    pub fn push(&mut self, position: &Position<G>, mv: Move) -> Position<G> {
        // The classical evaluation starts afresh in each position. One that does not is an
        // `Observer` of the move, see `Position::make_observed`.
        position.after(mv)
    }

    /// The same after a null move.
    #[inline(always)]
    pub fn push_null(&mut self, position: &Position<G>) -> Position<G> {
        let mut child = position.clone();
        child.make_null();
        child
    }

    /// Goes back to where the line ended before the last push.
    #[inline(always)]
    pub fn pop(&mut self) {}

    /// What the position where the line ends is worth to the side to move: centipawns within
    /// `±MAX_EVAL`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        endgame::fade(self.classical.evaluate(position), position)
    }

    /// The same of any position; the line begins anew there.
    pub fn evaluate_alone(&mut self, position: &Position<G>) -> Value {
        self.reset(position);
        self.evaluate(position)
    }
}

#[cfg(test)]
mod tests;
