//! The decision whether the engine resigns or offers a draw.

use std::time::Duration;

use crate::engine::{EndDecision, LEVELS, MoveContext, OutcomeTracker, Strength};
use crate::game::Game;
use crate::session::{Command, OptionValues};
use crate::types::Score;

/// The option that turns resigning and draw offers on and off.
pub(super) const OPTION: &str = "Resign";

/// The settings for resigning and offering draws, and the scores of the engine's earlier moves.
pub(super) struct XboardHabits {
    is_wanted: bool,
    is_limited: bool,
    elo: u32,
    pub outcome_tracker: OutcomeTracker,
}

impl XboardHabits {
    pub fn new() -> XboardHabits {
        let OptionValues { limit_strength, elo, .. } = OptionValues::default();
        let elo = elo.try_into().unwrap_or(u32::MAX);
        XboardHabits {
            is_wanted: true,
            is_limited: limit_strength,
            elo,
            outcome_tracker: OutcomeTracker::default(),
        }
    }

    /// Sets [`OPTION`]. XBoard sends `0` or `1` as the value of a check option.
    pub fn set_wanted(&mut self, value: Option<&str>) {
        self.is_wanted = value != Some("0");
    }

    /// Records the engine's playing strength if the command sets an option that limits the strength.
    pub fn note(&mut self, command: &Command) {
        let Command::SetOption { name, value: Some(value) } = command else { return };
        match name.as_str() {
            "UCI_LimitStrength" => self.is_limited = value == "true",
            "UCI_Elo" => self.elo = value.parse().unwrap_or(self.elo),
            _ => {}
        }
    }

    /// Decides whether the engine resigns or offers a draw, given the score of the position.
    pub fn end_decision(
        &mut self,
        game: &Game,
        score: Option<Score>,
        opponent_time: Option<Duration>,
    ) -> Option<EndDecision> {
        if !self.is_wanted {
            return None;
        }
        let full = Strength::Level(*LEVELS.end());
        let strength = if self.is_limited { Strength::Elo(self.elo) } else { full };
        let context = MoveContext::new(game, score, opponent_time);
        self.outcome_tracker.end_decision(strength, &context)
    }
}
