//! Saves games with settings, clocks and all events, and restores saved games.
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    DiceSource, GameEvent, GameSettings, GameStart, LiveGame, Origin, PlayError, Player, Variation,
};
use crate::engine::{Habits, millis};
use crate::game::{Termination, TimeControl, TimeControlError};
use crate::host::Instant;
use crate::rules::{Variant, VariantError};
use crate::types::Color;

/// A saved game: settings, clocks and all events, including rolls of dice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Saved {
    variant: String,
    beginning: GameStart,
    players: [Player; 2],
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
    ended: Option<Termination>,
    /// The variations that continue after the last turn.
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
    /// The time left on White's and Black's clocks, in milliseconds.
    left_ms: [u64; 2],
}

/// The error for a text that is not a saved game.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("not a saved game of Aleator: {0}")]
    Json(serde_json::Error),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Clock(#[from] TimeControlError),
    #[error("event {number} of the game is wrong: {error}")]
    Event { number: usize, error: PlayError },
    #[error("the start of the game is wrong: {0}")]
    GameStart(#[from] super::GameStartError),
}

impl Saved {
    /// Parses the text of a saved game.
    pub fn from_json(text: &str) -> Result<Saved, SaveError> {
        serde_json::from_str(text).map_err(SaveError::Json)
    }

    /// Returns the text of the saved game.
    pub fn to_json(&self) -> String {
        // Serialisation cannot fail, because all keys are strings.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Returns the name of the game's variant.
    pub fn variant(&self) -> &str {
        &self.variant
    }
}

impl LiveGame {
    /// Returns the current state of the game as a saved game.
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
            dice,
            habits,
            events: self.events().to_vec(),
            clock,
            offer: self.offer(),
            ended: self.ended(),
            tail: self.tail().to_vec(),
            origin: self.origin().clone(),
        }
    }

    /// Restores a saved game. The clocks of the game stand still until [`LiveGame::resume`] is called.
    pub fn restore(saved: &Saved) -> Result<LiveGame, SaveError> {
        let clock = saved.clock.as_ref();
        let clock = clock.map(|clock| clock.control.parse::<TimeControl>()).transpose()?;
        let settings = GameSettings {
            variant: saved.variant.parse::<Variant>()?,
            beginning: saved.beginning.clone(),
            players: saved.players,
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
