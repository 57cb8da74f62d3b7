//! What a search reports while it runs. The search never prints: it calls a [`Listener`].

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::types::{Move, Value};

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this one (fail low).
    Upper = 1,
    /// The true score is at least this one (fail high).
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// Whether a value with this bound is more accurate than an estimate.
    #[inline(always)]
    pub fn betters(self, value: Value, guess: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > guess,
            Bound::Upper => value < guess,
        }
    }
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Info {
    /// The depth of the iteration.
    pub depth: i32,
    /// The deepest ply that was searched for this line.
    pub selective_depth: usize,
    /// The number of the line, from 1.
    pub multi_pv: usize,
    /// For the side to move at the root.
    pub score: Value,
    pub bound: Bound,
    /// The node count of all threads.
    pub nodes: u64,
    pub time: Duration,
    /// The occupancy of the transposition table in thousandths.
    pub hash_full: u32,
    /// The tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// The principal variation, empty only if there is no legal move.
    pub pv: Vec<Move>,
}

/// Receives the reports of a search.
pub trait Listener: Sync {
    /// Receives a new or improved line of analysis.
    fn info(&self, info: &Info);

    /// Receives the root move that a long search is searching, with its number from 1.
    fn current_move(&self, _depth: i32, _mv: Move, _number: usize) {}
}

/// Ignores all reports.
impl Listener for () {
    fn info(&self, _: &Info) {}
}
