//! Every number of the search that could be tuned, and what it means.
//!
//! Depths are in plies, margins in centipawns, history values in the units of
//! `history::LIMIT`. Each is declared with the value that it has, the bounds within which
//! `aleator tune` looks for a better one, and how far it looks at the end (see [`Tunable`]). A
//! build with the feature `tune` has them all as UCI options.

#[cfg(feature = "tune")]
use super::tunable::Live;
use super::tunable::{Tunable, tunables, value};

tunables! {
    /// Aspiration windows open from this depth on.
    ASPIRATION_DEPTH = 4, 2..=8, 0.5;
    /// Half the width of the first window.
    ASPIRATION_WINDOW = 12, 6..=60, 3.0;

    /// Reverse futility: at most this depth, ...
    REVERSE_FUTILITY_DEPTH = 6, 3..=12, 0.5;
    /// ... with this margin a ply, ...
    REVERSE_FUTILITY_MARGIN = 55, 30..=160, 14.0;
    /// ... less this if the side is improving.
    REVERSE_FUTILITY_IMPROVING = 31, 0..=160, 14.0;

    /// Razoring: at most this depth, ...
    RAZOR_DEPTH = 3, 1..=8, 0.5;
    /// ... with this margin ...
    RAZOR_BASE = 232, 50..=600, 50.0;
    /// ... and this times the depth squared.
    RAZOR_MARGIN = 168, 30..=400, 20.0;

    /// Null move: at least this depth.
    NULL_MOVE_DEPTH = 3, 1..=6, 0.5;
    /// The reduction of a null move, ...
    NULL_MOVE_REDUCTION = 3, 1..=6, 0.5;
    /// ... which grows by a ply each so many plies of depth ...
    NULL_MOVE_DEPTH_DIVISOR = 3, 2..=8, 0.5;
    /// ... and each so many centipawns the evaluation stands above beta ...
    NULL_MOVE_EVAL_DIVISOR = 156, 80..=400, 35.0;
    /// ... so many plies at most.
    NULL_MOVE_EVAL_MOST = 3, 1..=7, 0.5;
    /// From this depth on a null move's cut-off is verified by a search without null moves.
    NULL_MOVE_VERIFY_DEPTH = 14, 8..=24, 1.0;

    /// ProbCut: from this depth on, ...
    PROBCUT_DEPTH = 5, 3..=10, 0.5;
    /// ... captures that a shallower search finds this far above beta cut, ...
    PROBCUT_MARGIN = 190, 60..=400, 15.0;
    /// ... less this if the side is improving.
    PROBCUT_IMPROVING = 55, 0..=150, 10.0;
    /// The plies by which that search is shallower.
    PROBCUT_REDUCTION = 4, 3..=6, 0.5;

    /// Nodes without a hash move are searched a ply less deep from this depth on, ...
    INTERNAL_REDUCTION_DEPTH = 4, 2..=10, 0.5;
    /// ... and so are those whose hash move comes from a search this much less deep.
    INTERNAL_REDUCTION_GAP = 4, 2..=8, 0.5;

    /// Late move pruning: at most at this depth quiet moves are skipped ...
    LATE_MOVE_DEPTH = 8, 3..=14, 0.5;
    /// ... after this many ...
    LATE_MOVE_BASE = 6, 1..=12, 1.2;
    /// ... and this percentage of the depth squared, ...
    LATE_MOVE_DEPTH_SQUARED = 100, 30..=250, 12.0;
    /// ... of both this percentage if the side is not improving.
    LATE_MOVE_NOT_IMPROVING = 50, 20..=100, 8.0;

    /// Futility: at most at this reduced depth quiet moves are skipped ...
    FUTILITY_DEPTH = 7, 3..=12, 0.5;
    /// ... if the evaluation is this far ...
    FUTILITY_BASE = 94, 20..=250, 22.0;
    /// ... and this far a ply below alpha.
    FUTILITY_MARGIN = 69, 30..=200, 17.0;
    /// Captures, likewise, at most at this depth ...
    CAPTURE_FUTILITY_DEPTH = 6, 1..=10, 0.5;
    /// ... if with what they take and this ...
    CAPTURE_FUTILITY_BASE = 184, 50..=500, 40.0;
    /// ... and this a ply the evaluation stays below alpha.
    CAPTURE_FUTILITY_MARGIN = 193, 40..=400, 30.0;

    /// Moves that lose too much in exchanges are skipped at most at this depth: ...
    SEE_DEPTH = 8, 3..=14, 0.5;
    /// ... quiet moves that lose more than this a ply, ...
    SEE_QUIET_MARGIN = 83, 15..=150, 15.0;
    /// ... captures that lose more than this a ply.
    SEE_NOISY_MARGIN = 107, 30..=250, 20.0;

    /// Late move reductions: the base of the logarithmic formula, in hundredths of a ply; ...
    REDUCTION_BASE = 57, 0..=150, 16.0;
    /// ... its divisor, in hundredths.
    REDUCTION_DIVISOR = 184, 120..=400, 20.0;
    /// Of captures this percentage of it.
    REDUCTION_NOISY = 50, 0..=150, 12.0;
    /// A history value of this size changes the reduction by one ply, ...
    REDUCTION_HISTORY = 8_999, 3_000..=20_000, 1800.0;
    /// ... one of a capture this.
    REDUCTION_NOISY_HISTORY = 7_800, 2_000..=20_000, 1800.0;
    /// In hundredths of a ply, more is reduced where a fail-high is expected, ...
    REDUCTION_CUT_NODE = 180, 0..=300, 30.0;
    /// ... if the side is not improving, ...
    REDUCTION_NOT_IMPROVING = 66, 0..=300, 30.0;
    /// ... if the hash move takes or promotes, ...
    REDUCTION_NOISY_HASH_MOVE = 71, 0..=300, 30.0;
    /// ... after many cut-offs at the next ply; ...
    REDUCTION_CUTOFFS = 75, 0..=300, 30.0;
    /// ... more of them where none is expected; ...
    REDUCTION_CUTOFFS_ALL = 80, 0..=300, 30.0;
    /// ... less in the principal variation ...
    REDUCTION_PV = 76, 0..=300, 30.0;
    /// ... for checks ...
    REDUCTION_CHECK = 104, 0..=300, 30.0;
    /// ... and where the table says that this was a principal variation.
    REDUCTION_TABLE_PV = 120, 0..=300, 30.0;
    /// A reduced search this far above alpha is repeated a ply deeper.
    DEEPER_MARGIN = 54, 10..=150, 14.0;
    /// Reductions begin at this depth.
    REDUCTION_DEPTH = 2, 1..=5, 0.5;

    /// Bonus for the move that cut: this a ply, ...
    HISTORY_BONUS_FACTOR = 311, 60..=350, 45.0;
    /// ... at most this; ...
    HISTORY_BONUS_MOST = 2_190, 600..=4_000, 150.0;
    /// malus for those tried before it: this a ply, ...
    HISTORY_MALUS_FACTOR = 302, 60..=350, 45.0;
    /// ... at most this; ...
    HISTORY_MALUS_MOST = 1_800, 600..=4_000, 150.0;
    /// of either before the limit so much less.
    HISTORY_BONUS_OFFSET = 90, 0..=300, 15.0;
    /// This percentage of the bonus goes to the move that led to a node without a good one.
    HISTORY_LAST = 50, 0..=200, 15.0;
    /// This percentage of the butterfly history is kept when it ages before a search, ...
    HISTORY_KEPT = 42, 0..=100, 15.0;
    /// ... and this of the continuation histories.
    CONTINUATION_KEPT = 69, 0..=100, 15.0;
    /// What a quiet move gained by the static evaluation before and after it counts so often.
    EVAL_HISTORY = 9, 0..=40, 4.0;

    /// Of the histories by earlier moves, these count, in parts of 32: by the last move, ...
    CONTINUATION_FIRST = 32, 0..=96, 7.0;
    /// ... by the own one before it, ...
    CONTINUATION_SECOND = 32, 0..=96, 7.0;
    /// ... and by the own one before that.
    CONTINUATION_FOURTH = 20, 0..=96, 7.0;

    /// The order of quiet moves: the weight of their history near the root, in quarters, ...
    ORDER_NEAR_ROOT = 16, 0..=64, 5.0;
    /// ... and that of the share of the nodes that a move of the root took.
    ROOT_EFFORT = 4, 0..=16, 2.0;
    /// What a check is worth in units of history, ...
    ORDER_CHECK = 6_723, 0..=30_000, 2500.0;
    /// ... and to leave the reach of a lesser piece, for each pawn that the own one is worth.
    ORDER_THREAT = 1_182, 0..=6_000, 400.0;
    /// The order of captures: a centipawn counts so much.
    ORDER_VICTIM = 16, 4..=48, 4.0;
    /// They may lose this part of their score in the order before they count as bad.
    GOOD_CAPTURE_DIVISOR = 8, 2..=40, 2.0;
    /// ... and this in quiescence.
    QUIESCENCE_CAPTURE_DIVISOR = 36, 2..=120, 10.0;

    /// Captures that lose material are skipped as futile like quiet moves, at most at this depth.
    LOSING_FUTILITY_DEPTH = 8, 1..=14, 0.5;
    /// Near the leaves, up to this depth, quiet checks are not skipped as late or futile.
    QUIET_CHECKS_DEPTH = 6, 0..=12, 0.5;

    /// Singular extensions: from this depth on, ...
    SINGULAR_DEPTH = 6, 4..=10, 0.5;
    /// ... if the table knows the move from at most this many plies less.
    SINGULAR_TABLE_DEPTH = 4, 1..=6, 0.5;
    /// Before that, if it cut in the table, where the evaluation is so far below the window.
    SHALLOW_SINGULAR_MARGIN = 25, 0..=200, 15.0;
    /// So many sixteenths of a centipawn a ply below the table's value all others must stay.
    SINGULAR_MARGIN = 20, 4..=80, 7.0;
    /// So many centipawns further below, but not in the principal variation: an extension by two
    /// plies, ...
    DOUBLE_EXTENSION_MARGIN = 12, 0..=80, 8.0;
    /// ... at most so often in a line.
    DOUBLE_EXTENSIONS_MOST = 8, 1..=20, 1.0;
    /// Not singular where a fail-high is expected: so many plies less.
    CUT_NODE_REDUCTION = 1, 0..=3, 0.5;

    /// Corrections of the evaluation: weights of what pawns ...
    CORRECTION_PAWN = 39, 0..=200, 18.0;
    /// ... pieces of either side ...
    CORRECTION_NON_PAWN = 88, 0..=200, 20.0;
    /// ... the last two moves ...
    CORRECTION_CONTINUATION = 65, 0..=200, 18.0;
    /// ... and the last move with the one four plies before the node have to say.
    CORRECTION_FOURTH = 40, 0..=200, 18.0;
    /// A search of this depth counts fully as a correction.
    CORRECTION_DEPTH_DIVISOR = 6, 3..=20, 1.0;

    /// Quiescence: so many captures and one are looked at, beside those that take back.
    QUIESCENCE_MOVES = 2, 1..=6, 0.5;

    /// A capture is skipped there if even with this bonus it leaves the score below alpha.
    DELTA_MARGIN = 152, 60..=400, 36.0;
}

/// Results of the table are believed up to this many plies without progress.
pub const TABLE_HALFMOVES: u16 = 90;

/// What the weights of corrections are parts of.
pub const CORRECTION_SCALE: i32 = 1024;

/// What a cut-off at this depth is worth to the history of its move.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (HISTORY_BONUS_FACTOR * depth - HISTORY_BONUS_OFFSET).min(value(HISTORY_BONUS_MOST))
}

/// And what it costs the moves tried before.
#[inline]
pub fn history_malus(depth: i32) -> i32 {
    (HISTORY_MALUS_FACTOR * depth - HISTORY_BONUS_OFFSET).min(value(HISTORY_MALUS_MOST))
}

/// Changes a number, by its index in [`TUNABLES`], within its bounds.
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
    fn declarations_make_sense() {
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
    fn numbers_change_within_their_bounds() {
        let index = |name| TUNABLES.iter().position(|known| known.name == name).unwrap();
        // One that no other test asks for; others run at the same time.
        let (number, before) = (index("NULL_MOVE_VERIFY_DEPTH"), value(NULL_MOVE_VERIFY_DEPTH));
        assert_eq!(before, 14);
        set(number, 20);
        assert!(NULL_MOVE_VERIFY_DEPTH + 1 == 21 && 20 >= NULL_MOVE_VERIFY_DEPTH);
        set(number, 99);
        assert_eq!(value(NULL_MOVE_VERIFY_DEPTH), 24);
        set(number, before);
        set(TUNABLES.len(), 1); // nothing there
    }
}
