//! What the search finds, and whole games of the engine against itself.
//!
//! | file | about |
//! | --- | --- |
//! | `determinism` | the same inputs give the same nodes |
//! | `mates` | forced mates of known length |
//! | `tablebase` | tablebases: what they say, and that no win is lost with them |
//! | `endings` | what is won is won: bare kings, endings of few men |
//! | `selfplay` | short games in every variant |
//! | `setup_games` | games with the set-up before move one |

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
