use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// What a search says of a position, for the side to move: centipawns, or a forced mate.
///
/// Evaluations stay within `±MAX_EVAL`; a mate in `n` plies is `MATE - n`.
pub type Value = i32;

/// Scores are at most this in size.
pub const INFINITE: Value = 32_001;
/// No score at all.
pub const NONE: Value = 32_002;
/// The side to move has mated (0 plies from now).
pub const MATE: Value = 32_000;
/// Sizes above this are mates.
pub const MATE_BOUND: Value = MATE - 512;
/// No evaluation is larger than this.
pub const MAX_EVAL: Value = MATE_BOUND - 1;
/// A draw.
pub const DRAW: Value = 0;

/// Whether a value is a mate for either side.
#[inline(always)]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// A middle-game and an end-game value, in centipawns; the game phase blends them.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    pub mg: i32,
    pub eg: i32,
}

impl Score {
    pub const ZERO: Score = Score::new(0, 0);

    #[inline(always)]
    pub const fn new(mg: i32, eg: i32) -> Score {
        Score { mg, eg }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "S({}, {})", self.mg, self.eg)
    }
}

impl Add for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, other: Score) -> Score {
        Score::new(self.mg + other.mg, self.eg + other.eg)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, other: Score) -> Score {
        Score::new(self.mg - other.mg, self.eg - other.eg)
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score::new(-self.mg, -self.eg)
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn mul(self, factor: i32) -> Score {
        Score::new(self.mg * factor, self.eg * factor)
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline(always)]
    fn sub_assign(&mut self, other: Score) {
        *self = *self - other;
    }
}
