//! Aleator: a chess engine for every shuffled start.
//!
//! The path of a search request through the modules:
//!
//! ```text
//! stdin line ─ protocol (typed command) ─ session (options, queue, task) ─ engine (position)
//!   ─ search::pool ─ deepening ─ node ─ picker / position.make / eval ─ Listener ─ session's events
//!   ─ protocol prints `info`, `bestmove`
//! ```
//!
//! The modules. Each imports only modules above it.
//!
//! | module | contents |
//! | --- | --- |
//! | [`host`], [`random`], [`text`], [`files`], [`system`], [`processor`], `sync` | the clock; random numbers; untrusted text; safe writing of files; memory and build information; CPU features; atomics and channels |
//! | [`geometry`] | the boards: size, special ranks and files, attack tables |
//! | [`types`], [`attacks`] | squares, pieces, moves, scores; the squares that pieces attack |
//! | [`rules`] | the variants and their rules, as data |
//! | [`position`] | FEN, legal moves, make, static exchange evaluation, draws, perft |
//! | [`notation`] | moves as text |
//! | [`tablebase`] | Syzygy tablebases |
//! | [`start`], [`setup`] | starting positions; placement phases and their solver |
//! | [`eval`] | the static evaluation |
//! | [`search`] | the search |
//! | [`game`] | a game in progress on any board, with its placement phase: turns, undo, dice, clocks, how it ends |
//! | [`book`] | opening books |
//! | [`engine`] | a game with search threads and transposition table, behind one object-safe trait |
//! | [`mod@bench`] | a fixed search that yields a signature and a speed |
//! | [`analysis`] | mistakes and puzzles in games |
//! | [`pgn`] | PGN of every variant, read and written |
//! | [`session`] | what the protocols drive: options, a queue of commands, the running task |
//! | [`play`] | a game with players: clocks, offers, the engine's replies, saving; the logic of the page |
//! | `web` | the web server (feature `web`) |
//! | [`protocol`] | UCI and the XBoard protocol |
//! | `wasm` | engine and page for JavaScript hosts (WebAssembly) |
//! | [`tools`] | tools that measure the engine, generate training data and train (feature `program`) |
//! | [`cli`] | the command line (feature `program`) |
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

pub mod analysis;
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
