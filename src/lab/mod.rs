//! Tools that measure the engine, and that make what it learns from.
//!
//! | file | holds |
//! | --- | --- |
//! | `bench` | a fixed amount of search: a signature and a speed |
//! | `opening` | where games begin |
//! | `stats` | Elo, its error, and the sequential test |
//! | `adjudication` | decisions by score, where nobody needs to play on |
//! | `arena` | matches between engines |
//! | `data` | files of games to learn from |
//! | `datagen` | makes such games |
//! | `fit` | fits the classical evaluation to them |
//! | `train` | trains the neural evaluation on them |
//! | `tune` | tunes the search by games |
//! | `annotate` | says what a game's positions are worth, and what would have been better |

pub mod adjudication;
pub mod annotate;
pub mod arena;
pub mod bench;
pub mod data;
pub mod datagen;
pub mod fit;
pub mod opening;
pub mod stats;
pub mod train;
pub mod tune;
