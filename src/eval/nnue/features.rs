use arrayvec::ArrayVec;

use crate::attacks::Board;
use crate::geometry::Geometry;
use crate::position::Position;
use crate::types::{Color, Piece, Role, Square};

/// Inputs of rights: each side's castling to its right, to its left, and relocation.
const RIGHTS: usize = 6;

/// Most men on a board of either size; [`crate::position::fen`] takes no more.
pub const MAX_MEN: usize = 32;

/// Most inputs that are set in one view.
pub(super) const MAX_ACTIVE: usize = MAX_MEN + RIGHTS;

/// The inputs that are set in one view of a position.
pub type FeatureList = ArrayVec<u16, MAX_ACTIVE>;

/// How many inputs the networks of a board have.
pub const fn inputs<G: Geometry>() -> usize {
    Piece::COUNT * G::SQUARES + RIGHTS
}

/// The rights of both sides as bits: castling with the rook on a higher file than the king, with
/// the rook on a lower file, relocation; White's in bits 0 to 2, Black's in bits 3 to 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rights(pub u8);

impl Rights {
    pub(super) const NONE: Rights = Rights(0);

    /// The rights of a position.
    #[inline]
    pub fn of<G: Board>(position: &Position<G>) -> Rights {
        Rights::without_piece(position, None)
    }

    /// The rights of a position, but those of the piece on a square.
    #[inline]
    pub(super) fn without_piece<G: Board>(
        position: &Position<G>,
        left_out: Option<Square<G>>,
    ) -> Rights {
        let mut bits = 0;
        for square in position.rights() {
            if Some(square) == left_out {
                continue;
            }
            let Some(piece) = position.piece_at(square) else { continue };
            let king = position.king(piece.color());
            let kind = match piece.role() {
                Role::King => 2,
                _ => u8::from(square.file() < king.file()),
            };
            bits |= 1 << (3 * piece.color() as u8 + kind);
        }
        Rights(bits)
    }

    /// Those of these rights that are not among the others.
    pub(super) const fn without(self, others: Rights) -> Rights {
        Rights(self.0 & !others.0)
    }

    /// The bits that are set.
    pub fn each(self) -> impl Iterator<Item = u8> {
        (0..RIGHTS as u8).filter(move |bit| self.0 >> bit & 1 != 0)
    }
}

/// From where a position is seen: by a side, with the files as they are or mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    pub color: Color,
    pub mirrored: bool,
}

impl Perspective {
    /// A side's view with its king on this square.
    #[inline(always)]
    pub fn new<G: Geometry>(color: Color, king: Square<G>) -> Perspective {
        Perspective { color, mirrored: king.file() < G::FILES / 2 }
    }

    /// The input of a piece on a square.
    #[inline(always)]
    pub fn piece<G: Geometry>(self, piece: Piece, square: Square<G>) -> u16 {
        let file = if self.mirrored { G::FILES - 1 - square.file() } else { square.file() };
        let rank = match self.color {
            Color::White => square.rank(),
            Color::Black => G::RANKS - 1 - square.rank(),
        };
        let theirs = u16::from(piece.color() != self.color);
        let kind = 6 * theirs + piece.role() as u16;
        kind * G::SQUARES as u16 + u16::from(rank) * u16::from(G::FILES) + u16::from(file)
    }

    /// The input of a right, by its bit in [`Rights`].
    #[inline(always)]
    pub fn right<G: Geometry>(self, bit: u8) -> u16 {
        let (owner, kind) = (bit / 3, bit % 3);
        // The mirror turns right into left; relocation has no side.
        let kind = if self.mirrored && kind < 2 { 1 - kind } else { kind };
        let theirs = u16::from(owner != self.color as u8);
        (Piece::COUNT * G::SQUARES) as u16 + 3 * theirs + u16::from(kind)
    }

    /// Every input that is set for these men and rights.
    #[inline]
    pub fn features<G: Geometry>(
        self,
        men: impl Iterator<Item = (Piece, Square<G>)>,
        rights: Rights,
    ) -> FeatureList {
        let men = men.take(MAX_MEN).map(|(piece, square)| self.piece(piece, square));
        men.chain(rights.each().map(|bit| self.right::<G>(bit))).collect()
    }
}

/// Every piece of a position with its square.
pub(super) fn men<G: Board>(
    position: &Position<G>,
) -> impl Iterator<Item = (Piece, Square<G>)> + use<'_, G> {
    let occupied = position.occupied().into_iter();
    occupied.filter_map(|square| position.piece_at(square).map(|piece| (piece, square)))
}
