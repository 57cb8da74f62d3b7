//! A filter that selects the plies to train on.

use super::ply::Ply;
use crate::types::Value;

/// Selects the plies to train on. Data sets contain all plies, so that the filter can be chosen later.
///
/// An evaluation should learn from quiet positions. In other positions the score reflects tactics more than
/// the position itself: when the side to move is in check, or when the best move is a capture or promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Whether to skip positions in which the side to move is in check.
    pub skip_checks: bool,
    /// Whether to skip positions whose best move is a capture or promotion.
    pub skip_tactical: bool,
    /// Whether to skip random moves, which have no score.
    pub skip_random: bool,
    /// How many plies to skip at the start of each game, including the random plies.
    pub first_ply: usize,
    /// Positions are kept only if the absolute value of the score is below this limit.
    pub score_below: Value,
}

impl Default for Filter {
    /// Returns a filter that keeps quiet positions after the first eight plies, with scores below 30 pawns.
    fn default() -> Filter {
        Filter {
            skip_checks: true,
            skip_tactical: true,
            skip_random: true,
            first_ply: 8,
            score_below: 3_000,
        }
    }
}

impl Filter {
    /// A filter that keeps every ply with a score.
    pub const SEARCHED: Filter = Filter {
        skip_checks: false,
        skip_tactical: false,
        skip_random: true,
        first_ply: 0,
        score_below: Value::MAX,
    };

    /// Returns whether the filter keeps a ply. `number` is the index of the ply in its game, counted from 0.
    #[inline(always)]
    pub const fn keeps(&self, number: usize, ply: Ply) -> bool {
        number >= self.first_ply
            && !ply.has(self.skipped_flags())
            && ply.score().abs() < self.score_below
    }

    #[inline(always)]
    const fn skipped_flags(&self) -> u32 {
        let mut flags = 0;
        if self.skip_checks {
            flags |= Ply::IN_CHECK;
        }
        if self.skip_tactical {
            flags |= Ply::CAPTURE | Ply::PROMOTION;
        }
        if self.skip_random {
            flags |= Ply::RANDOM;
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(flags: u32, score: i16) -> Ply {
        let [a, b, c, _] = (12 | 28 << 7 | flags).to_le_bytes();
        let [d, e] = score.to_le_bytes();
        Ply::from_bytes([a, b, c, d, e])
    }

    #[test]
    fn quiet_positions_are_kept() {
        let filter = Filter::default();
        assert!(filter.keeps(8, ply(0, 2_999)) && filter.keeps(8, ply(Ply::CASTLING, -2_999)));
        assert!(!filter.keeps(7, ply(0, 0)), "too early");
        assert!(!filter.keeps(8, ply(0, 3_000)) && !filter.keeps(8, ply(0, -3_000)));
        for flag in [Ply::CAPTURE, Ply::PROMOTION, Ply::IN_CHECK, Ply::RANDOM] {
            assert!(!filter.keeps(8, ply(flag, 0)));
        }
    }

    #[test]
    fn every_condition_can_be_switched_off() {
        for flag in [Ply::CAPTURE, Ply::PROMOTION, Ply::IN_CHECK] {
            assert!(Filter::SEARCHED.keeps(0, ply(flag, 31_999)));
        }
        assert!(!Filter::SEARCHED.keeps(0, ply(Ply::RANDOM, 0)));
        let all = Filter { skip_random: false, ..Filter::SEARCHED };
        assert!(all.keeps(0, ply(Ply::RANDOM, 0)));
    }
}
