use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream::{self, Stream, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::{Answer, ApiError, json_response, ok, read, whole};
use super::guard::{LARGEST, Names, guard};
use super::hall::Hall;
use super::order::{self, Order};
use super::page;
use super::room::{Hearing, News};
use super::study::{self, USUAL_NODES};
use super::view::{Past, Summary};
use crate::pgn::PgnError;
use crate::play::{Awaited, Beginning, DrawOffer, Player, Setting, Table, TableError};
use crate::start::dice::{Die, DieError};
use crate::types::Color;

/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 64 << 10;
/// How many games of a file are taken at a time.
const MOST_GAMES: usize = 1_000;
/// How often a silent stream shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(5);

type Halls = State<Arc<Hall>>;
type Body = Result<Bytes, BytesRejection>;

/// What the server answers to every address.
pub(super) fn router(hall: Arc<Hall>, port: u16) -> Router {
    let game = Router::new()
        .route("/", get(state))
        .route("/events", get(events))
        .route("/at/{ply}", get(past).post(variation))
        .route("/turn", post(turn))
        .route("/undo", post(undo))
        .route("/resign", post(resign))
        .route("/draw", post(draw))
        .route("/rematch", post(rematch))
        .route("/dice", post(dice))
        .route("/mediator", post(mediator))
        .route("/hint", post(hint))
        .route("/verdict", post(verdict))
        .route("/analysis", post(analyse).delete(end_study))
        .route("/review", post(review).delete(end_study))
        .route("/pgn", get(pgn))
        .route("/record", get(record));
    Router::new()
        .route("/", get(|headers: HeaderMap| async move { page::file("index.html", &headers) }))
        .route("/page/{file}", get(page_file))
        .route("/api/variants", get(|| async { ok(&order::offered()) }))
        .route("/api/start", post(preview))
        .route("/api/games", get(list).post(found))
        .route("/api/pgn", post(intake).layer(DefaultBodyLimit::max(LARGEST)))
        .nest("/api/games/{id}", game)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(Names::new(port), guard))
        .with_state(hall)
}

async fn unknown(uri: Uri) -> ApiError {
    let path = crate::text::shorten(uri.path());
    ApiError::new(StatusCode::NOT_FOUND, format!("there is nothing at '{path}'"))
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let path = crate::text::shorten(uri.path());
    let sentence = format!("'{path}' does not take {method}");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
}

async fn page_file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    page::file(&name, &headers)
}

async fn list(State(hall): Halls) -> Answer {
    ok(&hall.list())
}

async fn found(State(hall): Halls, body: Body) -> Answer {
    let order: Order = read(body)?;
    let setting = hall.with_rng(|rng| order.setting(rng))?;
    let room = hall.found(Table::new(setting)?);
    let state = room.state(&room.inner());
    Ok(json_response(StatusCode::CREATED, &state))
}

async fn state(State(hall): Halls, Path(id): Path<String>) -> Answer {
    let room = hall.room(&id)?;
    let state = room.state(&room.inner());
    ok(&state)
}

async fn events(
    State(hall): Halls,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let hearing = hall.room(&id)?.listen();
    let event = |news: News| Ok(Event::default().event(news.name).data(&*news.data));
    let first = stream::iter([hearing.state()]);
    let next = |mut hearing: Hearing| async move { Some((hearing.next().await?, hearing)) };
    let news = first.chain(stream::unfold(hearing, next)).map(event);
    Ok(Sse::new(news).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// What a request for a new game would begin with, and why it would be refused.
async fn preview(State(hall): Halls, body: Body) -> Answer {
    let order: Order = read(body)?;
    ok(&hall.with_rng(|rng| order.preview(rng))?)
}

async fn past(hall: Halls, path: Path<(String, String)>) -> Answer {
    position_at(hall, path, &[])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    moves: Vec<String>,
}

async fn variation(hall: Halls, path: Path<(String, String)>, body: Body) -> Answer {
    let Variation { moves } = read(body)?;
    position_at(hall, path, &moves)
}

/// The position after so many turns and some moves from there.
fn position_at(
    State(hall): Halls,
    Path((id, ply)): Path<(String, String)>,
    moves: &[String],
) -> Answer {
    let ply: usize = ply.parse().map_err(|_| {
        let ply = crate::text::shorten(&ply);
        ApiError::new(StatusCode::BAD_REQUEST, format!("'{ply}' is no number of turns"))
    })?;
    let room = hall.room(&id)?;
    let mut game = study::game_at(&room.inner().table, Some(ply))?;
    let mut turns = Vec::with_capacity(moves.len());
    for text in moves {
        game.play(text).map_err(ApiError::unfit)?;
        turns.extend(game.last_turn());
    }
    ok(&Past::new(ply, &game, turns))
}

/// Nothing to say, which is said with `{}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnOrder {
    text: String,
}

async fn turn(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let TurnOrder { text } = read(body)?;
    let ((), state) = room.change(&hall, |table, now| match table.awaited() {
        Awaited::Engine(color) => Err(TableError::EnginesTurn { color }),
        _ => table.play(&text, now),
    })?;
    ok(&state)
}

async fn undo(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Nothing {} = read(body)?;
    ok(&room.change(&hall, Table::undo)?.1)
}

/// Who speaks; if nobody says so, who else could it be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Speaker {
    color: Option<Color>,
}

async fn resign(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Speaker { color } = read(body)?;
    ok(&room.change(&hall, |table, now| table.resign(color, now))?.1)
}

async fn draw(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Speaker { color } = read(body)?;
    let (answer, state) = room.change(&hall, |table, now| table.draw(color, now))?;
    let answer = match answer {
        DrawOffer::Agreed => "agreed",
        DrawOffer::Made => "made",
        DrawOffer::Declined => "declined",
    };
    ok(&json!({ "answer": answer, "state": state }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rematch {
    swap: bool,
    start: RematchStart,
}

#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RematchStart {
    Same,
    New,
}

async fn rematch(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Rematch { swap, start } = read(body)?;
    let is_same = start == RematchStart::Same;
    let table = hall.with_rng(|rng| room.inner().table.rematch(swap, is_same, rng))?;
    let next = hall.found(table);
    let state = next.state(&next.inner());
    Ok(json_response(StatusCode::CREATED, &state))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiceOrder {
    values: Option<Vec<u8>>,
    #[serde(default)]
    again: bool,
}

async fn dice(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let DiceOrder { values, again } = read(body)?;
    let values = values
        .map(|values| values.into_iter().map(Die::new).collect::<Result<Vec<Die>, DieError>>());
    let values = values.transpose().map_err(ApiError::unfit)?;
    let ((), state) = room.change(&hall, |table, _| {
        // All or nothing: what is taken up must be thrown.
        let mut next = table.clone();
        if again {
            next.roll_again()?;
        }
        match &values {
            Some(values) => next.roll(values)?,
            None => hall.with_rng(|rng| next.throw(rng))?,
        }
        *table = next;
        Ok(())
    })?;
    ok(&state)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Heard {
    choice: Choice,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Keep,
    Again,
}

async fn mediator(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Heard { choice } = read(body)?;
    let ((), state) = room.change(&hall, |table, now| match choice {
        Choice::Keep => table.accept(now),
        Choice::Again => table.roll_again(),
    })?;
    ok(&state)
}

async fn hint(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Nothing {} = read(body)?;
    ok(&room.hint(&hall).await?)
}

async fn verdict(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let Nothing {} = read(body)?;
    ok(&room.verdict(&hall).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalysisOrder {
    ply: Option<usize>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default = "one")]
    lines: usize,
}

const fn one() -> usize {
    1
}

/// The most lines at a time.
const MOST_LINES: usize = 5;

async fn analyse(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let AnalysisOrder { ply, moves, lines } = read(body)?;
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(ApiError::unfit(format!("'lines' goes from 1 to {MOST_LINES}, not {lines}")));
    }
    ok(&json!({ "analysis": room.analyse(&hall, ply, &moves, lines)? }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewOrder {
    nodes: Option<u64>,
}

async fn review(State(hall): Halls, Path(id): Path<String>, body: Body) -> Answer {
    let room = hall.room(&id)?;
    let ReviewOrder { nodes } = read(body)?;
    let number = room.review(&hall, nodes.unwrap_or(USUAL_NODES).max(1))?;
    Ok(json_response(StatusCode::ACCEPTED, &json!({ "review": number })))
}

async fn end_study(State(hall): Halls, Path(id): Path<String>) -> Answer {
    hall.room(&id)?.end_study(None);
    ok(&json!({}))
}

async fn record(State(hall): Halls, Path(id): Path<String>) -> Answer {
    let room = hall.room(&id)?;
    let record = room.inner().table.game().and_then(crate::game::Game::record);
    let record = record.filter(|record| !record.placements().is_empty());
    let none = || {
        let sentence = "there is no record of a set-up: nothing has been placed in this game";
        ApiError::new(StatusCode::NOT_FOUND, sentence)
    };
    Ok(text_response("text/plain; charset=utf-8", record.ok_or_else(none)?.to_string()))
}

async fn pgn(State(hall): Halls, Path(id): Path<String>) -> Answer {
    let room = hall.room(&id)?;
    let pgn = room.pgn().ok_or_else(|| {
        ApiError::conflict("there is nothing to record yet: the random part is not complete")
    })?;
    Ok(text_response("application/x-chess-pgn; charset=utf-8", pgn))
}

/// A game of a file that is not taken.
#[derive(Serialize)]
struct Skipped {
    line: Option<usize>,
    error: String,
}

/// The games of a file, each at a table of its own.
fn tables(text: &[u8]) -> (Vec<Table>, Vec<Skipped>) {
    let (mut tables, mut skipped) = (Vec::new(), Vec::new());
    let people = [Player::Person; 2];
    for game in crate::pgn::Reader::new(text) {
        if tables.len() == MOST_GAMES {
            let error = format!("only the first {MOST_GAMES} games are taken; split the file");
            skipped.push(Skipped { line: None, error });
            break;
        }
        let pgn = match game {
            Ok(pgn) => pgn,
            Err(PgnError::Game(broken)) => {
                skipped.push(Skipped { line: Some(broken.line), error: broken.to_string() });
                continue;
            }
            Err(error) => {
                skipped.push(Skipped { line: None, error: error.to_string() });
                break;
            }
        };
        let beginning = Beginning::Fen(pgn.start.fen());
        match Table::of_pgn(&pgn, &Setting::new(pgn.start.variant(), beginning, people)) {
            Ok(mut table) => {
                if let Some(result) = pgn.result {
                    table.end_as_recorded(result, Instant::now());
                }
                tables.push(table);
            }
            Err(error) => skipped.push(Skipped { line: None, error: error.to_string() }),
        }
    }
    (tables, skipped)
}

async fn intake(State(hall): Halls, body: Body) -> Answer {
    let text = whole(body)?;
    // Large files take their time, in which others want to play.
    let read = tokio::task::spawn_blocking(move || tables(&text)).await;
    let (tables, skipped) = read.map_err(ApiError::conflict)?;
    if tables.is_empty() && skipped.is_empty() {
        return Err(ApiError::unfit("there is no game in this text; PGN is expected"));
    }
    let games: Vec<Summary> = tables.into_iter().map(|table| hall.found(table).summary()).collect();
    ok(&json!({ "games": games, "skipped": skipped }))
}

fn text_response(kind: &'static str, text: String) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    (headers, text).into_response()
}
