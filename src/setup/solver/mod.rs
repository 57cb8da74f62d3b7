//! Finds the best placement by solving the placement game over its final back ranks.
//!
//! **Leaves and rounds.** Every distinct pair of complete back ranks is a leaf. A [`LeafValuer`]
//! (the search) values all leaves at depth 1, then all at depth 2, and so on, on all threads of the
//! current rayon pool, until it is stopped. After each round the tree of placements is solved by
//! backward induction over (White's back rank, Black's back rank, side to place), with
//! transpositions merged, and the result is reported. A round that is stopped is discarded: the
//! result of the last complete round remains. Round 0 uses the valuer's static estimates. If even
//! that is stopped or would take more than the allowed nodes, there is a guess instead: in
//! Pre-Chess from the estimates made so far, otherwise an arbitrary legal placement. All work
//! checks whether it has been stopped, so limits are obeyed.
//!
//! What the result means:
//!
//! - **Fischer-Benko, Half-Random Transcendental:** exact. The value is the minimax value of the
//!   placement game over the leaf values of that round; at most 900 and 3600 leaves.
//! - **Pre-Chess:** exact in the same sense once at most [`MOST_LEAVES`] leaves remain (with four
//!   pieces left to each side, or sooner). Before that the game is *restricted*: a side may only
//!   head for its candidates. By the estimates against a fixed panel of the other side's back
//!   ranks, these are its best back rank for each placement that it has now, and its overall best
//!   ones. The restricted game is solved exactly. So every legal placement gets a value, but it is
//!   neither an upper nor a lower bound of the value of the whole game; see `minimax`.
//! - **Jepps Random Chess:** the expectation over the remaining dice and the mediator if both sides
//!   choose well among what is offered. It is exact once at most [`MOST_CHANCE_LEAVES`] leaves
//!   remain: when Black places after White's last piece, and late in White's placements and in Free
//!   Play. Before that the other side's choices are replaced by a sample of its back ranks drawn with a
//!   fixed seed, and only the side's own choices and dice are exact; see `chance`.
//!
//! [`Solution::method`] tells which of these applies to a result.

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
use crate::types::{Color, Move, Value};

/// Above this number of leaves Pre-Chess is restricted to candidates. Half-Random Transcendental
/// Chess never has more.
pub const MOST_LEAVES: usize = 3_600;
/// Above this number of leaves Jepps Random Chess is sampled.
pub const MOST_CHANCE_LEAVES: usize = 30_000;
/// The last round, if no depth is requested.
const MAX_LEAF_DEPTH: u32 = 100;

/// Returns whether the work should end.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Values the games after the placement phase, in which White is to move. Their move number follows
/// from the placement phase and should not affect the value.
pub trait LeafValuer: Sync {
    /// Returns a static estimate in centipawns for White.
    fn estimate(&self, game: &Position<Board8x8>) -> Value;

    /// Searches to this depth, from 1; `None` if it was stopped before it was complete.
    fn search(&self, game: &Position<Board8x8>, depth: u32, stop: &Stop) -> Option<LeafValue>;
}

/// The result of searching a leaf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeafValue {
    /// In centipawns for White, who is to move.
    pub value: Value,
    /// The nodes searched.
    pub nodes: u64,
    /// The first moves of the game.
    pub pv: Vec<Move>,
}

/// What to solve, and when to stop.
pub struct SolveRequest<'a> {
    /// The placement phase to solve.
    pub state: &'a Setup,
    /// Consider only these placements, for instance those that the dice offer; all, if empty.
    /// Illegal ones are skipped.
    pub placements: &'a [Placement],
    /// The last round.
    pub depth: Option<u32>,
    /// Start no leaf after this many nodes of all leaves together. With one thread the result is
    /// then deterministic.
    pub nodes: Option<u64>,
    /// Called between leaves, and by the valuer within them.
    pub stop: &'a Stop<'a>,
}

/// Roughly how many estimates, or table values, take as much time as one search node.
const ESTIMATES_A_NODE: usize = 8;
const TABLE_VALUES_A_NODE: usize = 64;

impl SolveRequest<'_> {
    /// Returns how many estimates take no more time than the allowed nodes.
    fn estimates(&self) -> usize {
        let nodes = self.nodes.and_then(|nodes| usize::try_from(nodes).ok());
        nodes.map_or(usize::MAX, |nodes| nodes.saturating_mul(ESTIMATES_A_NODE))
    }

    /// Whether the node limit allows work that takes the time of this many nodes, which are not
    /// counted.
    fn allows(&self, nodes: usize) -> bool {
        self.nodes.is_none_or(|most| most >= nodes as u64)
    }
}

/// How a solution was computed and what it guarantees; see the module documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The minimax value of the placement game.
    Exact,
    /// The minimax value if both sides head only for candidates.
    Candidates,
    /// The expectation over dice.
    Expectation,
    /// The expectation with the other side's back rank drawn from a sample.
    SampledExpectation,
    /// Stopped before anything was solved: the average value of the best back rank that a placement
    /// leads to against some of the other side's, or no information at all.
    Guess,
    /// No legal back rank can be completed, because the state had a defect; nothing is valued.
    DeadEnd,
}

/// A placement at the root and its expected continuation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionLine {
    /// In centipawns for the side to place.
    pub value: Value,
    /// From the root. If dice decide what follows, only the one placement.
    pub placements: Vec<Placement>,
    /// The first moves of the game after these placements, if they complete the placement phase.
    pub game: Vec<Move>,
}

/// The result of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The depth to which all leaves were searched; 0 for estimates.
    pub depth: u32,
    /// How the values were found.
    pub method: Method,
    /// All placements considered, best first. Never empty.
    pub lines: Vec<SolutionLine>,
    /// In Jepps Random Chess: the value of rolling dice for this square, for the side to place. A
    /// player who may reroll should do so if it exceeds that of the best line.
    pub value_of_rolling: Option<Value>,
    /// Nodes of all rounds, including an unfinished one.
    pub nodes: u64,
    /// Number of back rank pairs valued in each round.
    pub leaves: usize,
}

impl Solution {
    /// Returns the best placement.
    pub fn best(&self) -> Option<Placement> {
        self.lines.first().and_then(|line| line.placements.first().copied())
    }

    /// Returns the value of rerolling, if it exceeds that of the best placement.
    pub fn better_roll(&self) -> Option<Value> {
        self.value_of_rolling.filter(|rolling| *rolling > self.value())
    }

    /// Returns the value of the best placement in centipawns for the side to place.
    pub fn value(&self) -> Value {
        self.lines.first().map_or(0, |line| line.value)
    }
}

fn values_of(leaves: &[LeafValue]) -> Vec<Value> {
    leaves.iter().map(|leaf| leaf.value).collect()
}

/// The solution of the tree for given leaf values, which are White's.
struct Folded {
    lines: Vec<FoldedLine>,
    value_of_rolling: Option<Value>,
}

struct FoldedLine {
    /// In centipawns for White.
    value: Value,
    placements: Vec<Placement>,
    /// The leaf in which the placements end, if they complete the placement phase.
    leaf: Option<usize>,
}

/// A method of solving.
trait Plan: Sync {
    fn method(&self) -> Method;

    /// Returns every pair of back ranks that has to be valued.
    fn leaves(&self) -> &[[BackRank; 2]];

    /// Returns how many values [`Self::fold`] computes.
    fn table_size(&self) -> usize;

    /// Solves the tree, given a value for each leaf; `None` if it was stopped.
    fn fold(&self, values: &[Value], stop: &Stop) -> Option<Folded>;

    /// Returns an assessment of the placements before any fold, if there is one.
    fn guess(&self) -> Option<Folded> {
        None
    }
}

/// Solves a placement game in rounds of increasing leaf depth, each of which is reported when it is
/// complete. Returns `None` if no legal placement is to be considered. If not even the first round
/// was completed, the solution has depth 0 and was not reported.
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

/// Returns a solution that values all placements equally because nothing is known.
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

/// The games to value, and the nodes spent so far.
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

    /// Estimates all leaves; `None` if that was stopped or is not allowed.
    fn estimates(&self, request: &SolveRequest) -> Option<Vec<LeafValue>> {
        let estimate = |game| {
            let value = (!(self.stop)()).then(|| self.valuer.estimate(game))?;
            Some(LeafValue { value, ..LeafValue::default() })
        };
        let allowed = request.allows(self.games.len() / ESTIMATES_A_NODE);
        allowed.then(|| self.games.par_iter().map(estimate).collect()).flatten()
    }

    /// Runs rounds until a depth is reached or the work is stopped.
    fn deepen(&self, request: &SolveRequest, mut done: impl FnMut(u32, Vec<LeafValue>)) {
        for depth in 1..=request.depth.unwrap_or(MAX_LEAF_DEPTH) {
            let Some(values) = self.round(depth) else { break };
            done(depth, values);
        }
    }

    /// Searches all leaves to a depth; `None` if that was stopped.
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
        // The cost of leaves varies too much for batches, so each is a job.
        self.games.par_iter().with_max_len(1).map(value).collect()
    }

    /// Returns a solution from the estimates, or from the guess if even these cannot be folded in
    /// time.
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
        let for_side = |value: Value| match request.state.side_to_place() {
            Color::White => value,
            Color::Black => -value,
        };
        let mut lines: Vec<SolutionLine> = folded
            .lines
            .into_iter()
            .map(|line| SolutionLine {
                value: for_side(line.value),
                placements: line.placements,
                game: line
                    .leaf
                    .and_then(|leaf| leaves.get(leaf))
                    .map_or_else(Vec::new, |leaf| leaf.pv.clone()),
            })
            .collect();
        // A stable sort: among equals the order of generation remains.
        lines.sort_by_key(|line| std::cmp::Reverse(line.value));
        Solution {
            depth,
            method,
            lines,
            value_of_rolling: folded.value_of_rolling.map(for_side),
            nodes: self.nodes.load(Relaxed),
            leaves: self.games.len(),
        }
    }
}

#[cfg(test)]
mod tests;
