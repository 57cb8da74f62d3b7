//! What happens in a game: turns with what is known of them, and dice.

use serde::{Deserialize, Serialize};

use super::variations::Variation;
use crate::engine::Score;
use crate::game::Turn;
use crate::start::die::Die;
use crate::start::jepps::Roll;
use crate::types::Color;

/// What happened in a game, from which it can be played again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameEvent {
    /// One die of the random part.
    Die(Die),
    /// Two dice, of a side or the mediator.
    Dice(Roll),
    /// The dice were taken up to be thrown once more.
    Again,
    /// Black let the mediator's double stand.
    Accept,
    Turn(Note),
}

/// A turn, and what is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Note {
    pub color: Color,
    /// A placement, or a move in UCI notation.
    pub uci: String,
    /// As people read it.
    pub san: String,
    /// What the clock of the side showed after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// How long the side has thought, where that is known: not of placements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// What the engine at full strength thinks of the position after it, for White.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// What the engine would have played, in SAN, where it has looked at the game afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// What it is worth: `?!`, `?` or `??` where the engine found a mistake; PGN also has `!`, `!!`
    /// and `!?`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Other numeric annotation glyphs that a file has for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The points that it has lost, where the engine has looked at the game afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<f32>,
    /// What people say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// What could have been played instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

impl Note {
    /// A turn of which nothing is known yet.
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
    /// The turn, if it was one.
    pub const fn turn(&self) -> Option<&Note> {
        match self {
            GameEvent::Turn(note) => Some(note),
            _ => None,
        }
    }
}

impl Note {
    /// Whether a piece was placed in the set-up.
    pub fn is_placement(&self) -> bool {
        self.uci.contains('@')
    }
}

/// Dice that were thrown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Throw {
    pub purpose: ThrowPurpose,
    /// For whom; the mediator speaks about Black.
    pub color: Color,
    pub dice: Vec<u8>,
    /// What they meant.
    pub sentence: String,
    /// The same in a few words.
    pub short: String,
    /// How many turns had been made.
    pub turns: usize,
    /// They were taken up to be thrown once more.
    pub is_taken_up: bool,
}

/// What dice are thrown for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ThrowPurpose {
    /// A piece of the random part.
    Root,
    /// A side's next piece.
    Placement,
    /// The mediator's verdict.
    Mediation,
}
