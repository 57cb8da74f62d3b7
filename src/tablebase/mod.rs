//! Endgame tablebases.
//!
//! These are Ronald de Man's Syzygy tables, read by `shakmaty-syzygy`. For every chess position with up to
//! seven pieces (including kings and pawns) and without castling rights they contain:
//!
//! - **WDL**: whether the position is won, drawn or lost when the halfmove clock is zero. A win that the
//!   fifty-move rule turns into a draw is *cursed*; a loss that the rule turns into a draw is *blessed*.
//! - **DTZ**: the number of plies to the next capture or pawn move if the winner hurries and the loser
//!   delays. A DTZ value may be one ply too small.
//!
//! **When the tables are probed.** The rules are the same as in Stockfish:
//!
//! - At the root, the tables are probed once for each move ([`rank()`]): DTZ with the halfmove clock, or WDL
//!   alone if the DTZ tables are missing. Moves with a better rank come first, and the search chooses among
//!   the moves with the best rank. All wins that the fifty-move rule cannot spoil have the same rank, so that
//!   the search finds the mate. If the fifty-move rule is near or positions were repeated, the shortest way
//!   to the next capture or pawn move ranks first, so that the win is not lost. Once the root moves are
//!   ranked, the search does not probe any more, unless a win is known from WDL only.
//! - In the tree ([`Prober::covers`]), WDL is probed immediately after a capture or pawn move, when the
//!   halfmove clock is zero. With any other clock, the fifty-move rule could make the result wrong. The
//!   transposition table carries the results to later nodes.
//!
//! **Scores.** A tablebase win `n` plies from the root is
//! [`TABLEBASE_WIN`](crate::types::score::TABLEBASE_WIN)` - n`: above any evaluation, below any mate. Cursed
//! wins score slightly above a draw.
//!
//! **Variants.** There are no tables for 10x10 ([`Board::HAS_TABLEBASES`]). On 8x8 every variant becomes
//! standard chess once no king may castle or relocate any more.
//!
//! **Errors.** Files that are not tables are rejected when the folder is opened. Missing and corrupt tables
//! are noticed only by a probe. The probe then returns nothing, the search continues without a result, and
//! the first error is reported ([`Prober::take_error`]).
//!
//! Files are read normally instead of being memory-mapped, because a disk error must not crash the
//! program.
//!
//! | file | holds |
//! | --- | --- |
//! | `files` | finding tables on a path |
//! | `probe` | probing a position |
//! | `none` | a replacement for `files` and `probe` on WebAssembly, which has no files |
//! | `prober` | when to probe |
//! | `rank` | ranking the root moves |
//!
//! [`Board::HAS_TABLEBASES`]: crate::geometry::Board::HAS_TABLEBASES

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
pub use prober::{MAX_PIECES, Prober};
pub use rank::{Ranked, Ranking, rank, score_of_wdl};
pub use shakmaty_syzygy::Wdl;

/// Why no tables could be opened.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("cannot read the folder '{folder}': {error}")]
    Folder { folder: String, error: std::io::Error },
    #[error("'{file}' is not a Syzygy table: {error}")]
    File { file: String, error: std::io::Error },
    #[error("there are no Syzygy tables (*.rtbw, *.rtbz) in '{path}'")]
    None { path: String },
}
