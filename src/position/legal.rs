//! Checks whether a given move is legal, for moves that do not come from the move generator, such as moves
//! of the transposition table. The move generator shares some of these checks.

use super::Position;
use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Move, Role, Square};

impl<G: Board> Position<G> {
    /// Returns whether an arbitrary move is legal in this position.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let us = self.side;
        let Some(piece) = self.board[from].filter(|piece| piece.color() == us) else {
            return false;
        };
        let role = piece.role();
        let promotes = role == Role::Pawn && to.rank() == G::PROMOTION_RANK[us.index()];
        if !promotes && mv.promoted() != Role::Knight {
            return false; // promotion bits on a move that is not a promotion
        }
        if role == Role::King {
            return self.king_move_is_legal(from, to);
        }
        if self.color(us).contains(to) || self.checkers.many() {
            return false;
        }
        if role == Role::Pawn && self.en_passant == Some(to) {
            return attacks::pawn(us, from).contains(to) && self.en_passant_is_legal(from, to);
        }
        let reaches = match role {
            Role::Pawn => self.pawn_reaches(from, to),
            _ => attacks::piece(role, from, self.occupied()).contains(to),
        };
        reaches
            && self.evasion_targets().contains(to)
            && (!self.pinned.contains(from) || attacks::line(self.king(us), from).contains(to))
    }

    fn king_move_is_legal(&self, from: Square<G>, to: Square<G>) -> bool {
        let us = self.side;
        if self.color(us).contains(to) {
            let rook = self.rights.contains(to) && self.role(Role::Rook).contains(to);
            return rook && !self.in_check() && self.castling_is_legal(from, to);
        }
        if attacks::king(from).contains(to) {
            return !self.is_attacked(!us, to, self.occupied() ^ from.bitboard());
        }
        self.rights.contains(from) && !self.in_check() && self.relocations(from).contains(to)
    }

    /// Returns whether a pawn can step to or capture on a square, ignoring en passant, checks and pins.
    fn pawn_reaches(&self, from: Square<G>, to: Square<G>) -> bool {
        let us = self.side;
        if attacks::pawn(us, from).contains(to) {
            return self.color(!us).contains(to);
        }
        let empty = !self.occupied();
        let step = from.bitboard().forward(us) & empty;
        if step.contains(to) {
            return true;
        }
        from.rank() == G::PAWN_RANK[us.index()] && (step.forward(us) & empty).contains(to)
    }

    /// Returns the squares to which pieces other than the king can move without leaving the king in check,
    /// ignoring pins. Without a check, these are all squares. In check, these are the checker's square and
    /// the squares between the checker and the king. There must be at most one checker.
    #[inline(always)]
    pub(super) fn evasion_targets(&self) -> Bitboard<G> {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(checker) => attacks::between(self.king(self.side), checker) | self.checkers,
        }
    }

    /// Returns whether a pawn of the side to move on `from`, which attacks `passed`, may capture en passant
    /// on `passed`. Both pawns leave their squares, so the function recomputes the attackers of the king.
    pub(super) fn en_passant_is_legal(&self, from: Square<G>, passed: Square<G>) -> bool {
        let us = self.side;
        let Some(victim) = passed.forward(!us) else { return false };
        let king = self.king(us);
        let occupied = (self.occupied() ^ from.bitboard() ^ victim.bitboard()) | passed.bitboard();
        let attackers = self.attackers_to(king, occupied) & self.color(!us);
        (attackers - victim.bitboard()).is_empty()
    }

    /// Returns whether the king may castle with this rook. The king must not be in check, and the rook must
    /// have the castling right. The rules of Chess960 apply on both boards.
    pub(super) fn castling_is_legal(&self, king: Square<G>, rook: Square<G>) -> bool {
        let them = !self.side;
        let (king_to, rook_to) = Self::castling_targets(king, rook);
        let others = self.occupied() ^ king.bitboard() ^ rook.bitboard();
        let king_walk = attacks::between(king, king_to) | king_to.bitboard();
        let rook_walk = attacks::between(rook, rook_to) | rook_to.bitboard();
        if ((king_walk | rook_walk) & others).any() {
            return false;
        }
        let occupied = self.occupied();
        if king_walk.into_iter().any(|square| self.is_attacked(them, square, occupied)) {
            return false;
        }
        // The move of the rook may uncover an attack on the king's new square.
        let after = others | king_to.bitboard() | rook_to.bitboard();
        !self.is_attacked(them, king_to, after)
    }

    /// Returns the squares to which a king with the relocation right may relocate in Jepps Random Chess.
    /// The king must not be in check. The targets are vacant squares of the home rank, an even number of
    /// files away. Neither the target nor any vacant square on the way may be attacked. The king jumps over
    /// occupied squares on the way.
    pub(super) fn relocations(&self, king: Square<G>) -> Bitboard<G> {
        let us = self.side;
        let occupied = self.occupied();
        let mut targets = Bitboard::EMPTY;
        for step in [-1_i8, 1] {
            let mut file = king.file() as i8;
            loop {
                file += step;
                let square = u8::try_from(file).ok().and_then(|f| Square::at(f, king.rank()));
                let Some(square) = square else { break };
                if occupied.contains(square) {
                    continue;
                }
                if self.is_attacked(!us, square, occupied) {
                    break;
                }
                if file.abs_diff(king.file() as i8).is_multiple_of(2) {
                    targets |= square.bitboard();
                }
            }
        }
        targets
    }
}
