//! The pawns before the kings.

use super::packed::Packed;
use super::tables::Weights;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// What the pawns of both sides on the three files at the king are worth to it. On the flank
/// these are the outermost three files.
pub fn score<G: Board>(us: Color, position: &Position<G>, weights: &Weights<G>) -> Packed {
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
