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

/// What the page asks.
#[derive(Debug)]
pub enum AppRequest {
    /// The games that can be played.
    Variants,
    /// What a new game would begin with.
    Preview(Box<NewGame>),
    /// What a position is that somebody has put together or pasted.
    Position(Box<Draft>),
    /// How the solving of a puzzle stands.
    Puzzle(PuzzleAttempt),
    /// The list of games.
    Games,
    Create(Box<NewGame>),
    Import(Import),
    /// Something about one game, from who hears its events under this number.
    Game {
        id: String,
        listener: Option<u32>,
        action: Action,
    },
}

/// What is asked about a game. Most come as the body of a `POST` to an address of this name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Action {
    State,
    /// To be sent its events.
    Listen,
    /// The position after so many turns and some moves from there.
    Position {
        ply: usize,
        moves: Vec<String>,
    },
    /// Adds a variation after so many turns.
    Variation {
        ply: usize,
        moves: Vec<String>,
    },
    /// Has it stand before others.
    Promote {
        ply: usize,
        moves: Vec<String>,
    },
    /// Takes it away from its last move on.
    Remove {
        ply: usize,
        moves: Vec<String>,
    },
    /// The game goes, and for a while can come back.
    Delete,
    Restore {},
    Turn {
        text: String,
    },
    Undo {},
    /// Of a side, where it is not clear.
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
    /// Dice are thrown, or taken up and thrown again: the program's, or with these values.
    Dice {
        values: Option<Vec<u8>>,
        #[serde(default)]
        again: bool,
    },
    Mediator {
        choice: MediatorChoice,
    },
    Hint {},
    Assessment {},
    Analysis {
        ply: Option<usize>,
        #[serde(default)]
        moves: Vec<String>,
        #[serde(default = "one")]
        lines: usize,
    },
    Review {
        nodes: Option<u64>,
    },
    EndStudy,
    /// A link to the game after so many turns and some moves from there.
    Link {
        ply: usize,
        moves: Vec<String>,
    },
    Pgn,
    Record,
}

/// The actions that are posted.
const POSTED: [&str; 16] = [
    "turn",
    "undo",
    "resign",
    "draw",
    "rematch",
    "dice",
    "mediator",
    "hint",
    "assessment",
    "analysis",
    "review",
    "variation",
    "promote",
    "remove",
    "restore",
    "link",
];

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
    /// The largest body at an address, in bytes: a file of games may be large.
    pub fn largest_body(target: &str) -> usize {
        if target.split('?').next() == Some("/api/pgn") { 16 << 20 } else { 64 << 10 }
    }

    /// Reads a request in the words of HTTP: `target` is a path, maybe with a query. What is no
    /// request has its response. Files of games take their time.
    pub fn parse(method: &str, target: &str, body: &[u8]) -> Parsed<AppRequest> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parts: Vec<&str> = path.strip_prefix("/api/").unwrap_or_default().split('/').collect();
        let mut request = request(method, &parts, query, body).unwrap_or_else(|| {
            let is_there = |method: &&str| request(method, &parts, "", b"").is_some();
            let (path, method) = (shorten(path), shorten(method));
            Err(if ["GET", "POST", "DELETE"].iter().any(is_there) {
                Response::refusal(405, format!("'{path}' does not take {method}"))
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

/// A value in the query of an address.
fn value_of(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
}

/// What is asked at an address, given the parts of its path behind `/api/`.
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
        ("GET", ["pgn"]) => Ok(Action::Pgn),
        ("GET", ["record"]) => Ok(Action::Record),
        ("GET", ["at", ply]) => position(ply, Vec::new()),
        ("POST", ["at", ply]) => read(body).and_then(|Path { moves }| position(ply, moves)),
        ("DELETE", ["analysis" | "review"]) => Ok(Action::EndStudy),
        ("POST", [name]) if POSTED.contains(name) => read(body).and_then(|body: Value| {
            let action = Value::Object(Map::from_iter([((*name).to_owned(), body)]));
            serde_json::from_value(action).map_err(malformed)
        }),
        _ => return None,
    })
}

fn position(ply: &str, moves: Vec<String>) -> Parsed<Action> {
    let refusal = |_| Response::refusal(400, format!("'{}' is no number of turns", shorten(ply)));
    Ok(Action::Position { ply: ply.parse().map_err(refusal)?, moves })
}

/// Reads the JSON of a body.
fn read<T: DeserializeOwned>(body: &[u8]) -> Parsed<T> {
    serde_json::from_slice(body).map_err(malformed)
}

fn malformed(error: serde_json::Error) -> Response {
    let sentence = format!("the body of the request is not what is expected here: {error}");
    Response::refusal(400, sentence)
}
