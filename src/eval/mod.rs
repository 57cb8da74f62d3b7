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
//! | `pieces` | material, squares, mobility, good places of pieces |
//! | `pawns` | pawn structure, with a cache |
//! | `passed` | passed pawns among pieces |
//! | `king` | shelter of the kings and danger to them |
//! | `threats` | what is attacked and would rather not be lost |
//! | `endgame` | material that does not win, and how to mate a bare king |
//! | `trace` | the evaluation term by term, for people |
//! | `linear` | the evaluation as a function of its parameters, for a fit |
//!
//! An evaluation is a pure function of the position: colours flipped, it is the same for the side
//! to move, and so it is with the files mirrored. Caches speed it up and never change it.

mod endgame;
mod king;
mod linear;
mod packed;
pub mod params;
mod passed;
mod pawns;
mod pieces;
mod scene;
mod tables;
mod threats;
mod trace;

pub use linear::{Linear, Linearizer, PARTS};
pub use params::Params;
pub use trace::{Term, Trace};

use std::cmp::Ordering;

use crate::attacks::Board;
use crate::position::Position;
use crate::types::score::{DRAW, MAX_EVAL};
use crate::types::{Color, Role, Value};
use packed::Packed;
use params::SCALES;
use pawns::Entry;
use scene::Scene;
use tables::Weights;
use trace::Tracer;

/// Evaluates positions; each search thread has one of its own.
pub struct Evaluator<G: Board> {
    weights: Box<Weights<G>>,
    pawns: pawns::Cache<G>,
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
        let weights = Box::new(Weights::new(params));
        Evaluator { pawns: pawns::Cache::new(&weights), weights }
    }

    /// What the position is worth to the side to move: centipawns within `±MAX_EVAL`.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        let pawns = self.pawns.entry(position, &self.weights);
        value(position, &self.weights, pawns, &mut ())
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
    let pawns = pawns::Entry::new(position, &weights, &mut trace);
    let value = value(position, &weights, &pawns, &mut trace);
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

/// The value for the side to move: the terms, blended by the phase, scaled by what wins.
#[inline(always)]
fn value<G: Board, T: Tracer>(
    position: &Position<G>,
    weights: &Weights<G>,
    pawns: &Entry<G>,
    tracer: &mut T,
) -> Value {
    let sum = terms(position, weights, pawns, tracer);
    let phase = phase(position);
    let scale = match sum.eg().cmp(&0) {
        Ordering::Greater => endgame::scale(Color::White, position, weights),
        Ordering::Less => endgame::scale(Color::Black, position, weights),
        Ordering::Equal => endgame::FULL_SCALE,
    };
    tracer.blended(phase, scale);
    if scale == 0 {
        return DRAW;
    }
    let eg = sum.eg() * scale / endgame::FULL_SCALE;
    let white = (sum.mg() * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
    // Nothing happens for long: the side that is ahead makes no progress.
    let idle = position.halfmove_clock().min(100) as i32;
    let white = white - white * idle / SCALES.fifty_moves;
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
    pawns: &Entry<G>,
    tracer: &mut T,
) -> Packed {
    let (white, black) = (Color::White, Color::Black);
    let mut scene = Scene::new(position, weights, pawns);
    let mut sum = pawns.score;
    sum += pieces::score(white, &mut scene, tracer) - pieces::score(black, &mut scene, tracer);
    sum += threats::score(white, &scene, tracer) - threats::score(black, &scene, tracer);
    sum += king::score(white, &scene, tracer) - king::score(black, &scene, tracer);
    sum += passed::score(white, &scene, tracer) - passed::score(black, &scene, tracer);
    sum += endgame::mating(position, weights, tracer);
    let side = position.side_to_move();
    tracer.add(Term::Tempo, side, weights.terms.tempo);
    match side {
        Color::White => sum + weights.terms.tempo,
        Color::Black => sum - weights.terms.tempo,
    }
}

#[cfg(test)]
mod tests;
