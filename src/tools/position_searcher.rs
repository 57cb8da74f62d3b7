//! Searches single positions for other tools.

use std::time::Instant;

use crate::engine::{
    Control, Engine, EngineError, GameEngine, SearchListener, SearchRequest, SearchResult,
};
use crate::game::Game;
use crate::search::Limits;

/// Searches single positions, one after the other.
pub(super) struct PositionSearcher {
    engine: Option<GameEngine>,
    hash: usize,
    threads: usize,
    pub request: SearchRequest,
}

impl PositionSearcher {
    /// Creates a searcher whose searches have these limits, `hash` MiB of transposition table and this number
    /// of threads.
    pub fn new(limits: Limits, hash: usize, threads: usize) -> PositionSearcher {
        PositionSearcher { engine: None, hash, threads, request: SearchRequest::new(limits) }
    }

    /// Prepares the engine for this game, so that the next search does not depend on earlier searches.
    pub fn begin(&mut self, game: &Game) -> Result<(), EngineError> {
        self.engine(game).map(Engine::new_game)
    }

    /// Searches the current position of the game.
    pub fn search(
        &mut self,
        game: &Game,
        control: &Control,
        listener: &dyn SearchListener,
    ) -> Result<SearchResult, EngineError> {
        let chess960 = game.is_chess960();
        let request = SearchRequest { chess960, ..self.request.clone() };
        Ok(self.engine(game)?.search(&request, Instant::now(), control, listener))
    }

    /// Returns the engine, set to the current position of the game.
    fn engine(&mut self, game: &Game) -> Result<&mut GameEngine, EngineError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => GameEngine::new(game.variant(), self.hash, self.threads)?,
        };
        engine.set_game(game.clone())?;
        Ok(self.engine.insert(engine))
    }
}
