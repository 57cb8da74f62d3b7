//! Terms of single pieces: material, squares, mobility.

use super::packed::Packed;
use super::scene::Scene;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Role, Square};

/// Adds up the terms of the pieces of a side, and notes what they attack.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, scene: &mut Scene<G>, tracer: &mut T) -> Packed {
    let mut sum = Packed::ZERO;
    sum += standing(us, Role::Pawn, scene, tracer);
    sum += standing(us, Role::King, scene, tracer);
    sum += role(us, Role::Knight, scene, tracer);
    sum += role(us, Role::Bishop, scene, tracer);
    sum += role(us, Role::Rook, scene, tracer);
    sum += role(us, Role::Queen, scene, tracer);
    sum
}

/// Material and squares of the pieces of one role.
#[inline(always)]
fn standing<G: Board, T: Tracer>(
    us: Color,
    role: Role,
    scene: &Scene<G>,
    tracer: &mut T,
) -> Packed {
    let mut sum = Packed::ZERO;
    for square in scene.pieces(us, role) {
        sum += on_square(us, role, square, scene, tracer);
    }
    sum
}

#[inline(always)]
fn on_square<G: Board, T: Tracer>(
    us: Color,
    role: Role,
    square: Square<G>,
    scene: &Scene<G>,
    tracer: &mut T,
) -> Packed {
    let value = scene.weights.piece_square[role.of(us).index()][square];
    if T::LISTENS {
        let terms = &scene.weights.terms;
        let material = terms.material.get(role.index()).copied().unwrap_or_default();
        tracer.add(Term::Material, us, material);
        tracer.add(Term::Squares, us, value - material);
    }
    value
}

/// The terms of the knights, bishops, rooks or queens.
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
    for square in scene.pieces(us, role) {
        sum += on_square(us, role, square, scene, tracer);
        let attacks = attacks::piece(role, square, through);
        scene.attack(us, role, attacks);
        let mobility = scene.weights.mobility(role, (attacks & area).count());
        tracer.add(Term::Mobility, us, mobility);
        sum += mobility;
    }
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
