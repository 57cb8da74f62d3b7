//! Parsing of words and whole numbers for the UCI and XBoard protocols.

use std::fmt;

pub use crate::text::Excerpt;

/// Iterates over the words of a line, separated by white space.
///
/// Unlike [`str::split_ascii_whitespace`], this iterator can peek at the next word and return the rest of
/// the line unchanged.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// Returns an iterator over all words of a line.
    pub const fn new(line: &'a str) -> Words<'a> {
        Words { rest: line }
    }

    /// Returns the next word without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Returns the rest of the line without surrounding white space.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_ascii()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_ascii_start();
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// A whole number. Magnitudes that exceed 64 bits are capped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// Whether the number is below zero. `-0` counts as not negative.
    pub negative: bool,
    /// The number without its sign.
    pub size: u64,
}

impl Integer {
    /// Parses digits after an optional sign. Returns `None` for other texts.
    pub fn parse(word: &str) -> Option<Integer> {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // A string of digits fails to parse only if the number is too large.
        let size = digits.parse().unwrap_or(u64::MAX);
        Some(Integer { negative: word.starts_with('-') && size > 0, size })
    }

    /// Returns the number, or zero if it is negative.
    pub fn or_zero(self) -> u64 {
        if self.negative { 0 } else { self.size }
    }
}

/// The text found at a place where a different word was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unexpected {
    /// A word.
    Word(Excerpt),
    /// The end of the line.
    EndOfLine,
}

impl Unexpected {
    /// Returns the unexpected word, or the end of the line for `None`.
    pub fn new(word: Option<&str>) -> Unexpected {
        word.map_or(Unexpected::EndOfLine, |word| Unexpected::Word(Excerpt::new(word)))
    }
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unexpected::Word(excerpt) => excerpt.fmt(f),
            Unexpected::EndOfLine => f.write_str("the end of the line"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_white_space() {
        let mut words = Words::new(" \t go\t depth  5 \r\n");
        assert_eq!(words.next(), Some("go"));
        assert_eq!(words.peek(), Some("depth"));
        assert_eq!(words.rest(), "depth  5");
        assert_eq!(words.by_ref().collect::<Vec<_>>(), ["depth", "5"]);
        assert_eq!((words.next(), words.peek(), words.rest()), (None, None, ""));
    }

    #[test]
    fn integers_may_have_a_sign_and_saturate() {
        let read = |word| Integer::parse(word).map(|number| (number.negative, number.size));
        assert_eq!(read("17"), Some((false, 17)));
        assert_eq!(read("+17"), Some((false, 17)));
        assert_eq!(read("-17"), Some((true, 17)));
        assert_eq!(read("-0"), Some((false, 0)));
        assert_eq!(read("007"), Some((false, 7)));
        assert_eq!(read("18446744073709551615"), Some((false, u64::MAX)));
        assert_eq!(read("99999999999999999999999"), Some((false, u64::MAX)));
        assert_eq!(read("-99999999999999999999999"), Some((true, u64::MAX)));
        for word in ["", "+", "-", "--1", "+-1", "1e9", "1.5", "0x10", "١", "1 ", "NaN"] {
            assert_eq!(read(word), None, "{word:?}");
        }
    }
}
