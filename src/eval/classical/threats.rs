//! What a side attacks that the other would rather not lose.

use super::info::EvalInfo;
use super::packed::Packed;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Role};

/// The threats of a side, with all attacks known.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, info: &EvalInfo<G>, tracer: &mut T) -> Packed {
    let sum = by_pawns(us, info) + by_pieces(us, info);
    tracer.add(Term::Threats, us, sum);
    sum
}

/// Pieces attacked by pawns, now or after a safe step.
#[inline(always)]
fn by_pawns<G: Board>(us: Color, info: &EvalInfo<G>) -> Packed {
    let terms = &info.weights.terms;
    let (ours, theirs) = (info.side(us), info.side(!us));
    let targets = info.position.color(!us) - theirs.pawns;
    let attacked = ours.attacks[Role::Pawn.index()] & targets;
    let steps = ours.pawns.forward(us) - info.occupied;
    let steps = steps & ((ours.all | !theirs.all) - theirs.attacks[Role::Pawn.index()]);
    let reached = (attacks::pawns(us, steps) & targets) - attacked;
    terms.pawn_threat * count(attacked) + terms.pawn_step_threat * count(reached)
}

/// Pieces attacked by pieces of less value or too often for their defence.
#[inline(always)]
fn by_pieces<G: Board>(us: Color, info: &EvalInfo<G>) -> Packed {
    let terms = &info.weights.terms;
    let position = info.position;
    let (ours, theirs) = (info.side(us), info.side(!us));
    let targets = position.color(!us);
    let firm = theirs.attacks[Role::Pawn.index()] | (theirs.twice - ours.twice);
    let weak = (targets & ours.all) - firm;
    let (rooks, queens) = (position.role(Role::Rook), position.role(Role::Queen));
    let minor = ours.attacks[Role::Knight.index()] | ours.attacks[Role::Bishop.index()];
    let rook = ours.attacks[Role::Rook.index()];
    let king = ours.attacks[Role::King.index()];
    let hanging = weak & (!theirs.all | (ours.twice - theirs.pawns));
    terms.minor_threat * count(minor & weak)
        + terms.minor_threat_on[0] * count(minor & targets & rooks)
        + terms.minor_threat_on[1] * count(minor & targets & queens)
        + terms.rook_threat * count(rook & weak)
        + terms.rook_threat_on_queen * count(rook & targets & queens)
        + terms.king_threat * (king & weak).any() as i32
        + terms.hanging * count(hanging)
}

#[inline(always)]
fn count<G: Board>(set: Bitboard<G>) -> i32 {
    set.count() as i32
}
