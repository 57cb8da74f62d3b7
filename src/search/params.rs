//! The tunable parameters of the search.
//!
//! Depths are in plies, margins in centipawns, history values in the units of `history::LIMIT`. Each
//! parameter is declared with its default, the bounds within which `aleator tune` may change it, and the
//! step size at the end of a tuning run (see [`Tunable`]). A build with the feature `tune` offers all
//! parameters as UCI options.

use super::tunable::{Tunable, tunables};

tunables! {
    /// Minimum depth for an aspiration window.
    aspiration_depth = 4, 2..=8, 0.5;
    /// Half the width of the first aspiration window.
    aspiration_window = 12, 6..=60, 3.0;

    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth = 6, 3..=12, 0.5;
    /// Reverse futility pruning: margin above beta for each ply of depth.
    reverse_futility_margin = 55, 30..=160, 14.0;
    /// Reverse futility pruning: centipawns subtracted from the margin if the side is improving.
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
    /// Null move pruning: the reduction grows by one ply per `null_move_depth_divisor` plies of depth.
    null_move_depth_divisor = 3, 2..=8, 0.5;
    /// Null move pruning: the reduction grows by one ply per `null_move_eval_divisor` centipawns of the
    /// evaluation above beta.
    null_move_eval_divisor = 156, 80..=400, 35.0;
    /// Null move pruning: maximum growth of the reduction by the evaluation above beta, in plies.
    null_move_eval_most = 3, 1..=7, 0.5;
    /// Null move pruning: minimum depth at which a search without null moves verifies the cutoff.
    null_move_verify_depth = 14, 8..=24, 1.0;

    /// ProbCut: minimum depth.
    probcut_depth = 5, 3..=10, 0.5;
    /// ProbCut: margin above beta that a capture must reach in a shallower search.
    probcut_margin = 190, 60..=400, 15.0;
    /// ProbCut: centipawns subtracted from the margin if the side is improving.
    probcut_improving = 55, 0..=150, 10.0;
    /// ProbCut: number of plies by which the search of a capture is shallower than the node.
    probcut_reduction = 4, 3..=6, 0.5;

    /// Internal iterative reduction: minimum depth.
    internal_reduction_depth = 4, 2..=10, 0.5;
    /// Internal iterative reduction: a node is reduced if there is no hash move, or if the hash move comes
    /// from a search more than `internal_reduction_gap` plies shallower.
    internal_reduction_gap = 4, 2..=8, 0.5;

    /// Late move pruning: maximum depth.
    late_move_depth = 8, 3..=14, 0.5;
    /// Late move pruning: constant part of the maximum number of moves that are searched.
    late_move_base = 6, 1..=12, 1.2;
    /// Late move pruning: percentage of the squared depth that is added to the maximum number of moves.
    late_move_depth_squared = 100, 30..=250, 12.0;
    /// Late move pruning: percentage of the maximum number of moves that remains if the side is not
    /// improving.
    late_move_not_improving = 50, 20..=100, 8.0;

    /// Futility pruning of quiet moves: maximum depth that remains after the move and its reduction.
    futility_depth = 7, 3..=12, 0.5;
    /// Futility pruning of quiet moves: constant part of the margin below alpha.
    futility_base = 94, 20..=250, 22.0;
    /// Futility pruning of quiet moves: margin for each ply of remaining depth.
    futility_margin = 69, 30..=200, 17.0;
    /// Futility pruning of captures: maximum depth.
    capture_futility_depth = 6, 1..=10, 0.5;
    /// Futility pruning of captures: constant part of the margin below alpha.
    capture_futility_base = 184, 50..=500, 40.0;
    /// Futility pruning of captures: margin for each ply of remaining depth.
    capture_futility_margin = 193, 40..=400, 30.0;

    /// SEE pruning: maximum depth.
    see_depth = 8, 3..=14, 0.5;
    /// SEE pruning: centipawns that a quiet move may lose for each ply of reduced depth.
    see_quiet_margin = 83, 15..=150, 15.0;
    /// SEE pruning: centipawns that a capture may lose for each ply of depth.
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
    /// Late move reductions: increase in expected cut nodes, in hundredths of a ply.
    reduction_cut_node = 180, 0..=300, 30.0;
    /// Late move reductions: increase if the side is not improving, in hundredths of a ply.
    reduction_not_improving = 66, 0..=300, 30.0;
    /// Late move reductions: increase if the hash move captures or promotes, in hundredths of a ply.
    reduction_noisy_hash_move = 71, 0..=300, 30.0;
    /// Late move reductions: increase after many cutoffs at the next ply, in hundredths of a ply.
    reduction_cutoffs = 75, 0..=300, 30.0;
    /// Late move reductions: further increase after many cutoffs in expected all-nodes, in hundredths of a
    /// ply.
    reduction_cutoffs_all = 80, 0..=300, 30.0;
    /// Late move reductions: decrease in PV nodes, in hundredths of a ply.
    reduction_pv = 76, 0..=300, 30.0;
    /// Late move reductions: decrease for moves that give check, in hundredths of a ply.
    reduction_check = 104, 0..=300, 30.0;
    /// Late move reductions: decrease if the position is or was in a principal variation, in hundredths of
    /// a ply.
    reduction_table_pv = 120, 0..=300, 30.0;
    /// Late move reductions: margin above alpha beyond which a reduced move is re-searched one ply deeper.
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
    /// Constant that is subtracted from the history bonus and from the history malus.
    history_bonus_offset = 90, 0..=300, 15.0;
    /// Percentage of the history bonus that the previous move gets when a node fails low.
    history_last = 50, 0..=200, 15.0;
    /// Percentage of the butterfly history that is kept when the history ages.
    history_kept = 42, 0..=100, 15.0;
    /// Percentage of the continuation histories that is kept when the histories age.
    continuation_kept = 69, 0..=100, 15.0;
    /// Factor by which a change of the static evaluation counts in the history of the previous quiet move.
    eval_history = 9, 0..=40, 4.0;

    /// Weight of the continuation history for the opponent's last move, in 32nds.
    continuation_first = 32, 0..=96, 7.0;
    /// Weight of the continuation history for the last move of the side to move, in 32nds.
    continuation_second = 32, 0..=96, 7.0;
    /// Weight of the continuation history for the move four plies before the node, in 32nds.
    continuation_fourth = 20, 0..=96, 7.0;

    /// Move ordering: weight of the history near the root, in quarters.
    order_near_root = 16, 0..=64, 5.0;
    /// Move ordering: weight of the share of nodes that a root move took.
    root_effort = 4, 0..=16, 2.0;
    /// Move ordering: bonus of a quiet check.
    order_check = 6_723, 0..=30_000, 2500.0;
    /// Move ordering: bonus for leaving a square that a less valuable piece attacks, for each pawn of the
    /// moving piece's value.
    order_threat = 1_182, 0..=6_000, 400.0;
    /// Move ordering: weight of a centipawn of captured material.
    order_victim = 16, 4..=48, 4.0;
    /// Move ordering: in the main search, a good capture may lose at most the capture's ordering score
    /// divided by `good_capture_divisor`.
    good_capture_divisor = 8, 2..=40, 2.0;
    /// Move ordering: in quiescence, a good capture may lose at most the capture's ordering score divided
    /// by `quiescence_capture_divisor`.
    quiescence_capture_divisor = 36, 2..=120, 10.0;

    /// Futility pruning of losing captures: maximum depth.
    losing_futility_depth = 8, 1..=14, 0.5;
    /// Late move and futility pruning: maximum depth at which quiet checks are exempt.
    quiet_checks_depth = 6, 0..=12, 0.5;

    /// Singular extensions: minimum depth of a singular search.
    singular_depth = 6, 4..=10, 0.5;
    /// Singular extensions: maximum number of plies by which the table entry may be shallower than the
    /// node.
    singular_table_depth = 4, 1..=6, 0.5;
    /// Singular extensions below the minimum depth: margin of the static evaluation below alpha.
    shallow_singular_margin = 25, 0..=200, 15.0;
    /// Singular extensions: margin by which all other moves must stay below the table's value, in
    /// sixteenths of a centipawn for each ply of depth.
    singular_margin = 20, 4..=80, 7.0;
    /// Singular extensions: further margin for an extension by two plies, in non-PV nodes.
    double_extension_margin = 12, 0..=80, 8.0;
    /// Singular extensions: maximum number of extensions by two plies in a line.
    double_extensions_most = 8, 1..=20, 1.0;
    /// Negative extension of a hash move that is not singular, in expected cut nodes, in plies.
    cut_node_reduction = 1, 0..=3, 0.5;

    /// Correction history: weight of the table indexed by pawn structure.
    correction_pawn = 39, 0..=200, 18.0;
    /// Correction history: weight of the tables indexed by one side's pieces.
    correction_non_pawn = 88, 0..=200, 20.0;
    /// Correction history: weight of the table indexed by the last two moves.
    correction_continuation = 65, 0..=200, 18.0;
    /// Correction history: weight of the table indexed by the last move and the move four plies before the
    /// node.
    correction_fourth = 40, 0..=200, 18.0;
    /// Correction history: depth at which an update has full weight.
    correction_depth_divisor = 6, 3..=20, 1.0;

    /// Quiescence: number of captures searched after the first capture. Recaptures, checks and promotions
    /// are exempt.
    quiescence_moves = 2, 1..=6, 0.5;

    /// Quiescence: margin of delta pruning, added to the value of the captured piece.
    delta_margin = 152, 60..=400, 36.0;
}

/// The halfmove clock from which on the transposition table causes no cutoffs.
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

/// Sets the parameter with this index in [`TUNABLES`]. Clamps the new value to the parameter's bounds.
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
