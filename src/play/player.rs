//! The players of a game: people, and the engine at its strengths.
use serde::{Deserialize, Serialize};

use crate::engine::ELO_RANGE;

/// The levels, weakest first.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=12;

/// The default level.
pub const USUAL_LEVEL: u8 = 5;

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    #[serde(rename = "human")]
    Person,
    Engine(Strength),
}

/// The engine's strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// One of [`LEVELS`]: 200 Elo apart, with full strength as the last one.
    Level(u8),
    /// An Elo as in the option `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    /// Returns the Elo to play at; `None` is full strength.
    pub fn elo(self) -> Option<u32> {
        match self {
            Strength::Level(level) if level >= *LEVELS.end() => None,
            Strength::Level(level) => {
                Some(ELO_RANGE.start() + 200 * u32::from(level.max(*LEVELS.start()) - 1))
            }
            Strength::Elo(elo) => Some(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end())),
        }
    }

    /// Whether the strength is unlimited, so that the engine's scores are real evaluations.
    pub fn is_full(self) -> bool {
        self.elo().is_none()
    }
}

impl Player {
    /// Whether the engine plays.
    pub const fn is_engine(self) -> bool {
        matches!(self, Player::Engine(_))
    }

    /// Returns the name for PGN tags; `?` for a person.
    pub fn name(self) -> String {
        match self {
            Player::Person => "?".to_owned(),
            Player::Engine(Strength::Level(level)) => format!("Aleator (level {level})"),
            Player::Engine(Strength::Elo(elo)) => format!("Aleator ({elo})"),
        }
    }
}
