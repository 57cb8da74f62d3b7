//! The threads of a search, and the choice among their results.

use std::sync::Arc;

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

use super::context::SearchContext;
use super::lines::RootLines;
use super::root::Root;
use super::run::{self, EndOnDrop};
use super::worker::{Counter, Shared, ThreadData, Worker};
use crate::eval::nnue::Network;
use crate::geometry::Board;
use crate::position::Position;
use crate::sync::atomic::AtomicBool;
use crate::sync::{self, ThreadPool, mpsc::channel};
use crate::system::{self, MemoryError};
use crate::types::Move;
use crate::types::score::is_decided;

/// The stack size of a search thread. One ply takes up to 10 KB, mostly for the list of moves. A line has
/// at most `MAX_PLY` plies.
pub const STACK: usize = 16 << 20;

/// The memory, in MiB, that must be available for each thread's stack.
const FREE_PER_THREAD: usize = 1;
/// The memory, in MiB, that must be available in addition to the memory of the threads.
const FREE_FOR_THE_REST: usize = 32;

/// An error in the creation of search threads.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Creates a pool of `threads` threads, at least one, each with a stack large enough for searches.
pub fn search_threads(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    sync::thread_pool(threads, STACK)
}

/// Search threads and the data that they keep during a game.
pub struct Pool<G: Board> {
    threads: ThreadPool,
    data: Vec<ThreadData<G>>,
}

impl<G: Board> Pool<G> {
    /// Creates a pool of `threads` threads, at least one.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        let count = threads.max(1);
        let threads = search_threads(count)?;
        let mut data = Vec::new();
        for _ in 0..count {
            // A system that overcommits memory kills a process that uses more memory than is available.
            // Therefore check the available memory before each allocation.
            system::require(FREE_FOR_THE_REST + FREE_PER_THREAD * count)?;
            data.push(ThreadData::new().map_err(MemoryError::from)?);
        }
        Ok(Pool { threads, data })
    }

    /// Replaces the evaluation network of all threads.
    pub fn set_network(&mut self, network: &Arc<Network<G>>) -> Result<(), MemoryError> {
        for data in &mut self.data {
            data.evaluator.set_network(Arc::clone(network)).map_err(MemoryError::from)?;
        }
        Ok(())
    }

    /// Returns the evaluation network, which all threads share.
    pub fn network(&self) -> &Arc<Network<G>> {
        self.data[0].evaluator.network()
    }

    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.data.len()
    }

    /// Runs work other than a search, such as perft, on the threads of the pool.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// Returns the threads and the data of each thread.
    pub(super) fn parts(&mut self) -> (&ThreadPool, &mut [ThreadData<G>]) {
        (&self.threads, &mut self.data)
    }

    /// Clears all histories, for a new game.
    pub fn clear(&mut self) {
        let (threads, data) = self.parts();
        threads.install(|| data.par_iter_mut().for_each(ThreadData::clear));
    }

    /// Searches a position and returns when a limit is reached or `stop` is set. A pondering search does
    /// not return before `stop` or `ponderhit`. `earlier` holds the keys of the game's earlier positions,
    /// oldest first.
    pub fn search(
        &mut self,
        context: &SearchContext,
        position: &Position<G>,
        earlier: &[u64],
    ) -> RootLines {
        let own = context.limits.mate.map(|_| context.table.for_mates());
        let context = &SearchContext { table: own.as_ref().unwrap_or(context.table), ..*context };
        context.table.age();
        let root = Root::new(position, earlier, context);
        // A weak level always uses one thread, so that the number of threads does not change its play.
        let threads = if context.skill.is_some() { 1 } else { self.count() };
        let (over, counters) = (AtomicBool::new(false), Counter::of_threads(threads));
        counters[0].count_tablebase_hits(root.tablebase_hits);
        let shared = Shared::new(context, &over, &counters);
        let mut results = if root.moves.is_empty() { Vec::new() } else { self.run(&shared, &root) };
        context.wait_for_permission();
        if results.is_empty() {
            return RootLines::without_moves(position);
        }
        // Only the first thread is certain to have completed the requested depth.
        let chosen = if context.limits.depth.is_some() { 0 } else { choose(&results) };
        if chosen > 0 {
            // Report the chosen line, so that the last reported line is the line that is played.
            let RootLines { depth, lines, .. } = &results[chosen];
            shared.report(&lines[0], 0, *depth);
        }
        RootLines { nodes: shared.nodes(), ..results.swap_remove(chosen) }
    }

    /// Runs as many workers as `shared` has counters, each on one thread. When the first worker ends, the
    /// other workers end too. If any worker panics, all workers end.
    fn run(&mut self, shared: &Shared, root: &Root<G>) -> Vec<RootLines> {
        let (threads, data) = self.parts();
        let data = &mut data[..shared.counters.len()];
        let mut results: Vec<Option<RootLines>> = data.iter().map(|_| None).collect();
        let mut work = data.iter_mut().zip(&mut results).enumerate();
        let search = |id, data: &mut ThreadData<G>, result: &mut Option<RootLines>| {
            let _end = EndOnDrop { over: shared.over, only_by_panic: id > 0 };
            *result = Some(Worker::new(id, shared, &shared.counters[id], data, root).deepen());
            if id == 0 {
                shared.context.wait_for_permission();
            }
        };
        // The channel carries no messages. It closes when the first worker ends.
        let (sender, receiver) = channel::<()>();
        sync::scope(threads, |scope| {
            let Some((first, (data, result))) = work.next() else { return };
            scope.spawn(move |_| {
                let _sender = sender;
                search(first, data, result);
            });
            // A pool thread starts the helpers. If the current thread started a thousand helpers, it could
            // not check the clock in the meantime.
            scope.spawn(move |scope| {
                for (id, (data, result)) in work.take_while(|_| !shared.has_ended()) {
                    scope.spawn(move |_| {
                        // Some helpers start only after the search has ended.
                        if !shared.has_ended() {
                            search(id, data, result);
                        }
                    });
                }
            });
            run::wait(shared, &receiver);
        });
        results.into_iter().flatten().collect()
    }
}

/// Returns the index of the thread whose result is played. Each thread votes for its best move. A vote is
/// weighted by score and finished depth. Among the threads with the winning move, the thread with the
/// greatest finished depth is chosen. Proven wins take precedence over votes: the shortest mate, or the
/// nearest tablebase win.
fn choose(results: &[RootLines]) -> usize {
    // Helpers that have not finished their first iteration do not count.
    let finished = || (0..results.len()).filter(|&index| results[index].finished_depth > 0);
    let Some(worst) = finished().map(|index| results[index].lines[0].value).min() else {
        return 0;
    };
    if results.len() == 1 || results[0].lines.len() > 1 {
        return 0;
    }
    let weight = |result: &RootLines| {
        i64::from(result.lines[0].value - worst + 14) * i64::from(result.finished_depth)
    };
    let votes = |mv: Move| -> i64 {
        let voters = finished().map(|index| &results[index]);
        voters.filter(|result| result.lines[0].mv == mv).map(weight).sum()
    };
    let rank = |index: usize| {
        let result = &results[index];
        let line = &result.lines[0];
        let decided = if is_decided(line.value) { line.value } else { 0 };
        (decided, votes(line.mv), result.finished_depth, std::cmp::Reverse(index))
    };
    finished().max_by_key(|&index| rank(index)).unwrap_or(0)
}

#[cfg(all(test, shuttle))]
#[path = "../../engine-tests/races/pool.rs"]
mod races;

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::geometry::{Board8x8, Board10x10};
    use crate::rules::{HAS_BOARD_10X10, KingRight};
    use crate::search::lines::RootMove;
    use crate::search::tt::TranspositionTable;
    use crate::search::{Control, Limits, Listener, Progress, Skill, TimeManager};
    use crate::sync::atomic::Ordering::Relaxed;
    use crate::types::score::{DRAW, INFINITE, MATE};
    use crate::types::{Color, Value};

    fn position(fen: &str) -> Position<Board8x8> {
        Position::from_fen(fen, KingRight::Castling).unwrap()
    }

    fn search_with(
        threads: usize,
        table: &TranspositionTable,
        root: &Position<Board8x8>,
        limits: &Limits,
        listener: &dyn Listener,
    ) -> RootLines {
        let time = TimeManager::new(limits, root.side_to_move(), Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context =
            SearchContext { listener, ..SearchContext::new(table, limits, &time, &control) };
        Pool::new(threads).unwrap().search(&context, root, &[])
    }

    /// Returns the result of a search with eight threads.
    fn with_eight_threads<G: Board>(fen: &str, limits: &Limits, skill: Option<Skill>) -> RootLines {
        let root = Position::<G>::from_fen(fen, KingRight::Castling).unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(limits, root.side_to_move(), Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context =
            SearchContext { skill, ..SearchContext::new(&table, limits, &time, &control) };
        Pool::new(8).unwrap().search(&context, &root, &[])
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn several_threads_keep_a_node_limit() {
        let limits = Limits::nodes(5_000);
        let mate = Limits { mate: Some(9), ..limits.clone() };
        let lines = Limits { multi_pv: 3, ..limits.clone() };
        for limits in [limits, mate, lines] {
            let kept = |nodes: u64| assert!((5_000..=5_600).contains(&nodes), "{nodes}");
            kept(with_eight_threads::<Board8x8>(START, &limits, None).nodes);
            if HAS_BOARD_10X10 {
                let fen = "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w - - 0 1";
                kept(with_eight_threads::<Board10x10>(fen, &limits, None).nodes);
            }
        }
    }

    /// In this test, the threads run one after another: first the helper, then the first thread.
    #[test]
    fn helpers_stop_at_a_soft_limit_and_the_first_thread_at_the_end_of_its_iteration() {
        let limits = Limits { soft_nodes: Some(5_000), ..Limits::default() };
        let root = position(START);
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context = SearchContext::new(&table, &limits, &time, &control);
        let (over, counters) = (AtomicBool::new(false), Counter::of_threads(2));
        let shared = Shared::new(&context, &over, &counters);
        let root = Root::new(&root, &[], &context);
        let mut data = ThreadData::new().unwrap();
        let [helper, first] = [1, 0].map(|id| {
            let lines = Worker::new(id, &shared, &counters[id], &mut data, &root).deepen();
            (lines.stopped, counters[id].nodes())
        });
        assert!(helper.0 && (5_000..5_100).contains(&helper.1), "{helper:?}");
        assert_eq!((first.0, over.into_inner()), (false, false));
        assert!((20..100).contains(&first.1), "one iteration: {first:?}");
    }

    /// A listener that ends pondering, like `ponderhit`, during the ninth iteration.
    struct PlaysTheMove<'a>(&'a Control);

    impl Listener for PlaysTheMove<'_> {
        fn line(&self, _: &RootMove, _: usize, _: &Progress) {}

        fn current_move(&self, depth: i32, _: Move, number: usize) {
            if depth == 9 && number == 2 {
                self.0.pondering.store(false, Relaxed);
            }
        }
    }

    #[test]
    fn a_long_ponder_ends_at_ponderhit() {
        let root = position(START);
        // The soft limit is between 40 and 350 s, the hard limit is 450 s.
        for (threads, pondered, is_ended) in [(1, 400, true), (3, 400, true), (1, 4, false)] {
            let time = [Some(Duration::from_secs(2_000)); 2];
            let limits = Limits { time, ponder: true, ..Limits::default() };
            let limits = Limits { depth: Some(13), ..limits };
            let began = Instant::now() - Duration::from_secs(pondered);
            let time = TimeManager::new(&limits, Color::White, began, Duration::ZERO);
            let control = Control::default();
            control.pondering.store(true, Relaxed);
            let table = TranspositionTable::new(1).unwrap();
            let listener = PlaysTheMove(&control);
            let context = SearchContext {
                listener: &listener,
                ..SearchContext::new(&table, &limits, &time, &control)
            };
            let outcome = Pool::new(threads).unwrap().search(&context, &root, &[]);
            assert_eq!(outcome.depth < 13, is_ended, "{threads} threads after {pondered} s");
        }
    }

    #[test]
    fn a_weak_level_plays_the_same_with_any_number_of_threads() {
        let skill = Skill { error: 100, nodes: 300, attention: 900, opens_by_rule: true, seed: 1 };
        let root = position(START);
        let limits = Limits::default();
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context = SearchContext {
            skill: Some(skill),
            ..SearchContext::new(&table, &limits, &time, &control)
        };
        let one = Pool::new(1).unwrap().search(&context, &root, &[]);
        assert_eq!(with_eight_threads::<Board8x8>(START, &limits, Some(skill)), one);
        assert_eq!(one.nodes, 300);
    }

    /// Returns the result of a search on one thread, its table, and the root's key.
    fn search(fen: &str, limits: &Limits) -> (RootLines, TranspositionTable, u64) {
        let (root, table) = (position(fen), TranspositionTable::new(1).unwrap());
        (search_with(1, &table, &root, limits, &()), table, root.key())
    }

    /// A listener that panics at the first report, which comes from the first thread.
    struct Panics;

    impl Listener for Panics {
        fn line(&self, _: &RootMove, _: usize, _: &Progress) {
            panic!("expected by the test");
        }
    }

    #[test]
    fn a_panic_of_the_first_thread_ends_the_others() {
        let root = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let table = TranspositionTable::new(1).unwrap();
        let search = || search_with(3, &table, &root, &Limits::default(), &Panics);
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
    }

    #[test]
    fn results_of_searchmoves_are_not_stored_for_the_root() {
        let fen = "6k1/5ppp/8/8/p7/8/8/1R5K w - - 0 1";
        let root = position(fen);
        let shuffle = crate::notation::parse_uci(&root, "h1g1").unwrap();
        let (limits, control) = (Limits::depth(3), Control::default());
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let context = SearchContext {
            search_moves: &[shuffle],
            ..SearchContext::new(&table, &limits, &time, &control)
        };
        let outcome = Pool::new(1).unwrap().search(&context, &root, &[]);
        let key = root.key();
        assert_eq!(outcome.best(), Some(shuffle));
        assert!(table.probe(key, 0).is_none_or(|entry| entry.bound.is_none()));
        let (outcome, table, key) = search(fen, &Limits::depth(3));
        assert_eq!(outcome.score, MATE - 1);
        assert_eq!(table.probe(key, 0).map(|hit| hit.value), Some(MATE - 1));
    }

    #[test]
    fn a_mate_search_ends_at_the_mate_and_leaves_the_table_alone() {
        let fen = "2nb4/1k2p3/5p1p/p6p/2K2P1P/8/3q4/8 b - - 8 60";
        let (analysis, table, key) = search(fen, &Limits::depth(8));
        let before = (table.probe(key, 0), table.hash_full());
        assert!(before.0.is_some());
        let mate_in = |moves| {
            let limits = Limits { mate: Some(moves), ..Limits::nodes(100_000) };
            search_with(1, &table, &position(fen), &limits, &())
        };
        let none = mate_in(2);
        assert!(none.best().is_some() && none.score < MATE - 5, "{}", none.score);
        assert_eq!(mate_in(3).score, MATE - 5);
        // A mate search must not change the table, because its results only hold for lines that end at the
        // mate.
        assert_eq!((table.probe(key, 0), table.hash_full()), before);
        assert!(analysis.best().is_some());
    }

    #[test]
    fn go_mate_0_searches_for_a_mate_in_one() {
        let none = Limits { mate: Some(0), ..Limits::default() };
        let (outcome, ..) = search("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &none);
        assert_eq!((outcome.score, outcome.depth), (MATE - 1, 1));
    }

    #[test]
    fn an_unfinished_first_iteration_still_has_a_score() {
        // The number of captures explodes in this position, so a search does not finish even the first move
        // in a reasonable time.
        let fen = "qqqqkqqq/qqqq1qqq/8/8/8/8/QQQQ1QQQ/QQQQKQQQ w - - 0 1";
        let (outcome, ..) = search(fen, &Limits::nodes(1));
        assert!(outcome.best().is_some() && outcome.depth == 1);
        assert!(outcome.score.abs() < INFINITE, "{}", outcome.score);
        assert!(outcome.nodes < 20_000, "{}", outcome.nodes);
    }

    #[test]
    fn mate_and_stalemate_have_no_best_move() {
        let (mate, ..) = search("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(3));
        assert_eq!((mate.best(), mate.score), (None, -MATE));
        let (stalemate, ..) = search("7k/8/6QK/8/8/8/8/8 b - - 0 1", &Limits::depth(3));
        assert_eq!((stalemate.best(), stalemate.score), (None, DRAW));
    }

    fn lines(mv: Move, value: Value, depth: i32) -> RootLines {
        let line = RootMove { value, ..RootMove::new(mv) };
        RootLines::new(vec![line], depth)
    }

    #[test]
    fn threads_with_a_result_vote() {
        let moves = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").legal_moves();
        let (one, two) = (moves[0], moves[1]);
        let idle = lines(two, -INFINITE, 0);
        assert_eq!(choose(&[lines(one, 10, 9), idle.clone()]), 0);
        // Two votes outweigh one vote, and the thread with the greater depth is chosen of the two.
        assert_eq!(choose(&[lines(one, 10, 9), lines(two, 12, 9), lines(two, 11, 10)]), 2);
        // One good result outweighs two poor results. The idle thread has no vote.
        let poor = lines(two, -80, 9);
        assert_eq!(choose(&[lines(one, 50, 9), poor.clone(), poor, idle]), 0);
        // A helper that was stopped votes with the depth of its last finished iteration.
        let stopped = RootLines { depth: 10, stopped: true, ..lines(two, 10, 9) };
        assert_eq!(choose(&[lines(one, 10, 9), stopped.clone()]), 0);
        assert_eq!(choose(&[RootLines { finished_depth: 0, ..stopped }, lines(one, -50, 1)]), 1);
        // A mate takes precedence.
        let mate = lines(one, MATE - 5, 4);
        assert_eq!(choose(&[lines(two, 30, 9), lines(two, 30, 9), mate]), 2);
    }
}
