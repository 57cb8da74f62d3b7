//! The main search function: one node of the tree.

use std::ops::ControlFlow;

use super::history::{QuietKeys, Tried, is_noisy};
use super::limits::{MAX_DEPTH, MAX_PLY};
use super::params;
use super::picker::Picker;
use super::report::Bound;
use super::tt::TableEntry;
use super::window::Window;
use super::worker::Worker;
use crate::attacks::Board;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MATE, NONE, TABLEBASE_BOUND, is_decided};
use crate::types::{Move, Value};

/// What a node knows about a move before searching it.
pub struct Candidate {
    pub mv: Move,
    /// From 1, in the order of trying.
    pub number: i32,
    pub noisy: bool,
    /// A capture that loses material.
    pub losing: bool,
    /// What the histories say.
    pub history: i32,
}

/// A node and what it finds out about itself before looking at moves.
pub struct Node<'a, G: Board> {
    pub position: &'a Position<G>,
    /// Narrowed to what can still matter.
    pub window: Window,
    pub depth: i32,
    pub ply: usize,
    /// Whether a fail-high is expected.
    pub cut_node: bool,
    pub in_check: bool,
    /// What the table knows, and its move if it is legal.
    pub entry: Option<TableEntry>,
    pub hash_move: Option<Move>,
    /// The static evaluation before it fades and is corrected; [`NONE`] in check.
    pub raw_eval: Value,
    /// Faded, corrected and bettered by the table; [`NONE`] in check.
    pub eval: Value,
    /// Whether the side to move stands better than when it last moved.
    pub improving: bool,
    /// Whether the position is or was in a principal variation.
    pub table_pv: bool,
}

/// What came out of a node.
#[derive(Clone, Copy)]
struct NodeResult {
    value: Value,
    best_move: Option<Move>,
    bound: Bound,
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
        // 1. At the horizon captures alone are looked at, in check all evasions.
        if depth <= 0 || ply >= self.last_ply {
            return self.quiescence::<PV>(position, window, ply);
        }

        // 2. Is the search or the line over?
        if let Some(value) = self.begin::<PV>(position, ply) {
            return value;
        }

        // 3. What can still matter: the side to move may have a draw by repetition for the taking,
        //    and if a shorter mate is known already, no line from here can change the result.
        let root = ply == 0;
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
        let depth = depth.min(MAX_DEPTH);
        let excluded = self.stack[ply].excluded;
        let entry = self.shared.context.table.probe(position.key(), ply);
        if let Some(entry) = entry
            && !PV
            && excluded.is_none()
            && position.halfmove_clock() < params::TABLE_HALFMOVES
            && entry.settles(depth, window)
        {
            return entry.value;
        }

        // 4b. So may the tablebases. In the principal variation they bound the value.
        let table_pv = PV || entry.is_some_and(|entry| entry.pv);
        let by_tablebase =
            match self.bounds_by_tablebase::<PV>(position, window, depth, ply, table_pv) {
                ControlFlow::Break(value) => return value,
                ControlFlow::Continue(bounds) => bounds,
            };
        window.alpha = window.alpha.max(by_tablebase.alpha);

        // 5. Static evaluation, and whether things go better than a move ago.
        let hash_move = self.hash_move(position, entry, root);
        let mut node = Node {
            position,
            window,
            depth,
            ply,
            cut_node,
            in_check: position.in_check(),
            entry,
            hash_move,
            raw_eval: NONE,
            eval: NONE,
            improving: false,
            table_pv,
        };
        self.assess(&mut node);
        if excluded.is_none() && self.verified_ply != Some(ply) {
            self.learn_from_eval(position, ply);
        }

        // 6. Is the node decided without looking at its moves?
        if !PV
            && !node.in_check
            && excluded.is_none()
            && let Some(value) = self.prune_node(&node)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // 7. A side above beta counts as improving. Poorly ordered nodes are searched less deep.
        node.improving |= !node.in_check && self.stack[ply].eval >= node.window.beta;
        node.depth -= i32::from(self.reduces_internally::<PV>(&node));

        // 8. The moves, in the order of the picker.
        let (mut picker, keys) = self.pick_moves(&node);
        let mut tried = Tried::default();
        let mut result =
            NodeResult { value: by_tablebase.alpha, best_move: None, bound: Bound::Upper };
        // The best so far by what bounds say: a guess worth trying first next time if the table
        // has none.
        let mut likely = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, self.histories) {
            if self.leaves_out(&node, mv) {
                continue;
            }
            number += 1;
            let noisy = is_noisy(position, mv);
            let history = if noisy {
                self.histories.capture(position, mv)
            } else {
                self.histories.quiets(position, keys).merit(mv)
            };
            let losing = picker.is_at_losing();
            let candidate = Candidate { mv, number, noisy, losing, history };
            if root {
                self.report_current_move(self.root_depth, mv, number);
            }

            // 9. Shallow pruning: moves that will hardly matter are not searched at all, once
            //    there is one that does not lose to a mate.
            if !root
                && result.value > -TABLEBASE_BOUND
                && self.prune_move(&node, &candidate, &mut picker, &mut tried)
            {
                continue;
            }

            // 10. Search it.
            let nodes_before = self.nodes;
            let mut extension = 0;
            if !root && Some(mv) == hash_move && excluded.is_none() {
                match self.extension::<PV>(&node, mv) {
                    ControlFlow::Continue(plies) => {
                        extension = plies;
                        picker.renew_killers(self.stack[ply].killers);
                    }
                    ControlFlow::Break(value) => return value,
                }
            }
            let child = self.descend(position, mv, ply);
            self.stack[ply + 1].double_extensions += i32::from(extension > 1);
            let depth = node.depth + extension;
            let value = self.search_move::<PV>(&node, &child, &candidate, depth);
            self.ascend();
            if self.stopped {
                return 0;
            }
            if root {
                self.note_root_move(mv, value, node.window, number, self.nodes - nodes_before);
            }

            // 11. Is it the best so far? Does it cut?
            if value > result.value {
                result.value = value;
                likely = Some(mv);
                if value > node.window.alpha {
                    result.best_move = Some(mv);
                    result.bound = Bound::Exact;
                    if PV && !root {
                        self.stack.set_pv(ply, mv);
                    }
                    if value >= node.window.beta {
                        result.bound = Bound::Lower;
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    node.window.alpha = value;
                }
            }
            if result.best_move != Some(mv) {
                tried.push(mv, noisy);
            }
        }

        // 12. No legal move: mate or stalemate. Who overlooks all of them sees none of the two.
        if number == 0 {
            return match excluded {
                Some(_) => node.window.alpha, // the excluded move is the only one
                None if node.in_check => -MATE + ply as Value,
                None if position.has_legal_move() => node.eval,
                None => DRAW,
            };
        }

        // 13. Learn, and remember.
        result.value = result.value.min(by_tablebase.beta);
        self.learn(&node, result, &tried);
        if excluded.is_none() {
            self.remember(&node, result, result.best_move.or(hash_move).or(likely));
        }
        result.value
    }

    /// Whether a move is not to be searched in a node: at the root because of `searchmoves`, because
    /// it is of an earlier line, or of a worse rank; elsewhere because a singular search excludes it,
    /// or because a weak level overlooks it.
    #[inline(always)]
    fn leaves_out(&self, node: &Node<G>, mv: Move) -> bool {
        if node.ply == 0 {
            let wanted = &self.root_moves[self.pv_index..self.pv_end];
            return !wanted.iter().any(|root| root.mv == mv);
        }
        self.stack[node.ply].excluded == Some(mv)
            || !node.in_check && self.overlooks(node.position, mv, node.ply)
    }

    /// The move to begin with: the root's best so far, or the one that the table remembers.
    #[inline]
    fn hash_move(
        &self,
        position: &Position<G>,
        entry: Option<TableEntry>,
        root: bool,
    ) -> Option<Move> {
        if root {
            return Some(self.root_moves[self.pv_index].mv);
        }
        // Two positions may share a key.
        let mv = entry.and_then(|entry| Move::from_bits::<G>(entry.mv));
        mv.filter(|&mv| position.is_legal(mv))
    }

    /// Step 2: what ends a node of either kind before it begins: the end of the search, of the stack,
    /// or a draw.
    #[inline(always)]
    pub fn begin<const PV: bool>(&mut self, position: &Position<G>, ply: usize) -> Option<Value> {
        self.look_at_limits();
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

    /// Step 5: evaluates a node. Leaves the evaluation on the stack, and forgets what was found two
    /// plies below other nodes.
    #[inline(always)]
    fn assess(&mut self, node: &mut Node<G>) {
        let ply = node.ply;
        self.stack[ply].eval = NONE;
        self.stack[ply + 2].killers = [None; 2];
        self.stack[ply + 2].cutoffs = 0;
        if node.in_check {
            return;
        }
        node.raw_eval = self.raw_eval(node.position, node.entry, ply, node.table_pv);
        let static_eval = self.corrected(node.position, node.raw_eval, ply);
        self.stack[ply].eval = static_eval;
        node.eval = node.entry.map_or(static_eval, |entry| entry.improve(static_eval));
        node.improving = self.stack.eval_before(ply).is_none_or(|before| static_eval > before);
    }

    /// Step 7, internal iterative reduction: without a hash move, or with one from a search much less
    /// deep, the order is poor, and the position was not important enough to be searched before; a
    /// shallower search finds the move. Not at the root, whose moves are in order whatever the table
    /// knows.
    #[inline(always)]
    fn reduces_internally<const PV: bool>(&self, node: &Node<G>) -> bool {
        let &Node { entry, hash_move, depth, ply, cut_node, .. } = node;
        let known = entry.filter(|_| hash_move.is_some()).map_or(0, |entry| entry.depth);
        ply > 0
            && depth >= params::INTERNAL_REDUCTION_DEPTH
            && known + params::INTERNAL_REDUCTION_GAP < depth
            && (PV || cut_node)
            && self.stack[ply].excluded.is_none()
    }

    /// Step 8: the moves of a node in the order of trying, and where their histories are.
    #[inline(always)]
    fn pick_moves(&mut self, node: &Node<G>) -> (Picker<G>, QuietKeys<G>) {
        self.stack[node.ply].threats = self.threats(node.position);
        let keys = self.stack.quiet_keys(node.ply);
        let counter = self.histories.counter(keys.continuations[0]);
        (Picker::main(node.hash_move, self.stack[node.ply].killers, counter, keys), keys)
    }

    /// Step 13: what a node teaches: which moves are good, and how wrong the evaluation was.
    fn learn(&mut self, node: &Node<G>, result: NodeResult, tried: &Tried) {
        let &Node { position, depth, ply, .. } = node;
        if let Some(mv) = result.best_move {
            let keys = self.stack.quiet_keys(ply);
            // The best move of an exact node was good as well, but refuted nothing.
            let cuts = result.bound == Bound::Lower;
            self.histories.update(position, keys, mv, cuts.then_some(tried), depth);
            if cuts && !is_noisy(position, mv) {
                self.stack.add_killer(ply, mv);
                self.histories.set_counter(keys.continuations[0], mv);
            }
        }
        // Without the best move the rest is not about this position.
        if self.stack[ply].excluded.is_some() {
            return;
        }
        // Nothing helps against the move that led here: so that one was good. Where a null move is
        // being verified, the node itself finds that out later.
        if result.bound == Bound::Upper && self.verified_ply != Some(ply) {
            let bonus = params::HISTORY_LAST * params::history_bonus(depth) / 100;
            if let Some(mv) = self.stack.last_quiet(ply) {
                let keys = self.stack.quiet_keys(ply - 1);
                self.histories.update_last(position, keys, mv, bonus);
            } else if let Some((key, taken)) = self.stack.last_capture(ply) {
                self.histories.update_last_capture(key, taken, bonus);
            }
        }
        // Captures show nothing of the evaluation, nor do bounds on the wrong side of it, nor moves
        // that it had skipped, nor draws, which come from the line as often as from the position.
        let static_eval = self.stack[ply].eval;
        let quiet = result.best_move.is_none_or(|mv| !is_noisy(position, mv));
        let by_eval = tried.futile && result.bound == Bound::Upper;
        if static_eval != NONE
            && quiet
            && !by_eval
            && result.value != DRAW
            && result.bound.betters(result.value, static_eval)
        {
            let moves = self.stack.last_moves(ply);
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

    /// Step 13: stores the result, with the move to be tried first. Not the second line of several,
    /// nor the best of some moves only: these are not the value of the position.
    #[inline]
    fn remember(&mut self, node: &Node<G>, result: NodeResult, first: Option<Move>) {
        let context = &self.shared.context;
        if node.ply > 0 || self.pv_index == 0 && context.limits.search_moves.is_empty() {
            let entry = TableEntry {
                mv: first.map_or(0, Move::bits),
                value: result.value,
                eval: node.raw_eval,
                depth: node.depth,
                bound: Some(result.bound),
                pv: node.table_pv,
            };
            context.table.store(node.position.key(), node.ply, entry);
        }
    }

    /// Step 10a, singular extension (Anantharaman, Campbell and Hsu 1988): by how many plies to
    /// extend the hash move, or the value of the node if it is decided. The other moves are searched
    /// to half the depth: if all stay well below what the table says of this one, it is the only
    /// good one, and worth a closer look. Near the leaves no search asks: a move that cut before, while
    /// the evaluation is well below the window, is taken for the only good one.
    fn extension<const PV: bool>(&mut self, node: &Node<G>, mv: Move) -> ControlFlow<Value, i32> {
        let &Node { position, depth, ply, .. } = node;
        if ply >= 2 * self.root_depth as usize {
            return ControlFlow::Continue(0);
        }
        if depth < params::SINGULAR_DEPTH {
            let cut = node.entry.is_some_and(|entry| entry.bound == Some(Bound::Lower));
            let below = !node.in_check
                && self.stack[ply].eval + params::SHALLOW_SINGULAR_MARGIN <= node.window.alpha;
            return ControlFlow::Continue(i32::from(cut && below));
        }
        let Some(entry) = node.entry.filter(|entry| {
            entry.depth >= depth - params::SINGULAR_TABLE_DEPTH
                && entry.bound.is_some_and(|bound| bound != Bound::Upper)
                && !is_decided(entry.value)
        }) else {
            return ControlFlow::Continue(0);
        };
        let target = entry.value - params::SINGULAR_MARGIN * depth / 16;
        let others = Window::null(target - 1);
        self.stack[ply].excluded = Some(mv);
        let value = self.node::<false>(position, others, (depth - 1) / 2, ply, node.cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return ControlFlow::Break(0);
        }
        if value < target {
            let double = !PV
                && target - value > params::DOUBLE_EXTENSION_MARGIN
                && self.stack[ply].double_extensions < params::DOUBLE_EXTENSIONS_MOST;
            return ControlFlow::Continue(1 + i32::from(double));
        }
        // Multi-cut (Bjornsson and Marsland 1999): several moves seem to be above beta.
        if !PV && target >= node.window.beta {
            return ControlFlow::Break(target);
        }
        // Not singular, and expected to be above beta anyway: less will do.
        ControlFlow::Continue(match () {
            () if entry.value >= node.window.beta => -3 + i32::from(PV),
            () if node.cut_node => -params::CUT_NODE_REDUCTION,
            () => 0,
        })
    }

    /// Step 10: principal variation search. The first move gets the whole window; the others only
    /// have to show that they are not better, late ones at less depth, and are searched again if
    /// they are.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node<G>,
        child: &Position<G>,
        candidate: &Candidate,
        depth: i32,
    ) -> Value {
        let &Node { window, ply, cut_node, .. } = node;
        let alpha = window.alpha;
        let scout = Window::null(alpha).flip();
        let mut full = depth - 1;
        let first = candidate.number == 1;
        let mut value = -INFINITE;

        if !first || !PV {
            // 10b. Late move reduction: the later a move and the worse its history, the less deep.
            let mut reduced = full;
            if depth >= params::REDUCTION_DEPTH && candidate.number > 1 + i32::from(PV) {
                let reduction = self.late_move_reduction::<PV>(node, child, candidate, depth);
                reduced = (full - reduction).clamp(1.min(full), full);
            }
            let cut = reduced < full || !cut_node;
            value = -self.node::<false>(child, scout, reduced, ply + 1, cut);

            // 10c. Better than expected: look again at full depth, and if much better, deeper.
            if value > alpha && reduced < full && !self.stopped {
                full += i32::from(value > alpha + params::DEEPER_MARGIN && !is_decided(value));
                if reduced < full {
                    value = -self.node::<false>(child, scout, full, ply + 1, !cut_node);
                }
            }
        }
        if !PV || self.stopped || !first && value <= alpha {
            return value;
        }

        // 10d. In the principal variation, the exact value of the first move and of better ones.
        //      Not beyond beta: the node is cut whatever the value is.
        if !first {
            self.stack.clear_pv(ply + 1);
            if ply == 0 {
                // Better than the best, even if the search ends before it is known by how much.
                self.expect_reply(child);
                let bound = Window { alpha, beta: value };
                self.note_root_move(candidate.mv, value, bound, candidate.number, 0);
            }
            if value >= window.beta {
                return value;
            }
        }
        -self.node::<true>(child, window.flip(), full, ply + 1, false)
    }

    /// The line after a root move, as far as the table knows it: the reply.
    fn expect_reply(&mut self, child: &Position<G>) {
        let entry = self.shared.context.table.probe(child.key(), 1);
        if let Some(reply) = self.hash_move(child, entry, false) {
            self.stack.clear_pv(2);
            self.stack.set_pv(1, reply);
        }
    }

    /// Notes what came of a root move within a window.
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
        if self.id == 0 && self.shared.context.time.elapsed().as_millis() > 3_000 {
            let number = number as usize + self.pv_index;
            self.shared.context.listener.current_move(depth, mv, number);
        }
    }
}
