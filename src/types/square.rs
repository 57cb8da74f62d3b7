//! Squares, and maps from squares to values.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::Color;
use crate::geometry::Board;

/// A square of a board. The square is stored as its index, `rank * FILES + file`, which is 0 for a1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square<G> {
    index: u8,
    board: PhantomData<G>,
}

impl<G: Board> Square<G> {
    /// Returns the square with an index, or `None` if the index is off the board.
    #[inline(always)]
    pub const fn new(index: usize) -> Option<Self> {
        if index < G::SQUARES { Some(Self::of_index(index as u32)) } else { None }
    }

    /// Returns the square on a file and a rank, which both count from 0, or `None` if the square is off the
    /// board.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < G::FILES && rank < G::RANKS {
            Some(Self::of_index(rank as u32 * G::FILES as u32 + file as u32))
        } else {
            None
        }
    }

    /// Returns the square with an index that must be on the board, such as the index of a set bit of a
    /// bitboard.
    #[inline(always)]
    pub(crate) const fn of_index(index: u32) -> Self {
        debug_assert!((index as usize) < G::SQUARES);
        Square { index: index as u8, board: PhantomData }
    }

    /// Returns the square on a file and a rank, which must both be on the board.
    #[inline(always)]
    pub(crate) const fn on(file: u8, rank: u8) -> Self {
        Self::of_index(rank as u32 * G::FILES as u32 + file as u32)
    }

    /// Returns the index, which is less than `SQUARES`. The index is masked so that the compiler can omit the
    /// bounds check when it indexes a `PerSquare`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.index as usize & G::INDEX_MASK
    }

    /// Returns the file, where 0 is the a-file.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.index % G::FILES
    }

    /// Returns the rank, where 0 is the first rank.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.index / G::FILES
    }

    /// Returns the square at `index + delta`, which must be on the board.
    #[inline(always)]
    pub(crate) const fn offset(self, delta: i8) -> Self {
        Self::of_index((self.index as i32 + delta as i32) as u32)
    }

    /// Returns the square one rank forward from `color`'s point of view, or `None` for a square on `color`'s
    /// last rank.
    #[inline]
    pub fn forward(self, color: Color) -> Option<Self> {
        match color {
            Color::White => Self::new(self.index as usize + G::FILES as usize),
            Color::Black => {
                (self.index as usize).checked_sub(G::FILES as usize).and_then(Self::new)
            }
        }
    }

    /// Returns the vertically mirrored square, which is on the same file and the opposite rank.
    #[inline(always)]
    pub const fn flip(self) -> Self {
        Self::on(self.file(), G::RANKS - 1 - self.rank())
    }

    /// Returns the square from `color`'s point of view, which is unchanged for White and flipped for Black.
    #[inline(always)]
    pub const fn relative(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    /// Returns whether this is a light square. a1 is dark.
    #[inline(always)]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// Returns the number of moves that a king needs to another square on an empty board.
    #[inline(always)]
    pub fn distance(self, other: Self) -> i32 {
        self.file().abs_diff(other.file()).max(self.rank().abs_diff(other.rank())).into()
    }

    /// Returns all squares of the board in order of their index, from a1.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..G::SQUARES as u32).map(Self::of_index)
    }

    /// Parses a square such as `e4` or `j10`.
    pub fn parse(text: &str) -> Option<Self> {
        let (square, rest) = Self::parse_prefix(text)?;
        rest.is_empty().then_some(square)
    }

    /// Parses the square at the beginning of a text. Returns the square and the rest of the text. If the
    /// board has ten ranks, `a10` is parsed as the square on the tenth rank.
    pub fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        let mut chars = text.chars();
        let letter = chars.next()?;
        let file = (letter as u32).checked_sub('a' as u32)?;
        let rest = chars.as_str();
        let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
        for length in (1..=digits).rev() {
            if rest.starts_with('0') {
                break;
            }
            let rank: u8 = rest[..length].parse().ok()?;
            if let (Ok(file), Some(rank)) = (u8::try_from(file), rank.checked_sub(1))
                && let Some(square) = Self::at(file, rank)
            {
                return Some((square, &rest[length..]));
            }
        }
        None
    }
}

impl<G: Board> fmt::Display for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl<G: Board> fmt::Debug for Square<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A value for each square of a board.
#[derive(Clone, Copy)]
pub struct SquareMap<G: Board, T: Copy + Send + Sync>(G::PerSquare<T>);

impl<G: Board, T: Copy + Send + Sync> SquareMap<G, T> {
    /// Creates a map in which every square has the same value.
    #[inline(always)]
    pub fn filled(value: T) -> Self {
        SquareMap(G::filled(value))
    }

    /// Creates a map in which the value of each square is computed by a function.
    pub fn from_fn(mut value: impl FnMut(Square<G>) -> T) -> Self {
        let mut map = Self::filled(value(Square::of_index(0)));
        for square in Square::all() {
            map[square] = value(square);
        }
        map
    }
}

impl<G: Board, T: Copy + Send + Sync> Index<Square<G>> for SquareMap<G, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, square: Square<G>) -> &T {
        &self.0[square.index()]
    }
}

impl<G: Board, T: Copy + Send + Sync> IndexMut<Square<G>> for SquareMap<G, T> {
    #[inline(always)]
    fn index_mut(&mut self, square: Square<G>) -> &mut T {
        &mut self.0[square.index()]
    }
}
