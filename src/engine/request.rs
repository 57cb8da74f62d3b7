//! What a search is asked for.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::search::{Clock, Limits};
use crate::tablebase::Prober;
use crate::types::Color;

/// What a search is asked for, as yet without knowing the position: [`Limits`] with both clocks,
/// and with moves as text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Request {
    /// What is left on White's and Black's clocks. One alone serves either side.
    pub time: [Option<Duration>; 2],
    /// What each move adds to White's and Black's clocks.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// All other limits; the clock and the moves in it do not count.
    pub limits: Limits,
    /// Moves to choose from, in UCI notation or SAN, or placements such as `R@h1`: what dice
    /// offer, for instance. Where these leave the choice, `again` has them thrown once more, and the
    /// mediator's verdict (`mirror`, `reverse`) keeps it. Those that cannot be played are passed over. If none is left,
    /// all moves are searched.
    pub search_moves: Vec<String>,
    /// Time lost between clock and engine with each move.
    pub overhead: Duration,
    /// Strength to play with, in Elo; full strength without.
    pub elo: Option<u32>,
    /// Which errors weak play makes: those of one seed are always the same.
    pub seed: u64,
    /// Tablebases, if there are any.
    #[serde(skip)]
    pub prober: Option<Prober>,
    /// Spell castling as king takes rook.
    pub chess960: bool,
}

impl Request {
    /// Whether anything but `stop` will end the search, once it is no longer pondering.
    pub fn is_limited(&self) -> bool {
        let Limits { depth, nodes, move_time, mate, infinite, .. } = self.limits;
        let clock = self.time != [None; 2];
        !infinite && (clock || depth.or(mate).is_some() || nodes.is_some() || move_time.is_some())
    }

    /// The limits that it sets to a side, whatever moves it may consider.
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
