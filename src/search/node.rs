//! The main search function: one node of the tree.

use std::ops::ControlFlow;

use super::history::{Tried, is_noisy};
use super::limits::{MAX_DEPTH, MAX_PLY};
use super::params;
use super::picker::Picker;
use super::report::Bound;
use super::threats::Threats;
use super::tt::TableEntry;
use super::window::Window;
use super::worker::Worker;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MATE, NONE, is_mate};
use crate::types::{Move, Value};

/// What a node knows about a move before searching it.
pub struct Candidate {
    pub mv: Move,
    /// From 1, in the order of trying.
    pub number: i32,
    pub noisy: bool,
    /// What the histories say.
    pub history: i32,
}

/// What a node found out about itself before looking at moves.
#[derive(Clone, Copy)]
pub struct Outlook {
    pub in_check: bool,
    /// The static evaluation before it is corrected; [`NONE`] in check.
    pub raw_eval: Value,
    /// Corrected and bettered by the table; [`NONE`] in check.
    pub eval: Value,
    /// Whether the side to move stands better than when it last moved.
    pub improving: bool,
    /// Whether a fail-high is expected.
    pub cut_node: bool,
    /// What the table knows.
    pub entry: Option<TableEntry>,
    /// Whether the position is or was in a principal variation.
    pub table_pv: bool,
    /// Whether the table's move takes or promotes.
    pub noisy_hash_move: bool,
}

/// What came out of a node.
#[derive(Clone, Copy)]
struct NodeResult {
    value: Value,
    best_move: Option<Move>,
    bound: Bound,
}

impl NodeResult {
    /// As the table keeps it, with the move to be tried first.
    fn entry(self, mv: Option<Move>, eval: Value, depth: i32, pv: bool) -> TableEntry {
        let NodeResult { value, bound, .. } = self;
        TableEntry { mv: mv.map_or(0, Move::bits), value, eval, depth, bound, pv }
    }

    /// Whether the true value is known to differ from this one in the direction of the found one.
    fn says_more_than(self, eval: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > eval,
            Bound::Upper => self.value < eval,
        }
    }
}

impl<G: Board> Worker<'_, G> {
    /// The value of a position within a window, searched to a depth. `PV` nodes have an open window
    /// and collect the principal variation; `cut_node` says that a fail-high is expected. Returns
    /// anything once `stopped` is set.
    pub fn node<const PV: bool>(
        &mut self,
        position: &Position<G>,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        let root = ply == 0;

        // 1. At the horizon captures alone are looked at, in check all evasions.
        if depth <= 0 {
            return self.quiescence::<PV>(position, window, ply);
        }
        let mut depth = depth.min(MAX_DEPTH);

        // 2. Is the search or the line over?
        if let Some(value) = self.begin::<PV>(position, ply) {
            return value;
        }

        // 3. What can still matter: the side to move may have a draw by repetition for the taking,
        //    and if a shorter mate is known already, no line from here can change the result.
        if !root {
            if window.alpha < DRAW && self.stack.can_repeat(position, ply) {
                window.alpha = DRAW;
            }
            window.alpha = window.alpha.max(-MATE + ply as Value);
            window.beta = window.beta.min(MATE - ply as Value - 1);
            if window.is_closed() {
                return window.alpha;
            }
        }

        // 4. The transposition table may settle the node, except in the principal variation, which
        //    must be whole.
        let excluded = self.stack[ply].excluded;
        let entry = self.shared.job.table.probe(position.key(), ply);
        if let Some(entry) = entry
            && !PV
            && excluded.is_none()
            && position.halfmove_clock() < params::TABLE_HALFMOVES
            && entry.settles(depth, window)
        {
            return entry.value;
        }
        let hash_move = if root {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            let mv = entry.and_then(|entry| Move::from_bits::<G>(entry.mv));
            mv.filter(|&mv| position.is_legal(mv))
        };

        // 5. Static evaluation, and whether things go better than a move ago.
        let outlook = self.outlook::<PV>(position, ply, entry, hash_move, cut_node);
        if excluded.is_none() {
            self.learn_from_eval(position, ply);
        }

        // 6. Is the node decided without looking at its moves?
        if !PV
            && !outlook.in_check
            && excluded.is_none()
            && let Some(value) = self.prune_node(position, window, depth, ply, outlook)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // 7. Internal iterative reduction: without a hash move, or with one from a search much less
        //    deep, the order is poor, and the position was not important enough to be searched
        //    before; a shallower search finds the move.
        let known = entry.filter(|_| hash_move.is_some()).map_or(0, |entry| entry.depth);
        if depth >= params::INTERNAL_REDUCTION_DEPTH
            && known + params::INTERNAL_REDUCTION_GAP < depth
            && (PV || cut_node)
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 8. The moves, in the order of the picker.
        self.stack[ply].threats = Threats::of(position, !position.side_to_move());
        let keys = self.stack.quiet_keys(ply);
        let [first, second] = self.stack[ply].killers;
        let counter = self.histories.counter(keys.continuations[0]);
        let mut picker = Picker::main(hash_move, [first, second, counter], keys);
        let mut tried = Tried::default();
        let mut result = NodeResult { value: -INFINITE, best_move: None, bound: Bound::Upper };
        // The best so far by what bounds say: a guess worth trying first next time.
        let mut likely = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, self.histories) {
            if root && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue; // excluded by `searchmoves` or the move of an earlier line
            }
            if excluded == Some(mv) {
                continue;
            }
            number += 1;
            let noisy = is_noisy(position, mv);
            let history = if noisy {
                self.histories.capture(position, mv)
            } else {
                self.histories.quiets(position, keys).score(mv)
            };
            let candidate = Candidate { mv, number, noisy, history };
            if root {
                self.report_current_move(depth, mv, number);
            }

            // 9. Shallow pruning: moves that will hardly matter are not searched at all, once
            //    there is one that does not lose to a mate.
            if !root
                && result.value > -MATE + MAX_PLY as Value
                && self.prune_move(position, &candidate, window, depth, outlook, &mut picker)
            {
                continue;
            }

            // 10. Search it.
            let nodes_before = self.nodes;
            let mut extension = 0;
            if !root && Some(mv) == hash_move && excluded.is_none() {
                match self.extension::<PV>(position, mv, window, depth, ply, outlook) {
                    ControlFlow::Continue(plies) => extension = plies,
                    ControlFlow::Break(value) => return value,
                }
            }
            let child = self.descend(position, mv, ply);
            self.stack[ply + 1].double_extensions += i32::from(extension > 1);
            let value =
                self.search_move::<PV>(&child, &candidate, window, depth + extension, ply, outlook);
            self.ascend();
            if self.stopped {
                return 0;
            }
            if root {
                self.note_root_move(mv, value, window, number, self.nodes - nodes_before);
            }

            // 11. Is it the best so far? Does it cut?
            if value > result.value {
                result.value = value;
                likely = Some(mv);
                if value > window.alpha {
                    result.best_move = Some(mv);
                    result.bound = Bound::Exact;
                    if PV && !root {
                        self.stack.set_pv(ply, mv);
                    }
                    if value >= window.beta {
                        result.bound = Bound::Lower;
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    window.alpha = value;
                }
            }
            if result.best_move != Some(mv) {
                tried.push(mv, noisy);
            }
        }

        // 12. No legal move: mate or stalemate.
        if number == 0 {
            if excluded.is_some() {
                return window.alpha; // the excluded move is the only one
            }
            return if outlook.in_check { -MATE + ply as Value } else { DRAW };
        }

        // 13. Learn, and remember.
        self.learn(position, result, &tried, depth, ply);
        if excluded.is_none() {
            let entry = result.entry(likely, outlook.raw_eval, depth, outlook.table_pv);
            self.remember(position, entry, ply);
        }
        result.value
    }

    /// Step 2: counts a node of either kind, and says what ends it before it begins: the end of the
    /// search, of the stack, or a draw.
    #[inline(always)]
    pub fn begin<const PV: bool>(&mut self, position: &Position<G>, ply: usize) -> Option<Value> {
        self.count_node();
        if PV {
            self.stack.clear_pv(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.stopped {
            return Some(0);
        }
        if ply == 0 {
            return None;
        }
        if self.is_draw(position, ply) {
            return Some(DRAW);
        }
        if ply >= MAX_PLY {
            let quiet = !position.in_check();
            return Some(if quiet { self.evaluate(position) } else { DRAW });
        }
        None
    }

    /// Step 5: what a node finds out about itself before it looks at moves. Leaves the evaluation
    /// on the stack, and forgets what earlier visits left for the plies below.
    #[inline(always)]
    fn outlook<const PV: bool>(
        &mut self,
        position: &Position<G>,
        ply: usize,
        entry: Option<TableEntry>,
        hash_move: Option<Move>,
        cut_node: bool,
    ) -> Outlook {
        let in_check = position.in_check();
        let raw_eval = match entry {
            _ if in_check => NONE,
            Some(entry) if entry.eval != NONE => entry.eval,
            _ => self.evaluate(position),
        };
        let static_eval = if in_check { NONE } else { self.corrected(position, raw_eval, ply) };
        let known = entry.filter(|_| !in_check);
        self.stack[ply].eval = static_eval;
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 2].cutoffs = 0;
        Outlook {
            in_check,
            raw_eval,
            eval: known.map_or(static_eval, |entry| entry.improve(static_eval)),
            improving: !in_check
                && self.stack.eval_before(ply).is_none_or(|before| static_eval > before),
            cut_node,
            entry,
            table_pv: PV || entry.is_some_and(|entry| entry.pv),
            noisy_hash_move: hash_move.is_some_and(|mv| is_noisy(position, mv)),
        }
    }

    /// Step 13: what a node teaches: which moves are good, and how wrong the evaluation was.
    fn learn(
        &mut self,
        position: &Position<G>,
        result: NodeResult,
        tried: &Tried,
        depth: i32,
        ply: usize,
    ) {
        if result.bound == Bound::Lower
            && let Some(mv) = result.best_move
        {
            if !is_noisy(position, mv) {
                self.stack.add_killer(ply, mv);
            }
            let keys = self.stack.quiet_keys(ply);
            self.histories.update(position, keys, mv, tried, depth);
        }
        // Without the best move the rest is not about this position.
        if self.stack[ply].excluded.is_some() {
            return;
        }
        // Nothing helps against the move that led here: so that one was good.
        if result.bound == Bound::Upper
            && let Some(mv) = self.stack.last_quiet(ply)
        {
            let keys = self.stack.quiet_keys(ply - 1);
            self.histories.update_last(position, keys, mv, params::history_bonus(depth) / 2);
        }
        // Captures show nothing of the evaluation, nor do bounds on the wrong side of it.
        let static_eval = self.stack[ply].eval;
        let quiet = result.best_move.is_none_or(|mv| !is_noisy(position, mv));
        if static_eval != NONE && quiet && result.says_more_than(static_eval) {
            let moves = self.stack.last_two(ply);
            self.corrections.update(position, moves, result.value - static_eval, depth);
        }
    }

    /// Step 5: the evaluation before and after a quiet move tells how good that was.
    #[inline]
    fn learn_from_eval(&mut self, position: &Position<G>, ply: usize) {
        let (before, eval) = (self.stack.before(ply).eval, self.stack[ply].eval);
        if eval != NONE
            && before != NONE
            && let Some(mv) = self.stack.last_quiet(ply)
        {
            let gain = -(before + eval);
            let bonus = (gain * params::EVAL_HISTORY).clamp(-1_500, 1_500);
            let keys = self.stack.quiet_keys(ply - 1);
            self.histories.update_butterfly(!position.side_to_move(), keys, mv, bonus);
        }
    }

    /// Step 13: stores the result. Not the second line of several, nor the best of some moves only:
    /// these are not the value of the position.
    #[inline]
    fn remember(&mut self, position: &Position<G>, entry: TableEntry, ply: usize) {
        let job = &self.shared.job;
        if ply > 0 || self.pv_index == 0 && job.limits.search_moves.is_empty() {
            job.table.store(position.key(), ply, entry);
        }
    }

    /// Step 10a, singular extension (Anantharaman, Campbell and Hsu 1988): by how many plies to
    /// extend the hash move, or the value of the node if it is decided. The other moves are searched
    /// to half the depth: if all stay well below what the table says of this one, it is the only
    /// good one, and worth a closer look.
    fn extension<const PV: bool>(
        &mut self,
        position: &Position<G>,
        mv: Move,
        window: Window,
        depth: i32,
        ply: usize,
        outlook: Outlook,
    ) -> ControlFlow<Value, i32> {
        let Some(entry) = outlook.entry.filter(|entry| {
            depth >= params::SINGULAR_DEPTH
                && ply < 2 * self.root_depth as usize
                && entry.depth >= depth - params::SINGULAR_TABLE_DEPTH
                && entry.bound != Bound::Upper
                && !is_mate(entry.value)
        }) else {
            return ControlFlow::Continue(0);
        };
        let target = entry.value - params::SINGULAR_MARGIN * depth / 16;
        let others = Window::null(target - 1);
        self.stack[ply].excluded = Some(mv);
        let value = self.node::<false>(position, others, (depth - 1) / 2, ply, outlook.cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return ControlFlow::Break(0);
        }
        if value < target {
            let far = !PV
                && value < target - params::DOUBLE_EXTENSION_MARGIN
                && self.stack[ply].double_extensions < params::DOUBLE_EXTENSIONS_MOST;
            return ControlFlow::Continue(1 + i32::from(far));
        }
        // Multi-cut (Bjornsson and Marsland 1999): several moves seem to be above beta.
        if !PV && target >= window.beta {
            return ControlFlow::Break(target);
        }
        // Not singular, and expected to be above beta anyway: less will do.
        ControlFlow::Continue(match () {
            () if entry.value >= window.beta => -3 + i32::from(PV),
            () if outlook.cut_node => -1,
            () => 0,
        })
    }

    /// Step 10: principal variation search. The first move gets the whole window; the others only
    /// have to show that they are not better, late ones at less depth, and are searched again if
    /// they are.
    fn search_move<const PV: bool>(
        &mut self,
        child: &Position<G>,
        candidate: &Candidate,
        window: Window,
        depth: i32,
        ply: usize,
        outlook: Outlook,
    ) -> Value {
        let alpha = window.alpha;
        let scout = Window::null(alpha).flip();
        let mut full = depth - 1;
        let first = candidate.number == 1;
        let mut value = -INFINITE;

        if !first || !PV {
            // 10b. Late move reduction: the later a move and the worse its history, the less deep.
            let mut reduced = full;
            if depth >= params::REDUCTION_DEPTH && candidate.number > 1 + i32::from(PV) {
                let reduction =
                    self.late_move_reduction::<PV>(child, candidate, depth, ply, outlook);
                reduced = (full - reduction).clamp(1.min(full), full);
            }
            let cut = reduced < full || !outlook.cut_node;
            value = -self.node::<false>(child, scout, reduced, ply + 1, cut);

            // 10c. Better than expected: look again at full depth, and if much better, deeper.
            if value > alpha && reduced < full && !self.stopped {
                full += i32::from(value > alpha + params::DEEPER_MARGIN && !is_mate(value));
                value = -self.node::<false>(child, scout, full, ply + 1, !outlook.cut_node);
            }
        }
        // 10d. In the principal variation, the exact value of the first move and of better ones.
        if PV && (first || value > alpha) && !self.stopped {
            value = -self.node::<true>(child, window.flip(), full, ply + 1, false);
        }
        value
    }

    /// By how many plies a late move is reduced: the more, the later it is and the worse its
    /// history, and where a single good move is enough or was found already.
    fn late_move_reduction<const PV: bool>(
        &self,
        child: &Position<G>,
        candidate: &Candidate,
        depth: i32,
        ply: usize,
        outlook: Outlook,
    ) -> i32 {
        let base = params::reduction(depth, candidate.number);
        let history = 100 * candidate.history;
        let of_move = if candidate.noisy {
            base / 2 - history / params::REDUCTION_NOISY_HISTORY
        } else {
            base - history / params::REDUCTION_HISTORY
        };
        let of_node = params::REDUCTION_CUT_NODE * i32::from(outlook.cut_node)
            + params::REDUCTION_NOT_IMPROVING * i32::from(!outlook.improving)
            + params::REDUCTION_NOISY_HASH_MOVE * i32::from(outlook.noisy_hash_move)
            - params::REDUCTION_PV * i32::from(PV);
        // Many nodes among its sisters failed high: the child is likely to do so too.
        let of_child = params::REDUCTION_CUTOFFS * i32::from(self.stack[ply + 1].cutoffs > 3)
            - params::REDUCTION_CHECK * i32::from(child.in_check());
        (of_move + of_node + of_child).div_euclid(100)
    }

    fn note_root_move(
        &mut self,
        mv: Move,
        value: Value,
        Window { alpha, beta }: Window,
        number: i32,
        nodes: u64,
    ) {
        if number == 1 || value > alpha {
            self.stack.set_pv(0, mv);
        }
        let pv = self.stack.root_pv().to_vec();
        let selective_depth = self.selective_depth;
        let Some(entry) = self.root_moves.iter_mut().find(|entry| entry.mv == mv) else { return };
        entry.nodes += nodes;
        if number == 1 || value > alpha {
            entry.value = value;
            entry.selective_depth = selective_depth;
            entry.bound = match value {
                _ if value <= alpha => Bound::Upper,
                _ if value >= beta => Bound::Lower,
                _ => Bound::Exact,
            };
            if entry.bound != Bound::Upper || entry.pv.is_empty() {
                entry.pv = pv;
            }
        } else {
            // Not better than the best: unknown, and sorted behind it in the order it had.
            entry.value = -INFINITE;
        }
    }

    fn report_current_move(&self, depth: i32, mv: Move, number: i32) {
        if self.id == 0 && self.shared.job.time.elapsed().as_millis() > 3_000 {
            let number = number as usize + self.pv_index;
            self.shared.job.listener.current_move(depth, mv, number);
        }
    }
}
