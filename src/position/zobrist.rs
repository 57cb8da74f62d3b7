//! Random numbers that a position's keys are made of (Zobrist, 1970).
//!
//! Both boards share one table: squares of either index into rows of 128.

use crate::geometry::Geometry;
use crate::types::{Piece, Square};

struct Numbers {
    pieces: [[u64; 128]; Piece::COUNT],
    rights: [u64; 128],
    en_passant_file: [u64; 16],
    black_to_move: u64,
}

/// SplitMix64 (Steele, Lea, Flood 2014): the next state, and the number it stands for.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

const fn fill<const N: usize>(mut state: u64) -> (u64, [u64; N]) {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        (state, numbers[i]) = next(state);
        i += 1;
    }
    (state, numbers)
}

const fn numbers() -> Numbers {
    let mut pieces = [[0; 128]; Piece::COUNT];
    let mut state = 0x616c_6561_746f_7221;
    let mut i = 0;
    while i < Piece::COUNT {
        (state, pieces[i]) = fill(state);
        i += 1;
    }
    let (state, rights) = fill(state);
    let (state, en_passant_file) = fill(state);
    let (_, black_to_move) = next(state);
    Numbers { pieces, rights, en_passant_file, black_to_move }
}

static NUMBERS: Numbers = numbers();

/// A piece on a square.
#[inline(always)]
pub(super) fn piece<G: Geometry>(piece: Piece, square: Square<G>) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// An unmoved rook or king that still has its right.
#[inline(always)]
pub(super) fn right<G: Geometry>(square: Square<G>) -> u64 {
    NUMBERS.rights[square.index()]
}

/// A legal en-passant capture on this square.
#[inline(always)]
pub(super) fn en_passant<G: Geometry>(square: Square<G>) -> u64 {
    NUMBERS.en_passant_file[square.file() as usize & 15]
}

/// Black has the move.
#[inline(always)]
pub(super) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}
