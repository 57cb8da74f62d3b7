//! The main search function: one node of the tree.

use std::ops::ControlFlow;

use super::history::{Tried, is_noisy};
use super::params;
use super::picker::Picker;
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
    pub fn null(alpha: Value, depth: i32) -> Span {
        Span { alpha, beta: alpha + 1, depth }
    }

    /// As the opponent sees it.
    pub fn flip(self) -> Span {
        Span { alpha: -self.beta, beta: -self.alpha, depth: self.depth }
    }
}

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
    /// The static evaluation, bettered by the table; [`NONE`] in check.
    pub eval: Value,
    /// Whether the side to move stands better than when it last moved.
    pub improving: bool,
    /// Whether a fail-high is expected.
    pub cut_node: bool,
    /// What the table knows.
    pub hit: Option<Hit>,
    /// Whether the position is or was in a principal variation.
    pub table_pv: bool,
    /// Whether the table's move takes or promotes.
    pub noisy_hash_move: bool,
}

/// What came out of a node.
#[derive(Clone, Copy)]
struct Found {
    value: Value,
    best_move: Option<Move>,
    bound: Bound,
}

impl Found {
    /// As the table keeps it, with the move to be tried first.
    fn hit(self, mv: Option<Move>, eval: Value, depth: i32, pv: bool) -> Hit {
        let Found { value, bound, .. } = self;
        Hit { mv: mv.map_or(0, Move::bits), value, eval, depth, bound, pv }
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

        // 5. Static evaluation, and whether things go better than a move ago.
        let raw_eval = match hit {
            _ if in_check => NONE,
            Some(hit) if hit.eval != NONE => hit.eval,
            _ => self.evaluate(position),
        };
        let static_eval = if in_check { NONE } else { self.corrected(position, raw_eval, ply) };
        let eval = hit.filter(|_| !in_check).map_or(static_eval, |hit| hit.improve(static_eval));
        self.frame(ply).eval = static_eval;
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 2).cutoffs = 0;
        let improving =
            !in_check && self.eval_before(ply).is_none_or(|before| static_eval > before);
        let outlook = Outlook {
            in_check,
            eval,
            improving,
            cut_node,
            hit,
            table_pv: PV || hit.is_some_and(|hit| hit.pv),
            noisy_hash_move: hash_move.is_some_and(|mv| is_noisy(position, mv)),
        };

        if excluded.is_none() {
            self.learn_from_eval(position, static_eval, ply);
        }

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

        // 7. Internal iterative reduction: without a hash move, or with one from a search much less
        //    deep, the order is poor, and the position was not important enough to be searched
        //    before; a shallower search finds the move.
        let known = hit.filter(|_| hash_move.is_some()).map_or(0, |hit| hit.depth);
        if depth >= params::INTERNAL_REDUCTION_DEPTH
            && known + params::INTERNAL_REDUCTION_GAP < depth
            && (PV || cut_node)
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 8. The moves, in the order of the picker.
        self.note_threats(position, ply);
        let contexts = self.contexts(ply);
        let killers = self.frame(ply).killers;
        let counter = self.histories.counter(contexts.moves[0]);
        let mut picker = Picker::main(hash_move, [killers[0], killers[1], counter], contexts);
        let mut tried = Tried::default();
        let mut best = -INFINITE;
        let mut best_move = None;
        // The best so far by what bounds say: a guess worth trying first next time.
        let mut likely = None;
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
            let history = if noisy {
                self.histories.capture(position, mv)
            } else {
                self.histories.quiets(position, contexts).score(mv)
            };
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
                likely = Some(mv);
                if value > alpha {
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if PV && !root {
                        self.set_pv(ply, mv);
                    }
                    if value >= beta {
                        bound = Bound::Lower;
                        self.frame(ply).cutoffs += 1;
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
            let hit = found.hit(likely, raw_eval, depth, outlook.table_pv);
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
        // Nothing helps against the move that led here: so that one was good.
        if found.bound == Bound::Upper
            && let Some(mv) = self.last_quiet(ply)
        {
            let contexts = self.contexts(ply - 1);
            self.histories.update_last(position, contexts, mv, params::history_bonus(depth) / 2);
        }
        // Captures show nothing of the evaluation, nor do bounds on the wrong side of it.
        let static_eval = self.frame(ply).eval;
        let quiet = found.best_move.is_none_or(|mv| !is_noisy(position, mv));
        if static_eval != NONE && quiet && found.says_more_than(static_eval) {
            let contexts = self.last_two(ply);
            self.corrections.update(position, contexts, found.value - static_eval, depth);
        }
    }

    /// Step 5: the evaluation before and after a quiet move tells how good that was.
    #[inline]
    fn learn_from_eval(&mut self, position: &Position<G>, static_eval: Value, ply: usize) {
        let before = self.before(ply).eval;
        if static_eval != NONE
            && before != NONE
            && let Some(mv) = self.last_quiet(ply)
        {
            let gain = -(before + static_eval);
            let bonus = (gain * params::EVAL_HISTORY).clamp(-1_500, 1_500);
            let contexts = self.contexts(ply - 1);
            self.histories.update_butterfly(!position.side_to_move(), contexts, mv, bonus);
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
            () if hit.value >= beta => -3 + i32::from(PV),
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
        let mut full = depth - 1;
        let first = candidate.number == 1;
        let mut value = -INFINITE;

        if !first || !PV {
            // 10a. Late move reduction: the later a move and the worse its history, the less deep.
            let mut reduced = full;
            if depth >= params::REDUCTION_DEPTH && candidate.number > 1 + i32::from(PV) {
                let reduction =
                    self.late_move_reduction::<PV>(child, candidate, depth, ply, outlook);
                reduced = (full - reduction).clamp(1.min(full), full);
            }
            let scout = Span::null(alpha, reduced).flip();
            let cut = reduced < full || !outlook.cut_node;
            value = -self.node::<false>(child, scout, ply + 1, cut);

            // 10b. Better than expected: look again at full depth, and if much better, deeper.
            if value > alpha && reduced < full && !self.stopped {
                full += i32::from(value > alpha + params::DEEPER_MARGIN && !is_mate(value));
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
        let of_child = params::REDUCTION_CUTOFFS * i32::from(self.cutoffs(ply + 1) > 3)
            - params::REDUCTION_CHECK * i32::from(child.in_check());
        (of_move + of_node + of_child).div_euclid(100)
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
