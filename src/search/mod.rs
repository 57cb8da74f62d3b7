//! The search: alpha-beta with iterative deepening, one copy for each board.
//!
//! | file | holds |
//! | --- | --- |
//! | `params`, `tunable` | every number that could be tuned, and how it is declared |
//! | `limits` | what a search was asked to do |
//! | `time` | how long it may take |
//! | `report` | what it says while it runs: the [`Listener`] |
//! | `skill` | deliberate weakness |
//! | `window` | alpha and beta |
//! | `tt` | the transposition table, shared by all threads |
//! | `context` | one description of a search: table, limits, time, control, skill, listener |
//! | `root` | its position, moves and lines, and the outcome |
//! | `history` | which moves were good before |
//! | `correction` | how wrong the static evaluation was before |
//! | `picker` | the order in which moves are tried |
//! | `repetition` | which positions are one reversible move apart |
//! | `stack` | the line from the root to the current node |
//! | `worker` | what one thread owns, and the questions every node asks |
//! | `tablebase` | what a node asks the tablebases |
//! | `quiescence`, `node` | the two recursive functions |
//! | `pruning` | null move, ProbCut, futility: which nodes and moves are not searched |
//! | `reduction` | late move reductions: which moves are searched less deep |
//! | `deepening` | iterative deepening and aspiration windows of one thread |
//! | `run` | a search on the current thread, and what a thread does that waits for a search |
//! | `pool` | the threads, and the choice among their results |
//! | `leaf` | many positions at once, each searched by one thread: the leaves of a set-up |
//! | `searcher` | one thread that plays games by itself, for the tools |
//!
//! Threads share the transposition table, the stop flag and node counters, and nothing else that
//! changes (Lazy SMP). With one thread a search is a function of its inputs alone: the same
//! position, limits in depth or nodes, hash size and history of searches give the same nodes.

pub mod context;
mod correction;
mod deepening;
mod history;
pub mod leaf;
pub mod limits;
mod node;
pub mod params;
mod picker;
pub mod pool;
mod pruning;
mod quiescence;
mod reduction;
mod repetition;
pub mod report;
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
mod window;
mod worker;

pub use context::{Control, SearchContext};
pub use leaf::LeafSearch;
pub use limits::{Clock, Limits, MAX_DEPTH, MAX_PLY};
pub use pool::{Pool, search_threads};
pub use report::{Bound, Info, Listener};
pub use root::SearchResult;
pub use searcher::Searcher;
pub use skill::Skill;
pub use time::TimeManager;
pub use tunable::Tunable;

/// Changes a number of the search, by its index in [`params::TUNABLES`], within its bounds; to be
/// called while nothing is searched.
#[cfg(feature = "tune")]
pub fn set_number(index: usize, to: i32) {
    params::set(index, to);
    reduction::refresh();
}
