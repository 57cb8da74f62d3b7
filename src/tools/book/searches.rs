//! Makes a book from searches of positions.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::Ordering::Relaxed;

use crate::book::{BookLine, BookMove, key_of, spelt};
use crate::engine::{EngineError, SearchInfo};
use crate::game::Game;
use crate::search::{Control, Limits};
use crate::tools::position_searcher::PositionSearcher;
use crate::types::Score;

/// The score of a mate in centipawns, larger than any evaluation.
const MATE: i32 = 30_000;

/// Searches the positions of a book. No search depends on earlier searches.
pub struct BookSearcher {
    searcher: PositionSearcher,
    plies: usize,
    breadth: usize,
    margin: i32,
}

impl BookSearcher {
    /// Creates a searcher for books. A book covers `plies` plies from its root position. For each position,
    /// the book has up to `breadth` moves, which are at most `margin` centipawns worse than the best move.
    pub fn new(
        limits: Limits,
        hash: usize,
        plies: usize,
        breadth: usize,
        margin: i32,
    ) -> BookSearcher {
        let limits = Limits { multi_pv: breadth, ..limits };
        BookSearcher { searcher: PositionSearcher::new(limits, hash, 1), plies, breadth, margin }
    }

    /// Makes the book of the positions reached from `root`, breadth first. The weight of a move is
    /// `margin + 1`, minus the number of centipawns by which the move is worse than the best. Returns `None`
    /// if `control` stops the search.
    pub fn book(
        &mut self,
        root: &Game,
        control: &Control,
    ) -> Result<Option<Vec<BookLine>>, EngineError> {
        let mut lines = Vec::new();
        let mut seen = HashSet::from([key_of(root)]);
        let mut waiting = VecDeque::from([(root.clone(), 1)]);
        while let Some((game, ply)) = waiting.pop_front() {
            if game.termination().is_some() {
                continue;
            }
            self.searcher.begin(&game)?;
            let found = self.searcher.search(&game, control, &())?.lines;
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

    fn line(&self, game: &Game, found: &[SearchInfo]) -> BookLine {
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
    fn books_of_every_variant_have_the_requested_breadth_and_depth() {
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
            assert_eq!(texts(&again), texts(&lines), "earlier searches must not matter");
            control.stop.store(true, Relaxed);
            assert!(searcher.book(&root, &control).unwrap().is_none());
        }
    }
}
