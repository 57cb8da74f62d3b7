//! The limits of a search.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::types::Move;

/// The maximum length of a line, in plies from the root.
pub const MAX_PLY: usize = 246;
/// The maximum nominal depth.
pub const MAX_DEPTH: i32 = 240;

/// A chess clock as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The remaining time.
    pub remaining: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// When a search ends and which moves it may consider. The default has no limits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Stop after this many plies of iterative deepening.
    pub depth: Option<u32>,
    /// Stop after this many nodes of all threads: exactly with one thread, soon after with several.
    /// Without a move to play the search continues, up to 10,000 nodes.
    pub nodes: Option<u64>,
    /// Begin no iteration after this many nodes. With several threads the first one completes its
    /// iteration, and the others stop immediately.
    pub soft_nodes: Option<u64>,
    /// Use exactly this time.
    pub move_time: Option<Duration>,
    /// Manage the time of this clock.
    #[serde(skip)]
    pub clock: Option<Clock>,
    /// Look for a mate in at most this many moves, for either side, and stop when one is found. 0 means
    /// 1, the shortest possible mate.
    pub mate: Option<u32>,
    /// Search until `stop` or the maximum depth. All other limits are ignored.
    pub infinite: bool,
    /// Ponder: no limit ends the search before `ponderhit`.
    pub ponder: bool,
    /// Consider only these moves, or all if empty.
    #[serde(skip)]
    pub search_moves: Vec<Move>,
    /// The number of lines to report.
    pub multi_pv: usize,
}

impl Limits {
    /// Creates a limit of depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Creates a limit of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Returns the ply at which the main search ends: that of the wanted mate, or the maximum.
    pub(super) fn last_ply(&self) -> usize {
        self.mate.map_or(MAX_PLY, |moves| (moves as usize).saturating_mul(2).clamp(2, MAX_PLY))
    }
}
