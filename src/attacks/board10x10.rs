//! Attack tables of the 10x10 board.
//!
//! A line can cross both halves of the `u128`, so PEXT takes two instructions for each line. One index for
//! both lines of a slider would need megabytes of tables, so each line has its own index: PEXT of its
//! inner squares, into a table of attack sets for that square and line (608 KB). Ten-bit attack sets shared
//! by all lines, expanded with PDEP, need only 5 KB but were slower: 0.72 to 0.85 million nodes/s in
//! `bench` instead of 0.90 to 1.00.

use super::{Board, Tables, build};
use crate::geometry::Board10x10;
use crate::types::{Bitboard, Square};

static TABLES: Tables<Board10x10> = Tables {
    king: build::leaper::<128, 10, 10>(&build::KING_STEPS),
    knight: build::leaper::<128, 10, 10>(&build::KNIGHT_STEPS),
    pawn: [
        build::leaper::<128, 10, 10>(&build::WHITE_PAWN_STEPS),
        build::leaper::<128, 10, 10>(&build::BLACK_PAWN_STEPS),
    ],
    between: build::pairs::<128, 10, 10>(false),
    line: build::pairs::<128, 10, 10>(true),
};

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use tables as chosen;

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use super::obstruction as chosen;

impl Board for Board10x10 {
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

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use super::bmi2::pext;

/// One of the four lines through a square: the PEXT masks of both halves, and its part of the table.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[derive(Clone, Copy)]
struct Line {
    low: u64,
    high: u64,
    /// The number of squares in the low half.
    low_count: u32,
    /// The index of the line's first attack set in the table.
    offset: u32,
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
impl Line {
    const fn new(squares: u128, offset: u32) -> Line {
        let low = squares as u64;
        Line { low, high: (squares >> 64) as u64, low_count: low.count_ones(), offset }
    }

    /// Packs the bits of the line's squares.
    #[inline(always)]
    fn gather(&self, bits: u128) -> usize {
        let low = pext(bits as u64, self.low);
        let high = pext((bits >> 64) as u64, self.high);
        (low | high << self.low_count) as usize
    }
}

/// Attack sets for every square, line and occupancy of the line's inner squares.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub mod tables {
    use super::build::{LINES, line_of, slide};
    use super::{Bitboard, Board10x10, Line, Square};

    /// The number of occupancies of the inner squares of all lines through all squares.
    const SETS: usize = count();

    /// The inner squares of a line: without the square itself and the two ends, which block nothing.
    const fn inner(square: i32, step: (i32, i32)) -> u128 {
        let line = line_of::<10, 10>(square, step) | 1 << square;
        let ends = 1 << line.trailing_zeros() | (1u128 << 127) >> line.leading_zeros();
        line & !(ends | 1 << square)
    }

    const fn count() -> usize {
        let (mut sets, mut i) = (0, 0);
        while i < 400 {
            sets += 1 << inner(i / 4, LINES[(i % 4) as usize]).count_ones();
            i += 1;
        }
        sets
    }

    const fn lines() -> [[Line; 4]; 128] {
        let mut lines = [[Line::new(0, 0); 4]; 128];
        let (mut offset, mut i) = (0, 0);
        while i < 400 {
            let squares = inner(i / 4, LINES[(i % 4) as usize]);
            lines[(i / 4) as usize][(i % 4) as usize] = Line::new(squares, offset);
            offset += 1 << squares.count_ones();
            i += 1;
        }
        lines
    }

    const fn attacks() -> [u128; SETS] {
        let mut table = [0; SETS];
        let (mut index, mut i) = (0, 0);
        while i < 400 {
            let step = LINES[(i % 4) as usize];
            let mask = inner(i / 4, step);
            let line = line_of::<10, 10>(i / 4, step);
            let mut subset = 0u128;
            loop {
                table[index] = slide(i / 4, line, subset);
                index += 1;
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
            i += 1;
        }
        table
    }

    static LINES_OF: [[Line; 4]; 128] = lines();
    static ATTACKS: [u128; SETS] = attacks();

    #[inline(always)]
    fn along(line: &Line, occupied: Bitboard<Board10x10>) -> u128 {
        ATTACKS[line.offset as usize + line.gather(occupied.raw())]
    }

    /// The squares a rook attacks.
    #[inline(always)]
    pub fn rook(
        square: Square<Board10x10>,
        occupied: Bitboard<Board10x10>,
    ) -> Bitboard<Board10x10> {
        let lines = &LINES_OF[square.index()];
        Bitboard::from_raw(along(&lines[0], occupied) | along(&lines[1], occupied))
    }

    /// The squares a bishop attacks.
    #[inline(always)]
    pub fn bishop(
        square: Square<Board10x10>,
        occupied: Bitboard<Board10x10>,
    ) -> Bitboard<Board10x10> {
        let lines = &LINES_OF[square.index()];
        Bitboard::from_raw(along(&lines[2], occupied) | along(&lines[3], occupied))
    }

    /// The squares a queen attacks.
    #[inline(always)]
    pub fn queen(
        square: Square<Board10x10>,
        occupied: Bitboard<Board10x10>,
    ) -> Bitboard<Board10x10> {
        rook(square, occupied) | bishop(square, occupied)
    }
}
