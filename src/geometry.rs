//! The shape of a board: how many squares, which bits, where the pieces start and promote.
//!
//! Everything that differs between the 8x8 board and the 10x10 board of International Fischer
//! Random Chess and that is *not* an attack table stands here, as constants of the [`Geometry`]
//! trait. Code below this file is generic over it, so the compiler makes one specialised copy of
//! the engine for each board; no rank or file number is written as a literal elsewhere.

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
    /// How many bits are set.
    fn count(self) -> u32;
    /// Index of the lowest set bit; the width of the type if there is none.
    fn lowest(self) -> u32;
    /// Index of the highest set bit, plus the number of leading zeros the other way: see
    /// [`u64::leading_zeros`].
    fn leading(self) -> u32;
    /// Subtraction modulo the width.
    fn minus(self, other: Self) -> Self;
    /// The value as the widest bits there are.
    fn widen(self) -> u128;
    /// The low bits of a wide value.
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

/// What a [`Geometry::PerSquare`] may hold: plain values that threads can share.
pub trait Element: Copy + Send + Sync + 'static {}

impl<T: Copy + Send + Sync + 'static> Element for T {}

/// How many boards there are: the length of what is kept for each, by [`Geometry::INDEX`].
pub const BOARDS: usize = 2;

/// The size of a board and the ranks and files with a meaning of their own.
///
/// Ranks and files count from 0. Functions of a colour take it as an index, 0 for White and 1
/// for Black, because colours are defined below this file.
pub trait Geometry:
    Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + Sized + 'static
{
    /// One bit for each square, a1 lowest, rank by rank.
    type Bits: Bits;
    /// An array with an element for each square; longer than the board where that makes the
    /// index mask a power of two, so that indexing needs neither a bounds check nor `unsafe`.
    type PerSquare<T: Element>: Element + Index<usize, Output = T> + IndexMut<usize> + AsRef<[T]>;

    /// The number of the board, below [`BOARDS`].
    const INDEX: usize;
    /// How people call the board.
    const NAME: &'static str;
    /// Files on the board; also the distance in bits between two ranks.
    const FILES: u8;
    /// Ranks on the board.
    const RANKS: u8;
    /// Squares on the board.
    const SQUARES: usize = Self::FILES as usize * Self::RANKS as usize;
    /// `PerSquare` has this many elements, less one.
    const INDEX_MASK: usize;
    /// One bit for each square that exists.
    const FULL: Self::Bits;
    /// The rank on which the pieces start and kings castle, by colour.
    const HOME_RANK: [u8; 2];
    /// The rank from which a pawn may step twice, by colour.
    const PAWN_RANK: [u8; 2];
    /// The rank on which a pawn promotes, by colour.
    const PROMOTION_RANK: [u8; 2];
    /// The leftmost file of the eight on which pieces start.
    const FIRST_START_FILE: u8;
    /// Where the king goes when it castles: long (towards the a-file), then short.
    const CASTLED_KING_FILE: [u8; 2];
    /// Where the rook goes when the king castles with it: long, then short.
    const CASTLED_ROOK_FILE: [u8; 2];
    /// Whether there are tablebases for the board.
    const HAS_TABLEBASES: bool;

    /// A `PerSquare` of equal elements.
    fn filled<T: Element>(value: T) -> Self::PerSquare<T>;
}

/// The board of chess: 64 squares in a `u64`.
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
/// The eight pieces start on b..i of the second rank and the pawns before them, so that there is
/// a free rank behind each army and a free file on each flank.
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
