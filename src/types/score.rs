/// What a search says of a position, for the side to move: an evaluation, an ending that tables know
/// to be won, or a forced mate.
///
/// Evaluations are in the search's unit, which its numbers call centipawns: a pawn of the middle game.
/// `engine::chances` turns it into the centipawns that are displayed.
///
/// Evaluations stay within `±MAX_EVAL`; a won ending that arises in `n` plies is `TABLEBASE_WIN - n`, a
/// mate in `n` plies is `MATE - n`.
pub type Value = i32;

/// Scores are at most this in size.
pub const INFINITE: Value = 32_001;
/// No score at all.
pub const NONE: Value = 32_002;
/// The side to move has mated (0 plies from now).
pub const MATE: Value = 32_000;
/// Sizes above this are mates.
pub const MATE_BOUND: Value = MATE - 512;
/// The side to move has an ending that tables know to be won.
pub const TABLEBASE_WIN: Value = MATE_BOUND - 1;
/// Sizes from this on are won endings or mates.
pub const TABLEBASE_BOUND: Value = TABLEBASE_WIN - 512;
/// No evaluation is larger than this.
pub const MAX_EVAL: Value = TABLEBASE_BOUND - 1;
/// A draw.
pub const DRAW: Value = 0;

/// Whether a value is a mate for either side.
#[inline(always)]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether a value is more than an evaluation: the game is won for either side, by a mate or by what
/// tables know.
#[inline(always)]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= TABLEBASE_BOUND
}
