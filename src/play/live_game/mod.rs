//! A game in progress: its settings, events, clocks and offers.
//!
//! | file | holds |
//! | --- | --- |
//! | `turns` | turns of people and the engine, and taking them back |
//! | `dice` | dice and the mediator |
//! | `clock` | clocks and thinking times |
//! | `ending` | resignations, draws, and how the game ended |
//! | `rematch` | another game of the same kind |

mod clock;
mod dice;
mod ending;
mod rematch;
mod turns;

use serde::{Deserialize, Serialize};

use clock::ThinkingTime;

use super::arbiter::{AnswerError, Arbiter, Need};
use super::event::{DiceRoll, GameEvent, Note};
use super::variations::{self, Variation};
use super::{GameStart, GameStartError, Player};
use crate::engine::{Habits, OutcomeTracker};
use crate::game::{Clocks, Game, Termination, TimeControl, Turn};
use crate::pgn::Tags;
use crate::rules::{DOUBLE_FISCHER_RANDOM, Variant};
use crate::start::jepps::Mediation;
use crate::start::{BlackBackRank, Numbering, Start};
use crate::types::{Color, Score};

/// What the players agreed before the first turn.
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
    /// The program.
    #[default]
    #[serde(rename = "program")]
    Program,
    /// The players, who enter what their own dice show.
    #[serde(rename = "own")]
    Own,
}

/// Whom the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// The game is over.
    Nobody,
    /// A person: to make this side's turn, to roll the dice or to enter what they show.
    Person(Color),
    Engine(Color),
}

/// What became of a draw offer.
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

/// Why something cannot be done. The game is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    GameStart(#[from] GameStartError),
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error("the game is over. {}", .0.sentence())]
    Over(Termination),
    #[error("dice come first: {0}")]
    DiceFirst(String),
    #[error("Black has to decide first: accept, or reroll? {0}")]
    VerdictFirst(Mediation),
    #[error("no dice are needed now")]
    NoDice,
    #[error("{wanted} needed, but {found} given: {request}")]
    DiceCount { wanted: &'static str, found: usize, request: String },
    #[error("you have no turn to take back yet")]
    NothingToTakeBack,
    #[error("a draw can be offered only after the first move")]
    TooEarlyToDraw,
    #[error("it is {color}'s turn, which the engine makes")]
    EnginesTurn { color: Color },
    #[error("the engine found no move")]
    NoReply,
}

/// A game in progress: its settings, events, clocks and offers.
#[derive(Clone, Debug)]
pub struct LiveGame {
    settings: GameSettings,
    arbiter: Arbiter,
    events: Vec<GameEvent>,
    clocks: Option<Clocks>,
    /// Whether no player is present, so that no clock runs.
    is_paused: bool,
    thinking_time: ThinkingTime,
    offer: Option<Color>,
    /// How the players or their clocks ended the game.
    ended: Option<Termination>,
    rolls: Vec<DiceRoll>,
    /// Variations after the last turn.
    tail: Vec<Variation>,
    origin: Origin,
    /// The engine's score at its last move, from White's side. It decides whether the engine
    /// accepts a draw.
    last_score: Option<Score>,
    /// White's and Black's, used for the engine's sides.
    outcome_trackers: [OutcomeTracker; 2],
}

/// Where a game comes from, if it was not started here, and its players' names.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The file's tags; for a game started here, the names of the players.
    #[serde(skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The file's comment before the first turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreword: Option<String>,
    /// The name of the file, if it holds several games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// The number of the game in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Whether it was read from a PGN.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_read: bool,
}

impl GameSettings {
    /// Settings without clocks and habits, with the program's dice.
    pub fn new(variant: Variant, beginning: GameStart, players: [Player; 2]) -> GameSettings {
        let (dice, clock, habits) = (DiceSource::default(), None, Habits::default());
        GameSettings { variant, beginning, players, dice, clock, habits }
    }
}

impl LiveGame {
    /// A game before its first turn.
    pub fn new(settings: GameSettings) -> Result<LiveGame, GameStartError> {
        Ok(LiveGame {
            arbiter: settings.beginning.arbiter(settings.variant)?,
            clocks: settings.clock.map(Clocks::new),
            settings,
            events: Vec::new(),
            is_paused: false,
            thinking_time: ThinkingTime::default(),
            offer: None,
            ended: None,
            rolls: Vec::new(),
            tail: Vec::new(),
            origin: Origin::default(),
            last_score: None,
            outcome_trackers: Default::default(),
        })
    }

    /// The settings.
    pub const fn settings(&self) -> &GameSettings {
        &self.settings
    }

    /// The arbiter.
    pub const fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// Returns the game, once the random part of a setup is complete.
    pub const fn game(&self) -> Option<&Game> {
        self.arbiter.game()
    }

    /// All events.
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// Returns the turns so far.
    pub fn turns(&self) -> Vec<&Note> {
        self.events.iter().filter_map(GameEvent::turn).collect()
    }

    /// Returns the annotations of a turn, counted from 0.
    pub fn note_mut(&mut self, turn: usize) -> Option<&mut Note> {
        let mut notes = self.events.iter_mut().filter_map(|event| match event {
            GameEvent::Turn(note) => Some(note),
            _ => None,
        });
        notes.nth(turn)
    }

    /// Returns the variant's name, or that of double Fischer random.
    pub fn game_name(&self) -> &'static str {
        let variant = self.settings().variant;
        let is_double = variant == Variant::Chess960
            && self.start().is_some_and(|start| start.black_back_rank() != BlackBackRank::Mirror);
        if is_double { DOUBLE_FISCHER_RANDOM } else { variant.name() }
    }

    /// Returns the starting position of a game with shuffled back ranks.
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

    /// All rolls of dice.
    pub fn rolls(&self) -> &[DiceRoll] {
        &self.rolls
    }

    /// The variations after the last turn.
    pub fn tail(&self) -> &[Variation] {
        &self.tail
    }

    pub(super) fn set_tail(&mut self, tail: Vec<Variation>) {
        self.tail = tail;
    }

    /// Where the game comes from.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The same, mutable.
    pub const fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    /// Returns the name of the person on a side, if it is known.
    pub fn name(&self, color: Color) -> Option<&str> {
        let name = self.origin.tags.get(&color.to_string())?;
        let is_known = !name.is_empty() && name != "?" && !self.player(color).is_engine();
        is_known.then_some(name)
    }

    /// Sets the name of the person on a side.
    pub fn set_name(&mut self, color: Color, name: &str) {
        self.origin.tags.set(&color.to_string(), name);
    }

    /// Returns the variations that replace a turn, counted from 0, or those after the last turn.
    fn variations_mut(&mut self, turn: usize) -> Option<&mut Vec<Variation>> {
        if turn == self.turns().len() {
            return Some(&mut self.tail);
        }
        self.note_mut(turn).map(|note| &mut note.variations)
    }

    /// Adds a variation after `ply` turns. Its first turns are left out as far as the game itself
    /// played them; returns how many these are.
    pub fn add_variation(&mut self, ply: usize, turns: &[Turn]) -> usize {
        let played = self.turns().into_iter().skip(ply).zip(turns);
        let same = played.take_while(|(note, turn)| note.uci == turn.uci).count();
        if let Some(lines) = self.variations_mut(ply + same) {
            variations::add(lines, &turns[same..]);
        }
        same
    }

    /// Removes the last turn of a variation and everything after it. Returns whether it was there.
    pub fn remove_variation(&mut self, ply: usize, path: &[String]) -> bool {
        self.variations_mut(ply).is_some_and(|lines| variations::remove(lines, path))
    }

    /// Moves a variation before the line it replaces. Returns whether it was there.
    pub fn promote_variation(&mut self, ply: usize, path: &[String]) -> bool {
        self.variations_mut(ply).is_some_and(|lines| variations::promote(lines, path))
    }

    /// Whether the game holds anything worth saving.
    pub fn is_worth_keeping(&self) -> bool {
        let is_from_file = self.origin.collection.is_some();
        is_from_file || !self.tail.is_empty() || !self.turns().is_empty()
    }

    /// Who plays a side.
    pub const fn player(&self, color: Color) -> Player {
        self.settings.players[color.index()]
    }

    /// Returns the side to move, to place a piece or to roll the dice.
    pub fn side_to_move(&self) -> Color {
        match self.arbiter.need() {
            Need::Die(request) => request.color,
            Need::MediatorDice | Need::Mediation(_) => Color::Black,
            _ => self.game().map_or(Color::White, Game::side_to_move),
        }
    }

    /// Returns whom the game waits for. Call [`LiveGame::settle`] first: it does what needs no
    /// decision.
    pub fn awaited(&self) -> Awaited {
        if self.termination().is_some() {
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
            // People roll the engine's dice, too, where they use their own.
            _ if self.player(side).is_engine() && !self.player(!side).is_engine() => {
                Awaited::Person(!side)
            }
            _ => Awaited::Person(side),
        }
    }

    /// Returns the number of moves, without placements.
    fn board_plies(&self) -> usize {
        self.turns().into_iter().filter(|note| !note.is_placement()).count()
    }

    /// Restores the state of a saved game. Nobody is present yet.
    pub(super) fn set_state(&mut self, offer: Option<Color>, ended: Option<Termination>) {
        (self.offer, self.ended, self.is_paused) = (offer, ended, true);
    }

    pub(super) const fn ended(&self) -> Option<Termination> {
        self.ended
    }

    pub(super) fn clocks_mut(&mut self) -> Option<&mut Clocks> {
        self.clocks.as_mut()
    }
}
