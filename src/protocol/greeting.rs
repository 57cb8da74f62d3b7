//! The choice between UCI and XBoard by the first word of the input.

use std::io::{BufRead, Cursor, Read};

use super::xboard::GREETING;
use super::{CommandForm, Output, ProtocolError, run_uci, run_xboard};

/// Executes commands from the input until `quit` or the end of the input. If the first word is `xboard`,
/// the protocol is XBoard. Otherwise the protocol is UCI with the `extra` commands.
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

/// Reads the input without leading white space, up to and including the first byte that differs from the
/// word `xboard` or follows this word.
fn first_letters(input: impl BufRead) -> Vec<u8> {
    let mut read = Vec::new();
    // A read error ends this loop. The reader of the protocol will get the same error and report it.
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
    fn only_the_bytes_that_distinguish_the_protocols_are_read() {
        let read = |text: &str| String::from_utf8(first_letters(text.as_bytes())).unwrap();
        assert_eq!(read("\r\n xboard\nnew\n"), "xboard\n");
        assert_eq!(read("xboard"), "xboard");
        assert_eq!(read("xboarding"), "xboardi");
        assert_eq!(read("xyz\n"), "xy");
        assert_eq!(read("uci\n"), "u");
        assert_eq!(read(" \n"), "");
    }
}
