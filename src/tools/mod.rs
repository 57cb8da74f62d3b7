//! Tools that measure the engine, generate training data, and train networks.
//!
//! | file | contents |
//! | --- | --- |
//! | `opening` | generates and reads openings of games |
//! | `book` | makes opening books, and checks files of positions |
//! | `stats` | computes Elo, its error, and the SPRT |
//! | `adjudication` | ends games early by the engines' scores |
//! | `arena` | plays matches between engines |
//! | `data` | reads and writes training data: files of games |
//! | `datagen` | generates training games |
//! | `train` | trains networks on training data |
//! | `tune` | tunes the search parameters by playing games |
//! | `epd` | runs test suites: which moves, mates and evaluations the engine finds |
//! | `annotate` | annotates games with evaluations and better moves |
//! | `puzzles` | finds positions in games in which one move wins |
//! | `fairness` | evaluates the starting positions of a variant |
//! | `position_searcher` | searches single positions for other tools |
//! | `shard` | splits work into shards, for any number of machines |
//! | `resumable` | stores the results of work unit by unit, so that the work can be resumed |
//! | `log` | a file to which whole entries are appended |

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
