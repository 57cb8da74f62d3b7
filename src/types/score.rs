//! Scores: evaluations, tablebase wins and mates.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Color;

/// A score from the side to move's point of view: an evaluation, a tablebase win or a forced mate.
///
/// Evaluations are in an internal unit of the search, nominally a hundredth of a middlegame pawn.
/// `engine::chances` converts evaluations to the centipawns that are displayed.
///
/// Evaluations stay within `±MAX_EVAL`. A tablebase win in `n` plies is `TABLEBASE_WIN - n`, and a mate in
/// `n` plies is `MATE - n`. Losses have the negative scores.
pub type Value = i32;

/// The largest score. All scores are from `-INFINITE` to `INFINITE`.
pub const INFINITE: Value = 32_001;
/// The value that stands for a missing score. It is outside the range of scores.
pub const NONE: Value = 32_002;
/// The score of a mate in 0 plies.
pub const MATE: Value = 32_000;
/// The smallest absolute value of a mate score.
pub const MATE_BOUND: Value = MATE - 512;
/// The score of a tablebase win in 0 plies.
pub const TABLEBASE_WIN: Value = MATE_BOUND - 1;
/// The smallest absolute value of a tablebase win or mate score.
pub const TABLEBASE_BOUND: Value = TABLEBASE_WIN - 512;
/// The largest evaluation.
pub const MAX_EVAL: Value = TABLEBASE_BOUND - 1;
/// The score of a draw.
pub const DRAW: Value = 0;

/// Returns whether a score is a mate for either side.
#[inline(always)]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Returns whether a score is a proven win for either side, which is a mate or a tablebase win.
#[inline(always)]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= TABLEBASE_BOUND
}

/// The relation of a score to the true score: the score is exact, or an upper or lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this score: the search failed low.
    Upper = 1,
    /// The true score is at least this score: the search failed high.
    Lower = 2,
    /// The score is exact.
    Exact = 3,
}

impl Bound {
    /// Returns whether `value`, a score with this bound, is more accurate than the estimate `guess`.
    #[inline(always)]
    pub fn betters(self, value: Value, guess: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > guess,
            Bound::Upper => value < guess,
        }
    }
}

/// The alpha-beta window of a search. At or below `alpha`, the side to move has a better alternative earlier
/// in the tree. At or above `beta`, the opponent has a better alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The lower bound. The search looks for moves with a score above `alpha`.
    pub alpha: Value,
    /// The upper bound. A score of at least `beta` causes a cutoff.
    pub beta: Value,
}

impl Window {
    /// Returns the null window for a search that tests whether a score is above `alpha`.
    #[inline(always)]
    pub fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Returns the same window from the opponent's point of view.
    #[inline(always)]
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns whether the window is empty: alpha is at least beta.
    #[inline(always)]
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

/// A score for users and protocols, in centipawns or moves to mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// An evaluation for the side to move. A side with 100 centipawns wins half of its games; see
    /// `engine::chances`.
    #[serde(rename = "cp")]
    Centipawns(Value),
    /// A mate: the number of moves (not plies) to mate. The number is negative if the side to move is mated.
    Mate(i32),
}

impl Score {
    /// Converts a [`Value`] to a score. An evaluation must already be in displayed centipawns. Mate scores
    /// are converted from plies to moves.
    pub(crate) fn new(value: Value) -> Score {
        match value {
            MATE_BOUND.. => Score::Mate((MATE - value + 1) / 2),
            _ if is_mate(value) => Score::Mate(-(MATE + value) / 2),
            _ => Score::Centipawns(value),
        }
    }

    /// Returns whether the score is an evaluation of at least zero, or a mate in a positive number of moves.
    pub const fn is_good(self) -> bool {
        match self {
            Score::Centipawns(value) => value >= 0,
            Score::Mate(moves) => moves > 0,
        }
    }

    /// Returns whether the score is an evaluation of at most zero, or a mate in a negative number of moves or
    /// zero moves.
    pub const fn is_no_better(self) -> bool {
        match self {
            Score::Centipawns(value) => value <= 0,
            Score::Mate(moves) => moves <= 0,
        }
    }

    /// Converts a score for `color` to a score for White, or a score for White to a score for `color`.
    pub const fn for_white(self, color: Color) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(value * color.sign()),
            Score::Mate(moves) => Score::Mate(moves * color.sign()),
        }
    }
}

impl fmt::Display for Score {
    /// Writes an evaluation in pawns (`+0.31`), or the moves to mate (`#-3`).
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Score::Centipawns(value) => f.pad(&format!("{:+.2}", f64::from(*value) / 100.0)),
            Score::Mate(moves) => f.pad(&format!("#{moves}")),
        }
    }
}
