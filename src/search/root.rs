//! The root of a search: its moves, the lines that a thread finds, and the result.

use super::context::SearchContext;
use super::report::Bound;
use crate::attacks::Board;
use crate::position::Position;
use crate::tablebase::{self, Prober};
use crate::types::score::{DRAW, INFINITE, MATE, is_mate};
use crate::types::{Move, Value};

/// The root position of a search and its moves.
pub struct Root<'a, G: Board> {
    pub position: &'a Position<G>,
    /// The keys of the game's earlier positions, oldest first.
    pub earlier: &'a [u64],
    /// The moves to search, ordered by tablebase rank and then by their bits, so that the order does not
    /// depend on the move generator.
    pub moves: Vec<RootMove>,
    /// The number of moves found in the tablebases.
    pub tablebase_hits: u64,
    /// The tablebases to probe inside the tree, if that helps.
    pub prober: Option<&'a Prober>,
}

impl<'a, G: Board> Root<'a, G> {
    /// Creates the root with the legal moves, restricted to `searchmoves` and to the moves that the skill
    /// level considers.
    pub fn new(position: &'a Position<G>, earlier: &'a [u64], context: &SearchContext<'a>) -> Self {
        let wanted = &context.limits.search_moves;
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

    /// Ranks the moves by the tablebases, if these cover all of them.
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
        // Once the moves are ranked, the tree needs to probe only in a won position without DTZ, where
        // the ranks alone make no progress.
        let is_won = self.moves.first().is_some_and(|line| line.tablebase_score > Some(DRAW));
        if ranking.by_dtz || !is_won {
            self.prober = None;
        }
    }
}

/// A root move and its results.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// The value in the current iteration; `-INFINITE` if the move was not searched or is not better
    /// than the best one.
    pub value: Value,
    /// The value in the previous iteration.
    pub previous: Value,
    pub bound: Bound,
    pub selective_depth: usize,
    /// Nodes spent on it in the whole search.
    pub nodes: u64,
    pub pv: Vec<Move>,
    /// The tablebase rank, which takes precedence over the value; see [`Ranked`](tablebase::Ranked).
    pub rank: i32,
    /// The score by the tablebases.
    pub tablebase_score: Option<Value>,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Upper,
            selective_depth: 0,
            nodes: 0,
            pv: vec![mv],
            rank: 0,
            tablebase_score: None,
        }
    }

    /// Returns the move with the score to report: that of the tablebases, except for mates.
    pub fn with_display_score(&self) -> RootMove {
        let searched = self.value > -INFINITE && !is_mate(self.value);
        match self.tablebase_score.filter(|_| searched) {
            Some(value) => RootMove { value, bound: Bound::Exact, ..self.clone() },
            None => self.clone(),
        }
    }
}

/// The lines found by one thread.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The depth of the lines. If the last iteration was stopped, it may apply to the first line only.
    pub depth: i32,
    /// The depth of the last finished iteration, 0 if there is none.
    pub finished_depth: i32,
    /// The requested number of lines, best first.
    pub lines: Vec<RootMove>,
    /// Whether the last iteration was stopped.
    pub stopped: bool,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// For the side to move.
    pub score: Value,
    pub depth: i32,
    /// The deepest ply that was searched.
    pub selective_depth: usize,
    /// The node count of all threads.
    pub nodes: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Whether the last iteration was stopped.
    pub stopped: bool,
}

impl SearchResult {
    /// Creates the result from a thread's best line.
    pub fn of(lines: Lines, nodes: u64) -> SearchResult {
        let Lines { depth, mut lines, stopped, .. } = lines;
        let RootMove { mv, value: score, selective_depth, pv, .. } = lines.swap_remove(0);
        let ponder = pv.get(1).copied();
        SearchResult { best: Some(mv), ponder, score, depth, selective_depth, nodes, pv, stopped }
    }

    /// Creates the result for a position without legal moves: no move, and a mate or a draw.
    pub fn of_the_end<G: Board>(position: &Position<G>) -> SearchResult {
        SearchResult {
            best: None,
            ponder: None,
            score: if position.in_check() { -MATE } else { DRAW },
            depth: 0,
            selective_depth: 0,
            nodes: 0,
            pv: Vec::new(),
            stopped: false,
        }
    }
}
