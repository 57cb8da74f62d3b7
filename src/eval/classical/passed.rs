//! Passed pawns among pieces: what stands in their way and who helps them.

use super::info::EvalInfo;
use super::packed::Packed;
use super::pawns::steps;
use super::trace::{Term, Tracer};
use crate::attacks::Board;
use crate::types::{Color, Role, Square};

/// Kings farther away than this are all the same.
const FAR: i32 = 5;

/// The passed pawns of a side, with all attacks known, beyond what `pawns` counts for them.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, info: &EvalInfo<G>, tracer: &mut T) -> Packed {
    let mut sum = Packed::ZERO;
    for square in info.pawns.passed & info.side(us).pawns {
        sum += pawn(us, square, info);
    }
    tracer.add(Term::Passed, us, sum);
    sum
}

fn pawn<G: Board>(us: Color, square: Square<G>, info: &EvalInfo<G>) -> Packed {
    let Some(next) = square.forward(us) else { return Packed::ZERO };
    let terms = &info.weights.terms;
    let (ours, theirs) = (info.side(us), info.side(!us));
    let steps = steps(us, square);
    let mut sum = terms.passed_their_king[steps] * theirs.king.distance(next).min(FAR)
        + terms.passed_own_king[steps] * ours.king.distance(next).min(FAR);
    if info.occupied.contains(next) {
        sum += terms.passed_blocked[steps];
    } else {
        let way = square.bitboard().forward_fill(us);
        if (way & (theirs.all | info.position.color(!us))).is_empty() {
            sum += terms.passed_free[steps];
        } else if !theirs.all.contains(next) {
            sum += terms.passed_safe_step[steps];
        }
        if ours.all.contains(next) {
            sum += terms.passed_helped[steps];
        }
    }
    let behind = square.bitboard().forward_fill(!us);
    if (behind & info.pieces(us, Role::Rook)).any() {
        sum += terms.passed_rook_behind;
    }
    if !info.position.has_pieces(!us) && outruns_king(us, square, info) {
        sum += terms.passed_unstoppable;
    }
    sum
}

/// Whether a passed pawn promotes before the enemy king, alone among pawns, can catch it (the
/// rule of the square).
fn outruns_king<G: Board>(us: Color, square: Square<G>, info: &EvalInfo<G>) -> bool {
    let way = square.bitboard().forward_fill(us);
    if (way & info.occupied).any() {
        return false;
    }
    let last = Square::on(square.file(), G::PROMOTION_RANK[us.index()]);
    let double = (square.rank() == G::PAWN_RANK[us.index()]) as i32;
    let plies = distance_in_ranks(square, last) - double;
    let theirs_to_move = (info.position.side_to_move() != us) as i32;
    plies < info.side(!us).king.distance(last) - theirs_to_move
}

fn distance_in_ranks<G: Board>(a: Square<G>, b: Square<G>) -> i32 {
    a.rank().abs_diff(b.rank()) as i32
}
