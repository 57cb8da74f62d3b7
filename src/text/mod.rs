//! Text from outside the program: reading lines of bounded length, and quoting input in messages.

mod excerpt;
mod kind;
mod lines;

pub use excerpt::{Excerpt, shorten, shorten_to};
pub use kind::TextKind;
pub use lines::{LineError, LineReader, MAX_LINE, decode};

/// Formats a count with its noun: `1 game`, `12 games`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
