//! Terms of single pieces: material, squares, mobility, good places.

use super::info::EvalInfo;
use super::packed::Packed;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Role};

/// Adds up the terms of the king and the pieces of a side, and notes what they attack.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, info: &mut EvalInfo<G>, tracer: &mut T) -> Packed {
    let king = info.side(us).king;
    let mut sum = info.weights.standing(us, Role::King, king, tracer);
    sum += role(us, Role::Knight, info, tracer);
    sum += role(us, Role::Bishop, info, tracer);
    sum += role(us, Role::Rook, info, tracer);
    sum += role(us, Role::Queen, info, tracer);
    let places = minors(us, info) + bishops(us, info) + rooks(us, info);
    tracer.add(Term::Pieces, us, places);
    sum + places
}

/// Material, squares and mobility of the knights, bishops, rooks or queens.
#[inline(always)]
fn role<G: Board, T: Tracer>(
    us: Color,
    role: Role,
    info: &mut EvalInfo<G>,
    tracer: &mut T,
) -> Packed {
    let mut sum = Packed::ZERO;
    let through = info.occupied - transparent(us, role, info);
    let area = info.side(us).area;
    let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in info.pieces(us, role) {
        let attacks = attacks::piece(role, square, through);
        twice |= once & attacks;
        once |= attacks;
        let mobility = info.weights.mobility(role, (attacks & area).count());
        tracer.add(Term::Mobility, us, mobility);
        sum += info.weights.standing(us, role, square, tracer) + mobility;
    }
    let side = &mut info.sides[us.index()];
    side.attacks[role.index()] = once;
    side.twice |= twice | (side.all & once);
    side.all |= once;
    sum
}

/// The pieces through which a slider works: a bishop through queens, a rook through queens and
/// rooks of its own.
#[inline(always)]
fn transparent<G: Board>(us: Color, role: Role, info: &EvalInfo<G>) -> Bitboard<G> {
    match role {
        Role::Bishop => info.position.role(Role::Queen),
        Role::Rook => info.position.role(Role::Queen) | info.pieces(us, Role::Rook),
        _ => Bitboard::EMPTY,
    }
}

/// Outposts, and minor pieces sheltered by a pawn.
#[inline(always)]
fn minors<G: Board>(us: Color, info: &EvalInfo<G>) -> Packed {
    let terms = &info.weights.terms;
    let ours = info.side(us);
    let (knights, bishops) = (info.pieces(us, Role::Knight), info.pieces(us, Role::Bishop));
    let outposts = info.weights.outposts(us)
        & (ours.attacks[Role::Pawn.index()] - info.pawns.span[(!us).index()]);
    let reachable = (outposts & ours.attacks[Role::Knight.index()]) - info.position.color(us);
    let behind_pawn = (knights | bishops) & ours.pawns.forward(!us);
    terms.outpost[0] * count(knights & outposts)
        + terms.outpost[1] * count(bishops & outposts)
        + terms.outpost_reachable * reachable.any() as i32
        + terms.minor_behind_pawn * count(behind_pawn)
}

/// The pair of bishops, and the own pawns in a bishop's way.
#[inline(always)]
fn bishops<G: Board>(us: Color, info: &EvalInfo<G>) -> Packed {
    let bishops = info.pieces(us, Role::Bishop);
    if bishops.is_empty() {
        return Packed::ZERO;
    }
    let terms = &info.weights.terms;
    let ours = info.side(us);
    let light = info.weights.light;
    let (on_light, on_dark) = (count(bishops & light), count(bishops - light));
    let [pawns_on_light, pawns_on_dark] = info.pawns.by_shade[us.index()].map(i32::from);
    let blocked = ours.blocked_pawns;
    let in_the_way = on_light * count(blocked & light) + on_dark * count(blocked - light);
    terms.bishop_pair * (on_light.min(1) * on_dark.min(1))
        + terms.bishop_pawn * (on_light * pawns_on_light + on_dark * pawns_on_dark)
        + terms.bishop_blocked_pawn * in_the_way
}

/// Rooks on files without pawns and on the rank of the enemy's pawns.
#[inline(always)]
fn rooks<G: Board>(us: Color, info: &EvalInfo<G>) -> Packed {
    let rooks = info.pieces(us, Role::Rook);
    if rooks.is_empty() {
        return Packed::ZERO;
    }
    let terms = &info.weights.terms;
    let theirs = info.side(!us);
    let [no_own, no_their] = [us, !us].map(|color| info.pawns.no_pawn[color.index()]);
    let mut sum = terms.rook_open * count(rooks & no_own & no_their)
        + terms.rook_half_open * count((rooks & no_own) - no_their);
    let (rank, beyond) = info.weights.enemy_pawn_rank(us);
    if (rank & theirs.pawns).any() || beyond.contains(theirs.king) {
        sum += terms.rook_on_pawn_rank * count(rooks & rank);
    }
    sum
}

#[inline(always)]
fn count<G: Board>(set: Bitboard<G>) -> i32 {
    set.count() as i32
}
