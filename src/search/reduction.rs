//! Late move reductions: the number of plies by which late moves are searched less deep.

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use once_cell::sync::Lazy;

use super::history::is_noisy;
use super::node::{Candidate, Node};
use super::params;
use super::worker::Worker;
use crate::geometry::Board;
use crate::position::Position;

impl<G: Board> Worker<'_, G> {
    /// Step 10b of the main search: returns the reduction of a late move in plies. The reduction grows with
    /// the depth, with the number of the move and with a bad history. It also depends on the kind of node.
    pub fn late_move_reduction<const PV: bool>(
        &self,
        node: &Node<G>,
        child: &Position<G>,
        candidate: &Candidate,
        depth: i32,
    ) -> i32 {
        let base = logarithmic(depth, candidate.number);
        let history = 100 * candidate.history;
        let of_move = if candidate.noisy {
            params::reduction_noisy() * base / 100 - history / params::reduction_noisy_history()
        } else {
            base - history / params::reduction_history()
        };
        // Reduce more if the hash move captures or promotes (+11 ± 13 Elo at 5,000 nodes), because quiet
        // moves are then seldom better.
        let noisy_hash_move = node.hash_move.is_some_and(|mv| is_noisy(node.position, mv));
        let of_node = params::reduction_cut_node() * i32::from(node.cut_node)
            + params::reduction_not_improving() * i32::from(!node.improving)
            + params::reduction_noisy_hash_move() * i32::from(noisy_hash_move)
            - params::reduction_pv() * i32::from(PV)
            - params::reduction_table_pv() * i32::from(node.table_pv);
        // Reduce more if many nodes at the next ply failed high (+14 ± 13 Elo at 5,000 nodes). The child
        // node is then likely to fail high too, above all in an expected all-node.
        let all_node = !PV && !node.cut_node;
        let cutoffs =
            params::reduction_cutoffs() + params::reduction_cutoffs_all() * i32::from(all_node);
        let of_child = cutoffs * i32::from(self.stack[node.ply + 1].cutoffs > 3)
            - params::reduction_check() * i32::from(child.in_check());
        (of_move + of_node + of_child).div_euclid(100)
    }
}

/// A table of reductions in hundredths of a ply, indexed by depth and move number.
type Reductions<T> = [[T; 64]; 64];

/// Computes the table of reductions from the parameters `reduction_base` and `reduction_divisor`.
fn reductions() -> Reductions<i16> {
    let [base, divisor] = [params::reduction_base(), params::reduction_divisor()]
        .map(|number| f64::from(number) / 100.0);
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = libm::log(depth as f64) * libm::log(number as f64);
            *reduction = (100.0 * (base + product / divisor)) as i16;
        }
    }
    table
}

/// The table of reductions. The entries are atomic, because tuning changes them.
static REDUCTIONS: Lazy<Reductions<AtomicI16>> =
    Lazy::new(|| reductions().map(|row| row.map(AtomicI16::new)));

/// Returns the basic reduction of a move, in hundredths of a ply: a base plus the product of the
/// logarithms of depth and move number.
#[inline]
pub fn logarithmic(depth: i32, number: i32) -> i32 {
    let row = &REDUCTIONS[depth.clamp(0, 63) as usize];
    i32::from(row[number.clamp(0, 63) as usize].load(Relaxed))
}

/// Recomputes the table of reductions after a parameter has changed.
#[cfg(feature = "tune")]
pub fn refresh() {
    for (row, new) in REDUCTIONS.iter().zip(reductions()) {
        row.iter().zip(new).for_each(|(entry, new)| entry.store(new, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the sum of the table of reductions. The expected sum must be updated whenever `reduction_base`
    /// or `reduction_divisor` changes.
    #[test]
    fn reductions_are_the_same_on_every_platform() {
        let numbers = |depth| (1..64).map(move |number| logarithmic(depth, number));
        assert_eq!((1..64).flat_map(numbers).sum::<i32>(), 2_420_054);
    }

    #[test]
    fn reductions_grow_with_depth() {
        assert_eq!(logarithmic(0, 30), 0);
        assert!((100..200).contains(&logarithmic(3, 4)));
        assert!((300..600).contains(&logarithmic(12, 20)));
        for depth in 1..63 {
            assert!(logarithmic(depth, 30) <= logarithmic(depth + 1, 30));
        }
    }
}
