//! What a position is worth: the [`Evaluator`] is all that the search sees of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `endgame` | what no evaluation needs to find out: material that cannot win, mates of bare kings |
//! | `classical` | terms counted from the looks of a position |
//! | `nnue` | networks that learnt from games |
//! | `nets` | the networks in force |

pub mod classical;
pub mod endgame;
pub mod nets;
pub mod nnue;

use std::collections::TryReserveError;
use std::sync::Arc;

use crate::attacks::Board;
use crate::position::{Position, Threats};
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Move, Value};
use classical::Classical;
use nnue::{Accumulators, Network};

/// Evaluates positions; each search thread has one of its own.
///
/// It follows the search down a line and back, so that an evaluation may bring forward what it
/// knew of the position before: [`reset`](Self::reset) to a root, then one `push` for each move
/// made and one [`pop`](Self::pop) for each taken back. [`evaluate`](Self::evaluate) is asked about
/// the position where the line ends, if at all.
pub struct Evaluator<G: Board> {
    classical: Classical<G>,
    /// The network in force, if one is, along the line.
    network: Option<Accumulators<G>>,
}

/// Moves of a line for which a network has room from the beginning, more than a search goes down.
const LINE: usize = 256;

/// From so many centipawns on the classical evaluation speaks. The games that networks learn from are
/// given up at 2,000, so that they have seen little of how such positions are won: mates in three were
/// missed.
const TAUGHT: Value = 800;

impl<G: Board> Evaluator<G> {
    /// An evaluator with tables of its own, and with the network that is built in for the board, if
    /// one is; an error if the memory is not to be had.
    pub fn new() -> Result<Self, TryReserveError> {
        let mut new = Evaluator { classical: Classical::new()?, network: None };
        new.set_network(nets::in_force::<G>())?;
        Ok(new)
    }

    /// From now on this network evaluates, or without one the classical evaluation. A new line
    /// begins.
    pub fn set_network(&mut self, network: Option<Arc<Network<G>>>) -> Result<(), TryReserveError> {
        self.network = network.map(|network| Accumulators::new(network, LINE)).transpose()?;
        Ok(())
    }

    /// A new line begins at this position.
    pub fn reset(&mut self, root: &Position<G>) {
        if let Some(network) = &mut self.network {
            network.reset(root);
        }
    }

    /// The position after a legal move of the one where the line ends, to which the line now goes
    /// on.
    #[inline(always)]
    pub fn push(&mut self, position: &Position<G>, mv: Move) -> Position<G> {
        let child = position.after(mv);
        if let Some(network) = &mut self.network {
            network.push(&child);
        }
        child
    }

    /// The same after a null move.
    #[inline(always)]
    pub fn push_null(&mut self, position: &Position<G>) -> Position<G> {
        let mut child = position.clone();
        child.make_null();
        if let Some(network) = &mut self.network {
            network.push_null();
        }
        child
    }

    /// Goes back to where the line ended before the last push.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Some(network) = &mut self.network {
            network.pop();
        }
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
        let value = match &mut self.network {
            Some(network) if !endgame::has_bare_king(position) => {
                let value = match network.evaluate(position) {
                    won if won > TAUGHT => self.classical.evaluate(position).max(TAUGHT),
                    lost if lost < -TAUGHT => self.classical.evaluate(position).min(-TAUGHT),
                    value => value,
                };
                endgame::draw_if_nobody_wins(value, position)
            }
            // A network has not learnt to mate a bare king: its games ended before that.
            _ => self.classical.evaluate(position),
        };
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// What a side attacks in the position where the line ends: an evaluation by a network looks at
    /// that as well.
    #[inline]
    pub fn threats(&mut self, position: &Position<G>, color: Color) -> Threats<G> {
        match &mut self.network {
            Some(network) => network.threats(color),
            None => Threats::of(position, color),
        }
    }

    /// The same of any position; the line begins anew there.
    pub fn evaluate_alone(&mut self, position: &Position<G>) -> Value {
        self.reset(position);
        self.evaluate(position)
    }
}

#[cfg(test)]
mod tests;
