use super::ply::Ply;
use crate::types::Value;

/// Which plies to learn from. Files keep all of them, so that a filter can be chosen later.
///
/// An evaluation should learn quiet positions: where the best move takes or promotes, or the
/// mover is in check, the score tells what the tactics give and not what the position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Leave out positions in check.
    pub skip_checks: bool,
    /// Leave out positions whose best move takes or promotes.
    pub skip_tactical: bool,
    /// Leave out positions whose move was drawn; they have no score.
    pub skip_random: bool,
    /// Leave out this many plies of a game, the random ones included.
    pub first_ply: usize,
    /// Keep sizes of scores below this.
    pub score_below: Value,
}

impl Default for Filter {
    /// Quiet positions after ply 8 with scores below 30 pawns.
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
    /// Keeps everything that has a score.
    pub const SEARCHED: Filter = Filter {
        skip_checks: false,
        skip_tactical: false,
        skip_random: true,
        first_ply: 0,
        score_below: Value::MAX,
    };

    /// Whether to keep a ply, the `number`th of its game, from 0.
    #[inline(always)]
    pub const fn keeps(&self, number: usize, ply: Ply) -> bool {
        number >= self.first_ply
            && !ply.has(self.unwanted())
            && ply.score().abs() < self.score_below
    }

    #[inline(always)]
    const fn unwanted(&self) -> u32 {
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
