//! Finds the best placement by solving the placement game, whose leaves are pairs of back ranks.
//!
//! **Leaves and rounds.** Every distinct pair of complete back ranks is a leaf. In round 1 a
//! [`LeafValuer`] (the search) searches all leaves to depth 1, in round 2 to depth 2, and so on, on
//! all threads of the current rayon pool. After each round the tree of placements is solved by
//! backward induction, and the result is reported. A node of the tree is White's back rank, Black's
//! back rank and the side to place, so transpositions are merged. The search ends when it is stopped
//! or reaches a limit. An incomplete round is discarded, and the result of the last complete round
//! remains.
//!
//! Round 0 uses the valuer's static estimates. If round 0 is stopped too, or would take longer than
//! the allowed nodes, the result is a guess. In Pre-Chess with many leaves the guess uses the
//! estimates made so far; otherwise it is an arbitrary legal placement. Every step checks whether
//! the search was stopped, so limits are obeyed.
//!
//! The meaning of the result depends on the game:
//!
//! - **Fischer-Benko, Half-Random Transcendental:** the value is exact: the minimax value of the
//!   placement game for the leaf values of the last complete round. Fischer-Benko has at most 900
//!   leaves, Half-Random Transcendental Chess at most 3600.
//! - **Pre-Chess:** the value is exact in the same sense if at most [`MOST_LEAVES`] leaves remain.
//!   This is the case when each side has four pieces in hand, or earlier. With more leaves the game
//!   is *restricted*: each side places only towards back ranks from a list of candidates. Back ranks
//!   are compared by static estimates against a fixed panel of the other side's back ranks. A side's
//!   candidates are the best back rank for each of its next placements, and its overall best back
//!   ranks. The restricted game is solved exactly, and every legal placement gets a value. This value
//!   is neither an upper nor a lower bound on the value of the whole game; see `minimax`.
//! - **Jepps Random Chess:** the value is the expectation over the remaining dice and the mediator if
//!   both sides choose the best of the offered pieces. The value is exact if at most
//!   [`MOST_CHANCE_LEAVES`] leaves remain: when Black places after White's last piece, and late in White's
//!   placements and in Free Play. With more leaves the other side's choices are replaced by a sample
//!   of its back ranks, drawn with a fixed seed. Only the choices and dice of the side to place are
//!   then exact; see `chance`.
//!
//! [`Solution::method`] tells which case applies to a result.

mod chance;
mod minimax;
mod tree;

pub use chance::{MediationValues, weigh_verdicts};

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Placement, PlacementList, Setup, position};
use crate::geometry::Board8x8;
use crate::position::Position;
use crate::rules::SetupKind;
use crate::start::BackRank;
use crate::types::{Move, Value};

/// The maximum number of leaves with which Pre-Chess is solved exactly. With more leaves Pre-Chess is
/// restricted to candidates. Half-Random Transcendental Chess never has more leaves than this number.
pub const MOST_LEAVES: usize = 3_600;
/// The maximum number of leaves with which Jepps Random Chess is solved exactly; with more leaves
/// the other side's back ranks are sampled.
pub const MOST_CHANCE_LEAVES: usize = 30_000;
/// The depth of the last round if no depth is requested.
const MAX_LEAF_DEPTH: u32 = 100;

/// A function that returns whether the work should end.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Evaluates the initial positions of games after the placement phase, in which White is to move.
/// The move number depends on the length of the placement phase and should not affect the value.
pub trait LeafValuer: Sync {
    /// Returns a static estimate in centipawns for White.
    fn estimate(&self, game: &Position<Board8x8>) -> Value;

    /// Searches a position to the given depth, which is at least 1. Returns `None` if the search was
    /// stopped.
    fn search(&self, game: &Position<Board8x8>, depth: u32, stop: &Stop) -> Option<LeafValue>;
}

/// The result of searching a leaf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeafValue {
    /// The score in centipawns for White, who is to move.
    pub value: Value,
    /// The nodes searched.
    pub nodes: u64,
    /// The first moves of the game.
    pub pv: Vec<Move>,
}

/// A placement phase to solve, and the limits for solving it.
pub struct SolveRequest<'a> {
    /// The placement phase to solve.
    pub state: &'a Setup,
    /// The placements to consider, for instance those that the dice offer. An empty list means all
    /// legal placements. Illegal placements are skipped.
    pub placements: &'a [Placement],
    /// The depth of the last round.
    pub depth: Option<u32>,
    /// The node limit. No leaf is started when the searches of all leaves together have reached this
    /// number. With one thread the result is deterministic.
    pub nodes: Option<u64>,
    /// Returns whether to stop. Called between leaves, and by the valuer while it searches a leaf.
    pub stop: &'a Stop<'a>,
}

/// The approximate number of static estimates that take as much time as one search node.
const ESTIMATES_A_NODE: usize = 8;
/// The approximate number of table values that take as much time as one search node.
const TABLE_VALUES_A_NODE: usize = 64;

impl SolveRequest<'_> {
    /// Returns the number of estimates that take as much time as the node limit allows.
    fn estimates(&self) -> usize {
        let nodes = self.nodes.and_then(|nodes| usize::try_from(nodes).ok());
        nodes.map_or(usize::MAX, |nodes| nodes.saturating_mul(ESTIMATES_A_NODE))
    }

    /// Returns whether the node limit allows work that takes as long as searching `nodes` nodes. The work
    /// itself does not count as nodes.
    fn allows(&self, nodes: usize) -> bool {
        self.nodes.is_none_or(|most| most >= nodes as u64)
    }
}

/// How a solution was computed and what it guarantees; see the module documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The values are the exact minimax values of the placement game.
    Exact,
    /// The values are the minimax values of the restricted game, in which both sides place only towards
    /// candidates.
    Candidates,
    /// The values are the exact expectations over the dice.
    Expectation,
    /// The values are expectations in which the other side's back rank is drawn from a sample.
    SampledExpectation,
    /// The values are a guess, because the work was stopped before any game was solved. In Pre-Chess with
    /// many leaves a placement has the value of the best back rank that it can lead to, averaged over some of
    /// the other side's back ranks. Otherwise all values are 0.
    Guess,
    /// There are no values, because a side cannot complete its back rank legally.
    DeadEnd,
}

/// A placement in the current state, with its value and the expected continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionLine {
    /// The score in centipawns for the side to place.
    pub value: Value,
    /// The placements from the current state to the end of the placement phase. If dice decide the later
    /// placements, the list holds only the first placement.
    pub placements: Vec<Placement>,
    /// The first moves of the game, if the placements complete the placement phase.
    pub game: Vec<Move>,
}

/// The result of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The depth to which all leaves were searched; 0 for static estimates.
    pub depth: u32,
    /// How the values were computed.
    pub method: Method,
    /// All placements considered, best first. Never empty.
    pub lines: Vec<SolutionLine>,
    /// The value, for the side to place, of rolling the dice for the next square of Jepps Random
    /// Chess. A player who may reroll should do so if this value exceeds the value of the best line.
    pub value_of_rolling: Option<Value>,
    /// The nodes searched in all rounds, including an incomplete last round.
    pub nodes: u64,
    /// The number of pairs of back ranks evaluated in each round.
    pub leaves: usize,
}

impl Solution {
    /// Returns the best placement.
    pub fn best(&self) -> Option<Placement> {
        self.lines.first().and_then(|line| line.placements.first().copied())
    }

    /// Returns the value of the best placement in centipawns for the side to place.
    pub fn value(&self) -> Value {
        self.lines.first().map_or(0, |line| line.value)
    }
}

fn values_of(leaves: &[LeafValue]) -> Vec<Value> {
    leaves.iter().map(|leaf| leaf.value).collect()
}

/// The solution of the tree of placements for given leaf values. All values are for White.
struct Folded {
    lines: Vec<FoldedLine>,
    value_of_rolling: Option<Value>,
}

struct FoldedLine {
    /// The value in centipawns for White.
    value: Value,
    placements: Vec<Placement>,
    /// The leaf that the placements lead to, if they complete the placement phase.
    leaf: Option<usize>,
}

/// A method of solving the placement game: exact, with candidates, or by expectation.
trait Plan: Sync {
    fn method(&self) -> Method;

    /// Returns every pair of back ranks that must be evaluated.
    fn leaves(&self) -> &[[BackRank; 2]];

    /// Returns the number of values that [`Self::fold`] computes.
    fn table_size(&self) -> usize;

    /// Solves the tree, given a value for each leaf. Returns `None` if the work was stopped.
    fn fold(&self, values: &[Value], stop: &Stop) -> Option<Folded>;

    /// Returns guessed values of the placements, for use if no leaf was evaluated. Returns `None` if this
    /// method cannot guess.
    fn guess(&self) -> Option<Folded> {
        None
    }
}

/// Solves a placement game in rounds of increasing search depth and reports each complete round.
/// Returns `None` if the request leaves no legal placement to consider. If no round was completed,
/// the returned solution has depth 0 and was not reported.
pub fn solve(
    request: &SolveRequest,
    valuer: &dyn LeafValuer,
    report: &mut (dyn FnMut(&Solution) + Send),
) -> Option<Solution> {
    let mut considered = request.state.legal_placements();
    if !request.placements.is_empty() {
        considered.retain(|placement| request.placements.contains(placement));
    }
    if considered.is_empty() {
        return None;
    }
    let plan: Box<dyn Plan> = match request.state.kind() {
        SetupKind::FischerBenko | SetupKind::Transcendental | SetupKind::Placement => {
            Box::new(minimax::Minimax::new(request, &considered, valuer))
        }
        SetupKind::Jepps | SetupKind::JeppsFreePlay => {
            Box::new(chance::Expectation::new(request.state, &considered))
        }
    };
    Some(rounds(request, &considered, plan.as_ref(), valuer, report))
}

/// Returns a solution in which every placement has the value 0. It is used if nothing could be computed.
fn unsolved(considered: &PlacementList, method: Method) -> Solution {
    let line = |placement: &Placement| SolutionLine {
        value: 0,
        placements: vec![*placement],
        game: Vec::new(),
    };
    Solution {
        depth: 0,
        method,
        lines: considered.iter().map(line).collect(),
        value_of_rolling: None,
        nodes: 0,
        leaves: 0,
    }
}

fn rounds(
    request: &SolveRequest,
    considered: &PlacementList,
    plan: &dyn Plan,
    valuer: &dyn LeafValuer,
    report: &mut (dyn FnMut(&Solution) + Send),
) -> Solution {
    let leaves = Leaves::new(request, plan.leaves(), valuer);
    let mut solution = leaves.first_solution(request, plan).unwrap_or_else(|| {
        let is_dead = plan.leaves().is_empty() && plan.method() != Method::Guess;
        unsolved(considered, if is_dead { Method::DeadEnd } else { Method::Guess })
    });
    if plan.leaves().is_empty() {
        return solution;
    }
    leaves.deepen(request, |depth, values| {
        if let Some(folded) = plan.fold(&values_of(&values), request.stop) {
            solution = leaves.solution(request, plan.method(), depth, &values, folded);
            report(&solution);
        }
    });
    solution.nodes = leaves.nodes.load(Relaxed);
    solution
}

/// The pairs of back ranks as games to evaluate, and the number of nodes searched so far.
struct Leaves<'a> {
    games: Vec<Position<Board8x8>>,
    valuer: &'a dyn LeafValuer,
    most_nodes: u64,
    nodes: AtomicU64,
    stop: &'a Stop<'a>,
}

impl<'a> Leaves<'a> {
    fn new(
        request: &'a SolveRequest,
        back_ranks: &[[BackRank; 2]],
        valuer: &'a dyn LeafValuer,
    ) -> Self {
        let (kind, number) = (request.state.kind(), request.state.number());
        Leaves {
            games: back_ranks
                .iter()
                .map(|back_ranks| position(kind, *back_ranks, number))
                .collect(),
            valuer,
            most_nodes: request.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            stop: request.stop,
        }
    }

    /// Returns the static estimates of all leaves. Returns `None` if the work was stopped or would
    /// take longer than the node limit allows.
    fn estimates(&self, request: &SolveRequest) -> Option<Vec<LeafValue>> {
        let estimate = |game| {
            let value = (!(self.stop)()).then(|| self.valuer.estimate(game))?;
            Some(LeafValue { value, ..LeafValue::default() })
        };
        let allowed = request.allows(self.games.len() / ESTIMATES_A_NODE);
        allowed.then(|| self.games.par_iter().map(estimate).collect()).flatten()
    }

    /// Runs rounds of increasing depth until the requested depth is reached or the work is stopped.
    /// Calls `done` after each round.
    fn deepen(&self, request: &SolveRequest, mut done: impl FnMut(u32, Vec<LeafValue>)) {
        for depth in 1..=request.depth.unwrap_or(MAX_LEAF_DEPTH) {
            let Some(values) = self.round(depth) else { break };
            done(depth, values);
        }
    }

    /// Searches all leaves to the given depth. Returns `None` if the work was stopped.
    fn round(&self, depth: u32) -> Option<Vec<LeafValue>> {
        let over = || (self.stop)() || self.nodes.load(Relaxed) >= self.most_nodes;
        let value = |game| {
            if over() {
                return None;
            }
            let leaf = self.valuer.search(game, depth, &over)?;
            self.nodes.fetch_add(leaf.nodes, Relaxed);
            Some(leaf)
        };
        // Search times vary too much between leaves for batches, so each leaf is a job of its own.
        self.games.par_iter().with_max_len(1).map(value).collect()
    }

    /// Returns the solution of round 0, which uses static estimates. Returns the guess if round 0 was
    /// stopped or would take longer than the node limit allows.
    fn first_solution(&self, request: &SolveRequest, plan: &dyn Plan) -> Option<Solution> {
        let folded = || {
            let allowed = !self.games.is_empty();
            let estimates = allowed.then(|| self.estimates(request)).flatten()?;
            let allowed = request.allows(plan.table_size() / TABLE_VALUES_A_NODE);
            let folded =
                allowed.then(|| plan.fold(&values_of(&estimates), request.stop)).flatten()?;
            Some(self.solution(request, plan.method(), 0, &estimates, folded))
        };
        let guess = || Some(self.solution(request, Method::Guess, 0, &[], plan.guess()?));
        folded().or_else(guess)
    }

    fn solution(
        &self,
        request: &SolveRequest,
        method: Method,
        depth: u32,
        leaves: &[LeafValue],
        folded: Folded,
    ) -> Solution {
        let sign = request.state.side_to_place().sign();
        let mut lines: Vec<SolutionLine> = folded
            .lines
            .into_iter()
            .map(|line| SolutionLine {
                value: line.value * sign,
                placements: line.placements,
                game: line
                    .leaf
                    .and_then(|leaf| leaves.get(leaf))
                    .map_or_else(Vec::new, |leaf| leaf.pv.clone()),
            })
            .collect();
        // The sort is stable: placements of equal value stay in the order of generation.
        lines.sort_by_key(|line| std::cmp::Reverse(line.value));
        Solution {
            depth,
            method,
            lines,
            value_of_rolling: folded.value_of_rolling.map(|value| value * sign),
            nodes: self.nodes.load(Relaxed),
            leaves: self.games.len(),
        }
    }
}

#[cfg(test)]
mod tests;
