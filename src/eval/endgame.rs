//! Material that does not win, and how to mate a bare king.

use super::packed::Packed;
use super::params::{MATING, SCALES};
use super::tables::{Weights, distance};
use super::trace::{Term, Tracer};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Bitboard, Color, Role, Score, Square};

/// The scale of an end game that is worth what its terms say.
pub const FULL_SCALE: i32 = 64;

/// How much of the end game's value counts if `strong` is the side it favours, of [`FULL_SCALE`];
/// zero is a dead draw.
#[inline(always)]
pub fn scale<G: Board>(strong: Color, position: &Position<G>, weights: &Weights<G>) -> i32 {
    let pawns = position.pieces(strong, Role::Pawn);
    if pawns.is_empty() {
        return scale_without_pawns(strong, position);
    }
    if is_rook_pawn_draw(strong, pawns, position, weights) {
        return 0;
    }
    let count = pawns.count() as i32;
    let [each, none] = SCALES.pawns;
    let scale = (none + each * count).min(FULL_SCALE);
    scale.min(scale_opposite_bishops(count, position, weights))
}

/// Non-pawn material in the pawns of the beginner's book: 3, 3, 5, 9.
fn piece_points<G: Board>(color: Color, position: &Position<G>) -> i32 {
    let count = |role| position.pieces(color, role).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// Without pawns a minor piece more rarely wins, a minor piece alone never, nor do two knights.
fn scale_without_pawns<G: Board>(strong: Color, position: &Position<G>) -> i32 {
    let (ours, theirs) = (piece_points(strong, position), piece_points(!strong, position));
    let minor = 3;
    let knights_only = position.color(strong)
        == (position.pieces(strong, Role::Knight) | position.pieces(strong, Role::King));
    if ours <= minor || (knights_only && ours == 2 * minor) {
        0
    } else if ours - theirs <= minor {
        SCALES.no_pawns
    } else {
        FULL_SCALE
    }
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

/// Pawns on one edge file, alone or with bishops that do not rule the promotion square, and the
/// enemy king in that corner: it cannot be driven out.
#[inline(always)]
fn is_rook_pawn_draw<G: Board>(
    strong: Color,
    pawns: Bitboard<G>,
    position: &Position<G>,
    weights: &Weights<G>,
) -> bool {
    let bishops = position.pieces(strong, Role::Bishop);
    let king = position.pieces(strong, Role::King);
    if position.color(strong) != (pawns | bishops | king) {
        return false;
    }
    [0, G::FILES - 1].into_iter().any(|file| {
        let corner = Square::on(file, G::PROMOTION_RANK[strong.index()]);
        let ruling = if corner.is_light() { weights.light } else { !weights.light };
        (pawns - Bitboard::file(file)).is_empty()
            && (bishops & ruling).is_empty()
            && distance(position.king(!strong), corner) <= 1
    })
}

/// What leads to mate if one side has only its king and the other can force mate; for White.
#[inline(always)]
pub fn mating<G: Board, T: Tracer>(
    position: &Position<G>,
    weights: &Weights<G>,
    tracer: &mut T,
) -> Packed {
    let bare = |color: Color| !position.color(color).many();
    match (bare(Color::White), bare(Color::Black)) {
        (false, false) | (true, true) => Packed::ZERO,
        (_, true) => drive(Color::White, position, weights, tracer),
        (true, _) => -drive(Color::Black, position, weights, tracer),
    }
}

/// What the place of the kings is worth to the side that mates.
fn drive<G: Board, T: Tracer>(
    strong: Color,
    position: &Position<G>,
    weights: &Weights<G>,
    tracer: &mut T,
) -> Packed {
    let bishops = position.pieces(strong, Role::Bishop);
    let knights = position.pieces(strong, Role::Knight);
    let heavy = (position.straight_sliders() & position.color(strong)).any();
    let both_colors = (bishops & weights.light).any() && (bishops - weights.light).any();
    let bishop_and_knight = bishops.any() && knights.any();
    if !heavy && !both_colors && !bishop_and_knight && knights.count() < 3 {
        return Packed::ZERO;
    }
    let king = position.king(!strong);
    let near = G::RANKS as i32 - distance(king, position.king(strong));
    let place = if heavy || both_colors || bishops.is_empty() {
        MATING.to_edge * (off_centre(king.file(), G::FILES) + off_centre(king.rank(), G::RANKS))
    } else {
        // Bishop and knight mate in the bishop's corners only; other edges do not help.
        let corners = [0, G::FILES - 1].into_iter().flat_map(|file| {
            [0, G::RANKS - 1].into_iter().map(move |rank| Square::<G>::on(file, rank))
        });
        let ruled = corners.filter(|corner| corner.is_light() == (bishops & weights.light).any());
        let nearest = ruled.map(|corner| ranks_and_files(corner, king)).min().unwrap_or(0);
        MATING.to_corner * (G::FILES as i32 - nearest)
    };
    let value = MATING.won + MATING.to_king * near + place;
    let score = Packed::from(Score::new(value, value));
    tracer.add(Term::Endgame, strong, score);
    score
}

/// How far a file or rank is from the middle.
fn off_centre(line: u8, lines: u8) -> i32 {
    (2 * line as i32 - (lines as i32 - 1)).abs() / 2
}

fn ranks_and_files<G: Board>(a: Square<G>, b: Square<G>) -> i32 {
    (a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank())) as i32
}
