//! `go` during a set-up: the solver's rounds, with the main search as the judge of leaves, within
//! the limits of the request.

use std::time::Instant;

use super::report::no_moves;
use super::strength::{skill_of, win_draw_loss};
use super::{Answer, Control, Line, Reporter, Request, Score};
use crate::geometry::Board8x8;
use crate::notation;
use crate::position::Position;
use crate::search::time::Stability;
use crate::search::tt::TranspositionTable;
use crate::search::{Bound, LeafSearch, Limits, Pool, SearchContext, TimeManager};
use crate::setup::solver::{self, LeafValue, LeafValuer, Solution, SolveRequest, Stop};
use crate::setup::{Phase, Placement, Setup};
use crate::types::Value;

/// A search of the placement game.
pub(super) struct SetupSearch<'a> {
    pub state: &'a Setup,
    /// To choose from; all, if empty.
    pub placements: &'a [Placement],
    pub limits: &'a Limits,
    pub request: &'a Request,
    pub began: Instant,
    pub control: &'a Control,
    pub reporter: &'a dyn Reporter,
}

/// The search as the judge of leaves.
impl LeafValuer for LeafSearch<'_, Board8x8> {
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        self.evaluate(game)
    }

    /// The context's own flag and count of nodes say when to stop.
    fn search(&self, game: &Position<Board8x8>, depth: u32, _: &Stop) -> Option<LeafValue> {
        let outcome = self.search(game, depth)?;
        Some(LeafValue { value: outcome.score, nodes: outcome.nodes, pv: outcome.pv })
    }
}

impl SetupSearch<'_> {
    /// Searches until a limit is reached or `stop` is set; in infinite and ponder mode the answer
    /// waits for that or `ponderhit`.
    pub fn run(&self, pool: &mut Pool<Board8x8>, table: &TranspositionTable) -> Answer {
        let time = TimeManager::new(self.limits, self.began, self.request.overhead);
        let context = SearchContext {
            table,
            limits: self.limits,
            time: &time,
            control: self.control,
            skill: self.request.elo.map(|elo| skill_of(elo, self.request.seed)),
            listener: &(),
            prober: self.request.prober.as_ref(),
        };
        let work = |leaves: &LeafSearch<Board8x8>| {
            Rounds { search: self, context: &context, leaves }.solve()
        };
        let answer = pool.search_leaves(&context, work);
        answer.unwrap_or(Answer { best: None, ponder: None, nodes: 0 })
    }
}

/// The rounds of the solver, on the threads of the pool.
struct Rounds<'a, 's> {
    search: &'a SetupSearch<'a>,
    context: &'a SearchContext<'a>,
    leaves: &'a LeafSearch<'s, Board8x8>,
}

/// What the rounds so far agree on.
#[derive(Default)]
struct Trend {
    best: Option<Placement>,
    value: Value,
    /// Rounds since the best placement last changed.
    settled_for: u32,
    /// Nodes when a round was last reported.
    reported: Option<u64>,
}

impl Rounds<'_, '_> {
    fn solve(&self) -> Answer {
        let search = self.search;
        let task = SolveRequest {
            state: search.state,
            placements: search.placements,
            depth: search.limits.depth.map(|depth| depth.max(1)),
            nodes: self.context.node_limit(),
            stop: &|| self.leaves.has_ended(),
        };
        let mut trend = Trend::default();
        let solution = solver::solve(&task, self.leaves, &mut |solution| {
            self.report(solution);
            if self.is_enough(solution, &mut trend) {
                self.leaves.end();
            }
            trend.reported = Some(self.leaves.nodes());
        });
        let nodes = self.leaves.nodes();
        let Some(solution) = solution else {
            search.reporter.line(&no_moves(0, self.context.time.elapsed()));
            return Answer { best: None, ponder: None, nodes };
        };
        // A round that was stopped took nodes and time, too; and estimates are not reported.
        if trend.reported != Some(nodes) {
            self.report(&solution);
        }
        let mut pv = solution.lines.first().map_or_else(Vec::new, |line| self.pv(line).0);
        let ponder = (pv.len() > 1).then(|| pv.swap_remove(1));
        Answer { best: solution.best().map(|best| best.to_string()), ponder, nodes }
    }

    /// Whether no further round should begin: one that is not completed counts for nothing, so
    /// that it must have good chances.
    fn is_enough(&self, solution: &Solution, trend: &mut Trend) -> bool {
        let (best, value) = (solution.best(), solution.value());
        let score_drop = if trend.best.is_some() { trend.value - value } else { 0 };
        trend.settled_for = if trend.best == best { trend.settled_for + 1 } else { 0 };
        (trend.best, trend.value) = (best, value);
        if self.search.limits.clock.is_none() || self.context.is_pondering() {
            return false;
        }
        let is_forced = solution.lines.len() == 1;
        // All nodes serve all placements, which says nothing about doubts.
        let stability = Stability { iterations: trend.settled_for, node_share: 1.0, score_drop };
        is_forced || self.context.time.is_enough(stability)
    }

    fn report(&self, solution: &Solution) {
        let wanted = self.search.limits.multi_pv.max(1);
        let time = self.context.time.elapsed();
        for (index, line) in solution.lines.iter().take(wanted).enumerate() {
            let (pv, san) = self.pv(line);
            self.search.reporter.line(&Line {
                depth: i32::try_from(solution.depth).unwrap_or(i32::MAX),
                selective_depth: self.leaves.selective_depth(),
                multi_pv: index + 1,
                score: Score::new(line.value),
                bound: Bound::Exact,
                wdl: win_draw_loss(line.value),
                nodes: self.leaves.nodes(),
                time,
                hash_full: self.context.table.hash_full(),
                tablebase_hits: 0,
                pv,
                san,
            });
        }
    }

    /// The placements of a line and the first moves of the game after them, in UCI notation and,
    /// if that is wanted, in SAN.
    fn pv(&self, line: &solver::SolutionLine) -> (Vec<String>, Vec<String>) {
        let (chess960, reporter) = (self.search.request.chess960, self.search.reporter);
        let mut phase = Phase::Setup(*self.search.state);
        let mut pv = Vec::new();
        for placement in &line.placements {
            let Phase::Setup(state) = &phase else { break };
            pv.push(placement.to_string());
            phase = state.after(*placement);
        }
        let mut san = if reporter.wants_san() { pv.clone() } else { Vec::new() };
        if let Phase::Game(mut position) = phase {
            for &mv in &line.game {
                pv.push(notation::uci(&position, mv, chess960));
                if reporter.wants_san() {
                    san.push(notation::san(&position, mv));
                }
                position.make(mv);
            }
        }
        (pv, san)
    }
}
