//! The search: alpha-beta with iterative deepening, one copy for each board.
//!
//! | file | holds |
//! | --- | --- |
//! | `params`, `tunable` | every number that could be tuned, and how it is declared |
//! | `limits` | what a search was asked to do |
//! | `time` | how long it may take |
//! | `report` | what it says while it runs: the [`Listener`] |
//! | `tt` | the transposition table, shared by all threads |
//! | `history` | which moves were good before |
//! | `threats` | where the opponent strikes |
//! | `correction` | how wrong the static evaluation was before |
//! | `picker` | the order in which moves are tried |
//! | `repetition` | which positions are one reversible move apart |
//! | `worker` | what one thread owns, and the questions every node asks |
//! | `quiescence`, `node` | the two recursive functions |
//! | `pruning` | what of it is not searched |
//! | `deepening` | iterative deepening and aspiration windows of one thread |
//! | `pool` | the threads, and the choice among their results |
//! | `leaf` | many positions at once, each searched by one thread: the leaves of a set-up |
//! | `solo` | one thread that plays games by itself, for the lab |
//!
//! Threads share the transposition table, the stop flag and node counters, and nothing else that
//! changes (Lazy SMP). With one thread a search is a function of its inputs alone: the same
//! position, limits in depth or nodes, hash size and history of searches give the same nodes.

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
mod repetition;
pub mod report;
pub mod solo;
mod threats;
pub mod time;
pub mod tt;
mod tunable;
mod worker;

pub use leaf::{LeafJob, LeafSearch};
pub use limits::{Clock, Limits};
pub use pool::{Outcome, Pool, Weakness, search_threads};
pub use report::{Bound, Info, Listener};
pub use solo::Solo;
pub use tunable::Tunable;

/// The deepest line the search follows, in plies from the root.
pub const MAX_PLY: usize = 246;
/// The largest nominal depth.
pub const MAX_DEPTH: i32 = 240;
