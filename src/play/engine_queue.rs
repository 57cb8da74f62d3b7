//! The engine of live games, which runs search requests one after the other.

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
    /// A line of analysis.
    Line(SearchInfo),
    /// The result of the search. No further message about the search follows.
    Done(SearchResult),
    /// The error of a failed search. No further message about the search follows.
    Failed(String),
}

/// Why a search has no result.
#[derive(Debug, thiserror::Error)]
pub enum EngineQueueError {
    #[error("the search failed: {0}")]
    Failed(String),
    #[error("the engine has been shut down")]
    Ended,
}

/// An engine with a queue of searches. The searches run one after the other: on a separate thread if
/// created by [`EngineQueue::start`], or on the calling thread if created by [`EngineQueue::in_place`].
pub struct EngineQueue {
    runner: Runner,
    player: Arc<Mutex<EnginePlayer>>,
    /// The controls of all searches that have not ended, which can stop the searches.
    unfinished: Arc<Mutex<VecDeque<Arc<Control>>>>,
}

/// The engine with the state that is kept from one search to the next.
struct EnginePlayer {
    /// The size of the transposition table in MiB.
    hash: usize,
    /// The engine. `None` after a panic, and possibly before the first search.
    engine: Option<GameEngine>,
    /// The random seed for the mistakes that an engine below full strength makes in the current game.
    seed: u64,
    /// The strength in the last search. A change of strength clears what the engine has learned.
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

    /// Queues a search. `listener` receives the lines of analysis and exactly one final event.
    ///
    /// `listener` is called on the engine's threads, and must not block.
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

    /// Runs a search and waits for the result. `line` is called with each line of analysis.
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

    /// Clears what the engine has learned from the last game. To be called before a search of another game.
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
        // A search that is stopped before its first iteration may have no best move.
        result.best = result.best.or_else(|| engine.any_move(request.chess960));
        Ok(result)
    }
}

/// Serialises a game as text, to send the game to an engine in another worker of the page.
pub(super) mod game_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::engine::replay;
    use crate::game::Game;
    use crate::rules::Variant;

    #[derive(Serialize, Deserialize)]
    struct GameText {
        /// The name of the variant.
        variant: String,
        fen: String,
        turns: Vec<String>,
    }

    pub fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
        let (fen, turns) = game.uci_position();
        let text =
            GameText { variant: game.variant().name().to_owned(), fen: fen.to_owned(), turns };
        text.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Game>, D::Error> {
        let GameText { variant, fen, turns } = GameText::deserialize(deserializer)?;
        let variant: Variant = variant.parse().map_err(D::Error::custom)?;
        let (game, _) = replay(variant, Some(&fen), &turns).map_err(D::Error::custom)?;
        Ok(Box::new(game))
    }
}
