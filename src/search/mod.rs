//! The search: alpha-beta with iterative deepening, one copy for each board.
//!
//! | file | contents |
//! | --- | --- |
//! | `params`, `tunable` | the tunable parameters, and the macro that declares them |
//! | `limits` | what a search was asked to do |
//! | `time` | time management |
//! | `skill` | deliberate weakness |
//! | `tt` | the transposition table, shared by all threads |
//! | `context` | everything a search works with: table, limits, time, control, skill, listener |
//! | `root` | the root position and its moves |
//! | `lines` | root moves with their results, the lines that a search found, and its reports to a [`Listener`] |
//! | `history` | move histories: which moves were good before |
//! | `correction` | correction history: how wrong the static evaluation was before |
//! | `picker` | the move picker: the order in which moves are tried |
//! | `repetition` | which positions are one reversible move apart |
//! | `stack` | the line from the root to the current node |
//! | `worker` | the state of one thread, and helpers for every node |
//! | `tablebase` | probes of the tablebases inside the tree |
//! | `quiescence`, `node` | the two recursive functions |
//! | `pruning` | null move, ProbCut, futility: which nodes and moves are not searched |
//! | `reduction` | late move reductions |
//! | `deepening` | iterative deepening and aspiration windows of one thread |
//! | `run` | runs a search on the current thread, or waits for one on another thread |
//! | `pool` | the threads, and the choice among their results |
//! | `leaf` | searches many positions at once, one on each thread: the leaves of a setup |
//! | `searcher` | a searcher on the current thread, for the tools |
//!
//! Threads share the transposition table, the stop flag and the node counters, and no other
//! mutable state (Lazy SMP). With one thread a search is deterministic: the same position, limits
//! in depth or nodes, hash size and earlier searches give the same nodes.

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
pub use pool::{Pool, search_threads};
pub use searcher::Searcher;
pub use skill::Skill;
pub use time::TimeManager;
pub use tunable::Tunable;

/// Sets a parameter by its index in [`params::TUNABLES`], clamped to its bounds. Must not be called
/// during a search.
#[cfg(feature = "tune")]
pub fn set_number(index: usize, to: i32) {
    params::set(index, to);
    reduction::refresh();
}
