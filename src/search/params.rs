//! Every number of the search that could be tuned, and what it means.
//!
//! Depths are in plies, margins in centipawns, history values in the units of
//! [`super::history::LIMIT`].

use once_cell::sync::Lazy;

/// Aspiration windows open from this depth on.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Half the width of the first window.
pub const ASPIRATION_WINDOW: i32 = 18;

/// Results of the table are believed up to this many plies without progress.
pub const TABLE_HALFMOVES: u16 = 90;

/// Reverse futility: at most this depth, this margin a ply, less this if the side is improving.
pub const REVERSE_FUTILITY_DEPTH: i32 = 7;
pub const REVERSE_FUTILITY_MARGIN: i32 = 80;
pub const REVERSE_FUTILITY_IMPROVING: i32 = 60;

/// Null move: at least this depth; the reduction grows by a ply each so many plies of depth and
/// each so many centipawns the evaluation stands above beta (three plies at most).
pub const NULL_MOVE_DEPTH: i32 = 3;
pub const NULL_MOVE_REDUCTION: i32 = 3;
pub const NULL_MOVE_DEPTH_DIVISOR: i32 = 3;
pub const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
/// From this depth on a null move's cut-off is verified by a search without null moves.
pub const NULL_MOVE_VERIFY_DEPTH: i32 = 14;

/// Nodes without a hash move are searched a ply less deep from this depth on.
pub const INTERNAL_REDUCTION_DEPTH: i32 = 5;

/// Late move pruning: quiet moves after this many plus depth squared are skipped (half as many if
/// the side is not improving), at most at this depth.
pub const LATE_MOVE_DEPTH: i32 = 8;
pub const LATE_MOVE_BASE: i32 = 4;

/// Futility: quiet moves are skipped if the evaluation is this far below alpha.
pub const FUTILITY_DEPTH: i32 = 7;
pub const FUTILITY_BASE: i32 = 90;
pub const FUTILITY_MARGIN: i32 = 90;

/// Moves that lose more than this in exchanges are skipped at low depth: quiet moves by depth,
/// captures by depth.
pub const SEE_DEPTH: i32 = 8;
pub const SEE_QUIET_MARGIN: i32 = 60;
pub const SEE_NOISY_MARGIN: i32 = 100;

/// Late move reductions: base and divisor of the logarithmic formula, in plies; a history value
/// of this size changes the reduction by one ply.
const REDUCTION_BASE: f64 = 0.60;
const REDUCTION_DIVISOR: f64 = 2.00;
pub const REDUCTION_HISTORY: i32 = 9_000;
/// Reductions begin at this depth.
pub const REDUCTION_DEPTH: i32 = 2;

/// Bonus for the move that cut, malus for those tried before it.
pub const HISTORY_BONUS_FACTOR: i32 = 170;
pub const HISTORY_BONUS_OFFSET: i32 = 90;
pub const HISTORY_BONUS_MOST: i32 = 1_800;

/// Corrections of the evaluation: the weight of each table in parts of the scale; how much an
/// error teaches, by depth over this divisor.
pub const CORRECTION_PAWN: i32 = 64;
pub const CORRECTION_NON_PAWN: i32 = 64;
pub const CORRECTION_CONTINUATION: i32 = 48;
pub const CORRECTION_SCALE: i32 = 1024;
pub const CORRECTION_DEPTH_DIVISOR: i32 = 8;

/// Singular extensions: from this depth on, if the table's result is at most so many plies
/// shallower; the other moves must stay this margin below it, in 16ths of a centipawn a ply.
pub const SINGULAR_DEPTH: i32 = 6;
pub const SINGULAR_TABLE_DEPTH: i32 = 3;
pub const SINGULAR_MARGIN: i32 = 24;
/// Extended by two plies if they stay this much further below, so often in a line.
pub const DOUBLE_EXTENSION_MARGIN: i32 = 20;
pub const DOUBLE_EXTENSIONS_MOST: u16 = 8;

/// Up to this depth no quiet move that gives check is skipped by number or futility.
pub const QUIET_CHECKS_DEPTH: i32 = 3;

/// Quiescence: a capture is skipped if even with this bonus it leaves the score below alpha.
pub const DELTA_MARGIN: i32 = 180;

/// Late move reductions in plies, by depth and number of the move.
static REDUCTIONS: Lazy<[[i8; 64]; 64]> = Lazy::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (number as f64).ln();
            *reduction = (REDUCTION_BASE + product / REDUCTION_DIVISOR) as i8;
        }
    }
    table
});

/// By how many plies a late move is reduced at least.
#[inline]
pub fn reduction(depth: i32, number: i32) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][number.clamp(0, 63) as usize] as i32
}

/// What a cut-off at this depth is worth to the history of its move.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (HISTORY_BONUS_FACTOR * depth - HISTORY_BONUS_OFFSET).min(HISTORY_BONUS_MOST)
}
