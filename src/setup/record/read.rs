//! Parsing of placement records.

use super::Record;
use crate::rules::{SetupKind, Variant, VariantError};
use crate::setup::{
    Placement, PlacementError, Setup, SetupFenError, SetupOrGame, SetupOrGameError,
};
use crate::start::BlackBackRank;
use crate::text::shorten;
use crate::types::Square;

/// Why a text is not a record, and where the error is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    pub fault: Box<RecordFault>,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum RecordFault {
    #[error(
        "the text contains no placement record; a record of fischerbenko begins like '1. R@h1 N@e8', a record of jepps like 'Na1, Bb1'"
    )]
    Empty,
    #[error("'{found}' is not a tag; a tag is a line such as [Variant \"fischerbenko\"]")]
    Tag { found: String },
    #[error("the tag {name} occurs twice in a record; only one is allowed")]
    TagTwice { name: &'static str },
    #[error(transparent)]
    Variant(VariantError),
    #[error("the tag Variant says {tag}, but a record of {asked} was requested")]
    OtherVariant { tag: Variant, asked: Variant },
    #[error(
        "there are no placement records of {variant}, because {variant} has no placement phase; give a variant with a placement phase, such as fischerbenko"
    )]
    NoSetup { variant: Variant },
    #[error(
        "the record does not name its variant; give a variant, or add a tag such as [Variant \"fischerbenko\"]"
    )]
    WhichVariant,
    #[error(
        "the tag FEN is missing: in {variant}, dice place pieces before the first turn; give the position after the dice in a tag [FEN \"...\"] before the turns"
    )]
    NeedsFen { variant: Variant },
    #[error("the tag FEN: {0}")]
    Fen(SetupOrGameError),
    #[error("the tag FEN: {0}")]
    Defect(SetupFenError),
    #[error(
        "the tag FEN has no pieces in hand; it must give a position of the placement phase, from which the record begins"
    )]
    FenOfGame,
    #[error(
        "the tag FEN has pieces on the back ranks; a record of jepps must begin with empty back ranks"
    )]
    FenOfJepps,
    #[error("wrong turn number {found}; the next turn has number {expected}")]
    Number { expected: u32, found: String },
    #[error("unexpected turn number {found}; a record of jepps has turn numbers only in Free Play")]
    NoNumber { found: String },
    #[error("turn {turn}: {source}")]
    Placement { turn: usize, source: PlacementError },
    #[error(
        "'{found}' is the mediator's verdict in jepps and is not allowed here; the verdict must come after White's eight pieces and before Black's first piece"
    )]
    Mediation { found: String },
    #[error(
        "unexpected '{found}' after the end of the placement phase; a record ends with the placement phase"
    )]
    Over { found: String },
}

/// The Roman turn numbers that the inventor of Free Play uses.
const ROMAN: [&str; 8] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"];

/// Parses an Arabic or Roman number.
fn read_number(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    match (1..).zip(ROMAN).find(|(_, roman)| *roman == lower) {
        Some((number, _)) => Some(number),
        None if text.bytes().all(|digit| digit.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

/// A word of a line, with its position.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Word<'a> {
    /// Returns the rest of the word from the byte with this index.
    fn from(self, byte: usize) -> Word<'a> {
        let (before, text) = self.text.split_at(byte);
        Word { text, column: self.column + before.chars().count(), ..self }
    }

    fn error(self, fault: RecordFault) -> RecordError {
        RecordError { line: self.line, column: self.column, fault: Box::new(fault) }
    }
}

/// Splits a line into words at white space and commas.
fn words(text: &str, line: usize) -> impl Iterator<Item = Word<'_>> {
    let is_gap = |letter: char| letter.is_whitespace() || letter == ',';
    let mut column = 1;
    text.split(is_gap)
        .map(move |text| {
            let word = Word { text, line, column };
            column += text.chars().count() + 1;
            word
        })
        .filter(|word| !word.text.is_empty())
}

impl Record {
    /// Parses one record. The argument `variant` or the tag `Variant` gives the variant of the record.
    /// Without argument and tag, a record whose first turn has no `@` is read as Jepps Random Chess.
    pub fn read(text: &str, variant: Option<Variant>) -> Result<Record, RecordError> {
        let mut reader = Reader::new(variant);
        for (number, line) in (1..).zip(text.lines()) {
            reader.line(line, number)?;
        }
        reader.one()
    }

    /// Parses all records of a text. A text without records is an error.
    pub fn read_all(text: &str, variant: Option<Variant>) -> Result<Vec<Record>, RecordError> {
        let mut records = Vec::new();
        let mut reader = Reader::new(variant);
        for (number, line) in (1..).zip(text.lines()) {
            if reader.ends_before(line) {
                let whole = std::mem::replace(&mut reader, Reader::new(variant));
                records.push(whole.one()?);
            }
            reader.line(line, number)?;
        }
        // The last record may be followed by blank lines.
        if records.is_empty() || !reader.is_empty() {
            records.push(reader.one()?);
        }
        Ok(records)
    }
}

/// Parses a record line by line.
struct Reader {
    asked: Option<Variant>,
    tag: Option<Variant>,
    /// The FEN in the tag `FEN`, and the line and column of the tag.
    fen: Option<(String, usize, usize)>,
    record: Option<Record>,
    /// The turn number before the first turn: its value, its text, and its line and column.
    number: Option<(u32, String, usize, usize)>,
    /// The last line read.
    last_line: usize,
}

impl Reader {
    fn new(asked: Option<Variant>) -> Reader {
        Reader { asked, tag: None, fen: None, record: None, number: None, last_line: 1 }
    }

    fn is_empty(&self) -> bool {
        self.tag.is_none() && self.fen.is_none() && self.record.is_none()
    }

    /// Whether the current record ends before this line. A record ends before a tag that follows a turn
    /// and before a blank line that follows the last turn of the placement phase.
    fn ends_before(&self, line: &str) -> bool {
        let line = line.trim();
        self.record.as_ref().is_some_and(|record| {
            line.starts_with('[') || (line.is_empty() && record.game().is_some())
        })
    }

    fn line(&mut self, text: &str, line: usize) -> Result<(), RecordError> {
        self.last_line = line;
        let trimmed = text.trim_start();
        if trimmed.starts_with('[') && self.record.is_none() {
            let column = text[..text.len() - trimmed.len()].chars().count() + 1;
            return self.tag(Word { text: trimmed.trim_end(), line, column });
        }
        words(text, line).try_for_each(|word| self.word(word))
    }

    /// Parses `[Name "value"]`.
    fn tag(&mut self, word: Word) -> Result<(), RecordError> {
        let parts = word.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let (name, value) = parts
            .and_then(|text| text.trim().split_once(char::is_whitespace))
            .and_then(|(name, value)| {
                Some((name, value.trim().strip_prefix('"')?.strip_suffix('"')?))
            })
            .ok_or_else(|| word.error(RecordFault::Tag { found: shorten(word.text) }))?;
        match name {
            "Variant" if self.tag.is_some() => {
                Err(word.error(RecordFault::TagTwice { name: "Variant" }))
            }
            "FEN" if self.fen.is_some() => Err(word.error(RecordFault::TagTwice { name: "FEN" })),
            "Variant" => {
                let tag = value.parse().map_err(|error| word.error(RecordFault::Variant(error)))?;
                self.tag = Some(tag);
                match self.asked {
                    Some(asked) if asked != tag => {
                        Err(word.error(RecordFault::OtherVariant { tag, asked }))
                    }
                    _ => Ok(()),
                }
            }
            "FEN" => {
                self.fen = Some((value.to_owned(), word.line, word.column));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Parses one word: a turn number, a turn, a turn number followed directly by a turn, or a verdict of the
    /// mediator.
    fn word(&mut self, word: Word) -> Result<(), RecordError> {
        if word.text == "*" {
            return Ok(());
        }
        let number = word.text.split_once('.').and_then(|(number, rest)| {
            Some((number, read_number(number)?, rest.trim_start_matches('.')))
        });
        let Some((digits, number, rest)) = number else { return self.turn(word) };
        match &self.record {
            // No turn has shown yet which game the record belongs to, so the turn number is checked later.
            None => {
                self.number = Some((number, shorten(digits), word.line, word.column));
            }
            Some(record) => {
                check_number(record, number, digits).map_err(|fault| word.error(fault))?;
            }
        }
        if rest.is_empty() { Ok(()) } else { self.turn(word.from(word.text.len() - rest.len())) }
    }

    fn turn(&mut self, word: Word) -> Result<(), RecordError> {
        let mut record = match self.record.take() {
            Some(record) => record,
            None => self.begin(word, !word.text.contains('@'))?,
        };
        if let Some((number, digits, line, column)) = self.number.take() {
            let place = Word { text: &digits, line, column };
            check_number(&record, number, &digits).map_err(|fault| place.error(fault))?;
        }
        record.decide_order(word.text);
        let found = || shorten(word.text);
        let Some(state) = record.state() else {
            return Err(word.error(RecordFault::Over { found: found() }));
        };
        if let Some(verdict) = read_verdict(word.text) {
            if !record.decide(verdict) {
                return Err(word.error(RecordFault::Mediation { found: found() }));
            }
        } else {
            let turn = record.placements.len() + 1;
            let placement = state
                .read_turn(word.text)
                .map_err(|source| word.error(RecordFault::Placement { turn, source }))?;
            // The parser returns only legal placements.
            record.place(placement);
        }
        self.record = Some(record);
        Ok(())
    }

    /// Returns a record without turns, for the variant that the argument, the tag or the first turn shows.
    /// `word` is the place to which errors refer: the first turn, or the end of the text.
    fn begin(&self, word: Word, jepps: bool) -> Result<Record, RecordError> {
        let guess = jepps.then_some(Variant::Jepps);
        let numbered = self.number.is_some();
        let variant = self
            .tag
            .or(self.asked)
            .or(guess)
            .ok_or_else(|| word.error(RecordFault::WhichVariant))?;
        let Some((fen, line, column)) = &self.fen else {
            let beginning = without_fen(variant, numbered).map_err(|fault| word.error(fault))?;
            return Ok(Record::new(beginning));
        };
        let place = Word { text: fen, line: *line, column: *column };
        let beginning = of_fen(variant, fen, numbered).map_err(|fault| place.error(fault))?;
        Ok(Record::new(beginning))
    }

    /// Returns the record after all lines have been read.
    fn one(self) -> Result<Record, RecordError> {
        let end = Word { text: "", line: self.last_line, column: 1 };
        match self.record {
            Some(record) => Ok(record),
            // No turn has been read yet.
            None if self.fen.is_some() => self.begin(end, false),
            None => Err(end.error(RecordFault::Empty)),
        }
    }
}

/// Checks that a number is the number of the next turn. Records of Jepps Random Chess have turn numbers only
/// in Free Play.
fn check_number(record: &Record, number: u32, digits: &str) -> Result<(), RecordFault> {
    let found = shorten(digits);
    match record.state() {
        None => Err(RecordFault::Over { found }),
        Some(state) if state.kind() == SetupKind::Jepps => Err(RecordFault::NoNumber { found }),
        Some(state) if state.number() != number => {
            Err(RecordFault::Number { expected: state.number(), found })
        }
        Some(_) => Ok(()),
    }
}

fn without_fen(variant: Variant, numbered: bool) -> Result<Setup, RecordFault> {
    match variant.rules().setup {
        None => Err(RecordFault::NoSetup { variant }),
        Some(kind) if kind.has_random_part() => Err(RecordFault::NeedsFen { variant }),
        Some(SetupKind::Jepps) if numbered => Ok(Setup::empty(SetupKind::JeppsFreePlay)),
        Some(kind) => Ok(Setup::empty(kind)),
    }
}

fn of_fen(variant: Variant, fen: &str, numbered: bool) -> Result<Setup, RecordFault> {
    if variant.rules().setup.is_none() {
        return Err(RecordFault::NoSetup { variant });
    }
    let state = match SetupOrGame::from_fen(fen, variant).map_err(RecordFault::Fen)? {
        SetupOrGame::Game(_) => return Err(RecordFault::FenOfGame),
        SetupOrGame::Setup(state) => state,
    };
    if let Some(defect) = state.defect() {
        return Err(RecordFault::Defect(defect));
    }
    match state.kind() {
        SetupKind::Jepps | SetupKind::JeppsFreePlay if !state.is_empty_board() => {
            Err(RecordFault::FenOfJepps)
        }
        SetupKind::Jepps if numbered => Ok(Setup::empty(SetupKind::JeppsFreePlay)),
        _ => Ok(state),
    }
}

fn read_verdict(text: &str) -> Option<BlackBackRank> {
    match text.to_ascii_lowercase().as_str() {
        "mirror" => Some(BlackBackRank::Mirror),
        "reverse" => Some(BlackBackRank::Reverse),
        _ => None,
    }
}

impl Setup {
    /// Parses a turn that is legal in this state, as [`Setup::read_placement`] does, except that the
    /// `@` may be omitted, as in `Na1`.
    pub fn read_turn(&self, text: &str) -> Result<Placement, PlacementError> {
        let parts: Vec<String> = text.trim().split('+').map(with_at).collect();
        self.read_placement(&parts.join("+"))
    }
}

/// Turns `Na1` into `N@a1` and leaves other texts unchanged.
fn with_at(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(piece) if is_square(letters.as_str()) => format!("{piece}@{}", letters.as_str()),
        _ => text.to_owned(),
    }
}

fn is_square(text: &str) -> bool {
    Square::<crate::geometry::Board8x8>::parse(text).is_some()
}
