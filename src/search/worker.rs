//! The state of one search thread, the state that all threads share, and helper functions for every node.

use std::collections::TryReserveError;

use super::context::SearchContext;
use super::correction::Corrections;
use super::history::{ContinuationKey, Histories, is_noisy};
use super::limits::MAX_PLY;
use super::lines::{Progress, RootMove};
use super::root::Root;
use super::stack::Stack;
use super::tt::TableEntry;
use crate::eval::{Evaluator, endgame};
use crate::geometry::Board;
use crate::position::{Position, Threats};
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use crate::tablebase::Prober;
use crate::types::score::{INFINITE, NONE};
use crate::types::{Move, Value};

/// The node and tablebase hit counts of one thread, on a separate cache line. Only one thread writes a
/// counter.
#[derive(Default)]
#[repr(align(64))]
pub struct Counter {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl Counter {
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    #[inline(always)]
    fn count_node(&self) {
        self.nodes.store(self.nodes() + 1, Relaxed);
    }

    pub fn count_tablebase_hits(&self, hits: u64) {
        self.tablebase_hits.fetch_add(hits, Relaxed);
    }

    /// Creates a counter for each thread.
    pub fn of_threads(threads: usize) -> Vec<Counter> {
        (0..threads).map(|_| Counter::default()).collect()
    }
}

/// The divisor that bounds how far several threads exceed a node limit. A thread's share of the limit,
/// divided by this number, is the number of nodes that the thread searches between two checks of the total
/// node count. So the threads exceed the limit by at most 1/32.
const OVERRUN_DIVISOR: u64 = 32;
/// The maximum number of nodes that a thread searches between two checks of the total node count.
const MAX_CHECK_INTERVAL: u64 = 1024;

/// The state that all threads of one search share.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub context: SearchContext<'a>,
    /// Set when a limit is reached. All threads then stop. A pondering search still holds its result back.
    pub over: &'a AtomicBool,
    /// The counters, one for each thread.
    pub counters: &'a [Counter],
    pub node_limit: Option<u64>,
    /// A thread checks the total node count when its own count has none of these bits set.
    pub check_mask: u64,
}

impl<'a> Shared<'a> {
    /// Creates the shared state of a search with one thread for each counter.
    pub fn new(context: &SearchContext<'a>, over: &'a AtomicBool, counters: &'a [Counter]) -> Self {
        let node_limit = context.node_limit();
        let least = node_limit.into_iter().chain(context.limits.soft_nodes).min();
        let interval = match counters.len() as u64 {
            0 | 1 => 1, // the limit is exact
            threads => least.unwrap_or_default() / (OVERRUN_DIVISOR * threads),
        };
        let check_mask = (1 << interval.clamp(1, MAX_CHECK_INTERVAL).ilog2()) - 1;
        Shared { context: *context, over, counters, node_limit, check_mask }
    }

    /// Returns whether all threads must stop.
    #[inline(always)]
    pub fn has_ended(&self) -> bool {
        self.context.control.stop.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Returns the node count of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(Counter::nodes).sum()
    }

    /// Returns whether the threads together have reached the node limit.
    pub fn nodes_are_spent(&self) -> bool {
        self.node_limit.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Returns whether the threads together have reached the soft node limit, after which no iteration
    /// begins.
    pub fn soft_nodes_are_spent(&self) -> bool {
        self.context.limits.soft_nodes.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Returns the tablebase hits of all threads.
    fn tablebase_hits(&self) -> u64 {
        self.counters.iter().map(|counter| counter.tablebase_hits.load(Relaxed)).sum()
    }

    /// Reports a line, whose index counts from 0.
    pub fn report(&self, line: &RootMove, index: usize, depth: i32) {
        let progress = Progress {
            depth,
            nodes: self.nodes(),
            time: self.context.time.elapsed(),
            hash_full: self.context.table.hash_full(),
            tablebase_hits: self.tablebase_hits(),
        };
        self.context.listener.line(line, index + 1, &progress);
    }
}

/// The data that a thread keeps between the searches of a game, and the thread's search stack.
pub struct ThreadData<G: Board> {
    pub histories: Histories<G>,
    pub corrections: Corrections,
    pub evaluator: Evaluator<G>,
    stack: Stack<G>,
}

impl<G: Board> ThreadData<G> {
    /// Creates empty tables of some megabytes; fails if the allocation fails.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(ThreadData {
            histories: Histories::new()?,
            corrections: Corrections::new()?,
            evaluator: Evaluator::new()?,
            stack: Stack::new()?,
        })
    }

    /// Clears all histories, for a new game.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// The state of one thread during one search.
pub struct Worker<'a, G: Board> {
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories<G>,
    pub corrections: &'a mut Corrections,
    evaluator: &'a mut Evaluator<G>,
    pub stack: &'a mut Stack<G>,
    /// The number of the thread. Thread 0 reports and decides when to stop.
    pub id: usize,
    counter: &'a Counter,
    pub root: &'a Position<G>,
    pub root_moves: Vec<RootMove>,
    /// The index of the line that is being searched (MultiPV).
    pub pv_index: usize,
    /// The end of the range of root moves that may start the current line. The root moves behind this range
    /// have a worse tablebase rank.
    pub pv_end: usize,
    /// The tablebases to probe in the tree.
    pub prober: Option<&'a Prober>,
    pub root_depth: i32,
    pub completed_depth: i32,
    pub selective_depth: usize,
    /// The ply at which the main search ends. A search for a mate in N moves ends at ply 2 N although the
    /// depth of its iterations keeps growing. With growing depth, the search reduces and prunes less and
    /// less.
    pub last_ply: usize,
    /// The first ply at which null moves are allowed while a null move is being verified.
    pub null_move_from: usize,
    /// The ply of the node whose null move is being verified.
    pub verified_ply: Option<usize>,
    pub stopped: bool,
    pub nodes: u64,
}

impl<'a, G: Board> Worker<'a, G> {
    /// Creates a worker at the root.
    pub fn new(
        id: usize,
        shared: &'a Shared<'a>,
        counter: &'a Counter,
        data: &'a mut ThreadData<G>,
        root: &Root<'a, G>,
    ) -> Self {
        data.stack.reset(root.position.key(), root.earlier);
        data.evaluator.reset(root.position);
        Worker {
            shared,
            histories: &mut data.histories,
            corrections: &mut data.corrections,
            evaluator: &mut data.evaluator,
            stack: &mut data.stack,
            id,
            counter,
            root: root.position,
            root_moves: root.moves.clone(),
            pv_index: 0,
            pv_end: root.moves.len(),
            prober: root.prober,
            root_depth: 0,
            completed_depth: 0,
            selective_depth: 0,
            last_ply: shared.context.limits.last_ply(),
            null_move_from: 0,
            verified_ply: None,
            stopped: false,
            nodes: 0,
        }
    }

    /// Makes a move on a copy of the position and goes down a ply. [`Self::ascend`] goes back up. Each call
    /// counts as a node, as in Stockfish. Null moves and re-searches of the same position do not count.
    #[inline(always)]
    pub fn descend(&mut self, position: &Position<G>, mv: Move, ply: usize) -> Position<G> {
        self.nodes += 1;
        self.counter.count_node();
        // Prefetch early, because a memory access takes longer than making the move.
        self.shared.context.table.prefetch(position.key_after(mv));
        let child = self.evaluator.push(position, mv);
        let continuation = ContinuationKey::new::<G>(position.moved_piece(mv), mv.to());
        let quiet = !is_noisy(position, mv);
        let captured = position.captured(mv);
        self.stack.push(ply, Some(mv), quiet, captured, continuation, child.key());
        child
    }

    /// Makes a null move and goes down a ply.
    #[inline(always)]
    pub fn descend_null(&mut self, position: &Position<G>, ply: usize) -> Position<G> {
        let child = self.evaluator.push_null(position);
        self.shared.context.table.prefetch(child.key());
        let none = ContinuationKey::none::<G>();
        self.stack.push(ply, None, false, None, none, child.key());
        child
    }

    /// Goes back up a ply.
    #[inline(always)]
    pub fn ascend(&mut self) {
        self.stack.pop();
        self.evaluator.pop();
    }

    /// Returns whether the search has a move to play. With MultiPV, an iteration must be complete.
    /// Otherwise one searched root move suffices.
    #[cold]
    fn has_move_to_play(&self) -> bool {
        let one_line = self.shared.context.limits.multi_pv <= 1;
        self.completed_depth > 0
            || one_line && self.root_moves.iter().any(|line| line.value > -INFINITE)
    }

    /// Whether this is a mate search. A mate too long for `MAX_PLY` makes it an ordinary search.
    #[inline(always)]
    pub fn seeks_mate(&self) -> bool {
        self.last_ply < MAX_PLY
    }

    /// Sets `stopped` if the search must end. The first thread continues until it has a move to play, but
    /// for at most 10,000 nodes.
    #[inline(always)]
    pub fn check_limits(&mut self) {
        if self.shared.has_ended() || self.limit_is_reached() {
            self.stopped = self.id > 0 || self.has_move_to_play() || self.nodes > 10_000;
        }
    }

    /// Counts a tablebase hit.
    pub fn count_tablebase_hit(&self) {
        self.counter.count_tablebase_hits(1);
    }

    /// Returns whether a limit is reached. A hard limit ends the search on all threads. The soft node limit
    /// ends the search of the helpers only, while the first thread completes its iteration.
    #[inline(always)]
    fn limit_is_reached(&self) -> bool {
        let shared = self.shared;
        let is_check_due = self.nodes & shared.check_mask == 0;
        let ended = shared.node_limit.is_some() && is_check_due && shared.nodes_are_spent()
            || self.nodes.is_multiple_of(512) && shared.context.must_end();
        if ended {
            shared.over.store(true, Relaxed);
        }
        ended || self.id > 0 && is_check_due && shared.soft_nodes_are_spent()
    }

    /// Returns the static evaluation before 50-move scaling.
    #[inline]
    fn unscaled(&mut self, position: &Position<G>) -> Value {
        let eval = self.evaluator.evaluate_unscaled(position);
        match self.shared.context.skill {
            None => eval,
            Some(skill) => skill.distort(eval, position.key()),
        }
    }

    /// Returns the squares that the opponent of the side to move attacks in the current position.
    #[inline(always)]
    pub fn threats(&mut self, position: &Position<G>) -> Threats<G> {
        self.evaluator.threats(!position.side_to_move())
    }

    /// Returns whether a weak level overlooks a move of the node at this ply.
    #[inline(always)]
    pub fn overlooks(&self, position: &Position<G>, mv: Move, ply: usize) -> bool {
        let last = self.stack.before(ply).mv;
        let skill = self.shared.context.skill;
        skill.is_some_and(|skill| skill.overlooks::<G>(position.key(), mv, last))
    }

    /// Returns the static evaluation with 50-move scaling.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        endgame::scale_by_halfmove_clock(self.unscaled(position), position)
    }

    /// Returns the evaluation of a node before 50-move scaling and correction history. Takes the evaluation
    /// from the table entry if possible. Otherwise computes the evaluation and stores it immediately,
    /// because many nodes end without a result to store. The stored evaluation is unscaled because the
    /// halfmove clock is not part of a position's key.
    #[inline]
    pub fn raw_eval(
        &mut self,
        position: &Position<G>,
        entry: Option<TableEntry>,
        ply: usize,
        pv: bool,
    ) -> Value {
        if let Some(entry) = entry.filter(|entry| entry.eval != NONE) {
            return entry.eval;
        }
        let eval = self.unscaled(position);
        self.shared.context.table.store(position.key(), ply, TableEntry::evaluation(eval, pv));
        eval
    }

    /// Applies 50-move scaling and correction history to a raw evaluation.
    #[inline(always)]
    pub fn corrected(&self, position: &Position<G>, raw: Value, ply: usize) -> Value {
        let eval = endgame::scale_by_halfmove_clock(raw, position);
        self.corrections.apply(position, self.stack.last_moves(ply), eval)
    }

    /// Returns whether the node is a draw by the fifty-move rule, repetition or insufficient material.
    #[inline]
    pub fn is_draw(&self, position: &Position<G>, ply: usize) -> bool {
        position.is_fifty_moves()
            || self.stack.is_repetition(position, ply)
            || position.is_insufficient_material()
    }
}
