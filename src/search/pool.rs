//! The threads of a search, and the choice among what they found.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::deepening::Lines;
use super::limits::Limits;
use super::report::{Info, Listener};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::worker::{Memory, NodeCounter, Shared, Worker};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::score::{DRAW, MATE};
use crate::types::{Move, Value};

/// Stack of a search thread. A ply takes up to 10 KB (mostly its list of moves), and lines are
/// at most `MAX_PLY` long.
pub const STACK: usize = 16 << 20;

/// Deliberate weakness: errors of the evaluation and a limit of nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weakness {
    /// The evaluation is off by up to this many centipawns, either way.
    pub error: Value,
    /// No search has more nodes than this.
    pub nodes: u64,
    /// Which errors they are.
    pub seed: u64,
}

impl Weakness {
    /// The error of one position: always the same in a game, so that the search stays consistent.
    #[inline]
    pub fn error(&self, key: u64) -> Value {
        // Two draws: errors near zero are more frequent than large ones.
        let mixed = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let draw = |bits: u64| (bits & 0xffff) as i64 - 0x8000;
        let sum = draw(mixed >> 48) + draw(mixed >> 32);
        (sum * i64::from(self.error) / 0x1_0000) as Value
    }
}

/// What a search is about.
pub struct Job<'a, G: Board> {
    pub root: &'a Position<G>,
    /// Keys of the game's earlier positions, the first one first.
    pub earlier: &'a [u64],
    pub limits: &'a Limits,
    pub time: &'a TimeManager,
    pub table: &'a TranspositionTable,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Cleared from outside when the move pondered on was played.
    pub pondering: &'a AtomicBool,
    pub weakness: Option<Weakness>,
    pub listener: &'a dyn Listener,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// For the side to move.
    pub score: Value,
    pub depth: i32,
    pub nodes: u64,
    /// The whole line.
    pub pv: Vec<Move>,
}

impl Outcome {
    /// The first of the lines that a thread ended with.
    pub(super) fn of(lines: Lines, nodes: u64) -> Outcome {
        let Lines { depth, mut lines } = lines;
        let line = lines.swap_remove(0);
        let (best, ponder) = (Some(line.mv), line.pv.get(1).copied());
        Outcome { best, ponder, score: line.value, depth, nodes, pv: line.pv }
    }

    /// Of a game that is over: no move, and mate or a draw.
    pub(super) fn of_the_end<G: Board>(root: &Position<G>, depth: i32) -> Outcome {
        let score = if root.in_check() { -MATE } else { DRAW };
        Outcome { best: None, ponder: None, score, depth, nodes: 0, pv: vec![] }
    }
}

/// This many threads, at least one, with stack enough for searches.
pub fn search_threads(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(STACK)
        .thread_name(|index| format!("search {index}"))
        .build()
}

/// Search threads and what they remember of the game.
pub struct Pool<G: Board> {
    threads: ThreadPool,
    memories: Vec<Memory<G>>,
}

impl<G: Board> Pool<G> {
    /// A pool of this many threads.
    pub fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let memories = (0..threads.max(1)).map(|_| Memory::default()).collect();
        Ok(Pool { threads: search_threads(threads)?, memories })
    }

    /// How many threads there are.
    pub fn len(&self) -> usize {
        self.memories.len()
    }

    /// A pool always has a thread.
    pub fn is_empty(&self) -> bool {
        self.memories.is_empty()
    }

    /// Runs other work, such as perft, on the threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.threads.install(work)
    }

    /// The threads and the memory of each.
    pub(super) fn parts(&mut self) -> (&ThreadPool, &mut [Memory<G>]) {
        (&self.threads, &mut self.memories)
    }

    /// Forgets the game.
    pub fn clear(&mut self) {
        for memory in &mut self.memories {
            *memory = Memory::default();
        }
    }

    /// Searches a position and returns when a limit is reached or `stop` is set; in infinite and
    /// ponder mode not before that or `ponderhit`.
    pub fn search(&mut self, job: &Job<G>) -> Outcome {
        let moves = root_moves(job);
        let mut limits = job.limits.clone();
        if let Some(weakness) = job.weakness {
            limits.nodes = Some(limits.nodes.map_or(weakness.nodes, |n| n.min(weakness.nodes)));
        }
        let counters: Vec<NodeCounter> =
            self.memories.iter().map(|_| NodeCounter::default()).collect();
        let shared = Shared {
            table: job.table,
            limits: &limits,
            time: job.time,
            stop: job.stop,
            over: AtomicBool::new(false),
            pondering: job.pondering,
            counters: &counters,
            weakness: job.weakness,
            listener: job.listener,
        };
        job.table.age();
        let mut results =
            if moves.is_empty() { Vec::new() } else { self.run(job, &shared, &moves) };
        wait_for_permission(job);

        // To a given depth the first thread alone is sure to have come.
        let chosen = if limits.depth.is_some() { 0 } else { choose(&results) };
        if chosen > 0 {
            report_choice(&shared, &results[chosen]);
        }
        let nodes = shared.nodes();
        if results.is_empty() {
            return Outcome::of_the_end(job.root, 0);
        }
        Outcome::of(results.swap_remove(chosen), nodes)
    }

    /// Runs one worker on each thread; the first ends the others.
    fn run(&mut self, job: &Job<G>, shared: &Shared, moves: &[Move]) -> Vec<Lines> {
        let wanted = job.limits.multi_pv;
        let mut results: Vec<Option<Lines>> = self.memories.iter().map(|_| None).collect();
        let work = self.memories.iter_mut().zip(&mut results).enumerate();
        self.threads.in_place_scope(|scope| {
            for (id, (memory, result)) in work {
                scope.spawn(move |_| {
                    if id > 0 && shared.has_ended() {
                        return; // started too late to be of use
                    }
                    let mut worker = Worker::new(id, shared, memory, job.root, job.earlier, moves);
                    *result = Some(worker.deepen(wanted));
                    if id == 0 {
                        wait_for_permission(job);
                        shared.over.store(true, Relaxed);
                    }
                });
            }
        });
        results.into_iter().flatten().collect()
    }
}

/// The legal moves, or those of them that were asked for.
fn root_moves<G: Board>(job: &Job<G>) -> Vec<Move> {
    let asked = &job.limits.search_moves;
    let legal = job.root.legal_moves();
    let mut moves: Vec<Move> =
        legal.into_iter().filter(|mv| asked.is_empty() || asked.contains(mv)).collect();
    // In the order of squares, whatever order the generator has.
    moves.sort_by_key(|mv| mv.bits());
    moves
}

/// In infinite and ponder mode the result is kept back until it is wanted.
fn wait_for_permission<G: Board>(job: &Job<G>) {
    while (job.limits.infinite || job.pondering.load(Relaxed)) && !job.stop.load(Relaxed) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The thread whose move has the most votes, weighed by depth and score; of those, the deepest.
/// A proven mate needs no vote: the shortest wins.
fn choose(results: &[Lines]) -> usize {
    // A helper that did not finish its first iteration has nothing to say.
    let finished = || (0..results.len()).filter(|&index| results[index].depth > 0);
    let Some(worst) = finished().map(|index| results[index].lines[0].value).min() else {
        return 0;
    };
    if results.len() == 1 || results[0].lines.len() > 1 {
        return 0;
    }
    let weight =
        |result: &Lines| i64::from(result.lines[0].value - worst + 14) * i64::from(result.depth);
    let votes = |mv: Move| -> i64 {
        let voters = finished().map(|index| &results[index]);
        voters.filter(|result| result.lines[0].mv == mv).map(weight).sum()
    };
    let rank = |index: usize| {
        let result = &results[index];
        let line = &result.lines[0];
        let mate = if super::worker::is_mate(line.value) { line.value } else { 0 };
        (mate, votes(line.mv), result.depth, std::cmp::Reverse(index))
    };
    finished().max_by_key(|&index| rank(index)).unwrap_or(0)
}

/// Another thread's line is played: say so, in order that the last line reported is the one.
fn report_choice(shared: &Shared, result: &Lines) {
    let line = &result.lines[0];
    shared.listener.info(&Info {
        depth: result.depth,
        selective_depth: line.selective_depth.max(1),
        multi_pv: 1,
        score: line.value,
        bound: line.bound,
        nodes: shared.nodes(),
        time: shared.time.elapsed(),
        hash_full: shared.table.hash_full(),
        tablebase_hits: 0,
        pv: line.pv.clone(),
    });
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;
    use crate::search::worker::RootMove;
    use crate::types::score::INFINITE;

    /// A search on one thread, and the table it leaves.
    fn search(fen: &str, limits: &Limits) -> (Outcome, TranspositionTable, u64) {
        let root = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let outcome = Pool::new(1).unwrap().search(&Job {
            root: &root,
            earlier: &[],
            limits,
            time: &TimeManager::new(limits, Instant::now(), Duration::ZERO),
            table: &table,
            stop: &AtomicBool::new(false),
            pondering: &AtomicBool::new(false),
            weakness: None,
            listener: &(),
        });
        (outcome, table, root.key())
    }

    #[test]
    fn the_value_of_some_moves_is_not_kept_as_that_of_the_position() {
        let fen = "6k1/5ppp/8/8/p7/8/8/1R5K w - - 0 1";
        let root = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let shuffle = crate::notation::parse_uci(&root, "h1g1").unwrap();
        let some = Limits { search_moves: vec![shuffle], ..Limits::depth(3) };
        let (outcome, table, key) = search(fen, &some);
        assert_eq!(outcome.best, Some(shuffle));
        assert_eq!(table.probe(key, 0), None);
        let (outcome, table, key) = search(fen, &Limits::depth(3));
        assert_eq!(outcome.score, MATE - 1);
        assert_eq!(table.probe(key, 0).map(|hit| hit.value), Some(MATE - 1));
    }

    #[test]
    fn a_first_iteration_that_cannot_be_finished_still_has_a_value() {
        // Captures without end: not even the first move is settled within reason.
        let fen = "qqqqkqqq/qqqq1qqq/8/8/8/8/QQQQ1QQQ/QQQQKQQQ w - - 0 1";
        let (outcome, ..) = search(fen, &Limits::nodes(1));
        assert!(outcome.best.is_some() && outcome.depth == 1);
        assert!(outcome.score.abs() < INFINITE, "{}", outcome.score);
        assert!(outcome.nodes < 20_000, "{}", outcome.nodes);
    }

    #[test]
    fn the_end_of_a_game_has_no_move() {
        let (mate, ..) = search("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &Limits::depth(3));
        assert_eq!((mate.best, mate.score), (None, -MATE));
        let (stalemate, ..) = search("7k/8/6QK/8/8/8/8/8 b - - 0 1", &Limits::depth(3));
        assert_eq!((stalemate.best, stalemate.score), (None, DRAW));
    }

    fn lines(mv: Move, value: Value, depth: i32) -> Lines {
        let line = RootMove { value, ..RootMove::new(mv) };
        Lines { depth, lines: vec![line] }
    }

    #[test]
    fn threads_vote_and_those_without_a_result_do_not() {
        let root =
            Position::<Board8x8>::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", KingRight::Castling);
        let moves = root.unwrap().legal_moves();
        let (one, two) = (moves[0], moves[1]);
        let idle = lines(two, -INFINITE, 0);
        assert_eq!(choose(&[lines(one, 10, 9), idle.clone()]), 0);
        // Two agree against one; of these the deeper one speaks.
        assert_eq!(choose(&[lines(one, 10, 9), lines(two, 12, 9), lines(two, 11, 10)]), 2);
        // One good result outweighs two poor ones, however the idle thread stands.
        let poor = lines(two, -80, 9);
        assert_eq!(choose(&[lines(one, 50, 9), poor.clone(), poor, idle]), 0);
        // A mate needs no votes.
        let mate = lines(one, MATE - 5, 4);
        assert_eq!(choose(&[lines(two, 30, 9), lines(two, 30, 9), mate]), 2);
    }
}
