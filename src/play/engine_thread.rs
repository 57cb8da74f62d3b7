//! Questions to an engine, and the thread that answers them in order.
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::{
    Answer, Control, Engine, EngineError, GameEngine, LastLines, Line, LineListener, Request,
    Score, replay,
};
use crate::game::Game;
use crate::host::Instant;
use crate::random::{Rng, fresh_seed};
use crate::rules::Variant;

/// A question to the engine about a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "QuestionText", try_from = "QuestionText")]
pub struct Question {
    pub game: Game,
    /// Limits, clocks, strength, and moves to choose from. Without a limit the search runs until it
    /// is stopped.
    pub request: Request,
}

impl Question {
    /// The time for a move in a game without clocks.
    pub const USUAL_TIME: Duration = Duration::from_secs(1);
    /// The time that may be lost between the engine and the clock.
    const OVERHEAD: Duration = Duration::from_millis(10);

    /// Asks for the best move, among those that the dice allow, without a limit.
    pub fn new(game: &Game) -> Question {
        let request = Request {
            search_moves: game.offered(),
            overhead: Question::OVERHEAD,
            chess960: game.is_chess960(),
            ..Request::default()
        };
        Question { game: game.clone(), request }
    }

    /// Asks for the best `lines` lines, without a limit.
    pub fn with_lines(game: &Game, lines: usize) -> Question {
        let mut question = Question::new(game);
        question.request.limits.multi_pv = lines;
        question
    }

    /// Has the engine answer. It calls `listener` with each line, on its own threads.
    pub fn ask(
        &self,
        engine: &mut GameEngine,
        control: &Control,
        listener: BorrowedListener,
    ) -> Result<Reply, EngineError> {
        engine.set_game(self.game.clone())?;
        let relay = Relay(Mutex::new((listener, LastLines::default())));
        let answer = engine.search(&self.request, Instant::now(), control, &relay);
        let (_, lines) = relay.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        // A search that was stopped before it began may have no move.
        let best = answer.best.or_else(|| engine.any_move(self.request.chess960));
        Ok(Reply { answer: Answer { best, ..answer }, lines: lines.whole() })
    }
}

/// A question as text, for an engine elsewhere, such as in another worker of the page.
#[derive(Serialize, Deserialize)]
struct QuestionText {
    variant: Variant,
    fen: String,
    turns: Vec<String>,
    request: Request,
}

impl From<Question> for QuestionText {
    fn from(Question { game, request }: Question) -> QuestionText {
        let (fen, turns) = game.uci_position();
        QuestionText { variant: game.variant(), fen: fen.to_owned(), turns, request }
    }
}

impl TryFrom<QuestionText> for Question {
    type Error = EngineError;

    fn try_from(text: QuestionText) -> Result<Question, EngineError> {
        let QuestionText { variant, fen, turns, request } = text;
        let (game, _) = replay(variant, Some(&fen), &turns)?;
        Ok(Question { game, request })
    }
}

/// A message from the engine about a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineEvent {
    Line(Line),
    /// The last message, unless it is [`EngineEvent::Failed`].
    Done(Reply),
    Failed(String),
}

/// The engine's move and the lines behind it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reply {
    pub answer: Answer,
    /// The lines of the last depth, best first.
    pub lines: Vec<Line>,
}

impl Reply {
    /// Returns the score of the best line, for the side to move.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineThreadError {
    #[error("the engine cannot be started: {0}")]
    Start(#[from] io::Error),
    #[error("the engine has no answer: {0}")]
    Failed(String),
    #[error("the engine has ended")]
    Ended,
}

type BorrowedListener<'a> = &'a mut (dyn FnMut(EngineEvent) + Send);

/// Forwards lines, and keeps those of the last depth.
struct Relay<'a>(Mutex<(BorrowedListener<'a>, LastLines)>);

impl LineListener for Relay<'_> {
    fn line(&self, line: &Line) {
        let (listener, lines) = &mut *lock(&self.0);
        lines.add(line);
        listener(EngineEvent::Line(line.clone()));
    }

    fn wants_san(&self) -> bool {
        true
    }
}

type OwnedListener = Box<dyn FnMut(EngineEvent) + Send>;

/// A message to the engine's thread.
enum Order {
    Answer(Box<Question>, Arc<Control>, OwnedListener),
    NewGame,
}

/// The engine of a live game on its own thread. It answers questions in order.
pub struct EngineThread {
    orders: Sender<Order>,
    unanswered: Arc<Mutex<VecDeque<Arc<Control>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engine of a live game on the calling thread.
pub struct LocalEngine {
    /// In MiB.
    hash: usize,
    /// `None` after a panic and before the first question.
    engine: Option<GameEngine>,
    /// Determines which errors limited play makes in this game.
    seed: u64,
    /// The strength of the last question. When it changes, what the engine has learned is cleared.
    elo: Option<u32>,
}

impl LocalEngine {
    /// An engine with a transposition table of `hash` MiB, created at the first question.
    pub fn new(hash: usize) -> LocalEngine {
        LocalEngine { hash, engine: None, seed: fresh_seed(), elo: None }
    }

    fn run(mut self, orders: &Receiver<Order>, unanswered: &Mutex<VecDeque<Arc<Control>>>) {
        for order in orders {
            match order {
                Order::NewGame => self.new_game(),
                Order::Answer(question, control, mut listener) => {
                    let ask = || self.answer(*question, &control, listener.as_mut());
                    let answer = catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| {
                        self.engine = None;
                        Err("internal error".to_owned())
                    });
                    lock(unanswered).pop_front();
                    listener(answer.map_or_else(EngineEvent::Failed, EngineEvent::Done));
                }
            }
        }
    }

    /// Clears what the engine learned from the game, before a question about another game.
    pub fn new_game(&mut self) {
        self.seed = Rng::new(self.seed).next_u64();
        self.engine.iter_mut().for_each(GameEngine::new_game);
    }

    /// Answers a question, calling `listener` with each line.
    pub fn answer(
        &mut self,
        mut question: Question,
        control: &Control,
        listener: BorrowedListener,
    ) -> Result<Reply, String> {
        let request = &mut question.request;
        request.seed = self.seed;
        let engine = match &mut self.engine {
            Some(engine) if request.elo == self.elo => engine,
            Some(engine) => {
                engine.new_game();
                engine
            }
            none => {
                let engine = GameEngine::new(question.game.variant(), self.hash, 1);
                none.insert(engine.map_err(|error| error.to_string())?)
            }
        };
        self.elo = question.request.elo;
        question.ask(engine, control, listener).map_err(|error| error.to_string())
    }
}

impl EngineThread {
    /// Starts an engine with a transposition table of `hash` MiB.
    pub fn start(hash: usize) -> io::Result<EngineThread> {
        let engine = Some(GameEngine::new(Variant::Chess, hash, 1).map_err(io::Error::other)?);
        let worker = LocalEngine { engine, ..LocalEngine::new(hash) };
        let (orders, received) = channel();
        let unanswered = Arc::new(Mutex::default());
        let controls = Arc::clone(&unanswered);
        let work = move || worker.run(&received, &controls);
        thread::Builder::new().name("engine".to_owned()).spawn(work)?;
        Ok(EngineThread { orders, unanswered })
    }

    /// Queues a question. `listener` gets the lines and exactly one final event, on the engine's
    /// threads, which it must not block.
    pub fn ask(&self, question: &Question, listener: impl FnMut(EngineEvent) + Send + 'static) {
        let control = Arc::new(Control::default());
        lock(&self.unanswered).push_back(control.clone());
        let order = Order::Answer(Box::new(question.clone()), control, Box::new(listener));
        if let Err(std::sync::mpsc::SendError(Order::Answer(.., mut listener))) =
            self.orders.send(order)
        {
            listener(EngineEvent::Failed(EngineThreadError::Ended.to_string()));
        }
    }

    /// Asks and waits for the answer.
    pub fn answer(
        &self,
        question: &Question,
        mut line: impl FnMut(&Line) + Send + 'static,
    ) -> Result<Reply, EngineThreadError> {
        let (sender, answer) = channel();
        self.ask(question, move |event| {
            let last = match event {
                EngineEvent::Line(found) => return line(&found),
                EngineEvent::Done(reply) => Ok(reply),
                EngineEvent::Failed(error) => Err(EngineThreadError::Failed(error)),
            };
            let _ = sender.send(last);
        });
        answer.recv().map_err(|_| EngineThreadError::Ended)?
    }

    /// Stops the current search and those of all queued questions.
    pub fn stop(&self) {
        lock(&self.unanswered).iter().for_each(|control| control.stop.store(true, Relaxed));
    }

    /// Clears what the engine learned from the game, before a question about another game.
    pub fn new_game(&self) {
        let _ = self.orders.send(Order::NewGame);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
    }
}
