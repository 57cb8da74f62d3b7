//! The tunable parameters of the search.
//!
//! Depths are in plies, margins in centipawns, history values in the units of `history::LIMIT`. Each
//! parameter is declared with its value, the bounds within which `aleator tune` may change it, and the
//! step of the last iterations (see [`Tunable`]). A build with the feature `tune` has all of them as
//! UCI options.

use super::tunable::{Tunable, tunables};

tunables! {
    /// First depth with an aspiration window.
    aspiration_depth = 4, 2..=8, 0.5;
    /// Half the width of the first aspiration window.
    aspiration_window = 12, 6..=60, 3.0;

    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth = 6, 3..=12, 0.5;
    /// Reverse futility pruning: margin above beta for each ply of depth.
    reverse_futility_margin = 55, 30..=160, 14.0;
    /// Reverse futility pruning: the margin is smaller by this if the side is improving.
    reverse_futility_improving = 31, 0..=160, 14.0;

    /// Razoring: maximum depth.
    razor_depth = 3, 1..=8, 0.5;
    /// Razoring: constant part of the margin below alpha.
    razor_base = 232, 50..=600, 50.0;
    /// Razoring: part of the margin that is multiplied by the depth squared.
    razor_margin = 168, 30..=400, 20.0;

    /// Null move pruning: minimum depth.
    null_move_depth = 3, 1..=6, 0.5;
    /// Null move pruning: constant part of the reduction.
    null_move_reduction = 3, 1..=6, 0.5;
    /// Null move pruning: one ply more for each such number of plies of depth.
    null_move_depth_divisor = 3, 2..=8, 0.5;
    /// Null move pruning: one ply more for each such margin of the evaluation above beta.
    null_move_eval_divisor = 156, 80..=400, 35.0;
    /// Null move pruning: maximum reduction for the evaluation above beta.
    null_move_eval_most = 3, 1..=7, 0.5;
    /// Null move pruning: first depth at which a search without null moves verifies the cutoff.
    null_move_verify_depth = 14, 8..=24, 1.0;

    /// ProbCut: minimum depth.
    probcut_depth = 5, 3..=10, 0.5;
    /// ProbCut: margin above beta that a capture must reach in a shallower search.
    probcut_margin = 190, 60..=400, 15.0;
    /// ProbCut: the margin is smaller by this if the side is improving.
    probcut_improving = 55, 0..=150, 10.0;
    /// ProbCut: plies by which that search is shallower.
    probcut_reduction = 4, 3..=6, 0.5;

    /// Internal iterative reduction: minimum depth.
    internal_reduction_depth = 4, 2..=10, 0.5;
    /// Internal iterative reduction: reduce unless the hash move comes from a search at most this number of
    /// plies shallower.
    internal_reduction_gap = 4, 2..=8, 0.5;

    /// Late move pruning: maximum depth.
    late_move_depth = 8, 3..=14, 0.5;
    /// Late move pruning: constant part of the number of moves that are searched.
    late_move_base = 6, 1..=12, 1.2;
    /// Late move pruning: this percentage of the depth squared is added to that number.
    late_move_depth_squared = 100, 30..=250, 12.0;
    /// Late move pruning: percentage of that number if the side is not improving.
    late_move_not_improving = 50, 20..=100, 8.0;

    /// Futility pruning of quiet moves: maximum depth left after the move and its reduction.
    futility_depth = 7, 3..=12, 0.5;
    /// Futility pruning of quiet moves: constant part of the margin below alpha.
    futility_base = 94, 20..=250, 22.0;
    /// Futility pruning of quiet moves: margin for each ply of depth left.
    futility_margin = 69, 30..=200, 17.0;
    /// Futility pruning of captures: maximum depth.
    capture_futility_depth = 6, 1..=10, 0.5;
    /// Futility pruning of captures: constant part of the margin below alpha.
    capture_futility_base = 184, 50..=500, 40.0;
    /// Futility pruning of captures: margin for each ply of depth left.
    capture_futility_margin = 193, 40..=400, 30.0;

    /// SEE pruning: maximum depth.
    see_depth = 8, 3..=14, 0.5;
    /// SEE pruning: quiet moves may lose this for each ply of reduced depth.
    see_quiet_margin = 83, 15..=150, 15.0;
    /// SEE pruning: captures may lose this for each ply of depth.
    see_noisy_margin = 107, 30..=250, 20.0;

    /// Late move reductions: constant part, in hundredths of a ply.
    reduction_base = 57, 0..=150, 16.0;
    /// Late move reductions: divisor of the product of logarithms, in hundredths.
    reduction_divisor = 184, 120..=400, 20.0;
    /// Late move reductions: percentage of the basic reduction for captures and promotions.
    reduction_noisy = 50, 0..=150, 12.0;
    /// Late move reductions: history value of a quiet move that changes the reduction by a ply.
    reduction_history = 8_999, 3_000..=20_000, 1800.0;
    /// Late move reductions: history value of a capture that changes the reduction by a ply.
    reduction_noisy_history = 7_800, 2_000..=20_000, 1800.0;
    /// Late move reductions: hundredths of a ply more in expected cut nodes.
    reduction_cut_node = 180, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply more if the side is not improving.
    reduction_not_improving = 66, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply more if the hash move captures or promotes.
    reduction_noisy_hash_move = 71, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply more after many cutoffs at the next ply.
    reduction_cutoffs = 75, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply more after many cutoffs, in expected all-nodes.
    reduction_cutoffs_all = 80, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply less in PV nodes.
    reduction_pv = 76, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply less for checks.
    reduction_check = 104, 0..=300, 30.0;
    /// Late move reductions: hundredths of a ply less if the position is or was in a principal variation.
    reduction_table_pv = 120, 0..=300, 30.0;
    /// A reduced move whose value is this far above alpha is re-searched a ply deeper.
    deeper_margin = 54, 10..=150, 14.0;
    /// Late move reductions: minimum depth.
    reduction_depth = 2, 1..=5, 0.5;

    /// History bonus of the best move for each ply of depth.
    history_bonus_factor = 311, 60..=350, 45.0;
    /// Maximum history bonus.
    history_bonus_most = 2_190, 600..=4_000, 150.0;
    /// History malus of the moves tried before a cutoff, for each ply of depth.
    history_malus_factor = 302, 60..=350, 45.0;
    /// Maximum history malus.
    history_malus_most = 1_800, 600..=4_000, 150.0;
    /// Subtracted from the history bonus and malus.
    history_bonus_offset = 90, 0..=300, 15.0;
    /// Percentage of the history bonus for the move that led to a fail-low.
    history_last = 50, 0..=200, 15.0;
    /// Percentage of the butterfly history that is kept when it ages.
    history_kept = 42, 0..=100, 15.0;
    /// Percentage of the continuation histories that is kept when they age.
    continuation_kept = 69, 0..=100, 15.0;
    /// Factor of the change of the static evaluation in the history of the previous quiet move.
    eval_history = 9, 0..=40, 4.0;

    /// Weight of the continuation history by the opponent's last move, in parts of 32.
    continuation_first = 32, 0..=96, 7.0;
    /// Weight of the continuation history by the side's last move, in parts of 32.
    continuation_second = 32, 0..=96, 7.0;
    /// Weight of the continuation history by the side's move before that, in parts of 32.
    continuation_fourth = 20, 0..=96, 7.0;

    /// Move ordering: weight of the history near the root, in quarters.
    order_near_root = 16, 0..=64, 5.0;
    /// Move ordering: weight of the share of nodes that a root move took.
    root_effort = 4, 0..=16, 2.0;
    /// Move ordering: bonus of a quiet check.
    order_check = 6_723, 0..=30_000, 2500.0;
    /// Move ordering: bonus for leaving the reach of a lesser piece, for each pawn that the moving piece
    /// is worth.
    order_threat = 1_182, 0..=6_000, 400.0;
    /// Move ordering: weight of a centipawn of captured material.
    order_victim = 16, 4..=48, 4.0;
    /// Good captures may lose their move ordering score divided by this, in the main search.
    good_capture_divisor = 8, 2..=40, 2.0;
    /// Good captures may lose their move ordering score divided by this, in quiescence.
    quiescence_capture_divisor = 36, 2..=120, 10.0;

    /// Futility pruning of losing captures: maximum depth.
    losing_futility_depth = 8, 1..=14, 0.5;
    /// Up to this depth quiet checks are exempt from late move and futility pruning.
    quiet_checks_depth = 6, 0..=12, 0.5;

    /// Singular extensions: minimum depth of a singular search.
    singular_depth = 6, 4..=10, 0.5;
    /// Singular extensions: the table entry may be this number of plies shallower than the node.
    singular_table_depth = 4, 1..=6, 0.5;
    /// Singular extensions below the minimum depth: margin of the static evaluation below alpha.
    shallow_singular_margin = 25, 0..=200, 15.0;
    /// Singular extensions: margin of all other moves below the table's value, in sixteenths of a centipawn
    /// for each ply of depth.
    singular_margin = 20, 4..=80, 7.0;
    /// Singular extensions: further margin for an extension by two plies, in non-PV nodes.
    double_extension_margin = 12, 0..=80, 8.0;
    /// Singular extensions: maximum number of extensions by two plies in a line.
    double_extensions_most = 8, 1..=20, 1.0;
    /// Negative extension of moves that are not singular, in expected cut nodes.
    cut_node_reduction = 1, 0..=3, 0.5;

    /// Correction history: weight by pawns.
    correction_pawn = 39, 0..=200, 18.0;
    /// Correction history: weight by the pieces of either side.
    correction_non_pawn = 88, 0..=200, 20.0;
    /// Correction history: weight by the last two moves.
    correction_continuation = 65, 0..=200, 18.0;
    /// Correction history: weight by the last move and the move four plies before the node.
    correction_fourth = 40, 0..=200, 18.0;
    /// Correction history: an update has the full weight at this depth.
    correction_depth_divisor = 6, 3..=20, 1.0;

    /// Quiescence: captures searched after the first one, not counting recaptures, checks and promotions.
    quiescence_moves = 2, 1..=6, 0.5;

    /// Quiescence: margin of delta pruning.
    delta_margin = 152, 60..=400, 36.0;
}

/// The transposition table causes no cutoffs from this halfmove clock on.
pub const TABLE_HALFMOVES: u16 = 90;

/// The divisor of the weights of correction history.
pub const CORRECTION_SCALE: i32 = 1024;

/// Returns the history bonus of the best move at this depth.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (history_bonus_factor() * depth - history_bonus_offset()).min(history_bonus_most())
}

/// Returns the history malus of the moves tried before a cutoff at this depth.
#[inline]
pub fn history_malus(depth: i32) -> i32 {
    (history_malus_factor() * depth - history_bonus_offset()).min(history_malus_most())
}

/// Sets a parameter by its index in [`TUNABLES`], clamped to its bounds.
#[cfg(feature = "tune")]
pub(super) fn set(index: usize, to: i32) {
    let (Some(tunable), Some(number)) = (TUNABLES.get(index), live::ALL.get(index)) else {
        return;
    };
    number.store(to.clamp(tunable.min, tunable.max), std::sync::atomic::Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_consistent() {
        for (index, tunable) in TUNABLES.iter().enumerate() {
            let Tunable { name, default, min, max, step, description } = *tunable;
            assert!(0 <= min && min < max && (min..=max).contains(&default), "{name}");
            assert!(step > 0.0 && 2.0 * step <= f64::from(max - min), "{name}");
            assert!(!description.is_empty(), "{name}");
            assert!(TUNABLES[..index].iter().all(|other| other.name != name), "{name} twice");
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn parameters_are_clamped_to_their_bounds() {
        let index = |name| TUNABLES.iter().position(|known| known.name == name).unwrap();
        // A parameter that no other test uses, because tests run in parallel.
        let (number, before) = (index("null_move_verify_depth"), null_move_verify_depth());
        assert_eq!(before, 14);
        set(number, 20);
        assert!(null_move_verify_depth() + 1 == 21 && 20 >= null_move_verify_depth());
        set(number, 99);
        assert_eq!(null_move_verify_depth(), 24);
        set(number, before);
        set(TUNABLES.len(), 1); // beyond the end
    }
}
