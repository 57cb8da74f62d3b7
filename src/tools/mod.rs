//! Tools that measure the engine, and that make what it learns from.
//!
//! | file | holds |
//! | --- | --- |
//! | `opening` | where games begin |
//! | `book` | makes opening books, and finds what is wrong with files of positions |
//! | `stats` | Elo, its error, and the sequential test |
//! | `adjudication` | decisions by score, where nobody needs to play on |
//! | `arena` | matches between engines |
//! | `data` | files of games to learn from |
//! | `datagen` | makes such games |
//! | `train` | trains the neural evaluation on them |
//! | `tune` | tunes the search by games |
//! | `epd` | test suites: which moves, mates and evaluations the engine finds |
//! | `annotate` | says what a game's positions are worth, and what would have been better |
//! | `puzzles` | finds positions in games in which one move wins |
//! | `fairness` | says what starts are worth |
//! | `position_searcher` | single positions searched for `annotate`, `puzzles` and `fairness` |
//! | `shard` | work in parts, on as many machines as one likes |
//! | `resumable` | the results of such work, unit by unit, so that it can be gone on with |
//! | `log` | a file that grows |

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
