//! Draws that a single position shows. Repetition needs the game: see the users of
//! [`Position::key`].

use super::Position;
use crate::attacks::Board;
use crate::types::{Bitboard, Role};

impl<G: Board> Position<G> {
    /// Whether fifty moves of each side went by without a capture or a pawn move. Mate on the
    /// last of them comes first.
    #[inline]
    pub fn is_fifty_moves(&self) -> bool {
        self.halfmove_clock >= 100 && (!self.in_check() || self.has_legal_move())
    }

    /// Whether no sequence of legal moves can mate, by the material alone: bare kings, one knight,
    /// or only bishops that all stand on squares of one colour. True on either board.
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
