use std::time::{Duration, Instant};

use serde_json::json;
use time::OffsetDateTime;

use super::Context;
use super::engines::SearchPurpose;
use super::request::{Action, AnalysisOrder, Dice, MediatorChoice, Place};
use super::response::{AppEvent, Effect, Refusal, Response, Ticket};
use super::study::{self, Analysis, Review, Study, StudyWork};
use super::view::{Past, State, Summary, player_name};
use crate::engine::Line;
use crate::game::Game;
use crate::play::{Awaited, DrawOffer, LiveGame, PlayError, Question, Reply, SaveError, Saved};

/// How long a game is attended after a request when no page listens to it.
const GRACE: Duration = Duration::from_secs(3);
/// How long each of its turns lasts at least when the engine plays itself, so that one can watch it.
const PACE: Duration = Duration::from_millis(400);
/// After this time without anybody a game is only in its file.
const CLOSE_AFTER: Duration = Duration::from_secs(600);
/// For each position of a review.
const USUAL_NODES: u64 = 150_000;
/// The most lines of analysis at a time.
const MOST_LINES: usize = 5;

/// A game in memory, and what is under way at it.
pub(super) struct OpenGame {
    id: String,
    live: LiveGame,
    version: u64,
    /// Pages that hear its events.
    listeners: usize,
    /// When the last request for it came, or the last listener left.
    seen: Instant,
    /// Nobody attends it: clocks and engine rest.
    is_paused: bool,
    turn: EngineTurn,
    study: Option<Study>,
    /// In seconds since 1970.
    changed: u64,
}

/// What becomes of the engine's turn.
#[derive(Clone, Copy)]
enum EngineTurn {
    NotNow,
    /// It begins to think at this time.
    Later(Instant),
    /// It thinks, in the search of this number.
    Search(u64),
}

impl OpenGame {
    /// A game that is not attended yet.
    pub fn new(id: &str, live: LiveGame, changed: u64, now: Instant) -> OpenGame {
        OpenGame {
            id: id.to_owned(),
            live,
            version: 1,
            listeners: 0,
            seen: now,
            is_paused: true,
            turn: EngineTurn::NotNow,
            study: None,
            changed,
        }
    }

    /// The game that was saved as this text.
    pub fn restore(id: &str, text: &str, changed: u64, now: Instant) -> Result<Self, SaveError> {
        let live = LiveGame::restore(&Saved::from_json(text)?)?;
        Ok(OpenGame::new(id, live, changed, now))
    }

    pub const fn live(&self) -> &LiveGame {
        &self.live
    }

    /// The state as of now.
    pub fn state(&self, now: Instant) -> State {
        let mut state = State::new(&self.id, self.version, &self.live, now);
        state.thinking = !matches!(self.turn, EngineTurn::NotNow);
        state.analysing = self.study.as_ref().is_some_and(Study::is_analysis);
        state.reviewing = self.study.as_ref().is_some_and(|study| !study.is_analysis());
        state
    }

    /// A line for the list of games.
    pub fn summary(&self) -> Summary {
        let settings = self.live.settings();
        let [white, black] = settings.players.map(player_name);
        Summary {
            id: self.id.clone(),
            variant: settings.variant.name(),
            white,
            black,
            turns: self.live.turns().len(),
            result: self.live.conclusion().map(|end| end.result),
            changed: self.changed,
        }
    }

    /// Sends an event to all who listen.
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

    pub fn save(&self, context: &mut Context) {
        let text = self.live.saved(context.time.now).to_json();
        context.effects.push(Effect::Save { game: self.id.clone(), text });
    }

    /// Somebody is there: clocks and engine go on.
    pub fn attend(&mut self, context: &mut Context) {
        self.seen = context.time.now;
        if self.is_paused {
            self.is_paused = false;
            self.live.resume(context.time.now);
            self.proceed(context);
            self.publish_state(None, context);
        }
    }

    /// Nobody is there.
    pub fn pause(&mut self, context: &mut Context) {
        self.is_paused = true;
        self.live.pause(context.time.now);
        self.stop_turn(context);
        self.stop_study(context);
        self.save(context);
    }

    /// Another page listens; the first event for it.
    pub fn listen(&mut self, context: &Context) -> AppEvent {
        self.listeners += 1;
        AppEvent::new("state", &self.state(context.time.now))
    }

    /// A page listens no longer.
    pub fn leave(&mut self, now: Instant) {
        self.listeners -= 1;
        self.seen = now;
    }

    /// Does what is asked. Without a response it comes later, by the ticket.
    pub fn perform(
        &mut self,
        action: Action,
        listener: Option<u32>,
        ticket: Ticket,
        context: &mut Context,
    ) -> Result<Option<Response>, Refusal> {
        match action {
            Action::Position(place) => return self.position(place).map(Some),
            Action::Pgn => return self.pgn().map(Some),
            Action::Record => return self.record().map(Some),
            Action::Hint => return self.hint(ticket, context).map(|()| None),
            Action::Verdict => return self.verdict(ticket, context).map(|()| None),
            Action::Analyse(order) => return self.analyse(&order, context).map(Some),
            Action::Review(order) => return self.review(order.nodes, context).map(Some),
            Action::EndStudy => {
                self.end_study(context);
                return Ok(Some(Response::ok(&json!({}))));
            }
            Action::Draw(speaker) => {
                let act = |live: &mut LiveGame, context: &mut Context| {
                    live.draw(speaker.color, context.time.now)
                };
                let answer = match self.change(listener, context, act)? {
                    DrawOffer::Agreed => "agreed",
                    DrawOffer::Made => "made",
                    DrawOffer::Declined => "declined",
                };
                let state = self.state(context.time.now);
                return Ok(Some(Response::ok(&json!({ "answer": answer, "state": state }))));
            }
            // Those that the registry does.
            Action::State | Action::Listen | Action::Rematch(_) => {}
            action => self.change(listener, context, |live, context| act(live, action, context))?,
        }
        Ok(Some(Response::ok(&self.state(context.time.now))))
    }

    /// Changes the game, and tells all but the one who asked for it, whom the response tells. If it
    /// is refused, nothing changes.
    fn change<T>(
        &mut self,
        listener: Option<u32>,
        context: &mut Context,
        act: impl FnOnce(&mut LiveGame, &mut Context) -> Result<T, PlayError>,
    ) -> Result<T, Refusal> {
        let ticked = self.live.tick(context.time.now);
        let done = act(&mut self.live, context);
        if ticked || done.is_ok() {
            self.changed(listener.filter(|_| done.is_ok()), context);
        }
        Ok(done?)
    }

    /// What follows from a change: the engine's turn, an event, and the file.
    fn changed(&mut self, except: Option<u32>, context: &mut Context) {
        self.changed = context.time.date;
        self.proceed(context);
        self.version += 1;
        self.publish_state(except, context);
        self.save(context);
    }

    /// Does what needs no decision, and has the engine think if it is its turn.
    fn proceed(&mut self, context: &mut Context) {
        self.stop_turn(context);
        let now = context.time.now;
        self.live.settle(&mut context.rng, now);
        if !matches!(self.live.awaited(), Awaited::Engine(_)) || self.is_paused {
            return;
        }
        let settings = self.live.settings();
        if settings.clock.is_none() && settings.players.iter().all(|player| player.is_engine()) {
            self.turn = EngineTurn::Later(now + PACE);
        } else {
            self.search_turn(context);
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

    /// The engine has thought about its turn.
    pub fn reply(&mut self, result: Result<Reply, String>, context: &mut Context) {
        self.turn = EngineTurn::NotNow;
        let played = result
            .map_err(|error| format!("the engine cannot move: {error}"))
            .map(|reply| self.live.reply(&reply, context.time.now));
        match played {
            // Its time may have run out, which ends the game.
            Ok(Ok(()) | Err(PlayError::Over(_))) => self.changed(None, context),
            Ok(Err(error)) => self.publish(AppEvent::notice(&error.to_string()), context),
            Err(sentence) => self.publish(AppEvent::notice(&sentence), context),
        }
    }

    /// Whether something waits for a time that is near.
    pub fn is_urgent(&self) -> bool {
        let study = self.study.as_ref().map(|study| &study.work);
        matches!(study, Some(StudyWork::Analysis(analysis)) if analysis.has_lines())
            || matches!(self.turn, EngineTurn::Later(_))
    }

    /// Looks at the clocks and whether anybody is there; says whether the game can be closed.
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
        alone > CLOSE_AFTER
    }

    fn position(&self, place: Place) -> Result<Response, Refusal> {
        let mut game = study::game_at(&self.live, Some(place.ply))?;
        let mut turns = Vec::with_capacity(place.moves.len());
        for text in &place.moves {
            game.play(text).map_err(Refusal::unfit)?;
            turns.extend(game.last_turn());
        }
        Ok(Response::ok(&Past::new(place.ply, &game, turns)))
    }

    /// The game as PGN, dated when it last changed.
    fn pgn(&self) -> Result<Response, Refusal> {
        let changed = i64::try_from(self.changed).unwrap_or_default();
        let date = OffsetDateTime::from_unix_timestamp(changed);
        let date = date.map_or_else(|_| "????.??.??".to_owned(), |date| date.date().to_string());
        let pgn = self.live.pgn(&date.replace('-', ".")).ok_or_else(|| {
            Refusal::conflict("there is nothing to record yet: the random part is not complete")
        })?;
        Ok(Response::text("application/x-chess-pgn; charset=utf-8", pgn.to_string()))
    }

    fn record(&self) -> Result<Response, Refusal> {
        let record = self.live.game().and_then(Game::record);
        let record = record.filter(|record| !record.placements().is_empty()).ok_or_else(|| {
            let sentence = "there is no record of a set-up: nothing has been placed in this game";
            Refusal::new(404, sentence)
        })?;
        Ok(Response::text("text/plain; charset=utf-8", record.to_string()))
    }

    fn hint(&self, ticket: Ticket, context: &mut Context) -> Result<(), Refusal> {
        let game = study::game_to_ask(&self.live)?;
        let question = study::hint_question(&game, 1);
        let purpose = SearchPurpose::Hint(ticket, Box::new(game));
        context.engines.want(&self.id, purpose, Some(question));
        Ok(())
    }

    fn verdict(&self, ticket: Ticket, context: &mut Context) -> Result<(), Refusal> {
        let game = study::game_to_ask(&self.live)?;
        let count = game.placements().len();
        if count == 0 {
            return Err(Refusal::conflict("the set-up is over: there is nothing to place"));
        }
        let question = study::hint_question(&game, count);
        let purpose = SearchPurpose::Verdict(ticket, game.side_to_move());
        context.engines.want(&self.id, purpose, Some(question));
        Ok(())
    }

    /// Begins an endless analysis of a position; gives its number.
    fn analyse(
        &mut self,
        order: &AnalysisOrder,
        context: &mut Context,
    ) -> Result<Response, Refusal> {
        let AnalysisOrder { ply, moves, lines } = order;
        if !(1..=MOST_LINES).contains(lines) {
            let sentence = format!("'lines' goes from 1 to {MOST_LINES}, not {lines}");
            return Err(Refusal::unfit(sentence));
        }
        let (analysis, question) = Analysis::new(&self.live, *ply, moves, *lines)?;
        let number = self.begin_study(StudyWork::Analysis(analysis), question, context);
        Ok(Response::ok(&json!({ "analysis": number })))
    }

    /// Begins to look at every position of the game, and marks mistakes.
    fn review(&mut self, nodes: Option<u64>, context: &mut Context) -> Result<Response, Refusal> {
        let nodes = nodes.unwrap_or(USUAL_NODES).max(1);
        let (review, question) = Review::new(&self.live, nodes)?;
        let progress = review.progress(false);
        let number = self.begin_study(StudyWork::Review(review), question, context);
        self.publish(progress, context);
        Ok(Response::json(202, &json!({ "review": number })))
    }

    /// Begins a study in place of the one before.
    fn begin_study(&mut self, work: StudyWork, question: Question, context: &mut Context) -> u64 {
        self.stop_study(context);
        let number = context.engines.want(&self.id, SearchPurpose::Study, Some(question));
        self.study = Some(Study { number, search: number, work });
        self.publish_state(None, context);
        number
    }

    /// The number of the study under way.
    pub fn study(&self) -> Option<u64> {
        self.study.as_ref().map(|study| study.number)
    }

    fn stop_study(&mut self, context: &mut Context) {
        if let Some(study) = self.study.take() {
            context.engines.cancel(study.search, &mut context.effects);
        }
    }

    /// Ends the study under way, if there is one.
    pub fn end_study(&mut self, context: &mut Context) {
        if self.study.is_some() {
            self.stop_study(context);
            self.publish_state(None, context);
        }
    }

    /// A line of the study.
    pub fn study_line(&mut self, search: u64, line: Line) {
        let study = self.study.as_mut().filter(|study| study.search == search);
        if let Some(Study { work: StudyWork::Analysis(analysis), .. }) = study {
            analysis.take(line);
        }
    }

    /// A search of the study has ended, with these lines.
    pub fn study_searched(
        &mut self,
        result: Result<(), String>,
        lines: &[Line],
        context: &mut Context,
    ) {
        let Some(mut study) = self.study.take() else { return };
        match (&mut study.work, result) {
            (StudyWork::Analysis(analysis), result) => {
                let events = analysis.events(study.number);
                events.into_iter().for_each(|event| self.publish(event, context));
                if let Err(error) = result {
                    self.publish(AppEvent::notice(&error), context);
                }
            }
            (StudyWork::Review(_), Err(error)) => {
                let sentence = format!("the game is not analysed: {error}");
                self.publish(AppEvent::notice(&sentence), context);
            }
            (StudyWork::Review(review), Ok(())) => {
                let score = review.judge(&mut self.live, lines.first());
                score.into_iter().for_each(|score| self.publish(score, context));
                let next = review.next();
                self.publish(review.progress(next.is_none()), context);
                if let Some(question) = next {
                    study.search =
                        context.engines.want(&self.id, SearchPurpose::Study, Some(question));
                    self.study = Some(study);
                    return;
                }
                self.save(context);
            }
        }
        self.publish_state(None, context);
    }
}

/// Does at the table what changes the game.
fn act(live: &mut LiveGame, action: Action, context: &mut Context) -> Result<(), PlayError> {
    let now = context.time.now;
    match action {
        Action::Turn(turn) => match live.awaited() {
            Awaited::Engine(color) => Err(PlayError::EnginesTurn { color }),
            _ => live.play(&turn.text, now),
        },
        Action::Undo => live.undo(now),
        Action::Resign(speaker) => live.resign(speaker.color, now),
        Action::Mediator(mediator) => match mediator.choice {
            MediatorChoice::Keep => live.accept(now),
            MediatorChoice::Again => live.roll_again(),
        },
        Action::Dice(dice) => roll(live, &dice, context),
        _ => Ok(()),
    }
}

/// All or nothing: what is taken up must be thrown.
fn roll(live: &mut LiveGame, dice: &Dice, context: &mut Context) -> Result<(), PlayError> {
    let mut next = live.clone();
    if dice.again {
        next.roll_again()?;
    }
    match &dice.values {
        Some(values) => next.roll(values)?,
        None => next.throw(&mut context.rng)?,
    }
    *live = next;
    Ok(())
}
