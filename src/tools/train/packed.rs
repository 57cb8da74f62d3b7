//! A training position of either board in 40 bytes.

use arrayvec::ArrayVec;

use crate::eval::nnue::{Attacked, FeatureList, MAX_PIECES, Perspective, PlacedPiece, Rights};
use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// A training position, packed into 40 bytes. The same type serves both boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packed {
    /// A bit for each square of the board. The bits of occupied squares are set.
    occupied: [u64; 2],
    /// The pieces in the order of their squares, two pieces per byte.
    pieces: [u8; 16],
    /// The squares of the white king and the black king.
    kings: [u8; 2],
    /// The target: the expected points of the side to move, in units of 1/65,535.
    target: u16,
    /// The [`Rights`] of both sides. Bit 7 is set if Black is to move.
    rights: u8,
    /// The index of the data set.
    set: u8,
    /// The code of the kind of starting position.
    component: u8,
}

const BLACK_TO_MOVE: u8 = 0x80;

impl Packed {
    /// The size of a packed position in bytes.
    pub(super) const BYTES: usize = 40;

    /// Packs a position. `target` is the prediction to learn: the expected points of the side to move, from 0
    /// to 1.
    pub fn new<G: Board>(position: &Position<G>, target: f32) -> Packed {
        let occupied: u128 = position.occupied().raw().into();
        let mut pieces = [0; 16];
        for (number, square) in position.occupied().into_iter().enumerate() {
            let piece = position.piece_at(square).map_or(0, |piece| piece as u8);
            pieces[number / 2] |= piece << (4 * (number % 2));
        }
        let side = position.side_to_move();
        Packed {
            occupied: [occupied as u64, (occupied >> 64) as u64],
            pieces,
            kings: Color::ALL.map(|color| position.king(color).index() as u8),
            target: (target * f32::from(u16::MAX)).round() as u16,
            rights: Rights::of(position).0 | if side == Color::Black { BLACK_TO_MOVE } else { 0 },
            set: 0,
            component: 0,
        }
    }

    /// Returns the same position with the data set and the kind of starting position filled in.
    pub(super) fn of_set(self, set: u8, component: u8) -> Packed {
        Packed { set, component, ..self }
    }

    pub(super) fn to_bytes(self) -> [u8; Packed::BYTES] {
        let Packed { occupied: [low, high], pieces, kings, target, rights, set, component } = self;
        let mut bytes = [0; Packed::BYTES];
        bytes[..8].copy_from_slice(&low.to_le_bytes());
        bytes[8..16].copy_from_slice(&high.to_le_bytes());
        bytes[16..32].copy_from_slice(&pieces);
        bytes[32..34].copy_from_slice(&kings);
        bytes[34..36].copy_from_slice(&target.to_le_bytes());
        bytes[36..39].copy_from_slice(&[rights, set, component]);
        bytes
    }

    /// Reads a position from the bytes that [`Packed::to_bytes`] returns.
    pub(super) fn from_bytes(bytes: &[u8; Packed::BYTES]) -> Packed {
        let (words, rest) = bytes.split_at(16);
        let (pieces, rest) = rest.split_at(16);
        let [low, high] = [0, 1].map(|half| u64::from_le_bytes(words.as_chunks().0[half]));
        let [white, black, a, b, rights, set, component, _] = rest.as_chunks().0[0];
        Packed {
            occupied: [low, high],
            pieces: pieces.as_chunks().0[0],
            kings: [white, black],
            target: u16::from_le_bytes([a, b]),
            rights,
            set,
            component,
        }
    }

    /// Returns the number of pieces, including pawns.
    #[inline]
    pub fn count(&self) -> usize {
        (self.occupied[0].count_ones() + self.occupied[1].count_ones()) as usize
    }

    /// Returns the pieces and rights.
    #[inline]
    pub(super) fn contents<G: Board>(&self) -> Contents<G> {
        let wide = u128::from(self.occupied[1]) << 64 | u128::from(self.occupied[0]);
        let occupied = Bitboard::<G>::from_raw(G::Bits::try_from(wide).unwrap_or_default());
        let piece = |number: usize| {
            let code = usize::from(self.pieces[number / 2] >> (4 * (number % 2)) & 15);
            Piece::new(Color::ALL[code % 2], Role::ALL[(code / 2).min(5)])
        };
        let squares = occupied.into_iter().take(MAX_PIECES).enumerate();
        let pieces = squares.map(|(number, square)| (piece(number), square));
        let attacked = Attacked::among(pieces.clone());
        let pieces = pieces.map(|(piece, square)| PlacedPiece::new(piece, square, &attacked));
        Contents { pieces: pieces.collect(), rights: Rights(self.rights & !BLACK_TO_MOVE) }
    }

    /// Returns White's and Black's perspective.
    #[inline]
    pub(super) fn perspectives<G: Board>(&self) -> [Perspective; 2] {
        Color::ALL.map(|color| {
            Perspective::new::<G>(color, Square::of_index(self.kings[color.index()].into()))
        })
    }

    /// Returns the active features from two views: first for the side to move, then for the opponent.
    pub fn features<G: Board>(&self) -> [FeatureList; 2] {
        let [white, black] = self.perspectives::<G>();
        let views = if self.white_to_move() { [white, black] } else { [black, white] };
        let (own, theirs) = self.contents::<G>().features(views).map(<[u16; 2]>::into).unzip();
        [own, theirs]
    }

    /// Returns whether White is to move.
    #[inline]
    pub fn white_to_move(&self) -> bool {
        self.rights & BLACK_TO_MOVE == 0
    }

    /// Returns the target: the expected points of the side to move, from 0 to 1.
    #[inline]
    pub fn target(&self) -> f32 {
        f32::from(self.target) / f32::from(u16::MAX)
    }

    /// Returns the index of the data set.
    #[inline]
    pub fn set(&self) -> usize {
        self.set.into()
    }

    /// Returns the code of the kind of starting position.
    #[inline]
    pub fn component(&self) -> u8 {
        self.component
    }
}

/// Pieces in the order of their squares, and rights.
#[derive(Default)]
pub(super) struct Contents<G: Board> {
    pieces: ArrayVec<PlacedPiece<G>, MAX_PIECES>,
    rights: Rights,
}

impl<G: Board> Contents<G> {
    /// Returns the number of features in each view.
    #[inline]
    pub fn len(&self) -> usize {
        self.pieces.len() + self.rights.0.count_ones() as usize
    }

    /// Iterates over the features in two views.
    #[inline]
    pub fn features(&self, views: [Perspective; 2]) -> impl Iterator<Item = [u16; 2]> {
        let pieces = self.pieces.iter().map(move |piece| views.map(|view| view.piece(*piece)));
        let rights = self.rights.each().map(move |bit| views.map(|view| view.right::<G>(bit)));
        pieces.chain(rights)
    }

    /// Returns the pieces and rights that `other` does not contain. A piece with another attack state is
    /// another piece.
    #[inline]
    pub fn without(&self, other: &Contents<G>) -> Contents<G> {
        let mut others = other.pieces.iter().peekable();
        let pieces = self.pieces.iter().filter(|piece| {
            while others.next_if(|other| other.square < piece.square).is_some() {}
            others.peek() != Some(piece)
        });
        let pieces = pieces.copied().collect();
        Contents { pieces, rights: self.rights.without(other.rights) }
    }
}
