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
//! | `scene` | the position with what both sides attack |
//! | `endgame` | material that does not win, and how to mate a bare king |
//! | `trace` | the evaluation term by term, for people |
//!
//! An evaluation is a pure function of the position: colours flipped, it is the same for the side
//! to move, and so it is with the files mirrored. Caches speed it up and never change it.

mod endgame;
mod packed;
pub mod params;
mod pieces;
mod scene;
mod tables;
mod trace;

pub use params::Params;
pub use trace::{Term, Trace};

use crate::attacks::Board;
use crate::position::Position;
use crate::types::score::MAX_EVAL;
use crate::types::{Color, Role, Value};
use packed::Packed;
use scene::Scene;
use tables::Weights;
use trace::Tracer;

/// Evaluates positions; each search thread has one of its own.
pub struct Evaluator<G: Board> {
    weights: Box<Weights<G>>,
}

impl<G: Board> Default for Evaluator<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Board> Evaluator<G> {
    /// An evaluator with the numbers of the board.
    pub fn new() -> Self {
        Self::with_params(&Params::of::<G>())
    }

    /// An evaluator with other numbers, as a fit of them needs.
    pub fn with_params(params: &Params) -> Self {
        Evaluator { weights: Box::new(Weights::new(params)) }
    }

    /// What the position is worth to the side to move: centipawns within `±MAX_EVAL`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        blend(position, &self.weights, &mut ())
    }
}

/// What the position is worth to the side to move, as [`Evaluator::evaluate`] has it. Makes the
/// tables anew each time: for tests and tools.
pub fn evaluate<G: Board>(position: &Position<G>) -> Value {
    trace(position).value()
}

/// The evaluation, term by term.
pub fn trace<G: Board>(position: &Position<G>) -> Trace {
    let weights = Box::new(Weights::new(&Params::of::<G>()));
    let mut trace = Trace::default();
    let value = blend(position, &weights, &mut trace);
    trace.conclude(position.side_to_move(), value);
    trace
}

/// The phase of the start: how many pieces there are, by weight.
const FULL_PHASE: i32 = 24;

/// How much of the middle game is left, 0 ..= [`FULL_PHASE`]: minor pieces count 1, rooks 2,
/// queens 4.
#[inline(always)]
fn phase<G: Board>(position: &Position<G>) -> i32 {
    let minors = (position.role(Role::Knight) | position.role(Role::Bishop)).count();
    let rooks = position.role(Role::Rook).count();
    let queens = position.role(Role::Queen).count();
    ((minors + 2 * rooks + 4 * queens) as i32).min(FULL_PHASE)
}

/// Blends the two halves by the phase.
#[inline(always)]
fn blend<G: Board, T: Tracer>(
    position: &Position<G>,
    weights: &Weights<G>,
    tracer: &mut T,
) -> Value {
    let sum = terms(position, weights, tracer);
    let phase = phase(position);
    let white = (sum.mg() * phase + sum.eg() * (FULL_PHASE - phase)) / FULL_PHASE;
    tracer.blended(phase, endgame::FULL_SCALE);
    let value = match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    };
    value.clamp(-MAX_EVAL, MAX_EVAL)
}

/// The sum of all terms for White.
#[inline(always)]
fn terms<G: Board, T: Tracer>(
    position: &Position<G>,
    weights: &Weights<G>,
    tracer: &mut T,
) -> Packed {
    let mut scene = Scene::new(position, weights);
    pieces::score(Color::White, &mut scene, tracer)
        - pieces::score(Color::Black, &mut scene, tracer)
}

#[cfg(test)]
mod tests;
