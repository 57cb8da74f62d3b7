//! The static evaluation of positions. The search evaluates positions with an [`Evaluator`].
//!
//! | file | contents |
//! | --- | --- |
//! | `endgame` | known endgames: material that cannot win, mates of bare kings |
//! | `nnue` | networks trained on games |
//! | `nets` | the embedded networks |

pub mod endgame;
pub mod nets;
pub mod nnue;

use std::collections::TryReserveError;
use std::sync::Arc;

use crate::geometry::Board;
use crate::position::{Position, Threats};
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Move, Value};
use nnue::{Accumulators, Network};

/// Evaluates positions. Each search thread has its own evaluator.
///
/// An evaluator follows the search down a line of moves and back, so that an evaluation can update the
/// evaluation of the previous position. Call [`reset`](Self::reset) at the root, then `push` for each move
/// made and [`pop`](Self::pop) for each move taken back. [`evaluate`](Self::evaluate) evaluates the
/// position at the end of the line.
pub struct Evaluator<G: Board> {
    /// The network's accumulators along the line.
    accumulators: Accumulators<G>,
}

/// The initial capacity of a line, in moves. The lines of a search are shorter.
const LINE: usize = 256;

impl<G: Board> Evaluator<G> {
    /// Returns an evaluator with the board's default network. Fails if the allocation fails.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Evaluator { accumulators: Accumulators::new(nets::default_network::<G>(), LINE)? })
    }

    /// Switches to this network and begins a new line.
    pub fn set_network(&mut self, network: Arc<Network<G>>) -> Result<(), TryReserveError> {
        self.accumulators = Accumulators::new(network, LINE)?;
        Ok(())
    }

    /// Returns the network in use.
    pub fn network(&self) -> &Arc<Network<G>> {
        self.accumulators.network()
    }

    /// Begins a new line at this position.
    pub fn reset(&mut self, root: &Position<G>) {
        self.accumulators.reset(root);
    }

    /// Makes a legal move in the position at the end of the line. Extends the line by the move and returns
    /// the new position.
    #[inline(always)]
    pub fn push(&mut self, position: &Position<G>, mv: Move) -> Position<G> {
        let child = position.after(mv);
        self.accumulators.push(&child);
        child
    }

    /// Makes a null move in the position at the end of the line. Extends the line by the null move and
    /// returns the new position.
    #[inline(always)]
    pub fn push_null(&mut self, position: &Position<G>) -> Position<G> {
        let mut child = position.clone();
        child.make_null();
        self.accumulators.push_null();
        child
    }

    /// Removes the last move from the line.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// Returns the evaluation of the position at the end of the line for the side to move:
    /// centipawns within `±MAX_EVAL`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        endgame::scale_by_halfmove_clock(self.evaluate_unscaled(position), position)
    }

    /// Returns the evaluation without 50-move scaling; see [`endgame::scale_by_halfmove_clock`].
    #[inline]
    pub fn evaluate_unscaled(&mut self, position: &Position<G>) -> Value {
        let value = endgame::mating(position).unwrap_or_else(|| {
            endgame::draw_if_nobody_wins(self.accumulators.evaluate(position), position)
        });
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Returns the squares that a side attacks in the position at the end of the line. The network uses the
    /// same data.
    #[inline]
    pub fn threats(&mut self, color: Color) -> Threats<G> {
        self.accumulators.threats(color)
    }

    /// Begins a new line at a position and evaluates the position; see [`evaluate`](Self::evaluate).
    pub fn evaluate_alone(&mut self, position: &Position<G>) -> Value {
        self.reset(position);
        self.evaluate(position)
    }
}

#[cfg(test)]
mod tests;
