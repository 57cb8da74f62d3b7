//! The random numbers of Zobrist hash keys (Zobrist, 1970).
//!
//! Both boards share one table with rows of 128 squares.

use crate::geometry::Board;
use crate::random::Rng;
use crate::types::{Piece, Square};

struct Numbers {
    pieces: [[u64; 128]; Piece::COUNT],
    rights: [u64; 128],
    en_passant_file: [u64; 16],
    black_to_move: u64,
}

const fn fill<const N: usize>(rng: &mut Rng) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = rng.next_u64();
        i += 1;
    }
    numbers
}

const fn numbers() -> Numbers {
    let mut pieces = [[0; 128]; Piece::COUNT];
    let mut rng = Rng::new(0x616c_6561_746f_7221);
    let mut i = 0;
    while i < Piece::COUNT {
        pieces[i] = fill(&mut rng);
        i += 1;
    }
    Numbers {
        pieces,
        rights: fill(&mut rng),
        en_passant_file: fill(&mut rng),
        black_to_move: rng.next_u64(),
    }
}

static NUMBERS: Numbers = numbers();

/// Returns the random number of a piece on a square.
#[inline(always)]
pub(super) fn piece<G: Board>(piece: Piece, square: Square<G>) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// Returns the random number of an unmoved rook or king on this square that still has its right.
#[inline(always)]
pub(super) fn right<G: Board>(square: Square<G>) -> u64 {
    NUMBERS.rights[square.index()]
}

/// Returns the random number of a legal en passant capture on this square.
#[inline(always)]
pub(super) fn en_passant<G: Board>(square: Square<G>) -> u64 {
    NUMBERS.en_passant_file[square.file() as usize & 15]
}

/// Returns the random number that is part of the key if Black is to move.
#[inline(always)]
pub(super) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}
