//! The UCI and XBoard protocols, as frontends of a [`session`](crate::session).
//!
//! Each line of UCI input becomes a [`UciCommand`]. Most commands go unchanged to the session, which
//! decides when to execute them. The parsers do not check moves and FENs, which remain text until the
//! engine parses them. The grammar is that of the UCI specification (R. Huber, S. Meyer-Kahlen,
//! April 2006) with the usual extensions. If the first word of the input is `xboard`, the program uses
//! the XBoard protocol instead of UCI.
//!
//! | file | contents |
//! | --- | --- |
//! | `words` | parsing of words and whole numbers |
//! | `output` | the output stream |
//! | `greeting` | the choice between UCI and XBoard |
//! | `command`, `go` | UCI: the table of commands, and the parameters of `go` |
//! | `bench` | UCI: the extra command `bench` |
//! | `options` | UCI: declarations of options |
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

/// The engine's name and version for display in GUIs.
pub const NAME: &str = concat!("Aleator ", env!("CARGO_PKG_VERSION"));

/// Why a conversation with a GUI failed.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The session could not be started.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// The input was executed to its end, but a position in the input was rejected.
    #[error("a position was rejected; see the message in the output")]
    Position,
}
