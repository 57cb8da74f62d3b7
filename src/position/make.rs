//! Making moves, and building positions piece by piece.

use super::{Position, zobrist};
use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Color, Move, Piece, Role, Square};

impl<G: Board> Position<G> {
    /// Returns the position after a legal move.
    #[inline]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make(mv);
        next
    }

    /// Makes a legal move. In release builds, an illegal move leads to a meaningless position, but does not
    /// panic.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        let us = self.side;
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let Some(piece) = self.board[from] else {
            debug_assert!(false, "no piece to move: {mv:?} in {self:?}");
            return;
        };
        let role = piece.role();
        let en_passant = self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.drop_rights(from, to, role);

        match self.board[to] {
            Some(own) if own.color() == us => {
                let (king_to, rook_to) = Self::castling_targets(from, to);
                self.remove(piece, from);
                self.remove(own, to);
                self.place(piece, king_to);
                self.place(own, rook_to);
            }
            captured => {
                if let Some(captured) = captured {
                    self.remove(captured, to);
                    self.halfmove_clock = 0;
                }
                self.remove(piece, from);
                if role == Role::Pawn {
                    self.halfmove_clock = 0;
                    self.land_pawn(mv, us, en_passant);
                } else {
                    self.place(piece, to);
                }
            }
        }

        self.fullmove_number = self.fullmove_number.saturating_add(us as u32);
        self.side = !us;
        self.keys.main ^= zobrist::black_to_move();
        self.refresh_checks();
        if role == Role::Pawn && from.index().abs_diff(to.index()) == 2 * G::FILES as usize {
            self.allow_en_passant(to);
        }
    }

    /// Predicts the key after a legal move, for prefetching transposition table entries. The prediction
    /// ignores castling, promotions, en passant and lost rights, so it is right for most moves but not for
    /// all.
    #[inline(always)]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let piece = self.moved_piece(mv);
        let moved = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
        let taken = self.board[to].map_or(0, |taken| zobrist::piece(taken, to));
        let passed = self.en_passant.map_or(0, zobrist::en_passant);
        self.keys.main ^ moved ^ taken ^ passed ^ zobrist::black_to_move()
    }

    /// Returns the change of the key by a quiet move of a piece other than a pawn, without changes of the
    /// rights and of the en passant square.
    #[inline]
    pub fn key_of_shift(piece: Piece, from: Square<G>, to: Square<G>) -> u64 {
        zobrist::piece(piece, from) ^ zobrist::piece(piece, to) ^ zobrist::black_to_move()
    }

    /// Makes a null move. The side to move must not be in check.
    #[inline]
    pub fn make_null(&mut self) {
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(self.side as u32);
        self.side = !self.side;
        self.keys.main ^= zobrist::black_to_move();
        self.refresh_checks();
    }

    /// Places a moving pawn, or the new piece of a promotion, on the target square. Removes a pawn that is
    /// captured en passant.
    #[inline(always)]
    fn land_pawn(&mut self, mv: Move, us: Color, en_passant: Option<Square<G>>) {
        let to = mv.to::<G>();
        if to.rank() == G::PROMOTION_RANK[us.index()] {
            self.place(mv.promoted().of(us), to);
        } else {
            self.place(Role::Pawn.of(us), to);
            if en_passant == Some(to)
                && let Some(victim) = to.forward(!us)
            {
                self.remove(Role::Pawn.of(!us), victim);
            }
        }
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) -> Option<Square<G>> {
        self.illegal_en_passant = None;
        let square = self.en_passant.take();
        if let Some(square) = square {
            self.keys.main ^= zobrist::en_passant(square);
        }
        square
    }

    /// Removes the rights of a piece that moves or is captured, and all rights of a side whose king
    /// moves.
    #[inline(always)]
    fn drop_rights(&mut self, from: Square<G>, to: Square<G>, role: Role) {
        let mut touched = from.bitboard() | to.bitboard();
        if role == Role::King {
            touched |= Self::home_rank(self.side);
        }
        let lost = self.rights & touched;
        if lost.any() {
            self.rights -= lost;
            for square in lost {
                self.keys.main ^= zobrist::right(square);
            }
        }
    }

    /// Sets the en passant square after a double step to `pawn`, if the side to move has a legal en
    /// passant capture.
    #[inline(always)]
    fn allow_en_passant(&mut self, pawn: Square<G>) {
        let us = self.side;
        let neighbours = pawn.bitboard().left() | pawn.bitboard().right();
        let capturers = neighbours & self.pieces(us, Role::Pawn);
        if capturers.any()
            && let Some(passed) = pawn.forward(us)
        {
            if capturers.into_iter().any(|capturer| self.en_passant_is_legal(capturer, passed)) {
                self.en_passant = Some(passed);
                self.keys.main ^= zobrist::en_passant(passed);
            } else {
                self.illegal_en_passant = Some(passed);
            }
        }
    }

    #[inline(always)]
    fn place(&mut self, piece: Piece, square: Square<G>) {
        self.toggle(piece, square);
        self.board[square] = Some(piece);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square<G>) {
        self.toggle(piece, square);
        self.board[square] = None;
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square<G>) {
        let bit = square.bitboard();
        self.by_role[piece.role().index()] ^= bit;
        self.by_color[piece.color().index()] ^= bit;
        let number = zobrist::piece(piece, square);
        self.keys.main ^= number;
        if piece.role() == Role::Pawn {
            self.keys.pawn ^= number;
        } else {
            self.keys.non_pawn[piece.color().index()] ^= number;
        }
    }

    /// Computes the checkers and the pinned pieces of the side to move.
    #[inline(always)]
    pub(super) fn refresh_checks(&mut self) {
        let us = self.side;
        let king = self.king(us);
        let theirs = self.color(!us);
        let mut checkers = (attacks::pawn(us, king) & theirs & self.role(Role::Pawn))
            | (attacks::knight(king) & theirs & self.role(Role::Knight));
        let mut pinned = Bitboard::EMPTY;
        for (sniper, shield) in self.snipers(us) {
            if shield.is_empty() {
                checkers |= sniper;
            } else if !shield.many() {
                pinned |= shield;
            }
        }
        (self.checkers, self.pinned) = (checkers, pinned);
    }

    // The following functions build a position piece by piece, for `fen` and `setup`.

    /// Places a piece on an empty square.
    pub(crate) fn set_piece(&mut self, piece: Piece, square: Square<G>) {
        self.place(piece, square);
    }

    /// Grants the castling right to the rook, or the relocation right to the king, on this square.
    pub(crate) fn set_right(&mut self, square: Square<G>) {
        if !self.rights.contains(square) {
            self.rights |= square.bitboard();
            self.keys.main ^= zobrist::right(square);
        }
    }

    /// Sets the side to move and the clocks, and computes checkers and pins. All pieces must be placed.
    pub(crate) fn set_turn(&mut self, side: Color, halfmove_clock: u16, fullmove_number: u32) {
        if self.side != side {
            self.keys.main ^= zobrist::black_to_move();
        }
        self.side = side;
        self.halfmove_clock = halfmove_clock;
        self.fullmove_number = fullmove_number;
        self.refresh_checks();
    }

    /// Sets the en passant square after a double step to `pawn`, if an en passant capture is legal.
    pub(crate) fn set_double_step(&mut self, pawn: Square<G>) {
        self.allow_en_passant(pawn);
    }
}
