//! One thread that searches by itself: for tools that run many games at once, one on each thread.

use std::sync::Arc;
use std::time::Duration;

use super::context::{Control, SearchContext};
use super::limits::Limits;
use super::root::SearchResult;
use super::run;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::worker::{Counter, Shared, ThreadData};
use crate::attacks::Board;
use crate::eval::nnue::Network;
use crate::host::Instant;
use crate::position::Position;
use crate::sync::atomic::AtomicBool;
use crate::system::MemoryError;
use crate::types::Value;

/// A searcher with a transposition table and histories of its own. It runs on the thread that
/// calls it and is silent.
///
/// What it answers is a function of what it was asked since it was made or cleared, as long as
/// the limits name depth or nodes and not time.
pub struct Searcher<G: Board> {
    table: TranspositionTable,
    data: ThreadData<G>,
}

impl<G: Board> Searcher<G> {
    /// A searcher with this many MiB of hash.
    pub fn new(mebibytes: usize) -> Result<Self, MemoryError> {
        Ok(Searcher { table: TranspositionTable::new(mebibytes)?, data: ThreadData::new()? })
    }

    /// From now on this network evaluates and not the one that is built in. What was searched before is
    /// forgotten.
    pub fn set_network(&mut self, network: Arc<Network<G>>) -> Result<(), MemoryError> {
        self.clear();
        Ok(self.data.evaluator.set_network(network)?)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.data.clear();
    }

    /// The static evaluation for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        self.data.evaluator.evaluate_alone(position)
    }

    /// Searches a position; `earlier` are the keys of the game's positions before it, the first
    /// one first. Without a legal move the answer has none, and the score of mate or a draw.
    pub fn search(&mut self, root: &Position<G>, earlier: &[u64], limits: &Limits) -> SearchResult {
        let own = limits.mate.map(|_| self.table.for_mates());
        let table = own.as_ref().unwrap_or(&self.table);
        table.age();
        let time = TimeManager::new(limits, Instant::now(), Duration::ZERO);
        let control = Control::default();
        let context = SearchContext::new(table, limits, &time, &control);
        let (over, counters) = (AtomicBool::new(false), [Counter::default()]);
        let shared = Shared::new(&context, &over, &counters);
        run::alone(&shared, &counters[0], &mut self.data, root, earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;
    use crate::types::score::MATE;

    #[test]
    fn cleared_it_answers_as_if_new() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let root = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let mut searcher = Searcher::new(1).unwrap();
        let limits = Limits::nodes(5_000);
        let first = searcher.search(&root, &[], &limits);
        assert_eq!((first.nodes, first.best.is_some()), (5_000, true));
        searcher.clear();
        assert_eq!(searcher.search(&root, &[], &limits), first);
    }

    #[test]
    fn histories_age_between_searches_once_enough_was_searched() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let root = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let mut searcher = Searcher::new(1).unwrap();
        let mut counts = Vec::new();
        for _ in 0..3 {
            searcher.search(&root, &[], &Limits::nodes(5_000));
            counts.push(searcher.data.histories.searched);
        }
        assert_eq!(counts, [5_000, 10_000, 5_000]);
    }

    #[test]
    fn the_end_of_a_game_has_no_move() {
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let root = Position::<Board8x8>::from_fen(mated, KingRight::Castling).unwrap();
        let outcome = Searcher::new(1).unwrap().search(&root, &[], &Limits::depth(3));
        assert_eq!((outcome.best, outcome.score), (None, -MATE));
    }
}
