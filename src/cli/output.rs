//! Standard output and error for every command: a full disk or a reader that has gone away is no
//! panic, but one error of the whole command.
//!
//! In the modules of the command line `println!` and `eprintln!` are the ones defined here. A failed
//! write is remembered and what comes after it dropped, so that work whose fruit is a file goes on;
//! [`failed`] tells work that only prints when it has lost its reader. [`failure`] is what
//! [`main`](super::main) reports at the end.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::tablebase::Prober;

/// Why nothing can be written to standard output any more.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// Prints a line, or remembers that it could not.
macro_rules! println {
    ($($text:tt)*) => { $crate::cli::output::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints a line to standard error, if that is possible.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::cli::output::complain(format_args!($($text)*)) };
}

pub(super) fn print(text: Arguments) {
    let mut stdout = stdout();
    let _ = stdout.write_fmt(text).and_then(|()| stdout.flush());
}

pub(super) fn complain(text: Arguments) {
    // Nobody is left to be told.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Standard output, without colours where no terminal is. It fails for ever once it has failed.
pub(super) fn stdout() -> impl Write {
    Watched(anstream::stdout().lock())
}

/// Prints an object as JSON on a line of its own.
pub(super) fn json(record: &impl Serialize) -> io::Result<()> {
    let mut stdout = stdout();
    serde_json::to_writer(&mut stdout, record)?;
    writeln!(stdout)?;
    stdout.flush()
}

/// A bar on a terminal's standard error, with rate and time left, of work of which so much is done.
pub(super) fn progress(length: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(length).with_position(done);
    let template = "{bar:24} {pos}/{len}, {per_sec}, {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// Says what went wrong when tablebases were asked.
pub(super) fn tell_fault(prober: Option<&Prober>) {
    if let Some(fault) = prober.and_then(Prober::take_fault) {
        eprintln!("aleator: Syzygy: {fault}; the search went on without it");
    }
}

/// Whether nobody reads what is printed.
pub(super) fn failed() -> bool {
    FAILURE.get().is_some()
}

/// Breaks a line at words to the width of the terminal; all but its first part stand behind so
/// many blanks. Where no terminal is, it stays as it is.
pub(super) fn wrap(line: &str, indent: usize) -> String {
    match terminal_size::terminal_size_of(io::stdout()) {
        Some((width, _)) => wrap_to(line, indent, width.0.into()),
        None => line.to_owned(),
    }
}

fn wrap_to(line: &str, indent: usize, width: usize) -> String {
    const LEAST_LEFT: usize = 40;
    let indent = if indent + LEAST_LEFT <= width { indent } else { 4 };
    let blanks = " ".repeat(indent);
    textwrap::fill(line, textwrap::Options::new(width).subsequent_indent(&blanks))
}

/// Why not all was printed.
pub(super) fn failure() -> Option<&'static io::Error> {
    FAILURE.get()
}

/// Remembers the first failure.
struct Watched<W>(W);

impl<W: Write> Watched<W> {
    fn watch<T>(&mut self, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if let Some(error) = FAILURE.get() {
            return Err(error.kind().into());
        }
        act(&mut self.0).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                let _ = FAILURE.set(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.watch(|writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.watch(Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::wrap_to;

    #[test]
    fn lines_break_at_words() {
        let line =
            "  12/20 \u{1b}[32m  +0.50\u{1b}[0m  e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";
        let wrapped = wrap_to(line, 17, 57);
        let lines: Vec<&str> = wrapped.lines().collect();
        let blanks = " ".repeat(17);
        assert_eq!(lines.len(), 2, "{wrapped}");
        assert!(lines[0].starts_with("  12/20 ") && lines[0].ends_with(" Be7 Re1"), "{wrapped}");
        assert_eq!(lines[1], format!("{blanks}b5"));
        // Too narrow to keep the column.
        let narrow = wrap_to("1 +0.50 e4 e5 Nf3", 17, 12);
        assert_eq!(narrow, "1 +0.50 e4\n    e5 Nf3");
        assert_eq!(wrap_to("short", 17, 80), "short");
    }
}
