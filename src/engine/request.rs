//! What a search is asked for.

use std::time::Duration;

use crate::search::{Clock, Limits};
use crate::types::Color;

/// The clocks of a `go` command, and its other limits, as yet without knowing who is to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// What is left on White's and Black's clocks. One alone serves either side.
    pub time: [Option<Duration>; 2],
    pub increment: [Option<Duration>; 2],
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    pub mate: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    /// In UCI notation, or placements such as `R@h1`: what dice offer, for instance.
    pub search_moves: Vec<String>,
    pub multi_pv: usize,
    /// Time lost between clock and engine with each move.
    pub overhead: Duration,
    /// Strength to play with, in Elo; full strength without.
    pub elo: Option<u32>,
    /// Spell castling as king takes rook.
    pub chess960: bool,
}

impl Request {
    /// The limits that it sets to a side, whatever moves it may consider.
    pub(super) fn limits(&self, side: Color) -> Limits {
        let us = side.index();
        let ours = |values: [Option<Duration>; 2]| values[us].or(values[1 - us]);
        let clock = ours(self.time).map(|remaining| Clock {
            remaining,
            increment: ours(self.increment).unwrap_or_default(),
            moves_to_go: self.moves_to_go,
        });
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: None,
            move_time: self.move_time,
            clock,
            mate: self.mate,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves: Vec::new(),
            multi_pv: self.multi_pv,
        };
        let limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.move_time.is_some()
            || limits.clock.is_some()
            || limits.mate.is_some();
        limits.infinite |= !limited && !limits.ponder;
        limits
    }
}
