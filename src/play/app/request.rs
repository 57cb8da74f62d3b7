use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::import::Import;
use super::new_game::NewGame;
use super::response::Refusal;
use crate::start::dice::{Die, DieError};
use crate::text::shorten;
use crate::types::Color;

/// What the page asks.
#[derive(Debug)]
pub enum AppRequest {
    /// The games that can be played.
    Variants,
    /// What a new game would begin with.
    Preview(Box<NewGame>),
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

/// What is asked about a game.
#[derive(Debug)]
pub enum Action {
    State,
    /// To be sent its events.
    Listen,
    Position(Place),
    Turn(TurnText),
    Undo,
    Resign(Speaker),
    Draw(Speaker),
    Rematch(Rematch),
    Dice(Dice),
    Mediator(Mediator),
    Hint,
    Verdict,
    Analyse(AnalysisOrder),
    Review(ReviewOrder),
    EndStudy,
    Pgn,
    Record,
}

/// The position after so many turns and some moves from there.
#[derive(Debug)]
pub struct Place {
    pub(super) ply: usize,
    pub(super) moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moves {
    moves: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnText {
    pub(super) text: String,
}

/// The side that acts, where it is not clear.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speaker {
    pub(super) color: Option<Color>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    pub(super) swap: bool,
    pub(super) start: RematchStart,
}

#[derive(PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RematchStart {
    Same,
    New,
}

/// Dice are thrown, or taken up and thrown again: the program's, or with these values.
#[derive(Debug)]
pub struct Dice {
    pub(super) values: Option<Vec<Die>>,
    pub(super) again: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiceOrder {
    values: Option<Vec<u8>>,
    #[serde(default)]
    again: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mediator {
    pub(super) choice: MediatorChoice,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MediatorChoice {
    Keep,
    Again,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisOrder {
    pub(super) ply: Option<usize>,
    #[serde(default)]
    pub(super) moves: Vec<String>,
    #[serde(default = "one")]
    pub(super) lines: usize,
}

const fn one() -> usize {
    1
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewOrder {
    pub(super) nodes: Option<u64>,
}

/// No fields: `{}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Empty {}

type Parse = fn(&[&str], &[u8]) -> Result<AppRequest, Refusal>;

/// What is done at an address, given the parts of its path behind `/api/`.
fn route(method: &str, parts: &[&str]) -> Option<Parse> {
    Some(match (method, parts) {
        ("GET", ["variants"]) => |_, _| Ok(AppRequest::Variants),
        ("POST", ["start"]) => |_, body| Ok(AppRequest::Preview(read(body)?)),
        ("GET", ["games"]) => |_, _| Ok(AppRequest::Games),
        ("POST", ["games"]) => |_, body| Ok(AppRequest::Create(read(body)?)),
        ("POST", ["pgn"]) => |_, body| Ok(AppRequest::Import(Import::read(body)?)),
        ("GET", ["games", _]) => |parts, _| of_game(parts, Action::State),
        ("GET", ["games", _, "events"]) => |parts, _| of_game(parts, Action::Listen),
        ("GET", ["games", _, "at", _]) => |parts, _| position(parts, Vec::new()),
        ("POST", ["games", _, "at", _]) => |parts, body| {
            let Moves { moves } = read(body)?;
            position(parts, moves)
        },
        ("POST", ["games", _, "turn"]) => |parts, body| json(parts, body, Action::Turn),
        ("POST", ["games", _, "undo"]) => |parts, body| empty(parts, body, Action::Undo),
        ("POST", ["games", _, "resign"]) => |parts, body| json(parts, body, Action::Resign),
        ("POST", ["games", _, "draw"]) => |parts, body| json(parts, body, Action::Draw),
        ("POST", ["games", _, "rematch"]) => |parts, body| json(parts, body, Action::Rematch),
        ("POST", ["games", _, "dice"]) => |parts, body| of_game(parts, dice(body)?),
        ("POST", ["games", _, "mediator"]) => |parts, body| json(parts, body, Action::Mediator),
        ("POST", ["games", _, "hint"]) => |parts, body| empty(parts, body, Action::Hint),
        ("POST", ["games", _, "verdict"]) => |parts, body| empty(parts, body, Action::Verdict),
        ("POST", ["games", _, "analysis"]) => |parts, body| json(parts, body, Action::Analyse),
        ("POST", ["games", _, "review"]) => |parts, body| json(parts, body, Action::Review),
        ("DELETE", ["games", _, "analysis" | "review"]) => {
            |parts, _| of_game(parts, Action::EndStudy)
        }
        ("GET", ["games", _, "pgn"]) => |parts, _| of_game(parts, Action::Pgn),
        ("GET", ["games", _, "record"]) => |parts, _| of_game(parts, Action::Record),
        _ => return None,
    })
}

impl AppRequest {
    /// The largest body at an address, in bytes: a file of games may be large.
    pub fn largest_body(target: &str) -> usize {
        if target == "/api/pgn" { 16 << 20 } else { 64 << 10 }
    }

    /// Reads a request in the words of HTTP: `target` is a path, maybe with a query. Files of games
    /// take their time.
    pub fn parse(method: &str, target: &str, body: &[u8]) -> Result<AppRequest, Refusal> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parts: Vec<&str> = path.strip_prefix("/api/").unwrap_or_default().split('/').collect();
        let Some(parse) = route(method, &parts) else {
            let path = shorten(path);
            return Err(
                if ["GET", "POST", "DELETE"].iter().any(|one| route(one, &parts).is_some()) {
                    Refusal::new(405, format!("'{path}' does not take {}", shorten(method)))
                } else {
                    Refusal::new(404, format!("there is nothing at '{path}'"))
                },
            );
        };
        let mut request = parse(&parts, body)?;
        if let AppRequest::Game { listener, .. } = &mut request {
            let mut values = query.split('&').filter_map(|pair| pair.strip_prefix("listener="));
            *listener = values.next().and_then(|value| value.parse().ok());
        }
        Ok(request)
    }
}

fn of_game(parts: &[&str], action: Action) -> Result<AppRequest, Refusal> {
    Ok(AppRequest::Game { id: parts[1].to_owned(), listener: None, action })
}

fn json<T: DeserializeOwned>(
    parts: &[&str],
    body: &[u8],
    action: fn(T) -> Action,
) -> Result<AppRequest, Refusal> {
    of_game(parts, action(read(body)?))
}

fn empty(parts: &[&str], body: &[u8], action: Action) -> Result<AppRequest, Refusal> {
    let Empty {} = read(body)?;
    of_game(parts, action)
}

fn position(parts: &[&str], moves: Vec<String>) -> Result<AppRequest, Refusal> {
    let ply = parts[3]
        .parse()
        .map_err(|_| Refusal::new(400, format!("'{}' is no number of turns", shorten(parts[3]))))?;
    of_game(parts, Action::Position(Place { ply, moves }))
}

fn dice(body: &[u8]) -> Result<Action, Refusal> {
    let DiceOrder { values, again } = read(body)?;
    let dice = |values: Vec<u8>| values.into_iter().map(Die::new).collect();
    let values: Option<Result<_, DieError>> = values.map(dice);
    Ok(Action::Dice(Dice { values: values.transpose().map_err(Refusal::unfit)?, again }))
}

/// Reads the JSON of a body.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        let sentence = format!("the body of the request is not what is expected here: {error}");
        Refusal::new(400, sentence)
    })
}
