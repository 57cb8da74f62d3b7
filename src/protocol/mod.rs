//! The UCI and XBoard protocols, as frontends of a [`session`](crate::session).
//!
//! Each line of UCI input becomes a [`UciCommand`]. Most commands go to the session unchanged, which
//! decides when to execute them. The parsers know neither positions nor searches: moves and FENs stay
//! text until the engine reads them. The grammar is that of the UCI specification (R. Huber,
//! S. Meyer-Kahlen, April 2006) with the customary extensions. If the first word of the input is
//! `xboard`, the XBoard protocol is used instead.
//!
//! | file | contents |
//! | --- | --- |
//! | `words` | parsing of words and whole numbers |
//! | `output` | the output stream |
//! | `greeting` | chooses the protocol |
//! | `command`, `go` | UCI: the table of commands, and the parameters of `go` |
//! | `bench` | UCI: the extra command `bench` |
//! | `options` | UCI: option declarations |
//! | `uci` | UCI: the frontend |
//! | `xboard` | the XBoard protocol |

mod bench;
mod command;
mod go;
mod greeting;
mod options;
mod output;
mod uci;
mod words;
mod xboard;

pub use bench::{BENCH, read_bench};
pub use command::{COMMANDS, CommandError, CommandForm, UciCommand, read_number};
pub use go::{GoCommand, GoError, MAX_MILLIS};
pub use greeting::converse;
pub use options::declaration;
pub use output::Output;
pub use uci::{UciInPlace, run_uci};
pub use words::{Unexpected, Words};
pub use xboard::run_xboard;

use std::io;

use crate::session::SessionError;

/// The engine's name and version, as GUIs show it.
pub const NAME: &str = concat!("Aleator ", env!("CARGO_PKG_VERSION"));

/// Why a conversation failed.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The session could not be started.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// The conversation ran to its end, but a position was rejected on the way.
    #[error("a position was rejected; the output says why")]
    Position,
}
