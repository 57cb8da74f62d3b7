//! Searches single positions for other tools.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::engine::{Answer, Control, Engine, EngineError, GameEngine, LastLines, Line, Request};
use crate::game::Game;
use crate::search::Limits;

/// Searches single positions.
pub(super) struct PositionSearcher {
    engine: Option<GameEngine>,
    hash: usize,
    limits: Limits,
}

impl PositionSearcher {
    /// Creates a searcher with these limits and this hash size in MiB.
    pub const fn new(limits: Limits, hash: usize) -> PositionSearcher {
        PositionSearcher { engine: None, hash, limits }
    }

    /// Prepares an engine for this game, without any memory of earlier searches.
    pub fn begin(&mut self, game: &Game) -> Result<(), EngineError> {
        match self.engine.as_mut().filter(|engine| engine.game().variant() == game.variant()) {
            Some(engine) => engine.new_game(),
            None => self.engine = Some(GameEngine::new(game.variant(), self.hash, 1)?),
        }
        Ok(())
    }

    /// Searches the current position of the game. Returns the last complete line, and the answer.
    pub fn search(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<(Option<Line>, Answer), EngineError> {
        let (lines, answer) = self.lines(game, control)?;
        Ok((lines.into_iter().next(), answer))
    }

    /// Likewise, but returns as many lines as the limits ask for, the best one first.
    pub fn lines(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<(Vec<Line>, Answer), EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(GameEngine::new(game.variant(), self.hash, 1)?),
        };
        engine.set_game(game.clone())?;
        let chess960 = game.is_chess960();
        let request = Request { limits: self.limits.clone(), chess960, ..Request::default() };
        let lines = Mutex::new(LastLines::default());
        let answer = engine.search(&request, Instant::now(), control, &lines);
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((lines.whole(), answer))
    }
}
