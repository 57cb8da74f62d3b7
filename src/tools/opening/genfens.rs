//! Openings for the clients of OpenBench, which ask engines for them: `genfens`.
//!
//! They are those of a [`Suite`] that is evaluated with few nodes: the client waits for them, and
//! games for training should also start from unbalanced positions.

use std::ops::ControlFlow;
use std::path::Path;

use super::{OpeningError, Suite, SuiteError, read_openings};
use crate::files::{self, ReadError};
use crate::rules::Variant;
use crate::start::Numbering;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::text::Excerpt;

/// The default number of random moves from the start.
pub const PLIES: u16 = 8;
/// The maximum number of random moves.
pub const MAX_PLIES: u16 = 200;
/// Nodes of the search that evaluates an opening.
const NODES: u64 = 250;
/// The largest advantage of a side in centipawns.
const MAX_SCORE: i32 = 200;
/// The largest book that is read, in bytes.
const MAX_BOOK: u64 = 1 << 30;

/// A request for openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Genfens {
    /// The number of openings.
    pub count: usize,
    /// Determines the openings.
    pub seed: u64,
    /// A suite to start from; by default the starts of the variant.
    pub book: Option<String>,
    /// The starts; by default those of the current variant.
    pub starts: Option<Numbering>,
    /// Random moves from there.
    pub plies: u16,
}

/// Why the openings could not be made.
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
    /// Makes exactly the requested number of different openings, and passes each to `hear` as a complete FEN.
    pub fn run(
        &self,
        variant: Variant,
        stop: &AtomicBool,
        hear: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), GenfensError> {
        let starts = self.starts.unwrap_or(Numbering::of(variant)).drawn();
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
    match read_openings(&text, variant) {
        Err(error) => Err(GenfensError::Opening { book, error }),
        Ok(fens) if fens.iter().any(|fen| fen.contains('[')) => Err(GenfensError::SetUp { book }),
        Ok(fens) if fens.is_empty() => Err(GenfensError::Empty { book }),
        Ok(fens) => Ok(fens),
    }
}
