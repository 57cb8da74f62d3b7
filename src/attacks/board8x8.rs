//! Attack tables of the 8x8 board.
//!
//! With BMI2, the squares on which a piece could block a slider are gathered by PEXT into an
//! index into the table of attack sets of that slider's square: 107,648 sets, 841 KB, of which a
//! game touches a small part. AMD processors before Zen 3 execute PEXT slowly; for those the
//! x86-64-v2 build, which does without, is the faster one.

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

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn bishop_attacks(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        pext::lookup(&pext::BISHOP, &pext::BISHOP_ATTACKS, square, occupied)
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn rook_attacks(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        pext::lookup(&pext::ROOK, &pext::ROOK_ATTACKS, square, occupied)
    }

    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    #[inline]
    fn bishop_attacks(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        super::obstruction::bishop(square, occupied)
    }

    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    #[inline]
    fn rook_attacks(square: Square<Self>, occupied: Bitboard<Self>) -> Bitboard<Self> {
        super::obstruction::rook(square, occupied)
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod pext {
    use super::super::bmi2::pext;
    use super::build::{LINES, line_of, slide};
    use super::{Bitboard, Board8x8, Square};

    /// Where in the attack table the sets of one square begin, and what selects among them.
    #[derive(Clone, Copy)]
    pub struct Slot {
        /// The squares whose occupancy matters: the lines without the edge behind the last square.
        mask: u64,
        offset: u32,
    }

    const fn lines(square: i32, diagonal: bool) -> (u128, u128) {
        let first = if diagonal { 2 } else { 0 };
        (line_of::<8, 8>(square, LINES[first]), line_of::<8, 8>(square, LINES[first + 1]))
    }

    const fn slots(diagonal: bool) -> [Slot; 64] {
        const RANKS: u64 = 0xff00_0000_0000_00ff;
        const FILES: u64 = 0x8181_8181_8181_8181;
        let mut slots = [Slot { mask: 0, offset: 0 }; 64];
        let mut offset = 0;
        let mut square = 0;
        while square < 64 {
            let (first, second) = lines(square, diagonal);
            let mask = if diagonal {
                (first | second) as u64 & !(RANKS | FILES)
            } else {
                first as u64 & !FILES | second as u64 & !RANKS
            };
            slots[square as usize] = Slot { mask, offset };
            offset += 1 << mask.count_ones();
            square += 1;
        }
        slots
    }

    const fn attacks<const N: usize>(slots: &[Slot; 64], diagonal: bool) -> [u64; N] {
        let mut table = [0; N];
        let mut square = 0;
        while square < 64 {
            let Slot { mask, offset } = slots[square as usize];
            let (first, second) = lines(square, diagonal);
            let mut index = offset as usize;
            let mut subset = 0u64;
            loop {
                // Carry-rippler: visits the subsets of the mask in the order of their PEXT.
                let occupied = subset as u128;
                table[index] =
                    (slide(square, first, occupied) | slide(square, second, occupied)) as u64;
                index += 1;
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
            square += 1;
        }
        table
    }

    pub static BISHOP: [Slot; 64] = slots(true);
    pub static ROOK: [Slot; 64] = slots(false);
    pub static BISHOP_ATTACKS: [u64; 5_248] = attacks(&slots(true), true);
    pub static ROOK_ATTACKS: [u64; 102_400] = attacks(&slots(false), false);

    #[inline(always)]
    pub fn lookup<const N: usize>(
        slots: &'static [Slot; 64],
        attacks: &'static [u64; N],
        square: Square<Board8x8>,
        occupied: Bitboard<Board8x8>,
    ) -> Bitboard<Board8x8> {
        let slot = &slots[square.index()];
        let index = slot.offset as usize + pext(occupied.raw(), slot.mask) as usize;
        Bitboard::from_raw(attacks[index])
    }
}
