//! The inputs of a network. Each input stands for a piece on a square with an attack state, or for a right.

use arrayvec::ArrayVec;

use crate::attacks;
use crate::geometry::Board;
use crate::position::{Position, Threats};
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// The number of attack states of a piece: not attacked by the other side, attacked and defended by its own
/// side, attacked and not defended.
pub(super) const SAFETIES: usize = 3;
/// The number of inputs of rights: castling to the right, castling to the left and relocation, for each
/// side.
const RIGHTS: usize = 6;

/// The maximum number of pieces on either board. [`crate::position::fen`] rejects positions with more
/// pieces.
pub const MAX_PIECES: usize = 32;

/// The maximum number of inputs that are set in one view.
pub(super) const MAX_ACTIVE: usize = MAX_PIECES + RIGHTS;

/// The inputs that are set in one view of a position.
pub type FeatureList = ArrayVec<u16, MAX_ACTIVE>;

/// Returns the number of inputs for pieces of one attack state.
pub(super) const fn piece_inputs<G: Board>() -> usize {
    Piece::COUNT * G::SQUARES
}

/// Returns the number of inputs of a board's networks.
pub const fn inputs<G: Board>() -> usize {
    SAFETIES * piece_inputs::<G>() + RIGHTS
}

/// The pieces of both sides that an enemy piece attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attacked<G: Board> {
    pub(super) all: Bitboard<G>,
    /// The attacked pieces that their own side does not defend.
    pub(super) undefended: Bitboard<G>,
}

impl<G: Board> Attacked<G> {
    /// Returns the attacked pieces, given the pieces of each side and the squares that each side attacks.
    #[inline(always)]
    pub fn new([white, black]: [Bitboard<G>; 2], [by_white, by_black]: [Bitboard<G>; 2]) -> Self {
        let all = (white & by_black) | (black & by_white);
        let defended = (white & by_white) | (black & by_black);
        Attacked { all, undefended: all - defended }
    }

    /// Returns the attacked pieces of a position.
    #[inline]
    pub fn of(position: &Position<G>, threats: [Threats<G>; 2]) -> Self {
        let pieces = Color::ALL.map(|color| position.color(color));
        Attacked::new(pieces, threats.map(|threats| threats.all()))
    }

    /// Returns the attacked pieces of a board with exactly these pieces.
    pub fn among(pieces: impl Iterator<Item = (Piece, Square<G>)> + Clone) -> Self {
        let occupied = pieces.clone().map(|(_, square)| square).collect();
        let (mut standing, mut attacks) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
        for (piece, square) in pieces {
            let color = piece.color();
            standing[color.index()] |= square.bitboard();
            attacks[color.index()] |= match piece.role() {
                Role::Pawn => attacks::pawn(color, square),
                role => attacks::piece(role, square, occupied),
            };
        }
        Attacked::new(standing, attacks)
    }
}

/// A piece on its square, with its attack state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece<G: Board> {
    pub piece: Piece,
    pub square: Square<G>,
    /// The attack state: 0 if not attacked, 1 if attacked and defended, 2 if attacked and not defended.
    safety: u8,
}

impl<G: Board> PlacedPiece<G> {
    /// Returns a piece on a square, given the attacked pieces of the board.
    #[inline(always)]
    pub fn new(piece: Piece, square: Square<G>, attacked: &Attacked<G>) -> PlacedPiece<G> {
        let Attacked { all, undefended } = attacked;
        let safety = u8::from(all.contains(square)) + u8::from(undefended.contains(square));
        PlacedPiece { piece, square, safety }
    }
}

/// The rights of both sides as bits. White's rights are bits 0 to 2, Black's rights are bits 3 to 5. The
/// three bits of a side stand for castling with the rook on a higher file than the king, castling with the
/// rook on a lower file, and relocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rights(pub u8);

impl Rights {
    pub(super) const NONE: Rights = Rights(0);

    /// Returns the rights of a position.
    #[inline]
    pub fn of<G: Board>(position: &Position<G>) -> Rights {
        Rights::without_piece(position, None)
    }

    /// Returns the rights of a position without the right of the piece on the square `left_out`.
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

    /// Returns these rights except those in `others`.
    pub const fn without(self, others: Rights) -> Rights {
        Rights(self.0 & !others.0)
    }

    /// Returns the indices of the bits that are set.
    pub fn each(self) -> impl Iterator<Item = u8> {
        (0..RIGHTS as u8).filter(move |bit| self.0 >> bit & 1 != 0)
    }
}

/// The point of view on a position: a side, and whether files are mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    pub color: Color,
    pub mirrored: bool,
}

impl Perspective {
    /// Returns the perspective of a side whose king is on this square.
    #[inline(always)]
    pub fn new<G: Board>(color: Color, king: Square<G>) -> Perspective {
        Perspective { color, mirrored: king.file() < G::FILES / 2 }
    }

    /// Returns the index of the input of a piece.
    #[inline(always)]
    pub fn piece<G: Board>(self, piece: PlacedPiece<G>) -> u16 {
        let PlacedPiece { piece, square, safety } = piece;
        let file = if self.mirrored { G::FILES - 1 - square.file() } else { square.file() };
        let rank = match self.color {
            Color::White => square.rank(),
            Color::Black => G::RANKS - 1 - square.rank(),
        };
        let theirs = u16::from(piece.color() != self.color);
        let kind = Piece::COUNT as u16 * u16::from(safety) + 6 * theirs + piece.role() as u16;
        kind * G::SQUARES as u16 + u16::from(rank) * u16::from(G::FILES) + u16::from(file)
    }

    /// Returns the index of the input of a right, given the bit of the right in [`Rights`].
    #[inline(always)]
    pub fn right<G: Board>(self, bit: u8) -> u16 {
        let (owner, kind) = (bit / 3, bit % 3);
        // Mirroring swaps right and left; relocation has no side.
        let kind = if self.mirrored && kind < 2 { 1 - kind } else { kind };
        let theirs = u16::from(owner != self.color as u8);
        (SAFETIES * piece_inputs::<G>()) as u16 + 3 * theirs + u16::from(kind)
    }

    /// Returns the indices of all inputs that are set for these pieces and rights.
    #[inline]
    pub fn features<G: Board>(
        self,
        pieces: impl Iterator<Item = PlacedPiece<G>>,
        rights: Rights,
    ) -> FeatureList {
        let pieces = pieces.take(MAX_PIECES).map(|piece| self.piece(piece));
        pieces.chain(rights.each().map(|bit| self.right::<G>(bit))).collect()
    }
}

/// Returns every piece of a position with its square.
pub(super) fn pieces<G: Board>(
    position: &Position<G>,
) -> impl Iterator<Item = (Piece, Square<G>)> + Clone + use<'_, G> {
    let occupied = position.occupied().into_iter();
    occupied.filter_map(|square| position.piece_at(square).map(|piece| (piece, square)))
}
