//! The line from the root to the node that is being searched: what is kept of each node of it, the
//! keys of its positions, and the principal variations.

use std::collections::TryReserveError;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use super::history::{CONTINUATION_PLIES, ContinuationKey, QuietKeys};
use super::limits::MAX_PLY;
use super::repetition;
use crate::attacks::Board;
use crate::position::Position;
use crate::position::Threats;
use crate::system::filled;
use crate::types::score::NONE;
use crate::types::{Move, Role, Value};

/// Frames before the root's, so that four plies back of the node before always exist.
const BEFORE_ROOT: usize = 5;

/// What is known of the node of one ply, and of the move that leads on from it.
#[derive(Clone, Copy)]
pub struct Frame<G: Board> {
    /// The static evaluation, [`NONE`] in check.
    pub eval: Value,
    /// The piece and square of the move that leads on from here.
    continuation: ContinuationKey,
    /// Quiet moves that cut in sister nodes.
    pub killers: [Option<Move>; 2],
    /// Plies since the last null move.
    plies_from_null: u16,
    /// The move that a search of all the others leaves out.
    pub excluded: Option<Move>,
    /// How many moves on the way here were extended by more than a ply.
    pub double_extensions: i32,
    /// The move that leads on from here, unless it is a null move.
    pub mv: Option<Move>,
    /// Whether it neither takes nor promotes.
    quiet: bool,
    /// What it takes.
    taken: Option<Role>,
    /// How many nodes at this ply cut since the last visit two plies above.
    pub cutoffs: i32,
    /// What the side that is not to move attacks; only of nodes that look at quiet moves.
    pub threats: Threats<G>,
}

/// The frames by ply, with the keys and the principal variations of the line.
#[cfg_attr(test, derive(Clone))]
pub struct Stack<G: Board> {
    frames: Vec<Frame<G>>,
    /// Keys of the game's positions and of the line to the current node.
    keys: Vec<u64>,
    /// Index of the root's key.
    root_key: usize,
    /// The principal variation from each ply on.
    pv: Vec<ArrayVec<Move, MAX_PLY>>,
}

impl<G: Board> Index<usize> for Stack<G> {
    type Output = Frame<G>;

    #[inline(always)]
    fn index(&self, ply: usize) -> &Frame<G> {
        &self.frames[ply + BEFORE_ROOT]
    }
}

impl<G: Board> IndexMut<usize> for Stack<G> {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut Frame<G> {
        &mut self.frames[ply + BEFORE_ROOT]
    }
}

impl<G: Board> Stack<G> {
    /// A stack without a line; an error if the memory is not to be had.
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Stack {
            frames: filled(MAX_PLY + BEFORE_ROOT + 2, Self::frame())?,
            keys: Vec::new(),
            root_key: 0,
            pv: filled(MAX_PLY + 2, ArrayVec::new())?,
        })
    }

    fn frame() -> Frame<G> {
        Frame {
            eval: NONE,
            continuation: ContinuationKey::none::<G>(),
            killers: [None; 2],
            plies_from_null: 0,
            excluded: None,
            double_extensions: 0,
            mv: None,
            quiet: false,
            taken: None,
            cutoffs: 0,
            threats: Threats::NONE,
        }
    }

    /// A new line begins at a root with this key. `earlier` are those of the game before it.
    pub fn reset(&mut self, root: u64, earlier: &[u64]) {
        self.frames.fill(Self::frame());
        self[0].plies_from_null = u16::MAX / 2;
        self.keys.clear();
        self.keys.extend_from_slice(earlier);
        self.keys.push(root);
        self.root_key = earlier.len();
        self.pv.iter_mut().for_each(ArrayVec::clear);
    }

    /// Goes down from this ply by a move, or a null move, to the child with this key.
    #[inline(always)]
    pub fn push(
        &mut self,
        ply: usize,
        mv: Option<Move>,
        quiet: bool,
        taken: Option<Role>,
        continuation: ContinuationKey,
        key: u64,
    ) {
        let frame = &mut self[ply];
        (frame.mv, frame.quiet, frame.taken) = (mv, quiet, taken);
        frame.continuation = continuation;
        let plies = if mv.is_none() { 0 } else { frame.plies_from_null + 1 };
        let doubles = frame.double_extensions;
        let child = &mut self[ply + 1];
        (child.double_extensions, child.plies_from_null) = (doubles, plies);
        self.keys.push(key);
    }

    /// Goes up a ply.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The frame so many plies before this one.
    #[inline(always)]
    fn back(&self, ply: usize, plies: usize) -> &Frame<G> {
        &self.frames[ply + BEFORE_ROOT - plies]
    }

    /// The frame of the node before.
    #[inline(always)]
    pub fn before(&self, ply: usize) -> &Frame<G> {
        self.back(ply, 1)
    }

    /// Where the histories of the node at this ply are.
    #[inline(always)]
    pub fn quiet_keys(&self, ply: usize) -> QuietKeys<G> {
        QuietKeys { continuations: self.last_moves(ply), threats: self[ply].threats, ply }
    }

    /// The moves [`CONTINUATION_PLIES`] before.
    #[inline(always)]
    pub fn last_moves(&self, ply: usize) -> [ContinuationKey; 3] {
        CONTINUATION_PLIES.map(|plies| self.back(ply, plies).continuation)
    }

    /// The static evaluation of the node two plies before, or if that was in check, four.
    #[inline(always)]
    pub fn eval_before(&self, ply: usize) -> Option<Value> {
        [2, 4].map(|plies| self.back(ply, plies).eval).into_iter().find(|&eval| eval != NONE)
    }

    /// The quiet move that led to this ply.
    #[inline(always)]
    pub fn last_quiet(&self, ply: usize) -> Option<Move> {
        let frame = self.before(ply);
        frame.mv.filter(|_| frame.quiet && ply > 0)
    }

    /// The piece and square of the capture that led to this ply, and what it took.
    #[inline(always)]
    pub fn last_capture(&self, ply: usize) -> Option<(ContinuationKey, Role)> {
        let frame = self.before(ply);
        frame.taken.filter(|_| ply > 0).map(|taken| (frame.continuation, taken))
    }

    /// Whether the move that led to this ply was a null move.
    #[inline(always)]
    pub fn after_null(&self, ply: usize) -> bool {
        self[ply].plies_from_null == 0
    }

    /// A quiet move cut here: it is tried early in sister nodes.
    #[inline(always)]
    pub fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Over how many plies back no move was irreversible, and no null move was made.
    #[inline(always)]
    fn reversible(&self, position: &Position<G>, ply: usize) -> usize {
        position.halfmove_clock().min(self[ply].plies_from_null).into()
    }

    /// Whether the position at the end of the line came before: within the search (once is enough:
    /// what was best then is best now) or, with the game, for the third time.
    #[inline]
    pub fn is_repetition(&self, position: &Position<G>, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let reversible = self.reversible(position, ply).min(last);
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

    /// Whether the side to move can reach a position by a reversible move that
    /// [`is_repetition`](Self::is_repetition) calls a repetition: then it has a draw at least.
    #[inline]
    pub fn can_repeat(&self, position: &Position<G>, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let reversible = self.reversible(position, ply).min(last);
        let mut back = 3;
        while back <= reversible {
            let index = last - back;
            if repetition::is_one_move(position, self.keys[last] ^ self.keys[index])
                && (index > self.root_key || self.came_before(index, last - reversible))
            {
                return true;
            }
            back += 2;
        }
        false
    }

    /// Whether the position of this index came before it, from `first` on.
    #[cold]
    fn came_before(&self, index: usize, first: usize) -> bool {
        (first..index).rev().skip(1).step_by(2).any(|before| self.keys[before] == self.keys[index])
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
}
