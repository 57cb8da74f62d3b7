//! Pruning in the main search: cuts off nodes before their moves are searched, and skips single moves.
//!
//! The step numbers refer to the main search in `node`.

use super::history::{Tried, is_noisy};
use super::node::{Candidate, Node};
use super::picker::Picker;
use super::tt::TableEntry;
use super::worker::Worker;
use super::{params, reduction};
use crate::geometry::Board;
use crate::position::{CheckSquares, Position, piece_value};
use crate::types::score::is_decided;
use crate::types::{Bound, Move, Value, Window};

impl<G: Board> Worker<'_, G> {
    /// Step 6: returns a value if the node can be cut off before its moves are searched. A mate search never
    /// cuts off a node here, because the static evaluation does not tell whether there is a mate.
    pub fn prune_node(&mut self, node: &Node<G>) -> Option<Value> {
        let &Node { window: Window { alpha, beta }, depth, eval, .. } = node;
        if self.seeks_mate() || is_decided(beta) || is_decided(eval) {
            return None;
        }

        // Step 6a. Reverse futility pruning: the evaluation is so far above beta that the opponent will
        // hardly make up the difference in the few remaining plies.
        let margin = params::reverse_futility_margin() * depth
            - params::reverse_futility_improving() * i32::from(node.improving);
        if depth <= params::reverse_futility_depth() && !node.table_pv && eval - margin >= beta {
            return Some((eval + 2 * beta) / 3);
        }

        // Step 6b. Razoring (+8 ± 13 Elo at 5,000 nodes): the evaluation is so far below alpha that only
        // captures could help. If quiescence stays at or below alpha too, the node fails low.
        let margin = params::razor_base() + params::razor_margin() * depth * depth;
        if depth <= params::razor_depth() && eval + margin <= alpha {
            let value = self.quiescence::<false>(node.position, Window::null(alpha), node.ply);
            if self.stopped || value <= alpha {
                return Some(value);
            }
        }

        // Step 6c. Null move pruning. Step 6d. ProbCut.
        self.try_null_move(node).or_else(|| self.try_prob_cut(node))
    }

    /// Step 6c. Null move pruning: if the value stays above beta although the opponent moves twice, a real
    /// move will be above beta too. Null moves are made in expected cut nodes only (this condition
    /// +10 ± 13 Elo at 5,000 nodes). In zugzwang the conclusion is wrong. Therefore a side with only pawns
    /// makes no null move, and no null move follows another null move. At high depths a search without null
    /// moves verifies the cutoff.
    fn try_null_move(&mut self, node: &Node<G>) -> Option<Value> {
        let &Node { position, window: Window { beta, .. }, depth, ply, eval, cut_node, .. } = node;
        let allowed = depth >= params::null_move_depth()
            && eval >= beta
            && cut_node
            && !self.stack.after_null(ply)
            && ply >= self.null_move_from
            && position.has_pieces(position.side_to_move());
        if !allowed {
            return None;
        }
        let reduction = params::null_move_reduction()
            + depth / params::null_move_depth_divisor()
            + ((eval - beta) / params::null_move_eval_divisor()).min(params::null_move_eval_most());
        let (scout, reduced) = (Window::null(beta - 1), depth - reduction);
        let child = self.descend_null(position, ply);
        let value = -self.node::<false>(&child, scout.flip(), reduced, ply + 1, !cut_node);
        self.ascend();
        if self.stopped || value < beta {
            return None;
        }
        let value = if is_decided(value) { beta } else { value };
        if depth < params::null_move_verify_depth() || self.null_move_from > 0 {
            return Some(value);
        }
        self.null_move_from = ply + 3 * reduced.max(0) as usize / 4;
        self.verified_ply = Some(ply);
        let verified = self.node::<false>(position, scout, reduced, ply, false);
        self.verified_ply = None;
        self.null_move_from = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// Step 6d. ProbCut (Buro 1995): if a shallower search finds a capture with a value well above beta,
    /// the search to full depth will hardly find a value below beta.
    fn try_prob_cut(&mut self, node: &Node<G>) -> Option<Value> {
        let &Node { position, window: Window { beta, .. }, depth, ply, cut_node, .. } = node;
        let target = beta + params::probcut_margin()
            - params::probcut_improving() * i32::from(node.improving);
        if depth < params::probcut_depth() || self.stopped || is_decided(target) {
            return None;
        }
        let reduced = (depth - params::probcut_reduction()).max(0);
        let known = node.entry.filter(|entry| entry.bound.is_some() && entry.depth > reduced);
        if known.is_some_and(|entry| entry.value < target) {
            return None;
        }
        let hash_move = node.hash_move.filter(|&mv| is_noisy(position, mv));
        let mut picker = Picker::quiescence(hash_move, self.stack.quiet_keys(ply));
        let scout = Window::null(target - 1).flip();
        while let Some(mv) = picker.next(position, self.histories) {
            if !position.see_at_least(mv, target - self.stack[ply].eval) {
                continue;
            }
            let child = self.descend(position, mv, ply);
            let mut value = -self.quiescence::<false>(&child, scout, ply + 1);
            if value >= target && !self.stopped {
                value = -self.node::<false>(&child, scout, reduced, ply + 1, !cut_node);
            }
            self.ascend();
            if self.stopped {
                return None;
            }
            if value >= target {
                let entry = TableEntry {
                    mv: mv.bits(),
                    value,
                    eval: node.raw_eval,
                    depth: reduced + 1,
                    bound: Some(Bound::Lower),
                    pv: node.table_pv,
                };
                self.shared.context.table.store(position.key(), ply, entry);
                return Some(if is_decided(value) { value } else { value - (target - beta) });
            }
        }
        None
    }

    /// Step 9: returns whether to skip a move. If all further quiet moves can be skipped, makes the picker
    /// skip the quiet moves.
    pub fn prune_move(
        &self,
        node: &Node<G>,
        candidate: &Candidate,
        picker: &mut Picker<G>,
        tried: &mut Tried,
    ) -> bool {
        let &Node { position, window: Window { alpha, .. }, depth, .. } = node;
        let mv = candidate.mv;
        if candidate.noisy {
            // Step 9a. Futility pruning of captures (+11 ± 13 Elo at 5,000 nodes): skip captures that gain
            // too little. Also skip captures that lose material if quiet moves would be futile at this
            // depth (step 9d). Checks are exempt.
            let left = depth_left(depth, reduction::logarithmic(depth, candidate.number));
            let gain = position.captured(mv).map_or(0, piece_value)
                + params::capture_futility_base()
                + params::capture_futility_margin() * left;
            let not_enough = !node.in_check
                && depth <= params::capture_futility_depth()
                && !position.is_promotion(mv)
                && !is_decided(alpha)
                && node.eval + gain <= alpha;
            let losing = candidate.losing
                && depth <= params::losing_futility_depth()
                && is_futile(node, depth);
            if (not_enough || losing) && !CheckSquares::of(position).is_check(position, mv) {
                return true;
            }
            // Step 9b. SEE pruning of captures.
            return depth <= params::see_depth()
                && !position.see_at_least(mv, -params::see_noisy_margin() * depth);
        }
        let reduction = reduction::logarithmic(depth, candidate.number);

        // Step 9c. Late move pruning.
        let most =
            params::late_move_base() + params::late_move_depth_squared() * (depth * depth) / 100;
        let most =
            if node.improving { most } else { params::late_move_not_improving() * most / 100 };
        let late = depth <= params::late_move_depth() && candidate.number > most;
        // Step 9d. Futility pruning: the evaluation is so far below alpha that a quiet move will hardly
        // make up the difference.
        let not_improving = params::reduction_not_improving() * i32::from(!node.improving);
        let left = depth_left(depth, reduction + not_improving);
        let futile = left <= params::futility_depth() && is_futile(node, left);
        tried.futile |= futile;
        if (late || futile) && skip_quiets(position, mv, depth, picker) {
            return true;
        }
        // Step 9e. SEE pruning of quiet moves.
        let reduced = (depth - reduction / 100).max(0);
        depth <= params::see_depth()
            && !position.see_at_least(mv, -params::see_quiet_margin() * reduced)
    }
}

/// Returns the depth that remains after a move and its reduction. The reduction is given in hundredths of a
/// ply.
fn depth_left(depth: i32, reduction: i32) -> i32 {
    (depth - 1 - reduction / 100).max(0)
}

/// Returns whether a move that wins no material is futile: the evaluation is too far below alpha with
/// `depth` plies left.
fn is_futile<G: Board>(node: &Node<G>, depth: i32) -> bool {
    let alpha = node.window.alpha;
    !node.in_check
        && !is_decided(alpha)
        && node.eval + params::futility_base() + params::futility_margin() * depth <= alpha
}

/// Makes the picker skip the remaining quiet moves, and returns whether to skip the quiet move `mv` too.
/// Near the leaves, checks are exempt, because the last plies are the last chance to see a mate
/// (+26 ± 16 Elo at 5,000 nodes). Exempting checks up to depth 6 instead of depth 3 gained +10 ± 14 Elo at
/// 10,000 nodes.
fn skip_quiets<G: Board>(
    position: &Position<G>,
    mv: Move,
    depth: i32,
    picker: &mut Picker<G>,
) -> bool {
    if depth > params::quiet_checks_depth() {
        picker.skip_quiets();
    } else {
        picker.skip_quiets_but_checks();
    }
    depth > params::quiet_checks_depth() || !CheckSquares::of(position).is_check(position, mv)
}
