//! The main search function: one node of the tree.

use std::ops::ControlFlow;

use super::history::{Tried, is_noisy};
use super::params;
use super::picker::{Picker, checks_directly};
use super::report::Bound;
use super::tt::Hit;
use super::worker::{Worker, is_mate};
use super::{MAX_DEPTH, MAX_PLY};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::score::{DRAW, INFINITE, MATE, NONE};
use crate::types::{Move, Value};

/// The window and depth of a node.
#[derive(Clone, Copy)]
pub struct Span {
    pub alpha: Value,
    pub beta: Value,
    pub depth: i32,
}

impl Span {
    /// The same depth or another, with a window that only asks whether a score is above `alpha`.
    fn null(alpha: Value, depth: i32) -> Span {
        Span { alpha, beta: alpha + 1, depth }
    }

    /// As the opponent sees it.
    fn flip(self) -> Span {
        Span { alpha: -self.beta, beta: -self.alpha, depth: self.depth }
    }
}

/// What a node knows about a move before searching it.
struct Candidate {
    mv: Move,
    /// From 1, in the order of trying.
    number: i32,
    noisy: bool,
    /// For quiet moves.
    history: i32,
}

/// What a node found out about itself before looking at moves.
#[derive(Clone, Copy)]
struct Outlook {
    in_check: bool,
    /// The static evaluation, bettered by the table; [`NONE`] in check.
    eval: Value,
    /// Whether the side to move stands better than two plies ago.
    improving: bool,
    /// Whether a fail-high is expected.
    cut_node: bool,
    /// What the table knows.
    hit: Option<Hit>,
}

/// What came out of a node.
#[derive(Clone, Copy)]
struct Found {
    value: Value,
    best_move: Option<Move>,
    bound: Bound,
}

impl Found {
    /// As the table keeps it.
    fn hit(self, eval: Value, depth: i32, pv: bool) -> Hit {
        let Found { value, best_move, bound } = self;
        Hit { mv: best_move.map_or(0, Move::bits), value, eval, depth, bound, pv }
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
    /// The value of a position within the window of `span`, searched to its depth. `PV` nodes have
    /// an open window and collect the principal variation; `cut_node` says that a fail-high is
    /// expected. Returns anything once `stopped` is set.
    pub fn node<const PV: bool>(
        &mut self,
        position: &Position<G>,
        span: Span,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        let Span { mut alpha, mut beta, mut depth } = span;
        let root = ply == 0;
        let in_check = position.in_check();

        // 1. At the horizon captures alone are looked at, in check all evasions.
        if depth <= 0 {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        depth = depth.min(MAX_DEPTH);

        let mut window = Span { alpha, beta, depth };
        if let Some(value) = self.enter::<PV>(position, &mut window, ply) {
            return value;
        }
        (alpha, beta) = (window.alpha, window.beta);

        // 4. The transposition table may settle the node, except in the principal variation, which
        //    must be whole.
        let excluded = self.frame(ply).excluded;
        let hit = self.shared.table.probe(position.key(), ply);
        if let Some(hit) = hit
            && !PV
            && excluded.is_none()
            && position.halfmove_clock() < params::TABLE_HALFMOVES
            && hit.settles(depth, alpha, beta)
        {
            return hit.value;
        }
        let hash_move = if root {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            hit.and_then(|hit| Move::from_bits::<G>(hit.mv)).filter(|&mv| position.is_legal(mv))
        };

        // 5. Static evaluation, and whether things go better than two plies ago.
        let raw_eval = match hit {
            _ if in_check => NONE,
            Some(hit) if hit.eval != NONE => hit.eval,
            _ => self.evaluate(position),
        };
        let static_eval = if in_check { NONE } else { self.corrected(position, raw_eval, ply) };
        let eval = hit.filter(|_| !in_check).map_or(static_eval, |hit| hit.improve(static_eval));
        self.frame(ply).eval = static_eval;
        self.frame(ply + 1).killers = [None; 2];
        let improving =
            !in_check && self.eval_two_plies_ago(ply).is_none_or(|before| static_eval > before);
        let outlook = Outlook { in_check, eval, improving, cut_node, hit };

        // 6. Is the node decided without looking at its moves?
        if !PV
            && !in_check
            && excluded.is_none()
            && let Some(value) =
                self.prune_node(position, Span { alpha, beta, depth }, ply, outlook)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // 7. Internal iterative reduction: without a hash move the order is poor, and the position
        //    was not important enough to be searched before; a shallower search finds the move.
        if depth >= params::INTERNAL_REDUCTION_DEPTH && hash_move.is_none() && (PV || cut_node) {
            depth -= 1;
        }

        // 8. The moves, in the order of the picker.
        let contexts = self.contexts(ply);
        let killers = self.frame(ply).killers;
        let counter = self.histories.counter(contexts[0]);
        let mut picker = Picker::main(hash_move, [killers[0], killers[1], counter], contexts);
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut bound = Bound::Upper;
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
            let history =
                if noisy { 0 } else { self.histories.quiets(position, contexts).score(mv) };
            let candidate = Candidate { mv, number, noisy, history };
            if root {
                self.report_current_move(depth, mv, number);
            }

            // 9. Shallow pruning: moves that will hardly matter are not searched at all, once
            //    there is one that does not lose to a mate.
            let lower = Span { alpha, beta, depth };
            if !root
                && best > -MATE + MAX_PLY as Value
                && self.prune_move(position, &candidate, lower, outlook, &mut picker)
            {
                continue;
            }

            // 10. Search it.
            let nodes_before = self.nodes;
            let mut extension = 0;
            if !root && Some(mv) == hash_move && excluded.is_none() {
                match self.extension::<PV>(position, mv, lower, ply, outlook) {
                    ControlFlow::Continue(plies) => extension = plies,
                    ControlFlow::Break(value) => return value,
                }
            }
            let lower = Span { depth: depth + extension, ..lower };
            let child = self.descend(position, mv, ply);
            self.frame(ply + 1).double_extensions += i32::from(extension > 1);
            let value = self.search_move::<PV>(&child, &candidate, lower, ply, outlook);
            self.ascend();
            if self.stopped {
                return 0;
            }
            if root {
                self.note_root_move(mv, value, alpha, beta, number, self.nodes - nodes_before);
            }

            // 11. Is it the best so far? Does it cut?
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if PV && !root {
                        self.set_pv(ply, mv);
                    }
                    if value >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                    alpha = value;
                }
            }
            if best_move != Some(mv) {
                tried.push(mv, noisy);
            }
        }

        // 12. No legal move: mate or stalemate.
        if number == 0 {
            if excluded.is_some() {
                return alpha; // the excluded move is the only one
            }
            return if in_check { -MATE + ply as Value } else { self.draw_value() };
        }

        // 13. Learn, and remember.
        let found = Found { value: best, best_move, bound };
        self.learn(position, found, &tried, Span { alpha, beta, depth }, ply);
        if excluded.is_none() {
            let hit = found.hit(raw_eval, depth, PV);
            self.remember(position, hit, ply);
        }
        best
    }

    /// Steps 2 and 3: what ends a node before it begins. Narrows the window to what can matter.
    #[inline]
    fn enter<const PV: bool>(
        &mut self,
        position: &Position<G>,
        window: &mut Span,
        ply: usize,
    ) -> Option<Value> {
        // 2. Count the node, and stop if the search is over.
        self.count_node();
        if PV {
            self.clear_pv(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.stopped {
            return Some(0);
        }
        if ply == 0 {
            return None;
        }

        // 3. Draws, the end of the stack, and mates that are too far away to matter: if a shorter
        //    one is known already, no line from here can change the result.
        if self.is_draw(position, ply) {
            return Some(self.draw_value());
        }
        if ply >= MAX_PLY {
            let quiet = !position.in_check();
            return Some(if quiet { self.evaluate(position) } else { self.draw_value() });
        }
        // A draw by repetition is there for the taking.
        if window.alpha < DRAW && self.can_repeat(position, ply) {
            window.alpha = self.draw_value();
        }
        window.alpha = window.alpha.max(-MATE + ply as Value);
        window.beta = window.beta.min(MATE - ply as Value - 1);
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// Step 13: what a node teaches: which moves are good, and how wrong the evaluation was.
    fn learn(
        &mut self,
        position: &Position<G>,
        found: Found,
        tried: &Tried,
        span: Span,
        ply: usize,
    ) {
        let depth = span.depth;
        let contexts = self.contexts(ply);
        if found.bound == Bound::Lower
            && let Some(mv) = found.best_move
        {
            if !is_noisy(position, mv) {
                self.add_killer(ply, mv);
            }
            self.histories.update(position, contexts, mv, tried, depth);
        }
        // Without the best move the rest is not about this position.
        if self.frame(ply).excluded.is_some() {
            return;
        }
        // Captures show nothing of the evaluation, nor do bounds on the wrong side of it.
        let static_eval = self.frame(ply).eval;
        let quiet = found.best_move.is_none_or(|mv| !is_noisy(position, mv));
        if static_eval != NONE && quiet && found.says_more_than(static_eval) {
            let contexts = self.last_two(ply);
            self.corrections.update(position, contexts, found.value - static_eval, depth);
        }
    }

    /// Step 13: stores the result. Not the second line of several, nor the best of some moves only:
    /// these are not the value of the position.
    #[inline]
    fn remember(&mut self, position: &Position<G>, hit: Hit, ply: usize) {
        if ply > 0 || self.pv_index == 0 && self.shared.limits.search_moves.is_empty() {
            self.shared.table.store(position.key(), ply, hit);
        }
    }

    /// Step 6: a value that the node almost surely reaches or misses, without a look at its moves.
    fn prune_node(
        &mut self,
        position: &Position<G>,
        span: Span,
        ply: usize,
        outlook: Outlook,
    ) -> Option<Value> {
        let Span { beta, depth, .. } = span;
        let eval = outlook.eval;
        if is_mate(beta) || is_mate(eval) {
            return None;
        }

        // 6a. Reverse futility: so far above beta that no quiet reply will make up for it in the
        //     few plies left.
        let margin = params::REVERSE_FUTILITY_MARGIN * depth
            - params::REVERSE_FUTILITY_IMPROVING * i32::from(outlook.improving);
        if depth <= params::REVERSE_FUTILITY_DEPTH && eval - margin >= beta {
            return Some((eval + beta) / 2);
        }

        // 6b. Null move: if the opponent may move twice and we are still above beta, a real move
        //     will be too. False in zugzwang, so not with pawns alone, never twice in a row, and
        //     at high depth verified by a search without null moves.
        let allowed = depth >= params::NULL_MOVE_DEPTH
            && eval >= beta
            && !self.after_null(ply)
            && ply >= self.null_move_from
            && position.has_pieces(position.side_to_move());
        if !allowed {
            return None;
        }
        let reduction = params::NULL_MOVE_REDUCTION
            + depth / params::NULL_MOVE_DEPTH_DIVISOR
            + ((eval - beta) / params::NULL_MOVE_EVAL_DIVISOR).min(3);
        let lower = Span::null(beta - 1, depth - reduction);
        let child = self.descend_null(position, ply);
        let value = -self.node::<false>(&child, lower.flip(), ply + 1, !outlook.cut_node);
        self.ascend();
        if self.stopped || value < beta {
            return None;
        }
        let value = if is_mate(value) { beta } else { value };
        if depth < params::NULL_MOVE_VERIFY_DEPTH || self.null_move_from > 0 {
            return Some(value);
        }
        self.null_move_from = ply + 3 * (depth - reduction).max(0) as usize / 4;
        let verified = self.node::<false>(position, lower, ply, false);
        self.null_move_from = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// Step 9: whether a move is not worth searching.
    fn prune_move(
        &self,
        position: &Position<G>,
        candidate: &Candidate,
        span: Span,
        outlook: Outlook,
        picker: &mut Picker,
    ) -> bool {
        let Span { alpha, depth, .. } = span;
        let mv = candidate.mv;
        if candidate.noisy {
            // 9a. Captures that lose more than the depth can win back.
            return depth <= params::SEE_DEPTH
                && !position.see_at_least(mv, -params::SEE_NOISY_MARGIN * depth);
        }
        let reduced = (depth - params::reduction(depth, candidate.number)).max(0);

        // 9b. Late moves: with good ordering, the best move is among the first.
        let most = params::LATE_MOVE_BASE + depth * depth;
        let most = if outlook.improving { most } else { most / 2 };
        if depth <= params::LATE_MOVE_DEPTH && candidate.number > most {
            return skip_quiets(position, mv, depth, picker);
        }
        // 9c. Futility: a quiet move will not make up for what is missing to alpha.
        if !outlook.in_check
            && reduced <= params::FUTILITY_DEPTH
            && !is_mate(alpha)
            && outlook.eval + params::FUTILITY_BASE + params::FUTILITY_MARGIN * reduced <= alpha
        {
            return skip_quiets(position, mv, depth, picker);
        }
        // 9d. Quiet moves onto a square where the piece is lost.
        depth <= params::SEE_DEPTH
            && !position.see_at_least(mv, -params::SEE_QUIET_MARGIN * reduced)
    }

    /// Step 10a, singular extension (Anantharaman, Campbell and Hsu 1988): by how many plies to
    /// extend the hash move, or the value of the node if it is decided. The other moves are searched
    /// to half the depth: if all stay well below what the table says of this one, it is the only
    /// good one, and worth a closer look.
    fn extension<const PV: bool>(
        &mut self,
        position: &Position<G>,
        mv: Move,
        span: Span,
        ply: usize,
        outlook: Outlook,
    ) -> ControlFlow<Value, i32> {
        let Span { beta, depth, .. } = span;
        let Some(hit) = outlook.hit.filter(|hit| {
            depth >= params::SINGULAR_DEPTH
                && ply < 2 * self.root_depth as usize
                && hit.depth >= depth - params::SINGULAR_TABLE_DEPTH
                && hit.bound != Bound::Upper
                && !is_mate(hit.value)
        }) else {
            return ControlFlow::Continue(0);
        };
        let target = hit.value - params::SINGULAR_MARGIN * depth / 16;
        let others = Span::null(target - 1, (depth - 1) / 2);
        self.frame(ply).excluded = Some(mv);
        let value = self.node::<false>(position, others, ply, outlook.cut_node);
        self.frame(ply).excluded = None;
        if self.stopped {
            return ControlFlow::Break(0);
        }
        if value < target {
            let far = !PV
                && value < target - params::DOUBLE_EXTENSION_MARGIN
                && self.frame(ply).double_extensions < params::DOUBLE_EXTENSIONS_MOST;
            return ControlFlow::Continue(1 + i32::from(far));
        }
        // Multi-cut (Bjornsson and Marsland 1999): several moves seem to be above beta.
        if !PV && target >= beta {
            return ControlFlow::Break(target);
        }
        // Not singular, and expected to be above beta anyway: less will do.
        ControlFlow::Continue(match () {
            () if hit.value >= beta => -2 + i32::from(PV),
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
        span: Span,
        ply: usize,
        outlook: Outlook,
    ) -> Value {
        let Span { alpha, beta, depth } = span;
        let full = depth - 1;
        let first = candidate.number == 1;
        let mut value = -INFINITE;

        if !first || !PV {
            // 10a. Late move reduction: the later a move and the worse its history, the less deep.
            let mut reduced = full;
            if depth >= params::REDUCTION_DEPTH && candidate.number > 1 + i32::from(PV) {
                let reduction = Self::late_move_reduction::<PV>(child, candidate, depth, outlook);
                reduced = (full - reduction).clamp(1.min(full), full);
            }
            let scout = Span::null(alpha, reduced).flip();
            let cut = reduced < full || !outlook.cut_node;
            value = -self.node::<false>(child, scout, ply + 1, cut);

            // 10b. Better than expected: look again at full depth.
            if value > alpha && reduced < full && !self.stopped {
                let scout = Span::null(alpha, full).flip();
                value = -self.node::<false>(child, scout, ply + 1, !outlook.cut_node);
            }
        }
        // 10c. In the principal variation, the exact value of the first move and of better ones.
        if PV && (first || value > alpha) && !self.stopped {
            let whole = Span { alpha, beta, depth: full }.flip();
            value = -self.node::<true>(child, whole, ply + 1, false);
        }
        value
    }

    fn late_move_reduction<const PV: bool>(
        child: &Position<G>,
        candidate: &Candidate,
        depth: i32,
        outlook: Outlook,
    ) -> i32 {
        let base = params::reduction(depth, candidate.number);
        if candidate.noisy {
            return base / 2;
        }
        base + i32::from(outlook.cut_node) + i32::from(!outlook.improving)
            - i32::from(PV)
            - i32::from(child.in_check())
            - candidate.history / params::REDUCTION_HISTORY
    }

    fn note_root_move(
        &mut self,
        mv: Move,
        value: Value,
        alpha: Value,
        beta: Value,
        number: i32,
        nodes: u64,
    ) {
        if number == 1 || value > alpha {
            self.set_pv(0, mv);
        }
        let pv = self.root_pv().to_vec();
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
        if self.id == 0 && self.shared.time.elapsed().as_millis() > 3_000 {
            let number = number as usize + self.pv_index;
            self.shared.listener.current_move(depth, mv, number);
        }
    }
}

/// Skips the quiet moves of a node from this one on. Near the leaves checks remain, for these are
/// the last plies in which a mate can be seen. Whether the move itself is to be skipped.
fn skip_quiets<G: Board>(
    position: &Position<G>,
    mv: Move,
    depth: i32,
    picker: &mut Picker,
) -> bool {
    if depth > params::QUIET_CHECKS_DEPTH {
        picker.skip_quiets();
        return true;
    }
    picker.skip_quiets_but_checks();
    !checks_directly(position, mv)
}
