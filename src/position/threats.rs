//! Which squares a side attacks, by the worth of the attacking pieces.

use super::Position;
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Move, Role, Square};

/// The squares that one side attacks.
#[derive(Clone, Copy)]
pub struct Threats<G: Board> {
    pawns: Bitboard<G>,
    /// With minor pieces or pawns.
    minors: Bitboard<G>,
    /// With rooks or less.
    rooks: Bitboard<G>,
    all: Bitboard<G>,
}

impl<G: Board> Threats<G> {
    /// No square.
    pub const NONE: Threats<G> = Threats {
        pawns: Bitboard::EMPTY,
        minors: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// Those of a colour.
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

    /// Every square that the side attacks.
    #[inline(always)]
    pub fn all(&self) -> Bitboard<G> {
        self.all
    }

    /// Which of the four histories a move belongs to: does it leave an attacked square, does it
    /// go to one?
    #[inline(always)]
    pub fn index(&self, mv: Move) -> usize {
        usize::from(self.all.contains(mv.from())) + 2 * usize::from(self.all.contains(mv.to()))
    }

    /// What a move gains by leaving a square where a lesser piece would take it, or loses by going
    /// to one, in pawns.
    #[inline]
    pub fn gain(&self, position: &Position<G>, mv: Move) -> i32 {
        let (worth, lesser) = match position.moved_piece(mv).role() {
            Role::Knight | Role::Bishop => (3, self.pawns),
            Role::Rook => (5, self.minors),
            Role::Queen => (9, self.rooks),
            Role::Pawn | Role::King => return 0,
        };
        worth * (i32::from(lesser.contains(mv.from())) - i32::from(lesser.contains(mv.to())))
    }
}

/// The squares from where pieces of the side to move attack the enemy king.
pub struct CheckSquares<G: Board> {
    king: Square<G>,
    pawn: Bitboard<G>,
    knight: Bitboard<G>,
    diagonal: Bitboard<G>,
    straight: Bitboard<G>,
}

impl<G: Board> CheckSquares<G> {
    /// Those of a position.
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

    /// Whether a move checks: with the piece that it moves, by castling with the rook, or with the
    /// slider whose line it leaves. Not seen is what a promoted man attacks, or a slider over the
    /// square of a pawn that is taken en passant.
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

    /// Whether a move leaves a line on which a slider then attacks the king.
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
    /// Whether the rook checks after castling. King and rook may have stood in its way before.
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
    fn checks_are_known_by_their_squares() {
        // In the second, castling checks along the row that the king leaves, and in the others
        // knight, pawn, king and rook open lines.
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
    fn pieces_flee_from_lesser_ones_only() {
        // The pawn attacks the knight on f4, the bishop at d3, the rook at a6 and e1.
        let fen = "7k/8/Q5b1/4p3/5N2/3R4/6K1/r3N3 w - - 0 1";
        let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let threats = Threats::of(&position, Color::Black);
        let look = |text| {
            let mv = parse_uci(&position, text).unwrap();
            (threats.gain(&position, mv), threats.index(mv))
        };
        assert_eq!(look("f4h3"), (3, 1));
        assert_eq!(look("d3d8"), (5, 1));
        // No knight fears a bishop or a rook.
        assert_eq!(look("f4h5"), (3, 1 + 2));
        assert_eq!(look("e1c2"), (0, 1));
        assert_eq!(look("a6c6"), (9, 1));
        // From bad to bad; a king counts for nothing.
        assert_eq!(look("a6a5"), (0, 1 + 2));
        assert_eq!(look("g2f2"), (0, 0));
    }
}
