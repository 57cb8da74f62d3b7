//! Many searches at once: the games that a set-up can lead to.
//!
//! The main search gives one position to all threads. Here each thread searches positions of its
//! own, whole and alone, and what the searches share is the transposition table, a count of nodes
//! and a flag that stops them all. They are silent: who asked for them reports.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::pool::{Outcome, Pool, Weakness};
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::worker::{Memory, NodeCounter, Shared, Worker};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::Value;
use crate::types::score::MAX_EVAL;

/// How often the calling thread looks whether the work must end.
const TICK: Duration = Duration::from_millis(1);

/// What the searches of all positions have in common.
pub struct LeafJob<'a> {
    pub table: &'a TranspositionTable,
    /// Ends all searches.
    pub stop: &'a AtomicBool,
    /// Of all searches together. Exact with one thread.
    pub nodes: Option<u64>,
    pub weakness: Option<Weakness>,
}

/// Searches positions on the threads of a pool; see [`Pool::search_leaves`].
pub struct LeafSearch<'a, G: Board> {
    job: &'a LeafJob<'a>,
    /// One for each thread of the pool, which never waits for its own.
    memories: Vec<Mutex<&'a mut Memory<G>>>,
    time: TimeManager,
    nodes: AtomicU64,
    selective_depth: AtomicUsize,
}

impl<G: Board> Pool<G> {
    /// Runs work on the threads, such as a rayon loop over positions, and gives it the means to
    /// search them. Meanwhile this thread calls `watch` every millisecond, which may set the
    /// job's flag. Nothing comes back only if the work panics, which goes on from here.
    pub fn search_leaves<R: Send>(
        &mut self,
        job: &LeafJob,
        work: impl FnOnce(&LeafSearch<G>) -> R + Send,
        mut watch: impl FnMut(),
    ) -> Option<R> {
        job.table.age();
        let (threads, memories) = self.parts();
        let search = &LeafSearch::new(job, memories);
        let (sender, receiver) = channel();
        threads.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // The receiver waits as long as this scope lasts.
                let _ = sender.send(work(search));
            });
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(result) => return Some(result),
                    Err(RecvTimeoutError::Timeout) => watch(),
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        })
    }
}

impl<'a, G: Board> LeafSearch<'a, G> {
    fn new(job: &'a LeafJob<'a>, memories: &'a mut [Memory<G>]) -> Self {
        LeafSearch {
            job,
            memories: memories.iter_mut().map(Mutex::new).collect(),
            // The searches know no clock: `watch` does.
            time: TimeManager::new(&Limits::default(), Instant::now(), Duration::ZERO),
            nodes: AtomicU64::new(0),
            selective_depth: AtomicUsize::new(0),
        }
    }

    /// The memory of the current thread.
    fn memory(&self) -> MutexGuard<'_, &'a mut Memory<G>> {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let memory = &self.memories[thread % self.memories.len()];
        // A search that panicked left histories and caches, which are right in any state.
        memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The static evaluation for the side to move, in centipawns.
    pub fn evaluate(&self, position: &Position<G>) -> Value {
        let error = self.job.weakness.map_or(0, |weakness| weakness.error(position.key()));
        let value = self.memory().evaluator.evaluate_alone(position);
        (value + error).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Searches a position to a depth (from 1), on the current thread alone. Nothing if it was
    /// stopped before, save that a first ply that was begun is completed.
    pub fn search(&self, root: &Position<G>, depth: u32) -> Option<Outcome> {
        let nodes_left = self.job.nodes.map(|most| most.saturating_sub(self.nodes()));
        if nodes_left == Some(0) || self.job.stop.load(Relaxed) {
            return None;
        }
        let moves = root.legal_moves();
        if moves.is_empty() {
            let depth = i32::try_from(depth).unwrap_or(i32::MAX);
            return Some(Outcome::of_the_end(root, depth));
        }
        let limits = Limits { nodes: nodes_left, ..Limits::depth(depth) };
        let counters = [NodeCounter::default()];
        let shared = Shared {
            table: self.job.table,
            limits: &limits,
            time: &self.time,
            stop: self.job.stop,
            over: AtomicBool::new(false),
            pondering: &AtomicBool::new(false),
            counters: &counters,
            weakness: self.job.weakness,
            listener: &(),
        };
        let mut memory = self.memory();
        let mut worker = Worker::new(0, &shared, &mut memory, root, &[], &moves);
        let result = worker.deepen(1);
        let (stopped, nodes) = (worker.stopped, worker.nodes);
        self.nodes.fetch_add(nodes, Relaxed);
        if stopped {
            return None;
        }
        self.selective_depth.fetch_max(result.lines[0].selective_depth, Relaxed);
        Some(Outcome::of(result, nodes))
    }

    /// Nodes of all searches, also of those that were stopped.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The deepest ply that was looked at in any search.
    pub fn selective_depth(&self) -> usize {
        self.selective_depth.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;
    use crate::types::score::MATE;
    use rayon::prelude::*;

    const STARTS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "bbrknqnr/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w - - 0 1",
        // Mate in one.
        "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    ];

    fn positions() -> Vec<Position<Board8x8>> {
        STARTS.iter().map(|fen| Position::from_fen(fen, KingRight::Castling).unwrap()).collect()
    }

    fn outcomes(nodes: Option<u64>, threads: usize) -> (Vec<Option<Outcome>>, u64) {
        let mut pool = Pool::<Board8x8>::new(threads).unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let job = LeafJob { table: &table, stop: &AtomicBool::new(false), nodes, weakness: None };
        let work = |search: &LeafSearch<Board8x8>| {
            let found = positions().par_iter().map(|root| search.search(root, 4)).collect();
            (found, search.nodes())
        };
        pool.search_leaves(&job, work, || {}).unwrap()
    }

    #[test]
    fn every_position_is_searched_to_the_depth() {
        for threads in [1, 3] {
            let (found, nodes) = outcomes(None, threads);
            let found: Vec<Outcome> = found.into_iter().map(Option::unwrap).collect();
            assert!(found.iter().all(|outcome| outcome.depth == 4 && !outcome.pv.is_empty()));
            assert_eq!(found.iter().map(|outcome| outcome.nodes).sum::<u64>(), nodes);
            assert_eq!(found[2].score, MATE - 1);
        }
        // With one thread the same each time.
        assert_eq!(outcomes(None, 1), outcomes(None, 1));
    }

    #[test]
    fn nodes_are_counted_together() {
        let (_, all) = outcomes(None, 1);
        let (found, nodes) = outcomes(Some(all / 2), 1);
        assert_eq!(nodes, all / 2);
        assert!(found.iter().any(Option::is_none));
    }

    #[test]
    fn the_watch_can_stop_it() {
        let mut pool = Pool::<Board8x8>::new(2).unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let stop = AtomicBool::new(false);
        let job = LeafJob { table: &table, stop: &stop, nodes: None, weakness: None };
        let root = &positions()[0];
        let work = |search: &LeafSearch<Board8x8>| search.search(root, 100);
        assert_eq!(pool.search_leaves(&job, work, || stop.store(true, Relaxed)), Some(None));
    }
}
