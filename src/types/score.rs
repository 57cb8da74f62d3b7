//! Scores of the search: evaluations, tablebase wins and mates.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Color;

/// A score from the side to move's point of view: an evaluation, a tablebase win or a forced mate.
///
/// Evaluations are in the search's own unit, nominally a hundredth of a middlegame pawn;
/// `engine::chances` converts them to the centipawns that are displayed.
///
/// Evaluations stay within `±MAX_EVAL`. A tablebase win in `n` plies is `TABLEBASE_WIN - n`, a mate in
/// `n` plies `MATE - n`.
pub type Value = i32;

/// The bound of all scores: their magnitude is at most this.
pub const INFINITE: Value = 32_001;
/// Stands for a missing score.
pub const NONE: Value = 32_002;
/// Mate in 0 plies.
pub const MATE: Value = 32_000;
/// Scores of at least this magnitude are mates.
pub const MATE_BOUND: Value = MATE - 512;
/// A tablebase win in 0 plies.
pub const TABLEBASE_WIN: Value = MATE_BOUND - 1;
/// Scores of at least this magnitude are tablebase wins or mates.
pub const TABLEBASE_BOUND: Value = TABLEBASE_WIN - 512;
/// The largest evaluation.
pub const MAX_EVAL: Value = TABLEBASE_BOUND - 1;
/// A draw.
pub const DRAW: Value = 0;

/// Whether a score is a mate for either side.
#[inline(always)]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether a score is a proven win for either side: a mate or a tablebase win.
#[inline(always)]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= TABLEBASE_BOUND
}

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this one (fail low).
    Upper = 1,
    /// The true score is at least this one (fail high).
    Lower = 2,
    /// The score is exact.
    Exact = 3,
}

impl Bound {
    /// Whether a value with this bound is more accurate than an estimate.
    #[inline(always)]
    pub fn betters(self, value: Value, guess: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > guess,
            Bound::Upper => value < guess,
        }
    }
}

/// The window of a search, the range of values that matter: at or below `alpha` the side to move has
/// something better elsewhere, at or above `beta` its opponent has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The score to exceed.
    pub alpha: Value,
    /// The score from which on the node is cut off.
    pub beta: Value,
}

impl Window {
    /// Returns the null window that tests whether a value is above `alpha`.
    #[inline(always)]
    pub fn null(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Returns the window from the opponent's point of view.
    #[inline(always)]
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether no value lies between alpha and beta.
    #[inline(always)]
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

/// A score as people and protocols write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// For the side to move. 100 win half of the games (`engine::chances`).
    #[serde(rename = "cp")]
    Centipawns(Value),
    /// Mate in this many moves (not plies); negative if the side to move is mated.
    Mate(i32),
}

impl Score {
    /// Converts a value that is already in centipawns; mate scores become moves.
    pub(crate) fn new(value: Value) -> Score {
        match value {
            MATE_BOUND.. => Score::Mate((MATE - value + 1) / 2),
            _ if is_mate(value) => Score::Mate(-(MATE + value) / 2),
            _ => Score::Centipawns(value),
        }
    }

    /// Whether the side it is for is not worse: a score of at least zero, or that side mates.
    pub const fn is_good(self) -> bool {
        match self {
            Score::Centipawns(value) => value >= 0,
            Score::Mate(moves) => moves > 0,
        }
    }

    /// Whether the side it is for is not better: a score of at most zero, or that side is mated.
    pub const fn is_no_better(self) -> bool {
        match self {
            Score::Centipawns(value) => value <= 0,
            Score::Mate(moves) => moves <= 0,
        }
    }

    /// Converts between a score for a side and a score for White, in either direction.
    pub const fn for_white(self, color: Color) -> Score {
        match (self, color) {
            (score, Color::White) => score,
            (Score::Centipawns(value), Color::Black) => Score::Centipawns(-value),
            (Score::Mate(moves), Color::Black) => Score::Mate(-moves),
        }
    }
}

impl fmt::Display for Score {
    /// Writes pawns, or moves to mate: `+0.31`, `#-3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Score::Centipawns(value) => f.pad(&format!("{:+.2}", f64::from(*value) / 100.0)),
            Score::Mate(moves) => f.pad(&format!("#{moves}")),
        }
    }
}
