use serde::{Deserialize, Serialize};

use crate::engine::ELO_RANGE;

/// The levels there are, the weakest first.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=12;

/// The level of which nothing is said.
pub const USUAL_LEVEL: u8 = 5;

/// How many levels there were before two for beginners came below them.
pub(super) const FORMER_LEVELS: u8 = 10;

/// Who sits on a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    #[serde(rename = "human")]
    Person,
    Engine(Strength),
}

/// How strong the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// One of [`LEVELS`]: 200 Elo apart from the weakest on; the last one is full strength.
    Level(u8),
    /// As the option `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    /// The Elo to play with; full strength without.
    pub fn elo(self) -> Option<u32> {
        match self {
            Strength::Level(level) if level >= *LEVELS.end() => None,
            Strength::Level(level) => {
                Some(ELO_RANGE.start() + 200 * u32::from(level.max(*LEVELS.start()) - 1))
            }
            Strength::Elo(elo) => Some(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end())),
        }
    }

    /// Whether nothing holds the engine back, so that what it thinks is what it is able to find.
    pub fn is_full(self) -> bool {
        self.elo().is_none()
    }
}

impl Player {
    /// The same strength, told when there were so many levels: new ones come below.
    pub(super) fn of_so_many_levels(self, levels: u8) -> Player {
        match self {
            Player::Engine(Strength::Level(level)) => {
                let level = level.saturating_add(LEVELS.end().saturating_sub(levels));
                Player::Engine(Strength::Level(level.clamp(*LEVELS.start(), *LEVELS.end())))
            }
            other => other,
        }
    }

    /// Whether the engine plays.
    pub const fn is_engine(self) -> bool {
        matches!(self, Player::Engine(_))
    }

    /// As the tags of a PGN call it; a person is `?`.
    pub fn name(self) -> String {
        match self {
            Player::Person => "?".to_owned(),
            Player::Engine(Strength::Level(level)) => format!("Aleator (level {level})"),
            Player::Engine(Strength::Elo(elo)) => format!("Aleator ({elo})"),
        }
    }
}
