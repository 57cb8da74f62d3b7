//! The requests of the page: parses addresses and bodies.
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::draft::Draft;
use super::import::Import;
use super::link::Link;
use super::new_game::NewGame;
use super::puzzle::PuzzleAttempt;
use super::response::Response;
use crate::text::shorten;
use crate::types::Color;

/// A request of the page.
#[derive(Debug)]
pub enum AppRequest {
    /// Lists the variants that can be played.
    Variants,
    /// Shows how a new game starts, without creating the game.
    Preview(Box<NewGame>),
    /// Checks a position that a person has edited or pasted.
    Position(Box<Draft>),
    /// Checks an attempt at a puzzle.
    Puzzle(PuzzleAttempt),
    /// Lists all games.
    Games,
    Create(Box<NewGame>),
    Import(Import),
    /// Performs an action on a game, requested by the listener with this number, if it is known.
    Game {
        id: String,
        listener: Option<u32>,
        action: Action,
    },
}

/// An action on a game. Most actions are requested by a `POST` to an address with the name of the action; the
/// body contains the fields.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Action {
    State,
    /// Opens a stream of the game's events.
    Listen,
    /// Returns the position after `ply` turns and `moves`.
    Position {
        ply: usize,
        moves: Vec<String>,
    },
    /// Adds the variation `moves` after `ply` turns.
    Variation {
        ply: usize,
        moves: Vec<String>,
    },
    /// Promotes the variation that ends with `moves` to the line that it replaces.
    Promote {
        ply: usize,
        moves: Vec<String>,
    },
    /// Removes the last of `moves` from a variation, with all moves that follow.
    Remove {
        ply: usize,
        moves: Vec<String>,
    },
    /// Replaces the text of the comment on the move after `ply` turns and `moves`; its commands are kept.
    Comment {
        ply: usize,
        moves: Vec<String>,
        text: String,
    },
    /// Deletes the game. The game can be restored for one minute.
    Delete,
    Restore {},
    Turn {
        text: String,
    },
    Undo {},
    /// Resigns for `color`. Without `color`, [`LiveGame::resign`](crate::play::LiveGame::resign) chooses the
    /// side.
    Resign {
        color: Option<Color>,
    },
    Draw {
        color: Option<Color>,
    },
    Rematch {
        swap: bool,
        start: RematchStart,
    },
    /// Rolls dice. If `again` is set, the last roll is discarded, as a reroll. Without `values`, the program
    /// rolls.
    Dice {
        values: Option<Vec<u8>>,
        #[serde(default)]
        again: bool,
    },
    Mediator {
        choice: MediatorChoice,
    },
    /// Controls a game in which the engine plays both sides.
    Watch {
        choice: Option<WatchChoice>,
        /// The pause before each turn, if the game has no clocks.
        pace_ms: Option<u64>,
    },
    Hint {},
    Assessment {},
    Analysis {
        ply: Option<usize>,
        #[serde(default)]
        moves: Vec<String>,
        #[serde(default = "one")]
        lines: usize,
        /// Whether to analyse the threats: what the side that is not to move would play.
        #[serde(default)]
        threat: bool,
    },
    Review {
        nodes: Option<u64>,
    },
    EndStudy,
    /// Returns a link to the game after `ply` turns and `moves`.
    Link {
        ply: usize,
        moves: Vec<String>,
    },
    /// Returns the game as PGN.
    Pgn {
        /// Whether the PGN contains the variations that the engine added.
        engine_lines: bool,
    },
    Record,
}

/// The actions with an address for `POST`.
const POSTED: &str = "turn undo resign draw rematch dice mediator hint assessment analysis review \
                      variation promote remove restore link comment watch";

#[derive(PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RematchStart {
    Same,
    New,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediatorChoice {
    Keep,
    Again,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WatchChoice {
    /// Wait before the next turn.
    Hold,
    /// Make one turn, then wait.
    Step,
    Go,
    /// End the game, which becomes an analysis.
    End,
}

const fn one() -> usize {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Path {
    moves: Vec<String>,
}

type Parsed<T> = Result<T, Response>;

impl AppRequest {
    /// Returns the maximum size of the body of a request, in bytes. Only PGN files may be large.
    pub fn largest_body(target: &str) -> usize {
        if target.split('?').next() == Some("/api/pgn") { 16 << 20 } else { 64 << 10 }
    }

    /// Parses an HTTP request. `target` is a path, possibly with a query. If the request is invalid, returns
    /// an error response. Parsing a large PGN file takes time.
    pub fn parse(method: &str, target: &str, body: &[u8]) -> Parsed<AppRequest> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parts: Vec<&str> = path.strip_prefix("/api/").unwrap_or_default().split('/').collect();
        let mut request = request(method, &parts, query, body).unwrap_or_else(|| {
            let is_there = |method: &&str| request(method, &parts, "", b"").is_some();
            let (path, method) = (shorten(path), shorten(method));
            Err(if ["GET", "POST", "DELETE"].iter().any(is_there) {
                Response::refusal(405, format!("'{path}' does not support {method}"))
            } else {
                Response::refusal(404, format!("there is nothing at '{path}'"))
            })
        })?;
        if let AppRequest::Game { listener, .. } = &mut request {
            *listener = value_of(query, "listener").and_then(|value| value.parse().ok());
        }
        Ok(request)
    }
}

/// Returns the value with this name from the query of an address.
fn value_of(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
}

/// Parses the request at an address, given the parts of its path after `/api/`.
fn request(method: &str, parts: &[&str], query: &str, body: &[u8]) -> Option<Parsed<AppRequest>> {
    Some(match (method, parts) {
        ("GET", ["variants"]) => Ok(AppRequest::Variants),
        ("POST", ["start"]) => read(body).map(AppRequest::Preview),
        ("POST", ["position"]) => read(body).map(AppRequest::Position),
        ("POST", ["puzzle"]) => read(body).map(AppRequest::Puzzle),
        ("GET", ["games"]) => Ok(AppRequest::Games),
        ("POST", ["games"]) => read(body).map(AppRequest::Create),
        ("POST", ["link"]) => read(body)
            .and_then(|link: Link| link.new_game())
            .map(|order| AppRequest::Create(Box::new(order))),
        ("POST", ["pgn"]) => Import::read(body, value_of(query, "name")).map(AppRequest::Import),
        (_, ["games", id, rest @ ..]) => {
            let (id, listener) = ((*id).to_owned(), None);
            action(method, rest, body)?.map(|action| AppRequest::Game { id, listener, action })
        }
        _ => return None,
    })
}

fn action(method: &str, parts: &[&str], body: &[u8]) -> Option<Parsed<Action>> {
    Some(match (method, parts) {
        ("GET", []) => Ok(Action::State),
        ("DELETE", []) => Ok(Action::Delete),
        ("GET", ["events"]) => Ok(Action::Listen),
        ("GET", ["pgn"]) => Ok(Action::Pgn { engine_lines: true }),
        ("GET", ["pgn", "without-engine-lines"]) => Ok(Action::Pgn { engine_lines: false }),
        ("GET", ["record"]) => Ok(Action::Record),
        ("GET", ["at", ply]) => position(ply, Vec::new()),
        ("POST", ["at", ply]) => read(body).and_then(|Path { moves }| position(ply, moves)),
        ("DELETE", ["analysis" | "review"]) => Ok(Action::EndStudy),
        ("POST", [name]) if POSTED.split(' ').any(|posted| posted == *name) => {
            read(body).and_then(|body: Value| {
                let action = Value::Object(Map::from_iter([((*name).to_owned(), body)]));
                serde_json::from_value(action).map_err(malformed)
            })
        }
        _ => return None,
    })
}

fn position(ply: &str, moves: Vec<String>) -> Parsed<Action> {
    let refusal =
        |_| Response::refusal(400, format!("'{}' is not a valid number of turns", shorten(ply)));
    Ok(Action::Position { ply: ply.parse().map_err(refusal)?, moves })
}

/// Parses the JSON in the body of a request.
fn read<T: DeserializeOwned>(body: &[u8]) -> Parsed<T> {
    serde_json::from_slice(body).map_err(malformed)
}

fn malformed(error: serde_json::Error) -> Response {
    let sentence = format!("the body of the request is invalid: {error}");
    Response::refusal(400, sentence)
}
