//! The limits of a search.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The maximum length of a line, in plies from the root.
pub const MAX_PLY: usize = 246;
/// The maximum nominal depth.
pub const MAX_DEPTH: i32 = 240;

/// The limits of a search: when the search ends, and how many lines it reports. The default has no limits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// The maximum depth, in plies: the depth of the last iteration.
    pub depth: Option<u32>,
    /// The maximum number of nodes of all threads together. A single thread stops exactly at the limit,
    /// several threads stop soon after the limit. A search that has no move to play yet continues, up to
    /// 10,000 nodes.
    pub nodes: Option<u64>,
    /// The number of nodes after which no new iteration begins. With several threads, the first thread
    /// completes its iteration and the other threads stop immediately.
    pub soft_nodes: Option<u64>,
    /// The exact time that the search takes, unless another limit ends the search earlier.
    pub move_time: Option<Duration>,
    /// White's and Black's remaining time. If only one time is set, it applies to both sides.
    pub time: [Option<Duration>; 2],
    /// White's and Black's increments.
    pub increment: [Option<Duration>; 2],
    /// The number of moves to the next time control, or `None` without a further time control.
    pub moves_to_go: Option<u32>,
    /// The maximum length, in moves, of a mate to search for. The search stops when it finds a mate of at
    /// most this length for either side. 0 counts as 1, the shortest possible mate.
    pub mate: Option<u32>,
    /// Counts all times in nodes: this number of nodes is a millisecond. `None` means real time.
    pub nodes_per_millisecond: Option<u64>,
    /// Whether to search until `stop` or the maximum depth. An infinite search ignores all other limits.
    pub infinite: bool,
    /// Whether to ponder. No limit ends a pondering search before `ponderhit`.
    pub ponder: bool,
    /// The number of lines to report.
    pub multi_pv: usize,
}

impl Limits {
    /// Creates limits with only a maximum depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Creates limits with only a maximum number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Returns whether these limits end a search without a `stop` command, once the search no longer
    /// ponders.
    pub fn is_limited(&self) -> bool {
        let Limits { depth, nodes, move_time, mate, infinite, .. } = *self;
        let clock = self.time != [None; 2];
        !infinite && (clock || depth.or(mate).is_some() || nodes.is_some() || move_time.is_some())
    }

    /// Returns a copy without the limits that an infinite search ignores.
    pub(crate) fn without_ignored(&self) -> Limits {
        let Limits { infinite, ponder, multi_pv, .. } = *self;
        if infinite {
            Limits { infinite, ponder, multi_pv, ..Limits::default() }
        } else {
            self.clone()
        }
    }

    /// Returns the ply at which the main search ends: twice the number of moves of the wanted mate, or
    /// `MAX_PLY` without a mate search.
    pub(super) fn last_ply(&self) -> usize {
        self.mate.map_or(MAX_PLY, |moves| (moves as usize).saturating_mul(2).clamp(2, MAX_PLY))
    }
}
