//! Searches single positions for other tools.

use std::time::Instant;

use crate::engine::{Control, Engine, EngineError, GameEngine, SearchRequest, SearchResult};
use crate::game::Game;
use crate::search::Limits;

/// Searches single positions, one after the other.
pub(super) struct PositionSearcher {
    engine: Option<GameEngine>,
    hash: usize,
    limits: Limits,
}

impl PositionSearcher {
    /// Creates a searcher whose searches have these limits and `hash` MiB of transposition table.
    pub const fn new(limits: Limits, hash: usize) -> PositionSearcher {
        PositionSearcher { engine: None, hash, limits }
    }

    /// Prepares the engine for this game, so that the next search does not depend on earlier searches.
    pub fn begin(&mut self, game: &Game) -> Result<(), EngineError> {
        match self.engine.as_mut().filter(|engine| engine.game().variant() == game.variant()) {
            Some(engine) => engine.new_game(),
            None => self.engine = Some(GameEngine::new(game.variant(), self.hash, 1)?),
        }
        Ok(())
    }

    /// Searches the current position of the game.
    pub fn search(&mut self, game: &Game, control: &Control) -> Result<SearchResult, EngineError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(GameEngine::new(game.variant(), self.hash, 1)?),
        };
        engine.set_game(game.clone())?;
        let chess960 = game.is_chess960();
        let request = SearchRequest { chess960, ..SearchRequest::new(self.limits.clone()) };
        Ok(engine.search(&request, Instant::now(), control, &()))
    }
}
