//! A game that is open on the page: handles requests, the engine's turns, saving and closing. The module
//! `studies` handles analyses and reviews of the game.

mod studies;

use std::time::Duration;

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::Context;
use super::engines::SearchPurpose;
use super::link_moves;
use super::remark;
use super::request::{Action, MediatorChoice, WatchChoice};
use super::response::{AppEvent, AppResult, Effect, Response, Ticket};
use super::study::{self, Study, StudyWork};
use super::view::{self, Summary, player_name};
use crate::engine::SearchResult;
use crate::game::{Game, Termination};
use crate::host::Instant;
use crate::play::{Awaited, DrawOffer, LiveGame, PlayError, SaveError, Saved};
use crate::start::Rng;
use crate::start::die::Die;
use crate::types::Color;

/// How long a game without listeners stays active after the last request.
const GRACE: Duration = Duration::from_secs(3);
/// The usual pause before each turn of a game in which the engine plays both sides, so that people can follow.
const USUAL_PACE: Duration = Duration::from_millis(400);
/// The longest such pause.
const LONGEST_PACE: Duration = Duration::from_secs(60);
/// How long a game that is worth saving stays in memory after its last use.
const CLOSE_AFTER: Duration = Duration::from_secs(600);
/// How long any other game stays in memory after its last use. Such a game has no file and is lost when it is
/// closed.
const FORGET_AFTER: Duration = Duration::from_secs(24 * 3600);

/// A game in memory, with its listeners and its searches.
pub(super) struct OpenGame {
    id: String,
    live: LiveGame,
    version: u64,
    /// The number of pages that receive the game's events.
    listeners: usize,
    /// The time of the last request, or the time when the last listener left if that was later.
    seen: Instant,
    /// Whether the game is paused because no page shows it. The clocks and the engine of a paused game are
    /// stopped.
    is_paused: bool,
    /// Whether a person holds a game in which the engine plays both sides.
    is_held: bool,
    /// The pause before each turn of such a game.
    pace: Duration,
    turn: EngineTurn,
    study: Option<Study>,
    /// The time of the last change, in seconds since 1970.
    changed: u64,
    /// Whether the game has a file.
    has_file: bool,
    /// The reason why the last attempt to save the game failed; `None` if it succeeded.
    unsaved: Option<String>,
}

/// The state of the engine's turn.
#[derive(Clone, Copy)]
enum EngineTurn {
    /// The engine has no turn to make now.
    NotNow,
    /// The engine pauses, and starts to search at this time.
    Later(Instant),
    /// The engine is searching. The search has this number.
    Search(u64),
}

impl OpenGame {
    /// Creates an open game, which is paused until the first request.
    pub fn new(id: &str, live: LiveGame, changed: u64, now: Instant) -> OpenGame {
        OpenGame {
            id: id.to_owned(),
            live,
            version: changed * 1_000,
            listeners: 0,
            seen: now,
            is_paused: true,
            is_held: false,
            pace: USUAL_PACE,
            turn: EngineTurn::NotNow,
            study: None,
            changed,
            has_file: false,
            unsaved: None,
        }
    }

    /// Restores a saved game.
    pub fn restore(id: &str, text: &str, changed: u64, now: Instant) -> Result<Self, SaveError> {
        let live = LiveGame::restore(&Saved::from_json(text)?)?;
        // Pages that were open before a restart may have lower version numbers, but no higher ones.
        let version = (changed + 1) * 1_000;
        Ok(OpenGame { has_file: true, version, ..OpenGame::new(id, live, changed, now) })
    }

    /// Returns the game with its players and clocks.
    pub const fn live(&self) -> &LiveGame {
        &self.live
    }

    /// Returns the current state of the game as JSON for the page.
    pub fn state(&self, now: Instant) -> Value {
        let mut state = view::state(&self.id, self.version, &self.live, now);
        let analysing = self.study.as_ref().map(Study::is_analysis);
        state["thinking"] = (!matches!(self.turn, EngineTurn::NotNow)).into();
        state["analysing"] = (analysing == Some(true)).into();
        state["reviewing"] = (analysing == Some(false)).into();
        state["held"] = self.is_held.into();
        state["pace_ms"] = json!(self.pace.as_millis() as u64);
        state["unsaved"] = json!(self.unsaved);
        state
    }

    /// Returns the game's entry in the list of games.
    pub fn summary(&self) -> Summary {
        let origin = self.live.origin();
        let tag = |name| origin.tags.get(name).filter(|value| !value.contains('?'));
        Summary {
            id: self.id.clone(),
            variant: self.live.game_name(),
            white: player_name(&self.live, Color::White),
            black: player_name(&self.live, Color::Black),
            event: tag("Event").map(str::to_owned),
            date: tag("Date").map(str::to_owned),
            collection: origin.collection.clone(),
            number: origin.number,
            turns: self.live.turns().len(),
            result: self.live.termination().map(Termination::outcome),
            changed: self.changed,
            unsaved: self.unsaved.is_some(),
            is_listed: self.live.is_worth_keeping(),
        }
    }

    /// Sends an event to all listeners of the game.
    pub fn publish(&self, event: AppEvent, context: &mut Context) {
        self.publish_except(None, event, context);
    }

    fn publish_except(&self, except: Option<u32>, event: AppEvent, context: &mut Context) {
        if self.listeners > 0 {
            context.effects.push(Effect::Publish { game: self.id.clone(), except, event });
        }
    }

    fn publish_state(&self, except: Option<u32>, context: &mut Context) {
        if self.listeners > 0 {
            let state = AppEvent::new("state", &self.state(context.time.now));
            self.publish_except(except, state, context);
        }
    }

    /// Saves the game if it is worth keeping. Otherwise removes the game's file.
    pub fn save(&mut self, context: &mut Context) {
        let game = self.id.clone();
        // In WebAssembly the app ends when the page is closed, so even games without a turn are saved.
        let is_kept = self.live.is_worth_keeping() || cfg!(target_family = "wasm");
        if is_kept {
            let text = self.live.saved(context.time.now).to_json();
            context.effects.push(Effect::Save { game, text });
        } else if self.has_file {
            context.effects.push(Effect::Remove { game });
        }
        self.has_file = is_kept;
    }

    /// Handles the result of an attempt to save the game.
    pub fn saved(&mut self, error: Option<String>, context: &mut Context) {
        if self.unsaved != error {
            self.unsaved = error;
            self.version += 1;
            self.publish_state(None, context);
        }
    }

    /// Records that a request came. If the game was paused, restarts its clocks and its engine.
    pub fn attend(&mut self, context: &mut Context) {
        self.seen = context.time.now;
        if self.is_paused {
            self.is_paused = false;
            self.live.resume(context.time.now);
            self.proceed(context);
            self.publish_state(None, context);
        }
    }

    /// Pauses the game: stops clocks and engine, and saves the game.
    pub fn pause(&mut self, context: &mut Context) {
        self.is_paused = true;
        self.live.pause(context.time.now);
        self.stop_turn(context);
        self.stop_study(context);
        self.save(context);
    }

    /// Adds a listener, and returns the first event for this listener.
    pub fn listen(&mut self, context: &Context) -> AppEvent {
        self.listeners += 1;
        AppEvent::new("state", &self.state(context.time.now))
    }

    /// Removes a listener.
    pub fn leave(&mut self, now: Instant) {
        self.listeners -= 1;
        self.seen = now;
    }

    /// Performs an action. Returns `None` if the response is sent later, with `ticket`.
    pub fn perform(
        &mut self,
        action: Action,
        listener: Option<u32>,
        ticket: Ticket,
        context: &mut Context,
    ) -> Result<Option<Response>, Response> {
        let answer = match action {
            Action::Position { ply, moves } => self.position(ply, &moves),
            Action::Variation { .. }
            | Action::Promote { .. }
            | Action::Remove { .. }
            | Action::Comment { .. } => self.change_variations(action, listener, context),
            Action::Watch { choice, pace_ms } => self.watch(choice, pace_ms, listener, context),
            Action::Link { ply, moves } => {
                // Fails if the line is illegal.
                study::line(&self.live, Some(ply), &moves)?;
                Ok(Response::ok(&json!({ "link": link_moves::link(&self.live, ply, &moves) })))
            }
            Action::Pgn { engine_lines } => self.pgn(engine_lines),
            Action::Record => self.record(),
            Action::Hint {} => return self.advise(false, ticket, context).map(|()| None),
            Action::Assessment {} => return self.advise(true, ticket, context).map(|()| None),
            Action::Analysis { ply, moves, lines, threat } => {
                self.analyse(ply, &moves, lines, threat, context)
            }
            Action::Review { nodes } => self.review(nodes, context),
            Action::EndStudy => {
                self.end_study(context);
                Ok(Response::ok(&json!({})))
            }
            Action::State => Ok(Response::ok(&self.state(context.time.now))),
            action => self.change(action, listener, context),
        };
        answer.map(Some)
    }

    /// Changes the game. The requesting page receives the new state as the response, and all other listeners
    /// receive it as an event. An action that fails changes nothing.
    fn change(
        &mut self,
        action: Action,
        listener: Option<u32>,
        context: &mut Context,
    ) -> AppResult {
        let ticked = self.live.tick(context.time.now);
        let is_undo = matches!(action, Action::Undo {});
        let done = act(&mut self.live, action, context);
        // Stops a review, which may refer to the turn that was just taken back.
        if is_undo && done.is_ok() && self.study.as_ref().is_some_and(|study| !study.is_analysis())
        {
            self.stop_study(context);
        }
        if ticked || done.is_ok() {
            self.changed(listener.filter(|_| done.is_ok()), context);
        }
        let state = self.state(context.time.now);
        Ok(match done? {
            Some(answer) => Response::ok(&json!({ "answer": answer, "state": state })),
            None => Response::ok(&state),
        })
    }

    /// Adds, removes or promotes a variation, or writes a comment. The turns of the game stay unchanged.
    fn change_variations(
        &mut self,
        action: Action,
        listener: Option<u32>,
        context: &mut Context,
    ) -> AppResult {
        let is_there = |found| if found { Ok(Value::Null) } else { Err(no_variation()) };
        let live = &mut self.live;
        let answer = match action {
            Action::Variation { ply, moves } => {
                let (game, turns) = study::line(live, Some(ply), &moves)?;
                let same = live.add_variation(ply, &turns, false);
                view::past(ply + same, &game, &turns[same..])
            }
            Action::Promote { ply, moves } => is_there(live.promote_variation(ply, &moves))?,
            Action::Remove { ply, moves } => is_there(live.remove_variation(ply, &moves))?,
            Action::Comment { ply, moves, text } => {
                is_there(live.rewrite_comment(ply, &moves, |old| remark::rewritten(old, &text)))?
            }
            _ => Value::Null,
        };
        self.announce(listener, context);
        let state = self.state(context.time.now);
        Ok(Response::ok(&json!({ "answer": answer, "state": state })))
    }

    /// Whether the engine plays both sides.
    fn is_watched(&self) -> bool {
        self.live.settings().players.iter().all(|player| player.is_engine())
    }

    /// Holds or continues a game in which the engine plays both sides, makes one turn, or ends the game.
    fn watch(
        &mut self,
        choice: Option<WatchChoice>,
        pace_ms: Option<u64>,
        listener: Option<u32>,
        context: &mut Context,
    ) -> AppResult {
        if !self.is_watched() || self.live.termination().is_some() {
            let sentence = "only a running game of the engine against itself can be paused";
            return Err(Response::conflict(sentence));
        }
        let now = context.time.now;
        if let Some(pace) = pace_ms {
            self.pace = Duration::from_millis(pace).min(LONGEST_PACE);
        }
        match choice {
            Some(WatchChoice::End) => self.live.stop_watching(),
            Some(choice) => self.is_held = choice != WatchChoice::Go,
            None => {}
        }
        self.live.resume(now);
        self.proceed(context);
        if choice == Some(WatchChoice::Step) && matches!(self.live.awaited(), Awaited::Engine(_)) {
            self.live.resume(now);
            self.search_turn(context);
        }
        self.announce(listener, context);
        Ok(Response::ok(&self.state(now)))
    }

    /// Follows up a change of the game: starts the engine's turn, sends the new state, and saves the game.
    fn changed(&mut self, except: Option<u32>, context: &mut Context) {
        self.proceed(context);
        self.announce(except, context);
    }

    /// Sends the new state to all listeners but `except`, and saves the game.
    fn announce(&mut self, except: Option<u32>, context: &mut Context) {
        self.changed = context.time.date;
        self.version += 1;
        self.publish_state(except, context);
        self.save(context);
    }

    /// Makes all steps that need no decision. Then, if the engine is to move, starts the engine's turn.
    fn proceed(&mut self, context: &mut Context) {
        self.stop_turn(context);
        let now = context.time.now;
        self.live.settle(&mut context.rng, now);
        if !matches!(self.live.awaited(), Awaited::Engine(_)) || self.is_paused {
            return;
        }
        if self.is_held {
            return self.live.pause(now);
        }
        let pause = match self.live.settings().clock {
            None if self.is_watched() => Some(self.pace),
            _ => self.live.pause_before_answer(&mut context.rng, now),
        };
        match pause {
            Some(pause) => self.turn = EngineTurn::Later(now + pause),
            None => self.search_turn(context),
        }
    }

    fn search_turn(&mut self, context: &mut Context) {
        let search = context.engines.want(&self.id, SearchPurpose::Turn, None);
        self.turn = EngineTurn::Search(search);
    }

    fn stop_turn(&mut self, context: &mut Context) {
        if let EngineTurn::Search(search) = self.turn {
            context.engines.cancel(search, &mut context.effects);
        }
        self.turn = EngineTurn::NotNow;
    }

    /// Plays the turn that the engine's search returned.
    pub fn reply(&mut self, result: Result<SearchResult, String>, context: &mut Context) {
        self.turn = EngineTurn::NotNow;
        let played = result
            .map_err(|error| format!("the engine cannot move: {error}"))
            .map(|reply| self.live.reply(&reply, context.time.now));
        match played {
            // `Over` means that the engine's time has run out. The game has then changed, too.
            Ok(Ok(()) | Err(PlayError::Over(_))) => self.changed(None, context),
            Ok(Err(error)) => self.publish(AppEvent::notice(&error.to_string()), context),
            Err(sentence) => self.publish(AppEvent::notice(&sentence), context),
        }
    }

    /// Returns whether `tick` must be called often: new lines of an analysis wait to be sent, or the engine's
    /// turn will start soon.
    pub fn is_urgent(&self) -> bool {
        let study = self.study.as_ref().map(|study| &study.work);
        matches!(study, Some(StudyWork::Analysis(analysis)) if analysis.has_lines())
            || matches!(self.turn, EngineTurn::Later(_))
    }

    /// Checks the clocks, starts an engine's turn that is due, and pauses a game without listeners. Returns
    /// whether the game can be closed.
    pub fn tick(&mut self, context: &mut Context) -> bool {
        let now = context.time.now;
        if self.live.tick(now) {
            self.changed(None, context);
        }
        if matches!(self.turn, EngineTurn::Later(time) if time <= now) {
            self.search_turn(context);
        }
        if let Some(Study { number, work: StudyWork::Analysis(analysis), .. }) = &mut self.study {
            let events = analysis.events(*number);
            events.into_iter().for_each(|event| self.publish(event, context));
        }
        let alone = now.saturating_duration_since(self.seen);
        if self.listeners > 0 || alone < GRACE {
            return false;
        }
        if !self.is_paused {
            self.pause(context);
        }
        // A game that could not be saved exists only in memory, so it is never closed.
        let limit = if self.live.is_worth_keeping() { CLOSE_AFTER } else { FORGET_AFTER };
        self.unsaved.is_none() && alone > limit
    }

    fn position(&self, ply: usize, moves: &[String]) -> AppResult {
        let (game, turns) = study::line(&self.live, Some(ply), moves)?;
        Ok(Response::ok(&view::past(ply, &game, &turns)))
    }

    /// Returns the game as PGN, with or without the variations that the engine added. The date of the PGN is
    /// the date of the last change.
    fn pgn(&self, engine_lines: bool) -> AppResult {
        let changed = i64::try_from(self.changed).unwrap_or_default();
        let date = OffsetDateTime::from_unix_timestamp(changed);
        let date = date.map_or_else(|_| "????.??.??".to_owned(), |date| date.date().to_string());
        let mut live = self.live.clone();
        if !engine_lines {
            live.remove_engine_lines();
        }
        let pgn = live.pgn(&date.replace('-', ".")).ok_or_else(|| {
            Response::conflict("there is no PGN yet: the random part of the setup is not complete")
        })?;
        Ok(Response::text("application/x-chess-pgn; charset=utf-8", pgn.to_string()))
    }

    fn record(&self) -> AppResult {
        let record = self.live.game().and_then(Game::record);
        let record = record.filter(|record| !record.placements().is_empty()).ok_or_else(|| {
            let sentence = "this game has no setup record: no piece has been placed";
            Response::refusal(404, sentence)
        })?;
        Ok(Response::text("text/plain; charset=utf-8", record.to_string()))
    }
}

fn no_variation() -> Response {
    Response::refusal(404, "this variation no longer exists")
}

/// Applies an action that changes the game. Returns the result of a draw offer, if the action was an offer.
fn act(
    live: &mut LiveGame,
    action: Action,
    context: &mut Context,
) -> Result<Option<DrawOffer>, Response> {
    let now = context.time.now;
    match action {
        Action::Turn { text } => match live.awaited() {
            Awaited::Engine(color) => return Err(PlayError::EnginesTurn { color }.into()),
            _ => live.play(&text, now)?,
        },
        Action::Undo {} => live.undo(now)?,
        Action::Resign { color } => live.resign(color, now)?,
        Action::Draw { color } => return Ok(Some(live.draw(color, now)?)),
        Action::Mediator { choice: MediatorChoice::Keep } => live.accept(now)?,
        Action::Mediator { choice: MediatorChoice::Again } => live.roll_again()?,
        Action::Dice { values, again } => roll(live, values, again, &mut context.rng)?,
        _ => {}
    }
    Ok(None)
}

/// Rolls the dice. If `again` is true, discards the last roll first, as a reroll. An error leaves the game
/// unchanged.
fn roll(
    live: &mut LiveGame,
    values: Option<Vec<u8>>,
    again: bool,
    rng: &mut Rng,
) -> Result<(), Response> {
    let dice = |values: Vec<u8>| values.into_iter().map(Die::new).collect::<Result<Vec<_>, _>>();
    let values = values.map(dice).transpose().map_err(Response::unfit)?;
    let mut next = live.clone();
    if again {
        next.roll_again()?;
    }
    match values {
        Some(values) => next.roll(&values)?,
        None => next.roll_dice(rng)?,
    }
    *live = next;
    Ok(())
}
