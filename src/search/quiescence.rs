//! Quiescence: captures only, until the position is quiet enough to be evaluated.

use super::MAX_PLY;
use super::history::is_noisy;
use super::params;
use super::picker::Picker;
use super::report::Bound;
use super::tt::Hit;
use super::worker::{Worker, is_mate};
use crate::attacks::Board;
use crate::position::{Position, piece_value};
use crate::types::score::{INFINITE, MATE, NONE};
use crate::types::{Move, Value};

impl<G: Board> Worker<'_, G> {
    /// The value of a position within the window `alpha..beta`, looking at captures and promotions
    /// that do not lose material, and in check at all evasions.
    pub fn quiescence<const PV: bool>(
        &mut self,
        position: &Position<G>,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        // 1. Count, and see whether the search or the line is over.
        self.count_node();
        if PV {
            self.clear_pv(ply);
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.stopped {
            return 0;
        }
        if self.is_draw(position, ply) {
            return self.draw_value();
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY {
            return if in_check { self.draw_value() } else { self.evaluate(position) };
        }

        // 2. What the table knows may settle it.
        let key = position.key();
        let hit = self.shared.table.probe(key, ply);
        if let Some(hit) = hit
            && !PV
            && hit.settles(0, alpha, beta)
        {
            return hit.value;
        }

        // 3. Stand pat: nobody is forced to capture, so the evaluation is a lower bound. Not in
        //    check, where every evasion is looked at instead.
        let mut best = -INFINITE;
        let mut eval = NONE;
        if !in_check {
            eval = hit
                .map(|hit| hit.eval)
                .filter(|&eval| eval != NONE)
                .unwrap_or_else(|| self.evaluate(position));
            let static_eval = self.corrected(position, eval, ply);
            best = hit.map_or(static_eval, |hit| hit.improve(static_eval));
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        // 4. The moves.
        let stand_pat = best;
        let hash_move = hit
            .and_then(|hit| Move::from_bits::<G>(hit.mv))
            .filter(|&mv| position.is_legal(mv) && (in_check || is_noisy(position, mv)));
        if in_check {
            self.note_threats(position, ply);
        }
        let mut picker = Picker::quiescence(hash_move, self.contexts(ply));
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut number = 0;
        let target = self.before(ply).mv.map(|mv| mv.to::<G>());
        while let Some(mv) = picker.next(position, self.histories) {
            // Delta pruning: not even winning the piece for nothing would reach alpha. Unsound
            // only where material does not decide; promotions are left out for that reason.
            if !in_check && !is_mate(alpha) && !position.is_promotion(mv) {
                let gain = position.captured(mv).map_or(0, piece_value) + params::DELTA_MARGIN;
                if stand_pat + gain <= alpha {
                    best = best.max(stand_pat + gain);
                    continue;
                }
            }
            // Captures come best first: unless they take back, the third and later ones are not
            // needed.
            if !in_check
                && number > params::QUIESCENCE_MOVES
                && !is_mate(best)
                && Some(mv.to()) != target
                && !position.is_promotion(mv)
            {
                continue;
            }
            number += 1;
            // In check and one way out is known: evasions that only lose material can wait.
            if in_check && best > -MATE + MAX_PLY as Value && !position.see_at_least(mv, 0) {
                continue;
            }
            let child = self.descend(position, mv, ply);
            let value = -self.quiescence::<PV>(&child, -beta, -alpha, ply + 1);
            self.ascend();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if PV {
                        self.set_pv(ply, mv);
                    }
                    if value >= beta {
                        bound = Bound::Lower;
                        break;
                    }
                }
            }
        }

        // 5. In check without an evasion: mate.
        if in_check && best == -INFINITE {
            return -MATE + ply as Value;
        }
        let mv = best_move.map_or(0, Move::bits);
        self.shared.table.store(key, ply, Hit { mv, value: best, eval, depth: 0, bound, pv: PV });
        best
    }
}
