//! The logic of the web page: all games, their studies, listeners and saving.
//!
//! An [`App`] has no clock, files, threads, sockets or engines. All these belong to a *transport*: the server
//! of `aleator serve`, the workers of the WebAssembly page, or a test. The transport passes each [`Input`] to
//! the app together with the time, and carries out the [`Effect`]s that the app returns.
//!
//! ```text
//! bytes ── AppRequest::parse ─> Request ─────┐              ┌> Respond, Stream, Publish: to pages
//! Search ─> engine: lines, EngineEvent ──────┤              │
//! Load, Save ─> storage ─────> Loaded, Saved ┼─ App::handle ┼> Save, Load, Remove: to the storage
//! a page stops listening ───────────> Left ──┤              │
//! Tick, Close                                ┘              └> Search, Stop: to the engines
//! ```
//!
//! * A **request** has a method, a path and a body, as in HTTP. [`AppRequest::parse`] needs no [`App`], so
//!   that another thread can parse a large file. Each request has a ticket, and gets exactly one response
//!   with this ticket. The response can come later: a hint waits for an engine, and a request to a closed
//!   game waits for the file of the game.
//! * An **event** goes to all listeners of a game. Only the page whose request caused the event does not
//!   receive the event, because the response contains the same state. Pages identify themselves with
//!   `?listener=NUMBER`.
//! * **Engines** are numbered. The app assigns searches to engines. Each search reports lines and exactly one
//!   final event, even after a stop.
//! * **Random numbers** come from the seed: the same inputs lead to the same effects.
//! * A game is *attended* while a page listens to the game, and for some seconds after each request. When a
//!   game is no longer attended, its clocks and its searches stop. Later the game is closed, and then exists
//!   only as a file.
//!
//! ```
//! use std::time::Instant;
//! use aleator::play::app::{App, Effect, Input, AppRequest, Time};
//!
//! let time = Time { now: Instant::now(), date: 0 };
//! let mut app = App::new(1, time);
//! let request = AppRequest::parse("POST", "/api/games", br#"{ "variant": "jepps" }"#).unwrap();
//! let effects = app.handle(Input::Request { ticket: 1, request }, time);
//! assert!(matches!(effects.last(), Some(Effect::Respond { ticket: 1, .. })));
//! ```
//!
//! | file | contents |
//! | --- | --- |
//! | `request` | the addresses and bodies of requests |
//! | `response` | responses, events and all other effects |
//! | `new_game` | the settings in a request for a new game |
//! | `draft` | positions that people edit or paste |
//! | `link` | links that start a game |
//! | `link_moves` | the events of a game in a link |
//! | `import` | games from a PGN file |
//! | `puzzle` | attempts at a puzzle |
//! | `game` | one open game |
//! | `study` | analyses, reviews, hints, assessments |
//! | `engines` | the queue of searches for the engines |
//! | `remark` | comments, and the squares and arrows drawn by their commands |
//! | `view` | a game as JSON for the page |

mod draft;
mod engines;
mod game;
mod import;
mod link;
mod link_moves;
mod new_game;
mod puzzle;
mod remark;
mod request;
mod response;
mod study;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use self::engines::{EngineTask, Engines, Finding, SearchPurpose};
use self::game::OpenGame;
use self::import::Import;
use self::request::{Action, RematchStart};
use self::response::AppResult;
use self::view::Summary;
use crate::engine::SearchResult;
use crate::host::Instant;
use crate::play::{EngineEvent, LiveGame, SaveError};
use crate::random::Rng;
use crate::text::shorten;

pub use self::request::AppRequest;
pub use self::response::{AppEvent, Effect, EngineCommand, Response, Ticket};

/// The number of engines for turns and hints, which have the lowest numbers.
const PLAY_ENGINES: usize = 2;
/// The number of engines for analyses and reviews.
const STUDY_ENGINES: usize = 2;
/// The number of engines that a transport provides.
pub const ENGINES: usize = PLAY_ENGINES + STUDY_ENGINES;
/// The engines that are used first: one for turns and hints, one for analyses and reviews.
pub const FIRST_ENGINES: [usize; 2] = [0, PLAY_ENGINES];
/// The usual interval of ticks.
const TICK: Duration = Duration::from_millis(200);
/// The interval of ticks while lines of analysis or an engine's turn are due. Lines that arrive between two
/// ticks are sent together.
const SHORT_TICK: Duration = Duration::from_millis(40);
/// The time during which a deleted game can be restored.
const UNDO_DELETE: Duration = Duration::from_secs(60);
/// The letters of game ids. Each letter encodes five random bits.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH: usize = 10;

/// The current time.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// The time for chess clocks.
    pub now: Instant,
    /// The time for dates, in seconds since 1970.
    pub date: u64,
}

/// An input for the app.
#[derive(Debug)]
pub enum Input {
    /// A request from a page.
    Request { ticket: Ticket, request: AppRequest },
    /// A page has stopped listening to the events of a game.
    Left { game: String },
    /// An engine has reported about a search.
    EngineEvent { search: u64, event: EngineEvent },
    /// The result of [`Effect::Load`]: the text of a saved game, or an error.
    Loaded { game: String, text: Result<String, String> },
    /// The result of [`Effect::Save`].
    Saved { game: String, result: Result<(), String> },
    /// Some time has passed; see [`App::tick_interval`].
    Tick,
    /// The transport is shutting down. No input follows.
    Close,
}

/// The logic of the web page, with all games.
pub struct App {
    games: BTreeMap<String, Entry>,
    /// Deleted games that can still be restored, with the time of deletion.
    deleted: BTreeMap<String, Instant>,
    unreadable: Vec<Unreadable>,
    context: Context,
}

/// A saved game that cannot be read.
#[derive(Serialize)]
struct Unreadable {
    file: String,
    error: String,
}

enum Entry {
    Open(Box<OpenGame>),
    /// A game that exists only as a file, with the requests that wait until the file is loaded.
    Closed(Box<Summary>, Vec<(Ticket, Option<u32>, Action)>),
}

impl Entry {
    fn open(&mut self) -> Option<&mut OpenGame> {
        match self {
            Entry::Open(game) => Some(game),
            Entry::Closed(..) => None,
        }
    }
}

/// The state that all games share.
struct Context {
    time: Time,
    rng: Rng,
    engines: Engines,
    effects: Vec<Effect>,
}

impl Context {
    fn respond(&mut self, ticket: Ticket, answer: AppResult) {
        let response = answer.unwrap_or_else(|refusal| refusal);
        self.effects.push(Effect::Respond { ticket, response });
    }
}

/// Returns whether a name has the form of a game id.
pub fn is_game_id(name: &str) -> bool {
    name.len() == ID_LENGTH && name.bytes().all(|letter| ALPHABET.contains(&letter))
}

fn not_found(id: &str) -> Response {
    let sentence = format!("there is no game '{}' here: was it deleted?", shorten(id));
    Response::refusal(404, sentence)
}

impl App {
    /// Creates an app without games.
    pub fn new(seed: u64, time: Time) -> App {
        let engines = Engines::new(PLAY_ENGINES, STUDY_ENGINES);
        let context = Context { time, rng: Rng::new(seed), engines, effects: Vec::new() };
        let (games, deleted, unreadable) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        App { games, deleted, unreadable, context }
    }

    /// Adds a saved game to the list of games. `date` is the time of the last change.
    pub fn add_saved(&mut self, id: &str, text: &str, date: u64) -> Result<(), SaveError> {
        let game = OpenGame::restore(id, text, date, self.context.time.now)?;
        self.games.insert(id.to_owned(), Entry::Closed(Box::new(game.summary()), Vec::new()));
        Ok(())
    }

    /// Adds a file that cannot be read to the list of unreadable files.
    pub fn add_unreadable(&mut self, file: String, error: String) {
        self.unreadable.push(Unreadable { file, error });
    }

    /// Returns the time from the last [`Input::Tick`] to the next [`Input::Tick`].
    pub fn tick_interval(&self) -> Duration {
        let is_urgent = |entry: &Entry| matches!(entry, Entry::Open(game) if game.is_urgent());
        if self.games.values().any(is_urgent) { SHORT_TICK } else { TICK }
    }

    /// Handles an input. Returns the effects that the transport has to carry out, in order.
    pub fn handle(&mut self, input: Input, time: Time) -> Vec<Effect> {
        self.context.time = time;
        match input {
            Input::Request { ticket, request } => self.request(ticket, request),
            Input::Left { game } => {
                if let Some(Entry::Open(game)) = self.games.get_mut(&game) {
                    game.leave(time.now);
                }
            }
            Input::EngineEvent { search, event } => self.engine_event(search, event),
            Input::Loaded { game, text } => self.loaded(&game, text),
            Input::Saved { game, result } => {
                if let Some(Entry::Open(game)) = self.games.get_mut(&game) {
                    game.saved(result.err(), &mut self.context);
                }
            }
            Input::Tick => self.tick(),
            Input::Close => {
                let open = self.games.values_mut().filter_map(Entry::open);
                open.for_each(|game| game.pause(&mut self.context));
                self.purge_deleted(Duration::ZERO);
            }
        }
        let request_of = |id: &str| match self.games.get(id)? {
            Entry::Open(game) => game.live().search_request(time.now),
            Entry::Closed(..) => None,
        };
        let Context { engines, effects, .. } = &mut self.context;
        engines.start(request_of, effects);
        std::mem::take(&mut self.context.effects)
    }

    fn request(&mut self, ticket: Ticket, request: AppRequest) {
        let context = &mut self.context;
        let result = match request {
            AppRequest::Variants => Ok(Response::ok(&new_game::offered())),
            AppRequest::Preview(order) => order.preview(&mut context.rng),
            AppRequest::Position(draft) => draft.describe(&mut context.rng),
            AppRequest::Puzzle(attempt) => match attempt.judge() {
                Ok(judged) => match judged.search() {
                    None => judged.answer(None),
                    search => {
                        let name = judged.name().to_owned();
                        let purpose = SearchPurpose::Puzzle(ticket, Box::new(judged));
                        context.engines.want(&name, purpose, search);
                        return;
                    }
                },
                Err(refusal) => Err(refusal),
            },
            AppRequest::Games => {
                let (games, unreadable) = (self.list(), &self.unreadable);
                Ok(Response::ok(&json!({ "games": games, "unreadable": unreadable })))
            }
            AppRequest::Create(order) => order.live(&mut context.rng).map(|live| self.create(live)),
            AppRequest::Import(import) => Ok(self.import(import)),
            AppRequest::Game { id, listener, action } => {
                return self.request_of_game(&id, ticket, listener, action);
            }
        };
        self.context.respond(ticket, result);
    }

    /// Returns all games that are worth keeping, sorted by the time of the last change, newest first.
    fn list(&self) -> Vec<Summary> {
        let summary = |(id, entry): (&String, &Entry)| match entry {
            _ if self.deleted.contains_key(id) => None,
            Entry::Open(game) => Some(game.summary()),
            Entry::Closed(summary, _) => Some((**summary).clone()),
        };
        let summaries = self.games.iter().filter_map(summary);
        let mut list: Vec<Summary> = summaries.filter(|game| game.is_listed).collect();
        list.sort_by(|one, other| {
            let by_place = one.number.cmp(&other.number).then(one.id.cmp(&other.id));
            other.changed.cmp(&one.changed).then(by_place)
        });
        list
    }

    /// Adds a new game.
    fn add(&mut self, live: LiveGame) -> &OpenGame {
        let context = &mut self.context;
        let letter =
            |rng: &mut Rng| char::from(ALPHABET[rng.below(ALPHABET.len() as u64) as usize]);
        let id: String = (0..ID_LENGTH).map(|_| letter(&mut context.rng)).collect();
        let Time { now, date } = context.time;
        let mut game = Box::new(OpenGame::new(&id, live, date, now));
        game.attend(context);
        game.save(context);
        match self.games.entry(id).insert_entry(Entry::Open(game)).into_mut() {
            Entry::Open(game) => game,
            Entry::Closed(..) => unreachable!("it was just opened"),
        }
    }

    fn create(&mut self, live: LiveGame) -> Response {
        let now = self.context.time.now;
        Response::json(201, &self.add(live).state(now))
    }

    fn import(&mut self, import: Import) -> Response {
        let now = self.context.time.now;
        let mut add = |(mut live, result): (LiveGame, Option<_>)| {
            if let Some(result) = result {
                live.end_as_recorded(result, now);
            }
            self.add(live).summary()
        };
        let games: Vec<Summary> = import.games.into_iter().map(&mut add).collect();
        let Import { skipped, warnings, .. } = import;
        Response::ok(&json!({ "games": games, "skipped": skipped, "warnings": warnings }))
    }

    /// Deletes a game, or restores a deleted game if `is_back`.
    fn delete(&mut self, id: &str, is_back: bool) -> AppResult {
        let entry = self.games.get_mut(id).ok_or_else(|| not_found(id))?;
        if is_back {
            self.deleted.remove(id);
        } else {
            self.deleted.insert(id.to_owned(), self.context.time.now);
            if let Some(game) = entry.open() {
                game.pause(&mut self.context);
                game.publish(AppEvent::new("deleted", &json!({})), &mut self.context);
            }
        }
        Ok(Response::ok(&json!({})))
    }

    /// Removes the files of games that were deleted at least `ago` ago.
    fn purge_deleted(&mut self, ago: Duration) {
        let Context { time, effects, .. } = &mut self.context;
        self.deleted.retain(|id, since| {
            let stays = time.now.saturating_duration_since(*since) < ago;
            if !stays {
                self.games.remove(id);
                effects.push(Effect::Remove { game: id.clone() });
            }
            stays
        });
    }

    /// Handles a request about a game. If the game is closed, loads the game first.
    fn request_of_game(&mut self, id: &str, ticket: Ticket, listener: Option<u32>, action: Action) {
        if let Action::Delete | Action::Restore {} = action {
            let answer = self.delete(id, matches!(action, Action::Restore {}));
            return self.context.respond(ticket, answer);
        }
        let context = &mut self.context;
        let game = match self.games.get_mut(id).filter(|_| !self.deleted.contains_key(id)) {
            None => return context.respond(ticket, Err(not_found(id))),
            Some(Entry::Closed(_, waiting)) => {
                if waiting.is_empty() {
                    context.effects.push(Effect::Load { game: id.to_owned() });
                }
                return waiting.push((ticket, listener, action));
            }
            Some(Entry::Open(game)) => game,
        };
        // Exports do not count as attending the game.
        if !matches!(action, Action::Pgn { .. } | Action::Record) {
            game.attend(context);
        }
        match action {
            Action::Listen => {
                let first = game.listen(context);
                let game = id.to_owned();
                context.effects.push(Effect::Stream { ticket, game, listener, first });
            }
            Action::Rematch { swap, start } => {
                let is_same = start == RematchStart::Same;
                let live = game.live().rematch(swap, is_same, &mut context.rng);
                let answer = live.map_err(Response::from).map(|live| self.create(live));
                self.context.respond(ticket, answer);
            }
            action => {
                let study = game.study();
                let result = game.perform(action, listener, ticket, context);
                let has_begun = game.study().is_some_and(|number| Some(number) != study);
                if let Some(result) = result.transpose() {
                    context.respond(ticket, result);
                }
                if has_begun {
                    self.limit_studies();
                }
            }
        }
    }

    /// Ends the oldest analysis or review if more are running than there are engines for studies.
    fn limit_studies(&mut self) {
        let context = &mut self.context;
        let open = self.games.values_mut().filter_map(Entry::open);
        let mut games: Vec<&mut OpenGame> = open.filter(|game| game.study().is_some()).collect();
        if games.len() > context.engines.studies()
            && let Some(oldest) = games.iter_mut().min_by_key(|game| game.study())
        {
            let sentence = "this analysis was stopped, because too many newer analyses are running";
            oldest.end_study(context);
            oldest.publish(AppEvent::notice(sentence), context);
        }
    }

    /// Opens a game whose file was loaded, and handles the requests that waited for the file.
    fn loaded(&mut self, id: &str, text: Result<String, String>) {
        let Some(Entry::Closed(summary, waiting)) = self.games.get_mut(id) else { return };
        let (changed, waiting) = (summary.changed, std::mem::take(waiting));
        let now = self.context.time.now;
        let game = text.and_then(|text| {
            OpenGame::restore(id, &text, changed, now).map_err(|error| error.to_string())
        });
        match game {
            Ok(game) => {
                self.games.insert(id.to_owned(), Entry::Open(Box::new(game)));
                for (ticket, listener, action) in waiting {
                    self.request_of_game(id, ticket, listener, action);
                }
            }
            Err(error) => {
                for (ticket, ..) in waiting {
                    let sentence = format!("the file of this game cannot be read: {error}");
                    self.context.respond(ticket, Err(Response::refusal(500, sentence)));
                }
            }
        }
    }

    fn engine_event(&mut self, search: u64, event: EngineEvent) {
        match self.context.engines.hear(search, event) {
            None => {}
            Some(Finding::Line { game, search, line }) => {
                if let Some(game) = self.games.get_mut(&game).and_then(Entry::open) {
                    game.study_line(search, line);
                }
            }
            Some(Finding::End(task, result)) => self.searched(*task, result),
        }
    }

    fn searched(&mut self, task: EngineTask, result: Result<SearchResult, String>) {
        let context = &mut self.context;
        let game = self.games.get_mut(&task.game).and_then(Entry::open);
        let (ticket, answer) = match (task.purpose, game) {
            (SearchPurpose::Turn, Some(game)) => return game.reply(result, context),
            (SearchPurpose::Study, Some(game)) => {
                return game.study_searched(result, context);
            }
            (SearchPurpose::Turn | SearchPurpose::Study, None) => return,
            (SearchPurpose::Hint(ticket, game), _) => {
                let hint = |reply: SearchResult| study::hint(&game, &reply);
                (ticket, result.map_err(Response::conflict).and_then(hint))
            }
            (SearchPurpose::Assessment(ticket, side), _) => {
                let assessment = |reply: SearchResult| study::assessment(side, &reply.lines);
                (ticket, result.map_err(Response::conflict).map(assessment))
            }
            (SearchPurpose::Puzzle(ticket, attempt), _) => {
                let answer = |reply: SearchResult| attempt.answer(Some(&reply));
                (ticket, result.map_err(Response::conflict).and_then(answer))
            }
        };
        context.respond(ticket, answer);
    }

    fn tick(&mut self) {
        let context = &mut self.context;
        self.games.retain(|_, entry| {
            let Entry::Open(game) = entry else { return true };
            if !game.tick(context) {
                return true;
            }
            let is_kept = game.live().is_worth_keeping();
            *entry = Entry::Closed(Box::new(game.summary()), Vec::new());
            is_kept
        });
        self.purge_deleted(UNDO_DELETE);
    }
}
