//! Responses, events and the other effects that a transport carries out.
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::engine::SearchRequest;
use crate::game::Game;
use crate::play::engine_queue::game_text;
use crate::play::{GameStartError, PlayError};

/// The number by which the transport identifies a request.
pub type Ticket = u64;

/// A response with its HTTP status.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
}

/// A response, or an error response.
pub(super) type AppResult = Result<Response, Response>;

impl Response {
    pub(super) fn json(status: u16, value: &impl Serialize) -> Response {
        // Cannot fail: plain data with strings as keys.
        let body = serde_json::to_string(value).unwrap_or_default();
        Response { status, content_type: "application/json", body }
    }

    pub(super) fn ok(value: &impl Serialize) -> Response {
        Response::json(200, value)
    }

    /// Returns an error that says what was wrong and what would be right.
    pub fn refusal(status: u16, sentence: impl ToString) -> Response {
        Response::json(status, &json!({ "error": sentence.to_string() }))
    }

    /// Returns an error for something that cannot be done now.
    pub(super) fn conflict(sentence: impl ToString) -> Response {
        Response::refusal(409, sentence)
    }

    /// Returns an error for something that can never be done.
    pub(super) fn unfit(sentence: impl ToString) -> Response {
        Response::refusal(422, sentence)
    }

    pub(super) const fn text(content_type: &'static str, body: String) -> Response {
        Response { status: 200, content_type, body }
    }
}

impl From<PlayError> for Response {
    fn from(error: PlayError) -> Response {
        match error {
            PlayError::GameStart(_) | PlayError::Answer(_) | PlayError::DiceCount { .. } => {
                Response::unfit(error)
            }
            _ => Response::conflict(error),
        }
    }
}

impl From<GameStartError> for Response {
    fn from(error: GameStartError) -> Response {
        Response::unfit(error)
    }
}

/// An event for the listeners of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AppEvent {
    /// `state`, `line`, `progress`, `score`, `notice` or `deleted`.
    pub name: &'static str,
    /// JSON.
    pub data: String,
}

impl AppEvent {
    pub(super) fn new(name: &'static str, data: &impl Serialize) -> AppEvent {
        AppEvent { name, data: serde_json::to_string(data).unwrap_or_default() }
    }

    /// Returns an event that reports a problem.
    pub(super) fn notice(sentence: &str) -> AppEvent {
        AppEvent::new("notice", &json!({ "error": sentence }))
    }
}

/// An effect for the transport to carry out.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Answer a request.
    Respond { ticket: Ticket, response: Response },
    /// Respond with a stream of the game's events, of which this is the first.
    Stream { ticket: Ticket, game: String, listener: Option<u32>, first: AppEvent },
    /// Send an event to all listeners of a game, except the one with this number.
    Publish { game: String, except: Option<u32>, event: AppEvent },
    /// Save a game's text, replacing the previous one. [`Input::Saved`](super::Input::Saved)
    /// reports the result.
    Save { game: String, text: String },
    /// Remove a game's text.
    Remove { game: String },
    /// Load a game's text; [`Input::Loaded`](super::Input::Loaded) returns it.
    Load { game: String },
    /// Give an engine a command.
    Engine(EngineCommand),
}

/// A command for an engine. Engines are numbered from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineCommand {
    /// Search a position. [`Input::EngineEvent`](super::Input::EngineEvent) reports lines and exactly one
    /// final event.
    Search {
        engine: usize,
        search: u64,
        #[serde(with = "game_text")]
        game: Box<Game>,
        request: Box<SearchRequest>,
        is_new_game: bool,
    },
    /// Stop the search. Its final event still follows.
    Stop { engine: usize },
}
