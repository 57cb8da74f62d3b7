//! The inputs that a move changes.

use arrayvec::ArrayVec;

use super::features::{Attacked, MAX_PIECES, Perspective, PlacedPiece, Rights};
use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Color, Role};

/// The maximum number of inputs that a move sets or unsets: the inputs of all pieces, and three rights. A
/// king move that captures a rook ends two rights of the king and the right of the rook.
pub(super) const MOST: usize = MAX_PIECES + 3;

/// A position and its attacked pieces, on which the inputs depend.
pub(super) type Seen<'a, G> = (&'a Position<G>, &'a Attacked<G>);

/// The changes by a move: the pieces that the move adds, removes or changes in their attack state, and the
/// rights that the move ends.
pub(super) struct Delta<G: Board> {
    put: ArrayVec<PlacedPiece<G>, MAX_PIECES>,
    taken: ArrayVec<PlacedPiece<G>, MAX_PIECES>,
    lost: Rights,
}

impl<G: Board> Delta<G> {
    /// Returns the difference between the positions before and after a move.
    #[inline]
    pub fn between((before, were): Seen<G>, (after, are): Seen<G>) -> Delta<G> {
        let color = |color| before.color(color) ^ after.color(color);
        // If castling swaps the squares of king and rook, the squares of each colour do not change.
        let kings = before.role(Role::King) ^ after.role(Role::King);
        let moved = color(Color::White) | color(Color::Black) | kings;
        let attacks = (were.all ^ are.all) | (were.undefended ^ are.undefended);
        let lost = match before.rights() == after.rights() {
            true => Rights::NONE,
            false => Rights::of(before).without(Rights::of(after)),
        };
        let mut delta = Delta { put: ArrayVec::new(), taken: ArrayVec::new(), lost };
        for square in moved | attacks {
            if let Some(piece) = after.piece_at(square) {
                delta.put.push(PlacedPiece::new(piece, square, are));
            }
            if let Some(piece) = before.piece_at(square) {
                delta.taken.push(PlacedPiece::new(piece, square, were));
            }
        }
        delta
    }

    /// Returns the inputs that the move sets in a view.
    #[inline(always)]
    pub fn set(&self, view: Perspective) -> impl Iterator<Item = u16> {
        self.put.iter().map(move |piece| view.piece(*piece))
    }

    /// Returns the inputs that the move unsets in a view.
    #[inline(always)]
    pub fn unset(&self, view: Perspective) -> impl Iterator<Item = u16> {
        let pieces = self.taken.iter().map(move |piece| view.piece(*piece));
        pieces.chain(self.lost.each().map(move |bit| view.right::<G>(bit)))
    }
}
