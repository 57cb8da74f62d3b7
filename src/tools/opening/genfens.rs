//! The command `genfens`, with which OpenBench clients ask engines for openings.
//!
//! The openings are generated like those of a [`Suite`], but evaluated with few nodes. The client waits for
//! the openings, and training games should also start from unbalanced positions.

use std::ops::ControlFlow;
use std::path::Path;

use super::{OpeningError, Suite, SuiteError, read_openings};
use crate::files::{self, ReadError};
use crate::rules::Variant;
use crate::start::Numbering;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::text::Excerpt;
use crate::tools::data::Component;

/// The default number of random moves played from the start.
pub const PLIES: u16 = 8;
/// The maximum number of random moves that a request may have.
pub const MAX_PLIES: u16 = 200;
/// The number of nodes of the search that evaluates an opening.
const NODES: u64 = 250;
/// The largest absolute score of an accepted opening, in centipawns.
const MAX_SCORE: i32 = 200;
/// The maximum size of a book in bytes.
const MAX_BOOK: u64 = 1 << 30;

/// A request for a number of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Genfens {
    /// The number of openings.
    pub count: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The path of a suite to start from. By default, openings begin with a start of the variant.
    pub book: Option<String>,
    /// The kind of start. By default, the starts of the current variant are used.
    pub starts: Option<Component>,
    /// The number of random moves played from the start or from the position of the book.
    pub plies: u16,
}

/// Why openings could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum GenfensError {
    #[error("genfens: {0}")]
    Read(#[from] ReadError),
    #[error("genfens: {book}, {error}")]
    Opening { book: Excerpt, error: OpeningError },
    #[error("genfens: {book} contains no position")]
    Empty { book: Excerpt },
    #[error("genfens: {book} contains setups, but openings start after the setup")]
    SetUp { book: Excerpt },
    #[error("genfens: {0}")]
    Suite(#[from] SuiteError),
}

impl Genfens {
    /// Generates exactly `count` different openings. Passes each opening to `hear` as a complete FEN.
    pub fn run(
        &self,
        variant: Variant,
        stop: &AtomicBool,
        hear: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), GenfensError> {
        let starts = self.starts.map_or_else(|| Numbering::drawn(variant), Component::starts);
        let book = match &self.book {
            Some(book) => read_book(book, starts.variant())?,
            None => Vec::new(),
        };
        let suite = Suite {
            starts,
            book,
            count: self.count,
            plies: usize::from(self.plies),
            seed: self.seed,
            nodes: NODES,
            max_score: MAX_SCORE,
        };
        suite.make(1, &mut |openings| {
            openings.iter().for_each(|opening| hear(&opening.fen));
            if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(())
    }
}

fn read_book(path: &str, variant: Variant) -> Result<Vec<String>, GenfensError> {
    let book = Excerpt::new(path);
    let text = files::read_text(Path::new(path), MAX_BOOK)?;
    let fens = match read_openings(&text, variant) {
        Ok(fens) => fens,
        Err(error) => return Err(GenfensError::Opening { book, error }),
    };
    match fens.iter().any(|fen| fen.contains('[')) {
        true => Err(GenfensError::SetUp { book }),
        false if fens.is_empty() => Err(GenfensError::Empty { book }),
        false => Ok(fens),
    }
}
