//! The reports and the result of a search, as text and numbers.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::SearchRequest;
use super::chances::Chances;
use crate::geometry::Board;
use crate::notation;
use crate::position::Position;
use crate::search::{Listener, Progress, RootMove};
use crate::types::{Bound, Move, Score};

/// Converts a duration to milliseconds.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A line of analysis that a search reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchInfo {
    /// The depth of the iteration, in plies.
    pub depth: i32,
    /// The maximum ply that the search reached for this line.
    pub selective_depth: usize,
    /// The number of the line, from 1.
    pub multi_pv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact, a lower bound or an upper bound.
    pub bound: Bound,
    /// The chances of the side to move to win, draw and lose, in per mille.
    pub wdl: [u32; 3],
    /// The node count of all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The occupancy of the transposition table, in per mille.
    pub hash_full: u32,
    /// The tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// The PV in UCI notation. The PV is empty only if there is no legal move.
    pub pv: Vec<String>,
    /// The PV in SAN, if the request asks for SAN.
    pub san: Vec<String>,
}

impl SearchInfo {
    /// Creates the report for a position without legal moves, which is mate or a draw.
    pub(super) fn no_moves(mated: bool, time: Duration) -> SearchInfo {
        SearchInfo {
            depth: 0,
            selective_depth: 0,
            multi_pv: 1,
            score: if mated { Score::Mate(0) } else { Score::Centipawns(0) },
            bound: Bound::Exact,
            wdl: if mated { [0, 0, 1000] } else { DRAWN },
            nodes: 0,
            time,
            hash_full: 0,
            tablebase_hits: 0,
            pv: Vec::new(),
            san: Vec::new(),
        }
    }

    /// Returns the expected points of the side to move, from 0 to 1.
    pub fn points(&self) -> f64 {
        match self.score {
            Score::Centipawns(_) => f64::from(2 * self.wdl[0] + self.wdl[1]) / 2_000.0,
            Score::Mate(moves) => f64::from(u8::from(moves > 0)),
        }
    }

    /// Returns the nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Returns the nodes per second. Times below a microsecond count as a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// Receives the reports of a search. A closure that takes a [`SearchInfo`] is a listener. The listener `()`
/// ignores all reports.
pub trait SearchListener: Sync {
    /// Called with each new line of analysis.
    fn info(&self, info: &SearchInfo);

    /// Called during long searches, with the root move that is being searched and the number of the move,
    /// from 1.
    fn current_move(&self, _depth: i32, _mv: &str, _number: usize) {}
}

impl SearchListener for () {
    fn info(&self, _: &SearchInfo) {}
}

impl<F: Fn(&SearchInfo) + Sync> SearchListener for F {
    fn info(&self, info: &SearchInfo) {
        self(info);
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SearchResult {
    /// The best move in UCI notation, or `None` if there are no legal moves.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// The node count of all threads.
    pub nodes: u64,
    /// The lines of the last completed iteration, best first. The first line begins with the move `best`.
    pub lines: Vec<SearchInfo>,
}

impl SearchResult {
    /// Returns the score of the best line, for the side to move.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// The chances to win, draw and lose, in per mille, in a position that is certainly drawn.
const DRAWN: [u32; 3] = [0, 1000, 0];

/// Passes reports on to the listener, and stores the lines of the last completed iteration.
pub(super) struct Reporter<'a> {
    pub request: &'a SearchRequest,
    pub listener: &'a dyn SearchListener,
    lines: Mutex<LastLines>,
}

impl<'a> Reporter<'a> {
    pub fn new(request: &'a SearchRequest, listener: &'a dyn SearchListener) -> Reporter<'a> {
        Reporter { request, listener, lines: Mutex::default() }
    }

    pub fn report(&self, info: SearchInfo) {
        self.listener.info(&info);
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).add(info);
    }

    /// Returns the result of the finished search.
    pub fn result(self, best: Option<String>, ponder: Option<String>, nodes: u64) -> SearchResult {
        let lines = self.lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        let lines = lines.whole(best.as_ref());
        SearchResult { best, ponder, nodes, lines }
    }
}

/// Converts the reports of a search to text and passes them to the reporter.
pub(super) struct Formatter<'a, G: Board> {
    pub root: &'a Position<G>,
    pub chances: Chances,
    pub reporter: &'a Reporter<'a>,
}

impl<G: Board> Listener for Formatter<'_, G> {
    fn line(&self, line: &RootMove, number: usize, progress: &Progress) {
        let SearchRequest { chess960, san: wants_san, .. } = *self.reporter.request;
        let mut position = self.root.clone();
        let (mut pv, mut san) = (Vec::new(), Vec::new());
        for &mv in &line.pv {
            pv.push(notation::uci(&position, mv, chess960));
            if wants_san {
                san.push(notation::san(&position, mv));
            }
            position.make(mv);
        }
        let is_drawn = self.root.is_insufficient_material();
        let Progress { depth, nodes, time, hash_full, tablebase_hits } = *progress;
        self.reporter.report(SearchInfo {
            depth,
            selective_depth: line.selective_depth.max(1),
            multi_pv: number,
            score: Score::new(self.chances.centipawns(line.value)),
            bound: line.bound,
            wdl: if is_drawn { DRAWN } else { self.chances.win_draw_loss(line.value) },
            nodes,
            time,
            hash_full,
            tablebase_hits,
            pv,
            san,
        });
    }

    fn current_move(&self, depth: i32, mv: Move, number: usize) {
        let text = notation::uci(self.root, mv, self.reporter.request.chess960);
        self.reporter.listener.current_move(depth, &text, number);
    }
}

/// The lines of the last complete depth, best first.
#[derive(Default)]
struct LastLines {
    /// The lines of the previous iteration. The result consists of these lines until the current iteration
    /// has reported all its lines.
    before: Vec<SearchInfo>,
    /// The lines that the current iteration has reported.
    now: Vec<SearchInfo>,
    /// The last report on the first line, whose score may be a bound.
    last: Option<SearchInfo>,
}

impl LastLines {
    /// Adds a reported line. A line whose score is only a bound is ignored, unless it is the first line of
    /// the search.
    fn add(&mut self, line: SearchInfo) {
        let begins = line.multi_pv == 1;
        if begins {
            self.last = Some(line.clone());
        }
        if line.bound != Bound::Exact && !(begins && self.now.is_empty()) {
            return;
        }
        if begins && self.now.len() >= self.before.len() {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.truncate(line.multi_pv - 1);
        if self.now.len() + 1 == line.multi_pv {
            self.now.push(line);
        }
    }

    /// Returns the lines. If the last iteration was stopped after it had found another best move, the line
    /// of that move comes first.
    fn whole(self, best: Option<&String>) -> Vec<SearchInfo> {
        let lines = if self.now.len() < self.before.len() { self.before } else { self.now };
        let is_best = |line: &SearchInfo| line.pv.first() == best;
        match self.last.filter(|line| is_best(line) && !lines.first().is_some_and(is_best)) {
            Some(last) => {
                let others = lines.into_iter().filter(|line| !is_best(line));
                std::iter::once(last).chain(others).collect()
            }
            None => lines,
        }
    }
}
