//! Attack tables of the 8x8 board.
//!
//! Sliding attacks come from shakmaty's 710 KB of fancy magic tables, which are fast on any processor.
//! WebAssembly uses obstruction difference instead, because a page would have to download the tables.

use super::{Board, Tables, build};
use crate::geometry::Board8x8;
use crate::types::{Bitboard, Square};

static TABLES: Tables<Board8x8> = Tables {
    king: build::narrow(build::leaper::<64, 8, 8>(&build::KING_STEPS)),
    knight: build::narrow(build::leaper::<64, 8, 8>(&build::KNIGHT_STEPS)),
    pawn: [
        build::narrow(build::leaper::<64, 8, 8>(&build::WHITE_PAWN_STEPS)),
        build::narrow(build::leaper::<64, 8, 8>(&build::BLACK_PAWN_STEPS)),
    ],
    between: build::narrow_pairs(build::pairs::<64, 8, 8>(false)),
    line: build::narrow_pairs(build::pairs::<64, 8, 8>(true)),
};

impl Board for Board8x8 {
    #[inline(always)]
    fn tables() -> &'static Tables<Self> {
        &TABLES
    }

    #[inline(always)]
    fn bishop_attacks(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        chosen::bishop(square, occupied)
    }

    #[inline(always)]
    fn rook_attacks(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        chosen::rook(square, occupied)
    }
}

#[cfg(target_family = "wasm")]
use super::obstruction as chosen;

#[cfg(not(target_family = "wasm"))]
mod chosen {
    use shakmaty::attacks;

    use super::{Bitboard, Board8x8, Square};

    #[inline(always)]
    pub fn bishop(square: Square<Board8x8>, occupied: Bitboard<Board8x8>) -> Bitboard<Board8x8> {
        from_shakmaty(attacks::bishop_attacks(to_shakmaty(square), occupied.raw().into()))
    }

    #[inline(always)]
    pub fn rook(square: Square<Board8x8>, occupied: Bitboard<Board8x8>) -> Bitboard<Board8x8> {
        from_shakmaty(attacks::rook_attacks(to_shakmaty(square), occupied.raw().into()))
    }

    #[inline(always)]
    fn to_shakmaty(square: Square<Board8x8>) -> shakmaty::Square {
        shakmaty::Square::new(square.index() as u32)
    }

    #[inline(always)]
    fn from_shakmaty(squares: shakmaty::Bitboard) -> Bitboard<Board8x8> {
        Bitboard::from_raw(squares.0)
    }
}
