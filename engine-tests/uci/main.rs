//! Tests of the UCI and XBoard protocols against the real binary.
//!
//! | file | what it tests |
//! | --- | --- |
//! | `session` | handshake, line endings, end of input, `debug` |
//! | `options` | `setoption` with valid and invalid values, and the effect of each option |
//! | `book` | `OwnBook`, and files that are not books |
//! | `variants` | `UCI_Variant`, castling notation in and out |
//! | `position` | `position` in all forms, invalid FENs and moves |
//! | `limits` | `go` with all combinations of limits |
//! | `waiting` | infinite and ponder searches, commands during a search |
//! | `queue` | which commands wait and which act immediately, end of input, write errors |
//! | `analysis` | `info` lines, principal variations, MultiPV, best moves |
//! | `garbage` | input that is not a command |
//! | `memory` | requests for more memory or threads than the machine has |
//! | `setup` | positions with pieces in hand, and the search for placements |
//! | `tools` | `go perft`, `d`, `eval`, `flip`, `bench`, `compiler`, `help` |
//! | `xboard` | the XBoard protocol |

mod analysis;
mod book;
mod garbage;
#[path = "../harness/mod.rs"]
mod harness;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod position;
mod queue;
mod session;
mod setup;
mod tools;
mod variants;
mod waiting;
mod xboard;
