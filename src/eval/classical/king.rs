//! The safety of the kings: what shelters them and the pieces against them.

use super::info::EvalInfo;
use super::packed::Packed;
use super::params::DANGER;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Role};

/// The safety of a side's king, with all attacks known.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, info: &EvalInfo<G>, tracer: &mut T) -> Packed {
    let terms = &info.weights.terms;
    let shelter = info.pawns.shelter[us.index()];
    let danger = danger(us, info, shelter);
    let rights = (info.position.rights() & info.position.color(us)).count() as i32;
    let sum = shelter
        + terms.danger_square * (danger * danger / 64)
        + terms.danger * danger
        + terms.king_right * rights;
    tracer.add(Term::King, us, sum);
    sum
}

/// The danger to a side's king, in units of [`DANGER`], not negative.
#[inline(always)]
fn danger<G: Board>(us: Color, info: &EvalInfo<G>, shelter: Packed) -> i32 {
    let (ours, theirs) = (info.side(us), info.side(!us));
    let ring = info.weights.ring(us, ours.king);
    let mut units = 0;
    for (index, weight) in DANGER.attacker.into_iter().enumerate() {
        let attackers = theirs.attacks[Role::Knight.index() + index];
        units += weight * (attackers & ring).any() as i32;
    }
    if units < DANGER.least {
        return 0;
    }
    let undefended = !ours.all
        | ((ours.attacks[Role::King.index()] | ours.attacks[Role::Queen.index()]) - ours.twice);
    let weak = theirs.all & undefended;
    let attacked = (theirs.all & ring).count() + (theirs.twice & ring).count();
    units += DANGER.attacked_square * attacked as i32;
    units += DANGER.weak_square * (weak & ring).count() as i32;
    units += safe_checks(us, info, weak);
    if info.pieces(!us, Role::Queen).is_empty() {
        units += DANGER.no_queen;
    }
    units -= shelter.mg() / DANGER.shelter_divisor;
    units.clamp(0, DANGER.most)
}

/// The units for checks the other side could give without losing the piece.
#[inline(always)]
fn safe_checks<G: Board>(us: Color, info: &EvalInfo<G>, weak: Bitboard<G>) -> i32 {
    let (ours, theirs) = (info.side(us), info.side(!us));
    let safe = (!ours.all | (weak & theirs.twice)) - info.position.color(!us);
    let knight = attacks::knight(ours.king) & safe;
    let bishop = attacks::bishop(ours.king, info.occupied) & safe;
    let rook = attacks::rook(ours.king, info.occupied) & safe;
    let from = [knight, bishop, rook, bishop | rook];
    let mut units = 0;
    for (index, squares) in from.into_iter().enumerate() {
        let checks = squares & theirs.attacks[Role::Knight.index() + index];
        units += DANGER.safe_check[index] * checks.any() as i32;
    }
    units
}
