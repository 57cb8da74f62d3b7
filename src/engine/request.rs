//! Search requests.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::search::{Clock, Limits};
use crate::tablebase::Prober;
use crate::types::Color;

/// A search request that does not depend on a position: [`Limits`] with the clocks of both sides, and
/// with moves as text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Request {
    /// White's and Black's remaining time. If only one is set, it serves either side.
    pub time: [Option<Duration>; 2],
    /// White's and Black's increments.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// All other limits. The clock and the moves in it are ignored.
    pub limits: Limits,
    /// The moves to choose from, in UCI notation or SAN, or placements such as `R@h1`, for instance those
    /// that the dice offer. `again` among them rerolls the dice, if the rules allow it, and `mirror` or
    /// `reverse` is the mediator's verdict. Invalid ones are skipped; if none is left, all moves are
    /// searched.
    pub search_moves: Vec<String>,
    /// Time lost between clock and engine for each move.
    pub overhead: Duration,
    /// The strength to play with, in Elo; `None` for full strength.
    pub elo: Option<u32>,
    /// Selects the errors of weak play, which are the same for the same seed.
    pub seed: u64,
    /// Tablebases, if there are any.
    #[serde(skip)]
    pub prober: Option<Prober>,
    /// Whether to write castling as king takes rook.
    pub chess960: bool,
}

impl Request {
    /// Returns whether the search ends without `stop`, once it is no longer pondering.
    pub fn is_limited(&self) -> bool {
        let Limits { depth, nodes, move_time, mate, infinite, .. } = self.limits;
        let clock = self.time != [None; 2];
        !infinite && (clock || depth.or(mate).is_some() || nodes.is_some() || move_time.is_some())
    }

    /// Returns the limits for a side, without the search moves.
    pub(super) fn limits(&self, side: Color) -> Limits {
        let us = side.index();
        let ours = |values: [Option<Duration>; 2]| values[us].or(values[1 - us]);
        let clock = ours(self.time).map(|remaining| Clock {
            remaining,
            increment: ours(self.increment).unwrap_or_default(),
            moves_to_go: self.moves_to_go,
        });
        if self.limits.infinite {
            let Limits { infinite, ponder, multi_pv, .. } = self.limits;
            return Limits { infinite, ponder, multi_pv, ..Limits::default() };
        }
        Limits { clock, ..self.limits.clone() }
    }
}
