//! The root of a search: its moves, the lines a thread finds, and what comes of them.

use super::context::SearchContext;
use super::report::Bound;
use crate::attacks::Board;
use crate::position::Position;
use crate::tablebase::{self, Prober};
use crate::types::score::{DRAW, INFINITE, MATE, is_mate};
use crate::types::{Move, Value};

/// Where a search begins.
pub struct Root<'a, G: Board> {
    pub position: &'a Position<G>,
    /// Keys of the game's earlier positions, the first one first.
    pub earlier: &'a [u64],
    /// The moves to choose from, in the order of squares, whatever order the generator has; where
    /// tables know better, the better ones first.
    pub moves: Vec<RootMove>,
    /// How many of them were looked up.
    pub tablebase_hits: u64,
    /// What the tree may ask.
    pub prober: Option<&'a Prober>,
}

impl<'a, G: Board> Root<'a, G> {
    /// With the legal moves, or those of them that were asked for; of these what comes to the player's mind.
    pub fn new(position: &'a Position<G>, earlier: &'a [u64], context: &SearchContext<'a>) -> Self {
        let asked = &context.limits.search_moves;
        let legal = position.legal_moves().into_iter();
        let mut moves: Vec<Move> =
            legal.filter(|mv| asked.is_empty() || asked.contains(mv)).collect();
        moves.sort_by_key(|mv| mv.bits());
        if let Some(skill) = context.skill {
            skill.choose_from(position, &mut moves);
        }
        let lines = moves.iter().map(|&mv| RootMove::new(mv)).collect();
        let mut root =
            Root { position, earlier, moves: lines, tablebase_hits: 0, prober: context.prober };
        root.look_up(&moves);
        root
    }

    /// Ranks the moves by the tables, if these know them.
    fn look_up(&mut self, moves: &[Move]) {
        let Some(prober) = self.prober else { return };
        let Some(ranking) = tablebase::rank(prober, self.position, self.earlier, moves) else {
            return;
        };
        for (line, ranked) in self.moves.iter_mut().zip(&ranking.moves) {
            (line.rank, line.tablebase_score) = (ranked.rank, Some(ranked.score));
        }
        self.moves.sort_by_key(|line| std::cmp::Reverse(line.rank));
        self.tablebase_hits = moves.len() as u64;
        // The tree is asked where there is a win and the way to it is not known.
        let is_won = self.moves.first().is_some_and(|line| line.tablebase_score > Some(DRAW));
        if ranking.by_dtz || !is_won {
            self.prober = None;
        }
    }
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// In the current iteration; `-INFINITE` if it was not searched or did not reach the window.
    pub value: Value,
    /// In the iteration before.
    pub previous: Value,
    pub bound: Bound,
    pub selective_depth: usize,
    /// Nodes spent on it in the whole search.
    pub nodes: u64,
    pub pv: Vec<Move>,
    /// Moves of a higher rank are better, whatever the search says; see
    /// [`Ranked`](tablebase::Ranked).
    pub rank: i32,
    /// What tables say that it is worth.
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

    /// As it is told: tables know better what it is worth, but no mates.
    pub fn with_display_score(&self) -> RootMove {
        let searched = self.value > -INFINITE && !is_mate(self.value);
        match self.tablebase_score.filter(|_| searched) {
            Some(value) => RootMove { value, bound: Bound::Exact, ..self.clone() },
            None => self.clone(),
        }
    }
}

/// The lines a thread ends with.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The depth at which they were searched: all of them, or the first one in an iteration that was
    /// broken off.
    pub depth: i32,
    /// The depth of the last iteration that was finished, 0 if none was.
    pub finished_depth: i32,
    /// Best first; as many as were asked for.
    pub lines: Vec<RootMove>,
    /// Whether the last iteration was broken off.
    pub stopped: bool,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// For the side to move.
    pub score: Value,
    pub depth: i32,
    /// The deepest ply that was looked at.
    pub selective_depth: usize,
    /// Nodes of all threads.
    pub nodes: u64,
    /// The whole line.
    pub pv: Vec<Move>,
    /// Whether the last iteration was broken off.
    pub stopped: bool,
}

impl SearchResult {
    /// The first of the lines that a thread ended with.
    pub fn of(lines: Lines, nodes: u64) -> SearchResult {
        let Lines { depth, mut lines, stopped, .. } = lines;
        let RootMove { mv, value: score, selective_depth, pv, .. } = lines.swap_remove(0);
        let ponder = pv.get(1).copied();
        SearchResult { best: Some(mv), ponder, score, depth, selective_depth, nodes, pv, stopped }
    }

    /// Of a game that is over: no move, and mate or a draw.
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
