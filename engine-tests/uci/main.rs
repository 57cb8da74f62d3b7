//! The protocols, UCI and XBoard's, against the real binary.
//!
//! | file | about |
//! | --- | --- |
//! | `session` | handshake, line ends, the end of the input, `debug` |
//! | `options` | `setoption`, good and bad, and what each option does |
//! | `book` | `OwnBook`, and files that are no books |
//! | `variants` | `UCI_Variant`, castling text in and out |
//! | `position` | `position` in all forms, bad FENs and bad moves |
//! | `limits` | `go` in all combinations, limits kept exactly |
//! | `waiting` | infinite and ponder searches, commands during a search |
//! | `queue` | what waits and what acts at once, the end, an output that fails |
//! | `analysis` | `info` lines, variations, MultiPV, best moves |
//! | `garbage` | everything that is no command |
//! | `memory` | what is asked of a machine that lacks memory or threads |
//! | `setup` | positions with pieces in hand, and the search of placements |
//! | `tools` | `go perft`, `d`, `eval`, `flip`, `bench`, `compiler`, `help` |
//! | `xboard` | XBoard's protocol, all of it |

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
