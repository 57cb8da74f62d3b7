//! Aleator, a chess engine for Chess960 and other variants with shuffled starting positions.
//!
//! This example searches a starting position of Chess960:
//!
//! ```
//! use std::time::Instant;
//! use aleator::{Control, Engine, Game, GameEngine, Limits, SearchRequest, Variant};
//!
//! let fen = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1";
//! let mut engine = GameEngine::new(Variant::Chess960, 16, 1)?; // 16 MiB of hash, one thread
//! engine.set_game(Game::new(Variant::Chess960, fen)?)?;
//! let request = SearchRequest::new(Limits::nodes(20_000));
//! let result = engine.search(&request, Instant::now(), &Control::default(), &());
//! let best = &result.lines[0];
//! println!("{} for White: {}", best.score, best.san.join(" "));
//! # assert_eq!(result.best, best.pv.first().cloned());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This example uses positions, moves and rules without a search:
//!
//! ```
//! use aleator::{Board8x8, Position, notation, rules::KingRight};
//!
//! let fen = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1";
//! let mut position = Position::<Board8x8>::from_fen(fen, KingRight::Castling)?;
//! let mv = notation::parse_san(&position, "e4")?;
//! position.make(mv);
//! assert_eq!(position.count_legal_moves(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | for | see |
//! | --- | --- |
//! | searches | [`GameEngine`], [`SearchRequest`], [`SearchResult`] |
//! | games of every variant | [`Game`], [`Variant`] |
//! | positions and moves | [`Position`], [`notation`], [`types`] |
//! | starting positions, drawn or numbered | [`start`] |
//! | placement phases and their solver | [`setup`] |
//!
//! The other modules belong to the program. Their items are not documented here and may change at any time.
//!
//! # For developers
//!
//! A search request passes through the modules in this order:
//!
//! ```text
//! stdin line ─ protocol (typed command) ─ session (options, queue, task) ─ engine (position)
//!   ─ search::pool ─ deepening ─ node ─ picker / position.make / eval ─ Listener ─ session's events
//!   ─ protocol prints `info`, `bestmove`
//! ```
//!
//! The table lists all modules. A module imports only modules that are above it in the table.
//!
//! | module | contents |
//! | --- | --- |
//! | `host`, `random`, `text`, `files`, `system`, `processor`, `sync` | the system's clock; random numbers; untrusted text; safe writing of files; memory and build information; CPU features; atomics and channels |
//! | [`geometry`] | the boards: size, special ranks and files, attack tables |
//! | [`types`], `attacks` | squares, pieces, moves, scores; the squares that pieces attack |
//! | [`rules`] | the variants and their rules, as data |
//! | [`position`] | FEN, legal moves, make, static exchange evaluation, draws, perft |
//! | [`notation`] | moves as text |
//! | `tablebase` | Syzygy tablebases |
//! | [`start`], [`setup`] | starting positions; placement phases and their solver |
//! | `eval` | the static evaluation |
//! | `search` | the search |
//! | [`game`] | a game in progress on any board, with its placement phase: turns, undo, dice, clocks, results |
//! | `book` | opening books |
//! | [`engine`] | a game with search threads and transposition table, behind one object-safe trait |
//! | `bench` | a fixed search that yields a signature and a speed |
//! | `analysis` | mistakes and puzzles in games |
//! | `pgn` | PGN of every variant, read and written |
//! | `session` | an engine session, used by all protocols: options, a queue of commands, the running task |
//! | `play` | a game with players: clocks, draw offers, the engine's replies, saving; the logic of the page |
//! | `web` | the web server (feature `web`) |
//! | `protocol` | UCI and the XBoard protocol |
//! | `wasm` | engine and page for JavaScript hosts (WebAssembly) |
//! | `tools` | tools that measure the engine, generate training data and train (feature `program`) |
//! | `cli` | the command line (feature `program`) |
//!

#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod attacks;
#[doc(hidden)]
pub mod bench;
#[doc(hidden)]
pub mod book;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod cli;
pub mod engine;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod files;
pub mod game;
pub mod geometry;
#[doc(hidden)]
pub mod host;
pub mod notation;
#[doc(hidden)]
pub mod pgn;
#[doc(hidden)]
pub mod play;
pub mod position;
#[doc(hidden)]
pub mod processor;
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod random;
pub mod rules;
#[doc(hidden)]
pub mod search;
#[doc(hidden)]
pub mod session;
pub mod setup;
pub mod start;
mod sync;
#[doc(hidden)]
pub mod system;
#[doc(hidden)]
pub mod tablebase;
#[doc(hidden)]
pub mod text;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod tools;
pub mod types;
#[cfg(target_family = "wasm")]
mod wasm;
#[cfg(feature = "web")]
#[doc(hidden)]
pub mod web;

pub use engine::{
    Control, Engine, EngineError, GameEngine, SearchInfo, SearchListener, SearchRequest,
    SearchResult,
};
pub use game::{Game, GameError, Outcome, Termination};
pub use geometry::{Board8x8, Board10x10};
pub use position::Position;
pub use rules::Variant;
#[doc(inline)]
pub use search::Limits;
pub use types::{Color, Move, Score};
