//! Rematches: games with the settings of an earlier game.

use super::LiveGame;
use crate::play::{GameStart, GameStartError};
use crate::rules::Variant;
use crate::start::{Numbering, Rng};
use crate::types::Color;

impl LiveGame {
    /// Creates a game with the settings of this game. `swap` exchanges the colours of the players.
    /// `same_start` keeps the starting position or setup; otherwise a new random one of the same kind is
    /// chosen.
    pub fn rematch(
        &self,
        swap: bool,
        same_start: bool,
        rng: &mut Rng,
    ) -> Result<LiveGame, GameStartError> {
        let mut settings = self.settings.clone();
        if swap {
            settings.players.reverse();
        }
        if !same_start {
            settings.beginning = self.another_beginning(rng);
        }
        let mut next = LiveGame::new(settings)?;
        for color in Color::ALL {
            if let Some(name) = self.name(color) {
                next.set_name(if swap { !color } else { color }, name);
            }
        }
        Ok(next)
    }

    fn another_beginning(&self, rng: &mut Rng) -> GameStart {
        let (variant, beginning) = (self.settings.variant, &self.settings.beginning);
        let GameStart::Fen(fen) = beginning else { return beginning.clone() };
        let is_setup = self.game().is_some_and(|game| game.record().is_some());
        let board = fen.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        let mut ranks = board.split('/');
        let is_mirrored = ranks.next() == ranks.next_back();
        if is_setup
            || variant.rules().setup.is_none() && (is_mirrored || variant != Variant::Chess960)
        {
            return GameStart::usual(Numbering::of(variant), rng);
        }
        GameStart::Fen(Numbering::independent(variant).random(rng).fen())
    }
}
