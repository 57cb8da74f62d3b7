//! Whether the engine resigns or offers a draw at XBoard's table.

use std::time::Duration;

use crate::engine::Score;
use crate::game::Game;
use crate::play::{EndDecision, LEVELS, MoveContext, OutcomeTracker, Strength};
use crate::session::{Command, OptionValues};

/// The option that turns it off.
pub(super) const OPTION: &str = "Resign";

/// What is wanted, and what the engine remembers of its moves.
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

    /// Sets [`OPTION`] as XBoard writes a check.
    pub fn set_wanted(&mut self, value: Option<&str>) {
        self.is_wanted = value != Some("0");
    }

    /// Notes how strong the engine plays, if an option of the session says it.
    pub fn note(&mut self, command: &Command) {
        let Command::SetOption { name, value: Some(value) } = command else { return };
        match name.as_str() {
            "UCI_LimitStrength" => self.is_limited = value == "true",
            "UCI_Elo" => self.elo = value.parse().unwrap_or(self.elo),
            _ => {}
        }
    }

    /// What the engine wants that has thought so of the position.
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
