use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::conclusion::PlayCause;
use super::player::FORMER_LEVELS;
use super::{
    DiceSource, GameEvent, GameSettings, GameStart, Habits, LEVELS, LiveGame, Origin, PlayError,
    Player, Variation,
};
use crate::engine::millis;
use crate::game::{TimeControl, TimeControlError};
use crate::host::Instant;
use crate::rules::{Variant, VariantError};
use crate::types::Color;

/// A game as a file has it: what was agreed and everything that happened, dice and clocks too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved {
    variant: String,
    beginning: GameStart,
    players: [Player; 2],
    /// How many levels there were.
    #[serde(default = "former_levels")]
    levels: u8,
    #[serde(default)]
    dice: DiceSource,
    #[serde(default, skip_serializing_if = "is_default")]
    habits: Habits,
    events: Vec<GameEvent>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<SavedClock>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offer: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<PlayCause>,
    /// Variations behind the last turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tail: Vec<Variation>,
    #[serde(default, skip_serializing_if = "is_default")]
    origin: Origin,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedClock {
    control: String,
    /// White's and Black's.
    left_ms: [u64; 2],
}

/// Of files that do not say it.
const fn former_levels() -> u8 {
    FORMER_LEVELS
}

/// Why a file is no game that was saved.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SaveError {
    #[error("no saved game of Aleator: {0}")]
    Json(String),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Clock(#[from] TimeControlError),
    #[error("event {number} of the game: {error}")]
    Event { number: usize, error: PlayError },
    #[error("the beginning of the game: {0}")]
    GameStart(#[from] super::GameStartError),
}

impl Saved {
    /// Reads the text of a file.
    pub fn from_json(text: &str) -> Result<Saved, SaveError> {
        serde_json::from_str(text).map_err(|error| SaveError::Json(error.to_string()))
    }

    /// The text of a file.
    pub fn to_json(&self) -> String {
        // Plain data, with names for keys: nothing that JSON does not have.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The game's name, for lists.
    pub fn variant(&self) -> &str {
        &self.variant
    }
}

impl LiveGame {
    /// The game as it is now.
    pub fn saved(&self, now: Instant) -> Saved {
        let GameSettings { variant, beginning, players, dice, habits, .. } =
            self.settings().clone();
        let clock = self.clocks().map(|clocks| SavedClock {
            control: clocks.control().to_string(),
            left_ms: Color::ALL.map(|color| millis(clocks.left(color, now))),
        });
        Saved {
            variant: variant.name().to_owned(),
            beginning,
            players,
            levels: *LEVELS.end(),
            dice,
            habits,
            events: self.events().to_vec(),
            clock,
            offer: self.offer(),
            ended: self.cause(),
            tail: self.tail().to_vec(),
            origin: self.origin().clone(),
        }
    }

    /// The game that was saved, played again; its clocks stand until [`LiveGame::resume`].
    pub fn restore(saved: &Saved) -> Result<LiveGame, SaveError> {
        let clock = saved.clock.as_ref();
        let clock = clock.map(|clock| clock.control.parse::<TimeControl>()).transpose()?;
        let settings = GameSettings {
            variant: saved.variant.parse::<Variant>()?,
            beginning: saved.beginning.clone(),
            players: saved.players.map(|player| player.of_so_many_levels(saved.levels)),
            dice: saved.dice,
            clock,
            habits: saved.habits,
        };
        let mut live = LiveGame::new(settings)?;
        for (number, event) in (1..).zip(&saved.events) {
            live.repeat(event).map_err(|error| SaveError::Event { number, error })?;
        }
        if let (Some(clocks), Some(clock)) = (live.clocks_mut(), &saved.clock) {
            clocks.set(clock.left_ms.map(Duration::from_millis));
        }
        live.set_state(saved.offer, saved.ended);
        live.set_tail(saved.tail.clone());
        *live.origin_mut() = saved.origin.clone();
        Ok(live)
    }
}
