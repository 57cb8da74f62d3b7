//! Iterative deepening of one thread, with aspiration windows.

use super::limits::MAX_DEPTH;
use super::lines::{RootLines, RootMove};
use super::params;
use super::time::Stability;
use super::worker::Worker;
use crate::geometry::Board;
use crate::types::score::{DRAW, INFINITE, MATE, is_decided};
use crate::types::{Bound, Value, Window};

impl<G: Board> Worker<'_, G> {
    /// Runs iterative deepening until a limit is reached. Only the first thread reports its lines.
    pub fn deepen(&mut self) -> RootLines {
        let limits = self.shared.context.limits;
        let wanted = limits.multi_pv.clamp(1, self.root_moves.len().max(1));
        self.move_table_move_first();
        let mut result = self.lines(0, wanted);
        let limit = limits.depth.map_or(MAX_DEPTH, |depth| {
            i32::try_from(depth).unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
        });
        self.histories.begin_search();
        let mut settled_for = 0;
        for depth in 1..=limit {
            // Every second thread searches one ply deeper, which fills the transposition table for the next
            // iteration.
            self.root_depth = (depth + (self.id % 2) as i32).min(limit);
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
                root_move.value = -INFINITE;
            }
            if depth > 2 {
                self.order_by_effort();
            }
            self.search_lines(wanted);
            if self.stopped {
                self.take_unfinished(&mut result);
                if self.id == 0 {
                    // Report again with the final node count and time.
                    self.report(&result);
                }
                break;
            }
            let before = result.lines[0].clone();
            result = self.lines(self.root_depth, wanted);
            self.completed_depth = self.root_depth;
            settled_for = if before.mv == result.lines[0].mv { settled_for + 1 } else { 0 };
            if self.id == 0 {
                self.report(&result);
                if self.is_enough(&result, before.value, settled_for) {
                    break;
                }
            }
        }
        self.histories.searched += self.nodes;
        let score = result.lines[0].value;
        let (finished_depth, stopped) = (self.completed_depth, self.stopped);
        RootLines { score, finished_depth, stopped, ..result }
    }

    /// Moves the best move stored in the transposition table to the front of the root moves, unless another
    /// root move has a better tablebase rank.
    fn move_table_move_first(&mut self) {
        let Some(entry) = self.shared.context.table.probe(self.root.key(), 0) else { return };
        let known = self.root_moves.iter().position(|line| line.mv.bits() == entry.mv);
        if let Some(place) = known
            && self.root_moves[place].rank == self.root_moves[0].rank
        {
            self.root_moves[..=place].rotate_right(1);
        }
    }

    /// Orders the quiet root moves by the share of nodes spent on each move. A move that took many nodes
    /// was hard to refute, so it is tried early.
    fn order_by_effort(&mut self) {
        const WHOLE: u64 = 1 << 14;
        for root_move in &self.root_moves {
            let share = (root_move.nodes * WHOLE / self.nodes.max(1)) as i32;
            self.histories.set_root(root_move.mv, share * params::root_effort());
        }
    }

    /// Returns the first `wanted` root moves, in their current order, as lines of this depth.
    fn lines(&self, depth: i32, wanted: usize) -> RootLines {
        let lines = self.root_moves[..wanted].iter().map(RootMove::with_display_score);
        RootLines::new(lines.collect(), depth)
    }

    /// Runs one iteration. Searches the MultiPV lines one after another, each among the remaining root
    /// moves of the best tablebase rank.
    fn search_lines(&mut self, wanted: usize) {
        let mut first = 0;
        for pv_index in 0..wanted {
            let rank = self.root_moves[pv_index].rank;
            if self.root_moves[first].rank != rank {
                first = pv_index;
            }
            self.pv_index = pv_index;
            self.pv_end = self.root_moves.partition_point(|line| line.rank >= rank);
            self.selective_depth = 0;
            self.aspire();
            // A later line may turn out to be better than an earlier line.
            self.root_moves[first..=pv_index].sort_by_key(|line| -line.value);
            if self.stopped {
                return;
            }
        }
    }

    /// Searches the root for the wanted mate of the side to move, and returns whether there is one. The search
    /// is small, because in its window all other values fail low. The answer is meaningless once `stopped` is
    /// set.
    fn finds_mate(&mut self) -> bool {
        let least = MATE - self.last_ply as Value;
        let window = Window { alpha: least - 1, beta: INFINITE };
        let value = self.node::<true>(self.root, window, self.root_depth, 0, false);
        self.sort_root_moves();
        value >= least
    }

    /// Sorts the root moves of the current line by their values. The sort is stable, so moves that did not
    /// beat the best move keep their previous order.
    fn sort_root_moves(&mut self) {
        self.root_moves[self.pv_index..self.pv_end].sort_by_key(|line| -line.value);
    }

    /// Searches the root in an aspiration window around the value of the previous iteration. Widens the
    /// window until the value lies inside. A mate search first looks for the mate alone.
    fn aspire(&mut self) {
        if self.seeks_mate() && (self.finds_mate() || self.stopped) {
            return;
        }
        let previous = self.root_moves[self.pv_index].previous;
        let mut width = params::aspiration_window();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if self.root_depth >= params::aspiration_depth() && !is_decided(previous) {
            alpha = (previous - width).max(-INFINITE);
            beta = (previous + width).min(INFINITE);
        }
        loop {
            let window = Window { alpha, beta };
            let value = self.node::<true>(self.root, window, self.root_depth, 0, false);
            self.sort_root_moves();
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
            } else if value >= beta {
                beta = (value + width).min(INFINITE);
            } else {
                return;
            }
            self.report_bound();
            width += width;
            if width > 1_000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Takes the best move so far from an iteration that was stopped, unless this move failed low. With
    /// MultiPV the result of the previous iteration is kept, so that all lines have the same depth.
    fn take_unfinished(&mut self, result: &mut RootLines) {
        let first = &self.root_moves[0];
        let usable = first.value > -INFINITE && first.bound != Bound::Upper;
        if self.shared.context.limits.multi_pv <= 1 && usable {
            *result = self.lines(self.root_depth, 1);
        } else if self.id == 0 && result.depth == 0 {
            // An explosion of captures can keep the search from finishing even the first move of the first
            // iteration. The lines then get their tablebase score or the static evaluation.
            let value = if self.root.in_check() { DRAW } else { self.evaluate(self.root) };
            result.depth = 1;
            for line in &mut result.lines {
                (line.value, line.bound) = (line.tablebase_score.unwrap_or(value), Bound::Exact);
            }
        }
    }

    /// Returns whether the first thread should stop after this iteration.
    fn is_enough(&self, result: &RootLines, before: Value, settled_for: u32) -> bool {
        let limits = self.shared.context.limits;
        let best = &result.lines[0];
        if limits.mate.is_some() && best.value.abs() >= MATE - self.last_ply as Value {
            return true; // the wanted mate is found, for either side
        }
        if self.shared.soft_nodes_are_spent() {
            return true;
        }
        let stability = Stability {
            iterations: settled_for,
            node_share: best.nodes as f64 / self.nodes.max(1) as f64,
            score_drop: if result.depth > 1 { before - best.value } else { 0 },
            is_forced: self.root_moves.len() == 1,
        };
        let context = &self.shared.context;
        context.time.is_enough(stability, self.shared.nodes()) && !context.is_pondering()
    }

    /// Reports all lines of an iteration.
    fn report(&self, result: &RootLines) {
        for (index, line) in result.lines.iter().enumerate() {
            self.shared.report(line, index, result.depth);
        }
    }

    /// Reports a value outside the aspiration window, once the search has run for three seconds.
    fn report_bound(&self) {
        let is_long = self.shared.context.time.elapsed().as_millis() > 3_000;
        if self.id == 0 && is_long && self.shared.context.limits.multi_pv <= 1 {
            let line = self.root_moves[self.pv_index].with_display_score();
            if line.value > -INFINITE {
                self.shared.report(&line, self.pv_index, self.root_depth);
            }
        }
    }
}
