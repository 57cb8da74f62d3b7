use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::engine::{Answer, Line, Request, Score};
use crate::game::Game;
use crate::rules::Variant;
use crate::session::{self, Command, Event, Frontend, Handle, SessionError};

/// What the engine is asked about a game.
#[derive(Clone, Debug)]
pub struct Question {
    pub variant: Variant,
    /// Where the game is told to begin, and the turns since.
    pub fen: String,
    pub turns: Vec<String>,
    /// Limits, clocks, and moves to choose from. Without a limit the search goes on until it is
    /// stopped.
    pub request: Request,
    /// Strength to play with; full strength without.
    pub elo: Option<u32>,
    /// How many lines to report.
    pub lines: usize,
}

impl Question {
    /// For a move of a game without clocks.
    pub const USUAL_TIME: Duration = Duration::from_secs(1);

    /// What is best now, among what dice offer; as yet without a limit.
    pub fn new(game: &Game) -> Question {
        let (fen, turns) = game.uci_position();
        let request = Request { search_moves: game.offered(), ..Request::default() };
        let (variant, fen) = (game.variant(), fen.to_owned());
        Question { variant, fen, turns, request, elo: None, lines: 1 }
    }

    /// The options under which it is asked.
    fn options(&self) -> [(&'static str, String); 5] {
        [
            ("UCI_Variant", self.variant.name().to_owned()),
            ("UCI_Chess960", (self.variant != Variant::Chess).to_string()),
            ("UCI_LimitStrength", self.elo.is_some().to_string()),
            ("UCI_Elo", self.elo.map_or_else(String::new, |elo| elo.to_string())),
            ("MultiPV", self.lines.to_string()),
        ]
    }
}

/// What the engine says to a question.
#[derive(Clone, Debug)]
pub enum EngineEvent {
    Line(Line),
    /// The last word, unless it is [`EngineEvent::Failed`].
    Done(Reply),
    Failed(String),
}

/// The engine's move, and what it thinks of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    pub answer: Answer,
    /// Of the best line, for the side to move.
    pub score: Option<Score>,
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

type Listener = Box<dyn FnMut(EngineEvent) + Send>;

/// The engine of a live game: a session on a thread of its own. Questions are answered in turn.
pub struct EngineThread {
    handle: Handle,
    questions: Arc<QuestionQueue>,
    /// What the options are set to.
    options: Mutex<Vec<(&'static str, String)>>,
}

/// Hears the session and passes on what it says to who has asked.
#[derive(Default)]
struct QuestionQueue {
    pending: Mutex<VecDeque<PendingQuestion>>,
}

struct PendingQuestion {
    listener: Listener,
    score: Option<Score>,
    error: Option<String>,
}

impl QuestionQueue {
    fn pending(&self) -> MutexGuard<'_, VecDeque<PendingQuestion>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Frontend for QuestionQueue {
    fn hear(&self, event: Event) {
        let mut pending = self.pending();
        let Some(first) = pending.front_mut() else { return };
        match event {
            Event::Line { line, .. } => {
                if line.multi_pv == 1 {
                    first.score = Some(line.score);
                }
                (first.listener)(EngineEvent::Line(line.clone()));
            }
            Event::BestMove(answer) => {
                let Some(mut first) = pending.pop_front() else { return };
                drop(pending);
                (first.listener)(match first.error {
                    Some(error) => EngineEvent::Failed(error),
                    None => EngineEvent::Done(Reply { answer: answer.clone(), score: first.score }),
                });
            }
            Event::Error(SessionError::Idle(_)) => {}
            Event::Error(error) => first.error = Some(error.to_string()),
            _ => {}
        }
    }

    fn wants_san(&self) -> bool {
        true
    }
}

impl EngineThread {
    /// Starts an engine with this many MiB of hash.
    pub fn start(hash: usize) -> io::Result<EngineThread> {
        let questions = Arc::new(QuestionQueue::default());
        let frontend = questions.clone();
        let (sender, handle) = sync_channel(1);
        thread::Builder::new().name("engine".to_owned()).spawn(move || {
            // Without a handle nobody waits for it.
            let begin = |handle| sender.send(handle).map_err(io::Error::other);
            let _ = session::run(frontend, begin);
        })?;
        let handle = handle.recv().map_err(|_| io::Error::other("no memory, or no thread"))?;
        let set = Command::SetOption { name: "Hash".to_owned(), value: Some(hash.to_string()) };
        handle.send(set);
        Ok(EngineThread { handle, questions, options: Mutex::default() })
    }

    /// Asks; `listener` hears lines and the one last word, on threads of the engine, which it must
    /// not hold up.
    pub fn ask(&self, question: &Question, listener: impl FnMut(EngineEvent) + Send + 'static) {
        let pending = PendingQuestion { listener: Box::new(listener), score: None, error: None };
        self.questions.pending().push_back(pending);
        let mut options = self.options.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, value) in question.options() {
            let is_set = options.iter().any(|option| *option == (name, value.clone()));
            if !is_set && !value.is_empty() {
                options.retain(|option| option.0 != name);
                options.push((name, value.clone()));
                let name = name.to_owned();
                self.handle.send(Command::SetOption { name, value: Some(value) });
            }
        }
        drop(options);
        let (fen, moves) = (Some(question.fen.clone()), question.turns.clone());
        self.handle.send(Command::Position { fen, moves });
        if !self.handle.send(Command::Go(Box::new(question.request.clone()))) {
            let pending = self.questions.pending().pop_back();
            pending.into_iter().for_each(|mut pending| {
                (pending.listener)(EngineEvent::Failed(EngineThreadError::Ended.to_string()));
            });
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

    /// Ends the search of the question that is being answered, and of those that wait.
    pub fn stop(&self) {
        self.handle.send(Command::Stop);
    }

    /// Forgets what was learned from the game: the next question is about another one.
    pub fn new_game(&self) {
        self.handle.send(Command::NewGame);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.handle.abandon();
    }
}
