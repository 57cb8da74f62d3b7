//! Searches many positions at once: the positions that a setup can lead to.
//!
//! In an ordinary search all threads search the same position. Here each thread searches different
//! positions alone. The threads share the transposition table, the node counters, the limits and the stop
//! flags. The searches report nothing; the caller reports instead.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::context::SearchContext;
use super::limits::Limits;
use super::lines::RootLines;
use super::pool::{Pool, search_threads};
use super::run;
use super::worker::{Counter, Shared, ThreadData};
use crate::geometry::Board;
use crate::position::Position;
use crate::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use crate::sync::{self, mpsc::channel};
use crate::types::Value;

/// Searches positions on the threads of a pool; see [`Pool::search_leaves`].
pub struct LeafSearch<'a, G: Board> {
    shared: Shared<'a>,
    /// The data of each thread of the pool. Each thread locks only its own data, so no lock ever waits.
    data: Vec<Mutex<&'a mut ThreadData<G>>>,
    selective_depth: AtomicUsize,
}

impl<G: Board> Pool<G> {
    /// Runs `work` on the pool's threads. `work` can be a rayon loop that searches many positions with the
    /// given [`LeafSearch`]. The limits of the context apply to all searches together. A node limit is
    /// exact with one thread, and a weak level always uses one thread. A pondering search holds its result
    /// back until `stop` or `ponderhit`. A panic in `work` is passed on to the caller.
    pub fn search_leaves<R: Send>(
        &mut self,
        context: &SearchContext,
        work: impl FnOnce(&LeafSearch<G>) -> R + Send,
    ) -> Option<R> {
        context.table.age();
        let (threads, data) = self.parts();
        // A rayon loop uses all threads of a pool, so a weak level gets a pool of one thread.
        let single = context.skill.and_then(|_| search_threads(1).ok());
        let (threads, data) = match &single {
            Some(single) => (single, &mut data[..1]),
            None => (threads, data),
        };
        let (over, counters) = (AtomicBool::new(false), Counter::of_threads(data.len()));
        let shared = Shared::new(context, &over, &counters);
        let search = &LeafSearch {
            shared,
            data: data.iter_mut().map(Mutex::new).collect(),
            selective_depth: AtomicUsize::new(0),
        };
        let (sender, receiver) = channel();
        let result = sync::scope(threads, |scope| {
            scope.spawn(move |_| {
                // Sending cannot fail, because the receiver lives as long as this scope.
                let _ = sender.send(work(search));
            });
            run::wait(&shared, &receiver)
        });
        context.wait_for_permission();
        result
    }
}

impl<'a, G: Board> LeafSearch<'a, G> {
    /// Returns the index of the current thread in the pool.
    fn thread(&self) -> usize {
        rayon::current_thread_index().unwrap_or(0) % self.data.len()
    }

    /// Locks the data of the current thread.
    fn data(&self) -> MutexGuard<'_, &'a mut ThreadData<G>> {
        // A search that panicked leaves its histories and caches in a valid state.
        self.data[self.thread()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the static evaluation of a position for the side to move, in the unit of search values.
    pub fn evaluate(&self, position: &Position<G>) -> Value {
        let eval = self.data().evaluator.evaluate_alone(position);
        self.shared.context.skill.map_or(eval, |skill| skill.distort(eval, position.key()))
    }

    /// Searches a position on the current thread, to a depth of at least 1. Returns `None` if the search
    /// was stopped.
    pub fn search(&self, root: &Position<G>, depth: u32) -> Option<RootLines> {
        if self.shared.nodes_are_spent() || self.has_ended() {
            return None;
        }
        let limits = Limits::depth(depth);
        let context = SearchContext { limits: &limits, listener: &(), ..self.shared.context };
        let shared = Shared { context, ..self.shared };
        let counter = &shared.counters[self.thread()];
        let outcome = run::alone(&shared, counter, &mut self.data(), root, &[]);
        if outcome.stopped {
            return None;
        }
        self.selective_depth.fetch_max(outcome.selective_depth(), Relaxed);
        Some(outcome)
    }

    /// Ends all running searches. Searches that begin later end immediately.
    pub fn end(&self) {
        self.shared.over.store(true, Relaxed);
    }

    /// Returns whether all searches have ended, by a limit or by `stop`.
    pub fn has_ended(&self) -> bool {
        self.shared.has_ended()
    }

    /// Returns the node count of all searches, including stopped searches.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes()
    }

    /// Returns the greatest selective depth of all finished searches.
    pub fn selective_depth(&self) -> usize {
        self.selective_depth.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;
    use crate::search::tt::TranspositionTable;
    use crate::search::{Control, Skill, TimeManager};
    use crate::types::Color;
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

    fn search<R: Send>(
        threads: usize,
        limits: &Limits,
        work: impl FnOnce(&LeafSearch<Board8x8>) -> R + Send,
    ) -> R {
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(limits, Color::White, Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context = SearchContext::new(&table, limits, &time, &control);
        Pool::new(threads).unwrap().search_leaves(&context, work).unwrap()
    }

    fn outcomes(nodes: Option<u64>, threads: usize) -> (Vec<Option<RootLines>>, u64) {
        search(threads, &Limits { nodes, ..Limits::default() }, |search| {
            let found = positions().par_iter().map(|root| search.search(root, 4)).collect();
            (found, search.nodes())
        })
    }

    #[test]
    fn every_position_is_searched_to_the_depth() {
        for threads in [1, 3] {
            let (found, nodes) = outcomes(None, threads);
            let found: Vec<RootLines> = found.into_iter().map(Option::unwrap).collect();
            assert!(found.iter().all(|outcome| outcome.depth == 4 && !outcome.pv().is_empty()));
            assert_eq!(found.iter().map(|outcome| outcome.nodes).sum::<u64>(), nodes);
            assert_eq!(found[2].score, MATE - 1);
        }
        // With one thread the result is deterministic.
        assert_eq!(outcomes(None, 1), outcomes(None, 1));
    }

    #[test]
    fn a_node_limit_applies_to_all_searches_together() {
        let (_, all) = outcomes(None, 1);
        let (found, nodes) = outcomes(Some(all / 2), 1);
        assert_eq!(nodes, all / 2);
        assert!(found.iter().any(Option::is_none));
    }

    #[test]
    fn several_threads_keep_a_common_node_limit() {
        let fen = "bbrknqnr/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w - - 0 1";
        let root: Position<Board8x8> = Position::from_fen(fen, KingRight::Castling).unwrap();
        let nodes = search(8, &Limits::nodes(5_000), |search| {
            (0..64).into_par_iter().for_each(|_| drop(search.search(&root, 9)));
            search.nodes()
        });
        assert!((5_000..=5_600).contains(&nodes), "{nodes}");
    }

    #[test]
    fn a_weak_level_uses_one_thread() {
        let skill = Skill { error: 0, nodes: 500, attention: 1000, opens_by_rule: false, seed: 1 };
        let limits = Limits::default();
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context = SearchContext {
            skill: Some(skill),
            ..SearchContext::new(&table, &limits, &time, &control)
        };
        let work = |search: &LeafSearch<Board8x8>| {
            positions().par_iter().for_each(|root| drop(search.search(root, 9)));
            (rayon::current_num_threads(), search.nodes())
        };
        let found = Pool::new(4).unwrap().search_leaves(&context, work);
        assert_eq!(found, Some((1, 500)));
    }

    #[test]
    fn the_clock_ends_a_leaf_search() {
        let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        assert_eq!(search(2, &limits, |search| search.search(&positions()[0], 100)), None);
    }

    #[test]
    fn the_caller_can_end_leaf_searches() {
        let found = search(1, &Limits::default(), |search| {
            search.end();
            search.search(&positions()[0], 1)
        });
        assert_eq!(found, None);
    }
}
