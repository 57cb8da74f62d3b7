//! The protocols: what other programs say to a session, and how its answers are worded.
//!
//! In UCI a line of input becomes a [`UciCommand`], most of them as they are for the
//! [`session`](crate::session), which says when they are carried out. Nothing there knows a
//! position or a search: moves and FENs stay text until the engine, which has a position, reads
//! them. The grammar is that of the UCI protocol (R. Huber, S. Meyer-Kahlen, April 2006) with the
//! customary extras. A conversation that begins with the word `xboard` is one in XBoard's
//! protocol, which has a folder of its own.
//!
//! | file | holds |
//! | --- | --- |
//! | `words` | words of a line, whole numbers |
//! | `output` | where lines go |
//! | `greeting` | which protocol is spoken |
//! | `command`, `go` | UCI: the table of commands, and what the longest of them takes |
//! | `options` | UCI: how options are declared |
//! | `uci` | UCI: the frontend itself |
//! | `xboard` | XBoard's protocol |

mod command;
mod go;
mod greeting;
mod options;
mod output;
mod uci;
mod words;
mod xboard;

pub use command::{COMMANDS, CommandError, CommandForm, UciCommand};
pub use go::{Go, GoError, MAX_MILLIS};
pub use greeting::converse;
pub use options::declaration;
pub use output::Output;
pub use uci::{UciInPlace, run_uci};
pub use words::{Integer, Unexpected, Words};
pub use xboard::run_xboard;

use std::io;

use crate::session::SessionError;

/// The engine's name and version, as GUIs show it.
pub const NAME: &str = concat!("Aleator ", env!("CARGO_PKG_VERSION"));

/// Why a conversation ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// It could not begin.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Nobody hears what is said.
    #[error("cannot write the answers: {0}")]
    Output(#[from] io::Error),
    /// All was carried out, but for a position that was rejected and what depends on it.
    #[error("a position was rejected; the answers say why")]
    Position,
}
