//! Tools that measure the engine, and that generate and learn from training data.
//!
//! | file | contents |
//! | --- | --- |
//! | `opening` | openings of games |
//! | `book` | makes opening books, and checks files of positions |
//! | `stats` | Elo, its error, and the SPRT |
//! | `adjudication` | ends games early by the engines' scores |
//! | `arena` | matches between engines |
//! | `data` | training data: files of games |
//! | `datagen` | generates such games |
//! | `train` | trains networks on them |
//! | `tune` | tunes the search by games |
//! | `epd` | test suites: which moves, mates and evaluations the engine finds |
//! | `annotate` | annotates games with evaluations and better moves |
//! | `puzzles` | finds positions in games in which one move wins |
//! | `fairness` | evaluates starts |
//! | `position_searcher` | searches single positions for the tools |
//! | `shard` | splits work into parts, for any number of machines |
//! | `resumable` | the results of such work, unit by unit, so that it can be resumed |
//! | `log` | an append-only file of entries |

pub mod adjudication;
pub mod annotate;
pub mod arena;
pub mod book;
pub mod data;
pub mod datagen;
pub mod epd;
pub mod fairness;
mod log;
pub mod opening;
mod position_searcher;
pub mod puzzles;
pub mod resumable;
pub mod shard;
pub mod stats;
pub mod train;
pub mod tune;
