use arrayvec::ArrayVec;

use super::features::{Attacked, MAX_MEN, Man, Perspective, Rights};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Color, Role};

/// Most inputs that a move sets or unsets: those of all men, and it ends three rights (its king's
/// two, and that of a rook it captures).
pub(super) const MOST: usize = MAX_MEN + 3;

/// What inputs depend on.
pub(super) type Seen<'a, G> = (&'a Position<G>, &'a Attacked<G>);

/// What a move changes on the board: where men stand, and which are attacked or defended.
pub(super) struct Delta<G: Board> {
    put: ArrayVec<Man<G>, MAX_MEN>,
    taken: ArrayVec<Man<G>, MAX_MEN>,
    lost: Rights,
}

impl<G: Board> Delta<G> {
    /// What is different after a move.
    #[inline]
    pub fn between((before, were): Seen<G>, (after, are): Seen<G>) -> Delta<G> {
        let color = |color| before.color(color) ^ after.color(color);
        // Where king and rook change places, their colour stays.
        let kings = before.role(Role::King) ^ after.role(Role::King);
        let moved = color(Color::White) | color(Color::Black) | kings;
        let attacks = (were.all ^ are.all) | (were.undefended ^ are.undefended);
        let (mut put, mut taken) = (ArrayVec::new(), ArrayVec::new());
        for square in moved | attacks {
            put.extend(after.piece_at(square).map(|piece| Man::new(piece, square, are)));
            taken.extend(before.piece_at(square).map(|piece| Man::new(piece, square, were)));
        }
        let lost = match before.rights() == after.rights() {
            true => Rights::NONE,
            false => Rights::of(before).without(Rights::of(after)),
        };
        Delta { put, taken, lost }
    }

    /// The inputs of a view that are set and unset.
    #[inline]
    pub fn features(&self, view: Perspective) -> (ArrayVec<u16, MAX_MEN>, ArrayVec<u16, MOST>) {
        let mut unset: ArrayVec<u16, MOST> = self.taken.iter().map(|man| view.man(*man)).collect();
        if self.lost != Rights::NONE {
            unset.extend(self.lost.each().map(|bit| view.right::<G>(bit)));
        }
        (self.put.iter().map(|man| view.man(*man)).collect(), unset)
    }
}
