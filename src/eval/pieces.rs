//! Terms of single pieces: material, squares, mobility, good places.

use super::packed::Packed;
use super::scene::Scene;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Role};

/// Adds up the terms of the king and the pieces of a side, and notes what they attack.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, scene: &mut Scene<G>, tracer: &mut T) -> Packed {
    let king = scene.side(us).king;
    let mut sum = scene.weights.standing(us, Role::King, king, tracer);
    sum += role(us, Role::Knight, scene, tracer);
    sum += role(us, Role::Bishop, scene, tracer);
    sum += role(us, Role::Rook, scene, tracer);
    sum += role(us, Role::Queen, scene, tracer);
    let places = minors(us, scene) + bishops(us, scene) + rooks(us, scene);
    tracer.add(Term::Pieces, us, places);
    sum + places
}

/// Material, squares and mobility of the knights, bishops, rooks or queens.
#[inline(always)]
fn role<G: Board, T: Tracer>(
    us: Color,
    role: Role,
    scene: &mut Scene<G>,
    tracer: &mut T,
) -> Packed {
    let mut sum = Packed::ZERO;
    let through = scene.occupied - transparent(us, role, scene);
    let area = scene.side(us).area;
    let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in scene.pieces(us, role) {
        let attacks = attacks::piece(role, square, through);
        twice |= once & attacks;
        once |= attacks;
        let mobility = scene.weights.mobility(role, (attacks & area).count());
        tracer.add(Term::Mobility, us, mobility);
        sum += scene.weights.standing(us, role, square, tracer) + mobility;
    }
    let side = &mut scene.sides[us.index()];
    side.attacks[role.index()] = once;
    side.twice |= twice | (side.all & once);
    side.all |= once;
    sum
}

/// The pieces through which a slider works: a bishop through queens, a rook through queens and
/// rooks of its own.
#[inline(always)]
fn transparent<G: Board>(us: Color, role: Role, scene: &Scene<G>) -> Bitboard<G> {
    match role {
        Role::Bishop => scene.position.role(Role::Queen),
        Role::Rook => scene.position.role(Role::Queen) | scene.pieces(us, Role::Rook),
        _ => Bitboard::EMPTY,
    }
}

/// Outposts, and minor pieces sheltered by a pawn.
#[inline(always)]
fn minors<G: Board>(us: Color, scene: &Scene<G>) -> Packed {
    let terms = &scene.weights.terms;
    let ours = scene.side(us);
    let (knights, bishops) = (scene.pieces(us, Role::Knight), scene.pieces(us, Role::Bishop));
    let outposts = scene.weights.outposts(us)
        & (ours.attacks[Role::Pawn.index()] - scene.pawns.span[(!us).index()]);
    let reachable = (outposts & ours.attacks[Role::Knight.index()]) - scene.position.color(us);
    let behind_pawn = (knights | bishops) & ours.pawns.forward(!us);
    terms.outpost[0] * count(knights & outposts)
        + terms.outpost[1] * count(bishops & outposts)
        + terms.outpost_reachable * reachable.any() as i32
        + terms.minor_behind_pawn * count(behind_pawn)
}

/// The pair of bishops, and the own pawns in a bishop's way.
#[inline(always)]
fn bishops<G: Board>(us: Color, scene: &Scene<G>) -> Packed {
    let bishops = scene.pieces(us, Role::Bishop);
    if bishops.is_empty() {
        return Packed::ZERO;
    }
    let terms = &scene.weights.terms;
    let ours = scene.side(us);
    let light = scene.weights.light;
    let (on_light, on_dark) = (count(bishops & light), count(bishops - light));
    let [pawns_on_light, pawns_on_dark] = scene.pawns.by_shade[us.index()].map(i32::from);
    let blocked = ours.blocked_pawns;
    let in_the_way = on_light * count(blocked & light) + on_dark * count(blocked - light);
    terms.bishop_pair * (on_light.min(1) * on_dark.min(1))
        + terms.bishop_pawn * (on_light * pawns_on_light + on_dark * pawns_on_dark)
        + terms.bishop_blocked_pawn * in_the_way
}

/// Rooks on files without pawns and on the rank of the enemy's pawns.
#[inline(always)]
fn rooks<G: Board>(us: Color, scene: &Scene<G>) -> Packed {
    let rooks = scene.pieces(us, Role::Rook);
    if rooks.is_empty() {
        return Packed::ZERO;
    }
    let terms = &scene.weights.terms;
    let theirs = scene.side(!us);
    let [no_own, no_their] = [us, !us].map(|color| scene.pawns.no_pawn[color.index()]);
    let mut sum = terms.rook_open * count(rooks & no_own & no_their)
        + terms.rook_half_open * count((rooks & no_own) - no_their);
    let (rank, beyond) = scene.weights.enemy_pawn_rank(us);
    if (rank & theirs.pawns).any() || beyond.contains(theirs.king) {
        sum += terms.rook_on_pawn_rank * count(rooks & rank);
    }
    sum
}

#[inline(always)]
fn count<G: Board>(set: Bitboard<G>) -> i32 {
    set.count() as i32
}
