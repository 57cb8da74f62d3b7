//! Openings as the clients of OpenBench ask engines for them: `genfens`.
//!
//! They are those of a [`Suite`] that is judged with few nodes: what a client waits for must come
//! quickly, and games that learn are to begin from uneven positions, too.

use std::ops::ControlFlow;
use std::path::Path;

use super::{OpeningError, Suite, SuiteError, read_openings};
use crate::files::{self, ReadError};
use crate::rules::Variant;
use crate::start::Numbering;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::text::Excerpt;
use crate::tools::data::Component;

/// Random moves from the start, if nothing is said.
pub const PLIES: u16 = 8;
/// The most random moves that can be asked for.
pub const MAX_PLIES: u16 = 200;
/// Nodes of the search that judges an opening.
const NODES: u64 = 250;
/// The most centipawns by which a side may be better.
const MAX_SCORE: i32 = 200;
/// The largest book that is read, in bytes.
const MAX_BOOK: u64 = 1 << 30;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Genfens {
    /// How many openings.
    pub count: usize,
    /// Each seed gives others.
    pub seed: u64,
    /// A suite to begin from; without it, the starts of the variant.
    pub book: Option<String>,
    /// Which starts; without it, those of the game that is set up.
    pub starts: Option<Component>,
    /// Random moves from there.
    pub plies: u16,
}

/// Why there are not as many as were asked for.
#[derive(Debug, thiserror::Error)]
pub enum GenfensError {
    #[error("genfens: {0}")]
    Read(#[from] ReadError),
    #[error("genfens: {book}, {error}")]
    Opening { book: Excerpt, error: OpeningError },
    #[error("genfens: {book} holds no position")]
    Empty { book: Excerpt },
    #[error("genfens: {book} holds set-ups, and openings begin past them")]
    SetUp { book: Excerpt },
    #[error("genfens: {0}")]
    Suite(#[from] SuiteError),
}

impl Genfens {
    /// Makes the openings and has each heard, as a FEN of six fields: exactly as many, no two alike.
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
