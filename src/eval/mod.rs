//! What a position is worth: the [`Evaluator`] is all that the search sees of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `endgame` | what no network needs to find out: material that cannot win, mates of bare kings |
//! | `nnue` | networks that learnt from games |
//! | `nets` | the networks in force |

pub mod endgame;
pub mod nets;
pub mod nnue;

use std::collections::TryReserveError;
use std::sync::Arc;

use crate::attacks::Board;
use crate::position::{Position, Threats};
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Move, Value};
use nnue::{Accumulators, Network};

/// Evaluates positions; each search thread has one of its own.
///
/// It follows the search down a line and back, so that an evaluation may bring forward what it
/// knew of the position before: [`reset`](Self::reset) to a root, then one `push` for each move
/// made and one [`pop`](Self::pop) for each taken back. [`evaluate`](Self::evaluate) is asked about
/// the position where the line ends, if at all.
pub struct Evaluator<G: Board> {
    /// The network along the line.
    network: Accumulators<G>,
}

/// Moves of a line for which a network has room from the beginning, more than a search goes down.
const LINE: usize = 256;

impl<G: Board> Evaluator<G> {
    /// An evaluator with the network that is in force on the board; an error if the memory is not to
    /// be had.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Evaluator { network: Accumulators::new(nets::in_force::<G>(), LINE)? })
    }

    /// From now on this network evaluates. A new line begins.
    pub fn set_network(&mut self, network: Arc<Network<G>>) -> Result<(), TryReserveError> {
        self.network = Accumulators::new(network, LINE)?;
        Ok(())
    }

    /// A new line begins at this position.
    pub fn reset(&mut self, root: &Position<G>) {
        self.network.reset(root);
    }

    /// The position after a legal move of the one where the line ends, to which the line now goes
    /// on.
    #[inline(always)]
    pub fn push(&mut self, position: &Position<G>, mv: Move) -> Position<G> {
        let child = position.after(mv);
        self.network.push(&child);
        child
    }

    /// The same after a null move.
    #[inline(always)]
    pub fn push_null(&mut self, position: &Position<G>) -> Position<G> {
        let mut child = position.clone();
        child.make_null();
        self.network.push_null();
        child
    }

    /// Goes back to where the line ended before the last push.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.network.pop();
    }

    /// What the position where the line ends is worth to the side to move: centipawns within
    /// `±MAX_EVAL`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        endgame::fade(self.evaluate_unfaded(position), position)
    }

    /// The same, whatever the halfmove clock says; see [`endgame::fade`].
    #[inline]
    pub fn evaluate_unfaded(&mut self, position: &Position<G>) -> Value {
        let value = endgame::mating(position).unwrap_or_else(|| {
            endgame::draw_if_nobody_wins(self.network.evaluate(position), position)
        });
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// What a side attacks in the position where the line ends: the network looks at that as well.
    #[inline]
    pub fn threats(&mut self, color: Color) -> Threats<G> {
        self.network.threats(color)
    }

    /// [`evaluate`](Self::evaluate) of any position; the line begins anew there.
    pub fn evaluate_alone(&mut self, position: &Position<G>) -> Value {
        self.reset(position);
        self.evaluate(position)
    }
}

#[cfg(test)]
mod tests;
