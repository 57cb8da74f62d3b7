//! Legal move generation.
//!
//! The generator visits each piece once and passes sets of target squares to a [`Sink`]. One kind of sink
//! lists the moves, another kind only counts the moves. Legality is cheap, because a position stores its
//! checkers and pinned pieces. In check, the targets are limited to squares that end the check. A pinned
//! piece stays on the line of the pin. Only king moves and en passant captures are checked one by one.

use super::Position;
use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Color, Move, MoveList, Role, Square};

/// Receives legal moves in the form in which the generator produces them.
trait Sink<G: Board> {
    /// Adds the moves of a piece.
    fn piece(&mut self, from: Square<G>, targets: Bitboard<G>);
    /// Adds moves of several pawns. `distance` is the index of each target square minus the index of the
    /// origin square.
    fn pawns(&mut self, targets: Bitboard<G>, distance: i8);
    /// Adds promotions of several pawns: four moves for each target.
    fn promotions(&mut self, targets: Bitboard<G>, distance: i8);
    /// Adds a single move.
    fn one(&mut self, mv: Move);
}

impl<G: Board> Sink<G> for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square<G>, targets: Bitboard<G>) {
        for to in targets {
            self.push(Move::new(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard<G>, distance: i8) {
        for to in targets {
            self.push(Move::new(to.offset(-distance), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard<G>, distance: i8) {
        for to in targets {
            for role in Role::PROMOTIONS.into_iter().rev() {
                self.push(Move::promotion(to.offset(-distance), to, role));
            }
        }
    }

    #[inline(always)]
    fn one(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// A sink that counts moves without listing them.
struct Counter(u32);

impl<G: Board> Sink<G> for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square<G>, targets: Bitboard<G>) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard<G>, _: i8) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard<G>, _: i8) {
        self.0 += 4 * targets.count();
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// The direction and the promotion rank of the pawns of the side to move.
struct PawnStep<G: Board> {
    us: Color,
    promotion_rank: Bitboard<G>,
    forward: i8,
}

impl<G: Board> PawnStep<G> {
    #[inline(always)]
    fn new(us: Color) -> Self {
        let forward = match us {
            Color::White => G::FILES as i8,
            Color::Black => -(G::FILES as i8),
        };
        PawnStep { us, promotion_rank: Bitboard::rank(G::PROMOTION_RANK[us.index()]), forward }
    }
}

impl<G: Board> Position<G> {
    /// Generates all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate::<true, true>(&mut moves);
        moves
    }

    /// Appends the legal captures and promotions.
    pub fn add_noisy_moves(&self, moves: &mut MoveList) {
        self.generate::<true, false>(moves);
    }

    /// Appends the legal moves that are neither captures nor promotions.
    pub fn add_quiet_moves(&self, moves: &mut MoveList) {
        self.generate::<false, true>(moves);
    }

    /// Counts the legal moves without listing them.
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = Counter(0);
        self.generate::<true, true>(&mut counter);
        counter.0
    }

    /// Returns whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline(always)]
    fn generate<const NOISY: bool, const QUIET: bool>(&self, sink: &mut impl Sink<G>) {
        let us = self.side;
        let wanted = match (NOISY, QUIET) {
            (true, true) => !self.color(us),
            (true, false) => self.color(!us),
            _ => !self.occupied(),
        };
        let king = self.king(us);
        self.king_moves(king, wanted, sink);
        if self.checkers.many() {
            return; // only a king move evades a double check
        }
        if QUIET && self.checkers.is_empty() {
            self.home_rank_moves(king, sink);
        }
        let evasions = self.evasion_targets();
        self.piece_moves(king, wanted & evasions, sink);
        self.pawn_moves::<NOISY, QUIET>(king, evasions, sink);
    }

    #[inline(always)]
    fn king_moves(&self, king: Square<G>, wanted: Bitboard<G>, sink: &mut impl Sink<G>) {
        let them = !self.side;
        // Remove the king, so that the king does not shield its target squares from sliders.
        let occupied = self.occupied() ^ king.bitboard();
        let mut targets = attacks::king(king) & wanted;
        for to in targets {
            if self.is_attacked(them, to, occupied) {
                targets ^= to.bitboard();
            }
        }
        sink.piece(king, targets);
    }

    /// Generates castling moves and relocations of the king.
    #[inline(always)]
    fn home_rank_moves(&self, king: Square<G>, sink: &mut impl Sink<G>) {
        let holders = self.rights & self.color(self.side);
        for holder in holders {
            if holder != king {
                if self.castling_is_legal(king, holder) {
                    sink.one(Move::new(king, holder));
                }
            } else {
                sink.piece(king, self.relocations(king) - attacks::king(king));
            }
        }
    }

    #[inline(always)]
    fn piece_moves(&self, king: Square<G>, wanted: Bitboard<G>, sink: &mut impl Sink<G>) {
        let ours = self.color(self.side);
        let occupied = self.occupied();
        let free = ours - self.pinned;
        // A pinned knight never moves.
        for from in free & self.role(Role::Knight) {
            sink.piece(from, attacks::knight(from) & wanted);
        }
        for from in free & self.role(Role::Bishop) {
            sink.piece(from, attacks::bishop(from, occupied) & wanted);
        }
        for from in free & self.role(Role::Rook) {
            sink.piece(from, attacks::rook(from, occupied) & wanted);
        }
        for from in free & self.role(Role::Queen) {
            sink.piece(from, attacks::queen(from, occupied) & wanted);
        }
        for from in self.pinned & self.diagonal_sliders() {
            let on_line = attacks::line(king, from) & wanted;
            sink.piece(from, attacks::bishop(from, occupied) & on_line);
        }
        for from in self.pinned & self.straight_sliders() {
            let on_line = attacks::line(king, from) & wanted;
            sink.piece(from, attacks::rook(from, occupied) & on_line);
        }
    }

    #[inline(always)]
    fn pawn_moves<const NOISY: bool, const QUIET: bool>(
        &self,
        king: Square<G>,
        evasions: Bitboard<G>,
        sink: &mut impl Sink<G>,
    ) {
        let us = self.side;
        let step = PawnStep::new(us);
        let pawns = self.pieces(us, Role::Pawn);
        let free = pawns - self.pinned;

        // A pinned pawn can step forward only along the king's file.
        let steppers = free | pawns & self.pinned & Bitboard::file(king.file());
        let empty = !self.occupied();
        let single = steppers.forward(us) & empty;
        if QUIET {
            let jumped = Bitboard::rank(G::PAWN_RANK[us.index()]).forward(us);
            let double = (single & jumped).forward(us) & empty & evasions;
            sink.pawns((single & evasions) - step.promotion_rank, step.forward);
            sink.pawns(double, 2 * step.forward);
        }
        if NOISY {
            sink.promotions(single & evasions & step.promotion_rank, step.forward);
            let victims = self.color(!us) & evasions;
            let ahead = free.forward(us);
            Self::pawn_captures(&step, ahead.left() & victims, step.forward - 1, sink);
            Self::pawn_captures(&step, ahead.right() & victims, step.forward + 1, sink);
            self.pinned_pawn_captures(king, &step, victims, sink);
            self.en_passant_moves(sink);
        }
    }

    #[inline(always)]
    fn pawn_captures(
        step: &PawnStep<G>,
        targets: Bitboard<G>,
        distance: i8,
        sink: &mut impl Sink<G>,
    ) {
        sink.pawns(targets - step.promotion_rank, distance);
        sink.promotions(targets & step.promotion_rank, distance);
    }

    #[inline(always)]
    fn pinned_pawn_captures(
        &self,
        king: Square<G>,
        step: &PawnStep<G>,
        victims: Bitboard<G>,
        sink: &mut impl Sink<G>,
    ) {
        for from in self.pinned & self.role(Role::Pawn) {
            let targets = attacks::pawn(step.us, from) & victims & attacks::line(king, from);
            for to in targets {
                let distance = (to.index() as i16 - from.index() as i16) as i8;
                Self::pawn_captures(step, to.bitboard(), distance, sink);
            }
        }
    }

    #[inline(always)]
    fn en_passant_moves(&self, sink: &mut impl Sink<G>) {
        if let Some(passed) = self.en_passant {
            let us = self.side;
            for from in attacks::pawn(!us, passed) & self.pieces(us, Role::Pawn) {
                if self.en_passant_is_legal(from, passed) {
                    sink.one(Move::new(from, passed));
                }
            }
        }
    }
}
