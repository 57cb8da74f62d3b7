//! A searcher that runs on the calling thread, for tools that play many games at once, one game on each
//! thread.

use std::sync::Arc;
use std::time::Duration;

use super::context::{Control, SearchContext};
use super::limits::Limits;
use super::lines::RootLines;
use super::run;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::worker::{Counter, Shared, ThreadData};
use crate::eval::nnue::Network;
use crate::geometry::Board;
use crate::host::Instant;
use crate::position::Position;
use crate::sync::atomic::AtomicBool;
use crate::system::MemoryError;
use crate::types::Value;

/// A searcher with a separate transposition table and histories. It runs on the calling thread and
/// reports nothing while it searches.
///
/// A searcher is deterministic: with depth or node limits, the results depend only on the calls since the
/// searcher was created or cleared.
pub struct Searcher<G: Board> {
    table: TranspositionTable,
    data: ThreadData<G>,
}

impl<G: Board> Searcher<G> {
    /// Creates a searcher with a hash table of `mebibytes` MiB.
    pub fn new(mebibytes: usize) -> Result<Self, MemoryError> {
        Ok(Searcher { table: TranspositionTable::new(mebibytes)?, data: ThreadData::new()? })
    }

    /// Replaces the evaluation network and clears the table and the histories.
    pub fn set_network(&mut self, network: Arc<Network<G>>) -> Result<(), MemoryError> {
        self.clear();
        Ok(self.data.evaluator.set_network(network)?)
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        self.table.clear();
        self.data.clear();
    }

    /// Returns the static evaluation of a position for the side to move, in the unit of search values.
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        self.data.evaluator.evaluate_alone(position)
    }

    /// Searches a position. `earlier` holds the keys of the game's earlier positions, oldest first. If
    /// there is no legal move, the result has no move and the score of a mate or a draw.
    pub fn search(&mut self, root: &Position<G>, earlier: &[u64], limits: &Limits) -> RootLines {
        let own = limits.mate.map(|_| self.table.for_mates());
        let table = own.as_ref().unwrap_or(&self.table);
        table.age();
        let time = TimeManager::new(limits, root.side_to_move(), Instant::now(), Duration::ZERO);
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
    fn a_cleared_searcher_answers_like_a_new_one() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let root = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let mut searcher = Searcher::new(1).unwrap();
        let limits = Limits::nodes(5_000);
        let first = searcher.search(&root, &[], &limits);
        assert_eq!((first.nodes, first.best().is_some()), (5_000, true));
        searcher.clear();
        assert_eq!(searcher.search(&root, &[], &limits), first);
    }

    #[test]
    fn histories_age_after_enough_nodes() {
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
    fn a_mated_root_has_no_best_move() {
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let root = Position::<Board8x8>::from_fen(mated, KingRight::Castling).unwrap();
        let outcome = Searcher::new(1).unwrap().search(&root, &[], &Limits::depth(3));
        assert_eq!((outcome.best(), outcome.score), (None, -MATE));
    }
}
