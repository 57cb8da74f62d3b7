//! The end of a game: resignations, draws by agreement, and recorded results.

use super::{DrawOffer, LiveGame, PlayError};
use crate::engine::PLIES_BEFORE_DRAWS;
use crate::game::{Game, Outcome, Termination};
use crate::host::Instant;
use crate::play::Player;
use crate::types::Color;

impl LiveGame {
    /// Returns how the game ended, or `None` if the game is not over.
    pub fn termination(&self) -> Option<Termination> {
        self.ended.or_else(|| self.game().and_then(Game::termination))
    }

    pub(super) fn check_not_over(&self) -> Result<(), PlayError> {
        self.termination().map_or(Ok(()), |end| Err(PlayError::Over(end)))
    }

    /// Resigns for `color`. If `color` is `None`, resigns for the person who plays the engine, or in other
    /// games for the side to move.
    pub fn resign(&mut self, color: Option<Color>, now: Instant) -> Result<(), PlayError> {
        self.check_not_over()?;
        let color = color.unwrap_or_else(|| self.speaker());
        self.end(Termination::Resignation(color), now);
        Ok(())
    }

    /// Offers a draw for `color`, or accepts the opponent's draw offer. If `color` is `None`, the side that
    /// has received an offer accepts; if there is no offer, the side is chosen as in [`LiveGame::resign`].
    /// The engine answers an offer at once, according to its score at its last move.
    pub fn draw(&mut self, color: Option<Color>, now: Instant) -> Result<DrawOffer, PlayError> {
        self.tick(now);
        self.check_not_over()?;
        if self.board_plies() == 0 {
            return Err(PlayError::TooEarlyToDraw);
        }
        let answers = self.offer.map(|offer| !offer);
        let color = color.or(answers).unwrap_or_else(|| self.speaker());
        if self.offer == Some(!color) {
            self.end(Termination::Agreement, now);
            return Ok(DrawOffer::Agreed);
        }
        if !self.player(!color).is_engine() {
            self.offer = Some(color);
            return Ok(DrawOffer::Made);
        }
        if !self.engine_agrees(!color) {
            return Ok(DrawOffer::Declined);
        }
        self.end(Termination::Agreement, now);
        Ok(DrawOffer::Agreed)
    }

    /// Returns whether the engine accepts a draw: the game must be long enough, and the engine's last score
    /// must not be better than equal.
    fn engine_agrees(&self, engine: Color) -> bool {
        let is_content =
            self.last_score.is_some_and(|score| score.for_white(engine).is_no_better());
        is_content && self.board_plies() >= PLIES_BEFORE_DRAWS
    }

    /// Returns the side that resigns or offers a draw if the caller names no side.
    fn speaker(&self) -> Color {
        match self.settings.players.map(Player::is_engine) {
            [false, true] => Color::White,
            [true, false] => Color::Black,
            _ => self.side_to_move(),
        }
    }

    /// Ends the game with the outcome that its record contains, unless the game is already over.
    pub fn end_as_recorded(&mut self, outcome: Outcome, now: Instant) {
        if self.termination().is_none() {
            self.end(Termination::Recorded(outcome), now);
        }
    }

    pub(super) fn end(&mut self, termination: Termination, now: Instant) {
        (self.ended, self.offer) = (Some(termination), None);
        self.run_clock(now);
    }
}
