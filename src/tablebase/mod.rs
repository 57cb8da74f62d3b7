//! Tablebases: what is known for certain where few pieces are left.
//!
//! The tables are Ronald de Man's (*Syzygy*), read by `shakmaty-syzygy`. They know of every position
//! of chess with up to seven men and without rights
//!
//! - **WDL**: whether it is won, drawn or lost, counting wins as *cursed* and losses as *blessed*
//!   that the fifty-move rule turns into draws; it holds where the rule's counter stands at zero;
//! - **DTZ**: how many plies are left to the next capture or pawn move if the winner wants it soon
//!   and the loser late. It may be one ply too small.
//!
//! **Where they are asked.** As in Stockfish, whose behaviour this follows:
//!
//! - At the root, once, of every move ([`rank()`]): by DTZ and the counter of the fifty-move rule, or
//!   by WDL alone where the DTZ tables are missing. Moves of a better rank come first, and the
//!   search chooses among those of the best. All moves that surely win have one rank, so that it is
//!   the search that finds the mate; once the counter or a repetition comes near, the shortest way
//!   to the next capture or pawn move goes first, so that no win is lost. The search below then asks
//!   no more, unless a win is known by WDL only and the way to it is not.
//! - In the tree ([`Prober::covers`]): WDL, right after a capture or pawn move, where the counter is
//!   at zero. Elsewhere an answer could be wrong by the rule, and hits in the transposition table
//!   bring the answer there anyway.
//!
//! **What the answers are worth.** A win by the tables that arises `n` plies from the root is
//! [`TABLEBASE_WIN`](crate::types::score::TABLEBASE_WIN)` - n`: more than any evaluation, less than any mate.
//! Cursed wins are worth next to nothing.
//!
//! **Which games have tables.** A constant of the board decides ([`Geometry::HAS_TABLEBASES`]): there are
//! none on 10x10. On 8x8 every variant is chess once no king may castle or relocate any more.
//!
//! **Faults.** Files that are no tables are refused when they are found; what is missing or wrong
//! inside shows when it is asked for. Then the table does not answer, the search goes on without it,
//! and the first such fault is told ([`Prober::take_fault`]).
//!
//! Files are read with plain reads and not by mapping them into memory: a disk that fails must not
//! end the program.
//!
//! | file | holds |
//! | --- | --- |
//! | `files` | finding tables on a path |
//! | `probe` | what they say of a position |
//! | `none` | in place of both where there are no files |
//! | `prober` | when they are asked |
//! | `rank` | which moves of the root keep what they promise |
//!
//! [`Geometry::HAS_TABLEBASES`]: crate::geometry::Geometry::HAS_TABLEBASES

#[cfg(not(target_family = "wasm"))]
mod files;
#[cfg(target_family = "wasm")]
mod none;
#[cfg(not(target_family = "wasm"))]
mod probe;
mod prober;
mod rank;

#[cfg(not(target_family = "wasm"))]
pub use files::Tablebase;
#[cfg(target_family = "wasm")]
pub use none::Tablebase;
#[cfg(not(target_family = "wasm"))]
pub use probe::TablebaseResult;
pub use prober::{MOST_MEN, Prober};
pub use rank::{Ranked, Ranking, rank, score_of_wdl};
pub use shakmaty_syzygy::Wdl;

/// Why there are no tables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("cannot read the folder '{folder}': {reason}")]
    Folder { folder: String, reason: String },
    #[error("'{file}' is no Syzygy table: {reason}")]
    File { file: String, reason: String },
    #[error("there are no Syzygy tables (*.rtbw, *.rtbz) in '{path}'")]
    None { path: String },
}
