//! The reports of a running search. A search never prints anything: it calls a [`Listener`].

use std::time::Duration;

use super::lines::RootMove;
use crate::types::Move;

/// The progress of a search at the time of a report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The depth of the iteration.
    pub depth: i32,
    /// The node count of all threads.
    pub nodes: u64,
    pub time: Duration,
    /// The occupancy of the transposition table in thousandths.
    pub hash_full: u32,
    /// The tablebase hits of all threads.
    pub tablebase_hits: u64,
}

/// Receives the reports of a search.
pub trait Listener: Sync {
    /// Receives a new or improved line of analysis and its number, from 1.
    fn line(&self, line: &RootMove, number: usize, progress: &Progress);

    /// Receives the root move that a long search is searching, with its number from 1.
    fn current_move(&self, _depth: i32, _mv: Move, _number: usize) {}
}

/// Ignores all reports.
impl Listener for () {
    fn line(&self, _: &RootMove, _: usize, _: &Progress) {}
}
