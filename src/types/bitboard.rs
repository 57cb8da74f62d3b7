//! Sets of squares as bits of an integer.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::{Color, Square};
use crate::geometry::Board;

/// A set of squares.
///
/// Bits beyond the board are never set; the complement is taken within the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard<G: Board>(G::Bits);

impl<G: Board> Bitboard<G> {
    /// The empty set.
    pub const EMPTY: Self = Bitboard(G::EMPTY);
    /// Every square.
    pub const FULL: Self = Bitboard(G::FULL);

    /// Makes a set of raw bits, none of which may lie beyond the board.
    #[inline(always)]
    pub(crate) fn from_raw(bits: G::Bits) -> Self {
        debug_assert!(bits & !G::FULL == G::EMPTY);
        Bitboard(bits)
    }

    /// The raw bits, a1 lowest.
    #[inline(always)]
    pub fn raw(self) -> G::Bits {
        self.0
    }

    /// The squares of a file.
    #[inline(always)]
    pub fn file(file: u8) -> Self {
        // The compiler unrolls and folds this.
        let first = (0..G::RANKS).map(|rank| Square::on(0, rank)).collect::<Self>();
        Bitboard(first.0 << u32::from(file))
    }

    /// The squares of a rank.
    #[inline(always)]
    pub fn rank(rank: u8) -> Self {
        let first = G::FULL >> (G::SQUARES as u32 - u32::from(G::FILES));
        Bitboard(first << (u32::from(rank) * u32::from(G::FILES)))
    }

    /// The light squares.
    pub fn light() -> Self {
        Square::all().filter(|square| square.is_light()).collect()
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == G::EMPTY
    }

    /// Whether the set contains any square.
    #[inline(always)]
    pub fn any(self) -> bool {
        !self.is_empty()
    }

    /// Whether the set contains more than one square.
    #[inline(always)]
    pub fn many(self) -> bool {
        G::without_lowest(self.0) != G::EMPTY
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub fn count(self) -> u32 {
        G::count(self.0)
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub fn contains(self, square: Square<G>) -> bool {
        (self & square.bitboard()).any()
    }

    /// The lowest square of the set.
    #[inline(always)]
    pub fn first(self) -> Option<Square<G>> {
        self.any().then(|| Square::of_index(G::lowest(self.0)))
    }

    /// The highest square of the set.
    pub fn last(self) -> Option<Square<G>> {
        self.into_iter().last()
    }

    /// Shifts every square one rank forward from `color`'s point of view, dropping those that
    /// leave the board.
    #[inline(always)]
    pub fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Bitboard((self.0 << G::FILES as u32) & G::FULL),
            Color::Black => Bitboard(self.0 >> G::FILES as u32),
        }
    }

    /// Shifts every square one file towards the a-file, dropping those that leave the board.
    #[inline(always)]
    pub fn left(self) -> Self {
        Bitboard((self - Self::file(0)).0 >> 1)
    }

    /// Shifts every square one file away from the a-file, dropping those that leave the board.
    #[inline(always)]
    pub fn right(self) -> Self {
        Bitboard((self - Self::file(G::FILES - 1)).0 << 1)
    }
}

impl<G: Board> Square<G> {
    /// The set containing only this square.
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

/// Set difference.
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

/// The squares of a [`Bitboard`], lowest first.
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

/// Draws the board, the last rank on top.
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
