//! The events of a game: rolls of dice, decisions about dice, and turns with annotations.

use serde::{Deserialize, Serialize};

use super::variations::Variation;
use crate::game::Turn;
use crate::start::die::Die;
use crate::start::jepps::Roll;
use crate::types::{Color, Score};

/// An event of a game. The list of all events is enough to replay the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::large_enum_variant, reason = "most events are turns")]
pub enum GameEvent {
    /// A roll of the single die that places bishops and rooks before the players place their pieces.
    Die(Die),
    /// A roll of two dice, by a side for its next square or by the mediator.
    Dice(Roll),
    /// The decision to reroll the dice.
    Again,
    /// Black's decision after the mediator has rolled a double: accept the verdict.
    Accept,
    Turn(Note),
}

/// A turn and its annotations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Note {
    pub color: Color,
    /// A placement, or a move in UCI notation.
    pub uci: String,
    /// A placement, or a move in SAN.
    pub san: String,
    /// The time left on the side's clock after the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// The thinking time of the turn. `None` if the time is unknown, and for placements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// The score of the position after the turn, by the engine at full strength, from White's point of
    /// view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The best move in SAN according to a review, if it is not the move that was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The annotation symbol of the turn: `?!`, `?` or `??` if a review found a mistake. A turn from a PGN
    /// file can also have `!`, `!!` or `!?`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Further numeric annotation glyphs (NAGs) that the turn has in its PGN file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// The expected points that the turn lost, according to a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<f32>,
    /// White's expected points after the turn, according to a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f32>,
    /// The comment on the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Variations that replace this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
}

impl Note {
    /// Creates a note of a turn, without annotations.
    pub(super) fn new(color: Color, turn: Turn) -> Note {
        let Turn { uci, san, .. } = turn;
        let (clock_ms, spent_ms, nags, variations) = (None, None, Vec::new(), Vec::new());
        let (score, best, mark, comment) = (None, None, None, None);
        let (lost, points) = (None, None);
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
            points,
            comment,
            variations,
        }
    }
}

impl GameEvent {
    /// Returns the turn of the event, or `None` if the event is about dice.
    pub const fn turn(&self) -> Option<&Note> {
        match self {
            GameEvent::Turn(note) => Some(note),
            _ => None,
        }
    }

    /// Returns whether dice were rolled.
    pub const fn is_roll(&self) -> bool {
        matches!(self, GameEvent::Die(_) | GameEvent::Dice(_))
    }
}

impl Note {
    /// Returns whether the turn is a placement of the setup.
    pub fn is_placement(&self) -> bool {
        self.uci.contains('@')
    }
}

/// A roll of dice, with its meaning in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiceRoll {
    pub purpose: RollPurpose,
    /// The side for which the dice were rolled. The mediator rolls for Black.
    pub color: Color,
    pub dice: Vec<u8>,
    /// The meaning of the roll as a sentence.
    pub sentence: String,
    /// The meaning of the roll in a few words.
    pub short: String,
    /// The number of turns that were played before the roll.
    pub turns: usize,
    /// Whether the roll was discarded, because the player rerolled the dice.
    pub is_discarded: bool,
}

/// The purpose of a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RollPurpose {
    /// Placing a bishop or a rook before the players place their pieces.
    Root,
    /// Offering a side the pieces that it may place on its next square.
    Placement,
    /// Deciding how Black gets its back rank. The mediator makes this roll.
    Mediation,
}
