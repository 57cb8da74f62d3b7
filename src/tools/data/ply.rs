//! One ply of a recorded game, stored in five bytes.

use crate::geometry::Board;
use crate::position::Position;
use crate::types::score::MATE;
use crate::types::{Move, Value};

/// A ply of a recorded game: the move, some flags, and the score for the side that moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// Bits 0-23 of a ply, as documented in [`super`].
    bits: u32,
    score: i16,
}

impl Ply {
    /// The size of a ply in a file, in bytes.
    pub const BYTES: usize = 5;

    pub(super) const CAPTURE: u32 = 1 << 16;
    pub(super) const EN_PASSANT: u32 = 1 << 17;
    pub(super) const CASTLING: u32 = 1 << 18;
    pub(super) const PROMOTION: u32 = 1 << 19;
    pub(super) const IN_CHECK: u32 = 1 << 20;
    pub(super) const RANDOM: u32 = 1 << 21;

    /// Records a legal move with the score for the side to move.
    pub fn searched<G: Board>(position: &Position<G>, mv: Move, score: Value) -> Ply {
        let mut bits = u32::from(mv.bits());
        for (flag, holds) in [
            (Ply::CAPTURE, position.is_capture(mv)),
            (Ply::EN_PASSANT, position.is_en_passant(mv)),
            (Ply::CASTLING, position.is_castling(mv)),
            (Ply::PROMOTION, position.is_promotion(mv)),
            (Ply::IN_CHECK, position.in_check()),
        ] {
            bits |= if holds { flag } else { 0 };
        }
        // No score is larger than a mate score, so every score fits into 16 bits.
        Ply { bits, score: score.clamp(-MATE, MATE) as i16 }
    }

    /// Records a legal move that was played at random, without a score.
    pub fn random<G: Board>(position: &Position<G>, mv: Move) -> Ply {
        let Ply { bits, .. } = Ply::searched(position, mv, 0);
        Ply { bits: bits | Ply::RANDOM, score: 0 }
    }

    /// Decodes the five bytes of a ply. Accepts any bytes, so the move may be illegal.
    #[inline(always)]
    pub const fn from_bytes(bytes: [u8; Ply::BYTES]) -> Ply {
        let [a, b, c, d, e] = bytes;
        Ply { bits: u32::from_le_bytes([a, b, c, 0]), score: i16::from_le_bytes([d, e]) }
    }

    /// Encodes the ply as five bytes.
    pub const fn to_bytes(self) -> [u8; Ply::BYTES] {
        let [a, b, c, _] = self.bits.to_le_bytes();
        let [d, e] = self.score.to_le_bytes();
        [a, b, c, d, e]
    }

    /// Returns the move, or `None` if a square is not on the board. The move may be illegal.
    #[inline(always)]
    pub fn mv<G: Board>(self) -> Option<Move> {
        Move::from_bits::<G>(self.bits as u16)
    }

    /// Returns the score for the side to move. The score of a random move is 0.
    #[inline(always)]
    pub const fn score(self) -> Value {
        self.score as Value
    }

    /// Returns whether at least one of these flags is set.
    #[inline(always)]
    pub(super) const fn has(self, flags: u32) -> bool {
        self.bits & flags != 0
    }

    /// Returns whether the move is a capture, including en passant.
    pub const fn is_capture(self) -> bool {
        self.has(Ply::CAPTURE)
    }

    /// Returns whether the move is a promotion.
    pub const fn is_promotion(self) -> bool {
        self.has(Ply::PROMOTION)
    }

    /// Returns whether the side to move was in check before the move.
    pub const fn in_check(self) -> bool {
        self.has(Ply::IN_CHECK)
    }

    /// Returns whether the move was played at random, without a search.
    pub const fn is_random(self) -> bool {
        self.has(Ply::RANDOM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::notation::parse_uci;
    use crate::rules::KingRight;

    fn ply(fen: &str, mv: &str, score: Value) -> Ply {
        let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let mv = parse_uci(&position, mv).unwrap();
        let ply = Ply::searched(&position, mv, score);
        assert_eq!(ply.mv::<Board8x8>(), Some(mv));
        assert_eq!(Ply::from_bytes(ply.to_bytes()), ply);
        assert_eq!(Ply::from_bytes(Ply::random(&position, mv).to_bytes()).score(), 0);
        assert!(Ply::random(&position, mv).is_random() && !ply.is_random());
        ply
    }

    #[test]
    fn flags_describe_the_move() {
        let flags = |fen, mv| ply(fen, mv, 1).bits >> 16 << 16;
        let quiet = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(flags(quiet, "a1b1"), 0);
        assert_eq!(flags(quiet, "e1h1"), Ply::CASTLING);
        assert_eq!(flags(quiet, "a1a8"), Ply::CAPTURE);
        let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        assert_eq!(flags(passing, "e5d6"), Ply::CAPTURE | Ply::EN_PASSANT);
        let promoting = "3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(flags(promoting, "e7d8r"), Ply::CAPTURE | Ply::PROMOTION);
        let checked = "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1";
        assert_eq!(flags(checked, "e1e2"), Ply::CAPTURE | Ply::IN_CHECK);
    }

    #[test]
    fn scores_including_mates_round_trip() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for score in [0, 1, -1, 2_999, -MATE, MATE - 7] {
            assert_eq!(ply(fen, "g1f3", score).score(), score);
        }
    }

    #[test]
    fn bytes_match_the_documented_format() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        // Square e2 has index 12 and e4 has index 28. The score is -2 in two's complement.
        let bits = 12_u32 | 28 << 7;
        let [low, middle, high, _] = bits.to_le_bytes();
        assert_eq!(ply(fen, "e2e4", -2).to_bytes(), [low, middle, high, 0xfe, 0xff]);
    }
}
