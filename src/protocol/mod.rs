//! The protocols: what other programs say to a session, and how its answers are worded.
//!
//! A line of input becomes a [`UciCommand`], most of them as they are for the
//! [`session`](crate::session), which says when they are carried out. Nothing here knows a
//! position or a search: moves and FENs stay text until the engine, which has a position, reads
//! them. The grammar is that of the UCI protocol (R. Huber, S. Meyer-Kahlen, April 2006) with the
//! customary extras.
//!
//! | file | holds |
//! | --- | --- |
//! | `words` | words of a line, whole numbers |
//! | `command`, `go`, `genfens` | the table of commands, and what two of them take |
//! | `options` | how options are declared |
//! | `output` | where lines go |
//! | `uci` | the door itself |

mod command;
mod genfens;
mod go;
mod options;
mod output;
mod uci;
mod words;

pub use command::{COMMANDS, CommandError, CommandForm, UciCommand};
pub use go::{Go, GoError, MAX_MILLIS};
pub use options::declaration;
pub use output::Output;
pub use uci::{NAME, UciError, run_uci};
pub use words::Unexpected;
