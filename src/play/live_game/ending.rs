//! How a game ends: it is given up, agreed to be drawn, or was ended elsewhere.

use super::{DrawOffer, LiveGame, PlayError};
use crate::game::GameResult;
use crate::host::Instant;
use crate::play::{Conclusion, PlayCause, Player};
use crate::types::Color;

/// The engine agrees to no draw before this many moves of both sides.
pub const PLIES_BEFORE_DRAWS: usize = 20;

impl LiveGame {
    /// How the game has ended, if it has.
    pub fn conclusion(&self) -> Option<Conclusion> {
        let by_rules = || {
            let game = self.game()?;
            Some(Conclusion::by_rules(game.outcome()?, game.side_to_move()))
        };
        self.cause.map(Conclusion::by_play).or_else(by_rules)
    }

    pub(super) fn check_not_over(&self) -> Result<(), PlayError> {
        self.conclusion().map_or(Ok(()), |end| Err(PlayError::Over(end.to_string())))
    }

    /// A side gives up: the one that is named, or the only person's, or the one to move.
    pub fn resign(&mut self, color: Option<Color>, now: Instant) -> Result<(), PlayError> {
        self.check_not_over()?;
        let color = color.unwrap_or_else(|| self.speaker());
        self.conclude(PlayCause::Resigned(color), now);
        Ok(())
    }

    /// A side offers a draw, or accepts that of the other; see [`LiveGame::resign`] for which. The
    /// engine answers at once, by what it thought of the position when it last moved.
    pub fn draw(&mut self, color: Option<Color>, now: Instant) -> Result<DrawOffer, PlayError> {
        self.tick(now);
        self.check_not_over()?;
        if self.board_plies() == 0 {
            return Err(PlayError::TooEarlyToDraw);
        }
        let answers = self.offer.map(|offer| !offer);
        let color = color.or(answers).unwrap_or_else(|| self.speaker());
        if self.offer == Some(!color) {
            self.conclude(PlayCause::Agreement, now);
            return Ok(DrawOffer::Agreed);
        }
        if !self.player(!color).is_engine() {
            self.offer = Some(color);
            return Ok(DrawOffer::Made);
        }
        if !self.engine_agrees(!color) {
            return Ok(DrawOffer::Declined);
        }
        self.conclude(PlayCause::Agreement, now);
        Ok(DrawOffer::Agreed)
    }

    /// Whether the engine is content with a draw: it stands no better.
    fn engine_agrees(&self, engine: Color) -> bool {
        let is_content = self.opinion.is_some_and(|score| score.for_white(engine).is_no_better());
        is_content && self.board_plies() >= PLIES_BEFORE_DRAWS
    }

    /// The side that resigns or offers a draw where none is named.
    fn speaker(&self) -> Color {
        match self.settings.players.map(Player::is_engine) {
            [false, true] => Color::White,
            [true, false] => Color::Black,
            _ => self.side_to_move(),
        }
    }

    /// Ends the game with the result that a record of it has, unless the rules have ended it.
    pub fn end_as_recorded(&mut self, result: GameResult, now: Instant) {
        if self.conclusion().is_none() {
            self.conclude(PlayCause::Recorded(result), now);
        }
    }

    pub(super) fn conclude(&mut self, cause: PlayCause, now: Instant) {
        (self.cause, self.offer) = (Some(cause), None);
        self.run_clock(now);
    }
}
