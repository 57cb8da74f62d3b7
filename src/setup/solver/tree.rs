//! Tables of the back ranks that the sides can reach, and backward induction over pairs of them.

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

/// A back rank, and the index of the next level's node that each turn leads to.
pub struct RankNode {
    pub rank: PartialBackRank,
    pub next: Vec<(Placement, u32)>,
}

/// Every back rank that a side can reach, level by level: level `n` is after `n` of its turns, and
/// on the last level all ranks are complete.
pub struct SideTree {
    levels: Vec<Vec<RankNode>>,
}

impl SideTree {
    /// Builds the tree of a side. `first` restricts the side's first turn; `finals` restricts the
    /// back ranks that it may head for.
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

    /// Returns the tree of a side without choices, or whose choices are ignored.
    pub fn without_turns() -> SideTree {
        SideTree { levels: vec![vec![RankNode { rank: PartialBackRank::EMPTY, next: Vec::new() }]] }
    }

    /// Returns how many turns the side has.
    pub fn turns(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns the complete back ranks of the last level; empty in a dead end.
    pub fn finals(&self) -> Vec<BackRank> {
        let last = self.levels.last().map_or(&[][..], |level| &level[..]);
        last.iter().filter_map(|node| node.rank.complete()).collect()
    }
}

/// Whether a complete back rank agrees with all pieces of a partial one.
pub fn is_part(rank: &PartialBackRank, back_rank: &BackRank) -> bool {
    rank.squares()
        .into_iter()
        .zip(back_rank.roles())
        .all(|(placed, role)| placed.is_none_or(|placed| placed == role))
}

/// Both sides' trees and the order of turns.
pub struct GameTree {
    pub sides: [SideTree; 2],
    turns: Vec<Color>,
}

/// Values of pairs of back ranks: a table for each turn of the game, White's rank by Black's.
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

    /// Returns an empty tree, for use when none could be built in time.
    pub fn without_turns() -> GameTree {
        GameTree { sides: [(); 2].map(|()| SideTree::without_turns()), turns: Vec::new() }
    }

    /// Returns how many turns of each side come before this one: the levels in the trees.
    fn levels_at(&self, turn: usize) -> [usize; 2] {
        Color::ALL.map(|color| self.turns[..turn].iter().filter(|side| **side == color).count())
    }

    /// Returns White's and Black's nodes before a turn.
    fn nodes_at(&self, turn: usize) -> [&[RankNode]; 2] {
        let levels = self.levels_at(turn);
        Color::ALL.map(|color| &self.sides[color.index()].levels[levels[color.index()]][..])
    }

    /// Returns how many values the tables hold.
    pub fn table_size(&self) -> usize {
        let size = |turn| self.nodes_at(turn).map(<[RankNode]>::len).into_iter().product::<usize>();
        (0..=self.turns.len()).map(size).sum()
    }

    /// Computes, by backward induction from a value for each pair of complete back ranks (White's
    /// by Black's), a value for each pair of ranks before each turn. `combine` computes the value
    /// of a node from those its turns lead to. Returns `None` if it was stopped: large tables take
    /// half a second.
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

    /// Returns the root's turns with the node and the value that each leads to.
    pub fn root_turns<T: Copy>(&self, tables: &PairTables<T>) -> Vec<(Placement, u32, T)> {
        let Some(side) = self.turns.first() else { return Vec::new() };
        let root = &self.nodes_at(0)[side.index()][0];
        // The other side has one node, so a pair's index is the mover's node.
        root.next
            .iter()
            .map(|(placement, next)| (*placement, *next, tables.0[1][*next as usize]))
            .collect()
    }

    /// Returns the placements after a turn of the root if both sides keep the value, and the leaf
    /// in which they end.
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
    /// Returns the value of the root.
    pub fn root(&self) -> Option<T> {
        self.0.first().and_then(|table| table.first().copied())
    }
}
