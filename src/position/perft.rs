//! Perft: the number of leaves of the tree of legal moves, the standard test of move generation.

use rayon::prelude::*;

use super::Position;
use crate::attacks::Board;
use crate::types::Move;

/// Counts the positions after exactly `depth` plies. The last ply is counted, not made.
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

/// The same for each move of the root, on all threads of the current rayon pool; in the order of
/// the generator.
pub fn divide<G: Board>(position: &Position<G>, depth: u32) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    moves
        .into_iter()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|mv| (mv, parallel(&position.after(mv), depth.saturating_sub(1))))
        .collect()
}

/// Splits deep trees once more, so that threads do not wait for the largest root move.
fn parallel<G: Board>(position: &Position<G>, depth: u32) -> u64 {
    if depth < 4 {
        return perft(position, depth);
    }
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.into_par_iter().map(|mv| perft(&position.after(mv), depth - 1)).sum()
}
