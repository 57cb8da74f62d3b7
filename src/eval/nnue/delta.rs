//! The inputs that a move changes.

use arrayvec::ArrayVec;

use super::features::{Attacked, MAX_PIECES, Perspective, PlacedPiece, Rights};
use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Color, Role};

/// The most inputs that a move sets or unsets: those of all pieces, and three rights that it ends
/// (its king's two, and that of a rook it captures).
pub(super) const MOST: usize = MAX_PIECES + 3;

/// A position and its attacked pieces, on which the inputs depend.
pub(super) type Seen<'a, G> = (&'a Position<G>, &'a Attacked<G>);

/// The pieces that a move puts, takes, or whose attack state it changes, and the rights that it
/// ends.
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
        // Where king and rook swap squares, the colours do not change.
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

    /// Returns the inputs of a view that the move sets.
    #[inline(always)]
    pub fn set(&self, view: Perspective) -> impl Iterator<Item = u16> {
        self.put.iter().map(move |piece| view.piece(*piece))
    }

    /// Returns the inputs of a view that the move unsets.
    #[inline(always)]
    pub fn unset(&self, view: Perspective) -> impl Iterator<Item = u16> {
        let pieces = self.taken.iter().map(move |piece| view.piece(*piece));
        pieces.chain(self.lost.each().map(move |bit| view.right::<G>(bit)))
    }
}
