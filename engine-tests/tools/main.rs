//! The command line, with the real binary.
//!
//! | file | about |
//! | --- | --- |
//! | `cli` | `go`, `perft`, `start`, `bench`, as people, scripts and OpenBench use them |
//! | `arbiter` | `setup`, and the records of `start` |
//! | `openings` | `book openings`, and the suites in `book/openings` |
//! | `book` | `book make` and `book verify`, and all files in `book` |
//! | `arena` | `match` |
//! | `play` | `play`, from scripts |
//! | `annotate` | `annotate` |
//! | `epd` | `epd` |
//! | `pgn` | games as files, from and for python-chess |
//! | `shards` | `--shard`, `--resume`, `join`; tables of starts |
//! | `datagen` | `datagen` and `data` |
//! | `genfens` | `genfens` |
//! | `train` | `train`, and `datagen` by a network |
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
