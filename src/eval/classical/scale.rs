//! How much of an end game's value counts: what is ahead in material may still not win.

use super::params::{FULL_SCALE, SCALES};
use super::tables::Weights;
use crate::attacks::Board;
use crate::eval::endgame::{MINOR, cannot_win, piece_points};
use crate::position::Position;
use crate::types::{Bitboard, Color, Role};

/// How much of the end game's value counts if `strong` is the side it favours, of [`FULL_SCALE`];
/// zero is a dead draw.
#[inline(always)]
pub fn scale<G: Board>(strong: Color, position: &Position<G>, weights: &Weights<G>) -> i32 {
    if cannot_win(strong, position) {
        return 0;
    }
    let pawns = position.pieces(strong, Role::Pawn).count() as i32;
    if pawns == 0 {
        // A minor piece more rarely wins.
        let lead = piece_points(strong, position) - piece_points(!strong, position);
        return if lead <= MINOR { SCALES.no_pawns } else { FULL_SCALE };
    }
    let [each, none] = SCALES.pawns;
    let scale = (none + each * pawns).min(FULL_SCALE);
    scale.min(scale_opposite_bishops(pawns, position, weights))
}

/// One bishop each, on squares of different colours, holds much.
#[inline(always)]
fn scale_opposite_bishops<G: Board>(
    pawns: i32,
    position: &Position<G>,
    weights: &Weights<G>,
) -> i32 {
    let bishops = position.role(Role::Bishop);
    let one = |set: Bitboard<G>| set.any() && !set.many();
    if !one(bishops & weights.light)
        || !one(bishops - weights.light)
        || !one(bishops & position.color(Color::White))
        || !one(bishops & position.color(Color::Black))
    {
        return FULL_SCALE;
    }
    let others = position.occupied() - bishops - position.role(Role::Pawn);
    if others == position.role(Role::King) {
        let [each, none] = SCALES.opposite_bishops;
        none + each * pawns
    } else {
        SCALES.opposite_bishops_and_pieces
    }
}
