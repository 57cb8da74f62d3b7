use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::engine::Line;
use crate::play::{EngineEvent, EngineThread, Question, Reply};

/// Engines that games borrow, so many at a time; who comes later waits its turn.
pub(super) struct EnginePool {
    permits: Arc<Semaphore>,
    /// Those that are not lent, each with the game that had it last.
    idle: Mutex<VecDeque<(String, EngineThread)>>,
    /// Of each, in MiB.
    hash: usize,
}

impl EnginePool {
    pub fn new(engines: usize, hash: usize) -> Arc<EnginePool> {
        let permits = Arc::new(Semaphore::new(engines));
        Arc::new(EnginePool { permits, idle: Mutex::default(), hash })
    }

    /// Has an engine ready before anybody asks for one.
    pub fn warm_up(self: &Arc<EnginePool>) {
        let pool = self.clone();
        tokio::spawn(async move { drop(pool.borrow("").await) });
    }

    /// Waits for an engine; if one remembers the game, it is that one.
    pub async fn borrow(self: &Arc<EnginePool>, game: &str) -> io::Result<PooledEngine> {
        let permit = self.permits.clone().acquire_owned().await.map_err(io::Error::other)?;
        let found = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let index = idle.iter().position(|(last, _)| last == game);
            // Else the one that was given back first, whose game may be over.
            index.or(idle.len().checked_sub(1)).and_then(|index| idle.remove(index))
        };
        let engine_thread = match found {
            Some((last, engine_thread)) => {
                if last != game {
                    engine_thread.new_game();
                }
                engine_thread
            }
            None => {
                let hash = self.hash;
                let start = move || EngineThread::start(hash);
                tokio::task::spawn_blocking(start).await.map_err(io::Error::other)??
            }
        };
        let (pool, game) = (self.clone(), game.to_owned());
        Ok(PooledEngine { pool, game, engine_thread: Some(engine_thread), _permit: permit })
    }
}

/// An engine on loan. Given back, it searches no longer.
pub(super) struct PooledEngine {
    pool: Arc<EnginePool>,
    game: String,
    engine_thread: Option<EngineThread>,
    _permit: OwnedSemaphorePermit,
}

/// What the engine says.
#[derive(Debug)]
pub(super) enum EngineMessage {
    Line(Line),
    Done(Reply),
    Failed(String),
}

impl PooledEngine {
    /// Asks; the answers come as the engine finds them.
    pub fn ask(&self, question: &Question) -> UnboundedReceiver<EngineMessage> {
        let (sender, messages) = unbounded_channel();
        let listener = move |event: EngineEvent| {
            let _ = sender.send(match event {
                EngineEvent::Line(line) => EngineMessage::Line(line.clone()),
                EngineEvent::Done(reply) => EngineMessage::Done(reply),
                EngineEvent::Failed(error) => EngineMessage::Failed(error),
            });
        };
        if let Some(engine_thread) = &self.engine_thread {
            engine_thread.ask(question, listener);
        }
        messages
    }

    /// Asks, and waits for the answer; gives the lines of the last depth with it.
    pub async fn answer(&self, question: &Question) -> Result<(Reply, Vec<Line>), String> {
        let mut messages = self.ask(question);
        let mut lines: Vec<Line> = Vec::new();
        while let Some(message) = messages.recv().await {
            match message {
                EngineMessage::Line(line) => {
                    lines.truncate(line.multi_pv - 1);
                    lines.push(line);
                }
                EngineMessage::Done(reply) => return Ok((reply, lines)),
                EngineMessage::Failed(error) => return Err(error),
            }
        }
        Err("the engine has ended".to_owned())
    }
}

impl Drop for PooledEngine {
    fn drop(&mut self) {
        if let Some(engine_thread) = self.engine_thread.take() {
            engine_thread.stop();
            let mut idle = self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push_front((std::mem::take(&mut self.game), engine_thread));
        }
    }
}
