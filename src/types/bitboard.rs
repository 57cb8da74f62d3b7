//! Bitboards: sets of squares as bits of an integer.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::{Color, Square};
use crate::geometry::Board;

/// A set of squares.
///
/// Bits that belong to no square are never set. The complement contains only squares of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard<G: Board>(G::Bits);

impl<G: Board> Bitboard<G> {
    /// The empty set.
    pub const EMPTY: Self = Bitboard(G::EMPTY);
    /// The set of all squares.
    pub const FULL: Self = Bitboard(G::FULL);

    /// Creates a set from raw bits. Every set bit must belong to a square.
    #[inline(always)]
    pub(crate) fn from_raw(bits: G::Bits) -> Self {
        debug_assert!(bits & !G::FULL == G::EMPTY);
        Bitboard(bits)
    }

    /// Returns the raw bits. The lowest bit is a1.
    #[inline(always)]
    pub fn raw(self) -> G::Bits {
        self.0
    }

    /// Returns the squares of a file. Files count from 0.
    #[inline(always)]
    pub fn file(file: u8) -> Self {
        // The compiler evaluates this loop at compile time.
        let first = (0..G::RANKS).map(|rank| Square::on(0, rank)).collect::<Self>();
        Bitboard(first.0 << u32::from(file))
    }

    /// Returns the squares of a rank. Ranks count from 0.
    #[inline(always)]
    pub fn rank(rank: u8) -> Self {
        let first = G::FULL >> (G::SQUARES as u32 - u32::from(G::FILES));
        Bitboard(first << (u32::from(rank) * u32::from(G::FILES)))
    }

    /// Returns the light squares.
    pub fn light() -> Self {
        Square::all().filter(|square| square.is_light()).collect()
    }

    /// Returns whether the set contains no square.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == G::EMPTY
    }

    /// Returns whether the set contains at least one square.
    #[inline(always)]
    pub fn any(self) -> bool {
        !self.is_empty()
    }

    /// Returns whether the set contains more than one square.
    #[inline(always)]
    pub fn many(self) -> bool {
        G::without_lowest(self.0) != G::EMPTY
    }

    /// Returns the number of squares in the set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        G::count(self.0)
    }

    /// Returns whether the set contains a square.
    #[inline(always)]
    pub fn contains(self, square: Square<G>) -> bool {
        (self & square.bitboard()).any()
    }

    /// Returns the square with the lowest index, or `None` if the set is empty.
    #[inline(always)]
    pub fn first(self) -> Option<Square<G>> {
        self.any().then(|| Square::of_index(G::lowest(self.0)))
    }

    /// Returns the square with the highest index, or `None` if the set is empty.
    pub fn last(self) -> Option<Square<G>> {
        self.into_iter().last()
    }

    /// Shifts the set one rank forward from `color`'s point of view. Squares that would leave the board are
    /// dropped.
    #[inline(always)]
    pub fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Bitboard((self.0 << G::FILES as u32) & G::FULL),
            Color::Black => Bitboard(self.0 >> G::FILES as u32),
        }
    }

    /// Shifts the set one file towards the a-file. Squares that would leave the board are dropped.
    #[inline(always)]
    pub fn left(self) -> Self {
        Bitboard((self - Self::file(0)).0 >> 1)
    }

    /// Shifts the set one file away from the a-file. Squares that would leave the board are dropped.
    #[inline(always)]
    pub fn right(self) -> Self {
        Bitboard((self - Self::file(G::FILES - 1)).0 << 1)
    }
}

impl<G: Board> Square<G> {
    /// Returns the set that contains only this square.
    #[inline(always)]
    pub fn bitboard(self) -> Bitboard<G> {
        Bitboard::from_raw(G::Bits::from(1) << self.index() as u32)
    }
}

impl<G: Board> Not for Bitboard<G> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Bitboard(self.0 ^ G::FULL)
    }
}

/// Subtracting two sets returns the squares of the first set that are not in the second set.
impl<G: Board> Sub for Bitboard<G> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Bitboard(self.0 & !other.0)
    }
}

impl<G: Board> SubAssign for Bitboard<G> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

macro_rules! impl_operator {
    ($trait:ident $method:ident, $assign_trait:ident $assign:ident) => {
        impl<G: Board> $trait for Bitboard<G> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Bitboard(self.0.$method(other.0))
            }
        }

        impl<G: Board> $assign_trait for Bitboard<G> {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

impl_operator!(BitAnd bitand, BitAndAssign bitand_assign);
impl_operator!(BitOr bitor, BitOrAssign bitor_assign);
impl_operator!(BitXor bitxor, BitXorAssign bitxor_assign);

impl<G: Board> FromIterator<Square<G>> for Bitboard<G> {
    fn from_iter<I: IntoIterator<Item = Square<G>>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bitboard())
    }
}

impl<G: Board> IntoIterator for Bitboard<G> {
    type Item = Square<G>;
    type IntoIter = Squares<G>;

    #[inline(always)]
    fn into_iter(self) -> Squares<G> {
        Squares(self)
    }
}

/// An iterator over the squares of a [`Bitboard`], beginning with the lowest square.
#[derive(Clone, Copy)]
pub struct Squares<G: Board>(Bitboard<G>);

impl<G: Board> Iterator for Squares<G> {
    type Item = Square<G>;

    #[inline(always)]
    fn next(&mut self) -> Option<Square<G>> {
        let square = self.0.first()?;
        self.0.0 = G::without_lowest(self.0.0);
        Some(square)
    }
}

/// Prints a diagram of the board with the last rank at the top.
impl<G: Board> fmt::Debug for Bitboard<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for rank in (0..G::RANKS).rev() {
            for file in 0..G::FILES {
                let mark = if self.contains(Square::on(file, rank)) { " x" } else { " ." };
                f.write_str(mark)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
