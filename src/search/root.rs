//! The root of a search: its position and moves.

use super::context::SearchContext;
use super::lines::RootMove;
use crate::geometry::Board;
use crate::position::Position;
use crate::tablebase::{self, Prober};
use crate::types::Move;
use crate::types::score::DRAW;

/// The root position of a search and its moves.
pub struct Root<'a, G: Board> {
    pub position: &'a Position<G>,
    /// The keys of the game's earlier positions, oldest first.
    pub earlier: &'a [u64],
    /// The moves to search, ordered by tablebase rank and then by the bits of the move, so that the order
    /// does not depend on the move generator.
    pub moves: Vec<RootMove>,
    /// The number of moves found in the tablebases.
    pub tablebase_hits: u64,
    /// The tablebases to probe inside the tree, or `None` if probing would not help.
    pub prober: Option<&'a Prober>,
}

impl<'a, G: Board> Root<'a, G> {
    /// Creates the root with the legal moves, restricted to `searchmoves` and to the moves that the skill
    /// level considers.
    pub fn new(position: &'a Position<G>, earlier: &'a [u64], context: &SearchContext<'a>) -> Self {
        let wanted = context.search_moves;
        let legal = position.legal_moves().into_iter();
        let mut moves: Vec<Move> =
            legal.filter(|mv| wanted.is_empty() || wanted.contains(mv)).collect();
        moves.sort_by_key(|mv| mv.bits());
        if let Some(skill) = context.skill {
            skill.choose_from(position, &mut moves);
        }
        let lines = moves.iter().map(|&mv| RootMove::new(mv)).collect();
        let mut root =
            Root { position, earlier, moves: lines, tablebase_hits: 0, prober: context.prober };
        root.rank_by_tablebase(&moves);
        root
    }

    /// Ranks the moves by the tablebases, if the tablebases cover all moves.
    fn rank_by_tablebase(&mut self, moves: &[Move]) {
        let Some(prober) = self.prober else { return };
        let Some(ranking) = tablebase::rank(prober, self.position, self.earlier, moves) else {
            return;
        };
        for (line, ranked) in self.moves.iter_mut().zip(&ranking.moves) {
            (line.rank, line.tablebase_score) = (ranked.rank, Some(ranked.score));
        }
        self.moves.sort_by_key(|line| std::cmp::Reverse(line.rank));
        self.tablebase_hits = moves.len() as u64;
        // Once the root moves are ranked, the tree is usually not probed any more. Only a won position
        // without DTZ tables needs more probes, because ranks by WDL alone make no progress.
        let is_won = self.moves.first().is_some_and(|line| line.tablebase_score > Some(DRAW));
        if ranking.by_dtz || !is_won {
            self.prober = None;
        }
    }
}
