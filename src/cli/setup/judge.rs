//! What the engine thinks of placements and verdicts, always the same of the same question.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::eval::Evaluator;
use crate::geometry::Board8x8;
use crate::position::Position;
use crate::search::time::TimeManager;
use crate::search::tt::TranspositionTable;
use crate::search::{Limits, Pool};
use crate::setup::solver::{
    LeafValue, LeafValuer, Solution, Stop, Task, Verdicts, solve, weigh_verdicts,
};
use crate::setup::{Placement, State};
use crate::types::Value;

/// In MiB: leaves are many, and each of their searches is small.
const TABLE: usize = 16;

/// Why the engine cannot play.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    #[error("cannot start a search thread: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    #[error("no memory for the search: {0}")]
    Memory(#[from] std::collections::TryReserveError),
    #[error("cannot start a search thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// Solves set-ups to a fixed leaf depth on one thread, so that the same game gets the same answers.
pub(super) struct Judge {
    depth: u32,
    threads: ThreadPool,
    leaves: Leaves,
}

impl Judge {
    /// Values leaves by searches to this depth; by the static evaluation alone if it is 0.
    pub(super) fn new(depth: u32) -> Result<Judge, JudgeError> {
        let threads = ThreadPoolBuilder::new().num_threads(1).build()?;
        Ok(Judge { depth, threads, leaves: Leaves::new()? })
    }

    /// Values these placements, which are legal now; nothing if there is none.
    pub(super) fn placements(&self, state: &State, placements: &[Placement]) -> Option<Solution> {
        let task = self.task(state, placements);
        self.threads.install(|| solve(&task, &self.leaves, &mut |_| {}))
    }

    /// Values what the mediator may say; nothing when it has nothing to say.
    pub(super) fn verdicts(&self, state: &State) -> Option<(Verdicts, u32)> {
        let task = self.task(state, &[]);
        self.threads.install(|| weigh_verdicts(&task, &self.leaves))
    }

    fn task<'a>(&self, state: &'a State, placements: &'a [Placement]) -> Task<'a> {
        Task { state, placements, depth: Some(self.depth), nodes: None, stop: &|| false }
    }
}

/// The valuer of leaves.
struct Leaves {
    evaluator: Mutex<Evaluator<Board8x8>>,
    searcher: Mutex<Searcher>,
}

/// A thread of its own that searches what it is sent. A thread of the solver's rayon pool that
/// waited for another pool's would meanwhile take up the next leaf, one within the other; waiting
/// for a channel it stays where it is.
struct Searcher {
    questions: Sender<(Position<Board8x8>, u32)>,
    answers: Receiver<LeafValue>,
}

impl Leaves {
    fn new() -> Result<Leaves, JudgeError> {
        let pool = Pool::new(1)?;
        let table = TranspositionTable::new(TABLE)?;
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        // Ends when the other ends of the channels are dropped.
        std::thread::Builder::new()
            .name("leaves".to_owned())
            .spawn(move || serve(pool, &table, &asked, &answered))?;
        let searcher = Mutex::new(Searcher { questions, answers });
        Ok(Leaves { evaluator: Mutex::new(Evaluator::new()), searcher })
    }
}

fn serve(
    mut pool: Pool<Board8x8>,
    table: &TranspositionTable,
    asked: &Receiver<(Position<Board8x8>, u32)>,
    answered: &Sender<LeafValue>,
) {
    for (game, depth) in asked {
        let limits = Limits { multi_pv: 1, ..Limits::depth(depth) };
        let time = TimeManager::new(&limits, Instant::now(), Duration::ZERO);
        let outcome = pool.search(&crate::search::pool::Job {
            root: &game,
            earlier: &[],
            limits: &limits,
            time: &time,
            table,
            stop: &AtomicBool::new(false),
            pondering: &AtomicBool::new(false),
            weakness: None,
            listener: &(),
        });
        let leaf = LeafValue { value: outcome.score, nodes: outcome.nodes, pv: outcome.pv };
        if answered.send(leaf).is_err() {
            return;
        }
    }
}

impl LeafValuer for Leaves {
    /// White is to move in every leaf, so that the side to move is White.
    fn estimate(&self, game: &Position<Board8x8>) -> Value {
        let mut evaluator = self.evaluator.lock().unwrap_or_else(PoisonError::into_inner);
        evaluator.evaluate(game)
    }

    fn search(&self, game: &Position<Board8x8>, depth: u32, _: &Stop) -> Option<LeafValue> {
        let searcher = self.searcher.lock().unwrap_or_else(PoisonError::into_inner);
        searcher.questions.send((game.clone(), depth)).ok()?;
        searcher.answers.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use crate::setup::solver::Method;
    use crate::start::{Rng, SetupStart};

    #[test]
    fn the_same_question_has_the_same_answer() {
        let start = SetupStart::random(Variant::FischerBenko, &mut Rng::new(5)).unwrap();
        let state = State::new(&start);
        for depth in [0, 1] {
            let answer = || Judge::new(depth).unwrap().placements(&state, &[]).unwrap();
            let (one, other) = (answer(), answer());
            assert_eq!(one, other);
            assert_eq!((one.depth, one.method), (depth, Method::Exact));
            assert!(state.is_legal(one.best().unwrap()));
        }
    }

    #[test]
    fn only_what_is_offered() {
        let state = State::free_play();
        let offered = &state.legal_placements()[1..3];
        let solution = Judge::new(0).unwrap().placements(&state, offered).unwrap();
        assert_eq!(solution.lines.len(), 2);
        assert!(offered.contains(&solution.best().unwrap()));
        assert!(solution.value_of_rolling.is_some());
        assert_eq!(Judge::new(0).unwrap().verdicts(&state), None);
    }
}
