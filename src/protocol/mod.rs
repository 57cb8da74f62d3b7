//! The protocols: what other programs say to the engine and how it answers.
//!
//! A line of input ([`LineReader`](crate::text::LineReader)) becomes a [`Command`]; the value of a `setoption` becomes an
//! [`OptionChange`]. Nothing here knows a position: moves and FENs stay text until the engine,
//! which has one, reads them. The grammar is that of the UCI protocol (R. Huber, S. Meyer-Kahlen,
//! April 2006) with the customary extras.

mod command;
mod go;
mod options;
mod output;
mod uci;
mod words;

pub use command::{COMMANDS, Command, CommandError, CommandHelp, PositionStart};
pub use go::{GoError, GoParam, GoParams, MAX_MILLIS};
pub use options::{OptionChange, OptionError, OptionKind, OptionSetup, OptionTable, UciOption};
pub use output::Output;
pub use uci::{NAME, Uci};
pub use words::{Excerpt, Found};
