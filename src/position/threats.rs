//! The squares that a side attacks, grouped by the value of the attackers, and the squares from which
//! pieces give check.

use super::Position;
use crate::attacks;
use crate::geometry::Board;
use crate::types::{Bitboard, Color, Move, Role, Square};

/// The squares that one side attacks.
#[derive(Clone, Copy)]
pub struct Threats<G: Board> {
    pawns: Bitboard<G>,
    /// The squares attacked by minor pieces or pawns.
    minors: Bitboard<G>,
    /// The squares attacked by rooks or less valuable pieces.
    rooks: Bitboard<G>,
    all: Bitboard<G>,
}

impl<G: Board> Threats<G> {
    /// No attacked squares.
    pub const NONE: Threats<G> = Threats {
        pawns: Bitboard::EMPTY,
        minors: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// Computes the squares that a side attacks.
    pub fn of(position: &Position<G>, color: Color) -> Threats<G> {
        let with = |all: Bitboard<G>, role: Role| {
            position
                .pieces(color, role)
                .into_iter()
                .fold(all, |all, square| all | attacks::piece(role, square, position.occupied()))
        };
        let pawns = attacks::pawns(color, position.pieces(color, Role::Pawn));
        let minors = with(with(pawns, Role::Knight), Role::Bishop);
        let rooks = with(minors, Role::Rook);
        let all = with(with(rooks, Role::Queen), Role::King);
        Threats { pawns, minors, rooks, all }
    }

    /// All squares that the side attacks.
    #[inline(always)]
    pub fn all(&self) -> Bitboard<G> {
        self.all
    }

    /// The index of a move's history table, from 0 to 3. Bit 0 is set if the origin square is attacked, bit
    /// 1 if the target square is attacked.
    #[inline(always)]
    pub fn index(&self, mv: Move) -> usize {
        usize::from(self.all.contains(mv.from())) + 2 * usize::from(self.all.contains(mv.to()))
    }

    /// Returns the value of the moving piece, in pawns, if the move leaves a square that a less valuable
    /// piece attacks. Returns the negative value if the move goes to a square that a less valuable piece
    /// attacks.
    #[inline]
    pub fn gain(&self, position: &Position<G>, mv: Move) -> i32 {
        let (value, attacked) = match position.moved_piece(mv).role() {
            Role::Knight | Role::Bishop => (3, self.pawns),
            Role::Rook => (5, self.minors),
            Role::Queen => (9, self.rooks),
            Role::Pawn | Role::King => return 0,
        };
        value * (i32::from(attacked.contains(mv.from())) - i32::from(attacked.contains(mv.to())))
    }
}

/// The squares from which pieces of the side to move would attack the enemy king.
pub struct CheckSquares<G: Board> {
    king: Square<G>,
    pawn: Bitboard<G>,
    knight: Bitboard<G>,
    diagonal: Bitboard<G>,
    straight: Bitboard<G>,
}

impl<G: Board> CheckSquares<G> {
    /// Computes the check squares of a position.
    #[inline]
    pub fn of(position: &Position<G>) -> CheckSquares<G> {
        let them = !position.side_to_move();
        let (king, occupied) = (position.king(them), position.occupied());
        CheckSquares {
            king,
            pawn: attacks::pawn(them, king),
            knight: attacks::knight(king),
            diagonal: attacks::bishop(king, occupied),
            straight: attacks::rook(king, occupied),
        }
    }

    /// Returns whether a move gives check: directly, by discovery, or with the rook when castling. Misses
    /// checks by the new piece of a promotion, and discovered checks through the square of a pawn captured
    /// en passant.
    #[inline(always)]
    pub fn is_check(&self, position: &Position<G>, mv: Move) -> bool {
        let to = mv.to();
        let directly = match position.moved_piece(mv).role() {
            Role::Pawn => self.pawn.contains(to),
            Role::Knight => self.knight.contains(to),
            Role::Bishop => self.diagonal.contains(to),
            Role::Rook => self.straight.contains(to),
            Role::Queen => (self.diagonal | self.straight).contains(to),
            Role::King if position.is_castling(mv) => return position.checks_by_castling(mv),
            Role::King => false,
        };
        directly || self.discovers(position, mv)
    }

    /// Returns whether a move gives a discovered check.
    #[inline(always)]
    fn discovers(&self, position: &Position<G>, mv: Move) -> bool {
        let from = mv.from();
        let line = attacks::line(self.king, from);
        if line.is_empty() || line.contains(mv.to()) {
            return false;
        }
        let sliders = position.sliders_to(self.king, position.occupied() - from.bitboard());
        (sliders & line & position.color(position.side_to_move())).any()
    }
}

impl<G: Board> Position<G> {
    /// Returns whether the rook gives check after castling. The king and the rook no longer stand on their
    /// old squares.
    fn checks_by_castling(&self, mv: Move) -> bool {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let (king_to, rook_to) = Self::castling_targets(from, to);
        let others = self.occupied() - from.bitboard() - to.bitboard();
        let after = others | king_to.bitboard() | rook_to.bitboard();
        attacks::rook(rook_to, after).contains(self.king(!self.side_to_move()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::notation::parse_uci;
    use crate::rules::KingRight;

    #[test]
    fn is_check_agrees_with_making_the_move() {
        // In the second position, castling gives check along the rank that the king leaves. In the other
        // positions, moves of knights, pawns, kings and rooks give discovered checks.
        for fen in [
            "7k/8/8/4N3/8/6Q1/8/R3K3 w Q - 0 1",
            "8/8/8/8/8/8/1r6/1k2K2R w K - 0 1",
            "7k/8/8/4N3/8/2B5/6P1/6K1 w - - 0 1",
            "7k/8/8/8/3P4/8/1B6/K7 w - - 0 1",
            "8/8/8/7k/8/7K/8/7R w - - 0 1",
            "k7/8/2R5/8/8/8/6B1/K7 w - - 0 1",
        ] {
            let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
            let checks = CheckSquares::of(&position);
            for mv in position.legal_moves() {
                assert_eq!(checks.is_check(&position, mv), position.after(mv).in_check());
            }
        }
    }

    #[test]
    fn only_less_valuable_attackers_count_as_threats() {
        // The pawn attacks the knight on f4, the bishop attacks the rook on d3, and the rook attacks the
        // queen on a6 and the knight on e1.
        let fen = "7k/8/Q5b1/4p3/5N2/3R4/6K1/r3N3 w - - 0 1";
        let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let threats = Threats::of(&position, Color::Black);
        let gain_and_index = |text| {
            let mv = parse_uci(&position, text).unwrap();
            (threats.gain(&position, mv), threats.index(mv))
        };
        assert_eq!(gain_and_index("f4h3"), (3, 1));
        assert_eq!(gain_and_index("d3d8"), (5, 1));
        // An attack on a knight by a bishop or a rook does not count.
        assert_eq!(gain_and_index("f4h5"), (3, 1 + 2));
        assert_eq!(gain_and_index("e1c2"), (0, 1));
        assert_eq!(gain_and_index("a6c6"), (9, 1));
        // A move from an attacked square to an attacked square gains nothing, and neither does a king move.
        assert_eq!(gain_and_index("a6a5"), (0, 1 + 2));
        assert_eq!(gain_and_index("g2f2"), (0, 0));
    }
}
