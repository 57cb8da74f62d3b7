//! Generates opening suites: different balanced positions after random moves.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

use super::random_plies;
use crate::game::BoardGame;
use crate::geometry::Board;
use crate::position::{FenError, FenStyle, Position};
use crate::rules::on_board;
use crate::search::{Limits, Searcher, search_threads};
use crate::start::{Numbering, Rng};
use crate::system::MemoryError;
use crate::types::Value;

/// The search for openings ends after this many candidates in a row were rejected.
const GIVE_UP: usize = 10_000;
/// The size of the transposition table in MiB. Even a search of ten thousand nodes does not fill this table.
const HASH: usize = 1;

/// The parameters of a suite. The same parameters give the same suite, for any number of threads.
///
/// A candidate is the position after random legal moves from a random starting position. A candidate is
/// rejected if
///
/// - the game is over, or drawn by rule;
/// - the side to move is in check: with few legal moves, often only one, all engines would play the same
///   move, and the suite would really test a later position;
/// - a search finds one side better (the search does not see the moves before the position);
/// - the position was a candidate before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// The starting positions of the random moves, if `book` is empty.
    pub starts: Numbering,
    /// The positions from which the random moves start, as FENs of the same variant. If `book` is empty, the
    /// random moves start from `starts`.
    pub book: Vec<String>,
    /// The number of openings to generate.
    pub count: usize,
    /// The number of random moves before each candidate.
    pub plies: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of nodes of the search that evaluates a candidate.
    pub nodes: u64,
    /// The largest absolute score of an accepted candidate, in centipawns.
    pub max_score: Value,
}

/// An opening of a suite, with its score. `Display` writes the line of the suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The complete X-FEN.
    pub fen: String,
    /// The score of the search in centipawns, for the side to move.
    pub score: Value,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut fields = self.fen.rsplitn(3, ' ');
        let (number, clock) = (fields.next().unwrap_or("1"), fields.next().unwrap_or("0"));
        let epd = fields.next().unwrap_or_default();
        write!(f, "{epd} hmvc {clock}; fmvn {number}; ce {};", self.score)
    }
}

/// Why a suite could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error(
        "only {found} of {count} openings were found: the last {GIVE_UP} candidates \
         were duplicates or unbalanced; allow more plies or larger scores"
    )]
    Exhausted { found: usize, count: usize },
    #[error("cannot start the search threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    #[error("not enough memory for a hash table of {HASH} MiB: {0}")]
    Memory(#[from] MemoryError),
    /// A position of the book is illegal. The starting positions of a variant are always legal.
    #[error("the book contains an illegal position: {0}")]
    Start(#[from] FenError),
    #[error("the generation of openings was stopped")]
    Stopped,
}

impl Suite {
    /// Generates the suite with `threads` threads. Passes the openings in order, in groups, to `take`, which
    /// decides whether to continue.
    pub fn make(
        &self,
        threads: usize,
        take: &mut (dyn FnMut(&[Opening]) -> ControlFlow<()> + Send),
    ) -> Result<(), SuiteError> {
        let board = self.starts.variant().rules().board;
        search_threads(threads)?.install(|| on_board!(board, |G| self.collect::<G>(take)))
    }

    /// Tries candidates in batches until there are enough openings. Which candidates are accepted depends
    /// only on their order, not on the batch size.
    fn collect<G: Board>(
        &self,
        take: &mut dyn FnMut(&[Opening]) -> ControlFlow<()>,
    ) -> Result<(), SuiteError> {
        let mut seen = HashSet::new();
        let (mut found, mut next, mut fruitless) = (0, 0, 0);
        while found < self.count {
            let batch = 2 * (self.count - found).clamp(4, 256);
            let mut fresh = Vec::with_capacity(batch);
            for number in next..next + batch as u64 {
                let candidate = self.candidate::<G>(number)?;
                fresh.push(candidate.filter(|position| seen.insert(position.key())));
            }
            next += batch as u64;
            let mut openings = Vec::new();
            for judged in self.judge(&fresh)? {
                fruitless = if judged.is_some() { 0 } else { fruitless + 1 };
                openings.extend(judged);
                let found = found + openings.len();
                if fruitless == GIVE_UP && found < self.count {
                    return Err(SuiteError::Exhausted { found, count: self.count });
                }
            }
            openings.truncate(self.count - found);
            found += openings.len();
            if take(&openings).is_break() && found < self.count {
                return Err(SuiteError::Stopped);
            }
        }
        Ok(())
    }

    /// Returns the candidate with this number, or `None` if the game is over or the side to move is in check.
    /// Candidates do not depend on the search: after a change of the search, every opening of an old suite is
    /// still among the candidates for the same starting positions, plies and seed.
    pub fn candidate<G: Board>(&self, number: u64) -> Result<Option<Position<G>>, FenError> {
        // The seed is hashed first, so that neighbouring seeds give different candidates.
        let mut rng = Rng::new(Rng::new(self.seed).next_u64().wrapping_add(number));
        let fen = match self.book.len() {
            0 => self.starts.random(&mut rng).fen(),
            lines => self.book[rng.below(lines as u64) as usize].clone(),
        };
        let position = Position::from_fen(&fen, self.starts.variant().rules().right)?;
        let mut game = BoardGame::new(position);
        let goes_on = random_plies(&mut game, self.plies, &mut rng);
        let position = game.position();
        let is_draw = position.is_insufficient_material() || position.is_fifty_moves();
        Ok((goes_on && !is_draw && !position.in_check()).then(|| position.clone()))
    }

    /// Returns an opening for each balanced candidate, and `None` for each other candidate.
    fn judge<G: Board>(
        &self,
        candidates: &[Option<Position<G>>],
    ) -> Result<Vec<Option<Opening>>, MemoryError> {
        let limits = Limits::nodes(self.nodes);
        let judge = |position: &Position<G>| -> Result<Option<Opening>, MemoryError> {
            // A new searcher is used for each candidate, so that no result depends on earlier searches.
            let score = Searcher::new(HASH)?.search(position, &[], &limits).score;
            let balanced = score.abs() <= self.max_score;
            Ok(balanced.then(|| Opening { fen: position.fen(FenStyle::XFen), score }))
        };
        candidates.par_iter().map(|candidate| candidate.as_ref().map_or(Ok(None), judge)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::Variant;

    fn suite(variant: Variant) -> Suite {
        let starts = Numbering::of(variant).drawn();
        Suite { starts, book: Vec::new(), count: 5, plies: 5, seed: 1, nodes: 500, max_score: 60 }
    }

    fn make(suite: &Suite, threads: usize) -> Vec<Opening> {
        let mut openings = Vec::new();
        let made = suite.make(threads, &mut |found| {
            openings.extend_from_slice(found);
            ControlFlow::Continue(())
        });
        made.map(|()| openings).unwrap()
    }

    #[test]
    fn every_variant_has_balanced_openings() {
        for &variant in Variant::ALL {
            let suite = suite(variant);
            let openings = make(&suite, 2);
            assert_eq!(openings.len(), 5, "{variant}");
            for opening in &openings {
                assert!(opening.score.abs() <= suite.max_score, "{variant}: {opening}");
                let to_move = opening.fen.split(' ').nth(1);
                assert_eq!(to_move, Some("b"), "{variant}: {opening}: odd number of plies");
            }
        }
    }

    #[test]
    fn a_suite_does_not_depend_on_threads_and_a_smaller_suite_is_a_prefix() {
        let small = suite(Variant::Chess960);
        let expected = make(&small, 1);
        assert_eq!(make(&small, 3), expected);
        let large = Suite { count: 12, ..small.clone() };
        assert_eq!(make(&large, 2)[..5], expected);
        let other = Suite { seed: 2, ..small };
        assert!(make(&other, 1).iter().all(|opening| !expected.contains(opening)));
    }

    #[test]
    fn positions_are_unique() {
        // Chess has exactly twenty first moves, so a suite of twenty openings needs all of them.
        let chess = Suite { count: 20, plies: 1, max_score: 1000, ..suite(Variant::Chess) };
        let fens: HashSet<String> =
            make(&chess, 2).into_iter().map(|opening| opening.fen).collect();
        assert_eq!(fens.len(), 20);
        let error = Suite { count: 21, ..chess }.make(2, &mut |_| ControlFlow::Continue(()));
        let error = error.unwrap_err();
        assert!(matches!(error, SuiteError::Exhausted { found: 20, count: 21 }), "{error}");
    }

    #[test]
    fn candidates_are_not_in_check() {
        let chess =
            Suite { count: 60, plies: 9, nodes: 1, max_score: 30_000, ..suite(Variant::Chess) };
        let mut checks = 0;
        for number in 0..400 {
            let mut rng = Rng::new(Rng::new(chess.seed).next_u64().wrapping_add(number));
            let fen = chess.starts.random(&mut rng).fen();
            let right = crate::rules::KingRight::Castling;
            let mut game = BoardGame::new(Position::<Board8x8>::from_fen(&fen, right).unwrap());
            random_plies(&mut game, chess.plies, &mut rng);
            let position = game.position();
            let taken = chess.candidate::<Board8x8>(number).unwrap().is_some();
            assert_eq!(taken, !position.in_check() && position.has_legal_move(), "{position:?}");
            checks += usize::from(position.in_check());
        }
        assert!(checks > 0, "no candidate of the test was in check");
    }

    #[test]
    fn openings_are_passed_on_as_they_are_found_until_stopped() {
        let suite = Suite { count: 2000, nodes: 1, max_score: 30_000, ..suite(Variant::Jepps) };
        let mut found = 0;
        let stopped = suite.make(1, &mut |openings| {
            found += openings.len();
            if found >= 600 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(stopped, Err(SuiteError::Stopped)));
        assert!((600..2000).contains(&found), "{found}");
    }

    #[test]
    fn a_book_replaces_the_starts() {
        let fen = "7k/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned();
        let book = Suite { book: vec![fen], plies: 1, max_score: 30_000, ..suite(Variant::Chess) };
        for opening in make(&book, 1) {
            assert!(opening.fen.starts_with("7k/8/8/8/"), "{opening}");
        }
    }
}
