//! Quiescence search: captures only, until the position is quiet enough for a static evaluation.

use super::history::is_noisy;
use super::params;
use super::picker::Picker;
use super::tt::TableEntry;
use super::worker::Worker;
use crate::geometry::Board;
use crate::position::{CheckSquares, Position, piece_value};
use crate::types::score::{INFINITE, MATE, NONE, TABLEBASE_BOUND, is_decided};
use crate::types::{Bound, Move, Value, Window};

impl<G: Board> Worker<'_, G> {
    /// Returns the value of a position after a search of the captures and promotions that do not lose
    /// material. In check, all evasions are searched instead.
    pub fn quiescence<const PV: bool>(
        &mut self,
        position: &Position<G>,
        mut window: Window,
        ply: usize,
    ) -> Value {
        // Step 1. Return if the search was stopped, the position is a draw, or the maximum ply is reached.
        if let Some(value) = self.begin::<PV>(position, ply) {
            return value;
        }

        // Step 2. Transposition table cutoff.
        let entry = self.shared.context.table.probe(position.key(), ply);
        if let Some(entry) = entry
            && !PV
            && entry.settles(0, window)
        {
            return entry.value;
        }

        // Step 3. Stand pat: the side to move need not capture, so the evaluation is a lower bound. A side
        // in check cannot stand pat.
        let in_check = position.in_check();
        let table_pv = PV || entry.is_some_and(|entry| entry.pv);
        let (mut best, mut eval) = (-INFINITE, NONE);
        if !in_check {
            eval = self.raw_eval(position, entry, ply, table_pv);
            let static_eval = self.corrected(position, eval, ply);
            best = entry.map_or(static_eval, |entry| entry.improve(static_eval));
            if best >= window.beta {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }

        // Step 4. Try the moves in the order of the picker.
        let stand_pat = best;
        let hash_move = entry
            .and_then(|entry| Move::from_bits::<G>(entry.mv))
            .filter(|&mv| position.is_legal(mv) && (in_check || is_noisy(position, mv)));
        if in_check {
            self.stack[ply].threats = self.threats(position);
        }
        let mut picker = Picker::quiescence(hash_move, self.stack.quiet_keys(ply));
        let mut best_move = None;
        let mut bound = Bound::Upper;
        let mut number = 0;
        while let Some(mv) = picker.next(position, self.histories) {
            if !in_check {
                if self.overlooks(position, mv, ply) {
                    continue;
                }
                // Step 4a. Delta pruning and move-count pruning: at most three captures are searched
                // (+10 ± 13 Elo at 5,000 nodes). Recaptures, checks and promotions are exempt.
                let most = futile_value(position, mv, stand_pat, window.alpha);
                let late = number > params::quiescence_moves()
                    && !is_decided(best)
                    && !position.is_promotion(mv);
                if (most.is_some() || late) && !self.recaptures_or_checks(position, mv, ply) {
                    best = most.map_or(best, |most| best.max(most));
                    continue;
                }
            }
            number += 1;
            // Step 4b. SEE pruning of evasions, once an evasion has been found that does not lose to a mate
            // or by the tablebases.
            if in_check && best > -TABLEBASE_BOUND && !position.see_at_least(mv, 0) {
                continue;
            }
            let child = self.descend(position, mv, ply);
            let value = -self.quiescence::<PV>(&child, window.flip(), ply + 1);
            self.ascend();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > window.alpha {
                    window.alpha = value;
                    best_move = Some(mv);
                    bound = Bound::Exact;
                    if PV {
                        self.stack.set_pv(ply, mv);
                    }
                    if value >= window.beta {
                        bound = Bound::Lower;
                        break;
                    }
                }
            }
        }

        // Step 5. Checkmate.
        if in_check && best == -INFINITE {
            return -MATE + ply as Value;
        }
        // Step 6. Store the result.
        let mv = best_move.map_or(0, Move::bits);
        let bound = Some(bound);
        let entry = TableEntry { mv, value: best, eval, depth: 0, bound, pv: table_pv };
        self.shared.context.table.store(position.key(), ply, entry);
        best
    }

    /// Returns whether a capture recaptures on the target square of the previous move, or a move gives
    /// check.
    #[inline]
    fn recaptures_or_checks(&self, position: &Position<G>, mv: Move, ply: usize) -> bool {
        let target = self.stack.before(ply).mv.map(|mv| mv.to::<G>());
        Some(mv.to()) == target || CheckSquares::of(position).is_check(position, mv)
    }
}

/// Delta pruning: returns the highest value that a capture can reach, if even winning the captured piece
/// for nothing would not raise the value above alpha. Otherwise returns `None`. Promotions are exempt.
#[inline(always)]
fn futile_value<G: Board>(
    position: &Position<G>,
    mv: Move,
    stand_pat: Value,
    alpha: Value,
) -> Option<Value> {
    if is_decided(alpha) || position.is_promotion(mv) {
        return None;
    }
    let gain = position.captured(mv).map_or(0, piece_value) + params::delta_margin();
    (stand_pat + gain <= alpha).then_some(stand_pat + gain)
}
