//! Moves encoded in 16 bits, and lists of moves.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Role, Square};
use crate::geometry::Board;

/// A move on either board in 16 bits. The origin takes 7 bits, the target 7 bits and the promotion 2 bits.
///
/// The kind of the move follows from the position. Castling is encoded as a king that captures its own rook.
/// In an en passant capture, a pawn captures on an empty square. In a promotion, a pawn reaches the last
/// rank. The promotion bits of any other move are zero. No move goes from a square to itself, so no move is
/// encoded as zero, and `Option<Move>` is as small as `Move`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Creates a move that is not a promotion. `from` and `to` must differ.
    #[inline(always)]
    pub fn new<G: Board>(from: Square<G>, to: Square<G>) -> Move {
        Self::pack(from.index() as u16 | (to.index() as u16) << 7)
    }

    /// Creates a promotion. `role` must be one of [`Role::PROMOTIONS`].
    #[inline(always)]
    pub fn promotion<G: Board>(from: Square<G>, to: Square<G>, role: Role) -> Move {
        let code = role as u16 - Role::Knight as u16;
        Self::pack(from.index() as u16 | (to.index() as u16) << 7 | code << 14)
    }

    #[inline(always)]
    fn pack(bits: u16) -> Move {
        // Only a move from a1 to a1 would be zero. The fallback for this impossible move avoids a panic path.
        debug_assert!(bits & 0x3fff != 0);
        Move(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }

    /// Decodes a move. Returns `None` unless the move connects two different squares of the board. The move
    /// need not be legal.
    #[inline(always)]
    pub fn from_bits<G: Board>(bits: u16) -> Option<Move> {
        let from = (bits & 127) as usize;
        let to = (bits >> 7 & 127) as usize;
        let is_on_board = from < G::SQUARES && to < G::SQUARES && from != to;
        NonZeroU16::new(bits).filter(|_| is_on_board).map(Move)
    }

    /// Decodes a move from [`Move::bits`] without checking the squares. Returns `None` for zero.
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// Returns the 16 bits of the encoded move, which are never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Returns the origin square.
    #[inline(always)]
    pub fn from<G: Board>(self) -> Square<G> {
        Square::of_index((self.0.get() & 127) as u32)
    }

    /// Returns the target square. For castling, the target is the square of the rook.
    #[inline(always)]
    pub fn to<G: Board>(self) -> Square<G> {
        Square::of_index((self.0.get() >> 7 & 127) as u32)
    }

    /// Returns the role to which a pawn promotes. If the move is not a promotion, the result is meaningless.
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

/// A list with room for all moves of any position.
///
/// A side has at most 16 pieces. On 10x10 a queen has at most 35 moves, so fifteen queens and a king have at
/// most 533 moves. On 8x8 the same calculation gives 413 moves. Positions that can arise in a game have far
/// fewer moves: at most 218 on 8x8.
pub type MoveList = ArrayVec<Move, 544>;
