//! What one thread of a search owns, and the questions that every node asks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::correction::Corrections;
use super::history::{Context, Contexts, Histories, is_noisy};
use super::limits::Limits;
use super::repetition;
use super::report::{Bound, Listener};
use super::threats::Threats;
use super::time::TimeManager;
use super::tt::TranspositionTable;
use super::{MAX_PLY, pool::Weakness};
use crate::attacks::Board;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MATE_BOUND, MAX_EVAL, NONE};
use crate::types::{Move, Value};

/// A thread's count of nodes, on a cache line of its own. Only its owner writes.
#[derive(Default)]
#[repr(align(64))]
pub struct NodeCounter(AtomicU64);

impl NodeCounter {
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// What the threads of one search share.
pub struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub time: &'a TimeManager,
    /// Set from outside to end the search.
    pub stop: &'a AtomicBool,
    /// Set when a limit is reached: nobody searches on, but in infinite and ponder mode the answer
    /// waits.
    pub over: AtomicBool,
    /// Set while the opponent's time runs: then the clock does not end the search.
    pub pondering: &'a AtomicBool,
    /// One for each thread.
    pub counters: &'a [NodeCounter],
    pub weakness: Option<Weakness>,
    pub listener: &'a dyn Listener,
}

impl Shared<'_> {
    /// Whether nobody is to search on.
    #[inline(always)]
    pub fn has_ended(&self) -> bool {
        self.stop.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Nodes of all threads.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(NodeCounter::get).sum()
    }
}

/// What a thread learns and keeps from one search of a game to the next.
pub struct Memory<G: Board> {
    pub histories: Histories<G>,
    pub corrections: Corrections,
    pub evaluator: Evaluator<G>,
}

impl<G: Board> Default for Memory<G> {
    fn default() -> Self {
        Memory {
            histories: Histories::default(),
            corrections: Corrections::default(),
            evaluator: Evaluator::default(),
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
        }
    }
}

/// What a node leaves for its descendants.
#[derive(Clone, Copy)]
pub struct Frame {
    /// The static evaluation, [`NONE`] in check.
    pub eval: Value,
    /// The piece and square of the move that leads on from here.
    pub context: Context,
    /// Quiet moves that cut in sister nodes.
    pub killers: [Option<Move>; 2],
    /// Plies since the last null move.
    pub plies_from_null: u16,
    /// The move that a search of all the others leaves out.
    pub excluded: Option<Move>,
    /// How many moves on the way here were extended by more than a ply.
    pub double_extensions: i32,
    /// The move that leads on from here, unless it is a null move.
    pub mv: Option<Move>,
    /// Whether it neither takes nor promotes.
    pub quiet: bool,
    /// How many nodes at this ply cut since the last visit two plies above.
    pub cutoffs: i32,
}

/// Frames before the root's, so that four plies back of the node before always exist.
const BEFORE_ROOT: usize = 5;

/// One thread of one search.
pub struct Worker<'a, G: Board> {
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories<G>,
    pub corrections: &'a mut Corrections,
    evaluator: &'a mut Evaluator<G>,
    /// 0 for the thread that keeps the time and reports.
    pub id: usize,
    pub root: Position<G>,
    pub root_moves: Vec<RootMove>,
    /// The line that is being searched, of several.
    pub pv_index: usize,
    pub root_depth: i32,
    pub completed_depth: i32,
    pub selective_depth: usize,
    /// No null move before this ply, while one is being verified.
    pub null_move_from: usize,
    pub stopped: bool,
    pub nodes: u64,
    /// Keys of the game's positions and of the line to the current node.
    keys: Vec<u64>,
    /// Index of the root's key.
    root_key: usize,
    frames: Vec<Frame>,
    /// Where the side that is not to move strikes, by ply; of nodes that look at quiet moves.
    threats: Vec<Threats<G>>,
    /// The principal variation from each ply on.
    pv: Vec<ArrayVec<Move, MAX_PLY>>,
}

impl<'a, G: Board> Worker<'a, G> {
    /// A worker at the root. `earlier` are the keys of the game's positions before it.
    pub fn new(
        id: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<G>,
        root: &Position<G>,
        earlier: &[u64],
        moves: &[Move],
    ) -> Self {
        let none = Context::none::<G>();
        let frame = Frame {
            eval: NONE,
            context: none,
            killers: [None; 2],
            plies_from_null: 0,
            excluded: None,
            double_extensions: 0,
            mv: None,
            quiet: false,
            cutoffs: 0,
        };
        let mut frames = vec![frame; MAX_PLY + BEFORE_ROOT + 2];
        frames[BEFORE_ROOT].plies_from_null = u16::MAX / 2;
        let mut keys = Vec::with_capacity(earlier.len() + MAX_PLY + 2);
        keys.extend_from_slice(earlier);
        keys.push(root.key());
        memory.evaluator.reset(root);
        Worker {
            shared,
            histories: &mut memory.histories,
            corrections: &mut memory.corrections,
            evaluator: &mut memory.evaluator,
            id,
            root: root.clone(),
            root_moves: moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            selective_depth: 0,
            null_move_from: 0,
            stopped: false,
            nodes: 0,
            root_key: keys.len() - 1,
            keys,
            frames,
            threats: vec![Threats::NONE; MAX_PLY + 2],
            pv: vec![ArrayVec::new(); MAX_PLY + 2],
        }
    }

    #[inline(always)]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// The move so many plies before the node at this ply, as what continues it sees it.
    #[inline(always)]
    fn context(&self, ply: usize, back: usize) -> Context {
        self.frames[ply + BEFORE_ROOT - back].context
    }

    /// What the histories of the node at this ply depend on.
    #[inline(always)]
    pub fn contexts(&self, ply: usize) -> Contexts<G> {
        let moves = [1, 2, 4].map(|back| self.context(ply, back));
        Contexts { moves, threats: self.threats[ply], ply }
    }

    /// The moves one and two plies before, for the corrections.
    #[inline(always)]
    pub fn last_two(&self, ply: usize) -> [Context; 2] {
        [1, 2].map(|back| self.context(ply, back))
    }

    /// A static evaluation, corrected by what searches of similar positions found.
    #[inline(always)]
    pub fn corrected(&self, position: &Position<G>, eval: Value, ply: usize) -> Value {
        self.corrections.apply(position, self.last_two(ply), eval)
    }

    /// The static evaluation of the node two plies before, or if that was in check, four.
    #[inline(always)]
    pub fn eval_before(&self, ply: usize) -> Option<Value> {
        let eval = |back: usize| self.frames[ply + BEFORE_ROOT - back].eval;
        [2, 4].map(eval).into_iter().find(|&eval| eval != NONE)
    }

    /// Makes a move on a copy of the position and goes down a ply. Undo with [`Self::ascend`].
    #[inline(always)]
    pub fn descend(&mut self, position: &Position<G>, mv: Move, ply: usize) -> Position<G> {
        // Fetching what the child will ask the table takes longer than making the move.
        self.shared.table.prefetch(position.key_after(mv));
        let piece = position.moved_piece(mv);
        let child = self.evaluator.push(position, mv);
        let frame = self.frame(ply);
        frame.mv = Some(mv);
        frame.quiet = !is_noisy(position, mv);
        self.enter_child(&child, Context::new::<G>(piece, mv.to()), ply, false);
        child
    }

    /// The same with a null move.
    #[inline(always)]
    pub fn descend_null(&mut self, position: &Position<G>, ply: usize) -> Position<G> {
        let child = self.evaluator.push_null(position);
        self.shared.table.prefetch(child.key());
        self.frame(ply).mv = None;
        self.enter_child(&child, Context::none::<G>(), ply, true);
        child
    }

    #[inline(always)]
    fn enter_child(&mut self, child: &Position<G>, context: Context, ply: usize, null: bool) {
        let frame = self.frame(ply);
        frame.context = context;
        let plies = if null { 0 } else { frame.plies_from_null + 1 };
        let doubles = frame.double_extensions;
        self.frame(ply + 1).double_extensions = doubles;
        self.frame(ply + 1).plies_from_null = plies;
        self.keys.push(child.key());
    }

    /// Goes up a ply.
    #[inline(always)]
    pub fn ascend(&mut self) {
        self.keys.pop();
        self.evaluator.pop();
    }

    /// Notes where the opponent strikes, for the histories.
    #[inline]
    pub fn note_threats(&mut self, position: &Position<G>, ply: usize) {
        self.threats[ply] = Threats::of(position, !position.side_to_move());
    }

    /// How many nodes at this ply cut, since the last visit to the ply two before.
    #[inline(always)]
    pub fn cutoffs(&self, ply: usize) -> i32 {
        self.frames[ply + BEFORE_ROOT].cutoffs
    }

    /// The frame of the node before.
    #[inline(always)]
    pub fn before(&self, ply: usize) -> &Frame {
        &self.frames[ply + BEFORE_ROOT - 1]
    }

    /// The quiet move that led to this ply.
    #[inline(always)]
    pub fn last_quiet(&self, ply: usize) -> Option<Move> {
        let frame = self.before(ply);
        frame.mv.filter(|_| frame.quiet && ply > 0)
    }

    /// Whether the move that led to this ply was a null move.
    #[inline(always)]
    pub fn after_null(&self, ply: usize) -> bool {
        self.frames[ply + BEFORE_ROOT].plies_from_null == 0
    }

    /// Whether an iteration is complete; of a single line, the first move of it is enough.
    #[cold]
    fn has_something_to_play(&self) -> bool {
        let one_line = self.shared.limits.multi_pv <= 1;
        self.completed_depth > 0
            || one_line && self.root_moves.iter().any(|line| line.value > -INFINITE)
    }

    /// Counts a node and finds out whether the search must end. Not before there is a move to play
    /// (within reason).
    #[inline(always)]
    pub fn count_node(&mut self) {
        self.nodes += 1;
        let shared = self.shared;
        shared.counters[self.id].0.store(self.nodes, Relaxed);
        if shared.has_ended() || self.id == 0 && self.limit_is_reached() {
            self.stopped = self.id > 0 || self.has_something_to_play() || self.nodes > 10_000;
        }
    }

    #[inline(always)]
    fn limit_is_reached(&self) -> bool {
        let shared = self.shared;
        if let Some(limit) = shared.limits.nodes {
            // Exact with one thread; with several the sum is not worth taking at each node.
            let exact = shared.counters.len() == 1;
            if exact && self.nodes >= limit
                || !exact && self.nodes.is_multiple_of(64) && shared.nodes() >= limit
            {
                shared.over.store(true, Relaxed);
                return true;
            }
        }
        if self.nodes.is_multiple_of(512)
            && shared.time.is_over()
            && !shared.pondering.load(Relaxed)
        {
            shared.over.store(true, Relaxed);
            return true;
        }
        false
    }

    /// Whether the node is drawn: by fifty moves, by material, by a repetition within the search
    /// (once is enough: what was best then is best now) or by a threefold one with the game.
    #[inline]
    pub fn is_draw(&self, position: &Position<G>, ply: usize) -> bool {
        position.is_fifty_moves()
            || self.is_repetition(position, ply)
            || position.is_insufficient_material()
    }

    #[inline]
    fn is_repetition(&self, position: &Position<G>, ply: usize) -> bool {
        let since_null = self.frames[ply + BEFORE_ROOT].plies_from_null;
        let last = self.keys.len() - 1;
        let reversible = usize::from(position.halfmove_clock().min(since_null)).min(last);
        let key = self.keys[last];
        let mut before_root = false;
        let mut back = 4;
        while back <= reversible {
            let index = last - back;
            if self.keys[index] == key {
                if index > self.root_key || before_root {
                    return true;
                }
                before_root = true;
            }
            back += 2;
        }
        false
    }

    /// Whether the side to move can go back to a position of this line: then it has a draw at
    /// least. What came before the root is left out, for there once is not enough.
    #[inline]
    pub fn can_repeat(&self, position: &Position<G>, ply: usize) -> bool {
        let since_null = self.frames[ply + BEFORE_ROOT].plies_from_null;
        let last = self.keys.len() - 1;
        let reversible = usize::from(position.halfmove_clock().min(since_null));
        let most = reversible.min(last - self.root_key);
        let mut back = 3;
        while back <= most {
            if repetition::is_one_move(position, self.keys[last] ^ self.keys[last - back]) {
                return true;
            }
            back += 2;
        }
        false
    }

    /// The static evaluation.
    #[inline]
    pub fn evaluate(&mut self, position: &Position<G>) -> Value {
        let eval = self.evaluator.evaluate(position);
        match self.shared.weakness {
            None => eval,
            Some(weakness) => (eval + weakness.error(position.key())).clamp(-MAX_EVAL, MAX_EVAL),
        }
    }

    /// What a draw is worth.
    #[inline(always)]
    pub fn draw_value(&self) -> Value {
        DRAW
    }

    /// Empties the principal variation from this ply on.
    #[inline(always)]
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv[ply].clear();
    }

    /// The principal variation from this ply on is this move, and what was found after it.
    #[inline(always)]
    pub fn set_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(lower[0].iter().copied().take(room));
    }

    /// The principal variation from the root on.
    pub fn root_pv(&self) -> &[Move] {
        &self.pv[0]
    }

    /// A quiet move cut here: it is tried early in sister nodes.
    #[inline(always)]
    pub fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.frame(ply).killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Whether a score is a mate for either side.
#[inline(always)]
pub fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}
