//! Shortens user input so that messages can quote it.

use std::fmt;

/// The maximum number of characters of input that a message quotes.
const MAX_CHARS: usize = 60;

/// Prepares input for a one-line message: escapes unprintable characters, and replaces everything after 60
/// characters by `...`.
pub fn shorten(text: &str) -> String {
    shorten_to(text, MAX_CHARS)
}

/// Shortens input for a one-line message, as [`shorten`] does, but allows `room` characters.
pub fn shorten_to(text: &str, mut room: usize) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        // `escape_debug` escapes unprintable characters, but also quotes and backslashes, which should not be
        // escaped.
        let is_quote = matches!(c, '\'' | '"' | '\\');
        let length = if is_quote { 1 } else { c.escape_debug().count() };
        if length > room {
            shown.push_str("...");
            break;
        }
        room -= length;
        if length == 1 {
            shown.push(c);
        } else {
            shown.extend(c.escape_debug());
        }
    }
    shown
}

/// A text shortened by [`shorten`]. `Display` puts the text in quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt(String);

impl Excerpt {
    /// Shortens a text.
    pub fn new(text: &str) -> Excerpt {
        Excerpt(shorten(text))
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "'{}'", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_short_and_printable() {
        let quoted = |text: &str| Excerpt::new(text).to_string();
        assert_eq!(quoted("abc"), "'abc'");
        assert_eq!(quoted("it's \"é\" \\ \u{fffd}"), "'it's \"é\" \\ \u{fffd}'");
        assert_eq!(quoted("a\0b\tc\x1b[2J"), "'a\\0b\\tc\\u{1b}[2J'");
        // A right-to-left override would garble a terminal.
        assert_eq!(quoted("a\u{202e}b"), "'a\\u{202e}b'");
        assert_eq!(quoted(&"x".repeat(60)), format!("'{}'", "x".repeat(60)));
        assert_eq!(quoted(&"x".repeat(61)), format!("'{}...'", "x".repeat(60)));
        assert!(quoted(&"\u{1}".repeat(1000)).chars().count() <= MAX_CHARS + 5);
    }
}
