//! Deliberate weakness.

use crate::geometry::Geometry;
use crate::types::score::MAX_EVAL;
use crate::types::{Move, Value};

/// The attention that overlooks nothing.
pub const ALL_SEEN: u64 = 1000;

/// How much worse than it can a search plays: by errors of the evaluation, a limit of nodes, and
/// moves that it overlooks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The evaluation is off by up to this many centipawns, either way.
    pub error: Value,
    /// No search has more nodes than this.
    pub nodes: u64,
    /// How likely a move is still seen for each square that the eye has to go, in thousandths.
    pub attention: u64,
    /// Which errors they are.
    pub seed: u64,
}

impl Skill {
    /// The evaluation of the position with this key, with its error: always the same in a game, so
    /// that the search stays consistent.
    #[inline]
    pub fn distort(self, eval: Value, key: u64) -> Value {
        // Two draws: errors near zero are more frequent than large ones.
        let mixed = self.mix(key);
        let draw = |bits: u64| (bits & 0xffff) as i64 - 0x8000;
        let sum = draw(mixed >> 48) + draw(mixed >> 32);
        let error = (sum * i64::from(self.error) / 0x1_0000) as Value;
        (eval + error).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Whether a move is overlooked in the position with this key, either side's: always or never
    /// in a game. Beginners look where something has just happened, and see short moves before
    /// long ones: so they take back, but leave a man to a bishop from the far corner.
    pub fn overlooks<G: Geometry>(self, key: u64, mv: Move, last: Option<Move>) -> bool {
        if self.attention == ALL_SEEN {
            return false;
        }
        let to = mv.to::<G>();
        let squares = mv.from().distance(to) + last.map_or(0, |last| last.to().distance(to));
        let seen = (0..squares).fold(1 << 32, |seen, _| seen * self.attention / ALL_SEEN);
        self.mix(key ^ u64::from(mv.bits()).wrapping_mul(0xd6e8_feb8_6659_fd93)) >> 32 >= seen
    }

    /// What looks like chance, and is the same for the same key in a game.
    #[inline]
    const fn mix(self, key: u64) -> u64 {
        (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Board8x8, Board10x10};
    use crate::notation;
    use crate::position::Position;
    use crate::rules::KingRight;

    const BEGINNER: Skill = Skill { error: 0, nodes: 40, attention: 600, seed: 1 };

    /// In how many of 1,000 positions a move is seen after another.
    fn seen<G: Geometry>(mv: Move, last: Option<Move>) -> usize {
        (0..1_000_u64)
            .map(|key| key.wrapping_mul(0x2545_f491_4f6c_dd1d))
            .filter(|&key| !BEGINNER.overlooks::<G>(key, mv, last))
            .count()
    }

    #[test]
    fn short_moves_where_something_happened_are_seen_best() {
        let position: Position<Board8x8> =
            Position::from_fen("4k3/7b/8/8/8/8/8/R3K2R w KQ - 0 1", KingRight::Castling).unwrap();
        let read = |text: &str| notation::parse_move(&position, text).unwrap();
        let (step, rook) = (read("e1d1"), read("a1a8"));
        assert!((500..700).contains(&seen::<Board8x8>(step, None)));
        assert!((1..100).contains(&seen::<Board8x8>(rook, None)));
        // Next to the last move, and far away from it.
        assert!(
            seen::<Board8x8>(step, Some(read("e1f1"))) > 2 * seen::<Board8x8>(step, Some(rook))
        );
        let attentive = Skill { attention: ALL_SEEN, ..BEGINNER };
        assert!((0..1_000).all(|key| !attentive.overlooks::<Board8x8>(key, rook, Some(step))));
    }

    #[test]
    fn what_is_overlooked_differs_by_game_alone() {
        let fen = "4k5/10/10/10/10/10/10/10/4K5/R9 w - - 0 1";
        let position: Position<Board10x10> = Position::from_fen(fen, KingRight::Castling).unwrap();
        let moves = position.legal_moves();
        let overlooked = |seed| {
            let skill = Skill { seed, ..BEGINNER };
            let is_overlooked = |&&mv: &&Move| skill.overlooks::<Board10x10>(7, mv, None);
            moves.iter().filter(is_overlooked).copied().collect::<Vec<_>>()
        };
        assert_eq!(overlooked(1), overlooked(1));
        assert_ne!(overlooked(1), overlooked(2));
    }
}
