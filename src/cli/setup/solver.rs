//! What the engine thinks of placements and verdicts, always the same of the same question.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::geometry::Board8x8;
use crate::search::pool::PoolError;
use crate::search::tt::TranspositionTable;
use crate::search::{Control, LeafSearch, Limits, Pool, SearchContext, TimeManager};
use crate::setup::solver::{MediationValues, Solution, SolveRequest, solve, weigh_verdicts};
use crate::setup::{Placement, Setup};
use crate::system::MemoryError;

/// In MiB: leaves are many, and each of their searches is small.
const TABLE: usize = 16;

/// Why the engine cannot play.
#[derive(Debug, thiserror::Error)]
pub(super) enum SetupSolverError {
    #[error("cannot start a search thread: {0}")]
    Threads(#[from] PoolError),
    #[error("no memory for the search: {0}")]
    Memory(#[from] MemoryError),
}

/// Solves set-ups to a fixed leaf depth on one thread. Nothing is remembered from one question to
/// the next, so that an answer depends on the question alone, whatever was asked and taken back
/// before.
pub(super) struct SetupSolver {
    depth: u32,
    /// Ends what is being solved; then there is no judgement, or a guess.
    control: Arc<Control>,
    pool: Pool<Board8x8>,
    table: TranspositionTable,
}

impl SetupSolver {
    /// Values leaves by searches to this depth; by the static evaluation alone if it is 0.
    pub(super) fn new(depth: u32, control: Arc<Control>) -> Result<SetupSolver, SetupSolverError> {
        Ok(SetupSolver {
            depth,
            control,
            pool: Pool::new(1)?,
            table: TranspositionTable::new(TABLE)?,
        })
    }

    /// Values these placements, which are legal now; nothing if there is none.
    pub(super) fn placements(
        &mut self,
        state: &Setup,
        placements: &[Placement],
    ) -> Option<Solution> {
        self.ask(state, placements, |task, leaves| solve(task, leaves, &mut |_| {}))
    }

    /// Values what the mediator may say; nothing when it has nothing to say.
    pub(super) fn verdicts(&mut self, state: &Setup) -> Option<(MediationValues, u32)> {
        self.ask(state, &[], |task, leaves| weigh_verdicts(task, leaves, &mut |_, _| {}))
    }

    fn ask<R: Send>(
        &mut self,
        state: &Setup,
        placements: &[Placement],
        work: impl FnOnce(&SolveRequest, &LeafSearch<Board8x8>) -> Option<R> + Send,
    ) -> Option<R> {
        self.pool.clear();
        self.table.clear();
        let limits = Limits::default();
        let context = SearchContext {
            table: &self.table,
            limits: &limits,
            time: &TimeManager::new(&limits, Instant::now(), Duration::ZERO),
            control: &self.control,
            skill: None,
            listener: &(),
            prober: None,
        };
        let depth = Some(self.depth);
        let work = |leaves: &LeafSearch<Board8x8>| {
            let stop = || leaves.has_ended();
            let task = SolveRequest { state, placements, depth, nodes: None, stop: &stop };
            work(&task, leaves)
        };
        self.pool.search_leaves(&context, work).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{SetupKind, Variant};
    use crate::setup::Phase;
    use crate::setup::solver::Method;
    use crate::start::{Rng, SetupStart};

    fn solver(depth: u32) -> SetupSolver {
        SetupSolver::new(depth, Arc::default()).unwrap()
    }

    #[test]
    fn the_same_question_has_the_same_answer() {
        let start = SetupStart::random(Variant::FischerBenko, &mut Rng::new(5)).unwrap();
        let state = Setup::new(&start);
        for depth in [0, 1] {
            let answer = || solver(depth).placements(&state, &[]).unwrap();
            let (one, other) = (answer(), answer());
            assert_eq!(one, other);
            assert_eq!((one.depth, one.method), (depth, Method::Exact));
            assert!(state.is_legal(one.best().unwrap()));
        }
    }

    /// As after `undo`.
    #[test]
    fn what_was_asked_before_does_not_matter() {
        let start = SetupStart::random(Variant::FischerBenko, &mut Rng::new(5)).unwrap();
        let state = Setup::new(&start);
        let mut solver = solver(2);
        let first = solver.placements(&state, &[]).unwrap();
        let Phase::Setup(next) = state.after(first.best().unwrap()) else { panic!() };
        solver.placements(&next, &[]).unwrap();
        assert_eq!(solver.placements(&state, &[]), Some(first));
    }

    #[test]
    fn only_what_is_offered() {
        let state = Setup::empty(SetupKind::JeppsFreePlay);
        let offered = &state.legal_placements()[1..3];
        let solution = solver(0).placements(&state, offered).unwrap();
        assert_eq!(solution.lines.len(), 2);
        assert!(offered.contains(&solution.best().unwrap()));
        assert!(solution.value_of_rolling.is_some());
        assert_eq!(solver(0).verdicts(&state), None);
    }
}
