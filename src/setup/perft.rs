//! Perft of a placement phase: counts the sequences of placements and of moves in the game after it.
//!
//! A side's placements do not depend on the other side's. The number of sequences is therefore the
//! number of White's sequences times the number of Black's. The count keeps a table of the back
//! ranks that each side can reach, with the number of sequences leading to each back rank. Trees of
//! millions of leaves take almost no time. In the game, perft runs once for each pair of back ranks,
//! and the result is multiplied by the number of sequences leading to the pair. The tests count
//! smaller trees leaf by leaf for comparison.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Placement, Setup, SetupOrGame, position, rank};
use crate::geometry::Board8x8;
use crate::position::perft::Interrupted;
use crate::position::{Position, perft as game};
use crate::rules::SetupKind;
use crate::start::PartialBackRank;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::types::Color;

/// The back ranks that a side can reach after some number of turns, each with the number of turn sequences
/// that lead to it.
type Ways = HashMap<PartialBackRank, u64>;

/// Counts the sequences of exactly `depth` turns and moves. Returns `u64::MAX` if the count does not
/// fit into 64 bits. Uses all threads of the current rayon pool.
pub fn perft(state: &Setup, depth: u32) -> u64 {
    // This flag is never set, so the count is not interrupted.
    count(state, depth, &AtomicBool::new(false)).unwrap_or(0)
}

/// Counts, for each legal turn, the sequences of `depth` turns and moves that begin with this turn.
/// The turns are in the order of [`Setup::legal_placements`]. Returns within milliseconds after
/// `stop` is set.
pub fn divide(
    state: &Setup,
    depth: u32,
    stop: &AtomicBool,
) -> Result<Vec<(Placement, u64)>, Interrupted> {
    let rest = depth.saturating_sub(1);
    let leaves = |placement: Placement| match state.after(placement) {
        SetupOrGame::Setup(after) => count(&after, rest, stop),
        SetupOrGame::Game(position) => leaves_of_game(&position, rest, stop),
    };
    let placements = state.legal_placements().into_iter();
    placements.map(|placement| leaves(placement).map(|leaves| (placement, leaves))).collect()
}

fn count(state: &Setup, depth: u32, stop: &AtomicBool) -> Result<u64, Interrupted> {
    let mut ways = state.ranks.map(|rank| Ways::from([(rank, 1)]));
    let mut side = Some(state.side);
    for turns in 0..depth {
        let Some(mover) = side else { return leaves_of_games(state, &ways, depth - turns, stop) };
        let of_mover = &mut ways[mover.index()];
        *of_mover = after_one_turn(state.kind, mover, of_mover);
        side = next_side(state.kind, mover, &ways);
    }
    let sequences = |ways: &Ways| ways.values().copied().fold(0, u64::saturating_add);
    Ok(ways.iter().map(sequences).fold(1, u64::saturating_mul))
}

fn after_one_turn(kind: SetupKind, mover: Color, ways: &Ways) -> Ways {
    let mut next = Ways::new();
    for (rank, count) in ways {
        for placement in rank::placements(kind, mover, rank) {
            let sum = next.entry(placement.applied_to(rank)).or_default();
            *sum = u64::saturating_add(*sum, *count);
        }
    }
    next
}

/// Returns the side that places after `mover`. All back ranks in the table of a side have the same number of
/// pieces, so it suffices to look at one of them. If the table of a side is empty, perft is zero whichever
/// side places next.
fn next_side(kind: SetupKind, mover: Color, ways: &[Ways; 2]) -> Option<Color> {
    let holds = |color: Color| {
        ways[color.index()].keys().next().is_some_and(|rank| !rank.pocket().is_empty())
    };
    super::next_side(kind, mover, Color::ALL.map(holds))
}

/// Counts the perft leaves, `depth` moves deep, of all games that the placements lead to.
fn leaves_of_games(
    state: &Setup,
    ways: &[Ways; 2],
    depth: u32,
    stop: &AtomicBool,
) -> Result<u64, Interrupted> {
    let [white, black] = ways;
    let white: Vec<_> = white.iter().collect();
    white
        .into_par_iter()
        .flat_map_iter(|white| black.iter().map(move |black| (white, black)))
        .map(|((white, white_ways), (black, black_ways))| {
            let (Some(first), Some(second)) = (white.complete(), black.complete()) else {
                return Ok(0);
            };
            let position = position(state.kind, [first, second], state.number);
            let leaves = leaves_of_game(&position, depth, stop)?;
            Ok(leaves.saturating_mul(*white_ways).saturating_mul(*black_ways))
        })
        .try_reduce(|| 0, |sum, leaves| Ok(u64::saturating_add(sum, leaves)))
}

fn leaves_of_game(
    position: &Position<Board8x8>,
    depth: u32,
    stop: &AtomicBool,
) -> Result<u64, Interrupted> {
    match depth {
        _ if stop.load(Relaxed) => Err(Interrupted),
        0..4 => Ok(game::perft(position, depth)),
        _ => Ok(game::divide(position, depth, stop)?.iter().map(|(_, leaves)| leaves).sum()),
    }
}
