//! All terms added up, blended by how much is left of the middle game.

use std::cmp::Ordering;

use super::info::EvalInfo;
use super::packed::Packed;
use super::params::{FULL_PHASE, FULL_SCALE};
use super::pawns::Entry;
use super::tables::Weights;
use super::trace::{Term, Tracer};
use super::{king, passed, pieces, scale, threats};
use crate::attacks::Board;
use crate::eval::endgame;
use crate::position::Position;
use crate::types::score::DRAW;
use crate::types::{Color, Role, Score, Value};

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
pub fn value<G: Board, T: Tracer>(
    position: &Position<G>,
    weights: &Weights<G>,
    pawns: &Entry<G>,
    tracer: &mut T,
) -> Value {
    let sum = terms(position, weights, pawns, tracer);
    let phase = phase(position);
    let scale = match sum.eg().cmp(&0) {
        Ordering::Greater => scale::scale(Color::White, position, weights),
        Ordering::Less => scale::scale(Color::Black, position, weights),
        Ordering::Equal => FULL_SCALE,
    };
    tracer.blended(phase, scale);
    if scale == 0 {
        return DRAW;
    }
    let eg = sum.eg() * scale / FULL_SCALE;
    let white = (sum.mg() * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
    match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    }
}

/// The sum of all terms for White.
#[inline(always)]
pub fn terms<G: Board, T: Tracer>(
    position: &Position<G>,
    weights: &Weights<G>,
    pawns: &Entry<G>,
    tracer: &mut T,
) -> Packed {
    let (white, black) = (Color::White, Color::Black);
    let mut info = EvalInfo::new(position, weights, pawns);
    let mut sum = pawns.score;
    sum += pieces::score(white, &mut info, tracer) - pieces::score(black, &mut info, tracer);
    sum += threats::score(white, &info, tracer) - threats::score(black, &info, tracer);
    sum += king::score(white, &info, tracer) - king::score(black, &info, tracer);
    sum += passed::score(white, &info, tracer) - passed::score(black, &info, tracer);
    if let Some((strong, value)) = endgame::mating(position) {
        let score = Packed::from(Score::new(value, value));
        tracer.add(Term::Endgame, strong, score);
        sum += if strong == white { score } else { -score };
    }
    let side = position.side_to_move();
    tracer.add(Term::Tempo, side, weights.terms.tempo);
    match side {
        Color::White => sum + weights.terms.tempo,
        Color::Black => sum - weights.terms.tempo,
    }
}
