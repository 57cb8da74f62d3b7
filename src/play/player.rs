//! The players of a game: people, and the engine at any strength.
use serde::{Deserialize, Serialize};

use crate::engine::Strength;

/// The player of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    #[serde(rename = "human")]
    Person,
    Engine(Strength),
}

impl Player {
    /// Returns whether the player is the engine.
    pub const fn is_engine(self) -> bool {
        matches!(self, Player::Engine(_))
    }

    /// Returns the player's name for PGN tags, which is `?` for a person.
    pub fn name(self) -> String {
        match self {
            Player::Person => "?".to_owned(),
            Player::Engine(Strength::Level(level)) => format!("Aleator (level {level})"),
            Player::Engine(Strength::Elo(elo)) => format!("Aleator ({elo})"),
        }
    }
}
