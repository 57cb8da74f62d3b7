//! Passed pawns among pieces: what stands in their way and who helps them.

use super::packed::Packed;
use super::pawns::steps;
use super::scene::Scene;
use super::tables::distance;
use super::trace::{Term, Tracer};
use crate::attacks::Board;
use crate::types::{Color, Role, Square};

/// Kings farther away than this are all the same.
const FAR: i32 = 5;

/// The passed pawns of a side, with all attacks known, beyond what `pawns` counts for them.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, scene: &Scene<G>, tracer: &mut T) -> Packed {
    let mut sum = Packed::ZERO;
    for square in scene.pawns.passed & scene.side(us).pawns {
        sum += pawn(us, square, scene);
    }
    tracer.add(Term::Passed, us, sum);
    sum
}

fn pawn<G: Board>(us: Color, square: Square<G>, scene: &Scene<G>) -> Packed {
    let Some(next) = square.forward(us) else { return Packed::ZERO };
    let terms = &scene.weights.terms;
    let (ours, theirs) = (scene.side(us), scene.side(!us));
    let steps = steps(us, square);
    let mut sum = terms.passed_their_king[steps] * distance(theirs.king, next).min(FAR)
        + terms.passed_own_king[steps] * distance(ours.king, next).min(FAR);
    if scene.occupied.contains(next) {
        sum += terms.passed_blocked[steps];
    } else {
        let way = square.bitboard().forward_fill(us);
        if (way & (theirs.all | scene.position.color(!us))).is_empty() {
            sum += terms.passed_free[steps];
        } else if !theirs.all.contains(next) {
            sum += terms.passed_safe_step[steps];
        }
        if ours.all.contains(next) {
            sum += terms.passed_helped[steps];
        }
    }
    let behind = square.bitboard().forward_fill(!us);
    if (behind & scene.pieces(us, Role::Rook)).any() {
        sum += terms.passed_rook_behind;
    }
    if !scene.position.has_pieces(!us) && outruns_king(us, square, scene) {
        sum += terms.passed_unstoppable;
    }
    sum
}

/// Whether a passed pawn promotes before the enemy king, alone among pawns, can catch it (the
/// rule of the square).
fn outruns_king<G: Board>(us: Color, square: Square<G>, scene: &Scene<G>) -> bool {
    let way = square.bitboard().forward_fill(us);
    if (way & scene.occupied).any() {
        return false;
    }
    let last = Square::on(square.file(), G::PROMOTION_RANK[us.index()]);
    let double = (square.rank() == G::PAWN_RANK[us.index()]) as i32;
    let plies = distance_in_ranks(square, last) - double;
    let theirs_to_move = (scene.position.side_to_move() != us) as i32;
    plies < distance(scene.side(!us).king, last) - theirs_to_move
}

fn distance_in_ranks<G: Board>(a: Square<G>, b: Square<G>) -> i32 {
    a.rank().abs_diff(b.rank()) as i32
}
