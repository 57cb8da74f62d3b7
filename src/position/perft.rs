//! Perft: counts the leaves of the tree of legal moves, the standard test of move generation.

use rayon::prelude::*;

use super::Position;
use crate::geometry::Board;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::types::Move;

/// The error of a perft count that was stopped before the count was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Counts the positions after exactly `depth` plies. Moves of the last ply are counted without being made.
pub fn perft<G: Board>(position: &Position<G>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let moves = position.legal_moves();
            moves.iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum()
        }
    }
}

/// Runs perft for each root move, in the order of the move generator, on all threads of the current rayon
/// pool. Setting `stop` ends the count within milliseconds.
pub fn divide<G: Board>(
    position: &Position<G>,
    depth: u32,
    stop: &AtomicBool,
) -> Result<Vec<(Move, u64)>, Interrupted> {
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let count = |mv| count(&position.after(mv), depth.saturating_sub(1), stop);
    moves.into_par_iter().map(|mv| count(mv).map(|nodes| (mv, nodes))).collect()
}

/// Counts like [`perft`], splitting deep trees among threads and checking `stop` at each split.
fn count<G: Board>(
    position: &Position<G>,
    depth: u32,
    stop: &AtomicBool,
) -> Result<u64, Interrupted> {
    if stop.load(Relaxed) {
        return Err(Interrupted);
    }
    if depth < 4 {
        return Ok(perft(position, depth));
    }
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.into_par_iter().map(|mv| count(&position.after(mv), depth - 1, stop)).sum()
}
