//! The events of a game: dice, and turns with their annotations.

use serde::{Deserialize, Serialize};

use super::variations::Variation;
use crate::game::Turn;
use crate::start::die::Die;
use crate::start::jepps::Roll;
use crate::types::{Color, Score};

/// An event of a game. A game's events are enough to replay it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::large_enum_variant, reason = "most events are turns")]
pub enum GameEvent {
    /// One die of the random part.
    Die(Die),
    /// Two dice, of a side or the mediator.
    Dice(Roll),
    /// A reroll.
    Again,
    /// Black accepted the verdict of the mediator's double.
    Accept,
    Turn(Note),
}

/// A turn and its annotations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Note {
    pub color: Color,
    /// A placement, or a move in UCI notation.
    pub uci: String,
    /// The same in SAN.
    pub san: String,
    /// What the side's clock showed after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// How long the side thought, if known; never for placements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// The score of the position after it, from White's side, by the engine at full strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The engine's choice, in SAN, if a review preferred another move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// Its annotation: `?!`, `?` or `??` where the engine found a mistake; PGN also has `!`, `!!`
    /// and `!?`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Other numeric annotation glyphs of the move in its file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The expected points that it lost, according to a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<f32>,
    /// A comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Variations that replace this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

impl Note {
    /// A turn without annotations.
    pub(super) fn new(color: Color, turn: Turn) -> Note {
        let Turn { uci, san, .. } = turn;
        let (clock_ms, spent_ms, nags, variations) = (None, None, Vec::new(), Vec::new());
        let (score, best, mark, lost, comment) = (None, None, None, None, None);
        Note {
            color,
            uci,
            san,
            clock_ms,
            spent_ms,
            score,
            best,
            mark,
            nags,
            lost,
            comment,
            variations,
        }
    }
}

impl GameEvent {
    /// Returns the turn, if it is one.
    pub const fn turn(&self) -> Option<&Note> {
        match self {
            GameEvent::Turn(note) => Some(note),
            _ => None,
        }
    }
}

impl Note {
    /// Whether it places a piece in the setup.
    pub fn is_placement(&self) -> bool {
        self.uci.contains('@')
    }
}

/// A roll of dice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiceRoll {
    pub purpose: RollPurpose,
    /// The side it is for; the mediator's is Black's.
    pub color: Color,
    pub dice: Vec<u8>,
    /// What it meant.
    pub sentence: String,
    /// The same in a few words.
    pub short: String,
    /// How many turns had been made.
    pub turns: usize,
    /// Whether the dice were rerolled.
    pub is_taken_up: bool,
}

/// What dice are rolled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RollPurpose {
    /// A piece of the random part.
    Root,
    /// A side's next piece.
    Placement,
    /// The mediator's verdict.
    Mediation,
}
