//! What a search is asked to do.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::types::Move;

/// The deepest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 246;
/// The largest nominal depth.
pub const MAX_DEPTH: i32 = 240;

/// A chess clock as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// When a search ends and what it may consider. The default has no limit at all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Stop after this many plies of iterative deepening.
    pub depth: Option<u32>,
    /// Stop after this many nodes, all threads together; exactly there with one thread, and soon after
    /// with several. Not before there is a move to play, within reason.
    pub nodes: Option<u64>,
    /// Begin no iteration after this many nodes. With several threads the first one completes its
    /// iteration, and the others stop at once.
    pub soft_nodes: Option<u64>,
    /// Use just this time.
    pub move_time: Option<Duration>,
    /// Share out a clock.
    #[serde(skip)]
    pub clock: Option<Clock>,
    /// Look for a mate in this many moves, for either side: nothing longer is seen. Stop when there is one.
    /// The shortest mate takes one move, so that 0 moves are as good as 1.
    pub mate: Option<u32>,
    /// Do not end before `stop`, whatever else is set.
    pub infinite: bool,
    /// Thinking on the opponent's time: as `infinite` until `ponderhit`, then by the clock.
    pub ponder: bool,
    /// Consider only these moves; all, if empty.
    #[serde(skip)]
    pub search_moves: Vec<Move>,
    /// Lines to report.
    pub multi_pv: usize,
}

impl Limits {
    /// To a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// For a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// The ply of the tree at which a search ends: where the mate that is wanted stands on the board.
    pub(super) fn last_ply(&self) -> usize {
        self.mate.map_or(MAX_PLY, |moves| (moves as usize).saturating_mul(2).clamp(2, MAX_PLY))
    }
}
