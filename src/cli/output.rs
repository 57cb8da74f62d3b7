//! Prints to standard output and standard error for all commands, without panicking if a write fails.
//!
//! The macros `println!` and `eprintln!` of this module replace those of the standard library in all of
//! `cli`, because the standard macros panic if a write fails, for example on a full disk. Here the first
//! failed write is remembered, and further output is dropped. A command that writes its result to a
//! file can thus continue. A command that only prints can check [`failed`] and stop.
//! [`main`](super::main) reports [`failure`] when the command has ended.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::tablebase::Prober;

/// The error of the first failed write to standard output.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// Prints a line to standard output. If the write fails, remembers the error.
macro_rules! println {
    ($($text:tt)*) => { $crate::cli::output::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints a line to standard error. Ignores write errors.
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::cli::output::complain(format_args!($($text)*)) };
}

pub(super) fn print(text: Arguments) {
    let mut stdout = stdout();
    let _ = stdout.write_fmt(text).and_then(|()| stdout.flush());
}

pub(super) fn complain(text: Arguments) {
    // If standard error cannot be written, the error cannot be reported either.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Returns a writer to standard output, with colours only on a terminal. After one write has failed, all
/// further writes fail.
pub(super) fn stdout() -> impl Write {
    Watched(anstream::stdout().lock())
}

/// Prints a record to standard output as one line of JSON.
pub(super) fn json(record: &impl Serialize) -> io::Result<()> {
    let mut stdout = stdout();
    serde_json::to_writer(&mut stdout, record)?;
    writeln!(stdout)?;
    stdout.flush()
}

/// Creates a progress bar on standard error with speed and remaining time, for `length` units of which
/// `done` are complete.
pub(super) fn progress(length: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(length).with_position(done);
    let template = "{bar:24} {pos}/{len}, {per_sec}, {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// Prints the first error of a tablebase probe, if a probe has failed.
pub(super) fn tell_error(prober: Option<&Prober>) {
    if let Some(error) = prober.and_then(Prober::take_error) {
        eprintln!("aleator: Syzygy: {error}; the search continued without this table");
    }
}

/// Returns whether a write to standard output has failed.
pub(super) fn failed() -> bool {
    FAILURE.get().is_some()
}

/// Wraps a line between words to the width of the terminal, and indents all but the first line. Returns
/// the line unchanged if standard output is not a terminal.
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

/// Returns the error of the first failed write to standard output, if a write has failed.
pub(super) fn failure() -> Option<&'static io::Error> {
    FAILURE.get()
}

/// A writer that stores its first error in [`FAILURE`].
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
    fn lines_are_wrapped_at_words() {
        let line =
            "  12/20 \u{1b}[32m  +0.50\u{1b}[0m  e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";
        let wrapped = wrap_to(line, 17, 57);
        let lines: Vec<&str> = wrapped.lines().collect();
        let blanks = " ".repeat(17);
        assert_eq!(lines.len(), 2, "{wrapped}");
        assert!(lines[0].starts_with("  12/20 ") && lines[0].ends_with(" Be7 Re1"), "{wrapped}");
        assert_eq!(lines[1], format!("{blanks}b5"));
        // The width is 12 columns, too narrow for an indent of 17. The indent is then 4.
        let narrow = wrap_to("1 +0.50 e4 e5 Nf3", 17, 12);
        assert_eq!(narrow, "1 +0.50 e4\n    e5 Nf3");
        assert_eq!(wrap_to("short", 17, 80), "short");
    }
}
