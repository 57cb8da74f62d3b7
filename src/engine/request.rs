//! What a user asks a search for.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::search::Limits;
use crate::tablebase::Prober;

/// A search request. It does not depend on a position: moves are text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchRequest {
    /// When the search ends, and how many lines it reports.
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
    /// Whether lines are also needed in SAN.
    pub san: bool,
}

impl SearchRequest {
    /// The time that a GUI of ours may lose between the engine and the clock.
    const OVERHEAD: Duration = Duration::from_millis(10);

    /// Asks for the best move with these limits, and for lines in SAN.
    pub fn new(limits: Limits) -> SearchRequest {
        SearchRequest { limits, san: true, ..SearchRequest::default() }
    }

    /// Asks for the best move of a game, among those that the dice allow, without a limit.
    pub fn of_game(game: &Game) -> SearchRequest {
        SearchRequest {
            search_moves: game.offered(),
            overhead: SearchRequest::OVERHEAD,
            chess960: game.is_chess960(),
            ..SearchRequest::new(Limits::default())
        }
    }
}
