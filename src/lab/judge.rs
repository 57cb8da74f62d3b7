use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::engine::{Answer, Control, Engine, EngineError, GameEngine, Line, Reporter, Request};
use crate::game::Game;
use crate::search::{Bound, Limits};

/// Searches single positions.
pub(super) struct Judge {
    engine: Option<GameEngine>,
    hash: usize,
    limits: Limits,
}

/// Hears the last whole line.
#[derive(Default)]
struct LastLine(Mutex<Option<Line>>);

impl Reporter for LastLine {
    fn line(&self, line: &Line) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if line.multi_pv == 1 && (line.bound == Bound::Exact || last.is_none()) {
            *last = Some(line.clone());
        }
    }

    fn wants_san(&self) -> bool {
        true
    }
}

impl Judge {
    /// Searches each position so far, with this many MiB of hash.
    pub const fn new(limits: Limits, hash: usize) -> Judge {
        Judge { engine: None, hash, limits }
    }

    /// An engine for this game that knows nothing of what was searched before.
    pub fn begin(&mut self, game: &Game) -> Result<(), EngineError> {
        match self.engine.as_mut().filter(|engine| engine.rules().variant == game.variant()) {
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
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(GameEngine::new(game.variant(), self.hash, 1)?),
        };
        let (root, turns) = game.told();
        engine.set_position(Some(root), &turns)?;
        let chess960 = game.is_chess960();
        let request = Request { limits: self.limits.clone(), chess960, ..Request::default() };
        let last = LastLine::default();
        let answer = engine.search(&request, Instant::now(), control, &last);
        Ok((last.0.into_inner().unwrap_or_else(PoisonError::into_inner), answer))
    }
}
