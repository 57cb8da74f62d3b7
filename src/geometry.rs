//! The shape of a board: its size, its bit type, and where pieces start and promote.
//!
//! The [`Geometry`] trait holds every difference between the 8x8 board and the 10x10 board of
//! International Fischer Random Chess, except for the attack tables. All other modules are generic over
//! it, so the compiler makes one specialised copy of the engine for each board. They contain no
//! literal rank or file numbers.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not, Shl, Shr,
};

/// An unsigned integer wide enough to hold one bit for each square of a board.
pub trait Bits:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// No bit set.
    const ZERO: Self;
    /// Only the lowest bit set.
    const ONE: Self;
    /// The number of set bits.
    fn count(self) -> u32;
    /// The index of the lowest set bit, or the width of the type if there is none.
    fn lowest(self) -> u32;
    /// The number of leading zeros.
    fn leading(self) -> u32;
    /// Wrapping subtraction.
    fn minus(self, other: Self) -> Self;
    /// Converts to the widest bit type.
    fn widen(self) -> u128;
    /// Truncates a wide value.
    fn narrow(wide: u128) -> Self;
}

macro_rules! impl_bits {
    ($t:ty) => {
        impl Bits for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline(always)]
            fn leading(self) -> u32 {
                self.leading_zeros()
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn widen(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn narrow(wide: u128) -> Self {
                wide as $t
            }
        }
    };
}

impl_bits!(u64);
impl_bits!(u128);

/// An element of a [`Geometry::PerSquare`]: a plain value that threads can share.
pub trait Element: Copy + Send + Sync + 'static {}

impl<T: Copy + Send + Sync + 'static> Element for T {}

/// The number of boards: the length of arrays indexed by [`Geometry::INDEX`].
pub const BOARDS: usize = 2;

/// The size of a board and its special ranks and files.
///
/// Ranks and files count from 0. Arrays by colour have White at index 0 and Black at index 1.
pub trait Geometry:
    Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + Sized + 'static
{
    /// An integer with one bit for each square, a1 lowest, rank by rank.
    type Bits: Bits;
    /// An array with an element for each square, padded to a power of two so that indexing with a
    /// masked index needs neither a bounds check nor `unsafe`.
    type PerSquare<T: Element>: Element + Index<usize, Output = T> + IndexMut<usize> + AsRef<[T]>;

    /// The number of the board, below [`BOARDS`].
    const INDEX: usize;
    /// The name of the board.
    const NAME: &'static str;
    /// The number of files; also the distance in bits between two ranks.
    const FILES: u8;
    /// The number of ranks.
    const RANKS: u8;
    /// The number of squares.
    const SQUARES: usize = Self::FILES as usize * Self::RANKS as usize;
    /// The length of a `PerSquare`, minus one.
    const INDEX_MASK: usize;
    /// The set of all squares.
    const FULL: Self::Bits;
    /// The rank on which the pieces start and kings castle, by colour.
    const HOME_RANK: [u8; 2];
    /// The rank on which pawns start and from which they may take a double step, by colour.
    const PAWN_RANK: [u8; 2];
    /// The rank on which a pawn promotes, by colour.
    const PROMOTION_RANK: [u8; 2];
    /// The first of the eight files on which pieces start.
    const FIRST_START_FILE: u8;
    /// The king's file after castling: long (towards the a-file), then short.
    const CASTLED_KING_FILE: [u8; 2];
    /// The rook's file after castling: long, then short.
    const CASTLED_ROOK_FILE: [u8; 2];
    /// Whether tablebases exist for the board.
    const HAS_TABLEBASES: bool;

    /// Makes a `PerSquare` with equal elements.
    fn filled<T: Element>(value: T) -> Self::PerSquare<T>;
}

/// The standard board: 64 squares in a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board8x8;

impl Geometry for Board8x8 {
    type Bits = u64;
    type PerSquare<T: Element> = [T; 64];

    const INDEX: usize = 0;
    const NAME: &'static str = "8x8";
    const FILES: u8 = 8;
    const RANKS: u8 = 8;
    const INDEX_MASK: usize = 63;
    const FULL: u64 = u64::MAX;
    const HOME_RANK: [u8; 2] = [0, 7];
    const PAWN_RANK: [u8; 2] = [1, 6];
    const PROMOTION_RANK: [u8; 2] = [7, 0];
    const FIRST_START_FILE: u8 = 0;
    const CASTLED_KING_FILE: [u8; 2] = [2, 6];
    const CASTLED_ROOK_FILE: [u8; 2] = [3, 5];
    const HAS_TABLEBASES: bool = true;

    #[inline(always)]
    fn filled<T: Element>(value: T) -> [T; 64] {
        [value; 64]
    }
}

/// The board of International Fischer Random Chess: 100 squares in a `u128`.
///
/// The eight pieces start on files b to i of the second rank with the pawns in front of them, which leaves
/// an empty rank behind each side and an empty file on each flank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board10x10;

impl Geometry for Board10x10 {
    type Bits = u128;
    type PerSquare<T: Element> = [T; 128];

    const INDEX: usize = 1;
    const NAME: &'static str = "10x10";
    const FILES: u8 = 10;
    const RANKS: u8 = 10;
    const INDEX_MASK: usize = 127;
    const FULL: u128 = (1 << 100) - 1;
    const HOME_RANK: [u8; 2] = [1, 8];
    const PAWN_RANK: [u8; 2] = [2, 7];
    const PROMOTION_RANK: [u8; 2] = [9, 0];
    const FIRST_START_FILE: u8 = 1;
    const CASTLED_KING_FILE: [u8; 2] = [3, 7];
    const CASTLED_ROOK_FILE: [u8; 2] = [4, 6];
    const HAS_TABLEBASES: bool = false;

    #[inline(always)]
    fn filled<T: Element>(value: T) -> [T; 128] {
        [value; 128]
    }
}
