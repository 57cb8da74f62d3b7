//! Standard output and error for every command: a full disk or a reader that has gone away is no
//! panic, but one error of the whole command.
//!
//! In the rooms of the command line `println!` and `eprintln!` are the ones defined here. A failed
//! write is remembered and what comes after it dropped, so that work whose fruit is a file goes on;
//! [`failed`] tells work that only prints when it has lost its reader. [`failure`] is what
//! [`main`](super::main) reports at the end.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::sync::OnceLock;

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

/// Whether nobody reads what is printed.
pub(super) fn failed() -> bool {
    FAILURE.get().is_some()
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
