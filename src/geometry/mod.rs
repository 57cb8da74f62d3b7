//! The boards: their size, their bit type, where pieces start and promote, and their attack tables.
//!
//! The [`Board`] trait contains every difference between the 8x8 board and the 10x10 board of
//! International Fischer Random Chess. All other modules are generic over this trait and contain no literal
//! rank or file numbers. The compiler makes a specialised copy of the engine for each board.
//!
//! All tables are computed at compile time. At run time nothing has to be initialised or locked, and a lookup
//! is a load from a static array.
//!
//! Sliding attacks on 8x8 come from shakmaty's fancy magic tables (710 KB), which are fast on any processor.
//! WebAssembly uses obstruction difference instead, because a page would have to download the tables. Sliding
//! attacks on 10x10 use PEXT lookups if the target has BMI2, and obstruction difference otherwise.
//! `sliders10x10` explains the PEXT tables.
//!
//! | file | contents |
//! | --- | --- |
//! | `attack_tables` | computes attack tables at compile time |
//! | `sliders10x10` | sliding attacks on 10x10 with BMI2 |

mod attack_tables;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub mod sliders10x10;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Index, IndexMut, Not, Shl, Shr};

/// The number of boards, which is the length of arrays indexed by [`Board::INDEX`].
pub const BOARDS: usize = 2;

/// The attack tables of a board that do not depend on the occupancy.
pub struct Tables<G: Board> {
    pub(crate) king: G::PerSquare<G::Bits>,
    pub(crate) knight: G::PerSquare<G::Bits>,
    /// The squares that a pawn attacks, indexed by the colour and the square of the pawn.
    pub(crate) pawn: [G::PerSquare<G::Bits>; 2],
    /// The squares strictly between two squares. Empty if the two squares do not share a rank, file or
    /// diagonal.
    pub(crate) between: G::PerSquare<G::PerSquare<G::Bits>>,
    /// The whole rank, file or diagonal through two squares, from edge to edge. Empty if the two squares
    /// share none.
    pub(crate) line: G::PerSquare<G::PerSquare<G::Bits>>,
    /// The rank, file, diagonal and antidiagonal through a square, without the square itself.
    lines: [G::PerSquare<G::Bits>; 4],
}

/// A chessboard. Ranks and files count from 0. Arrays indexed by colour have White at index 0 and Black at
/// index 1.
///
/// The functions take and return raw integers. [`crate::types`] and [`crate::attacks`] wrap these integers as
/// squares and sets of squares.
pub trait Board: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// An unsigned integer with one bit for each square, rank by rank. The lowest bit is a1.
    type Bits: Copy
        + Ord
        + Hash
        + Debug
        + Default
        + Send
        + Sync
        + From<u8>
        + Into<u128>
        + TryFrom<u128>
        + Not<Output = Self::Bits>
        + BitAnd<Output = Self::Bits>
        + BitOr<Output = Self::Bits>
        + BitXor<Output = Self::Bits>
        + Shl<u32, Output = Self::Bits>
        + Shr<u32, Output = Self::Bits>;
    /// An array with an element for each square. The length is padded to a power of two, so that indexing
    /// with a masked index needs neither a bounds check nor `unsafe`.
    type PerSquare<T: Copy + Send + Sync>: Copy
        + Send
        + Sync
        + Index<usize, Output = T>
        + IndexMut<usize>;

    /// The index of the board, which is less than [`BOARDS`].
    const INDEX: usize;
    /// The name of the board.
    const NAME: &'static str;
    /// The number of files, which is also the distance in bits between neighbouring ranks.
    const FILES: u8;
    /// The number of ranks.
    const RANKS: u8 = Self::FILES;
    /// The number of squares.
    const SQUARES: usize = Self::FILES as usize * Self::RANKS as usize;
    /// The length of a `PerSquare` minus one. A bitwise AND with this mask keeps an index within a
    /// `PerSquare`.
    const INDEX_MASK: usize = 8 * size_of::<Self::Bits>() - 1;
    /// The empty set.
    const EMPTY: Self::Bits;
    /// The set of all squares.
    const FULL: Self::Bits;
    /// The number of empty files on each flank, and of empty ranks behind each side, in a starting position.
    const MARGIN: u8 = (Self::FILES - 8) / 2;
    /// The rank of each colour on which pieces start and the king castles.
    const HOME_RANK: [u8; 2] = [Self::MARGIN, Self::RANKS - 1 - Self::MARGIN];
    /// The rank of each colour on which pawns start and from which pawns may move two squares.
    const PAWN_RANK: [u8; 2] = [Self::MARGIN + 1, Self::RANKS - 2 - Self::MARGIN];
    /// The rank of each colour on which a pawn promotes.
    const PROMOTION_RANK: [u8; 2] = [Self::RANKS - 1, 0];
    /// The first of the eight files on which pieces start.
    const FIRST_START_FILE: u8 = Self::MARGIN;
    /// The king's file after castling towards the a-file, and after castling towards the other side.
    const CASTLED_KING_FILE: [u8; 2] = [Self::MARGIN + 2, Self::MARGIN + 6];
    /// The rook's file after castling towards the a-file, and after castling towards the other side.
    const CASTLED_ROOK_FILE: [u8; 2] = [Self::MARGIN + 3, Self::MARGIN + 5];
    /// Whether Syzygy tablebases exist for the board.
    const HAS_TABLEBASES: bool = Self::FILES == 8;

    /// Returns a `PerSquare` in which every element is `value`.
    fn filled<T: Copy + Send + Sync>(value: T) -> Self::PerSquare<T>;
    /// Returns the number of set bits.
    fn count(bits: Self::Bits) -> u32;
    /// Returns the index of the lowest set bit, or the width of the type if no bit is set.
    fn lowest(bits: Self::Bits) -> u32;
    /// Clears the lowest set bit, if any bit is set.
    fn without_lowest(bits: Self::Bits) -> Self::Bits;
    /// Returns the attack tables that do not depend on the occupancy.
    fn tables() -> &'static Tables<Self>;
    /// Returns the squares that a slider attacks along one line: all squares up to and including the nearest
    /// occupied square on each side. `line` must not contain the slider's own square.
    fn slide(square: usize, line: Self::Bits, occupied: Self::Bits) -> Self::Bits;

    /// Returns the squares that a rook attacks, up to and including the first piece in each direction.
    #[inline(always)]
    fn rook(square: usize, occupied: Self::Bits) -> Self::Bits {
        obstructed::<Self>([0, 1], square, occupied)
    }

    /// Returns the squares that a bishop attacks, up to and including the first piece in each direction.
    #[inline(always)]
    fn bishop(square: usize, occupied: Self::Bits) -> Self::Bits {
        obstructed::<Self>([2, 3], square, occupied)
    }
}

/// Returns the attacks along two of the [lines](Tables::lines) through a square. Uses neither special
/// processor instructions nor tables of sliding attacks.
#[inline]
pub(crate) fn obstructed<G: Board>(lines: [usize; 2], square: usize, occupied: G::Bits) -> G::Bits {
    let [a, b] = lines.map(|line| G::slide(square, G::tables().lines[line][square], occupied));
    a | b
}

/// The standard board: 64 squares in a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board8x8;

/// The board of International Fischer Random Chess: 100 squares in a `u128`.
///
/// The eight pieces start on files b to i of each side's second rank, with the pawns in front of them. One
/// rank behind each side and one file on each flank are empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board10x10;

/// Implements [`Board`] for a square board. The block in braces may override the sliding attacks of the
/// trait.
macro_rules! impl_board {
    ($board:ident: $index:literal, $size:literal, $bits:ident { $($sliders:item)* }) => {
        impl $board {
            /// Computes the attacks along a line by obstruction difference, a method of Michael Hoffmann:
            /// <https://www.chessprogramming.org/Obstruction_Difference>. Subtracting `nearest_below` from
            /// `upper` borrows through all squares between the two nearest blockers. The bits that change are
            /// therefore the blockers and the empty squares between them.
            #[inline(always)]
            const fn slide(square: usize, line: $bits, occupied: $bits) -> $bits {
                let below = (1 << square) - 1;
                let lower = line & below & occupied;
                let upper = line & !below & occupied;
                let nearest_below = (1 << ($bits::BITS - 1)) >> (lower | 1).leading_zeros();
                line & (upper ^ upper.wrapping_sub(nearest_below))
            }

            /// Converts tables of `u128` to the integer type of the board.
            const fn narrow<const M: usize, const N: usize>(wide: [[u128; N]; M]) -> [[$bits; N]; M] {
                let mut table = [[0; N]; M];
                let mut i = 0;
                while i < M * N {
                    table[i / N][i % N] = wide[i / N][i % N] as $bits;
                    i += 1;
                }
                table
            }
        }

        impl Board for $board {
            type Bits = $bits;
            type PerSquare<T: Copy + Send + Sync> = [T; $bits::BITS as usize];

            const INDEX: usize = $index;
            const NAME: &'static str = concat!($size, "x", $size);
            const FILES: u8 = $size;
            const EMPTY: $bits = 0;
            const FULL: $bits = $bits::MAX >> ($bits::BITS - $size * $size);

            #[inline(always)]
            fn filled<T: Copy + Send + Sync>(value: T) -> Self::PerSquare<T> {
                [value; $bits::BITS as usize]
            }

            #[inline(always)]
            fn count(bits: $bits) -> u32 {
                bits.count_ones()
            }

            #[inline(always)]
            fn lowest(bits: $bits) -> u32 {
                bits.trailing_zeros()
            }

            #[inline(always)]
            fn without_lowest(bits: $bits) -> $bits {
                bits & bits.wrapping_sub(1)
            }

            #[inline(always)]
            fn slide(square: usize, line: $bits, occupied: $bits) -> $bits {
                $board::slide(square, line, occupied)
            }

            #[inline(always)]
            fn tables() -> &'static Tables<Self> {
                static TABLES: Tables<$board> = {
                    let [king, knight, white_pawn, black_pawn] =
                        $board::narrow(attack_tables::leapers::<_, $size>());
                    Tables {
                        king,
                        knight,
                        pawn: [white_pawn, black_pawn],
                        between: $board::narrow(attack_tables::pairs::<_, $size>(false)),
                        line: $board::narrow(attack_tables::pairs::<_, $size>(true)),
                        lines: $board::narrow(attack_tables::lines::<_, $size>()),
                    }
                };
                &TABLES
            }

            $($sliders)*
        }
    };
}

impl_board!(Board8x8: 0, 8, u64 {
    #[cfg(not(target_family = "wasm"))]
    #[inline(always)]
    fn rook(square: usize, occupied: u64) -> u64 {
        shakmaty::attacks::rook_attacks(shakmaty::Square::new(square as u32), occupied.into()).0
    }

    #[cfg(not(target_family = "wasm"))]
    #[inline(always)]
    fn bishop(square: usize, occupied: u64) -> u64 {
        shakmaty::attacks::bishop_attacks(shakmaty::Square::new(square as u32), occupied.into()).0
    }
});

impl_board!(Board10x10: 1, 10, u128 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn rook(square: usize, occupied: u128) -> u128 {
        sliders10x10::rook(square, occupied)
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn bishop(square: usize, occupied: u128) -> u128 {
        sliders10x10::bishop(square, occupied)
    }
});
