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

use super::error::{ApiError, ApiResult, json_response, ok, read, whole};
use super::game_registry::GameRegistry;
use super::game_room::{ServerEvent, Subscription};
use super::guard::{HostNames, LARGEST, guard};
use super::new_game::{self, NewGameRequest};
use super::page;
use super::study::{self, USUAL_NODES};
use super::view::{Past, Summary};
use crate::pgn::PgnError;
use crate::play::{Awaited, DrawOffer, GameSettings, GameStart, LiveGame, PlayError, Player};
use crate::start::dice::{Die, DieError};
use crate::types::Color;

/// The largest body of a request, in bytes.
const LARGEST_BODY: usize = 64 << 10;
/// How many games of a file are taken at a time.
const MOST_GAMES: usize = 1_000;
/// How often a silent stream shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(5);

type Registry = State<Arc<GameRegistry>>;
type Body = Result<Bytes, BytesRejection>;

/// What the server answers to every address.
pub(super) fn router(registry: Arc<GameRegistry>, port: u16) -> Router {
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
        .route("/api/variants", get(|| async { ok(&new_game::offered()) }))
        .route("/api/start", post(preview))
        .route("/api/games", get(list).post(create))
        .route("/api/pgn", post(intake).layer(DefaultBodyLimit::max(LARGEST)))
        .nest("/api/games/{id}", game)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(HostNames::new(port), guard))
        .with_state(registry)
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

async fn list(State(registry): Registry) -> ApiResult {
    ok(&registry.list())
}

async fn create(State(registry): Registry, body: Body) -> ApiResult {
    let request: NewGameRequest = read(body)?;
    let settings = registry.with_rng(|rng| request.settings(rng))?;
    let room = registry.create(LiveGame::new(settings)?);
    let state = room.state(&room.inner());
    Ok(json_response(StatusCode::CREATED, &state))
}

async fn state(State(registry): Registry, Path(id): Path<String>) -> ApiResult {
    let room = registry.room(&id)?;
    let state = room.state(&room.inner());
    ok(&state)
}

async fn events(
    State(registry): Registry,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let subscription = registry.room(&id)?.listen();
    let event = |event: ServerEvent| Ok(Event::default().event(event.name).data(&*event.data));
    let first = stream::iter([subscription.state()]);
    let next = |mut subscription: Subscription| async move {
        Some((subscription.next().await?, subscription))
    };
    let events = first.chain(stream::unfold(subscription, next)).map(event);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}

/// What a request for a new game would begin with, and why it would be refused.
async fn preview(State(registry): Registry, body: Body) -> ApiResult {
    let request: NewGameRequest = read(body)?;
    ok(&registry.with_rng(|rng| request.preview(rng))?)
}

async fn past(registry: Registry, path: Path<(String, String)>) -> ApiResult {
    position_at(registry, path, &[])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    moves: Vec<String>,
}

async fn variation(registry: Registry, path: Path<(String, String)>, body: Body) -> ApiResult {
    let Variation { moves } = read(body)?;
    position_at(registry, path, &moves)
}

/// The position after so many turns and some moves from there.
fn position_at(
    State(registry): Registry,
    Path((id, ply)): Path<(String, String)>,
    moves: &[String],
) -> ApiResult {
    let ply: usize = ply.parse().map_err(|_| {
        let ply = crate::text::shorten(&ply);
        ApiError::new(StatusCode::BAD_REQUEST, format!("'{ply}' is no number of turns"))
    })?;
    let room = registry.room(&id)?;
    let mut game = study::game_at(&room.inner().live, Some(ply))?;
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
struct EmptyRequest {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnRequest {
    text: String,
}

async fn turn(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let TurnRequest { text } = read(body)?;
    let ((), state) = room.change(&registry, |live, now| match live.awaited() {
        Awaited::Engine(color) => Err(PlayError::EnginesTurn { color }),
        _ => live.play(&text, now),
    })?;
    ok(&state)
}

async fn undo(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let EmptyRequest {} = read(body)?;
    ok(&room.change(&registry, LiveGame::undo)?.1)
}

/// Who speaks; if nobody says so, who else could it be.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SideRequest {
    color: Option<Color>,
}

async fn resign(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let SideRequest { color } = read(body)?;
    ok(&room.change(&registry, |live, now| live.resign(color, now))?.1)
}

async fn draw(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let SideRequest { color } = read(body)?;
    let (answer, state) = room.change(&registry, |live, now| live.draw(color, now))?;
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

async fn rematch(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let Rematch { swap, start } = read(body)?;
    let is_same = start == RematchStart::Same;
    let live = registry.with_rng(|rng| room.inner().live.rematch(swap, is_same, rng))?;
    let next = registry.create(live);
    let state = next.state(&next.inner());
    Ok(json_response(StatusCode::CREATED, &state))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiceRequest {
    values: Option<Vec<u8>>,
    #[serde(default)]
    again: bool,
}

async fn dice(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let DiceRequest { values, again } = read(body)?;
    let values = values
        .map(|values| values.into_iter().map(Die::new).collect::<Result<Vec<Die>, DieError>>());
    let values = values.transpose().map_err(ApiError::unfit)?;
    let ((), state) = room.change(&registry, |live, _| {
        // All or nothing: what is taken up must be thrown.
        let mut next = live.clone();
        if again {
            next.roll_again()?;
        }
        match &values {
            Some(values) => next.roll(values)?,
            None => registry.with_rng(|rng| next.throw(rng))?,
        }
        *live = next;
        Ok(())
    })?;
    ok(&state)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MediatorRequest {
    choice: Choice,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Choice {
    Keep,
    Again,
}

async fn mediator(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let MediatorRequest { choice } = read(body)?;
    let ((), state) = room.change(&registry, |live, now| match choice {
        Choice::Keep => live.accept(now),
        Choice::Again => live.roll_again(),
    })?;
    ok(&state)
}

async fn hint(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let EmptyRequest {} = read(body)?;
    ok(&room.hint(&registry).await?)
}

async fn verdict(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let EmptyRequest {} = read(body)?;
    ok(&room.verdict(&registry).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalysisRequest {
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

async fn analyse(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let AnalysisRequest { ply, moves, lines } = read(body)?;
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(ApiError::unfit(format!("'lines' goes from 1 to {MOST_LINES}, not {lines}")));
    }
    ok(&json!({ "analysis": room.analyse(&registry, ply, &moves, lines)? }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewRequest {
    nodes: Option<u64>,
}

async fn review(State(registry): Registry, Path(id): Path<String>, body: Body) -> ApiResult {
    let room = registry.room(&id)?;
    let ReviewRequest { nodes } = read(body)?;
    let number = room.review(&registry, nodes.unwrap_or(USUAL_NODES).max(1))?;
    Ok(json_response(StatusCode::ACCEPTED, &json!({ "review": number })))
}

async fn end_study(State(registry): Registry, Path(id): Path<String>) -> ApiResult {
    registry.room(&id)?.end_study(None);
    ok(&json!({}))
}

async fn record(State(registry): Registry, Path(id): Path<String>) -> ApiResult {
    let room = registry.room(&id)?;
    let record = room.inner().live.game().and_then(crate::game::Game::record);
    let record = record.filter(|record| !record.placements().is_empty());
    let none = || {
        let sentence = "there is no record of a set-up: nothing has been placed in this game";
        ApiError::new(StatusCode::NOT_FOUND, sentence)
    };
    Ok(text_response("text/plain; charset=utf-8", record.ok_or_else(none)?.to_string()))
}

async fn pgn(State(registry): Registry, Path(id): Path<String>) -> ApiResult {
    let room = registry.room(&id)?;
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

/// The games of a file, to be played on.
fn games_of(text: &[u8]) -> (Vec<LiveGame>, Vec<Skipped>) {
    let (mut games, mut skipped) = (Vec::new(), Vec::new());
    let people = [Player::Person; 2];
    for game in crate::pgn::PgnReader::new(text) {
        if games.len() == MOST_GAMES {
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
        let beginning = GameStart::Fen(pgn.start.fen());
        match LiveGame::of_pgn(&pgn, &GameSettings::new(pgn.start.variant(), beginning, people)) {
            Ok(mut live) => {
                if let Some(result) = pgn.result {
                    live.end_as_recorded(result, Instant::now());
                }
                games.push(live);
            }
            Err(error) => skipped.push(Skipped { line: None, error: error.to_string() }),
        }
    }
    (games, skipped)
}

async fn intake(State(registry): Registry, body: Body) -> ApiResult {
    let text = whole(body)?;
    // Large files take their time, in which others want to play.
    let read = tokio::task::spawn_blocking(move || games_of(&text)).await;
    let (games, skipped) = read.map_err(ApiError::conflict)?;
    if games.is_empty() && skipped.is_empty() {
        return Err(ApiError::unfit("there is no game in this text; PGN is expected"));
    }
    let games: Vec<Summary> =
        games.into_iter().map(|live| registry.create(live).summary()).collect();
    ok(&json!({ "games": games, "skipped": skipped }))
}

fn text_response(kind: &'static str, text: String) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    (headers, text).into_response()
}
