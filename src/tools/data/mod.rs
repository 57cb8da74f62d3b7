//! Training data: the file format of recorded games, its reader and writer, and the tools for it.
//!
//! A *data set* is a file of games, `games.bin`, and next to it a manifest, `games.manifest.json`, which
//! says how the games were made, in enough detail to make them again. [`crate::tools::datagen`]
//! generates data sets.
//!
//! # The format
//!
//! A file is a sequence of blocks and nothing else. Numbers are little-endian. The format is the same
//! for both boards; each block names the board of its games.
//!
//! | block: byte | bytes | contents |
//! | --- | --- | --- |
//! | 0 | 8 | [`MAGIC`], by which a reader finds the next block after damage |
//! | 8 | 1 | version of the format: 1, or [`VERSION`] |
//! | 9 | 1 | board: 0 for 8x8, 1 for 10x10 |
//! | 10 | 2 | number of games |
//! | 12 | 4 | length of the payload in bytes, at most [`MAX_PAYLOAD`] |
//! | 16 | 4 | set: the hash that identifies the data set that the games were generated for |
//! | 20 | 4 | CRC-32 of bytes 8 to 19 and of the payload |
//! | 24 | | payload: the games, one after the other |
//!
//! Datagen writes a block for each game, so that a game is in the file as soon as it is over, and
//! damage costs only the games that it hits. More games in a block save space; readers accept
//! both. Set and index together identify a game, whatever file it is copied to.
//!
//! A file may contain blocks of both versions. [`BlockReader`] unpacks those of version 2, so the
//! following is also how games are represented in memory.
//!
//! ## Games in version 1
//!
//! | game: byte | bytes | contents |
//! | --- | --- | --- |
//! | 0 | 4 | index of the game in its set |
//! | 4 | 1 | [`Component`]: the kind of start |
//! | 5 | 1 | [`Outcome`](crate::game::Outcome) in bits 0-1 (0 Black wins, 1 draw, 2 White wins), number in [`TERMINATIONS`] above |
//! | 6 | 1 | number of random plies at the start of the game |
//! | 7 | 1 | length `f` of the FEN |
//! | 8 | 2 | number of plies `n`, including the random ones |
//! | 10 | f | FEN of the start, X-FEN in ASCII |
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
//! So a reader can select plies ([`Filter`]) without replaying the game.
//!
//! ## Games in version 2
//!
//! Version 2 takes about 1.7 bytes per ply instead of 5.8. LEB128 numbers have seven bits per byte, the low
//! ones first; the high bit is set in all bytes but the last.
//!
//! | game: bytes | contents |
//! | --- | --- |
//! | LEB128 | index of the game in its set |
//! | 1, 1, 1 | [`Component`], outcome and termination, random plies, as in version 1 |
//! | LEB128 | number of plies, including the random ones |
//! | LEB128 | 1 + the number of the start in its [`Component::starts`]; 0 if it is not among them |
//! | 1, f | only after a 0: length of the FEN, and the FEN of the start |
//! | LEB128 | number of words of the code |
//! | 2 each | the code |
//!
//! The code is the output of the range coder of the crate `constriction` (`SmallRangeEncoder`: words of
//! 16 bits, a state of 32, probabilities of 12; R. Bamler, 2022, after G. Martin, 1979) for these symbols,
//! ply by ply:
//!
//! 1. The index of the move among the legal ones, sorted by bits 0-15 of a ply in version 1, with uniform
//!    probabilities. Omitted if there is only one legal move.
//! 2. Unless the ply is random, the class of `d`, the sum of the score and of the previous one, which is
//!    the opponent's (0 before the first): 0 if `d` is 0, otherwise twice the bit length of `|d|`, less one if
//!    `d` is negative. The frequencies of the classes are in `packed`.
//! 3. The bits of `|d|` below the leading one, the low eight first, in groups of at most eight with uniform
//!    probabilities.
//!
//! Everything else about a ply follows from the position. A game for which it does not, because it breaks
//! the rules, stays in a block of version 1.
//!
//! | file | contents |
//! | --- | --- |
//! | `ply` | a ply in five bytes |
//! | `filter` | which plies to train on |
//! | `component`, `mix` | kinds of starts, and how often each is drawn |
//! | `termination` | how games end, and when |
//! | `game` | records of games |
//! | `packed` | games in version 2 |
//! | `block` | blocks, and how they can be damaged |
//! | `reader`, `writer` | streams of blocks |
//! | `error` | why a data set cannot be read or written |
//! | `replay` | replaying a record to its positions |
//! | `settings`, `manifest` | how a data set was made |
//! | `stats`, `verify`, `combine` | the tools: statistics, verification, merging and shuffling |

mod block;
mod combine;
mod component;
mod error;
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
pub use error::DataError;
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

/// The file of games in the folder of a data set.
pub const GAMES_FILE: &str = "games.bin";

/// Returns the file of games for a path from the command line: a file, or a folder that contains one.
pub fn games_file(named: &Path) -> PathBuf {
    let is_folder = named.is_dir() || (!named.exists() && named.extension().is_none());
    if is_folder { named.join(GAMES_FILE) } else { named.to_owned() }
}
