//! The search stack: the state of each node on the line from the root to the current node, the keys of the
//! positions on this line, and the principal variations.

use std::collections::TryReserveError;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use super::history::{CONTINUATION_PLIES, ContinuationKey, QuietKeys};
use super::limits::MAX_PLY;
use super::repetition;
use crate::geometry::Board;
use crate::position::Position;
use crate::position::Threats;
use crate::system::filled;
use crate::types::score::NONE;
use crate::types::{Move, Role, Value};

/// The number of frames before the root's frame. These frames make it possible to look back four plies from
/// any parent node.
const BEFORE_ROOT: usize = 5;

/// The state of the node at one ply and of the move that is being searched there.
#[derive(Clone, Copy)]
pub struct Frame<G: Board> {
    /// The static evaluation, [`NONE`] in check.
    pub eval: Value,
    /// The piece and target square of the current move.
    continuation: ContinuationKey,
    /// Quiet moves that caused cutoffs in sibling nodes.
    pub killers: [Option<Move>; 2],
    /// The number of plies since the last null move.
    plies_from_null: u16,
    /// The move that a singular search excludes.
    pub excluded: Option<Move>,
    /// The number of moves on the line to this node that were extended by more than one ply.
    pub double_extensions: i32,
    /// The current move, or `None` for a null move.
    pub mv: Option<Move>,
    /// Whether the current move neither captures nor promotes.
    quiet: bool,
    /// The piece that the current move captures.
    captured: Option<Role>,
    /// The number of cutoffs at this ply since the last visit of a node two plies nearer to the root.
    pub cutoffs: i32,
    /// The squares that the opponent of the side to move attacks; set only in nodes that try quiet moves.
    pub threats: Threats<G>,
}

/// The search stack: the frames by ply, the keys of the line, and the principal variations.
#[cfg_attr(test, derive(Clone))]
pub struct Stack<G: Board> {
    frames: Vec<Frame<G>>,
    /// The keys of the game's positions and of the line to the current node.
    keys: Vec<u64>,
    /// The index of the root's key.
    root_key: usize,
    /// The principal variation from each ply.
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
    /// Creates an empty stack; fails if the allocation fails.
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
            captured: None,
            cutoffs: 0,
            threats: Threats::NONE,
        }
    }

    /// Starts a new line at a root with this key. `earlier` holds the keys of the game's positions before
    /// the root.
    pub fn reset(&mut self, root: u64, earlier: &[u64]) {
        self.frames.fill(Self::frame());
        self[0].plies_from_null = u16::MAX / 2;
        self.keys.clear();
        self.keys.extend_from_slice(earlier);
        self.keys.push(root);
        self.root_key = earlier.len();
        self.pv.iter_mut().for_each(ArrayVec::clear);
    }

    /// Goes down one ply: records a move, or `None` for a null move, and the key of the child position.
    #[inline(always)]
    pub fn push(
        &mut self,
        ply: usize,
        mv: Option<Move>,
        quiet: bool,
        captured: Option<Role>,
        continuation: ContinuationKey,
        key: u64,
    ) {
        let frame = &mut self[ply];
        (frame.mv, frame.quiet, frame.captured) = (mv, quiet, captured);
        frame.continuation = continuation;
        let plies = if mv.is_none() { 0 } else { frame.plies_from_null + 1 };
        let doubles = frame.double_extensions;
        let child = &mut self[ply + 1];
        (child.double_extensions, child.plies_from_null) = (doubles, plies);
        self.keys.push(key);
    }

    /// Goes back up a ply.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns the frame `plies` plies before the frame of `ply`.
    #[inline(always)]
    fn back(&self, ply: usize, plies: usize) -> &Frame<G> {
        &self.frames[ply + BEFORE_ROOT - plies]
    }

    /// Returns the frame of the parent node.
    #[inline(always)]
    pub fn before(&self, ply: usize) -> &Frame<G> {
        self.back(ply, 1)
    }

    /// Returns the keys of the histories of the node at this ply.
    #[inline(always)]
    pub fn quiet_keys(&self, ply: usize) -> QuietKeys<G> {
        QuietKeys { continuations: self.last_moves(ply), threats: self[ply].threats, ply }
    }

    /// Returns the keys of the moves made [`CONTINUATION_PLIES`] plies before the node at this ply.
    #[inline(always)]
    pub fn last_moves(&self, ply: usize) -> [ContinuationKey; 3] {
        CONTINUATION_PLIES.map(|plies| self.back(ply, plies).continuation)
    }

    /// Returns the static evaluation of the node two plies before. If that node was in check, returns the
    /// evaluation of the node four plies before (+8 ± 13 Elo at 5,000 nodes).
    #[inline(always)]
    pub fn eval_before(&self, ply: usize) -> Option<Value> {
        [2, 4].map(|plies| self.back(ply, plies).eval).into_iter().find(|&eval| eval != NONE)
    }

    /// Returns the move that led to this ply, if it was quiet.
    #[inline(always)]
    pub fn last_quiet(&self, ply: usize) -> Option<Move> {
        let frame = self.before(ply);
        frame.mv.filter(|_| frame.quiet && ply > 0)
    }

    /// Returns the piece and target square of the move that led to this ply, and the captured piece, if the
    /// move was a capture.
    #[inline(always)]
    pub fn last_capture(&self, ply: usize) -> Option<(ContinuationKey, Role)> {
        let frame = self.before(ply);
        frame.captured.filter(|_| ply > 0).map(|captured| (frame.continuation, captured))
    }

    /// Returns whether the move that led to this ply was a null move.
    #[inline(always)]
    pub fn after_null(&self, ply: usize) -> bool {
        self[ply].plies_from_null == 0
    }

    /// Adds a killer: a quiet move that caused a cutoff and is tried early in sibling nodes.
    #[inline(always)]
    pub fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Returns the number of plies since the last irreversible or null move.
    #[inline(always)]
    fn reversible(&self, position: &Position<G>, ply: usize) -> usize {
        position.halfmove_clock().min(self[ply].plies_from_null).into()
    }

    /// Returns whether the current position counts as a repetition. One earlier occurrence after the root
    /// suffices, because the best move at the first occurrence is still the best move now. Otherwise the
    /// position must have occurred twice before, at the root or earlier in the game.
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

    /// Returns whether a reversible move of the side to move leads to a repetition, as defined by
    /// [`is_repetition`](Self::is_repetition). If so, a draw is a lower bound of the value.
    #[inline]
    pub fn can_repeat(&self, position: &Position<G>, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let reversible = self.reversible(position, ply).min(last);
        let mut back = 3;
        while back <= reversible {
            let index = last - back;
            if repetition::is_one_move(position, self.keys[last] ^ self.keys[index])
                && (index > self.root_key || self.occurred_before(index, last - reversible))
            {
                return true;
            }
            back += 2;
        }
        false
    }

    /// Returns whether the key at `index` also occurs at an earlier index, from `first` on, with the same
    /// side to move.
    #[cold]
    fn occurred_before(&self, index: usize, first: usize) -> bool {
        (first..index).rev().skip(1).step_by(2).any(|before| self.keys[before] == self.keys[index])
    }

    /// Clears the principal variation of this ply.
    #[inline(always)]
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv[ply].clear();
    }

    /// Sets the principal variation of this ply to a move followed by the principal variation of the next
    /// ply.
    #[inline(always)]
    pub fn set_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(lower[0].iter().copied().take(room));
    }

    /// Returns the principal variation of the root.
    pub fn root_pv(&self) -> &[Move] {
        &self.pv[0]
    }
}
