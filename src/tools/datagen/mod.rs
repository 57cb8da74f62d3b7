//! Games of the engine against itself, for its evaluations to learn from.
//!
//! A game begins from a random start and some random moves; then one searcher plays both sides,
//! with so few nodes a move that millions of positions can be had. One thread plays one game at a
//! time, table and histories are cleared before it, and its random numbers follow from seed and
//! index. So game `i` of a set is always the same, whatever the number of threads and however
//! often the work was interrupted; and a manifest is enough to make the set again.
//!
//! **Order.** Games that are played at the same time end in any order. Each is written as soon as
//! it is over and carries its index, rather than waiting for those before it in memory, where an
//! interruption would lose it. Going on means to read the file, find which indices are there, and
//! play those that are missing.
//!
//! | file | holds |
//! | --- | --- |
//! | `play` | one game |
//! | `identity` | what evaluation and search of this program are |
//! | `folder` | opening a data set, and cutting off what an interruption left |
//! | `run` | threads, and what is told of their progress |

mod folder;
mod identity;
mod play;
mod run;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub use folder::Repair;
pub use identity::identity;
pub use play::play;
pub use run::{DatagenEvent, DatagenGoal, DatagenPlan, DatagenProgress, run};

use crate::eval::nnue::NetworkError;
use crate::files::FileError;
use crate::position::FenError;
use crate::tools::data::{Damage, DataError, DatagenSettingsError};

/// Why no games, or no more games, can be made.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Write(#[from] FileError),
    #[error(transparent)]
    Settings(#[from] DatagenSettingsError),
    #[error("'{}' does not begin with a sound game, and is left as it is: {damage}", path.display())]
    NoGames { path: PathBuf, damage: Damage },
    #[error("'{}' has games but no manifest beside it; write to another folder", path.display())]
    NoManifest { path: PathBuf },
    #[error(
        "'{}' was put together from other files; new games belong into another folder", path.display()
    )]
    Combined { path: PathBuf },
    #[error(
        "the games in '{}' were made otherwise: {}; leave the setting away to go on as before, or \
         write to another folder", path.display(), differences.join(", ")
    )]
    Different { path: PathBuf, differences: Vec<String> },
    #[error("'{}' has games of another data set, {found:08x} instead of {expected:08x}", path.display())]
    Foreign { path: PathBuf, expected: u32, found: u32 },
    #[error("no memory for a searcher with {hash} MiB of hash")]
    Memory { hash: usize },
    #[error("the network cannot be used: {0}")]
    Network(#[from] NetworkError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error(
        "no start of game {index} was even enough in {tries} draws; allow larger scores \
         (start-score) or fewer random plies"
    )]
    NoStart { index: u32, tries: u32 },
    #[error("the start '{fen}' cannot be read: {error}")]
    Start { fen: String, error: FenError },
}
