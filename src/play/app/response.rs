use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::play::{GameStartError, PlayError, Question};

/// The number by which the transport knows a request again.
pub type Ticket = u64;

/// The answer to a request, with a status as in HTTP.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
}

/// A response, or the one that refuses the request.
pub(super) type AppResult = Result<Response, Response>;

impl Response {
    pub(super) fn json(status: u16, value: &impl Serialize) -> Response {
        // Plain data, with names for keys: nothing that JSON does not have.
        let body = serde_json::to_string(value).unwrap_or_default();
        Response { status, content_type: "application/json", body }
    }

    pub(super) fn ok(value: &impl Serialize) -> Response {
        Response::json(200, value)
    }

    /// Says what was wrong with a request, and what would be right.
    pub fn refusal(status: u16, sentence: impl ToString) -> Response {
        Response::json(status, &json!({ "error": sentence.to_string() }))
    }

    /// It cannot be done now.
    pub(super) fn conflict(sentence: impl ToString) -> Response {
        Response::refusal(409, sentence)
    }

    /// It can never be done.
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

/// What those who listen to a game hear.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AppEvent {
    /// `state`, `line`, `progress`, `score` or `notice`.
    pub name: &'static str,
    /// JSON.
    pub data: String,
}

impl AppEvent {
    pub(super) fn new(name: &'static str, data: &impl Serialize) -> AppEvent {
        AppEvent { name, data: serde_json::to_string(data).unwrap_or_default() }
    }

    /// That something did not go well.
    pub(super) fn notice(sentence: &str) -> AppEvent {
        AppEvent::new("notice", &json!({ "error": sentence }))
    }
}

/// What the transport is to do.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Answer a request.
    Respond { ticket: Ticket, response: Response },
    /// Answer a request with a stream of the game's events, of which this is the first.
    Stream { ticket: Ticket, game: String, listener: Option<u32>, first: AppEvent },
    /// Send an event to all who listen to a game, but for the one with this number.
    Publish { game: String, except: Option<u32>, event: AppEvent },
    /// Keep this text of a game in place of the one before; [`Input::Saved`](super::Input::Saved)
    /// says whether that was done.
    Save { game: String, text: String },
    /// Keep nothing of a game any more.
    Remove { game: String },
    /// Read the text of a game; [`Input::Loaded`](super::Input::Loaded) brings it.
    Load { game: String },
    /// Have an engine do something.
    Engine(EngineCommand),
}

/// What an engine is to do. Engines are numbered from 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineCommand {
    /// Answer a question, about another game than before or the same one. Each is answered by
    /// [`Input::EngineEvent`](super::Input::EngineEvent): lines, and one last word.
    Search { engine: usize, search: u64, question: Box<Question>, is_new_game: bool },
    /// End the search, whose last word is still to come.
    Stop { engine: usize },
}
