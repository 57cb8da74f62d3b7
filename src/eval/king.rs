//! The safety of the kings: the pawns before them and the pieces against them.

use super::packed::Packed;
use super::params::DANGER;
use super::scene::Scene;
use super::tables::Weights;
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::position::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// What the pawns of both sides on the three files at the king are worth to it. On the flank
/// these are the outermost three files.
pub fn shelter<G: Board>(us: Color, position: &Position<G>, weights: &Weights<G>) -> Packed {
    let terms = &weights.terms;
    let king = position.king(us);
    let front = weights.front(us, king.rank());
    let middle = king.file().clamp(1, G::FILES - 2);
    let pawns = Color::ALL.map(|color| position.pieces(color, Role::Pawn) & front);
    let mut sum = Packed::ZERO;
    for file in middle - 1..=middle + 1 {
        let distance = |color: Color| {
            let pawn = nearest(us, pawns[color.index()] & weights.file(file))?;
            Some(pawn.rank().abs_diff(king.rank()) as usize)
        };
        let (own, theirs) = (distance(us), distance(!us));
        sum += match own {
            Some(ranks) => terms.shield[ranks.min(terms.shield.len() - 2)],
            None => terms.shield[terms.shield.len() - 1],
        };
        sum += match (own, theirs) {
            (Some(shield), Some(pawn)) if shield + 1 == pawn => terms.storm_blocked,
            (_, Some(pawn)) => terms.storm[pawn.min(terms.storm.len() - 1)],
            (_, None) => terms.storm[terms.storm.len() - 1],
        };
    }
    sum
}

/// The square nearest to a side's own edge of the board.
fn nearest<G: Board>(us: Color, squares: Bitboard<G>) -> Option<Square<G>> {
    match us {
        Color::White => squares.first(),
        Color::Black => squares.last(),
    }
}

/// The safety of a side's king, with all attacks known.
#[inline(always)]
pub fn score<G: Board, T: Tracer>(us: Color, scene: &Scene<G>, tracer: &mut T) -> Packed {
    let terms = &scene.weights.terms;
    let shelter = scene.pawns.shelter[us.index()];
    let danger = danger(us, scene, shelter);
    let rights = (scene.position.rights() & scene.position.color(us)).count() as i32;
    let sum = shelter
        + terms.danger_square * (danger * danger / 64)
        + terms.danger * danger
        + terms.king_right * rights;
    tracer.add(Term::King, us, sum);
    sum
}

/// The danger to a side's king, in units of [`DANGER`], not negative.
#[inline(always)]
fn danger<G: Board>(us: Color, scene: &Scene<G>, shelter: Packed) -> i32 {
    let (ours, theirs) = (scene.side(us), scene.side(!us));
    let ring = scene.weights.ring(us, ours.king);
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
    units += safe_checks(us, scene, weak);
    if scene.pieces(!us, Role::Queen).is_empty() {
        units += DANGER.no_queen;
    }
    units -= shelter.mg() / DANGER.shelter_divisor;
    units.clamp(0, DANGER.most)
}

/// The units for checks the other side could give without losing the piece.
#[inline(always)]
fn safe_checks<G: Board>(us: Color, scene: &Scene<G>, weak: Bitboard<G>) -> i32 {
    let (ours, theirs) = (scene.side(us), scene.side(!us));
    let safe = (!ours.all | (weak & theirs.twice)) - scene.position.color(!us);
    let knight = attacks::knight(ours.king) & safe;
    let bishop = attacks::bishop(ours.king, scene.occupied) & safe;
    let rook = attacks::rook(ours.king, scene.occupied) & safe;
    let from = [knight, bishop, rook, bishop | rook];
    let mut units = 0;
    for (index, squares) in from.into_iter().enumerate() {
        let checks = squares & theirs.attacks[Role::Knight.index() + index];
        units += DANGER.safe_check[index] * checks.any() as i32;
    }
    units
}
