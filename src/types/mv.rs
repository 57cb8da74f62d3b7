//! Moves in 16 bits, and lists of them.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Role, Square};
use crate::geometry::Board;

/// A move in 16 bits on either board: from (7), to (7), promotion (2).
///
/// The kind of move follows from the position: castling is a king capturing its own rook, en
/// passant a pawn capturing on an empty square, a promotion a pawn reaching the last rank. The
/// promotion bits of any other move are zero. No move goes from a square to itself, so zero is
/// free and `Option<Move>` is as small as `Move`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Makes a move that is not a promotion. `from` and `to` must differ.
    #[inline(always)]
    pub fn new<G: Board>(from: Square<G>, to: Square<G>) -> Move {
        Self::pack(from.index() as u16 | (to.index() as u16) << 7)
    }

    /// Makes a promotion; `role` is one of [`Role::PROMOTIONS`].
    #[inline(always)]
    pub fn promotion<G: Board>(from: Square<G>, to: Square<G>, role: Role) -> Move {
        let code = role as u16 - Role::Knight as u16;
        Self::pack(from.index() as u16 | (to.index() as u16) << 7 | code << 14)
    }

    #[inline(always)]
    fn pack(bits: u16) -> Move {
        // A move from a1 to a1 never occurs; the fallback only avoids a panic path.
        debug_assert!(bits & 0x3fff != 0);
        Move(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }

    /// Decodes a move if both squares are on this board. The move need not be legal.
    #[inline(always)]
    pub fn from_bits<G: Board>(bits: u16) -> Option<Move> {
        let from = (bits & 127) as usize;
        let to = (bits >> 7 & 127) as usize;
        let is_on_board = from < G::SQUARES && to < G::SQUARES && from != to;
        NonZeroU16::new(bits).filter(|_| is_on_board).map(Move)
    }

    /// Restores a move from its [`Move::bits`], without checking the squares.
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The encoded move; never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The origin square.
    #[inline(always)]
    pub fn from<G: Board>(self) -> Square<G> {
        Square::of_index((self.0.get() & 127) as u32)
    }

    /// The target square; for castling, the square of the rook.
    #[inline(always)]
    pub fn to<G: Board>(self) -> Square<G> {
        Square::of_index((self.0.get() >> 7 & 127) as u32)
    }

    /// The role that the pawn promotes to. Meaningless (a knight) unless the move is a promotion.
    #[inline(always)]
    pub fn promoted(self) -> Role {
        match self.0.get() >> 14 {
            0 => Role::Knight,
            1 => Role::Bishop,
            2 => Role::Rook,
            _ => Role::Queen,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (from, to) = (self.0.get() & 127, self.0.get() >> 7 & 127);
        write!(f, "Move({from}->{to}/{})", self.0.get() >> 14)
    }
}

/// A list with room for the moves of any position.
///
/// A side has at most 16 pieces. On 10x10 a queen has at most 35 moves, so fifteen queens and a king
/// have at most 533; on 8x8 the same bound is 413. (The most in any position that can arise in a
/// game is far lower: 218 on 8x8.)
pub type MoveList = ArrayVec<Move, 544>;
