use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::engine::Line;
use crate::play::{Question, Reply, Thinker, Thought};

/// Engines that games borrow, so many at a time; who comes later waits its turn.
pub(super) struct Desk {
    permits: Arc<Semaphore>,
    /// Those that are not lent, each with the game that had it last.
    idle: Mutex<VecDeque<(String, Thinker)>>,
    /// Of each, in MiB.
    hash: usize,
}

impl Desk {
    pub fn new(engines: usize, hash: usize) -> Arc<Desk> {
        let permits = Arc::new(Semaphore::new(engines));
        Arc::new(Desk { permits, idle: Mutex::default(), hash })
    }

    /// Has an engine ready before anybody asks for one.
    pub fn warm_up(self: &Arc<Desk>) {
        let desk = self.clone();
        tokio::spawn(async move { drop(desk.borrow("").await) });
    }

    /// Waits for an engine; if one remembers the game, it is that one.
    pub async fn borrow(self: &Arc<Desk>, game: &str) -> io::Result<Borrowed> {
        let permit = self.permits.clone().acquire_owned().await.map_err(io::Error::other)?;
        let found = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let index = idle.iter().position(|(last, _)| last == game);
            // Else the one that was given back first, whose game may be over.
            index.or(idle.len().checked_sub(1)).and_then(|index| idle.remove(index))
        };
        let thinker = match found {
            Some((last, thinker)) => {
                if last != game {
                    thinker.new_game();
                }
                thinker
            }
            None => {
                let hash = self.hash;
                let start = move || Thinker::start(hash);
                tokio::task::spawn_blocking(start).await.map_err(io::Error::other)??
            }
        };
        let (desk, game) = (self.clone(), game.to_owned());
        Ok(Borrowed { desk, game, thinker: Some(thinker), _permit: permit })
    }
}

/// An engine on loan. Given back, it searches no longer.
pub(super) struct Borrowed {
    desk: Arc<Desk>,
    game: String,
    thinker: Option<Thinker>,
    _permit: OwnedSemaphorePermit,
}

/// What the engine says.
#[derive(Debug)]
pub(super) enum Said {
    Line(Line),
    Done(Reply),
    Failed(String),
}

impl Borrowed {
    /// Asks; the answers come as the engine finds them.
    pub fn ask(&self, question: &Question) -> UnboundedReceiver<Said> {
        let (sender, said) = unbounded_channel();
        let listener = move |thought: Thought| {
            let _ = sender.send(match thought {
                Thought::Line(line) => Said::Line(line.clone()),
                Thought::Done(reply) => Said::Done(reply),
                Thought::Failed(error) => Said::Failed(error),
            });
        };
        if let Some(thinker) = &self.thinker {
            thinker.ask(question, listener);
        }
        said
    }

    /// Asks, and waits for the answer; gives the lines of the last depth with it.
    pub async fn answer(&self, question: &Question) -> Result<(Reply, Vec<Line>), String> {
        let mut said = self.ask(question);
        let mut lines: Vec<Line> = Vec::new();
        while let Some(said) = said.recv().await {
            match said {
                Said::Line(line) => {
                    lines.truncate(line.multi_pv - 1);
                    lines.push(line);
                }
                Said::Done(reply) => return Ok((reply, lines)),
                Said::Failed(error) => return Err(error),
            }
        }
        Err("the engine has ended".to_owned())
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(thinker) = self.thinker.take() {
            thinker.stop();
            let mut idle = self.desk.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push_front((std::mem::take(&mut self.game), thinker));
        }
    }
}
