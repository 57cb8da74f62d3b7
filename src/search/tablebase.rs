//! Step 4b of the main search: probing the tablebases inside the tree.

use std::ops::ControlFlow;

use super::limits::MAX_DEPTH;
use super::tt::TableEntry;
use super::worker::Worker;
use crate::geometry::Board;
use crate::position::Position;
use crate::tablebase::{Prober, Wdl, score_of_wdl};
use crate::types::score::{INFINITE, NONE};
use crate::types::{Bound, Value, Window};

/// The number of plies by which a tablebase result counts as deeper than the node that probed the tables.
const TRUSTED: i32 = 6;

/// The bounds on a value for which the tablebases give no bound.
const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

impl<G: Board> Worker<'_, G> {
    /// Probes the tablebases: returns the value if it causes a cutoff, otherwise bounds on the value
    /// of the node. `pv` says whether the position is or was in a principal variation.
    #[inline(always)]
    pub fn bounds_by_tablebase<const PV: bool>(
        &mut self,
        position: &Position<G>,
        window: Window,
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> ControlFlow<Value, Window> {
        match self.prober {
            Some(prober)
                if ply > 0
                    && self.stack[ply].excluded.is_none()
                    && prober.covers(position, depth) =>
            {
                self.probe_tablebase::<PV>(prober, position, window, depth, ply, pv)
            }
            _ => ControlFlow::Continue(OPEN),
        }
    }

    /// Probes a position that the tablebases cover. A tablebase win is a lower bound, because the search
    /// may find a mate. Likewise a loss is an upper bound.
    #[cold]
    fn probe_tablebase<const PV: bool>(
        &mut self,
        prober: &Prober,
        position: &Position<G>,
        window: Window,
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> ControlFlow<Value, Window> {
        let Some(wdl) = prober.wdl(position) else { return ControlFlow::Continue(OPEN) };
        self.count_tablebase_hit();
        let value = score_of_wdl(wdl, ply);
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Bound::Exact,
        };
        let depth = (depth + TRUSTED).min(MAX_DEPTH);
        let entry = TableEntry { mv: 0, value, eval: NONE, depth, bound: Some(bound), pv };
        if entry.settles(depth, window) {
            self.shared.context.table.store(position.key(), ply, entry);
            return ControlFlow::Break(value);
        }
        ControlFlow::Continue(match bound {
            Bound::Lower if PV => Window { alpha: value, ..OPEN },
            Bound::Upper if PV => Window { beta: value, ..OPEN },
            _ => OPEN,
        })
    }
}
