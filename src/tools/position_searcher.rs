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
    /// Searches each position so far, with this many MiB of hash.
    pub const fn new(limits: Limits, hash: usize) -> PositionSearcher {
        PositionSearcher { engine: None, hash, limits }
    }

    /// An engine for this game that knows nothing of what was searched before.
    pub fn begin(&mut self, game: &Game) -> Result<(), EngineError> {
        match self.engine.as_mut().filter(|engine| engine.game().variant() == game.variant()) {
            Some(engine) => engine.new_game(),
            None => self.engine = Some(GameEngine::new(game.variant(), self.hash, 1)?),
        }
        Ok(())
    }

    /// Searches the position of the game that was begun: the last whole line, and the answer.
    pub fn search(
        &mut self,
        game: &Game,
        control: &Control,
    ) -> Result<(Option<Line>, Answer), EngineError> {
        let (lines, answer) = self.lines(game, control)?;
        Ok((lines.into_iter().next(), answer))
    }

    /// The same with as many lines as the limits ask for, the best one first.
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
