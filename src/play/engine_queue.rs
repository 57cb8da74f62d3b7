//! The engine of live games: it answers search requests in order.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::engine::{
    Control, Engine, EngineError, GameEngine, Runner, SearchInfo, SearchRequest, SearchResult,
};
use crate::game::Game;
use crate::host::Instant;
use crate::random::{Rng, fresh_seed};
use crate::rules::Variant;

/// A message from the engine about a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineEvent {
    Line(SearchInfo),
    /// The last message, unless it is [`EngineEvent::Failed`].
    Done(SearchResult),
    Failed(String),
}

/// Why a search has no result.
#[derive(Debug, thiserror::Error)]
pub enum EngineQueueError {
    #[error("the engine has no answer: {0}")]
    Failed(String),
    #[error("the engine has ended")]
    Ended,
}

/// An engine that searches positions of games in order, on a thread of its own where there are threads.
pub struct EngineQueue {
    runner: Runner,
    player: Arc<Mutex<EnginePlayer>>,
    /// The flags of the searches that have not ended.
    unfinished: Arc<Mutex<VecDeque<Arc<Control>>>>,
}

/// The engine, and what it keeps from one search to the next.
struct EnginePlayer {
    /// In MiB.
    hash: usize,
    /// `None` after a panic and before the first search.
    engine: Option<GameEngine>,
    /// Determines which errors limited play makes in this game.
    seed: u64,
    /// The strength of the last search. When it changes, what the engine has learned is cleared.
    elo: Option<u32>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl EngineQueue {
    /// Starts an engine with a transposition table of `hash` MiB on a new thread.
    pub fn start(hash: usize) -> io::Result<EngineQueue> {
        let engine = GameEngine::new(Variant::Chess, hash, 1).map_err(io::Error::other)?;
        Ok(EngineQueue::new(Runner::thread("engine")?, hash, Some(engine)))
    }

    /// Creates an engine that searches on the calling thread, inside [`EngineQueue::ask`].
    pub fn in_place(hash: usize) -> EngineQueue {
        EngineQueue::new(Runner::in_place(), hash, None)
    }

    fn new(runner: Runner, hash: usize, engine: Option<GameEngine>) -> EngineQueue {
        let player = EnginePlayer { hash, engine, seed: fresh_seed(), elo: None };
        EngineQueue { runner, player: Arc::new(Mutex::new(player)), unfinished: Arc::default() }
    }

    /// Queues a search. `listener` gets the lines and exactly one final event, on the engine's threads,
    /// which it must not block.
    pub fn ask(
        &self,
        game: Game,
        request: SearchRequest,
        listener: impl FnMut(EngineEvent) + Send + 'static,
    ) {
        let control = Arc::new(Control::default());
        lock(&self.unfinished).push_back(control.clone());
        let (player, unfinished) = (self.player.clone(), self.unfinished.clone());
        let listener = Arc::new(Mutex::new(listener));
        let tell = listener.clone();
        let is_queued = self.runner.queue(Box::new(move || {
            let mut player = lock(&player);
            let on_line = |line: &SearchInfo| lock(&tell)(EngineEvent::Line(line.clone()));
            let search = || player.search(game, request, &control, &on_line);
            let event = match catch_unwind(AssertUnwindSafe(search)) {
                Ok(Ok(result)) => EngineEvent::Done(result),
                Ok(Err(error)) => EngineEvent::Failed(error.to_string()),
                Err(_) => {
                    player.engine = None;
                    EngineEvent::Failed("internal error".to_owned())
                }
            };
            lock(&unfinished).pop_front();
            lock(&tell)(event);
        }));
        if !is_queued {
            lock(&listener)(EngineEvent::Failed(EngineQueueError::Ended.to_string()));
        }
        self.run_in_place();
    }

    /// Searches and waits for the result, calling `line` with each line.
    pub fn search(
        &self,
        game: Game,
        request: SearchRequest,
        mut line: impl FnMut(&SearchInfo) + Send + 'static,
    ) -> Result<SearchResult, EngineQueueError> {
        let (sender, result) = channel();
        self.ask(game, request, move |event| {
            let last = match event {
                EngineEvent::Line(found) => return line(&found),
                EngineEvent::Done(result) => Ok(result),
                EngineEvent::Failed(error) => Err(EngineQueueError::Failed(error)),
            };
            let _ = sender.send(last);
        });
        result.recv().map_err(|_| EngineQueueError::Ended)?
    }

    /// Stops the current search and all queued ones.
    pub fn stop(&self) {
        lock(&self.unfinished).iter().for_each(|control| control.stop.store(true, Relaxed));
    }

    /// Clears what the engine learned from the game, before a search of another game.
    pub fn new_game(&self) {
        let player = self.player.clone();
        self.runner.queue(Box::new(move || lock(&player).new_game()));
        self.run_in_place();
    }

    fn run_in_place(&self) {
        while let Some(job) = self.runner.take() {
            job();
        }
    }
}

impl Drop for EngineQueue {
    fn drop(&mut self) {
        self.stop();
    }
}

impl EnginePlayer {
    fn new_game(&mut self) {
        self.seed = Rng::new(self.seed).next_u64();
        self.engine.iter_mut().for_each(GameEngine::new_game);
    }

    fn search(
        &mut self,
        game: Game,
        mut request: SearchRequest,
        control: &Control,
        listener: &(dyn Fn(&SearchInfo) + Sync),
    ) -> Result<SearchResult, EngineError> {
        request.seed = self.seed;
        let is_new_strength = std::mem::replace(&mut self.elo, request.elo) != request.elo;
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(GameEngine::new(game.variant(), self.hash, 1)?),
        };
        if is_new_strength {
            engine.new_game();
        }
        engine.set_game(game)?;
        let mut result = engine.search(&request, Instant::now(), control, &listener);
        // A search that was stopped before it began may have no move.
        result.best = result.best.or_else(|| engine.any_move(request.chess960));
        Ok(result)
    }
}

/// A game as text, for an engine elsewhere, such as in another worker of the page.
pub(super) mod game_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::engine::replay;
    use crate::game::Game;
    use crate::rules::Variant;

    #[derive(Serialize, Deserialize)]
    struct GameText {
        variant: Variant,
        fen: String,
        turns: Vec<String>,
    }

    pub fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
        let (fen, turns) = game.uci_position();
        let text = GameText { variant: game.variant(), fen: fen.to_owned(), turns };
        text.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Game>, D::Error> {
        let GameText { variant, fen, turns } = GameText::deserialize(deserializer)?;
        let (game, _) = replay(variant, Some(&fen), &turns).map_err(D::Error::custom)?;
        Ok(Box::new(game))
    }
}
