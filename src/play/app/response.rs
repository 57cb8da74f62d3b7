//! Responses, events and all other effects that a transport carries out.
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

/// A successful response, or an error response.
pub(super) type AppResult = Result<Response, Response>;

impl Response {
    pub(super) fn json(status: u16, value: &impl Serialize) -> Response {
        // Serialisation cannot fail, because all keys are strings.
        let body = serde_json::to_string(value).unwrap_or_default();
        Response { status, content_type: "application/json", body }
    }

    pub(super) fn ok(value: &impl Serialize) -> Response {
        Response::json(200, value)
    }

    /// Returns an error response with this HTTP status. The sentence should say what is wrong with the
    /// request, and what would be right.
    pub fn refusal(status: u16, sentence: impl ToString) -> Response {
        Response::json(status, &json!({ "error": sentence.to_string() }))
    }

    /// Returns an error response for an action that is not possible in the current state.
    pub(super) fn conflict(sentence: impl ToString) -> Response {
        Response::refusal(409, sentence)
    }

    /// Returns an error response for a request that is wrong in any state.
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
    /// The kind of event: `state`, `line`, `progress`, `score`, `notice` or `deleted`.
    pub name: &'static str,
    /// The contents of the event as JSON.
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
    /// Answer a request with a stream of the game's events, which begins with `first`.
    Stream { ticket: Ticket, game: String, listener: Option<u32>, first: AppEvent },
    /// Send an event to all listeners of a game, except the listener with the number `except`.
    Publish { game: String, except: Option<u32>, event: AppEvent },
    /// Save the text of a game, replacing the previous text. The transport then passes
    /// [`Input::Saved`](super::Input::Saved) to the app.
    Save { game: String, text: String },
    /// Remove the saved text of a game.
    Remove { game: String },
    /// Load the saved text of a game. The transport then passes [`Input::Loaded`](super::Input::Loaded) to
    /// the app.
    Load { game: String },
    /// Send a command to an engine.
    Engine(EngineCommand),
}

/// A command for an engine. Engines are numbered from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineCommand {
    /// Search a position. The transport then passes lines and exactly one final event to the app, as
    /// [`Input::EngineEvent`](super::Input::EngineEvent).
    Search {
        engine: usize,
        search: u64,
        #[serde(with = "game_text")]
        game: Box<Game>,
        request: Box<SearchRequest>,
        is_new_game: bool,
    },
    /// Stop the search of an engine. The final event of the search still follows.
    Stop { engine: usize },
}
