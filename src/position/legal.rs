//! Checking whether a given move is legal, for moves that do not come from the generator, such as those
//! of the transposition table. The generator shares parts of these checks.

use super::Position;
use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Move, Role, Square};

impl<G: Board> Position<G> {
    /// Whether an arbitrary move is legal in this position.
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

    /// Whether a pawn can step to or capture on a square, ignoring en passant, checks and pins.
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

    /// The squares to which pieces other than the king can move without leaving it in check, ignoring
    /// pins: all squares if there is no check, else the checker's square and those between it and the
    /// king. There must not be more than one checker.
    #[inline(always)]
    pub(super) fn evasion_targets(&self) -> Bitboard<G> {
        match self.checkers.first() {
            None => Bitboard::FULL,
            Some(checker) => attacks::between(self.king(self.side), checker) | self.checkers,
        }
    }

    /// Whether a pawn of the side to move on `from`, which attacks `passed`, may capture there en passant.
    /// Two pawns leave their squares at once, so it recomputes the attackers of the king.
    pub(super) fn en_passant_is_legal(&self, from: Square<G>, passed: Square<G>) -> bool {
        let us = self.side;
        let Some(victim) = passed.forward(!us) else { return false };
        let king = self.king(us);
        let occupied = (self.occupied() ^ from.bitboard() ^ victim.bitboard()) | passed.bitboard();
        let attackers = self.attackers_to(king, occupied) & self.color(!us);
        (attackers - victim.bitboard()).is_empty()
    }

    /// Whether the king, which is not in check, may castle with this rook, which has the right to. The
    /// rules are those of Chess960 on every board.
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
        // The rook may uncover an attack on the king's new square.
        let after = others | king_to.bitboard() | rook_to.bitboard();
        !self.is_attacked(them, king_to, after)
    }

    /// The squares to which a king with the right may relocate when it is not in check (Jepps Random
    /// Chess): vacant squares of its home rank, an even number of files away, such that neither they nor
    /// the vacant squares on the way are attacked. Occupied squares on the way are jumped over.
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
