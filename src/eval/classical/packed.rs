//! A middle-game and an end-game value in one machine word.
//!
//! The evaluation adds up some hundred terms. With both halves in one `i32` (the end game in the
//! upper 16 bits, the middle game in the lower, a borrow between them) each addition and each
//! multiplication by a count is one instruction. The technique is common to classical engines.

use crate::types::Score;
use crate::types::score::impl_arithmetic;

/// Both halves of a [`Score`], each within ±32,767 centipawns: more than 15 queens are worth.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed(i32);

impl Packed {
    pub const ZERO: Packed = Packed(0);

    /// The middle-game half in centipawns.
    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The end-game half in centipawns.
    #[inline(always)]
    pub const fn eg(self) -> i32 {
        // The lower half, if negative, has borrowed one from the upper.
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl From<Score> for Packed {
    #[inline(always)]
    fn from(score: Score) -> Packed {
        Packed((score.eg << 16).wrapping_add(score.mg))
    }
}

impl From<Packed> for Score {
    #[inline(always)]
    fn from(packed: Packed) -> Score {
        Score::new(packed.mg(), packed.eg())
    }
}

impl_arithmetic!(
    Packed,
    |a: Packed, b: Packed| Packed(a.0.wrapping_add(b.0)),
    |a: Packed| Packed(a.0.wrapping_neg()),
    |a: Packed, factor: i32| Packed(a.0.wrapping_mul(factor))
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn arithmetic_is_that_of_scores(
            (a, b, c, d, n) in (-3000..3000, -3000..3000, -3000..3000, -3000..3000, -4..5),
        ) {
            let (x, y) = (Score::new(a, b), Score::new(c, d));
            let (px, py) = (Packed::from(x), Packed::from(y));
            prop_assert_eq!(Score::from(px), x);
            prop_assert_eq!(Score::from(px + py), x + y);
            prop_assert_eq!(Score::from(px - py), x - y);
            prop_assert_eq!(Score::from(-px), -x);
            prop_assert_eq!(Score::from(px * n), x * n);
        }
    }
}
