//! Which placement is best: the placement game is solved over its final arrays.
//!
//! **Leaves and rounds.** Every distinct pair of final arrays is a leaf. A [`LeafValuer`] (the
//! search) values all leaves to depth 1, then all to depth 2, and so on, on all threads of the
//! current rayon pool, until it is stopped. After each round the tree of placements is solved by
//! backward induction over (White's back rank, Black's back rank, side to place), each pair of
//! ranks once however it came about, and reported. A round that is stopped counts for nothing:
//! the result of the last whole round stands. Round 0 takes the valuer's estimates. Where even that
//! is stopped, or takes more than the nodes that are allowed, there is a guess in its place: in
//! Pre-Chess by what was estimated so far, else any legal placement. All work looks whether it is
//! stopped, so that limits bind.
//!
//! What the result means:
//!
//! - **Fischer-Benko, Half-Random Transcendental:** exact. The value is the minimax value of the
//!   placement game over the leaf values of that round; at most 900 and 3600 leaves.
//! - **Pre-Chess:** exact in the same sense from where at most [`MOST_LEAVES`] leaves are left
//!   (with four pieces left to each side, or sooner). Before that the game is *restricted*: a side
//!   may only head for its candidates, which are, by the estimates against a fixed panel of the
//!   other side's arrays, its best array for each placement that it has now, and its best ones
//!   besides. The restricted game is solved exactly. So every legal placement gets a value,
//!   but it is no bound of the value of the whole game, on either side; see `minimax`.
//! - **Jepps Random Chess:** the expectation over the dice to come and the mediator when everybody
//!   chooses well among what is offered, exact where at most [`MOST_CHANCE_LEAVES`] leaves are
//!   left: that is when Black places after White's last piece, and late in White's set-up and in
//!   Free Play. Before that the other side's choices are replaced by a sample of its arrays drawn
//!   with a fixed seed, and only the own choices and dice are exact; see `chance`.
//!
//! [`Solution::method`] says which of these a result is.

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
use crate::start::Array;
use crate::types::{Color, Move, Value};

/// With more leaves than this, Pre-Chess is restricted to candidates. Half-Random Transcendental
/// Chess never has more.
pub const MOST_LEAVES: usize = 3_600;
/// With more leaves than this, Jepps Random Chess is sampled.
pub const MOST_CHANCE_LEAVES: usize = 30_000;
/// The last round, if no depth is asked for.
const MAX_LEAF_DEPTH: u32 = 100;

/// Asks whether the work should end.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Values the games that a set-up leads to. White is to move in them; their move number, which no
/// value should depend on, is that of the set-up's state.
pub trait LeafValuer: Sync {
    /// At once, in centipawns for White.
    fn estimate(&self, game: &Position<Board8x8>) -> Value;

    /// By a search to this depth, from 1; nothing if it was stopped before it was complete.
    fn search(&self, game: &Position<Board8x8>, depth: u32, stop: &Stop) -> Option<LeafValue>;
}

/// What a search says of a leaf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeafValue {
    /// In centipawns for White, who is to move.
    pub value: Value,
    pub nodes: u64,
    /// The first moves of the game.
    pub pv: Vec<Move>,
}

/// What is to be solved, and when to end.
pub struct SolveRequest<'a> {
    pub state: &'a Setup,
    /// Consider only these placements, for instance those that dice offer; all, if empty. Those
    /// that are not legal are passed over.
    pub placements: &'a [Placement],
    /// The last round.
    pub depth: Option<u32>,
    /// Begin no leaf after this many nodes of all leaves together. With one thread the result
    /// then depends on nothing but the task.
    pub nodes: Option<u64>,
    /// Asked between leaves, and by the valuer within them.
    pub stop: &'a Stop<'a>,
}

/// About as many estimates, or values of tables, take the time of a node of a search.
const ESTIMATES_A_NODE: usize = 8;
const TABLE_VALUES_A_NODE: usize = 64;

impl SolveRequest<'_> {
    /// How many estimates take no more time than the nodes.
    fn estimates(&self) -> usize {
        let nodes = self.nodes.and_then(|nodes| usize::try_from(nodes).ok());
        nodes.map_or(usize::MAX, |nodes| nodes.saturating_mul(ESTIMATES_A_NODE))
    }

    /// Whether the nodes allow for work that takes the time of this many, which are not counted.
    fn allows(&self, nodes: usize) -> bool {
        self.nodes.is_none_or(|most| most >= nodes as u64)
    }
}

/// How a solution came about, that is, what it guarantees; see the head of this file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The minimax value of the placement game.
    Exact,
    /// The minimax value if the sides head for candidates only.
    Candidates,
    /// The expectation over dice.
    Expectation,
    /// The same with the other side's array drawn from a sample.
    SampledExpectation,
    /// Stopped before anything was solved: what the best array that a placement leads to is worth
    /// on average against some of the other side's, or not even that.
    Guess,
    /// No array can come of the set-up, which began with a defect; nothing is valued.
    DeadEnd,
}

/// A placement of the root and what is expected to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionLine {
    /// In centipawns for the side to place.
    pub value: Value,
    /// From the root. Where dice decide what follows it is the one placement.
    pub placements: Vec<Placement>,
    /// The first moves of the game after these placements, if they finish the set-up.
    pub game: Vec<Move>,
}

/// The result of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// To which all leaves were searched; 0 for estimates.
    pub depth: u32,
    pub method: Method,
    /// All placements considered, the best first. Never none.
    pub lines: Vec<SolutionLine>,
    /// In Jepps Random Chess: what rolling dice for this square is worth to the side to place. A
    /// player who may roll again should if it is more than the best line.
    pub value_of_rolling: Option<Value>,
    /// Of all rounds, the unfinished one too.
    pub nodes: u64,
    /// Pairs of arrays that are valued in each round.
    pub leaves: usize,
}

impl Solution {
    /// The placement to choose.
    pub fn best(&self) -> Option<Placement> {
        self.lines.first().and_then(|line| line.placements.first().copied())
    }

    /// What rolling the dice again is worth, if that is more than the best placement is.
    pub fn better_roll(&self) -> Option<Value> {
        self.value_of_rolling.filter(|rolling| *rolling > self.value())
    }

    /// Its value in centipawns for the side to place.
    pub fn value(&self) -> Value {
        self.lines.first().map_or(0, |line| line.value)
    }
}

fn values_of(leaves: &[LeafValue]) -> Vec<Value> {
    leaves.iter().map(|leaf| leaf.value).collect()
}

/// What a way of solving makes of the leaves' values, which are White's.
struct Folded {
    lines: Vec<FoldedLine>,
    value_of_rolling: Option<Value>,
}

struct FoldedLine {
    /// White's.
    value: Value,
    placements: Vec<Placement>,
    /// Where the placements end, if they finish the set-up.
    leaf: Option<usize>,
}

/// A way of solving.
trait Plan: Sync {
    fn method(&self) -> Method;

    /// Every game that has to be valued.
    fn leaves(&self) -> &[[Array; 2]];

    /// How many values [`Self::fold`] makes.
    fn table_size(&self) -> usize;

    /// Solves the tree, given a value for each leaf; nothing if it was stopped.
    fn fold(&self, values: &[Value], stop: &Stop) -> Option<Folded>;

    /// What to think of the placements before that, if anything.
    fn guess(&self) -> Option<Folded> {
        None
    }
}

/// Solves a placement game in rounds of growing leaf depth, each of which is reported when it is
/// complete. Nothing if there is no legal placement among those to consider. If not even the
/// first round was completed, the solution has depth 0 and was not reported.
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

/// All placements are worth the same if nothing is known of them.
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

/// The games to value, and what it cost so far.
struct Leaves<'a> {
    games: Vec<Position<Board8x8>>,
    valuer: &'a dyn LeafValuer,
    most_nodes: u64,
    nodes: AtomicU64,
    stop: &'a Stop<'a>,
}

impl<'a> Leaves<'a> {
    fn new(request: &'a SolveRequest, arrays: &[[Array; 2]], valuer: &'a dyn LeafValuer) -> Self {
        let (kind, number) = (request.state.kind(), request.state.number());
        Leaves {
            games: arrays.iter().map(|arrays| position(kind, *arrays, number)).collect(),
            valuer,
            most_nodes: request.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            stop: request.stop,
        }
    }

    /// At once; nothing if even that was stopped or not allowed.
    fn estimates(&self, request: &SolveRequest) -> Option<Vec<LeafValue>> {
        let estimate = |game| {
            let value = (!(self.stop)()).then(|| self.valuer.estimate(game))?;
            Some(LeafValue { value, ..LeafValue::default() })
        };
        let allowed = request.allows(self.games.len() / ESTIMATES_A_NODE);
        allowed.then(|| self.games.par_iter().map(estimate).collect()).flatten()
    }

    /// Round after round, until a depth is reached or the work is stopped.
    fn deepen(&self, request: &SolveRequest, mut done: impl FnMut(u32, Vec<LeafValue>)) {
        for depth in 1..=request.depth.unwrap_or(MAX_LEAF_DEPTH) {
            let Some(values) = self.round(depth) else { break };
            done(depth, values);
        }
    }

    /// All leaves to a depth; nothing if that was stopped.
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
        // Leaves differ in cost by more than their number evens out, so each is a job of its own.
        self.games.par_iter().with_max_len(1).map(value).collect()
    }

    /// By the estimates, or by less if not even these can be folded in time.
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
        // Stable: among equals the order of generation decides.
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
