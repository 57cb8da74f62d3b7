use std::mem::take;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::arbiter::{AnswerError, Arbiter, Need};
use super::conclusion::{Conclusion, PlayCause};
use super::event::{GameEvent, Note, Throw, ThrowPurpose};
use super::habits::{self, EndDecision, Habits, MoveContext, OutcomeTracker};
use super::variations::{self, Variation};
use super::{DOUBLE_FISCHER_RANDOM, GameStart, GameStartError, Player, Question, Reply};
use crate::engine::{Score, millis};
use crate::game::{AGAIN, Clocks, Game, GameResult, TimeControl, Turn, on_stage};
use crate::host::Instant;
use crate::pgn::Tags;
use crate::rules::Variant;
use crate::start::die::Die;
use crate::start::jepps::{self, Mediation, Roll};
use crate::start::{BlackArray, Numbering, Rng, Start};
use crate::types::Color;

/// What was agreed before the first turn.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSettings {
    pub variant: Variant,
    pub beginning: GameStart,
    /// White's and Black's.
    pub players: [Player; 2],
    pub dice: DiceSource,
    pub clock: Option<TimeControl>,
    pub habits: Habits,
}

/// Whose dice are thrown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum DiceSource {
    /// The program's.
    #[default]
    #[serde(rename = "page")]
    Thrown,
    /// Those of the people, who say what they show.
    #[serde(rename = "own")]
    Typed,
}

/// Whom the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// The game is over.
    Nobody,
    /// A person, to make this side's turn, to throw dice or to say what they show.
    Person(Color),
    Engine(Color),
}

/// What became of an offer of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawOffer {
    /// The game is drawn.
    Agreed,
    /// It stands until the other side has moved.
    Made,
    /// The engine wants to play on.
    Declined,
}

/// Why something cannot be done in the game. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    GameStart(#[from] GameStartError),
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error("the game is over. {0}")]
    Over(String),
    #[error("dice come first: {0}")]
    DiceFirst(String),
    #[error("Black has to decide first: keep it, or roll again? {0}")]
    VerdictFirst(String),
    #[error("no dice are wanted now")]
    NoDice,
    #[error("{wanted} wanted, but {found} given: {request}")]
    DiceCount { wanted: &'static str, found: usize, request: String },
    #[error("nothing of yours can be taken back yet")]
    NothingToTakeBack,
    #[error("a draw can be offered once the first move is made")]
    TooEarlyToDraw,
    #[error("it is {color}'s turn, which the engine makes")]
    EnginesTurn { color: Color },
    #[error("the engine has found no move")]
    NoReply,
}

/// A game with all that was agreed about it.
#[derive(Clone, Debug)]
pub struct LiveGame {
    settings: GameSettings,
    arbiter: Arbiter,
    events: Vec<GameEvent>,
    clocks: Option<Clocks>,
    /// No player is there: no clock runs.
    is_paused: bool,
    thinking_time: ThinkingTime,
    offer: Option<Color>,
    cause: Option<PlayCause>,
    throws: Vec<Throw>,
    /// What could follow the last turn.
    tail: Vec<Variation>,
    origin: Origin,
    /// What the engine thought when it last moved, for White: whether it agrees to a draw.
    opinion: Option<Score>,
    /// White's and Black's, where the engine plays.
    outcome_trackers: [OutcomeTracker; 2],
}

/// How long the side to move has thought, while somebody was there.
#[derive(Clone, Copy, Debug, Default)]
struct ThinkingTime {
    before: Duration,
    /// Since when it goes on; unknown before the first [`LiveGame::resume`].
    since: Option<Instant>,
}

impl ThinkingTime {
    fn so_far(self, now: Instant) -> Option<Duration> {
        Some(self.before + now.saturating_duration_since(self.since?))
    }
}

/// Where a game comes from, if it was not begun here, and whose it is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// What the file says of it; of a game that was begun here, the names of its players.
    #[serde(skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// What the file says before the first turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreword: Option<String>,
    /// The file, if there are several games in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// Which one of these it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Whether it was read from PGN.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_read: bool,
}

/// The engine agrees to no draw before this many moves of both sides.
pub const PLIES_BEFORE_DRAWS: usize = 20;

impl GameSettings {
    /// Without clocks and habits, and with the program's dice.
    pub fn new(variant: Variant, beginning: GameStart, players: [Player; 2]) -> GameSettings {
        let (dice, clock, habits) = (DiceSource::default(), None, Habits::default());
        GameSettings { variant, beginning, players, dice, clock, habits }
    }
}

impl LiveGame {
    /// A game that is about to begin.
    pub fn new(settings: GameSettings) -> Result<LiveGame, GameStartError> {
        Ok(LiveGame {
            arbiter: settings.beginning.arbiter(settings.variant)?,
            clocks: settings.clock.map(Clocks::new),
            settings,
            events: Vec::new(),
            is_paused: false,
            thinking_time: ThinkingTime::default(),
            offer: None,
            cause: None,
            throws: Vec::new(),
            tail: Vec::new(),
            origin: Origin::default(),
            opinion: None,
            outcome_trackers: Default::default(),
        })
    }

    /// What was agreed.
    pub const fn settings(&self) -> &GameSettings {
        &self.settings
    }

    /// The rules' side of it.
    pub const fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// The game, once the random part of a set-up stands.
    pub const fn game(&self) -> Option<&Game> {
        self.arbiter.game()
    }

    /// Everything that happened.
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// The turns so far.
    pub fn turns(&self) -> Vec<&Note> {
        self.events.iter().filter_map(GameEvent::turn).collect()
    }

    /// The note of a turn, counted from 0.
    pub fn note_mut(&mut self, turn: usize) -> Option<&mut Note> {
        let mut notes = self.events.iter_mut().filter_map(|event| match event {
            GameEvent::Turn(note) => Some(note),
            _ => None,
        });
        notes.nth(turn)
    }

    /// The variant's name; double Fischer random has its own.
    pub fn game_name(&self) -> &'static str {
        let variant = self.settings().variant;
        let is_double = variant == Variant::Chess960
            && self.start().is_some_and(|start| start.black_array() != BlackArray::Mirror);
        if is_double { DOUBLE_FISCHER_RANDOM } else { variant.name() }
    }

    /// The arrays with which a game of shuffled ones began.
    pub fn start(&self) -> Option<Start> {
        let numbering = match self.settings().variant {
            Variant::Chess960 => Numbering::DOUBLE_FISCHER_RANDOM,
            variant if variant.rules().setup.is_none() && variant != Variant::Chess => {
                Numbering::of(variant)
            }
            _ => return None,
        };
        numbering.start(numbering.number_of_fen(&self.game()?.start_fen())?).ok()
    }

    /// The clocks, if the game has any.
    pub const fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// The side that has offered a draw.
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// All dice that were thrown.
    pub fn throws(&self) -> &[Throw] {
        &self.throws
    }

    /// The dice on the table: those thrown since the last turn.
    pub fn shown(&self) -> Option<&Throw> {
        let turns = self.turns().len();
        self.throws.last().filter(|throw| throw.turns == turns && !throw.is_taken_up)
    }

    /// What could follow the last turn.
    pub fn tail(&self) -> &[Variation] {
        &self.tail
    }

    pub(super) fn set_tail(&mut self, tail: Vec<Variation>) {
        self.tail = tail;
    }

    /// Where it comes from.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The same, to be changed.
    pub const fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    /// What a person at a side is called, if that is known.
    pub fn name(&self, color: Color) -> Option<&str> {
        let name = self.origin.tags.get(&color.to_string())?;
        let is_known = !name.is_empty() && name != "?" && !self.player(color).is_engine();
        is_known.then_some(name)
    }

    /// Says what the person at a side is called.
    pub fn set_name(&mut self, color: Color, name: &str) {
        self.origin.tags.set(&color.to_string(), name);
    }

    /// What could have been played instead of a turn, counted from 0; behind the last one, what
    /// could follow.
    fn variations_mut(&mut self, turn: usize) -> Option<&mut Vec<Variation>> {
        if turn == self.turns().len() {
            return Some(&mut self.tail);
        }
        self.note_mut(turn).map(|note| &mut note.variations)
    }

    /// Adds a variation after so many turns. As far as it is the game, it is not added; says for how
    /// many turns that is.
    pub fn add_variation(&mut self, ply: usize, turns: &[Turn]) -> usize {
        let played = self.turns().into_iter().skip(ply).zip(turns);
        let same = played.take_while(|(note, turn)| note.uci == turn.uci).count();
        if let Some(lines) = self.variations_mut(ply + same) {
            variations::add(lines, &turns[same..]);
        }
        same
    }

    /// Takes a variation away from its last turn on; says whether there was one.
    pub fn remove_variation(&mut self, ply: usize, path: &[String]) -> bool {
        self.variations_mut(ply).is_some_and(|lines| variations::remove(lines, path))
    }

    /// Has a variation stand before the others; says whether there was one.
    pub fn promote_variation(&mut self, ply: usize, path: &[String]) -> bool {
        self.variations_mut(ply).is_some_and(|lines| variations::promote(lines, path))
    }

    /// Whether there is something of it that would be missed.
    pub fn is_worth_keeping(&self) -> bool {
        let is_from_file = self.origin.collection.is_some();
        is_from_file || !self.tail.is_empty() || !self.turns().is_empty()
    }

    /// Who sits on a side.
    pub const fn player(&self, color: Color) -> Player {
        self.settings.players[color.index()]
    }

    /// Whose turn it is, be it to move, to place, or to have dice thrown for it.
    pub fn side_to_move(&self) -> Color {
        match self.arbiter.need() {
            Need::Die(request) => request.color,
            Need::MediatorDice | Need::Mediation(_) => Color::Black,
            _ => self.game().map_or(Color::White, Game::side_to_move),
        }
    }

    /// How the game has ended, if it has.
    pub fn conclusion(&self) -> Option<Conclusion> {
        let by_rules = || {
            let game = self.game()?;
            Some(Conclusion::by_rules(game.outcome()?, game.side_to_move()))
        };
        self.cause.map(Conclusion::by_play).or_else(by_rules)
    }

    fn check_not_over(&self) -> Result<(), PlayError> {
        self.conclusion().map_or(Ok(()), |end| Err(PlayError::Over(end.to_string())))
    }

    /// Whom the game waits for. What needs no decision, [`LiveGame::settle`] does.
    pub fn awaited(&self) -> Awaited {
        if self.conclusion().is_some() {
            return Awaited::Nobody;
        }
        let side = self.side_to_move();
        match self.arbiter.need() {
            Need::Choice(_) | Need::Mediation(_) | Need::Nothing => {
                if self.player(side).is_engine() {
                    Awaited::Engine(side)
                } else {
                    Awaited::Person(side)
                }
            }
            // Dice of the table are in people's hands.
            _ if self.player(side).is_engine() && !self.player(!side).is_engine() => {
                Awaited::Person(!side)
            }
            _ => Awaited::Person(side),
        }
    }

    /// Does what needs no decision: makes the only possible placement, and throws the program's dice
    /// for the engine.
    pub fn settle(&mut self, rng: &mut Rng, now: Instant) {
        while self.conclusion().is_none() {
            let is_engine = |color| self.player(color).is_engine();
            let both = Color::ALL.into_iter().all(is_engine);
            let throws = self.settings.dice == DiceSource::Thrown;
            let done = match (self.arbiter.forced(), self.arbiter.need()) {
                (Some(forced), _) => self.play(&forced.to_string(), now),
                (_, Need::Dice { color, .. }) if throws && is_engine(color) => self.throw(rng),
                (_, Need::Die(_) | Need::MediatorDice) if throws && both => self.throw(rng),
                _ => return,
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// Plays a turn of the side whose turn it is: a placement, or a move in either notation.
    pub fn play(&mut self, text: &str, now: Instant) -> Result<(), PlayError> {
        self.tick(now);
        self.check_not_over()?;
        match (self.arbiter.need(), self.arbiter.request()) {
            (Need::Mediation(mediation), _) => {
                return Err(PlayError::VerdictFirst(mediation.to_string()));
            }
            (_, Some(request)) => return Err(PlayError::DiceFirst(request)),
            _ => {}
        }
        let color = self.side_to_move();
        let turn = self.arbiter.play(text)?;
        if self.offer == Some(!color) {
            self.offer = None;
        }
        let (others, tail) = variations::divide(take(&mut self.tail), &turn.uci);
        self.tail = tail;
        if let Some(clocks) = self.clocks.as_mut().filter(|_| !turn.placement) {
            clocks.press(color, now);
        }
        let clocks = self.clocks.as_ref().filter(|_| !turn.placement);
        let clock_ms = clocks.map(|clocks| millis(clocks.left(color, now)));
        let spent = self.thinking_time.so_far(now).filter(|_| !turn.placement);
        let spent_ms = spent.map(millis);
        let note = Note { clock_ms, spent_ms, variations: others, ..Note::new(color, turn) };
        self.events.push(GameEvent::Turn(note));
        self.restart_thinking_time(now);
        self.run_clock(now);
        Ok(())
    }

    /// Plays the engine's answer to the question of now, which can be to roll again or to keep the
    /// mediator's verdict; or resigns instead, or offers a draw with it. What an engine thinks that
    /// is held back is no evaluation, and is not noted.
    pub fn reply(&mut self, reply: &Reply, now: Instant) -> Result<(), PlayError> {
        let best = reply.answer.best.as_ref().ok_or(PlayError::NoReply)?;
        let color = self.side_to_move();
        let end_decision = self.end_decision(color, reply.score(), now);
        if end_decision == Some(EndDecision::Resign) {
            return self.resign(Some(color), now);
        }
        match self.arbiter.need() {
            Need::Choice(_) | Need::Mediation(_) if best == AGAIN => return self.roll_again(),
            Need::Mediation(_) => return self.accept(now),
            _ => self.play(best, now)?,
        }
        self.opinion = reply.score().map(|score| score.for_white(color));
        let is_full = matches!(self.player(color), Player::Engine(strength) if strength.is_full());
        if let Some(GameEvent::Turn(note)) = self.events.last_mut().filter(|_| is_full) {
            note.score = self.opinion;
        }
        let asks_person = !self.player(!color).is_engine();
        if end_decision == Some(EndDecision::OfferDraw)
            && asks_person
            && self.conclusion().is_none()
        {
            self.draw(Some(color), now)?;
        }
        Ok(())
    }

    /// What the engine on this side wants to do besides moving, thinking so of the position.
    fn end_decision(
        &mut self,
        color: Color,
        score: Option<Score>,
        now: Instant,
    ) -> Option<EndDecision> {
        let Player::Engine(strength) = self.player(color) else { return None };
        let game = self.game().filter(|_| self.settings.habits.resigns)?;
        let opponent_time = self.clocks.as_ref().map(|clocks| clocks.left(!color, now));
        let context = MoveContext::new(game, score, opponent_time);
        self.outcome_trackers[color.index()].end_decision(strength, &context)
    }

    /// How long the engine is to wait before it thinks about its turn: as a person does who has
    /// time, where one plays against it. At full strength it thinks long enough.
    pub fn pause_before_answer(&self, rng: &mut Rng) -> Option<Duration> {
        let Awaited::Engine(color) = self.awaited() else { return None };
        let Player::Engine(strength) = self.player(color) else { return None };
        let against_person = !self.player(!color).is_engine();
        let is_wanted = self.settings.habits.pauses && self.clocks.is_none();
        (is_wanted && against_person && !strength.is_full()).then(|| habits::pause(rng))
    }

    /// What the engine is asked when the game waits for it.
    pub fn question(&self, now: Instant) -> Option<Question> {
        let (Awaited::Engine(color), Some(game)) = (self.awaited(), self.game()) else {
            return None;
        };
        let Player::Engine(strength) = self.player(color) else { return None };
        let mut question = Question::new(game);
        let request = &mut question.request;
        request.elo = strength.elo();
        match self.clocks.as_ref().filter(|_| !game.is_setup()) {
            Some(clocks) => {
                request.time = Color::ALL.map(|color| Some(clocks.left(color, now)));
                request.increment = [Some(clocks.control().increment); 2];
                request.moves_to_go = clocks.moves_to_go(color);
            }
            None => request.limits.move_time = Some(Question::USUAL_TIME),
        }
        Some(question)
    }

    /// Takes what dice show: one die or, one after the other, several of the random part; or two.
    pub fn roll(&mut self, values: &[Die]) -> Result<(), PlayError> {
        self.check_not_over()?;
        let request = self.arbiter.request().ok_or(PlayError::NoDice)?;
        let found = values.len();
        match (self.arbiter.need(), values) {
            (Need::Die(_), [_, ..]) => {
                for die in values {
                    let color = self.side_to_move();
                    let meaning = self.arbiter.roll_die(*die)?;
                    self.events.push(GameEvent::Die(*die));
                    let sentence = (meaning.to_string(), meaning.short());
                    self.note_throw(ThrowPurpose::Root, color, &[*die], sentence);
                }
                Ok(())
            }
            (Need::Die(_), []) => {
                Err(PlayError::DiceCount { wanted: "one die or more are", found, request })
            }
            (_, &[one, two]) => {
                let (roll, color) = (Roll([one, two]), self.side_to_move());
                let is_mediators = self.arbiter.need() == Need::MediatorDice;
                let sentence = self.arbiter.roll_dice(roll)?;
                self.events.push(GameEvent::Dice(roll));
                if is_mediators {
                    // What Black may do about it, the arbiter says.
                    let verdict = Mediation { may_roll_again: false, ..jepps::mediate(roll) };
                    let sentence = (verdict.to_string(), verdict.black.to_string());
                    self.note_throw(ThrowPurpose::Mediation, color, &roll.0, sentence);
                } else {
                    let sentence = (sentence, roll.to_string());
                    self.note_throw(ThrowPurpose::Placement, color, &roll.0, sentence);
                }
                Ok(())
            }
            _ => Err(PlayError::DiceCount { wanted: "two dice are", found, request }),
        }
    }

    fn note_throw(
        &mut self,
        purpose: ThrowPurpose,
        color: Color,
        dice: &[Die],
        (sentence, short): (String, String),
    ) {
        let dice = dice.iter().map(|die| die.value()).collect();
        let (turns, is_taken_up) = (self.turns().len(), false);
        let throw = Throw { purpose, color, dice, sentence, short, turns, is_taken_up };
        self.throws.push(throw);
    }

    /// Throws the dice that are wanted.
    pub fn throw(&mut self, rng: &mut Rng) -> Result<(), PlayError> {
        let dice = [Die::throw(rng), Die::throw(rng)];
        match self.arbiter.need() {
            Need::Die(_) => self.roll(&dice[..1]),
            _ => self.roll(&dice),
        }
    }

    /// Takes the dice up to be thrown once more, where that is allowed.
    pub fn roll_again(&mut self) -> Result<(), PlayError> {
        self.check_not_over()?;
        self.arbiter.roll_again()?;
        self.events.push(GameEvent::Again);
        if let Some(throw) = self.throws.last_mut() {
            throw.is_taken_up = true;
        }
        Ok(())
    }

    /// Black lets the mediator's double stand.
    pub fn accept(&mut self, now: Instant) -> Result<(), PlayError> {
        self.check_not_over()?;
        self.arbiter.accept()?;
        self.events.push(GameEvent::Accept);
        self.restart_thinking_time(now);
        self.run_clock(now);
        Ok(())
    }

    /// Takes back to the last turn that a person chose; where only the engine plays,
    /// one turn. Ended games go on.
    pub fn undo(&mut self, now: Instant) -> Result<(), PlayError> {
        let is_person = |color| !self.player(color).is_engine();
        let any = Color::ALL.into_iter().any(is_person);
        let mut arbiter = self.arbiter.clone();
        let mut kept = self.events.len();
        loop {
            let last = self.events[..kept].iter().rposition(|event| event.turn().is_some());
            kept = last.filter(|_| arbiter.undo()).ok_or(PlayError::NothingToTakeBack)?;
            let side = arbiter.game().map(Game::side_to_move);
            if arbiter.forced().is_none() && (!any || side.is_some_and(is_person)) {
                break;
            }
        }
        self.arbiter = arbiter;
        if let Some(GameEvent::Turn(note)) = self.events.get_mut(kept) {
            self.tail = take(&mut note.variations);
        }
        self.events.truncate(kept);
        let is_throw = |event: &&GameEvent| matches!(event, GameEvent::Die(_) | GameEvent::Dice(_));
        self.throws.truncate(self.events.iter().filter(is_throw).count());
        (self.offer, self.cause, self.opinion) = (None, None, None);
        self.outcome_trackers.iter_mut().for_each(OutcomeTracker::forget);
        // The file says how the game ended, which it has not any more.
        self.origin.tags.remove("Termination");
        let left = Color::ALL.map(|color| self.noted_time(color));
        if let (Some(clocks), [Some(white), Some(black)]) = (&mut self.clocks, left) {
            clocks.set([white, black]);
        }
        self.restart_thinking_time(now);
        self.run_clock(now);
        Ok(())
    }

    /// What a side's clock showed after its last turn.
    fn noted_time(&self, color: Color) -> Option<Duration> {
        let turns = self.turns();
        let of_side = turns.iter().rev().filter(|note| note.color == color);
        let noted = of_side.filter_map(|note| note.clock_ms).next().map(Duration::from_millis);
        noted.or(self.settings.clock.map(|control| control.base))
    }

    /// A side gives up: the one that is named, or the only person's, or the one to move.
    pub fn resign(&mut self, color: Option<Color>, now: Instant) -> Result<(), PlayError> {
        self.check_not_over()?;
        let color = color.unwrap_or_else(|| self.speaker());
        self.conclude(PlayCause::Resigned(color), now);
        Ok(())
    }

    /// A side offers a draw, or accepts that of the other; see [`LiveGame::resign`] for which. The
    /// engine answers at once, by what it thought of the position when it last moved.
    pub fn draw(&mut self, color: Option<Color>, now: Instant) -> Result<DrawOffer, PlayError> {
        self.tick(now);
        self.check_not_over()?;
        if self.board_plies() == 0 {
            return Err(PlayError::TooEarlyToDraw);
        }
        let answers = self.offer.map(|offer| !offer);
        let color = color.or(answers).unwrap_or_else(|| self.speaker());
        if self.offer == Some(!color) {
            self.conclude(PlayCause::Agreement, now);
            return Ok(DrawOffer::Agreed);
        }
        if !self.player(!color).is_engine() {
            self.offer = Some(color);
            return Ok(DrawOffer::Made);
        }
        if !self.engine_agrees(!color) {
            return Ok(DrawOffer::Declined);
        }
        self.conclude(PlayCause::Agreement, now);
        Ok(DrawOffer::Agreed)
    }

    /// Whether the engine is content with a draw: it stands no better.
    fn engine_agrees(&self, engine: Color) -> bool {
        let is_content = self.opinion.is_some_and(|score| score.for_white(engine).is_no_better());
        is_content && self.board_plies() >= PLIES_BEFORE_DRAWS
    }

    /// The side that resigns or offers a draw where none is named.
    fn speaker(&self) -> Color {
        match self.settings.players.map(Player::is_engine) {
            [false, true] => Color::White,
            [true, false] => Color::Black,
            _ => self.side_to_move(),
        }
    }

    /// Ends the game with the result that a record of it has, unless the rules have ended it.
    pub fn end_as_recorded(&mut self, result: GameResult, now: Instant) {
        if self.conclusion().is_none() {
            self.conclude(PlayCause::Recorded(result), now);
        }
    }

    fn conclude(&mut self, cause: PlayCause, now: Instant) {
        (self.cause, self.offer) = (Some(cause), None);
        self.run_clock(now);
    }

    /// Looks at the clocks, and says whether one has just decided the game.
    pub fn tick(&mut self, now: Instant) -> bool {
        let fallen = self.clocks.as_ref().and_then(|clocks| clocks.fallen(now));
        let Some(loser) = fallen.filter(|_| self.conclusion().is_none()) else { return false };
        let can_mate = |game: &Game| {
            on_stage!(game.stage(), _ => true,
                      game => game.position().color(!loser).count() > 1)
        };
        let cause = if self.game().is_none_or(can_mate) {
            PlayCause::Time(loser)
        } else {
            PlayCause::TimeDraw(loser)
        };
        self.conclude(cause, now);
        true
    }

    /// Stops the clocks until [`LiveGame::resume`].
    pub fn pause(&mut self, now: Instant) {
        self.is_paused = true;
        self.thinking_time.before =
            self.thinking_time.so_far(now).unwrap_or(self.thinking_time.before);
        self.thinking_time.since = None;
        self.run_clock(now);
    }

    /// The time of the next turn begins.
    fn restart_thinking_time(&mut self, now: Instant) {
        self.thinking_time =
            ThinkingTime { since: (!self.is_paused).then_some(now), ..ThinkingTime::default() };
    }

    /// The clock of the side to move goes on.
    pub fn resume(&mut self, now: Instant) {
        self.is_paused = false;
        self.thinking_time.since.get_or_insert(now);
        self.run_clock(now);
    }

    /// Has the right clock run: that of the side to move, from the first move on, while the game
    /// lasts and somebody is there.
    fn run_clock(&mut self, now: Instant) {
        let runs = !self.is_paused && self.board_plies() > 0 && self.conclusion().is_none();
        let side = self.side_to_move();
        let Some(clocks) = &mut self.clocks else { return };
        if runs {
            clocks.start(side, now);
        } else {
            clocks.stop(now);
        }
    }

    /// Moves made past the set-up.
    fn board_plies(&self) -> usize {
        self.turns().into_iter().filter(|note| !note.is_placement()).count()
    }

    /// Another game of the same kind: from the same start or another one, with the other colours or
    /// the same.
    pub fn rematch(
        &self,
        swap: bool,
        same_start: bool,
        rng: &mut Rng,
    ) -> Result<LiveGame, GameStartError> {
        let mut settings = self.settings.clone();
        if swap {
            settings.players.reverse();
        }
        if !same_start {
            settings.beginning = self.another_beginning(rng);
        }
        let mut next = LiveGame::new(settings)?;
        for color in Color::ALL {
            if let Some(name) = self.name(color) {
                next.set_name(if swap { !color } else { color }, name);
            }
        }
        Ok(next)
    }

    fn another_beginning(&self, rng: &mut Rng) -> GameStart {
        let (variant, beginning) = (self.settings.variant, &self.settings.beginning);
        let GameStart::Fen(fen) = beginning else { return beginning.clone() };
        let is_setup = self.game().is_some_and(|game| game.record().is_some());
        let board = fen.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        let mut ranks = board.split('/');
        let is_mirrored = ranks.next() == ranks.next_back();
        if is_setup
            || variant.rules().setup.is_none() && (is_mirrored || variant != Variant::Chess960)
        {
            return GameStart::usual(variant, rng);
        }
        let numbering = match variant {
            Variant::Chess960 => Numbering::DOUBLE_FISCHER_RANDOM,
            other => Numbering::drawn(other),
        };
        GameStart::Fen(numbering.random(rng).fen())
    }

    /// Applies what happened once before; no clock runs.
    pub(super) fn repeat(&mut self, event: &GameEvent) -> Result<(), PlayError> {
        match event {
            GameEvent::Die(die) => self.roll(&[*die]),
            GameEvent::Dice(Roll(dice)) => self.roll(dice),
            GameEvent::Again => self.roll_again(),
            GameEvent::Accept => {
                self.arbiter.accept()?;
                self.events.push(GameEvent::Accept);
                Ok(())
            }
            GameEvent::Turn(note) => {
                self.arbiter.play(&note.uci)?;
                self.events.push(event.clone());
                Ok(())
            }
        }
    }

    /// Plays a turn of a game that is known to have gone on; no clock runs.
    pub(super) fn follow(&mut self, text: &str) -> Result<(), PlayError> {
        let color = self.side_to_move();
        let turn = self.arbiter.play(text)?;
        self.events.push(GameEvent::Turn(Note::new(color, turn)));
        Ok(())
    }

    /// Sets what was in force when the game was saved. Nobody is at the table.
    pub(super) fn set_state(&mut self, offer: Option<Color>, cause: Option<PlayCause>) {
        (self.offer, self.cause, self.is_paused) = (offer, cause, true);
    }

    pub(super) const fn cause(&self) -> Option<PlayCause> {
        self.cause
    }

    pub(super) fn clocks_mut(&mut self) -> Option<&mut Clocks> {
        self.clocks.as_mut()
    }
}
