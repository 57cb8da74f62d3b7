//! The parameters of a search.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::search::Limits;
use crate::tablebase::Prober;

/// The parameters of a search. Moves are text, so a request can be built without knowing the position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The limits of the search, and the number of lines to report.
    pub limits: Limits,
    /// The moves to choose from, in UCI notation or SAN, or the placements to choose from, such as `R@h1`.
    /// In Jepps Random Chess `again` stands for rerolling the dice, and `mirror` or `reverse` for accepting
    /// the mediator's verdict. Invalid moves are skipped. If the list is empty or all moves are invalid,
    /// all legal moves are searched.
    pub search_moves: Vec<String>,
    /// The move overhead: the time that each move takes on the clock in addition to the search, such as for
    /// communication.
    pub overhead: Duration,
    /// The playing strength in Elo; `None` for full strength.
    pub elo: Option<u32>,
    /// The seed for the errors of limited strength. The same seed gives the same errors.
    pub seed: u64,
    /// The tablebases to probe, if any.
    #[serde(skip)]
    pub prober: Option<Prober>,
    /// Whether UCI notation writes castling as king takes rook.
    pub chess960: bool,
    /// Whether to report lines in SAN too.
    pub san: bool,
}

impl SearchRequest {
    /// The overhead for games of Aleator's own user interfaces.
    const OVERHEAD: Duration = Duration::from_millis(10);

    /// Returns a request for the best move within the given limits, with lines in SAN.
    pub fn new(limits: Limits) -> SearchRequest {
        SearchRequest { limits, san: true, ..SearchRequest::default() }
    }

    /// Returns a request without limits for the best move in the current position of a game. If dice were
    /// rolled, the moves to choose from are those that the dice offer.
    pub fn of_game(game: &Game) -> SearchRequest {
        SearchRequest {
            search_moves: game.offered(),
            overhead: SearchRequest::OVERHEAD,
            chess960: game.is_chess960(),
            ..SearchRequest::new(Limits::default())
        }
    }
}
