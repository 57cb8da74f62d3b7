//! Runs a search on the current thread, and waits for searches on other threads.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::lines::RootLines;
use super::root::Root;
use super::worker::{Counter, Shared, ThreadData, Worker};
use crate::geometry::Board;
use crate::position::Position;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::{self, mpsc::Receiver};

/// The interval at which a thread that waits for a search checks the clock.
const TICK: Duration = Duration::from_millis(5);

/// Runs a whole search on the current thread and counts the nodes in `counter`. A search that reaches a
/// limit sets the flag `shared.over`. If another thread sets this flag, the search ends.
pub fn alone<G: Board>(
    shared: &Shared,
    counter: &Counter,
    data: &mut ThreadData<G>,
    position: &Position<G>,
    earlier: &[u64],
) -> RootLines {
    let root = Root::new(position, earlier, &shared.context);
    if root.moves.is_empty() {
        return RootLines::without_moves(position);
    }
    counter.count_tablebase_hits(root.tablebase_hits);
    let before = counter.nodes();
    let lines = Worker::new(0, shared, counter, data, &root).deepen();
    RootLines { nodes: counter.nodes() - before, ..lines }
}

/// Waits for the result of another thread. Meanwhile checks the limits and ends the search when a limit is
/// reached, because with more threads than cores the searching threads may be suspended for long. Returns
/// `None` if the other thread ends without sending anything.
pub fn wait<R>(shared: &Shared, receiver: &Receiver<R>) -> Option<R> {
    loop {
        match sync::receive(receiver, TICK) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                if shared.context.must_end() || shared.nodes_are_spent() {
                    shared.over.store(true, Relaxed);
                }
            }
        }
    }
}

/// A guard that ends the search when the guard is dropped. With `only_by_panic`, the search ends only if a
/// panic drops the guard.
pub struct EndOnDrop<'a> {
    pub over: &'a AtomicBool,
    pub only_by_panic: bool,
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        if !self.only_by_panic || std::thread::panicking() {
            self.over.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::search::tt::TranspositionTable;
    use crate::search::{Control, Limits, SearchContext, TimeManager};
    use crate::sync::mpsc::channel;
    use crate::types::Color;

    #[test]
    fn waiting_ends_the_search_at_the_hard_limit() {
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        let (control, over) = (Control::default(), AtomicBool::new(false));
        let table = TranspositionTable::new(1).unwrap();
        let time = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let context = SearchContext::new(&table, &limits, &time, &control);
        let counters = Counter::of_threads(1);
        let shared = Shared::new(&context, &over, &counters);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            // This thread acts like a search that never checks the clock.
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    std::thread::yield_now();
                }
                sender.send(7)
            });
            assert_eq!(wait(&shared, &receiver), Some(7));
        });
        // While the search ponders, the clock does not end the search.
        control.pondering.store(true, Relaxed);
        assert!(!context.must_end());
    }
}
