//! Reads lines of bounded length from any input.

use std::io::{self, BufRead};

/// The maximum length of a line in bytes. Even the longest game in PGN is far shorter.
pub const MAX_LINE: usize = 16 << 20;

/// Why a line could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line exceeds the limit. The rest of the line is skipped, and the next line is read as usual.
    #[error("ignored a line of more than {limit} bytes; send each command on its own line")]
    TooLong {
        /// The maximum length of a line in bytes.
        limit: usize,
    },
    /// Reading from the stream failed. The reader returns no more lines.
    #[error("cannot read the input: {0}")]
    Io(#[from] io::Error),
}

/// An iterator over the lines of an input. The input may contain any bytes.
///
/// A line ends with LF, CRLF or the end of the input. Invalid UTF-8 becomes U+FFFD, and a NUL is an ordinary
/// character. A byte order mark at the start of the input is dropped, because some shells write a byte order
/// mark into a pipe. The length limit bounds the memory use. The iterator ends at the end of the input or
/// after a read error.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    latin1: bool,
    /// Whether a carriage return alone also ends a line.
    cr: bool,
    /// Whether the last byte read was a carriage return that ended a line.
    after_cr: bool,
    next: Next,
}

/// The state of the reader: what the next byte of the input belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// The next byte is the first byte of the input.
    Start,
    /// The next byte begins a line.
    Line,
    /// The next byte belongs to a line that was too long.
    Skip,
    /// No more bytes are read.
    End,
}

/// Why `take_line` stopped.
#[derive(PartialEq, Eq)]
enum Taken {
    LineFeed,
    EndOfInput,
    Limit,
}

impl<R: BufRead> LineReader<R> {
    /// Creates a reader of lines of at most [`MAX_LINE`] bytes.
    pub fn new(input: R) -> LineReader<R> {
        Self::with_limit(input, MAX_LINE)
    }

    /// Creates a reader of lines of at most `limit` bytes, not counting the line feed.
    pub fn with_limit(input: R, limit: usize) -> LineReader<R> {
        LineReader { input, limit, latin1: false, cr: false, after_cr: false, next: Next::Start }
    }

    /// Makes the reader decode lines that are not valid UTF-8 as ISO 8859-1, the encoding of the oldest PGN
    /// files.
    pub fn or_latin1(self) -> LineReader<R> {
        LineReader { latin1: true, ..self }
    }

    /// Makes a carriage return alone end a line too, as in files from old Macintoshes.
    pub fn or_cr(self) -> LineReader<R> {
        LineReader { cr: true, ..self }
    }

    /// Passes the next line in pieces to `keep`, which returns whether it accepts the piece. A rejected piece
    /// stays in the stream.
    fn take_line(&mut self, mut keep: impl FnMut(&[u8]) -> bool) -> io::Result<Taken> {
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(Taken::EndOfInput);
            }
            if std::mem::take(&mut self.after_cr) && buffer[0] == b'\n' {
                self.input.consume(1);
                continue;
            }
            let cr = self.cr;
            let line_feed = buffer.iter().position(|&byte| byte == b'\n' || cr && byte == b'\r');
            let length = line_feed.unwrap_or(buffer.len());
            if !keep(&buffer[..length]) {
                return Ok(Taken::Limit);
            }
            self.after_cr = buffer.get(length) == Some(&b'\r');
            self.input.consume(length + usize::from(line_feed.is_some()));
            if line_feed.is_some() {
                return Ok(Taken::LineFeed);
            }
        }
    }

    fn read_line(&mut self) -> Result<Option<String>, LineError> {
        if self.next == Next::Skip && self.take_line(|_| true)? == Taken::EndOfInput {
            return Ok(None);
        }
        let at_start = self.next == Next::Start;
        self.next = Next::Line;
        let limit = self.limit;
        let mut line = Vec::new();
        let taken = self.take_line(|piece| {
            let fits = piece.len() <= limit - line.len();
            if fits {
                line.extend_from_slice(piece);
            }
            fits
        })?;
        match taken {
            Taken::Limit => {
                self.next = Next::Skip;
                Err(LineError::TooLong { limit })
            }
            Taken::EndOfInput if line.is_empty() => Ok(None),
            _ => Ok(Some(line_text(line, at_start, self.latin1))),
        }
    }
}

/// Decodes the text of a file and ends each line with a line feed. Lines that are not valid UTF-8 are decoded
/// as ISO 8859-1.
pub fn decode(bytes: &[u8]) -> Result<String, LineError> {
    let lines: Result<Vec<String>, _> = LineReader::new(bytes).or_latin1().collect();
    Ok(lines?.join("\n"))
}

/// Decodes the bytes of a line without the line feed at its end.
fn line_text(mut line: Vec<u8>, at_start: bool, latin1: bool) -> String {
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    let text = String::from_utf8(line).unwrap_or_else(|error| match latin1 {
        true => error.as_bytes().iter().copied().map(char::from).collect(),
        false => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    });
    match text.strip_prefix('\u{feff}') {
        Some(rest) if at_start => rest.to_owned(),
        _ => text,
    }
}

impl<R: BufRead> Iterator for LineReader<R> {
    type Item = Result<String, LineError>;

    fn next(&mut self) -> Option<Result<String, LineError>> {
        if self.next == Next::End {
            return None;
        }
        let line = self.read_line();
        if matches!(line, Ok(None) | Err(LineError::Io(_))) {
            self.next = Next::End;
        }
        line.transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use proptest::prelude::*;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        LineReader::new(bytes).map(|line| line.unwrap()).collect()
    }

    #[test]
    fn lines_end_with_lf_or_crlf_or_the_input() {
        assert_eq!(lines(b"uci\nisready\r\n\r\nquit"), ["uci", "isready", "", "quit"]);
        assert_eq!(lines(b"uci\n"), ["uci"]);
        assert_eq!(lines(b"\n\n"), ["", ""]);
        assert_eq!(lines(b""), [""; 0]);
        // A carriage return in the middle of a line does not end the line. Parsers treat a carriage return as
        // white space.
        assert_eq!(lines(b"a\rb\r\r\n"), ["a\rb\r"]);
    }

    #[test]
    fn invalid_utf8_lone_carriage_returns_and_byte_order_marks_are_handled() {
        assert_eq!(lines(b"g\xffo\nis\0ready\n\xc3"), ["g\u{fffd}o", "is\0ready", "\u{fffd}"]);
        let cr = |text: &'static str, capacity| -> Vec<String> {
            let input = BufReader::with_capacity(capacity, text.as_bytes());
            LineReader::new(input).or_cr().map(Result::unwrap).collect()
        };
        for capacity in [1, 2, 100] {
            assert_eq!(cr("a\r\rb\r\nc\n\nd\r", capacity), ["a", "", "b", "c", "", "d"]);
            assert_eq!(cr("\r\n\n\r", capacity), ["", "", ""]);
        }
        assert_eq!(lines("\u{feff}uci\n\u{feff}uci".as_bytes()), ["uci", "\u{feff}uci"]);
    }

    #[test]
    fn latin1_is_decoded_line_by_line() {
        let read: Vec<String> = LineReader::new(&b"M\xfcller\nM\xc3\xbcller"[..])
            .or_latin1()
            .map(|line| line.unwrap())
            .collect();
        assert_eq!(read, ["Müller", "Müller"]);
    }

    #[test]
    fn a_too_long_line_is_reported_once_and_the_next_is_read() {
        let text = b"12345\n123456\r\n1234567890123\nuci\n123456";
        for capacity in [1, 3, 100] {
            let input = BufReader::with_capacity(capacity, &text[..]);
            let read: Vec<_> = LineReader::with_limit(input, 5)
                .map(|line| line.map_err(|e| e.to_string()))
                .collect();
            let cut = || {
                Err(String::from(
                    "ignored a line of more than 5 bytes; send each command on its own line",
                ))
            };
            let expected = [Ok("12345".to_owned()), cut(), cut(), Ok("uci".to_owned()), cut()];
            assert_eq!(read, expected, "buffer of {capacity}");
        }
    }

    #[test]
    fn an_endless_line_takes_bounded_memory() {
        // The reader must report the error as soon as the line reaches the limit, before reading the whole
        // GiB.
        let input = BufReader::new(io::repeat(b'x').take(1 << 30));
        let mut reader = LineReader::new(input);
        assert!(matches!(reader.next(), Some(Err(LineError::TooLong { limit: MAX_LINE }))));
        let unread = reader.input.get_ref().limit();
        assert!(unread >= (1 << 30) - MAX_LINE as u64 - (1 << 16), "{unread} bytes unread");
        assert!(reader.next().is_none());
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_read() {
        let mut text = vec![b'x'; MAX_LINE];
        text.extend_from_slice(b"\nuci");
        let read = lines(&text);
        assert_eq!((read[0].len(), read[1].as_str()), (MAX_LINE, "uci"));
    }

    /// An input that yields a line, an interruption, a line and an error. If read after the error, the input
    /// yields lines forever.
    struct Failing(u32);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                2 => Err(io::ErrorKind::Interrupted.into()),
                4 => Err(io::Error::other("the plug was pulled")),
                _ => {
                    buffer[..4].copy_from_slice(b"uci\n");
                    Ok(4)
                }
            }
        }
    }

    #[test]
    fn retries_after_an_interruption_and_ends_after_an_error() {
        let mut reader = LineReader::new(BufReader::new(Failing(0)));
        assert_eq!(reader.next().unwrap().unwrap(), "uci");
        assert_eq!(reader.next().unwrap().unwrap(), "uci");
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "cannot read the input: the plug was pulled");
        assert!(reader.next().is_none());
    }

    proptest! {
        /// Compares the lines of the reader with those of `split`, for any buffer size.
        #[test]
        fn reads_the_same_lines_as_split(
            bytes in prop::collection::vec(
                prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), any::<u8>()], 0..200),
            capacity in 1_usize..50,
        ) {
            let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            let mut expected: Vec<String> = text
                .split(|&byte| byte == b'\n')
                .map(|line| String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into())
                .collect();
            if bytes.is_empty() {
                expected.clear();
            }
            let input = BufReader::with_capacity(capacity, bytes.as_slice());
            let read: Vec<String> = LineReader::new(input).map(|line| line.unwrap()).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
