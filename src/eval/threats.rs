//! What a side attacks that the other would rather not lose.

use super::packed::Packed;
use super::scene::Scene;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Role};

/// The threats of a side, with all attacks known.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, scene: &Scene<G>, tracer: &mut T) -> Packed {
    let sum = by_pawns(us, scene) + by_pieces(us, scene);
    tracer.add(Term::Threats, us, sum);
    sum
}

/// Pieces attacked by safe pawns, now or after a safe step.
#[inline(always)]
fn by_pawns<G: Board>(us: Color, scene: &Scene<G>) -> Packed {
    let terms = &scene.weights.terms;
    let (ours, theirs) = (scene.side(us), scene.side(!us));
    let targets = scene.position.color(!us) - theirs.pawns;
    let safe = ours.all | !theirs.all;
    let attacked = attacks::pawns(us, ours.pawns & safe) & targets;

    let steps = ours.pawns.forward(us) - scene.occupied;
    let third = scene.weights.double_step(us);
    let steps = steps | ((steps & third).forward(us) - scene.occupied);
    let steps = steps & safe - theirs.attacks[Role::Pawn.index()];
    let reached = (attacks::pawns(us, steps) & targets) - ours.attacks[Role::Pawn.index()];
    terms.pawn_threat * count(attacked) + terms.pawn_step_threat * count(reached)
}

/// Pieces attacked by pieces of less value or too often for their defence.
#[inline(always)]
fn by_pieces<G: Board>(us: Color, scene: &Scene<G>) -> Packed {
    let terms = &scene.weights.terms;
    let position = scene.position;
    let (ours, theirs) = (scene.side(us), scene.side(!us));
    let targets = position.color(!us);
    let firm = theirs.attacks[Role::Pawn.index()] | (theirs.twice - ours.twice);
    let weak = (targets & ours.all) - firm;
    let (rooks, queens) = (scene.pieces(!us, Role::Rook), scene.pieces(!us, Role::Queen));
    let weak_minors = weak & (position.role(Role::Knight) | position.role(Role::Bishop));
    let weak_pawns = weak & theirs.pawns;

    let minor = ours.attacks[Role::Knight.index()] | ours.attacks[Role::Bishop.index()];
    let rook = ours.attacks[Role::Rook.index()];
    let hanging = weak & (!theirs.all | (ours.twice - theirs.pawns));
    terms.minor_threat[0] * count(minor & weak_pawns)
        + terms.minor_threat[1] * count(minor & weak_minors)
        + terms.minor_threat[2] * count(minor & rooks)
        + terms.minor_threat[3] * count(minor & queens)
        + terms.rook_threat[0] * count(rook & weak_pawns)
        + terms.rook_threat[1] * count(rook & weak_minors)
        + terms.rook_threat[2] * count(rook & queens)
        + terms.king_threat * count(ours.attacks[Role::King.index()] & weak)
        + terms.hanging * count(hanging)
}

#[inline(always)]
fn count<G: Board>(set: Bitboard<G>) -> i32 {
    set.count() as i32
}
