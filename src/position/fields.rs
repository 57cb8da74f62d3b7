//! What FENs of games and of set-ups have in common: the fields, one after the other, and the
//! ranks of the first.

use std::str::SplitAsciiWhitespace;

use crate::geometry::Geometry;
use crate::text::shorten;
use crate::types::Color;

/// The most plies that a half-move clock may show.
const MAX_HALFMOVE_CLOCK: u32 = 9_999;
/// The largest number of a move.
const MAX_FULLMOVE_NUMBER: u32 = 999_999;

/// What is wrong with a field that is the same in all FENs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FieldError {
    #[error("the FEN is empty; it begins with the pieces, rank by rank, the last rank first")]
    Empty,
    #[error("the FEN has more than six fields: '{extra}' is too much")]
    TooManyFields { extra: String },
    #[error("pieces: expected {expected} ranks with '/' between them, found {found}")]
    RankCount { expected: u8, found: usize },
    #[error("side to move: the second field is missing; it is 'w' or 'b'")]
    MissingSide,
    #[error("side to move: expected 'w' or 'b', found '{found}'")]
    Side { found: String },
    #[error("half-move clock: expected a number from 0 to {MAX_HALFMOVE_CLOCK}, found '{found}'")]
    HalfmoveClock { found: String },
    #[error("move number: expected a number from 1 to {MAX_FULLMOVE_NUMBER}, found '{found}'")]
    FullmoveNumber { found: String },
}

impl FieldError {
    /// The FEN with the default in place of the number that this error says is out of range; `None`
    /// if it says something else.
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

/// Indices of fields.
pub(crate) const RIGHTS: usize = 2;
pub(crate) const EN_PASSANT: usize = 3;
const HALFMOVE_CLOCK: usize = 4;
const FULLMOVE_NUMBER: usize = 5;

/// A field of a FEN; `-` if it is missing.
pub(crate) fn field(fen: &str, index: usize) -> &str {
    fen.split_ascii_whitespace().nth(index).unwrap_or("-")
}

/// The FEN with another text in a field.
pub(crate) fn with_field(fen: &str, index: usize, text: &str) -> String {
    let fields = fen.split_ascii_whitespace().enumerate();
    let fields = fields.map(|(at, field)| if at == index { text } else { field });
    fields.collect::<Vec<_>>().join(" ")
}

/// The fields of a FEN, to be read in their order.
pub(crate) struct Fields<'a>(SplitAsciiWhitespace<'a>);

impl<'a> Fields<'a> {
    pub(crate) fn new(fen: &'a str) -> Fields<'a> {
        Fields(fen.split_ascii_whitespace())
    }

    /// The first field.
    pub(crate) fn board(&mut self) -> Result<&'a str, FieldError> {
        self.0.next().ok_or(FieldError::Empty)
    }

    /// The second field.
    pub(crate) fn side(&mut self) -> Result<Color, FieldError> {
        match self.0.next() {
            None => Err(FieldError::MissingSide),
            Some("w") => Ok(Color::White),
            Some("b") => Ok(Color::Black),
            Some(other) => Err(FieldError::Side { found: shorten(other) }),
        }
    }

    /// The third or fourth field, which may be missing.
    pub(crate) fn optional(&mut self) -> &'a str {
        self.0.next().unwrap_or("-")
    }

    /// The last two fields: the half-move clock and the number of the move, `0 1` where they are
    /// missing or `-`. A move number of 0, as some programs write it, is read as 1.
    pub(crate) fn clocks(mut self) -> Result<(u16, u32), FieldError> {
        let clock = read_number(self.optional(), 0, MAX_HALFMOVE_CLOCK)
            .map_err(|found| FieldError::HalfmoveClock { found })?;
        let number = read_number(self.optional(), 1, MAX_FULLMOVE_NUMBER)
            .map_err(|found| FieldError::FullmoveNumber { found })?;
        match self.0.next() {
            Some(extra) => Err(FieldError::TooManyFields { extra: shorten(extra) }),
            None => Ok((clock as u16, number.max(1))),
        }
    }
}

/// Reads digits and nothing else; what was found instead is the error.
fn read_number(field: &str, default: u32, most: u32) -> Result<u32, String> {
    if field == "-" {
        return Ok(default);
    }
    // `parse` would take a sign.
    let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
    let number = field.parse().ok().filter(|number| is_number && *number <= most);
    number.ok_or_else(|| shorten(field))
}

/// The ranks of the first field with their indices, the last rank first.
pub(crate) fn ranks<G: Geometry>(
    board: &str,
) -> Result<impl Iterator<Item = (u8, &str)>, FieldError> {
    let found = board.split('/').count();
    if found != usize::from(G::RANKS) {
        return Err(FieldError::RankCount { expected: G::RANKS, found });
    }
    Ok((0..G::RANKS).rev().zip(board.split('/')))
}

/// A rank as FEN writes it: letters, and a number for each run of empty squares.
pub(crate) fn rank_text(squares: impl Iterator<Item = Option<char>>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    // The `None` at the end writes out the last run.
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
