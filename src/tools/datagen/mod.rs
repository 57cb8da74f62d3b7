//! Data generation: the engine plays games against itself, from which networks learn.
//!
//! A game begins with a random starting position and some random moves. Then one searcher plays both sides,
//! with few nodes per move, so that millions of positions are affordable. Each thread plays one game at a
//! time. Before each game, the thread clears the transposition table and the histories, and derives the
//! random numbers from the seed and the index of the game. So game `i` of a data set is always the same, for
//! any number of threads and any interruptions. The manifest is enough to generate the same data set again.
//!
//! **Order.** Games that are played in parallel end in any order. Each game is written with its index as soon
//! as the game is over. If games waited in memory until all earlier games are over, an interruption would
//! lose the waiting games. A resumed run reads the indices in the file and plays the missing games.
//!
//! | file | contents |
//! | --- | --- |
//! | `play` | one game |
//! | `identity` | a fingerprint of the program's evaluation and search |
//! | `folder` | opens a data set, and removes incomplete blocks left by an interruption |
//! | `run` | threads and progress reports |

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

/// Why games cannot be generated.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Write(#[from] FileError),
    #[error(transparent)]
    Settings(#[from] DatagenSettingsError),
    #[error("'{}' does not begin with a valid game, so it is not changed: {damage}", path.display())]
    NoGames { path: PathBuf, damage: Damage },
    #[error("'{}' has games but no manifest next to it; write to another folder", path.display())]
    NoManifest { path: PathBuf },
    #[error(
        "'{}' was combined from other files; write new games to another folder", path.display()
    )]
    Combined { path: PathBuf },
    #[error(
        "the games in '{}' were made with other settings: {}; leave these options out to continue as \
         before, or write to another folder", path.display(), differences.join(", ")
    )]
    Different { path: PathBuf, differences: Vec<String> },
    #[error("'{}' has games from another data set, {found:08x} instead of {expected:08x}", path.display())]
    Foreign { path: PathBuf, expected: u32, found: u32 },
    #[error("not enough memory for a searcher with {hash} MiB of hash")]
    Memory { hash: usize },
    #[error("the engine cannot use the network: {0}")]
    Network(#[from] NetworkError),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error(
        "none of {tries} random openings for game {index} was balanced; allow larger scores \
         (start-score) or fewer random plies"
    )]
    NoStart { index: u32, tries: u32 },
    #[error("the starting position '{fen}' cannot be read: {error}")]
    Start { fen: String, error: FenError },
}
