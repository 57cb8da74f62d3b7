//! Trees of the back ranks that each side can reach, and backward induction over pairs of back ranks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::Stop;
use crate::rules::SetupKind;
use crate::setup::{Placement, Setup, next_side, rank};
use crate::start::{BackRank, PartialBackRank};
use crate::types::Color;

/// The number of values between two checks of the stop condition.
const STOP_INTERVAL: usize = 4096;

/// A back rank and the turns from it. Each turn has the index of the node on the next level that it leads to.
pub struct RankNode {
    pub rank: PartialBackRank,
    pub next: Vec<(Placement, u32)>,
}

/// Every back rank that a side can reach, level by level. Level `n` contains the back ranks after
/// `n` turns of the side. The back ranks of the last level are complete.
pub struct SideTree {
    levels: Vec<Vec<RankNode>>,
}

impl SideTree {
    /// Builds the tree of a side. `first` restricts the side's first turn. `finals` restricts the complete
    /// back ranks that the tree may lead to.
    pub fn new(
        kind: SetupKind,
        color: Color,
        root: &PartialBackRank,
        first: Option<&[Placement]>,
        finals: Option<&[BackRank]>,
    ) -> SideTree {
        let mut levels = vec![vec![RankNode { rank: *root, next: Vec::new() }]];
        loop {
            let depth = levels.len() - 1;
            let allowed = |placement: &Placement| {
                depth > 0 || first.is_none_or(|first| first.contains(placement))
            };
            let mut next_level = Vec::new();
            let mut indices = HashMap::new();
            for node in &mut levels[depth] {
                for placement in rank::placements(kind, color, &node.rank) {
                    let rank = placement.applied_to(&node.rank);
                    let leads_on = finals.is_none_or(|finals| {
                        finals.iter().any(|back_rank| is_part(&rank, back_rank))
                    });
                    if allowed(&placement) && leads_on {
                        let index = *indices.entry(rank).or_insert_with(|| {
                            next_level.push(RankNode { rank, next: Vec::new() });
                            next_level.len() as u32 - 1
                        });
                        node.next.push((placement, index));
                    }
                }
            }
            if next_level.is_empty() {
                return SideTree { levels };
            }
            levels.push(next_level);
        }
    }

    /// Returns a tree without turns, for a side that has no turns or whose turns are ignored.
    pub fn without_turns() -> SideTree {
        SideTree { levels: vec![vec![RankNode { rank: PartialBackRank::EMPTY, next: Vec::new() }]] }
    }

    /// Returns the number of turns until the side's back rank is complete.
    pub fn turns(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns the complete back ranks on the last level, or an empty list if the side cannot complete its
    /// back rank.
    pub fn finals(&self) -> Vec<BackRank> {
        let last = self.levels.last().map_or(&[][..], |level| &level[..]);
        last.iter().filter_map(|node| node.rank.complete()).collect()
    }
}

/// Returns whether a complete back rank can arise from a partial back rank: every piece placed so far stands
/// on the same file in both.
pub fn is_part(rank: &PartialBackRank, back_rank: &BackRank) -> bool {
    rank.squares()
        .into_iter()
        .zip(back_rank.roles())
        .all(|(placed, role)| placed.is_none_or(|placed| placed == role))
}

/// The trees of both sides and the order of the turns.
pub struct GameTree {
    pub sides: [SideTree; 2],
    turns: Vec<Color>,
}

/// The values of pairs of back ranks: one table before each turn and one after the last turn. The
/// rows of a table are White's back ranks, the columns Black's.
pub struct PairTables<T>(Vec<Vec<T>>);

impl GameTree {
    /// Combines both sides' trees, with the turns in the order of the game.
    pub fn new(state: &Setup, sides: [SideTree; 2]) -> GameTree {
        let mut left = [sides[0].turns(), sides[1].turns()];
        let mut turns = Vec::new();
        let mut side = Some(state.side_to_place()).filter(|side| left[side.index()] > 0);
        while let Some(mover) = side {
            left[mover.index()] -= 1;
            turns.push(mover);
            side = next_side(state.kind(), mover, left.map(|left| left > 0));
        }
        GameTree { sides, turns }
    }

    /// Returns a tree without turns, for use if no tree could be built in time.
    pub fn without_turns() -> GameTree {
        GameTree { sides: [(); 2].map(|()| SideTree::without_turns()), turns: Vec::new() }
    }

    /// Returns the levels of White's and Black's trees before the turn with the given index. The level of a
    /// side is the number of turns that the side has already had.
    fn levels_at(&self, turn: usize) -> [usize; 2] {
        Color::ALL.map(|color| self.turns[..turn].iter().filter(|side| **side == color).count())
    }

    /// Returns White's and Black's possible back ranks before the turn with the given index.
    fn nodes_at(&self, turn: usize) -> [&[RankNode]; 2] {
        let levels = self.levels_at(turn);
        Color::ALL.map(|color| &self.sides[color.index()].levels[levels[color.index()]][..])
    }

    /// Returns the total number of values in the tables that [`GameTree::solve`] fills.
    pub fn table_size(&self) -> usize {
        let size = |turn| self.nodes_at(turn).map(<[RankNode]>::len).into_iter().product::<usize>();
        (0..=self.turns.len()).map(size).sum()
    }

    /// Computes the value of every pair of back ranks before every turn by backward induction.
    /// `leaves` holds the values of the pairs of complete back ranks: row by row, White's back ranks
    /// are the rows and Black's the columns. `combine` computes the value of a node from the values
    /// that its turns lead to. Large tables take half a second. Returns `None` if the work was
    /// stopped.
    pub fn solve<T: Copy + Send + Sync>(
        &self,
        leaves: Vec<T>,
        combine: impl Fn(Color, &RankNode, &dyn Fn(u32) -> T) -> T + Sync,
        stop: &Stop,
    ) -> Option<PairTables<T>> {
        let stopped = AtomicBool::new(false);
        let mut tables = vec![leaves];
        for turn in (0..self.turns.len()).rev() {
            let side = self.turns[turn];
            let [white, black] = self.nodes_at(turn);
            let width_after = self.nodes_at(turn + 1)[1].len();
            let after = &tables[tables.len() - 1];
            let table = (0..white.len() * black.len()).into_par_iter().map(|index| {
                if index % STOP_INTERVAL == 0 && stop() {
                    stopped.store(true, Relaxed);
                }
                if stopped.load(Relaxed) {
                    return after[0]; // never used
                }
                let (w, b) = (index / black.len(), index % black.len());
                match side {
                    Color::White => {
                        combine(side, &white[w], &|next| after[next as usize * width_after + b])
                    }
                    Color::Black => {
                        combine(side, &black[b], &|next| after[w * width_after + next as usize])
                    }
                }
            });
            let table = table.collect();
            if stopped.load(Relaxed) {
                return None;
            }
            tables.push(table);
        }
        tables.reverse();
        Some(PairTables(tables))
    }

    /// Returns the legal first turns, each with the index of the node that it leads to and its value.
    pub fn root_turns<T: Copy>(&self, tables: &PairTables<T>) -> Vec<(Placement, u32, T)> {
        let Some(side) = self.turns.first() else { return Vec::new() };
        let root = &self.nodes_at(0)[side.index()][0];
        // Before the first turn the other side has only one node, so the index of a pair is the index of the
        // mover's node.
        root.next
            .iter()
            .map(|(placement, next)| (*placement, *next, tables.0[1][*next as usize]))
            .collect()
    }

    /// Returns the best line of turns that begins with `first`, and the index of the leaf in which the line
    /// ends. After the first turn, both sides always choose a turn that preserves the value.
    pub fn line_after<T: Copy + PartialEq>(
        &self,
        tables: &PairTables<T>,
        first: (Placement, u32),
    ) -> (Vec<Placement>, usize) {
        let mut at = [0_usize; 2];
        let mut line = Vec::new();
        for (turn, side) in self.turns.iter().enumerate() {
            let nodes = self.nodes_at(turn);
            let width_after = self.nodes_at(turn + 1)[1].len();
            let width = nodes[1].len();
            let value = tables.0[turn][at[0] * width + at[1]];
            let pair_after = |next: u32| {
                let mut pair = at;
                pair[side.index()] = next as usize;
                pair
            };
            let keeps = |(_, next): &&(Placement, u32)| {
                let [w, b] = pair_after(*next);
                tables.0[turn + 1][w * width_after + b] == value
            };
            let turns = &nodes[side.index()][at[side.index()]].next;
            let chosen = if turn == 0 { Some(&first) } else { turns.iter().find(keeps) };
            let Some((placement, next)) = chosen else { break };
            line.push(*placement);
            at = pair_after(*next);
        }
        let width = self.nodes_at(self.turns.len())[1].len();
        (line, at[0] * width + at[1])
    }
}

impl<T: Copy> PairTables<T> {
    /// Returns the value before the first turn.
    pub fn root(&self) -> Option<T> {
        self.0.first().and_then(|table| table.first().copied())
    }
}
