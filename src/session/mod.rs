//! A session: what every frontend drives, be it a protocol, a terminal game or a web page.
//!
//! A frontend sends [`Command`]s and puts the [`Event`]s that it hears into words of its own. The
//! session owns the engine, the options, the running task and the commands that wait for its end.
//!
//! | file | holds |
//! | --- | --- |
//! | `options` | the table of options, and what they are set to |
//! | `task` | a search, a perft or work of the program's own, under way on the session's second thread |
//! | `in_place` | a session without threads of its own |
//!
//! These rules hold for every frontend, where a task *ends by itself* if it is a search with a limit,
//! anything but a search, or has been stopped:
//!
//! * `Stop` and `PonderHit` act at once, on the running task and on all that waits.
//! * While a task runs that ends by itself, all other commands wait and are carried out in order.
//! * While any other task runs, commands that need the engine are refused.
//! * `Ready` waits until the commands before it were carried out; the task that they began may still
//!   run.
//! * `Quit` ends a search at once if nothing waits. Both `Quit` and `EndOfInput` take their place
//!   in the queue otherwise, let tasks finish that end by themselves, and end the others.
//! * Each accepted `Go` is answered by exactly one [`Event::BestMove`], in order.

mod in_place;
mod options;
mod task;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use in_place::InPlace;
pub use options::{NOTHING, Number, OptionError, OptionKind, OptionValues, SessionOption, options};
pub use task::ExtraTask;
use task::{TaskHandle, TaskKind, Work};

use crate::book::{self, Book, BookError};
use crate::engine::{self, Answer, Engine, EngineError, LineListener, Request};
use crate::host::Instant;
use crate::random::Rng;
use crate::rules::Variant;
use crate::search::Limits;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use crate::sync::thread;
use crate::system;

/// What a frontend asks of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say [`Event::Ready`] when all that came before is done or under way.
    Ready,
    /// What comes next belongs to another game.
    NewGame,
    /// Change an option.
    SetOption {
        /// The option's name, in any case.
        name: String,
        /// The new value; a button has none.
        value: Option<String>,
    },
    /// Set up a position: all of it, or nothing.
    Position {
        /// Where the game began; the variant's start without it.
        fen: Option<String>,
        /// The moves since, in UCI notation.
        moves: Vec<String>,
    },
    /// Search. What the options say is filled in.
    Go(Box<Request>),
    /// Count the leaves of the move tree to this depth, in plies.
    Perft(u32),
    /// Do work of the program's own.
    Extra(ExtraTask),
    /// End the tasks that were asked for so far.
    Stop,
    /// The move pondered on was played: go on with the clock running.
    PonderHit,
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Evaluate,
    /// Give the other side the move, with the board turned around.
    Flip,
    /// Say this text when its turn comes: what the frontend can answer by itself.
    Say(String),
    /// End the session.
    Quit,
    /// Nothing more will come: end the session when all is done.
    EndOfInput,
}

impl Command {
    /// The word for the command in messages.
    const fn name(&self) -> &'static str {
        match self {
            Command::Ready => "ready",
            Command::NewGame => "new game",
            Command::SetOption { .. } => "option",
            Command::Position { .. } => "position",
            Command::Go(_) | Command::Perft(_) => "search",
            Command::Extra(task) => task.name,
            Command::Stop => "stop",
            Command::PonderHit => "ponder hit",
            Command::Display => "display",
            Command::Evaluate => "evaluation",
            Command::Flip => "flip",
            Command::Say(_) => "say",
            Command::Quit | Command::EndOfInput => "quit",
        }
    }
}

/// What the session says.
#[derive(Debug)]
pub enum Event<'a> {
    /// The answer to [`Command::Ready`].
    Ready,
    /// The end of a search.
    BestMove(&'a Answer),
    /// Leaves of the move tree for each move, and all together.
    Perft { counts: &'a [(String, u64)], total: u64 },
    /// What somebody wanted to see.
    Text(&'a str),
    /// What goes with the work: an opening that was asked for, where a move comes from.
    Remark(&'a str),
    /// The option that chooses the game was set: this one is in force.
    Variant(Variant),
    /// Whether chances to win, draw and lose are wanted with lines of analysis.
    ShowWdl(bool),
    /// Something was not done, or not as it was asked for.
    Error(&'a SessionError),
}

/// Puts what a session says into words, or draws it; also what its searches report.
pub trait Frontend: LineListener + Send {
    /// Something is said, on any thread.
    fn hear(&self, event: Event);
}

/// Why a command was not carried out, or not wholly.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The engine is searching without a limit.
    #[error("{0}: a search is running that only a command ends")]
    Busy(&'static str),
    /// There is no task to act on: too late by a moment, perhaps.
    #[error("{0}: no search is running")]
    Idle(&'static str),
    /// The position is refused.
    #[error("position: {0}; the position stays as it was")]
    Position(EngineError),
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The option, or its value, is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The option is set, but there is no such book.
    #[error("{0}; no book is used")]
    Book(#[from] BookError),
    /// Work of the program's own failed.
    #[error("{0}")]
    Extra(String),
    /// A tablebase failed when it was probed.
    #[error("Syzygy: {0}; the search goes on without it")]
    Tablebase(String),
    /// A perft, or work of the program's own, has no result.
    #[error("{0} was stopped")]
    Stopped(&'static str),
    /// A task met a fault of our own.
    #[error("internal error; a search is answered by any legal move")]
    Internal,
    /// A thread of the session cannot be had.
    #[error("a thread could not be started: {0}")]
    Thread(#[from] io::Error),
}

/// What comes to a session's own thread.
enum Message {
    Command(Command),
    /// The task has ended and gives the engine back.
    Done(Box<dyn Engine>),
    /// Look whether anybody listens.
    Wake,
}

/// The most moves to choose from that are named as wrong.
const MOST_NAMED: usize = 8;

/// Commands that may come before their senders have to wait. A task never makes them wait.
const BACKLOG: usize = 64;

/// Sends commands to a session.
#[derive(Clone)]
pub struct Handle(Route);

/// Where the session is.
#[derive(Clone)]
enum Route {
    Thread { sender: SyncSender<Message>, is_abandoned: Arc<AtomicBool> },
    InPlace(Arc<InPlace>),
}

impl Handle {
    /// Sends a command; `false` if the session is over.
    pub fn send(&self, command: Command) -> bool {
        match &self.0 {
            Route::Thread { sender, .. } => sender.send(Message::Command(command)).is_ok(),
            Route::InPlace(session) => session.send(command),
        }
    }

    /// Ends the session and its tasks, for a frontend that is gone.
    pub fn abandon(&self) {
        match &self.0 {
            Route::Thread { sender, is_abandoned } => {
                is_abandoned.store(true, Relaxed);
                // If the channel is full, a message that waits in it wakes the session.
                let _ = sender.try_send(Message::Wake);
            }
            Route::InPlace(session) => {
                if session.has_task() {
                    session.send(Command::Stop);
                }
                session.send(Command::Quit);
            }
        }
    }
}

/// Makes the engine of a variant with so many MiB of hash and threads, as [`engine::new`] does.
type EngineMaker = fn(Variant, usize, usize) -> Result<Box<dyn Engine>, EngineError>;

/// The state of a session, and the rules of this module.
struct Session {
    frontend: Arc<dyn Frontend>,
    settings: OptionValues,
    /// What the options say that is played from.
    book: Option<Book>,
    make_engine: EngineMaker,
    /// Nothing while a task has it.
    engine: Option<Box<dyn Engine>>,
    task: Option<TaskHandle>,
    /// Does a task's work on another thread.
    runner: Box<dyn FnMut(Work) + Send>,
    /// Commands that wait, the first one first. There are none without a task that they wait for.
    waiting: VecDeque<Command>,
    /// How many of them came before the last `Stop`.
    stopped: usize,
    is_over: bool,
}

/// Runs a session on this thread, from the start of chess to [`Command::Quit`],
/// [`Command::EndOfInput`] or [`Handle::abandon`]. `begin` gets the handle that commands come by.
pub fn run(
    frontend: Arc<dyn Frontend>,
    begin: impl FnOnce(Handle) -> io::Result<()>,
) -> Result<(), SessionError> {
    run_with(engine::new, frontend, begin)
}

/// A session without threads of its own, at the start of chess: the thread that sends it commands does
/// its tasks. During a task more commands may be sent from within, by the frontend or the clock.
pub fn in_place(frontend: Arc<dyn Frontend>) -> Result<Handle, SessionError> {
    Ok(Handle(Route::InPlace(Arc::new(InPlace::new(engine::new, frontend)?))))
}

/// [`run`] with engines that `make_engine` makes.
fn run_with(
    make_engine: EngineMaker,
    frontend: Arc<dyn Frontend>,
    begin: impl FnOnce(Handle) -> io::Result<()>,
) -> Result<(), SessionError> {
    let (sender, messages) = sync_channel(BACKLOG);
    let (tasks, work) = channel::<Work>();
    let done = sender.clone();
    thread::Builder::new()
        .name("control".to_owned())
        .spawn(move || work.into_iter().all(|work| done.send(Message::Done(work())).is_ok()))?;
    let runner = Box::new(move |work| tasks.send(work).unwrap_or_default());
    let session = Session::new(frontend, make_engine, runner)?;
    let is_abandoned = Arc::new(AtomicBool::new(false));
    begin(Handle(Route::Thread { sender, is_abandoned: is_abandoned.clone() }))?;
    session.run(&messages, &is_abandoned);
    Ok(())
}

impl Session {
    fn new(
        frontend: Arc<dyn Frontend>,
        make_engine: EngineMaker,
        runner: Box<dyn FnMut(Work) + Send>,
    ) -> Result<Session, EngineError> {
        let settings = OptionValues::new();
        let engine = Some(settings.make_engine(make_engine)?);
        let (task, waiting, stopped) = (None, VecDeque::new(), 0);
        Ok(Session {
            frontend,
            settings,
            book: None,
            make_engine,
            engine,
            task,
            runner,
            waiting,
            stopped,
            is_over: false,
        })
    }

    fn run(mut self, messages: &Receiver<Message>, is_abandoned: &AtomicBool) {
        while !self.is_over
            && let Ok(message) = messages.recv()
        {
            match message {
                Message::Command(command) => self.take(command),
                Message::Done(engine) => self.done(engine),
                Message::Wake => {}
            }
            if is_abandoned.load(Relaxed) {
                self.waiting = VecDeque::from([Command::Quit]);
                self.task.iter().for_each(TaskHandle::stop);
                self.carry_on();
            }
        }
    }

    /// Carries out a command, now or later.
    fn take(&mut self, command: Command) {
        match (&command, &self.task) {
            (Command::Stop | Command::PonderHit, None) => {
                return self.say(Event::Error(&SessionError::Idle(command.name())));
            }
            (Command::Stop, Some(task)) => {
                task.stop();
                self.stopped = self.waiting.len();
            }
            (Command::PonderHit, Some(task)) => {
                task.control.pondering.store(false, Relaxed);
                for command in &mut self.waiting {
                    if let Command::Go(request) = command {
                        request.limits.ponder = false;
                    }
                }
            }
            (Command::Quit, Some(task)) if task.is_search && self.waiting.is_empty() => {
                task.stop();
                self.waiting.push_back(command);
            }
            _ => self.waiting.push_back(command),
        }
        self.carry_on();
    }

    /// Takes the engine back from a task.
    fn done(&mut self, engine: Box<dyn Engine>) {
        self.engine = Some(engine);
        self.task = None;
        self.carry_on();
    }

    /// Carries out what waits, as far as it need not wait any longer.
    fn carry_on(&mut self) {
        while let Some(next) = self.waiting.front() {
            match (&self.task, next) {
                (Some(task), Command::Quit | Command::EndOfInput) if task.is_endless() => {
                    task.stop()
                }
                (Some(task), next) if *next != Command::Ready && !task.is_endless() => return,
                _ => self.carry_out_next(),
            }
        }
    }

    fn carry_out_next(&mut self) {
        let Some(command) = self.waiting.pop_front() else { return };
        let is_stopped = self.stopped > 0;
        self.stopped = self.stopped.saturating_sub(1);
        match command {
            Command::Ready => self.say(Event::Ready),
            Command::Say(text) => self.say(Event::Text(&text)),
            Command::Quit | Command::EndOfInput => {
                self.is_over = true;
                self.waiting.clear();
            }
            command => {
                if let Err(error) = self.carry_out(command) {
                    self.say(Event::Error(&error));
                }
            }
        }
        if is_stopped {
            self.task.iter().for_each(TaskHandle::stop);
        }
    }

    /// Does what needs the engine.
    fn carry_out(&mut self, command: Command) -> Result<(), SessionError> {
        let began = Instant::now();
        let Some(engine) = &mut self.engine else { return Err(SessionError::Busy(command.name())) };
        match command {
            Command::NewGame => {
                engine.new_game();
                self.settings.renew_seed();
                // Engines for other variants and threads were let go since the last game.
                system::return_memory();
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { fen, moves } => {
                let set_up = engine.set_position(fen.as_deref(), &moves);
                for part in set_up.map_err(SessionError::Position)? {
                    self.say(Event::Remark(&format!("position: {part}")));
                }
            }
            Command::Go(mut request) => {
                self.settings.complete(&mut request);
                let wrong = engine.check_search_moves(&request);
                for error in wrong.into_iter().take(MOST_NAMED) {
                    self.say(Event::Error(&error.into()));
                }
                if let Some(answer) = self.answer_from_book(&request) {
                    self.say(Event::BestMove(&answer));
                    return Ok(());
                }
                self.start(TaskKind::Search { request, began });
            }
            Command::Perft(depth) => {
                engine::check_perft_depth(depth)?;
                self.start(TaskKind::Perft { depth, chess960: self.settings.chess960 });
            }
            Command::Extra(task) => {
                self.start(TaskKind::Extra { task, variant: self.settings.variant });
            }
            Command::Display => self.frontend.hear(Event::Text(&engine.display())),
            Command::Evaluate => self.frontend.hear(Event::Text(&engine.explain_evaluation())),
            Command::Flip => engine.flip()?,
            // These need no engine: see the callers.
            Command::Stop | Command::PonderHit | Command::Ready | Command::Say(_) => {}
            Command::Quit | Command::EndOfInput => {}
        }
        Ok(())
    }

    /// Sets an option, and tells what follows from it.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), SessionError> {
        let Some(engine) = &mut self.engine else { return Err(SessionError::Busy("option")) };
        let before = self.settings.clone();
        let option = self.settings.set(name, value, engine, self.make_engine)?;
        match option.kind {
            OptionKind::Variant => self.say(Event::Variant(self.settings.variant)),
            OptionKind::Tablebase => {
                let tablebase = self.settings.tablebase.as_ref();
                let found = tablebase.map_or("no tables".to_owned(), ToString::to_string);
                self.say(Event::Remark(&format!("Syzygy: {found}")));
            }
            _ => {}
        }
        if self.settings.show_wdl != before.show_wdl {
            self.say(Event::ShowWdl(self.settings.show_wdl));
        }
        if self.settings.book_in_force() != before.book_in_force() {
            self.open_book()?;
        }
        Ok(())
    }

    /// Reads the book that the options name; without it, nothing is played from one.
    fn open_book(&mut self) -> Result<(), BookError> {
        self.book = None;
        if let Some((path, variant)) = self.settings.book_in_force() {
            self.book = Some(Book::open(path, variant)?);
        }
        Ok(())
    }

    /// The book's answer where somebody wants a move and not an analysis. Which of its moves it is,
    /// the seed of the game and the position decide.
    fn answer_from_book(&self, request: &Request) -> Option<Answer> {
        let (book, engine) = (self.book.as_ref()?, self.engine.as_ref()?);
        let Limits { infinite, ponder, mate, .. } = request.limits;
        if infinite || ponder || mate.is_some() || self.settings.analyse_mode {
            return None;
        }
        let game = engine.game()?;
        if u64::from(game.number()) > self.settings.book_depth {
            return None;
        }
        let mut moves = book.moves(game);
        let spelt = |text: &String| book::spelt(game, text, true);
        let wanted: Vec<String> = request.search_moves.iter().filter_map(spelt).collect();
        moves.retain(|mv| wanted.is_empty() || wanted.contains(&mv.uci));
        let ply = u64::from(game.number()) * 2 + game.side_to_move().index() as u64;
        let chosen = book::choose(&moves, &mut Rng::new(self.settings.seed.wrapping_add(ply)))?;
        let best = book::spelt(game, &chosen.uci, request.chess960)?;
        let all: u64 = moves.iter().map(|mv| u64::from(mv.weight)).sum();
        self.say(Event::Remark(&format!("book: {best}, weight {} of {all}", chosen.weight)));
        Some(Answer { best: Some(best), ponder: None, nodes: 0 })
    }

    /// Gives the engine to a task.
    fn start(&mut self, kind: TaskKind) {
        if let Some(engine) = self.engine.take() {
            let (task, work) = TaskHandle::new(kind, engine, self.frontend.clone());
            self.task = Some(task);
            (self.runner)(work);
        }
    }

    fn say(&self, event: Event) {
        self.frontend.hear(event);
    }
}
