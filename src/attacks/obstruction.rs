//! Sliding attacks without special instructions or tables of attack sets, on any board.
//!
//! Obstruction difference, Michael Hoffmann: <https://www.chessprogramming.org/Obstruction_Difference>.
//! `upper - nearest_below` borrows through all empty squares between the two nearest blockers, so the
//! difference marks exactly these squares and the blockers.
#![cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]

use super::{Board, line};
use crate::geometry::Bits;
use crate::types::{Bitboard, Square};

#[inline(always)]
fn slide<G: Board>(square: Square<G>, line: Bitboard<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    let top = 8 * size_of::<G::Bits>() as u32 - 1;
    let own = square.bitboard();
    let below = own.raw().minus(G::Bits::ONE);
    let lower = line.raw() & below & occupied.raw();
    let upper = (line - own).raw() & !below & occupied.raw();
    let nearest_below = (G::Bits::ONE << top) >> (lower | G::Bits::ONE).leading();
    (line - own) & Bitboard::from_raw((upper ^ upper.minus(nearest_below)) & G::FULL)
}

/// The squares a rook attacks.
#[inline]
pub(super) fn rook<G: Board>(square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    slide(square, Bitboard::rank(square.rank()), occupied)
        | slide(square, Bitboard::file(square.file()), occupied)
}

/// The squares a bishop attacks.
#[inline]
pub(super) fn bishop<G: Board>(square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    let diagonal = |step: i32| {
        // Either neighbour on the diagonal, if one exists, determines the line.
        let near = |dr: i32| {
            let file = u8::try_from(square.file() as i32 + step * dr).ok()?;
            let rank = u8::try_from(square.rank() as i32 + dr).ok()?;
            Square::at(file, rank)
        };
        near(1).or_else(|| near(-1)).map_or(Bitboard::EMPTY, |next| line(square, next))
    };
    slide(square, diagonal(1), occupied) | slide(square, diagonal(-1), occupied)
}
