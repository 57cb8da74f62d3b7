//! A game in progress: settings, events, clocks and draw offers.
//!
//! | file | contents |
//! | --- | --- |
//! | `turns` | turns of people and the engine, and taking back turns |
//! | `dice` | rolls of dice and the mediator |
//! | `clock` | clocks and thinking times |
//! | `ending` | resignations, draws, and recorded results |
//! | `rematch` | rematches with the same settings |

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

/// The settings of a game, which are fixed before the first turn.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSettings {
    pub variant: Variant,
    pub beginning: GameStart,
    /// The players of White and Black.
    pub players: [Player; 2],
    pub dice: DiceSource,
    pub clock: Option<TimeControl>,
    pub habits: Habits,
}

/// The source of dice rolls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum DiceSource {
    /// The program rolls the dice.
    #[default]
    #[serde(rename = "program")]
    Program,
    /// The players roll their own dice and enter the numbers.
    #[serde(rename = "own")]
    Own,
}

/// The player for whom the game waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// Nobody, because the game is over.
    Nobody,
    /// A person, who makes a turn for this side, rolls the dice, or enters the numbers of the dice.
    Person(Color),
    /// The engine, which makes a decision or a turn for this side.
    Engine(Color),
}

/// The result of a draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawOffer {
    /// The draw is agreed, and the game is over.
    Agreed,
    /// The offer is made, and stands until the other side has moved.
    Made,
    /// The engine has declined the offer.
    Declined,
}

/// The error for an action that is not possible. The game remains unchanged.
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
    #[error("Black has to decide first whether to accept the verdict or to reroll: {0}")]
    VerdictFirst(Mediation),
    #[error("no dice are needed now")]
    NoDice,
    #[error("{wanted} needed, but {found} were given: {request}")]
    DiceCount { wanted: &'static str, found: usize, request: String },
    #[error("you have no turn to take back yet")]
    NothingToTakeBack,
    #[error("a draw can be offered only after the first move")]
    TooEarlyToDraw,
    #[error("it is {color}'s turn, and the engine plays {color}")]
    EnginesTurn { color: Color },
    #[error("the engine found no move")]
    NoReply,
}

/// A game in progress: settings, events, clocks and draw offers.
#[derive(Clone, Debug)]
pub struct LiveGame {
    settings: GameSettings,
    arbiter: Arbiter,
    events: Vec<GameEvent>,
    clocks: Option<Clocks>,
    /// Whether the game is paused: while no player is present, no clock runs.
    is_paused: bool,
    thinking_time: ThinkingTime,
    offer: Option<Color>,
    /// How the game ended, if it did not end by the rules of chess, but by resignation, by agreement, on
    /// time, or with a recorded result.
    ended: Option<Termination>,
    rolls: Vec<DiceRoll>,
    /// The variations that continue after the last turn.
    tail: Vec<Variation>,
    origin: Origin,
    /// The engine's score at its last move, from White's point of view. By this score, the engine decides
    /// whether to accept a draw.
    last_score: Option<Score>,
    /// For White and Black: the scores by which the engine decides to resign or to offer a draw.
    outcome_trackers: [OutcomeTracker; 2],
}

/// The origin of a game from a PGN file, and the names of the players.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The tags of the PGN file. For a game that does not come from a file, only the players' names.
    #[serde(skip_serializing_if = "Tags::is_empty")]
    pub tags: Tags,
    /// The comment before the first turn in the PGN file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreword: Option<String>,
    /// The name of the PGN file, if the file contains several games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// The number of the game in a PGN file with several games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Whether the game was read from PGN.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_read: bool,
    /// Whether the game is a position to analyse, without players.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_analysis: bool,
}

impl GameSettings {
    /// Creates settings without clocks and without habits. The program rolls the dice.
    pub fn new(variant: Variant, beginning: GameStart, players: [Player; 2]) -> GameSettings {
        let (dice, clock, habits) = (DiceSource::default(), None, Habits::default());
        GameSettings { variant, beginning, players, dice, clock, habits }
    }
}

impl LiveGame {
    /// Creates a game before its first turn.
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

    /// Returns the settings of the game.
    pub const fn settings(&self) -> &GameSettings {
        &self.settings
    }

    /// Returns the arbiter of the game.
    pub const fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// Returns the game without players and clocks. Returns `None` until dice have placed the bishops and
    /// rooks with which a setup begins.
    pub const fn game(&self) -> Option<&Game> {
        self.arbiter.game()
    }

    /// Returns all events of the game.
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// Returns all turns of the game.
    pub fn turns(&self) -> Vec<&Note> {
        self.events.iter().filter_map(GameEvent::turn).collect()
    }

    /// Returns the note of the turn with this index, counted from 0.
    pub fn note_mut(&mut self, turn: usize) -> Option<&mut Note> {
        let mut notes = self.events.iter_mut().filter_map(|event| match event {
            GameEvent::Turn(note) => Some(note),
            _ => None,
        });
        notes.nth(turn)
    }

    /// Returns the name of the variant. Chess960 with different back ranks is double Fischer random.
    pub fn game_name(&self) -> &'static str {
        let variant = self.settings().variant;
        let is_double = variant == Variant::Chess960
            && self.start().is_some_and(|start| start.black_back_rank() != BlackBackRank::Mirror);
        if is_double { DOUBLE_FISCHER_RANDOM } else { variant.name() }
    }

    /// Returns the shuffled starting position of the game, or `None` in chess and in variants with a setup.
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

    /// Returns the clocks, or `None` if the game has no clocks.
    pub const fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Returns the side whose draw offer is open, if there is an open offer.
    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// Returns all rolls of dice.
    pub fn rolls(&self) -> &[DiceRoll] {
        &self.rolls
    }

    /// Returns the variations that continue after the last turn.
    pub fn tail(&self) -> &[Variation] {
        &self.tail
    }

    pub(super) fn set_tail(&mut self, tail: Vec<Variation>) {
        self.tail = tail;
    }

    /// Returns the origin of the game.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the origin of the game, to be changed.
    pub const fn origin_mut(&mut self) -> &mut Origin {
        &mut self.origin
    }

    /// Whether the game has no players: it was read from PGN, or is a position to analyse.
    pub const fn is_analysis(&self) -> bool {
        self.origin.is_read || self.origin.is_analysis
    }

    /// Ends a game of the engine against itself: the game becomes an analysis without players and clocks, and
    /// keeps their names and the time control as tags.
    pub fn stop_watching(&mut self) {
        for color in Color::ALL {
            let name = self.player(color).name();
            self.set_name(color, &name);
        }
        if let Some(control) = self.settings.clock.take() {
            self.origin.tags.set("TimeControl", control.to_string());
        }
        (self.settings.players, self.clocks) = ([Player::Person; 2], None);
        self.origin.is_analysis = true;
    }

    /// Rewrites the comment on the last move after `ply` turns and `path`, a path of variations. Without any
    /// move, rewrites the comment before the game. Returns whether there is such a move.
    pub fn rewrite_comment(
        &mut self,
        ply: usize,
        path: &[String],
        rewrite: impl FnOnce(&str) -> Option<String>,
    ) -> bool {
        let comment = match (ply, path) {
            (0, []) => Some(&mut self.origin.foreword),
            (_, []) => self.note_mut(ply - 1).map(|note| &mut note.comment),
            _ => self.variations_mut(ply).and_then(|lines| variations::find(lines, path)).map(
                |turn| {
                    // A turn that a person comments on is the person's, even if the engine added the turn.
                    turn.by_engine = false;
                    &mut turn.comment
                },
            ),
        };
        let Some(comment) = comment else { return false };
        *comment = rewrite(comment.as_deref().unwrap_or_default());
        true
    }

    /// Returns the name of the person who plays a side, if the name is known.
    pub fn name(&self, color: Color) -> Option<&str> {
        let name = self.origin.tags.get(&color.to_string())?;
        let is_known = !name.is_empty() && name != "?" && !self.player(color).is_engine();
        is_known.then_some(name)
    }

    /// Sets the name of the person who plays a side.
    pub fn set_name(&mut self, color: Color, name: &str) {
        self.origin.tags.set(&color.to_string(), name);
    }

    /// Returns the variations that replace the turn with this index, counted from 0. If `turn` is the number
    /// of turns, returns the variations that continue after the last turn.
    fn variations_mut(&mut self, turn: usize) -> Option<&mut Vec<Variation>> {
        if turn == self.turns().len() {
            return Some(&mut self.tail);
        }
        self.note_mut(turn).map(|note| &mut note.variations)
    }

    /// Adds a variation after the first `ply` turns of the game. If the variation begins with turns that
    /// were also played in the game, these turns are left out. Returns the number of turns left out.
    /// `by_engine` says whether the engine adds the variation.
    pub fn add_variation(&mut self, ply: usize, turns: &[Turn], by_engine: bool) -> usize {
        let played = self.turns().into_iter().skip(ply).zip(turns);
        let same = played.take_while(|(note, turn)| note.uci == turn.uci).count();
        if let Some(lines) = self.variations_mut(ply + same) {
            variations::add(lines, &turns[same..], by_engine);
        }
        same
    }

    /// Removes the variations that the engine added, except where they contain variations of a person.
    pub fn remove_engine_lines(&mut self) {
        (0..=self.turns().len())
            .filter_map(|ply| self.variations_mut(ply).map(variations::remove_engine_lines))
            .for_each(drop);
    }

    /// Removes the last turn of a path and all turns that follow, in the variations after `ply` turns.
    /// Returns whether the path existed.
    pub fn remove_variation(&mut self, ply: usize, path: &[String]) -> bool {
        self.variations_mut(ply).is_some_and(|lines| variations::remove(lines, path))
    }

    /// Promotes the variation in which a path ends, in the variations after `ply` turns. Returns whether the
    /// path existed.
    pub fn promote_variation(&mut self, ply: usize, path: &[String]) -> bool {
        self.variations_mut(ply).is_some_and(|lines| variations::promote(lines, path))
    }

    /// Returns whether the game is worth saving: it has turns or variations, or is part of a collection.
    pub fn is_worth_keeping(&self) -> bool {
        let is_from_file = self.origin.collection.is_some();
        is_from_file || !self.tail.is_empty() || !self.turns().is_empty()
    }

    /// Returns the player of a side.
    pub const fn player(&self, color: Color) -> Player {
        self.settings.players[color.index()]
    }

    /// Returns the side that has to move, to place a piece, or to roll the dice.
    pub fn side_to_move(&self) -> Color {
        match self.arbiter.need() {
            Need::Die(request) => request.color,
            Need::MediatorDice | Need::Mediation(_) => Color::Black,
            _ => self.game().map_or(Color::White, Game::side_to_move),
        }
    }

    /// Returns the player for whom the game waits. Callers should first call [`LiveGame::settle`], which
    /// takes all steps that need no decision.
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
            // A person also rolls the dice for the engine, if `settle` does not.
            _ if self.player(side).is_engine() && !self.player(!side).is_engine() => {
                Awaited::Person(!side)
            }
            _ => Awaited::Person(side),
        }
    }

    /// Returns the number of moves on the board; placements do not count.
    fn board_plies(&self) -> usize {
        self.turns().into_iter().filter(|note| !note.is_placement()).count()
    }

    /// Restores the draw offer and the end of a saved game, and pauses the game.
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
