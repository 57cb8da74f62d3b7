//! Aleator: a chess engine for every shuffled start.
//!
//! The way of a position through the modules:
//!
//! ```text
//! stdin line ─ protocol (typed command) ─ session (options, queue, task) ─ engine (position)
//!   ─ search::pool ─ deepening ─ node ─ picker / position.make / eval ─ Listener ─ session's events
//!   ─ protocol prints `info`, `bestmove`
//! ```
//!
//! The modules, each using only those above it:
//!
//! | module | what it knows |
//! | --- | --- |
//! | [`host`], [`random`], [`text`], [`files`], [`system`], [`processor`], `sync` | a clock; random numbers; text from outside; safe writing of files; the machine; what it can run; flags and channels |
//! | [`geometry`], [`types`] | the shape of a board; squares, pieces, moves, scores |
//! | [`attacks`] | what pieces attack, on either board |
//! | [`rules`] | what distinguishes the variants, as data |
//! | [`position`] | FEN, legal moves, make, exchanges, draws, perft |
//! | [`notation`] | moves as text |
//! | [`tablebase`] | Syzygy tablebases |
//! | [`start`], [`setup`] | start arrays; the placement games before move one, and their solver |
//! | [`eval`] | what a position is worth on sight |
//! | [`search`] | what it is worth after looking ahead |
//! | [`game`] | a game under way on any board, set-up included: turns, undo, dice, clocks, outcome |
//! | [`book`] | what to play where others have thought already |
//! | [`engine`] | a game's position with threads and tables, behind one object-safe trait |
//! | [`pgn`] | games as files: PGN of every variant, read and written |
//! | [`session`] | what every frontend drives: options, a queue of commands, the running task |
//! | [`play`] | a game that is played: players, clocks, offers, the engine's replies, saving; the logic of the page |
//! | `web` | the server of the page on this machine (feature `web`) |
//! | [`protocol`] | UCI, XBoard's protocol |
//! | [`mod@bench`] | a fixed amount of search: a signature and a speed |
//! | `wasm` | engine and page for hosts in JavaScript (WebAssembly) |
//! | [`tools`] | tools that measure, and games to learn from: nothing above imports them (feature `program`) |
//! | [`cli`] | the command line, which prints (feature `program`) |
//!
//! ```
//! use aleator::geometry::Board8x8;
//! use aleator::notation;
//! use aleator::position::Position;
//! use aleator::rules::KingRight;
//!
//! let fen = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1";
//! let mut position = Position::<Board8x8>::from_fen(fen, KingRight::Castling)?;
//! let mv = notation::parse_san(&position, "e4")?;
//! position.make(mv);
//! assert_eq!(position.count_legal_moves(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod attacks;
pub mod bench;
pub mod book;
#[cfg(feature = "program")]
pub mod cli;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod geometry;
pub mod host;
pub mod notation;
pub mod pgn;
pub mod play;
pub mod position;
pub mod processor;
pub mod protocol;
pub mod random;
pub mod rules;
pub mod search;
pub mod session;
pub mod setup;
pub mod start;
mod sync;
pub mod system;
pub mod tablebase;
pub mod text;
#[cfg(feature = "program")]
pub mod tools;
pub mod types;
#[cfg(target_family = "wasm")]
mod wasm;
#[cfg(feature = "web")]
pub mod web;
