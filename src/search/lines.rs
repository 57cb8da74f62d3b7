//! The root moves with their results, the lines that a search found, and the reports of a running search. The
//! search never prints: it calls a [`Listener`].

use std::time::Duration;

use crate::geometry::Board;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MATE, is_mate};
use crate::types::{Bound, Move, Value};

/// A root move and its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// The value in the current iteration; `-INFINITE` if the move was not searched or did not beat the
    /// best move.
    pub value: Value,
    /// The value in the previous iteration.
    pub previous: Value,
    pub bound: Bound,
    pub selective_depth: usize,
    /// The number of nodes spent on this move in the whole search.
    pub nodes: u64,
    pub pv: Vec<Move>,
    /// The tablebase rank, which takes precedence over the value; see [`Ranked`](crate::tablebase::Ranked).
    pub rank: i32,
    /// The tablebase score, if the tablebases cover the root moves.
    pub tablebase_score: Option<Value>,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Upper,
            selective_depth: 0,
            nodes: 0,
            pv: vec![mv],
            rank: 0,
            tablebase_score: None,
        }
    }

    /// Returns a copy with the score to report. A tablebase score replaces the value of the search, unless
    /// the search found a mate.
    pub fn with_display_score(&self) -> RootMove {
        let searched = self.value > -INFINITE && !is_mate(self.value);
        match self.tablebase_score.filter(|_| searched) {
            Some(value) => RootMove { value, bound: Bound::Exact, ..self.clone() },
            None => self.clone(),
        }
    }
}

/// The result of a search or of one search thread: the lines found from the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootLines {
    /// The lines, best first. Their number is [`Limits::multi_pv`](super::Limits::multi_pv), or the number of
    /// root moves if there are fewer. Empty if there is no legal move.
    pub lines: Vec<RootMove>,
    /// The value of the best line for the side to move. Without a legal move, the value of a mate or a
    /// draw.
    pub score: Value,
    /// The depth of the lines. If the last iteration was stopped, this depth may apply to the first line
    /// only.
    pub depth: i32,
    /// The depth of the last finished iteration, or 0 if no iteration was finished.
    pub finished_depth: i32,
    /// The node count of all threads.
    pub nodes: u64,
    /// Whether the last iteration was stopped.
    pub stopped: bool,
}

impl RootLines {
    /// Creates the lines of a finished iteration.
    pub(super) fn new(lines: Vec<RootMove>, depth: i32) -> RootLines {
        let score = lines.first().map_or(-INFINITE, |line| line.value);
        RootLines { lines, score, depth, finished_depth: depth, nodes: 0, stopped: false }
    }

    /// Creates the result for a position without legal moves: a mate or a draw.
    pub(super) fn without_moves<G: Board>(position: &Position<G>) -> RootLines {
        let score = if position.in_check() { -MATE } else { DRAW };
        RootLines { score, ..RootLines::new(Vec::new(), 0) }
    }

    /// Returns the move to play, or `None` if there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// Returns the principal variation.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// Returns the deepest ply that was searched for the best line.
    pub fn selective_depth(&self) -> usize {
        self.lines.first().map_or(0, |line| line.selective_depth)
    }
}

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
