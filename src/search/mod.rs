//! The search: alpha-beta with iterative deepening, one copy for each board.
//!
//! | file | contents |
//! | --- | --- |
//! | `params`, `tunable` | the tunable parameters, and the macro that declares them |
//! | `limits` | the limits of a search, such as depth, nodes and time |
//! | `time` | time management |
//! | `skill` | deliberate weakness |
//! | `tt` | the transposition table, shared by all threads |
//! | `context` | what a search needs besides the position: table, limits, time, control, skill, listener |
//! | `root` | the root position and its moves |
//! | `lines` | root moves with their results, the lines that a search found, and its reports to a [`Listener`] |
//! | `history` | move histories: which moves were good before |
//! | `correction` | correction history: how wrong the static evaluation was before |
//! | `picker` | the move picker: the order in which moves are tried |
//! | `repetition` | detects whether two positions are one reversible move apart |
//! | `stack` | the line from the root to the current node |
//! | `worker` | the state of one thread, and helpers for every node |
//! | `tablebase` | probes of the tablebases inside the tree |
//! | `quiescence`, `node` | the two recursive functions |
//! | `pruning` | null move, ProbCut, futility: skips nodes and moves |
//! | `reduction` | late move reductions |
//! | `deepening` | iterative deepening and aspiration windows of one thread |
//! | `run` | runs a search on the current thread, or waits for a search on another thread |
//! | `pool` | the threads, and the choice among their results |
//! | `leaf` | searches many positions at once, one on each thread: the leaves of a setup |
//! | `searcher` | a searcher on the current thread, for the tools |
//!
//! Threads share the transposition table, the stop flag and the node counters, and no other mutable state
//! (Lazy SMP). A search with one thread is deterministic: it visits the same nodes if the position, the
//! depth or node limit, the hash size and the earlier searches are the same.

pub mod context;
mod correction;
mod deepening;
mod history;
pub mod leaf;
pub mod limits;
pub mod lines;
mod node;
pub mod params;
mod picker;
pub mod pool;
mod pruning;
mod quiescence;
mod reduction;
mod repetition;
pub mod root;
mod run;
pub mod searcher;
pub mod skill;
mod stack;
mod tablebase;
#[cfg(test)]
mod tests;
pub mod time;
pub mod tt;
mod tunable;
mod worker;

pub use context::{Control, SearchContext};
pub use leaf::LeafSearch;
pub use limits::{Limits, MAX_DEPTH, MAX_PLY};
pub use lines::{Listener, Progress, RootLines, RootMove};
pub use pool::{Pool, PoolError, search_threads};
pub use searcher::Searcher;
pub use skill::Skill;
pub use time::TimeManager;
pub use tunable::Tunable;

/// Sets the parameter with this index in [`params::TUNABLES`]. Clamps the new value to the parameter's
/// bounds. Must not be called during a search.
#[cfg(feature = "tune")]
pub fn set_number(index: usize, to: i32) {
    params::set(index, to);
    reduction::refresh();
}
