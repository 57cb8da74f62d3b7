//! Training data: the file format for recorded games, its reader and writer, and tools for data sets.
//!
//! A *data set* is a file of games, `games.bin`, with a manifest, `games.manifest.json`, in the same folder.
//! The manifest describes how the games were generated, in enough detail to generate them again.
//! [`crate::tools::datagen`] generates data sets.
//!
//! # The format
//!
//! A file is a sequence of blocks and nothing else. Numbers are little-endian. The format is the same for
//! both boards, and each block names the board of its games.
//!
//! | block: byte | bytes | contents |
//! | --- | --- | --- |
//! | 0 | 8 | [`MAGIC`], which a reader looks for to find the next block after damage |
//! | 8 | 1 | version of the format: 1, or [`VERSION`] |
//! | 9 | 1 | board: 0 for 8x8, 1 for 10x10 |
//! | 10 | 2 | number of games |
//! | 12 | 4 | length of the payload in bytes, at most [`MAX_PAYLOAD`] |
//! | 16 | 4 | hash that identifies the data set for which the games were generated |
//! | 20 | 4 | CRC-32 of bytes 8 to 19 and of the payload |
//! | 24 | | payload: the games, one after the other |
//!
//! Datagen writes one block per game. So each game is in the file as soon as the game is over, and damage to
//! a block loses only one game. A file with several games per block is smaller, and readers accept any
//! number. Together, the hash of the data set and the index identify a game, even after the game was copied
//! to another file.
//!
//! A file may contain blocks of both versions. [`BlockReader`] unpacks the games of version 2 into the
//! encoding of version 1, in which games are also kept in memory.
//!
//! ## Games in version 1
//!
//! | game: byte | bytes | contents |
//! | --- | --- | --- |
//! | 0 | 4 | index of the game in its data set |
//! | 4 | 1 | [`Component`]: the kind of starting position |
//! | 5 | 1 | [`Outcome`](crate::game::Outcome) in bits 0-1 (0 Black wins, 1 draw, 2 White wins), number in [`TERMINATIONS`] above |
//! | 6 | 1 | number of random plies at the start of the game |
//! | 7 | 1 | length `f` of the FEN |
//! | 8 | 2 | number of plies `n`, including the random ones |
//! | 10 | f | FEN of the starting position, X-FEN in ASCII |
//! | 10 + f | 5n | the plies |
//!
//! | ply: bits | contents |
//! | --- | --- |
//! | 0-6, 7-13 | from and to square (a1 = 0, b1 = 1, ...); castling is the king's move to the rook |
//! | 14-15 | promotion: knight, bishop, rook, queen (0 for other moves) |
//! | 16 | capture, including en passant |
//! | 17 | en passant capture |
//! | 18 | castling |
//! | 19 | promotion |
//! | 20 | the side to move was in check |
//! | 21 | random: not searched, score 0 |
//! | 22-23 | 0 |
//! | 24-39 | score, signed, **for the side to move**: centipawns, or beyond ±31,488 a mate in 32,000 - \|score\| plies |
//!
//! Readers can select plies ([`Filter`]) by these bits without replaying the game.
//!
//! ## Games in version 2
//!
//! Version 2 needs about 1.7 bytes per ply, compared with 5.8 in version 1. A LEB128 number has seven bits
//! per byte, low bits first; the high bit is set in all bytes but the last.
//!
//! | game: bytes | contents |
//! | --- | --- |
//! | LEB128 | index of the game in its data set |
//! | 1, 1, 1 | [`Component`], outcome and termination, random plies, as in version 1 |
//! | LEB128 | number of plies, including the random ones |
//! | LEB128 | 1 + the number of the start in its [`Component::starts`]; 0 if the list does not contain the start |
//! | 1, f | only after a 0: length of the FEN, then the FEN of the start |
//! | LEB128 | number of words of the code |
//! | 2 each | the code |
//!
//! The code is the output of the range coder of the crate `constriction` (`SmallRangeEncoder` with words of
//! 16 bits, a state of 32 bits and probabilities of 12 bits; R. Bamler, 2022, after G. Martin, 1979). The
//! range coder encodes these symbols, ply by ply:
//!
//! 1. The index of the move among the legal moves, with uniform probabilities. Legal moves are sorted by bits
//!    0-15 of the ply in version 1. If there is only one legal move, the index is omitted.
//! 2. Unless the ply is random, the class of `d`. `d` is the score of the ply plus the score of the previous
//!    ply, which is the opponent's (0 before the first score). The class is 0 if `d` is 0, otherwise twice
//!    the bit length of `|d|`, minus one if `d` is negative. The frequencies of the classes are in `packed`.
//! 3. The bits of `|d|` below the leading 1 bit. The bits are coded in groups of at most eight with uniform
//!    probabilities, low bits first.
//!
//! All other fields of a ply follow from the position. If a game breaks the rules, these fields do not follow
//! from the positions, and the game is stored in a block of version 1.
//!
//! | file | contents |
//! | --- | --- |
//! | `ply` | a ply in five bytes |
//! | `filter` | the filter that selects plies to train on |
//! | `component`, `mix` | kinds of starting positions, and how often each is drawn |
//! | `termination` | the code of terminations, and the detection of the end of a game |
//! | `game` | records of games in version 1 |
//! | `packed` | games in version 2 |
//! | `block` | blocks, and the detection of damage |
//! | `reader`, `writer` | reading and writing streams of blocks |
//! | `replay` | replaying a game to its positions |
//! | `settings`, `manifest` | how a data set was generated |
//! | `stats`, `verify`, `combine` | the tools: statistics, verification, merging and shuffling |

mod block;
mod combine;
mod component;
mod filter;
mod game;
mod manifest;
mod mix;
mod packed;
mod ply;
mod reader;
mod replay;
mod settings;
mod stats;
mod termination;
#[cfg(test)]
pub(in crate::tools) mod tests;
mod verify;
mod writer;

use std::path::{Path, PathBuf};

pub use block::{Block, BlockFault, Damage, HEADER, MAGIC, MAX_PAYLOAD, UNPACKED, VERSION};
pub use combine::{CombineTarget, Combined, merge, shuffle};
pub use component::Component;
pub use filter::Filter;
pub use game::{GameRecordFault, StoredGame, TrainingGame};
pub(in crate::tools) use manifest::differences;
pub use manifest::{Counts, Identity, Manifest, Origin, Share, Source};
pub use mix::{Mix, MixError};
pub use ply::Ply;
pub(in crate::tools) use reader::lock;
pub use reader::{BlockOrDamage, BlockReadError, BlockReader, board_of, scan, scan_game};
pub use replay::{Replay, ReplayError, Sample};
pub use settings::{DatagenSettings, DatagenSettingsError};
pub use stats::Stats;
pub use termination::{GameEndDetector, TERMINATIONS, described};
pub use verify::{DataProblem, GameFault, Verification, verify};
pub use writer::BlockWriter;

use crate::files::{self, FileError};

/// Why a data set cannot be read, written or combined.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error("cannot read '{}': {}", path.display(), files::reason(error))]
    Read { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("'{}' is not a manifest of a data set that this program can read: {error}", path.display())]
    Manifest { path: PathBuf, error: serde_json::Error },
    #[error(
        "the manifest '{}' has format {version}, and this program knows format {known}; use the program \
         that wrote it, or a later one", path.display()
    )]
    Version { path: PathBuf, version: u32, known: u32 },
    #[error("another `aleator datagen` is writing to '{}'; wait until it has finished", path.display())]
    Busy { path: PathBuf },
    #[error(
        "'{}' has games on the {found} board, but earlier games are on the {expected} board; \
         keep games on different boards in separate files", path.display()
    )]
    Boards { path: PathBuf, expected: &'static str, found: &'static str },
    #[error("there are no games in {files}")]
    Empty { files: String },
    #[error(
        "the data set is incomplete: {}; generate the missing games with the same settings",
        missing.join(", ")
    )]
    Missing { missing: Vec<String> },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// The name of the file of games in the folder of a data set.
pub const GAMES_FILE: &str = "games.bin";

/// Returns the path of a file of games. `named` is the path from the command line: the file itself, or the
/// folder of a data set.
pub fn games_file(named: &Path) -> PathBuf {
    let is_folder = named.is_dir() || (!named.exists() && named.extension().is_none());
    if is_folder { named.join(GAMES_FILE) } else { named.to_owned() }
}
