//! Solves placement games without dice by minimax, if necessary restricted to candidates.
//!
//! At the beginning of Pre-Chess each side can reach 2880 back ranks. The eight million pairs are too
//! many leaves to search. While more than [`MOST_LEAVES`] leaves remain, each side is restricted to
//! candidates:
//!
//! 1. Every back rank that a side can still complete is estimated against a panel of the other
//!    side's back ranks, and the back ranks are sorted by the mean estimate. The panel consists of
//!    back ranks at equal distances in the list of back ranks that the other side can complete.
//! 2. For each of the side's next placements, the best back rank with this placement is a candidate.
//! 3. The overall best back ranks are candidates too, as many as the tables have room for.
//!
//! In the restricted game a turn is allowed if it leads to a candidate. Because of step 2 every legal
//! placement is allowed and gets a value. The restricted game is solved exactly, round by round with
//! increasing search depth of the leaves. Replies that lead to no candidate are missed, so the value
//! may be too high or too low. As pieces are placed, fewer back ranks remain, and the candidates
//! cover a larger part of them, until the game is solved without restriction.

use rayon::prelude::*;

use super::tree::{GameTree, RankNode, SideTree, is_part};
use super::{Folded, FoldedLine, LeafValuer, MOST_LEAVES, Method, Plan, SolveRequest, Stop};
use crate::setup::{Placement, PlacementList, Setup, position, rank};
use crate::start::{BackRank, PartialBackRank};
use crate::types::{Color, Value};

/// The number of back ranks of the other side against which a side's back rank is estimated.
const PANEL: usize = 12;
/// The step between the indices of consecutively estimated back ranks, modulo the number of back
/// ranks. Every back rank is visited once, because this prime divides no number of back ranks.
const LEAP: usize = 1009;
/// The maximum number of values (4 bytes each) in the tables of a restricted game.
const MOST_TABLE_VALUES: usize = 16_000_000;
/// How many of a side's overall best back ranks become candidates, in addition to the best back rank for each
/// placement. The solver tries these numbers in order and uses the first with which the leaves and tables do
/// not exceed their limits. The last number, 0, is used without a check. With 0 a side has at most 40
/// candidates, and in practice about 20, because a back rank can be the best for several placements.
const OVERALL_BEST: [usize; 5] = [32, 16, 8, 4, 0];

pub struct Minimax {
    tree: GameTree,
    leaves: Vec<[BackRank; 2]>,
    method: Method,
    /// The guessed value of each placement, in centipawns for White: the average of the static estimates of
    /// its best back rank against the panel. The list is empty if the game is not restricted to candidates.
    guesses: Vec<(Placement, Value)>,
}

impl Minimax {
    pub fn new(
        request: &SolveRequest,
        considered: &PlacementList,
        valuer: &dyn LeafValuer,
    ) -> Minimax {
        let state = request.state;
        let back_ranks = Color::ALL.map(|color| reachable(state, color, considered));
        if back_ranks[0].len() * back_ranks[1].len() <= MOST_LEAVES {
            let tree = game_tree(state, considered, [None, None]);
            return Minimax::of(tree, Method::Exact, Vec::new());
        }
        // Estimates the back ranks of the side to place first. If the work is stopped, a guess needs only
        // these estimates.
        let mover = state.side_to_place();
        let [ours, theirs] =
            [mover, !mover].map(|color| ranked(request, &back_ranks, color, valuer));
        let panel = PANEL.min(back_ranks[(!mover).index()].len()).max(1);
        let guesses = guesses(state, considered, &ours, panel);
        let is_whole =
            |color: Color, found: &Vec<_>| found.len() == back_ranks[color.index()].len();
        if !is_whole(mover, &ours) || !is_whole(!mover, &theirs) {
            return Minimax::of(GameTree::without_turns(), Method::Guess, guesses);
        }
        let ranked = if mover == Color::White { [ours, theirs] } else { [theirs, ours] };
        let mut tree = None;
        for overall in OVERALL_BEST {
            if (request.stop)() {
                return Minimax::of(GameTree::without_turns(), Method::Guess, guesses);
            }
            let chosen = Color::ALL
                .map(|color| candidates(state, color, considered, &ranked[color.index()], overall));
            let [white, black] = &chosen;
            let restricted = game_tree(state, considered, [Some(white), Some(black)]);
            let fits = white.len() * black.len() <= MOST_LEAVES
                && restricted.table_size() <= MOST_TABLE_VALUES;
            tree = Some(restricted);
            if fits {
                break;
            }
        }
        let tree = tree.unwrap_or_else(|| game_tree(state, considered, [None, None]));
        Minimax::of(tree, Method::Candidates, guesses)
    }

    fn of(tree: GameTree, method: Method, guesses: Vec<(Placement, Value)>) -> Minimax {
        let [white, black] = [tree.sides[0].finals(), tree.sides[1].finals()];
        let leaves =
            white.iter().flat_map(|white| black.iter().map(|black| [*white, *black])).collect();
        Minimax { tree, leaves, method, guesses }
    }
}

impl Plan for Minimax {
    fn method(&self) -> Method {
        self.method
    }

    fn leaves(&self) -> &[[BackRank; 2]] {
        &self.leaves
    }

    fn table_size(&self) -> usize {
        self.tree.table_size()
    }

    fn fold(&self, values: &[Value], stop: &Stop) -> Option<Folded> {
        let best = |side, node: &RankNode, value_of: &dyn Fn(u32) -> Value| {
            let values = node.next.iter().map(|(_, next)| value_of(*next));
            let best = if side == Color::White { values.max() } else { values.min() };
            // Every pair of back ranks before a turn has a successor; the fallback only avoids a panic.
            best.unwrap_or(0)
        };
        let tables = self.tree.solve(values.to_vec(), best, stop)?;
        let line = |(placement, next, value)| {
            let (placements, leaf) = self.tree.line_after(&tables, (placement, next));
            FoldedLine { value, placements, leaf: Some(leaf) }
        };
        let lines = self.tree.root_turns(&tables).into_iter().map(line).collect();
        Some(Folded { lines, value_of_rolling: None })
    }

    fn guess(&self) -> Option<Folded> {
        if self.guesses.is_empty() {
            return None;
        }
        let line = |(placement, value): &(Placement, Value)| FoldedLine {
            value: *value,
            placements: vec![*placement],
            leaf: None,
        };
        Some(Folded { lines: self.guesses.iter().map(line).collect(), value_of_rolling: None })
    }
}

fn game_tree(
    state: &Setup,
    considered: &PlacementList,
    finals: [Option<&Vec<BackRank>>; 2],
) -> GameTree {
    let side = |color: Color| {
        let first = (color == state.side_to_place()).then_some(&considered[..]);
        let finals = finals[color.index()].map(|finals| &finals[..]);
        SideTree::new(state.kind(), color, state.rank(color), first, finals)
    };
    GameTree::new(state, Color::ALL.map(side))
}

/// Returns the possible back ranks of a side after its next turn.
fn next_ranks(state: &Setup, color: Color, considered: &PlacementList) -> Vec<PartialBackRank> {
    let rank = state.rank(color);
    let to_rank = |placement: Placement| placement.applied_to(rank);
    if color == state.side_to_place() {
        considered.iter().copied().map(to_rank).collect()
    } else {
        rank::placements(state.kind(), color, rank).into_iter().map(to_rank).collect()
    }
}

/// Returns the complete back ranks that a side can still reach.
fn reachable(state: &Setup, color: Color, considered: &PlacementList) -> Vec<BackRank> {
    let mut back_ranks = rank::completions(state.kind(), state.rank(color));
    if color == state.side_to_place() {
        let next = next_ranks(state, color, considered);
        back_ranks.retain(|back_rank| next.iter().any(|rank| is_part(rank, back_rank)));
    }
    back_ranks
}

/// Returns a side's back ranks, best first, each with the sum of its estimates against the panel of
/// the other side's back ranks. Back ranks are missing if the work was stopped before they were
/// estimated, or if the node limit does not allow estimating them.
fn ranked(
    request: &SolveRequest,
    back_ranks: &[Vec<BackRank>; 2],
    color: Color,
    valuer: &dyn LeafValuer,
) -> Vec<(Value, BackRank)> {
    let kind = request.state.kind();
    let [ours, theirs] = [color, !color].map(|color| &back_ranks[color.index()]);
    let panel_size = PANEL.min(theirs.len());
    let panel: Vec<BackRank> =
        (0..panel_size).map(|nth| theirs[nth * theirs.len() / panel_size]).collect();
    let sum_for = |back_rank: &BackRank| -> Option<Value> {
        if (request.stop)() {
            return None;
        }
        let estimate = |other: &BackRank| match color {
            Color::White => valuer.estimate(&position(kind, [*back_rank, *other], 1)),
            Color::Black => -valuer.estimate(&position(kind, [*other, *back_rank], 1)),
        };
        Some(panel.iter().map(estimate).sum())
    };
    // The back ranks are estimated in steps of `LEAP`, so that even the first few include back ranks for
    // every placement.
    let allowed = ours.len().min(request.estimates() / PANEL);
    let indices = (0..allowed).into_par_iter().map(|nth| nth * LEAP % ours.len());
    let mut sums: Vec<_> =
        indices.filter_map(|index| Some((sum_for(&ours[index])?, index))).collect();
    sums.sort_by_key(|(sum, index)| (std::cmp::Reverse(*sum), *index));
    sums.into_iter().map(|(sum, index)| (sum, ours[index])).collect()
}

/// Returns a value for each placement without solving the game: the average estimate of the
/// placement's best back rank. A placement without estimated back ranks gets the value of the worst
/// back rank that was estimated.
fn guesses(
    state: &Setup,
    considered: &PlacementList,
    ranked: &[(Value, BackRank)],
    panel: usize,
) -> Vec<(Placement, Value)> {
    let mover = state.side_to_place();
    let worst = ranked.last().map_or(0, |(sum, _)| *sum);
    let guess = |placement: &Placement| {
        let rank = placement.applied_to(state.rank(mover));
        let best = ranked.iter().find(|(_, back_rank)| is_part(&rank, back_rank));
        let value = best.map_or(worst, |(sum, _)| *sum) / panel as Value;
        (*placement, value * mover.sign())
    };
    considered.iter().map(guess).collect()
}

/// Returns a side's candidates: the best back rank for each of its next turns, and the `overall`
/// best back ranks. `ranked` holds the side's back ranks, best first.
fn candidates(
    state: &Setup,
    color: Color,
    considered: &PlacementList,
    ranked: &[(Value, BackRank)],
    overall: usize,
) -> Vec<BackRank> {
    let ranked = || ranked.iter().map(|(_, back_rank)| back_rank);
    let mut chosen: Vec<BackRank> = ranked().take(overall).copied().collect();
    for rank in next_ranks(state, color, considered) {
        let best = ranked().find(|back_rank| is_part(&rank, back_rank));
        chosen.extend(best.filter(|best| !chosen.contains(best)).copied());
    }
    chosen
}
