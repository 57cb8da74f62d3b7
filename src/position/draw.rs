//! Draws that can be detected from a single position. To detect repetitions, callers compare the
//! [`Position::key`] of the position with the keys of earlier positions.

use super::Position;
use crate::attacks::Board;
use crate::types::{Bitboard, Role};

impl<G: Board> Position<G> {
    /// Returns whether the game is drawn by the fifty-move rule: the last fifty moves of each side were
    /// neither captures nor pawn moves. Checkmate on the last of these moves takes precedence.
    #[inline]
    pub fn is_fifty_moves(&self) -> bool {
        self.halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Returns whether the material rules out mate by any sequence of legal moves: bare kings, a single
    /// minor piece, or only bishops that all stand on squares of the same colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let minors = self.role(Role::Knight) | self.role(Role::Bishop);
        if (self.occupied() ^ minors ^ self.role(Role::King)).any() {
            return false;
        }
        if !minors.many() {
            return true;
        }
        let light = Bitboard::<G>::light();
        self.role(Role::Knight).is_empty()
            && ((minors & light).is_empty() || (minors - light).is_empty())
    }
}
