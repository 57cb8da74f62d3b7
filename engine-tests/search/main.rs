//! Tests of the search: determinism, mates, endings, and games of the engine against itself.
//!
//! | file | contents |
//! | --- | --- |
//! | `determinism` | the same inputs give the same nodes |
//! | `mates` | forced mates of known length |
//! | `tablebase` | probing tablebases, and winning every tablebase win |
//! | `endings` | the engine wins won endings: bare kings, endings with few pieces |
//! | `selfplay` | short games in every variant |
//! | `setup_games` | setup games, from the first placement to the end |

#[path = "../common/mod.rs"]
mod common;
mod determinism;
mod endings;
#[path = "../harness/mod.rs"]
mod harness;
mod mates;
mod selfplay;
mod setup_games;
mod tablebase;
