//! The classical evaluation: what a position is worth, from its looks alone.
//!
//! Terms are counted for both sides in two currencies, the middle game and the end game, and
//! blended by how many pieces are left (tapered evaluation). One copy of the code serves either
//! board; what depends on the board is derived from its [`Geometry`](crate::geometry::Geometry)
//! or stands in the parameters of the board.
//!
//! | file | holds |
//! | --- | --- |
//! | `params` | every number, for each board |
//! | `packed` | a middle-game and an end-game value in one word |
//! | `tables` | what is derived from the numbers once: piece-square values, mobility |
//! | `info` | the position with what both sides attack |
//! | `pieces` | material, squares, mobility, good places of pieces |
//! | `pawns` | pawn structure, with a cache |
//! | `passed` | passed pawns among pieces |
//! | `shelter` | the pawns before the kings |
//! | `king` | danger to the kings |
//! | `threats` | what is attacked and would rather not be lost |
//! | `scale` | material that hardly wins |
//! | `sum` | all terms added up and blended |
//! | `trace` | the evaluation term by term, for people |
//! | `linear` | the evaluation as a function of its parameters, for a fit |
//!
//! An evaluation is a pure function of the position: colours flipped, it is the same for the side
//! to move, and so it is with the files mirrored. Caches speed it up and never change it.

mod info;
mod king;
mod linear;
mod packed;
pub mod params;
mod passed;
mod pawns;
mod pieces;
mod scale;
mod shelter;
mod sum;
mod tables;
mod threats;
mod trace;

pub use linear::{Linear, Linearizer, PARTS};
pub use params::Params;
pub use trace::{Term, Trace};

use std::collections::TryReserveError;

use super::endgame;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::Value;
use tables::Weights;

/// The classical evaluation with its cache.
pub struct Classical<G: Board> {
    weights: Box<Weights<G>>,
    pawns: pawns::Cache<G>,
}

impl<G: Board> Classical<G> {
    /// With the numbers of the board; an error if the memory is not to be had.
    pub fn new() -> Result<Self, TryReserveError> {
        let weights = Box::new(Weights::new(&Params::of::<G>()));
        Ok(Classical { pawns: pawns::Cache::new(&weights)?, weights })
    }

    /// What the position is worth to the side to move, in centipawns, before it fades
    /// ([`endgame::fade`]).
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        let pawns = self.pawns.entry(position, &self.weights);
        sum::value(position, &self.weights, pawns, &mut ())
    }
}

/// The evaluation as the search would see it, term by term. Makes the tables anew each time: for
/// people and tests.
pub fn trace<G: Board>(position: &Position<G>) -> Trace {
    let weights = Box::new(Weights::new(&Params::of::<G>()));
    let mut trace = Trace::default();
    let pawns = pawns::Entry::new(position, &weights, &mut trace);
    let value = sum::value(position, &weights, &pawns, &mut trace);
    trace.conclude(position.side_to_move(), endgame::fade(value, position));
    trace
}

#[cfg(test)]
mod tests;
