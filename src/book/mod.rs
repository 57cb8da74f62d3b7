//! Opening books.
//!
//! A file whose name ends in `.bin` is a Polyglot book for chess and Chess960. Any other file is a text book
//! in Aleator's own format, which works for every variant.
//!
//! | file | holds |
//! | --- | --- |
//! | `polyglot` | Polyglot's binary format |
//! | `text` | Aleator's own format: EPD with weighted moves |
//!
//! Opening a book reads the whole file. If the file contains an error, the book is rejected.

mod polyglot;
#[cfg(test)]
mod tests;
mod text;

use std::path::{Path, PathBuf};

pub use polyglot::{ENTRY, Polyglot, PolyglotEntry, PolyglotError};
pub use text::{BookLine, LineFault, TextBook, TextError, key_of};

use crate::files::{self, ReadError};
use crate::game::{Game, on_stage};
use crate::notation;
use crate::random::Rng;
use crate::rules::Variant;

/// The maximum size of a book, in bytes.
pub const LARGEST: u64 = 1 << 30;

/// An opening book for one variant.
#[derive(Debug)]
pub enum Book {
    Polyglot(Polyglot),
    Text(TextBook),
}

/// A move or placement in a book, with its weight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move in UCI notation, with castling as king takes rook, or the placement.
    pub uci: String,
    /// The relative frequency with which the move or placement is played. A move of weight 0 is never played.
    pub weight: u32,
}

/// Why a file cannot be used as a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("'{}' {error}", path.display())]
    Polyglot { path: PathBuf, error: PolyglotError },
    #[error(
        "'{}' is a Polyglot book by its name; Polyglot books exist only for chess and chess960, and \
         {variant} takes a text book",
        path.display()
    )]
    Variant { path: PathBuf, variant: Variant },
    #[error("'{}', {error}", path.display())]
    Text { path: PathBuf, error: Box<TextError> },
    #[error("'{}' is empty", path.display())]
    Empty { path: PathBuf },
}

/// Returns whether the name of a file ends in `.bin`, which marks Polyglot books.
pub fn is_polyglot(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"))
}

impl Book {
    /// Reads the book of a variant from a file.
    pub fn open(path: &Path, variant: Variant) -> Result<Book, BookError> {
        let owned = || path.to_owned();
        let (book, is_empty) = if is_polyglot(path) {
            if !matches!(variant, Variant::Chess | Variant::Chess960) {
                return Err(BookError::Variant { path: owned(), variant });
            }
            let book = Polyglot::from_bytes(files::read(path, LARGEST)?)
                .map_err(|error| BookError::Polyglot { path: owned(), error })?;
            let is_empty = book.count() == 0;
            (Book::Polyglot(book), is_empty)
        } else {
            let book = TextBook::read(&files::read_text(path, LARGEST)?, variant)
                .map_err(|error| BookError::Text { path: owned(), error: Box::new(error) })?;
            let is_empty = book.count() == 0;
            (Book::Text(book), is_empty)
        };
        if is_empty { Err(BookError::Empty { path: owned() }) } else { Ok(book) }
    }

    /// Returns the legal moves or placements that the book contains for a position, in the order of the file.
    pub fn moves(&self, game: &Game) -> Vec<BookMove> {
        match self {
            Book::Polyglot(book) => book.moves(game),
            Book::Text(book) => book.moves(game).to_vec(),
        }
    }
}

/// Chooses one of the moves at random, with probabilities proportional to the weights. Returns `None` if all
/// weights are 0.
pub fn choose(moves: &[BookMove], rng: &mut Rng) -> Option<BookMove> {
    let total: u64 = moves.iter().map(|mv| u64::from(mv.weight)).sum();
    let mut ticket = rng.below(total);
    moves
        .iter()
        .find(|mv| {
            let weight = u64::from(mv.weight);
            let is_drawn = ticket < weight;
            ticket = ticket.saturating_sub(weight);
            is_drawn
        })
        .cloned()
}

/// Returns a move or placement in the UCI notation that a GUI expects. Returns `None` if `text` is illegal.
/// `chess960` says whether castling is written as king takes rook.
pub fn spelt(game: &Game, text: &str, chess960: bool) -> Option<String> {
    on_stage!(game.stage(), _ => Some(game.read(text).ok()?.uci), game => {
        let position = game.position();
        Some(notation::uci(position, notation::parse_move(position, text).ok()?, chess960))
    })
}
