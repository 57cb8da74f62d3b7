//! Scores of the search: evaluations, tablebase wins and mates.

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
