//! Which protocol is spoken: what the first word says.

use std::io::{BufRead, Cursor, Read};

use super::xboard::GREETING;
use super::{CommandForm, Output, ProtocolError, run_uci, run_xboard};

/// Carries out the commands of the input until `quit` or its end: XBoard's, if its first word is
/// `xboard`, else UCI's and `extra` ones.
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

/// The input up to the first letter that is none of the greeting, or the one behind it. Blanks
/// before that are dropped.
fn first_letters(input: impl BufRead) -> Vec<u8> {
    let mut read = Vec::new();
    // What cannot be read here cannot be read by those who go on, either, and they say so.
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
    fn no_more_is_taken_than_tells_the_protocols_apart() {
        let read = |text: &str| String::from_utf8(first_letters(text.as_bytes())).unwrap();
        assert_eq!(read("\r\n xboard\nnew\n"), "xboard\n");
        assert_eq!(read("xboard"), "xboard");
        assert_eq!(read("xboarding"), "xboardi");
        assert_eq!(read("xyz\n"), "xy");
        assert_eq!(read("uci\n"), "u");
        assert_eq!(read(" \n"), "");
    }
}
