//! A book of what the engine thinks.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::Ordering::Relaxed;

use crate::book::{BookLine, BookMove, key_of, spelt};
use crate::engine::{EngineError, Line, Score};
use crate::game::{Game, GameError};
use crate::search::{Control, Limits};
use crate::tools::position_searcher::PositionSearcher;

/// More centipawns than any evaluation: what a mate counts.
const MATE: i32 = 30_000;

/// Searches the positions of a book, each as if there were no other.
pub struct BookSearcher {
    searcher: PositionSearcher,
    plies: usize,
    breadth: usize,
    margin: i32,
}

impl BookSearcher {
    /// From each root so many plies are looked at, and in each position up to `breadth` moves that
    /// are at most `margin` centipawns worse than the best one.
    pub fn new(
        limits: Limits,
        hash: usize,
        plies: usize,
        breadth: usize,
        margin: i32,
    ) -> BookSearcher {
        let limits = Limits { multi_pv: breadth, ..limits };
        BookSearcher { searcher: PositionSearcher::new(limits, hash), plies, breadth, margin }
    }

    /// The book from a position on: the position itself, then what its moves lead to, level by level.
    /// A move's weight is the margin and one, less what it is worse than the best. Nothing comes back
    /// if `control` stopped it.
    pub fn book(
        &mut self,
        root: &Game,
        control: &Control,
    ) -> Result<Option<Vec<BookLine>>, BookSearcherError> {
        let mut lines = Vec::new();
        let mut seen = HashSet::from([key_of(root)]);
        let mut waiting = VecDeque::from([(root.clone(), 1)]);
        while let Some((game, ply)) = waiting.pop_front() {
            if game.outcome().is_some() {
                continue;
            }
            self.searcher.begin(&game)?;
            let (found, _) = self.searcher.lines(&game, control)?;
            if control.stop.load(Relaxed) {
                return Ok(None);
            }
            let line = self.line(&game, &found);
            for mv in line.moves.iter().filter(|_| ply < self.plies) {
                let mut next = game.clone();
                next.play(&mv.uci)?;
                if seen.insert(key_of(&next)) {
                    waiting.push_back((next, ply + 1));
                }
            }
            if !line.moves.is_empty() {
                lines.push(line);
            }
        }
        Ok(Some(lines))
    }

    fn line(&self, game: &Game, found: &[Line]) -> BookLine {
        let best = found.first().map(|line| value(line.score));
        let mut moves: Vec<BookMove> = Vec::new();
        for line in found.iter().take(self.breadth) {
            let worse = best.unwrap_or(0) - value(line.score);
            let uci = line.pv.first().and_then(|uci| spelt(game, uci, true));
            if let Some(uci) = uci.filter(|uci| moves.iter().all(|mv| mv.uci != *uci))
                && worse <= self.margin
            {
                let weight = (self.margin + 1 - worse.max(0)) as u32;
                moves.push(BookMove { uci, weight });
            }
        }
        BookLine { game: game.clone(), moves, score: best }
    }
}

/// Why there is no book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookSearcherError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// What the engine thinks of can be played, so this does not happen.
    #[error(transparent)]
    Game(#[from] GameError),
}

const fn value(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) => moves.signum() * (MATE - moves.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;
    use crate::start::Start;

    #[test]
    fn books_of_every_variant_are_as_broad_and_deep_as_asked_for() {
        for &variant in Variant::ALL {
            let root = Game::new(variant, &Start::standard(variant).fen()).unwrap();
            let mut searcher = BookSearcher::new(Limits::nodes(300), 1, 2, 3, 40);
            let control = Control::default();
            let lines = searcher.book(&root, &control).unwrap().unwrap();
            assert_eq!(lines[0].moves[0].weight, 41);
            assert_eq!(lines.len(), 1 + lines[0].moves.len(), "{variant}");
            for line in &lines {
                assert!((1..=3).contains(&line.moves.len()), "{line}");
                let read = BookLine::parse(&line.to_string(), variant).unwrap();
                assert_eq!((&read.moves, read.score), (&line.moves, line.score));
            }
            let again = searcher.book(&root, &control).unwrap().unwrap();
            let texts =
                |lines: &[BookLine]| lines.iter().map(BookLine::to_string).collect::<Vec<_>>();
            assert_eq!(texts(&again), texts(&lines), "nothing is remembered");
            control.stop.store(true, Relaxed);
            assert!(searcher.book(&root, &control).unwrap().is_none());
        }
    }
}
