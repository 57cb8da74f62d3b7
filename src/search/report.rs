//! What a search says while it runs. The search never prints: it tells a [`Listener`].

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::types::{Move, Value};

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// Whether a value with this bound is a better one than a guess.
    #[inline(always)]
    pub fn betters(self, value: Value, guess: Value) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > guess,
            Bound::Upper => value < guess,
        }
    }
}

/// The state of a search: one line of analysis.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies of the iteration this line comes from.
    pub depth: i32,
    /// The deepest ply that was looked at for this line.
    pub selective_depth: usize,
    /// Number of the line, from 1.
    pub multi_pv: usize,
    /// For the side to move at the root.
    pub score: Value,
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hash_full: u32,
    /// Tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// The line; legal from the root, and empty only if there is no legal move.
    pub pv: Vec<Move>,
}

/// Hears what a search finds out.
pub trait Listener: Sync {
    /// A line of analysis is finished or improved.
    fn info(&self, info: &Info);

    /// A search that runs for long has come to this move of the root, by number from 1.
    fn current_move(&self, _depth: i32, _mv: Move, _number: usize) {}
}

/// Hears nothing.
impl Listener for () {
    fn info(&self, _: &Info) {}
}
