//! The limits of a search.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The maximum length of a line, in plies from the root.
pub const MAX_PLY: usize = 246;
/// The maximum nominal depth.
pub const MAX_DEPTH: i32 = 240;

/// What a search obeys: when it ends, and how many lines it reports. The default has no limits.
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
    /// White's and Black's remaining time. If only one is set, it serves either side.
    pub time: [Option<Duration>; 2],
    /// White's and Black's increments.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// Look for a mate in at most this many moves, for either side, and stop when one is found. 0 means
    /// 1, the shortest possible mate.
    pub mate: Option<u32>,
    /// Search until `stop` or the maximum depth. All other limits are ignored.
    pub infinite: bool,
    /// Ponder: no limit ends the search before `ponderhit`.
    pub ponder: bool,
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

    /// Returns whether the search ends without `stop`, once it is no longer pondering.
    pub fn is_limited(&self) -> bool {
        let Limits { depth, nodes, move_time, mate, infinite, .. } = *self;
        let clock = self.time != [None; 2];
        !infinite && (clock || depth.or(mate).is_some() || nodes.is_some() || move_time.is_some())
    }

    /// Removes the limits that an infinite search ignores.
    pub(crate) fn without_ignored(&self) -> Limits {
        let Limits { infinite, ponder, multi_pv, .. } = *self;
        if infinite {
            Limits { infinite, ponder, multi_pv, ..Limits::default() }
        } else {
            self.clone()
        }
    }

    /// Returns the ply at which the main search ends: that of the wanted mate, or the maximum.
    pub(super) fn last_ply(&self) -> usize {
        self.mate.map_or(MAX_PLY, |moves| (moves as usize).saturating_mul(2).clamp(2, MAX_PLY))
    }
}
