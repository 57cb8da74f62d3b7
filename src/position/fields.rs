//! The fields that the FENs of games and the FENs of setups have in common.

use std::str::SplitAsciiWhitespace;

use crate::geometry::Board;
use crate::text::shorten;
use crate::types::Color;

/// The largest halfmove clock that is accepted.
const MAX_HALFMOVE_CLOCK: u32 = 9_999;
/// The largest move number that is accepted.
const MAX_FULLMOVE_NUMBER: u32 = 999_999;

/// An error in a field that all FENs have in common.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum FieldError {
    #[error(
        "the FEN is empty; a FEN begins with the pieces on each rank, from the last rank to the first"
    )]
    Empty,
    #[error("the FEN has more than six fields; the seventh field is '{extra}'")]
    TooManyFields { extra: String },
    #[error("pieces: expected {expected} ranks separated by '/', found {found}")]
    RankCount { expected: u8, found: usize },
    #[error("side to move: the second field is missing; expected 'w' or 'b'")]
    MissingSide,
    #[error("side to move: expected 'w' or 'b', found '{found}'")]
    Side { found: String },
    #[error("halfmove clock: expected a number from 0 to {MAX_HALFMOVE_CLOCK}, found '{found}'")]
    HalfmoveClock { found: String },
    #[error("move number: expected a number from 1 to {MAX_FULLMOVE_NUMBER}, found '{found}'")]
    FullmoveNumber { found: String },
}

impl FieldError {
    /// Returns the FEN with the default in place of the halfmove clock or move number, if this error says
    /// that the number is out of range. Returns `None` for other errors.
    pub(crate) fn without_number(&self, fen: &str) -> Option<String> {
        let (index, found) = match self {
            FieldError::HalfmoveClock { found } => (HALFMOVE_CLOCK, found),
            FieldError::FullmoveNumber { found } => (FULLMOVE_NUMBER, found),
            _ => return None,
        };
        let digits = found.strip_prefix('-').unwrap_or(found);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| with_field(fen, index, "-"))
    }
}

/// The indices of the fields of a FEN, from 0.
pub(crate) const RIGHTS: usize = 2;
pub(crate) const EN_PASSANT: usize = 3;
const HALFMOVE_CLOCK: usize = 4;
const FULLMOVE_NUMBER: usize = 5;

/// Returns a field of a FEN, or `-` if the field is missing.
pub(crate) fn field(fen: &str, index: usize) -> &str {
    fen.split_ascii_whitespace().nth(index).unwrap_or("-")
}

/// Returns the FEN with the field at `index` replaced by `text`.
pub(crate) fn with_field(fen: &str, index: usize, text: &str) -> String {
    let fields = fen.split_ascii_whitespace().enumerate();
    let fields = fields.map(|(at, field)| if at == index { text } else { field });
    fields.collect::<Vec<_>>().join(" ")
}

/// Reads the fields of a FEN one after the other.
pub(crate) struct Fields<'a>(SplitAsciiWhitespace<'a>);

impl<'a> Fields<'a> {
    pub(crate) fn new(fen: &'a str) -> Fields<'a> {
        Fields(fen.split_ascii_whitespace())
    }

    /// Reads the first field, which holds the pieces.
    pub(crate) fn board(&mut self) -> Result<&'a str, FieldError> {
        self.0.next().ok_or(FieldError::Empty)
    }

    /// Reads the second field, which holds the side to move.
    pub(crate) fn side(&mut self) -> Result<Color, FieldError> {
        match self.0.next() {
            None => Err(FieldError::MissingSide),
            Some("w") => Ok(Color::White),
            Some("b") => Ok(Color::Black),
            Some(other) => Err(FieldError::Side { found: shorten(other) }),
        }
    }

    /// Reads the next field. Returns `-` if the field is missing.
    pub(crate) fn optional(&mut self) -> &'a str {
        self.0.next().unwrap_or("-")
    }

    /// Reads the last two fields: the halfmove clock and the move number. A field that is missing or `-`
    /// has the default: 0 for the halfmove clock and 1 for the move number. A move number of 0, which some
    /// programs write, is read as 1.
    pub(crate) fn clocks(mut self) -> Result<(u16, u32), FieldError> {
        let (clock, number) = (self.optional(), self.optional());
        let clock = read_number(clock, 0, MAX_HALFMOVE_CLOCK)
            .ok_or_else(|| FieldError::HalfmoveClock { found: shorten(clock) })?;
        let number = read_number(number, 1, MAX_FULLMOVE_NUMBER)
            .ok_or_else(|| FieldError::FullmoveNumber { found: shorten(number) })?;
        match self.0.next() {
            Some(extra) => Err(FieldError::TooManyFields { extra: shorten(extra) }),
            None => Ok((clock as u16, number.max(1))),
        }
    }
}

/// Parses a number of at most `most`, or `-` for the default.
fn read_number(field: &str, default: u32, most: u32) -> Option<u32> {
    if field == "-" {
        return Some(default);
    }
    // Check the digits, because `parse` would accept a sign.
    let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
    field.parse().ok().filter(|number| is_number && *number <= most)
}

/// Splits the first field into ranks with their indices, the last rank first.
pub(crate) fn ranks<G: Board>(board: &str) -> Result<impl Iterator<Item = (u8, &str)>, FieldError> {
    let found = board.split('/').count();
    if found != usize::from(G::RANKS) {
        return Err(FieldError::RankCount { expected: G::RANKS, found });
    }
    Ok((0..G::RANKS).rev().zip(board.split('/')))
}

/// Writes a rank in FEN: letters, and a number for each run of empty squares.
pub(crate) fn rank_text(squares: impl Iterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    // The final `None` flushes the last run of empty squares.
    for square in squares.map(Some).chain([None]) {
        if square == Some(None) {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.extend(square.flatten());
    }
    text
}
