//! The clocks of a game, and the thinking time of the side to move.

use std::time::Duration;

use super::LiveGame;
use crate::game::{Game, Termination, on_stage};
use crate::host::Instant;

/// The thinking time of the side to move, which counts only while a player is present.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ThinkingTime {
    /// The thinking time before the last pause.
    before: Duration,
    /// The start of the current period of thinking. `None` during a pause, and before the first call of
    /// [`LiveGame::resume`].
    since: Option<Instant>,
}

impl ThinkingTime {
    pub(super) fn so_far(self, now: Instant) -> Option<Duration> {
        Some(self.before + now.saturating_duration_since(self.since?))
    }
}

impl LiveGame {
    /// Ends the game if a side's time has run out. Returns whether the game has just ended.
    pub fn tick(&mut self, now: Instant) -> bool {
        let fallen = self.clocks.as_ref().and_then(|clocks| clocks.fallen(now));
        let Some(loser) = fallen.filter(|_| self.termination().is_none()) else { return false };
        let can_mate = |game: &Game| {
            on_stage!(game.stage(), _ => true,
                      game => game.position().color(!loser).count() > 1)
        };
        let termination = if self.game().is_none_or(can_mate) {
            Termination::Time(loser)
        } else {
            Termination::TimeDraw(loser)
        };
        self.end(termination, now);
        true
    }

    /// Stops the clocks until [`LiveGame::resume`] is called.
    pub fn pause(&mut self, now: Instant) {
        self.is_paused = true;
        self.thinking_time.before =
            self.thinking_time.so_far(now).unwrap_or(self.thinking_time.before);
        self.thinking_time.since = None;
        self.run_clock(now);
    }

    /// Sets the thinking time to zero for the next turn.
    pub(super) fn restart_thinking_time(&mut self, now: Instant) {
        self.thinking_time =
            ThinkingTime { since: (!self.is_paused).then_some(now), ..ThinkingTime::default() };
    }

    /// Continues after a pause: starts the clock of the side to move.
    pub fn resume(&mut self, now: Instant) {
        self.is_paused = false;
        self.thinking_time.since.get_or_insert(now);
        self.run_clock(now);
    }

    /// Starts or stops the clock of the side to move. The clock runs if a first move has been made, if the
    /// game is not over, and if the game is not paused.
    pub(super) fn run_clock(&mut self, now: Instant) {
        let runs = !self.is_paused && self.board_plies() > 0 && self.termination().is_none();
        let side = self.side_to_move();
        let Some(clocks) = &mut self.clocks else { return };
        if runs {
            clocks.start(side, now);
        } else {
            clocks.stop(now);
        }
    }
}
