//! Tests of the rules of every variant: positions, moves, starting positions and placement phases.
//!
//! | file | tests |
//! | --- | --- |
//! | `perft` | perft counts of independent programs |
//! | `shakmaty` | comparison of the 8x8 board with another library, move by move |
//! | `edge_cases` | rules that programs often get wrong, keys, and draws |
//! | `position` | the incrementally updated state of a position |
//! | `fen` | reading and writing FENs |
//! | `starts` | the suites of starting positions in `book/` |
//! | `setup` | placement phases |

#[path = "../common/mod.rs"]
mod common;
mod edge_cases;
mod fen;
mod perft;
mod position;
mod setup;
mod shakmaty;
mod starts;
