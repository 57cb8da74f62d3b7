use std::io::{self, BufRead};

/// The longest line that is read, in bytes. The longest game one can send is far below it.
pub const MAX_LINE: usize = 16 << 20;

/// Why a line could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line goes on beyond the limit. Its rest is skipped; the next line is read as usual.
    #[error("ignored a line of more than {limit} bytes; send commands on lines of their own")]
    TooLong {
        /// The most bytes a line may have.
        limit: usize,
    },
    /// The stream failed; nothing more comes from it.
    #[error("cannot read the input: {0}")]
    Io(#[from] io::Error),
}

/// Lines of any bytes whatsoever, as text.
///
/// A line ends with LF, CRLF or the end of the input. Bytes that are no UTF-8 become U+FFFD; a
/// NUL is a character like any other; a byte order mark at the very start, which some shells
/// write into a pipe, is dropped. Memory is bounded by the limit. The end of the input, and any
/// failure of the stream, end the iterator.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    latin1: bool,
    next: Next,
}

/// What the next byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Nothing was read yet.
    Start,
    /// The next byte begins a line.
    Line,
    /// The next byte belongs to a line that was too long.
    Skip,
    /// Nothing will be read any more.
    End,
}

/// How taking bytes up to a line feed came to its end.
#[derive(PartialEq, Eq)]
enum Taken {
    LineFeed,
    EndOfInput,
    Limit,
}

impl<R: BufRead> LineReader<R> {
    /// Reads lines of at most [`MAX_LINE`] bytes.
    pub fn new(input: R) -> LineReader<R> {
        Self::with_limit(input, MAX_LINE)
    }

    /// Reads lines of at most `limit` bytes, the line feed not counted.
    pub fn with_limit(input: R, limit: usize) -> LineReader<R> {
        LineReader { input, limit, latin1: false, next: Next::Start }
    }

    /// Takes a line that is no UTF-8 for one in ISO 8859-1, which the oldest files are written in.
    pub fn or_latin1(self) -> LineReader<R> {
        LineReader { latin1: true, ..self }
    }

    /// Hands every piece of the line to `keep`, which says whether it wants to go on. A piece that
    /// is refused stays in the stream.
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
            let line_feed = buffer.iter().position(|&byte| byte == b'\n');
            let length = line_feed.unwrap_or(buffer.len());
            if !keep(&buffer[..length]) {
                return Ok(Taken::Limit);
            }
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

/// The text of a file: UTF-8, or ISO 8859-1 where a line is none. Lines end with a line feed.
pub fn decode(bytes: &[u8]) -> Result<String, LineError> {
    let lines: Result<Vec<String>, _> = LineReader::new(bytes).or_latin1().collect();
    Ok(lines?.join("\n"))
}

/// The text of a line without its line feed.
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
        // A carriage return elsewhere is a blank to the parser, not the end of a line.
        assert_eq!(lines(b"a\rb\r\r\n"), ["a\rb\r"]);
    }

    #[test]
    fn garbage_is_decoded_lossily() {
        assert_eq!(lines(b"g\xffo\nis\0ready\n\xc3"), ["g\u{fffd}o", "is\0ready", "\u{fffd}"]);
        assert_eq!(lines("\u{feff}uci\n\u{feff}uci".as_bytes()), ["uci", "\u{feff}uci"]);
    }

    #[test]
    fn old_files_are_decoded_as_they_were_written() {
        let read: Vec<String> = LineReader::new(&b"M\xfcller\nM\xc3\xbcller"[..])
            .or_latin1()
            .map(|line| line.unwrap())
            .collect();
        assert_eq!(read, ["Müller", "Müller"]);
    }

    #[test]
    fn too_long_lines_are_cut_once_and_the_next_is_whole() {
        let text = b"12345\n123456\r\n1234567890123\nuci\n123456";
        for capacity in [1, 3, 100] {
            let input = BufReader::with_capacity(capacity, &text[..]);
            let read: Vec<_> = LineReader::with_limit(input, 5)
                .map(|line| line.map_err(|e| e.to_string()))
                .collect();
            let cut = || {
                Err(String::from(
                    "ignored a line of more than 5 bytes; send commands on lines of their own",
                ))
            };
            let expected = [Ok("12345".to_owned()), cut(), cut(), Ok("uci".to_owned()), cut()];
            assert_eq!(read, expected, "buffer of {capacity}");
        }
    }

    #[test]
    fn an_endless_line_takes_bounded_memory() {
        // 1 GiB of one byte: kept whole, it would show; the error comes as soon as the limit is hit.
        let input = BufReader::new(io::repeat(b'x').take(1 << 30));
        let mut reader = LineReader::new(input);
        assert!(matches!(reader.next(), Some(Err(LineError::TooLong { limit: MAX_LINE }))));
        let unread = reader.input.get_ref().limit();
        assert!(unread >= (1 << 30) - MAX_LINE as u64 - (1 << 16), "{unread} bytes unread");
        assert!(reader.next().is_none());
    }

    #[test]
    fn a_line_of_the_limit_is_read() {
        let mut text = vec![b'x'; MAX_LINE];
        text.extend_from_slice(b"\nuci");
        let read = lines(&text);
        assert_eq!((read[0].len(), read[1].as_str()), (MAX_LINE, "uci"));
    }

    /// Gives a line, is interrupted, gives another, fails; would then give lines for ever.
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
    fn interruptions_are_passed_over_and_failures_end_it() {
        let mut reader = LineReader::new(BufReader::new(Failing(0)));
        assert_eq!(reader.next().unwrap().unwrap(), "uci");
        assert_eq!(reader.next().unwrap().unwrap(), "uci");
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "cannot read the input: the plug was pulled");
        assert!(reader.next().is_none());
    }

    proptest! {
        /// Whatever the bytes and however they come in pieces: as splitting the whole does it.
        #[test]
        fn reads_as_splitting_does(
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
