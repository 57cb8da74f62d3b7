//! The rules of every game, as a library: positions, moves, starts and set-ups.
//!
//! | file | about |
//! | --- | --- |
//! | `perft` | trees counted by independent programs |
//! | `shakmaty` | the 8x8 board against another library, move by move |
//! | `edge_cases` | rules that programs get wrong, and draws that a position shows |
//! | `position` | what a position keeps up to date |
//! | `fen` | reading and writing FENs |
//! | `starts` | the start suites in `book/` |
//! | `setup` | placement games before move one |

#[path = "../common/mod.rs"]
mod common;
mod edge_cases;
mod fen;
mod perft;
mod position;
mod setup;
mod shakmaty;
mod starts;
