//! What one thread of a search owns, and the questions that every node asks.

use std::collections::TryReserveError;

use super::context::SearchContext;
use super::correction::Corrections;
use super::history::{ContinuationKey, Histories, is_noisy};
use super::report::Info;
use super::root::{Root, RootMove};
use super::stack::Stack;
use super::tt::TableEntry;
use crate::attacks::Board;
use crate::eval::{Evaluator, endgame};
use crate::position::{Position, Threats};
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use crate::tablebase::Prober;
use crate::types::score::{INFINITE, NONE};
use crate::types::{Move, Value};

/// A thread's counts of nodes and of hits in the tablebases, on a cache line of its own. Only
/// its owner writes.
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

    /// Counters for this many threads.
    pub fn of_threads(threads: usize) -> Vec<Counter> {
        (0..threads).map(|_| Counter::default()).collect()
    }
}

/// Between two looks at the sum of all nodes a thread searches its part of the limit divided by
/// this: all threads together exceed the limit by no larger share.
const OVERRUN_DIVISOR: u64 = 32;
/// A thread looks at the sum after this many nodes at the latest.
const MOST_BETWEEN_LOOKS: u64 = 1024;

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub context: SearchContext<'a>,
    /// Set when a limit is reached: nobody searches on, but while pondering the answer
    /// waits.
    pub over: &'a AtomicBool,
    /// One for each thread.
    pub counters: &'a [Counter],
    pub node_limit: Option<u64>,
    /// A thread takes the sum of all nodes when its own have none of these bits.
    pub look_mask: u64,
}

impl<'a> Shared<'a> {
    /// Of a search by as many threads as there are counters.
    pub fn new(context: &SearchContext<'a>, over: &'a AtomicBool, counters: &'a [Counter]) -> Self {
        let node_limit = context.node_limit();
        let least = node_limit.into_iter().chain(context.limits.soft_nodes).min();
        let between_looks = match counters.len() as u64 {
            0 | 1 => 1, // the limit is exact
            threads => least.unwrap_or_default() / (OVERRUN_DIVISOR * threads),
        };
        let look_mask = (1 << between_looks.clamp(1, MOST_BETWEEN_LOOKS).ilog2()) - 1;
        Shared { context: *context, over, counters, node_limit, look_mask }
    }

    /// Whether nobody is to search on.
    #[inline(always)]
    pub fn has_ended(&self) -> bool {
        self.context.control.stop.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(Counter::nodes).sum()
    }

    /// Whether the threads together have searched as many nodes as they may.
    pub fn nodes_are_spent(&self) -> bool {
        self.node_limit.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Whether no thread should begin another iteration.
    pub fn soft_nodes_are_spent(&self) -> bool {
        self.context.limits.soft_nodes.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Hits in the tablebases of all threads.
    fn tablebase_hits(&self) -> u64 {
        self.counters.iter().map(|counter| counter.tablebase_hits.load(Relaxed)).sum()
    }

    /// What there is to say of a line, by number from 0.
    pub fn info(&self, line: &RootMove, index: usize, depth: i32) -> Info {
        Info {
            depth,
            selective_depth: line.selective_depth.max(1),
            multi_pv: index + 1,
            score: line.value,
            bound: line.bound,
            nodes: self.nodes(),
            time: self.context.time.elapsed(),
            hash_full: self.context.table.hash_full(),
            tablebase_hits: self.tablebase_hits(),
            pv: line.pv.clone(),
        }
    }
}

/// What a thread learns and keeps from one search of a game to the next, and its room to search.
pub struct ThreadData<G: Board> {
    pub histories: Histories<G>,
    pub corrections: Corrections,
    pub evaluator: Evaluator<G>,
    stack: Stack<G>,
}

impl<G: Board> ThreadData<G> {
    /// Nothing is learned yet. Some megabytes: an error if they are not to be had.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(ThreadData {
            histories: Histories::new()?,
            corrections: Corrections::new()?,
            evaluator: Evaluator::new()?,
            stack: Stack::new()?,
        })
    }

    /// Forgets the game.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// One thread of one search.
pub struct Worker<'a, G: Board> {
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories<G>,
    pub corrections: &'a mut Corrections,
    evaluator: &'a mut Evaluator<G>,
    pub stack: &'a mut Stack<G>,
    /// 0 for the thread that reports and decides when the search is enough.
    pub id: usize,
    counter: &'a Counter,
    pub root: &'a Position<G>,
    pub root_moves: Vec<RootMove>,
    /// The line that is being searched, of several.
    pub pv_index: usize,
    /// Where the moves end that it is to be found among: those behind have a worse rank.
    pub pv_end: usize,
    /// Tablebases for the tree to ask.
    pub prober: Option<&'a Prober>,
    pub root_depth: i32,
    pub completed_depth: i32,
    pub selective_depth: usize,
    /// No search goes deeper in the tree. A search for a mate in some moves ends with them, and its
    /// depth grows none the less: so it reduces and prunes less and less.
    pub last_ply: usize,
    /// No null move before this ply, while one is being verified.
    pub null_move_from: usize,
    /// The ply of the node whose null move is being verified.
    pub verified_ply: Option<usize>,
    pub stopped: bool,
    pub nodes: u64,
}

impl<'a, G: Board> Worker<'a, G> {
    /// A worker at the root.
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

    /// Makes a move on a copy of the position and goes down a ply. Undo with [`Self::ascend`]. This
    /// is what counts as a node, as in Stockfish: not a null move, nor another look at a position.
    #[inline(always)]
    pub fn descend(&mut self, position: &Position<G>, mv: Move, ply: usize) -> Position<G> {
        self.nodes += 1;
        self.counter.count_node();
        // Fetching what the child will ask the table takes longer than making the move.
        self.shared.context.table.prefetch(position.key_after(mv));
        let child = self.evaluator.push(position, mv);
        let continuation = ContinuationKey::new::<G>(position.moved_piece(mv), mv.to());
        let quiet = !is_noisy(position, mv);
        let taken = position.captured(mv);
        self.stack.push(ply, Some(mv), quiet, taken, continuation, child.key());
        child
    }

    /// The same with a null move.
    #[inline(always)]
    pub fn descend_null(&mut self, position: &Position<G>, ply: usize) -> Position<G> {
        let child = self.evaluator.push_null(position);
        self.shared.context.table.prefetch(child.key());
        let none = ContinuationKey::none::<G>();
        self.stack.push(ply, None, false, None, none, child.key());
        child
    }

    /// Goes up a ply.
    #[inline(always)]
    pub fn ascend(&mut self) {
        self.stack.pop();
        self.evaluator.pop();
    }

    /// Whether an iteration is complete; of a single line, the first move of it is enough.
    #[cold]
    fn has_something_to_play(&self) -> bool {
        let one_line = self.shared.context.limits.multi_pv <= 1;
        self.completed_depth > 0
            || one_line && self.root_moves.iter().any(|line| line.value > -INFINITE)
    }

    /// Finds out whether the search must end. Not before there is a move to play (within reason).
    #[inline(always)]
    pub fn look_at_limits(&mut self) {
        if self.shared.has_ended() || self.limit_is_reached() {
            self.stopped = self.id > 0 || self.has_something_to_play() || self.nodes > 10_000;
        }
    }

    /// Counts a hit in the tablebases.
    pub fn count_tablebase_hit(&self) {
        self.counter.count_tablebase_hits(1);
    }

    /// Whether a limit is reached, which ends the search for all threads; or the soft limit, which
    /// ends it for a helper, while the first thread completes its iteration.
    #[inline(always)]
    fn limit_is_reached(&self) -> bool {
        let shared = self.shared;
        let is_time_to_look = self.nodes & shared.look_mask == 0;
        let ended = shared.node_limit.is_some() && is_time_to_look && shared.nodes_are_spent()
            || self.nodes.is_multiple_of(512) && shared.context.must_end();
        if ended {
            shared.over.store(true, Relaxed);
        }
        ended || self.id > 0 && is_time_to_look && shared.soft_nodes_are_spent()
    }

    /// The static evaluation before it fades with the halfmove clock.
    #[inline]
    fn unscaled(&mut self, position: &Position<G>) -> Value {
        let eval = self.evaluator.evaluate_unscaled(position);
        match self.shared.context.skill {
            None => eval,
            Some(skill) => skill.distort(eval, position.key()),
        }
    }

    /// What the side that is not to move attacks in the position where the line ends.
    #[inline(always)]
    pub fn threats(&mut self, position: &Position<G>) -> Threats<G> {
        self.evaluator.threats(!position.side_to_move())
    }

    /// Whether limited attention overlooks a move of the node at this ply.
    #[inline(always)]
    pub fn overlooks(&self, position: &Position<G>, mv: Move, ply: usize) -> bool {
        let last = self.stack.before(ply).mv;
        let skill = self.shared.context.skill;
        skill.is_some_and(|skill| skill.overlooks::<G>(position.key(), mv, last))
    }

    /// The static evaluation.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        endgame::scale_by_halfmove_clock(self.unscaled(position), position)
    }

    /// The evaluation of a node before it fades and is corrected: what the table knows, or else a
    /// new one, which goes into the table at once, for many nodes end without a result to store.
    /// The halfmove clock is not part of a position's key, so that the fading must not be stored.
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

    /// A raw evaluation, faded, and corrected by what searches of similar positions found.
    #[inline(always)]
    pub fn corrected(&self, position: &Position<G>, raw: Value, ply: usize) -> Value {
        let eval = endgame::scale_by_halfmove_clock(raw, position);
        self.corrections.apply(position, self.stack.last_moves(ply), eval)
    }

    /// Whether the node is drawn: by fifty moves, by material, by repetition.
    #[inline]
    pub fn is_draw(&self, position: &Position<G>, ply: usize) -> bool {
        position.is_fifty_moves()
            || self.stack.is_repetition(position, ply)
            || position.is_insufficient_material()
    }
}
