//! Handles text from outside the program: reads lines of bounded length, and quotes input in messages.

mod excerpt;
mod kind;
mod lines;

pub use excerpt::{Excerpt, shorten, shorten_to};
pub use kind::TextKind;
pub use lines::{LineError, LineReader, MAX_LINE, decode};

/// Formats a count with a noun: `1 game`, `12 games`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
