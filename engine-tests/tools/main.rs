//! Tests of the command line with the real binary.
//!
//! | file | contents |
//! | --- | --- |
//! | `cli` | `go`, `perft`, `start`, `bench`, as used by people, scripts and OpenBench |
//! | `arbiter` | `setup`, and records of placement phases in `start` |
//! | `openings` | `book openings`, and the suites in `book/openings` |
//! | `book` | `book make` and `book verify`, and all files in `book` |
//! | `arena` | `match` |
//! | `play` | `play`, with scripts as input |
//! | `annotate` | `annotate` and `puzzles` |
//! | `epd` | `epd` |
//! | `pgn` | exchange of PGN with python-chess |
//! | `shards` | `--shard`, `--resume`, `join`; tables of starts |
//! | `datagen` | `datagen` and `data` |
//! | `genfens` | `genfens` |
//! | `train` | `train`, and `datagen` with a trained network |
//! | `tuning` | `tune` |
//! | `web_api` | `serve` |

mod annotate;
mod arbiter;
mod arena;
mod book;
mod cli;
mod datagen;
mod epd;
mod genfens;
#[path = "../harness/mod.rs"]
mod harness;
mod openings;
mod pgn;
mod play;
mod shards;
mod train;
mod tuning;
#[cfg(feature = "web")]
#[path = "../web-api/mod.rs"]
mod web_api;
