//! The main search function: one node of the tree, in numbered steps.
//!
//! Figures in brackets are the Elo gain of a step when it was added, with a 95% interval, in Chess960.
//! Figures at 5,000 nodes come from screening runs in which many steps were switched on and off at the same
//! time. Steps without a figure were never measured alone.

use std::ops::ControlFlow;

use super::history::{QuietKeys, Tried, is_noisy};
use super::limits::{MAX_DEPTH, MAX_PLY};
use super::params;
use super::picker::Picker;
use super::tt::TableEntry;
use super::worker::Worker;
use crate::geometry::Board;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MATE, NONE, TABLEBASE_BOUND, is_decided};
use crate::types::{Bound, Move, Value, Window};

/// A move that a node considers.
pub struct Candidate {
    pub mv: Move,
    /// The move's place in the move order, counted from 1.
    pub number: i32,
    /// Whether the move captures or promotes.
    pub noisy: bool,
    /// Whether the move is a capture that loses material.
    pub losing: bool,
    /// The history value of the move.
    pub history: i32,
}

/// The state of a node after steps 1 to 5, before any move is tried.
pub struct Node<'a, G: Board> {
    pub position: &'a Position<G>,
    /// The search window. Each better move raises alpha.
    pub window: Window,
    pub depth: i32,
    pub ply: usize,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    pub in_check: bool,
    pub entry: Option<TableEntry>,
    /// The move to try first: the move of the table entry if legal, or at the root the best move so far.
    pub hash_move: Option<Move>,
    /// The static evaluation before 50-move scaling and correction history; [`NONE`] in check.
    pub raw_eval: Value,
    /// The evaluation after 50-move scaling, correction history and the hash bound; [`NONE`] in check.
    pub eval: Value,
    /// Whether the static evaluation has risen since the side's previous move.
    pub improving: bool,
    /// Whether the position is or was in a principal variation.
    pub table_pv: bool,
}

/// The result of a node.
#[derive(Clone, Copy)]
struct NodeResult {
    value: Value,
    best_move: Option<Move>,
    bound: Bound,
}

impl<G: Board> Worker<'_, G> {
    /// Searches a position to a depth and returns the position's value. `PV` nodes have an open window and
    /// collect the principal variation. A `cut_node` is expected to fail high. The returned value is
    /// meaningless once `stopped` is set.
    pub fn node<const PV: bool>(
        &mut self,
        position: &Position<G>,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        // Step 1. Quiescence search at the horizon.
        if depth <= 0 || ply >= self.last_ply {
            return self.quiescence::<PV>(position, window, ply);
        }

        // Step 2. Return if the search was stopped, the position is a draw, or the maximum ply is reached.
        if let Some(value) = self.begin::<PV>(position, ply) {
            return value;
        }

        // Step 3. Upcoming repetition (+20 ± 16 Elo at 5,000 nodes): if the side to move can repeat a
        // position, a draw is a lower bound of the value. Mate distance pruning: no line from this node can
        // beat a shorter mate that is already known.
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

        // Step 4a. Transposition table cutoff, except in PV nodes, so that the principal variation
        // is not cut short.
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

        // Step 4b. Tablebase probe: returns a cutoff value or, in PV nodes, bounds on the value.
        let table_pv = PV || entry.is_some_and(|entry| entry.pv);
        let by_tablebase =
            match self.bounds_by_tablebase::<PV>(position, window, depth, ply, table_pv) {
                ControlFlow::Break(value) => return value,
                ControlFlow::Continue(bounds) => bounds,
            };
        window.alpha = window.alpha.max(by_tablebase.alpha);

        // Step 5a. Static evaluation, corrected by correction history (+17 ± 16 Elo at 5,000 nodes).
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
        // Step 5b. Update the history of the previous move by the change of the static evaluation
        // (+29 ± 13 Elo at 5,000 nodes).
        if excluded.is_none() && self.verified_ply != Some(ply) {
            self.learn_from_eval(position, ply);
        }

        // Step 6. Pruning of the whole node: reverse futility, razoring, null move, ProbCut.
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

        // Step 7. Internal iterative reduction. From here on a side whose static evaluation is at
        // least beta counts as improving.
        node.improving |= !node.in_check && self.stack[ply].eval >= node.window.beta;
        node.depth -= i32::from(self.reduces_internally::<PV>(&node));

        // Step 8. Try the moves in the order of the picker.
        let (mut picker, keys) = self.pick_moves(&node);
        let mut tried = Tried::default();
        let mut result =
            NodeResult { value: by_tablebase.alpha, best_move: None, bound: Bound::Upper };
        // The move with the highest value. After a fail low this move is only a guess. The table stores the
        // guess if there is no hash move (+12 ± 13 Elo at 5,000 nodes).
        let mut likely = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, self.histories) {
            if self.is_left_out(&node, mv) {
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

            // Step 9. Pruning of single moves, once a move has been found that does not lose to a mate or
            // by the tablebases.
            if !root
                && result.value > -TABLEBASE_BOUND
                && self.prune_move(&node, &candidate, &mut picker, &mut tried)
            {
                continue;
            }

            // Step 10. Extend and search the move.
            let nodes_before = self.nodes;
            let mut extension = 0;
            if !root && Some(mv) == hash_move && excluded.is_none() {
                match self.extension::<PV>(&node, mv) {
                    ControlFlow::Continue(plies) => {
                        extension = plies;
                        picker.set_killers(self.stack[ply].killers);
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

            // Step 11. Update the best move, raise alpha, or cut off.
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

        // Step 12. Mate and stalemate. If a weak level overlooked every move, return the evaluation.
        if number == 0 {
            return match excluded {
                Some(_) => node.window.alpha, // the excluded move is the only legal move
                None if node.in_check => -MATE + ply as Value,
                None if position.has_legal_move() => node.eval,
                None => DRAW,
            };
        }

        // Step 13. Update the histories and store the result.
        result.value = result.value.min(by_tablebase.beta);
        self.learn(&node, result, &tried);
        if excluded.is_none() {
            self.store_result(&node, result, result.best_move.or(hash_move).or(likely));
        }
        result.value
    }

    /// Returns whether a node must skip a move. The root skips moves outside `searchmoves`, moves of
    /// earlier MultiPV lines, and moves of a worse tablebase rank. Other nodes skip the move that a
    /// singular search excludes and the moves that a weak level overlooks.
    #[inline(always)]
    fn is_left_out(&self, node: &Node<G>, mv: Move) -> bool {
        if node.ply == 0 {
            let wanted = &self.root_moves[self.pv_index..self.pv_end];
            return !wanted.iter().any(|root| root.mv == mv);
        }
        self.stack[node.ply].excluded == Some(mv)
            || !node.in_check && self.overlooks(node.position, mv, node.ply)
    }

    /// Returns the move to try first. At the root this is the best move so far. At other nodes this is the
    /// move of the table entry, if legal.
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
        // The table's move may be illegal, because two positions may share a key.
        let mv = entry.and_then(|entry| Move::from_bits::<G>(entry.mv));
        mv.filter(|&mv| position.is_legal(mv))
    }

    /// Step 2 of the main search and step 1 of quiescence: returns a value if the search was stopped, the
    /// position is a draw, or the maximum ply is reached.
    #[inline(always)]
    pub fn begin<const PV: bool>(&mut self, position: &Position<G>, ply: usize) -> Option<Value> {
        self.check_limits();
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

    /// Step 5a: evaluates a node and puts the evaluation on the stack. Resets the killers and the cutoff
    /// count two plies deeper.
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

    /// Step 7, internal iterative reduction: returns whether to search a PV node or an expected cut node
    /// one ply less deep. The node must have no hash move, or a hash move from a much shallower search (the
    /// second condition +8 ± 13 Elo at 5,000 nodes). The moves are then poorly ordered, and the reduced
    /// search finds a hash move. The root is never reduced, because the previous iteration ordered its
    /// moves.
    #[inline(always)]
    fn reduces_internally<const PV: bool>(&self, node: &Node<G>) -> bool {
        let &Node { entry, hash_move, depth, ply, cut_node, .. } = node;
        let known = entry.filter(|_| hash_move.is_some()).map_or(0, |entry| entry.depth);
        ply > 0
            && depth >= params::internal_reduction_depth()
            && known + params::internal_reduction_gap() < depth
            && (PV || cut_node)
            && self.stack[ply].excluded.is_none()
    }

    /// Step 8: returns the move picker of a node and the keys of its histories.
    #[inline(always)]
    fn pick_moves(&mut self, node: &Node<G>) -> (Picker<G>, QuietKeys<G>) {
        self.stack[node.ply].threats = self.threats(node.position);
        let keys = self.stack.quiet_keys(node.ply);
        let counter = self.histories.counter(keys.continuations[0]);
        (Picker::main(node.hash_move, self.stack[node.ply].killers, counter, keys), keys)
    }

    /// Step 13: updates move histories, killers, countermoves and correction history.
    fn learn(&mut self, node: &Node<G>, result: NodeResult, tried: &Tried) {
        let &Node { position, depth, ply, .. } = node;
        if let Some(mv) = result.best_move {
            let keys = self.stack.quiet_keys(ply);
            // The best move of an exact node gets a bonus too, but the other moves get no malus.
            let is_cutoff = result.bound == Bound::Lower;
            self.histories.update(position, keys, mv, is_cutoff.then_some(tried), depth);
            if is_cutoff && !is_noisy(position, mv) {
                self.stack.add_killer(ply, mv);
                self.histories.set_counter(keys.continuations[0], mv);
            }
        }
        // A singular search excludes a move, so its value is not the value of the position.
        if self.stack[ply].excluded.is_some() {
            return;
        }
        // After a fail low, reward the move that led to this node (+9 ± 13 Elo at 5,000 nodes). The
        // verification search of a null move skips this update, because the search of the node makes the same
        // update.
        if result.bound == Bound::Upper && self.verified_ply != Some(ply) {
            let bonus = params::history_last() * params::history_bonus(depth) / 100;
            if let Some(mv) = self.stack.last_quiet(ply) {
                let keys = self.stack.quiet_keys(ply - 1);
                self.histories.update_last(position, keys, mv, bonus);
            } else if let Some((key, taken)) = self.stack.last_capture(ply) {
                self.histories.update_last_capture(key, taken, bonus);
            }
        }
        // Correction history learns only from values that are comparable with the static evaluation. A node
        // is skipped if its best move is a capture or promotion. A node is also skipped if its value is a
        // bound on the wrong side of the static evaluation, or comes from futility pruning. Draws are
        // skipped because they often depend on the line.
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

    /// Step 5b: updates the history of the previous move by the change of the static evaluation. Only a
    /// quiet previous move is updated.
    #[inline]
    fn learn_from_eval(&mut self, position: &Position<G>, ply: usize) {
        let (before, eval) = (self.stack.before(ply).eval, self.stack[ply].eval);
        if eval != NONE
            && before != NONE
            && let Some(mv) = self.stack.last_quiet(ply)
        {
            let gain = -(before + eval);
            let bonus = (gain * params::eval_history()).clamp(-1_500, 1_500);
            let keys = self.stack.quiet_keys(ply - 1);
            self.histories.update_butterfly(!position.side_to_move(), keys, mv, bonus);
        }
    }

    /// Step 13: stores the result and the move to try first next time. The root stores no result for later
    /// MultiPV lines or with `searchmoves`, because such a value is not the value of the position.
    #[inline]
    fn store_result(&mut self, node: &Node<G>, result: NodeResult, first: Option<Move>) {
        let context = &self.shared.context;
        if node.ply > 0 || self.pv_index == 0 && context.search_moves.is_empty() {
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

    /// Step 10a. Singular extensions, double and negative extensions, and multi-cut (+47 ± 16 Elo at 5,000
    /// nodes, +49 ± 43 Elo at 10,000 nodes). Returns the number of plies by which to extend the hash move,
    /// or the value of the node after a multi-cut.
    ///
    /// All moves except the hash move are searched to half the depth. If their values stay well below the
    /// table's value, the hash move is singular and is extended (Anantharaman, Campbell and Hsu 1988). Near
    /// the leaves this search would cost more than it gains. There a hash move that caused a cutoff counts
    /// as singular if the static evaluation is well below the window.
    fn extension<const PV: bool>(&mut self, node: &Node<G>, mv: Move) -> ControlFlow<Value, i32> {
        let &Node { position, depth, ply, .. } = node;
        if ply >= 2 * self.root_depth as usize {
            return ControlFlow::Continue(0);
        }
        if depth < params::singular_depth() {
            let failed_high = node.entry.is_some_and(|entry| entry.bound == Some(Bound::Lower));
            let is_below = !node.in_check
                && self.stack[ply].eval + params::shallow_singular_margin() <= node.window.alpha;
            return ControlFlow::Continue(i32::from(failed_high && is_below));
        }
        let Some(entry) = node.entry.filter(|entry| {
            entry.depth >= depth - params::singular_table_depth()
                && entry.bound.is_some_and(|bound| bound != Bound::Upper)
                && !is_decided(entry.value)
        }) else {
            return ControlFlow::Continue(0);
        };
        let target = entry.value - params::singular_margin() * depth / 16;
        let others = Window::null(target - 1);
        self.stack[ply].excluded = Some(mv);
        let value = self.node::<false>(position, others, (depth - 1) / 2, ply, node.cut_node);
        self.stack[ply].excluded = None;
        if self.stopped {
            return ControlFlow::Break(0);
        }
        if value < target {
            let double = !PV
                && target - value > params::double_extension_margin()
                && self.stack[ply].double_extensions < params::double_extensions_most();
            return ControlFlow::Continue(1 + i32::from(double));
        }
        // Multi-cut (Björnsson and Marsland 1999): several moves seem to fail high.
        if !PV && target >= node.window.beta {
            return ControlFlow::Break(target);
        }
        // Negative extension: the hash move is not singular, and the node is expected to fail high anyway.
        ControlFlow::Continue(match () {
            () if entry.value >= node.window.beta => -3 + i32::from(PV),
            () if node.cut_node => -params::cut_node_reduction(),
            () => 0,
        })
    }

    /// Step 10: principal variation search. The first move of a PV node is searched with the full window.
    /// All other moves are searched with a null window, late moves also at a reduced depth. A move that
    /// fails high is re-searched.
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
            // Step 10b. Late move reductions.
            let mut reduced = full;
            if depth >= params::reduction_depth() && candidate.number > 1 + i32::from(PV) {
                let reduction = self.late_move_reduction::<PV>(node, child, candidate, depth);
                reduced = (full - reduction).clamp(1.min(full), full);
            }
            let cut = reduced < full || !cut_node;
            value = -self.node::<false>(child, scout, reduced, ply + 1, cut);

            // Step 10c. Re-search at full depth after a fail high. If the value is far above alpha,
            // re-search one ply deeper (+7 ± 13 Elo and +9 ± 13 Elo at 5,000 nodes).
            if value > alpha && reduced < full && !self.stopped {
                full += i32::from(value > alpha + params::deeper_margin() && !is_decided(value));
                if reduced < full {
                    value = -self.node::<false>(child, scout, full, ply + 1, !cut_node);
                }
            }
        }
        if !PV || self.stopped || !first && value <= alpha {
            return value;
        }

        // Step 10d. In PV nodes, search the first move and every move above alpha with the full window.
        // Moves at or above beta cause a cutoff without this search, except the first move.
        if !first {
            self.stack.clear_pv(ply + 1);
            if ply == 0 {
                // A root move that beat the best move counts even if the search ends before the move's
                // exact value is known (+13 ± 12 Elo at 10,000 nodes).
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

    /// Puts the reply to a root move into the principal variation, as stored in the transposition table.
    fn expect_reply(&mut self, child: &Position<G>) {
        let entry = self.shared.context.table.probe(child.key(), 1);
        if let Some(reply) = self.hash_move(child, entry, false) {
            self.stack.clear_pv(2);
            self.stack.set_pv(1, reply);
        }
    }

    /// Records the value of a root move that was searched with the window from `alpha` to `beta`.
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
            // A move with this value is sorted behind the best move. The sort is stable, so the other moves
            // keep their previous order.
            entry.value = -INFINITE;
        }
    }

    /// Reports the root move that is being searched, once the search has run for three seconds.
    fn report_current_move(&self, depth: i32, mv: Move, number: i32) {
        if self.id == 0 && self.shared.context.time.elapsed().as_millis() > 3_000 {
            let number = number as usize + self.pv_index;
            self.shared.context.listener.current_move(depth, mv, number);
        }
    }
}
