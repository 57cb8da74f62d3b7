use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::{Role, Square};
use crate::geometry::Geometry;

/// A move in 16 bits: from (7), to (7), promotion (2), whatever the board.
///
/// What kind of move it is follows from the position: castling is a king taking its own rook,
/// en passant a pawn taking an empty square, a promotion a pawn reaching the last rank (for any
/// other move the two promotion bits are zero). No move goes from a square to itself, so zero is
/// free and `Option<Move>` is as small as `Move`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// A move that promotes nothing. `from` and `to` differ.
    #[inline(always)]
    pub fn new<G: Geometry>(from: Square<G>, to: Square<G>) -> Move {
        Self::pack(from.index() as u16 | (to.index() as u16) << 7)
    }

    /// A pawn's move to the last rank; `role` is one of [`Role::PROMOTIONS`].
    #[inline(always)]
    pub fn promotion<G: Geometry>(from: Square<G>, to: Square<G>, role: Role) -> Move {
        let code = role as u16 - Role::Knight as u16;
        Self::pack(from.index() as u16 | (to.index() as u16) << 7 | code << 14)
    }

    #[inline(always)]
    fn pack(bits: u16) -> Move {
        // A move from a1 to a1 does not occur; `| 1` would be as good as a panic for it.
        debug_assert!(bits & 0x3fff != 0);
        Move(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }

    /// The move that these bits stand for on this board, if both squares are on it. Whether it is
    /// a legal move is for the position to say.
    #[inline(always)]
    pub fn from_bits<G: Geometry>(bits: u16) -> Option<Move> {
        let from = (bits & 127) as usize;
        let to = (bits >> 7 & 127) as usize;
        if from < G::SQUARES && to < G::SQUARES && from != to {
            NonZeroU16::new(bits).map(Move)
        } else {
            None
        }
    }

    /// The move that [`Move::bits`] gave.
    #[inline(always)]
    pub(crate) const fn of_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The 16 bits; never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square it leaves.
    #[inline(always)]
    pub fn from<G: Geometry>(self) -> Square<G> {
        Square::of_index((self.0.get() & 127) as u32)
    }

    /// The square it goes to; for castling, the square of the rook.
    #[inline(always)]
    pub fn to<G: Geometry>(self) -> Square<G> {
        Square::of_index((self.0.get() >> 7 & 127) as u32)
    }

    /// What the pawn becomes *if* this is a promotion, else meaningless (a knight).
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

/// Room for the moves of any position.
///
/// A side has at most 16 men. On 10x10 a queen has at most 35 moves, so that fifteen of them and
/// the king make 533 even if they never stood in each other's way; 8x8 needs 413. (The maximum of
/// games is far lower: 218 on 8x8.)
pub type MoveList = ArrayVec<Move, 544>;
