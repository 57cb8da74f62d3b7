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
//! | `command`, `go` | UCI: the table of commands, and the parameters of `go` |
//! | `bench` | UCI: the extra command `bench` |
//! | `uci` | UCI: the frontend |
//! | `xboard` | the XBoard protocol |

mod bench;
mod command;
mod go;
mod output;
mod uci;
mod words;
mod xboard;

pub use bench::{BENCH, read_bench};
pub use command::{COMMANDS, CommandError, CommandForm, UciCommand, read_number};
pub use go::{GoCommand, GoError, MAX_MILLIS};
pub use output::Output;
pub use uci::{UciInPlace, declaration, run_uci};
pub use words::{Unexpected, Words};
pub use xboard::run_xboard;

use std::io::{self, BufRead, Cursor, Read};

use crate::session::SessionError;
use xboard::GREETING;

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
    /// All commands were executed, but a `position` command was rejected.
    #[error("a 'position' command was rejected; the error message in the output says why")]
    Position,
}

/// Executes commands from the input until `quit` or the end of the input. If the first word is `xboard`, the
/// protocol is XBoard. Otherwise the protocol is UCI with the `extra` commands.
pub fn converse(
    mut input: impl BufRead + Send + 'static,
    output: Output,
    extra: &'static [CommandForm],
) -> Result<(), ProtocolError> {
    let begun = first_letters(&mut input);
    let is_xboard = begun.trim_ascii_end() == GREETING.as_bytes();
    let input = Cursor::new(begun).chain(input);
    if is_xboard { run_xboard(input, output) } else { run_uci(input, output, extra) }
}

/// Reads the greeting `xboard` and the byte after it, but stops after the first byte that differs from the
/// greeting. Returns the bytes read, without leading white space.
fn first_letters(input: impl BufRead) -> Vec<u8> {
    let mut read = Vec::new();
    // A read error ends this loop. The reader of the protocol will get and report the same error.
    for byte in input.bytes().map_while(Result::ok) {
        if read.is_empty() && byte.is_ascii_whitespace() {
            continue;
        }
        read.push(byte);
        if !GREETING.as_bytes().starts_with(&read) {
            break;
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_bytes_that_distinguish_the_protocols_are_taken() {
        let read = |text: &str| String::from_utf8(first_letters(text.as_bytes())).unwrap();
        assert_eq!(read("\r\n xboard\nnew\n"), "xboard\n");
        assert_eq!(read("xboard"), "xboard");
        assert_eq!(read("xboarding"), "xboardi");
        assert_eq!(read("xyz\n"), "xy");
        assert_eq!(read("uci\n"), "u");
        assert_eq!(read(" \n"), "");
    }
}
