//! Perft of a set-up: the number of sequences of placements, across the border into the game.
//!
//! Sides never hinder each other, so the tree is a product: the sequences of White's turns times
//! those of Black's. Hence only back ranks are walked, each with the number of ways to it, and
//! trees of millions of leaves are counted at once; beyond the border each pair of arrays is
//! counted once and multiplied. The tests walk smaller trees leaf by leaf for comparison.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Kind, Phase, Placement, State, position, rank};
use crate::position::perft as game;
use crate::start::PartialArray;
use crate::types::Color;

/// Back ranks that a side can reach, with the number of sequences of turns that lead to each.
type Ways = HashMap<PartialArray, u64>;

/// Counts the sequences of exactly `depth` turns and moves. At more than `u64::MAX` it stays.
pub fn perft(state: &State, depth: u32) -> u64 {
    let mut ways = state.ranks.map(|rank| Ways::from([(rank, 1)]));
    let mut side = Some(state.side);
    for turns in 0..depth {
        let Some(mover) = side else { return beyond(state, &ways, turns, depth) };
        let of_mover = &mut ways[mover.index()];
        *of_mover = one_turn_on(state.kind, mover, of_mover);
        side = next_side(state.kind, mover, &ways);
    }
    // What is left to a depth of 0 in the game is one leaf for each way.
    ways.iter()
        .map(|ways| ways.values().copied().fold(0, u64::saturating_add))
        .fold(1, u64::saturating_mul)
}

/// The same for each turn of the root.
pub fn divide(state: &State, depth: u32) -> Vec<(Placement, u64)> {
    let count = |placement: Placement| match state.after(placement) {
        Phase::Setup(after) => perft(&after, depth.saturating_sub(1)),
        Phase::Game(position) => game::perft(&position, depth.saturating_sub(1)),
    };
    state.legal_placements().into_iter().map(|placement| (placement, count(placement))).collect()
}

/// How many different games can begin from a set-up.
pub fn distinct_finals(state: &State) -> u64 {
    let completions = |color| rank::completions(state.kind, state.rank(color)).len() as u64;
    Color::ALL.into_iter().map(completions).product()
}

fn one_turn_on(kind: Kind, mover: Color, ways: &Ways) -> Ways {
    let mut next = Ways::new();
    for (rank, count) in ways {
        for placement in rank::placements(kind, mover, rank) {
            let sum = next.entry(placement.applied_to(rank)).or_default();
            *sum = u64::saturating_add(*sum, *count);
        }
    }
    next
}

/// Who places after `mover`. All ranks of a side hold equally many pieces, so any shows it; if
/// there is none, the count is zero whoever follows.
fn next_side(kind: Kind, mover: Color, ways: &[Ways; 2]) -> Option<Color> {
    let holds = |color: Color| {
        ways[color.index()].keys().next().is_some_and(|rank| !rank.pocket().is_empty())
    };
    super::next_side(kind, mover, Color::ALL.map(holds))
}

/// The leaves of all games that the ways lead to.
fn beyond(state: &State, ways: &[Ways; 2], turns: u32, depth: u32) -> u64 {
    let [white, black] = ways;
    let white: Vec<_> = white.iter().collect();
    white
        .into_par_iter()
        .flat_map_iter(|white| black.iter().map(move |black| (white, black)))
        .map(|((white, times), (black, times_too))| {
            let (Some(first), Some(second)) = (white.complete(), black.complete()) else {
                return 0;
            };
            let position = position(state.kind, [first, second], state.number);
            let leaves = game::perft(&position, depth - turns);
            leaves.saturating_mul(*times).saturating_mul(*times_too)
        })
        .reduce(|| 0, u64::saturating_add)
}
