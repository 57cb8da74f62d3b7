//! The game with all that was agreed about it.
//!
//! | file | holds |
//! | --- | --- |
//! | `turns` | turns, by people and the engine, and taking them back |
//! | `dice` | dice and the mediator |
//! | `clock` | clocks, and how long was thought |
//! | `ending` | resignations, draws, and how the game has ended |
//! | `rematch` | another game of the same kind |

mod clock;
mod dice;
mod ending;
mod rematch;
mod turns;

use serde::{Deserialize, Serialize};

use clock::ThinkingTime;
pub use ending::PLIES_BEFORE_DRAWS;

use super::arbiter::{AnswerError, Arbiter, Need};
use super::conclusion::PlayCause;
use super::event::{GameEvent, Note, Throw};
use super::habits::{Habits, OutcomeTracker};
use super::variations::{self, Variation};
use super::{DOUBLE_FISCHER_RANDOM, GameStart, GameStartError, Player};
use crate::engine::Score;
use crate::game::{Clocks, Game, TimeControl, Turn};
use crate::pgn::Tags;
use crate::rules::Variant;
use crate::start::{BlackArray, Numbering, Start};
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

/// Whose dice are rolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum DiceSource {
    /// The program's.
    #[default]
    #[serde(rename = "program", alias = "page")]
    Program,
    /// The people's own, who say what they show.
    #[serde(rename = "own")]
    Own,
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

    /// Moves made past the set-up.
    fn board_plies(&self) -> usize {
        self.turns().into_iter().filter(|note| !note.is_placement()).count()
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
