//! A session: an engine with options, a running task and a queue of commands. The protocols are frontends
//! of a session.
//!
//! A frontend sends [`Command`]s to the session and presents the [`Event`]s that the session sends back. The
//! session owns the engine, the options, the running task and the commands that wait until the task ends.
//!
//! | file | contents |
//! | --- | --- |
//! | `options` | the table of options, and their values |
//! | `task` | the running task: a search, a perft or extra work of the program |
//! | `in_place` | a session that runs on the caller's thread |
//!
//! The following rules hold for every frontend. A search without a limit counts as *endless* until `Stop`.
//! A pondering search counts as endless until `Stop` or `PonderHit`. Other searches, perfts and extra work
//! end by themselves.
//!
//! * `Stop` and `PonderHit` act immediately, on the running task and on all waiting commands.
//! * While a task runs that ends by itself, all other commands wait. They are executed in order.
//! * While an endless search runs, commands that need the engine are rejected.
//! * `Ready` waits until all earlier commands have been executed. A task that was started by an earlier
//!   command may still be running.
//! * If no command waits, `Quit` stops a search, a deep perft or a deep bench immediately. Otherwise `Quit`
//!   waits in the queue, as `EndOfInput` always does. When the turn of a waiting `Quit` or `EndOfInput`
//!   comes, it stops an endless search, but waits for a task that ends by itself.
//! * After a rejected position, `Go` is answered with a best move of `None`, and other commands that
//!   depend on the position fail. This lasts until a valid position arrives. `Display` shows the last valid
//!   position.
//! * Each accepted `Go` is answered by exactly one [`Event::BestMove`]. The answers come in the order of the
//!   commands.

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
use task::{TaskHandle, TaskKind};

use crate::book::{self, Book, BookError};
use crate::engine::{
    self, Engine, EngineError, Job, Runner, SearchListener, SearchRequest, SearchResult,
};
use crate::host::Instant;
use crate::random::Rng;
use crate::rules::Variant;
use crate::search::Limits;
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};
use crate::sync::mpsc::{Receiver, SyncSender, sync_channel};
use crate::system;

/// A command from a frontend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Answer with [`Event::Ready`] when all earlier commands have been executed or started.
    Ready,
    /// Prepare for a new game.
    NewGame,
    /// Change an option.
    SetOption {
        /// The option's name, in any case.
        name: String,
        /// The new value; `None` for a button.
        value: Option<String>,
    },
    /// Set up a position and play moves. If the FEN or a move is invalid, the whole position is rejected.
    Position {
        /// The position before the moves; `None` for the variant's starting position.
        fen: Option<String>,
        /// The moves, in UCI notation.
        moves: Vec<String>,
    },
    /// Report that a position could not be parsed for the given reason, and treat the position as rejected.
    RejectPosition(String),
    /// Search. The session adds the values of the options to the request.
    Go(Box<SearchRequest>),
    /// Count the leaves of the move tree to the given depth in plies.
    Perft(u32),
    /// Run extra work of the program.
    Extra(ExtraTask),
    /// Stop the running task and all waiting tasks.
    Stop,
    /// The opponent has played the move on which the engine ponders. The search continues, and its limits
    /// now apply.
    PonderHit,
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Evaluate,
    /// Mirror the position: swap the colours of all pieces and the side to move.
    Flip,
    /// Send the text back as [`Event::Text`], after the answers to all earlier commands.
    Say(String),
    /// End the session.
    Quit,
    /// End the session when all commands have been executed.
    EndOfInput,
}

impl Command {
    /// Returns the name of the command for messages.
    const fn name(&self) -> &'static str {
        match self {
            Command::Ready => "ready",
            Command::NewGame => "new game",
            Command::SetOption { .. } => "option",
            Command::Position { .. } | Command::RejectPosition(_) => "position",
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

/// An event from the session.
#[derive(Debug)]
pub enum Event<'a> {
    /// The answer to [`Command::Ready`].
    Ready,
    /// The result of a search.
    BestMove(&'a SearchResult),
    /// The result of a perft: the number of leaves for each move, and their sum.
    Perft { counts: &'a [(String, u64)], total: u64 },
    /// The answer to a command that asks for text.
    Text(&'a str),
    /// Additional information, such as the weight of a book move.
    Remark(&'a str),
    /// The variant has been set.
    Variant(Variant),
    /// The frontend should show (or not show) the chances to win, draw and lose with lines of analysis.
    ShowWdl(bool),
    /// A command failed.
    Error(&'a SessionError),
}

/// Presents the events of a session and the reports of its searches.
pub trait Frontend: SearchListener + Send {
    /// Handles an event. Called on any thread.
    fn hear(&self, event: Event);
}

/// Why a command failed completely or partly.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The command needs the engine, which is pondering or searching without a limit.
    #[error("{0}: a search is running that does not end by itself")]
    Busy(&'static str),
    /// There is no task to stop or continue. The task may have just ended.
    #[error("{0}: no search is running")]
    Idle(&'static str),
    /// The position is rejected. The frontend's board may still show the rejected position, so the
    /// previous position must not be searched instead.
    #[error("{0}; nothing is searched until a valid position arrives")]
    Position(String),
    /// The last position was rejected.
    #[error("{0}: the last position was rejected; set up a valid position first")]
    NoPosition(&'static str),
    /// An error of the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The option does not exist, or its value is invalid.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The option is set, but the book cannot be used.
    #[error("{0}; no book is used")]
    Book(#[from] BookError),
    /// The program's extra work failed.
    #[error("{0}")]
    Extra(Box<dyn std::error::Error + Send + Sync>),
    /// Probing a tablebase failed.
    #[error("Syzygy: {0}; the search continues without this table")]
    Tablebase(String),
    /// A perft or extra work was stopped, so there is no result.
    #[error("{0} was stopped")]
    Stopped(&'static str),
    /// A task panicked.
    #[error("internal error; a failed search is answered with an arbitrary legal move")]
    Internal,
    /// A thread of the session could not be started.
    #[error("a thread could not be started: {0}")]
    Thread(#[from] io::Error),
}

/// A message to the session's thread.
enum Message {
    Command(Command),
    /// The task has ended and returns the engine.
    Done(Box<dyn Engine>),
    /// Check whether the session has been abandoned.
    Wake,
}

/// The maximum number of invalid `searchmoves` that are reported for one `go`.
const MOST_NAMED: usize = 8;

/// The number of commands that may wait in the channel before senders block. The session takes commands
/// out of the channel even while a task runs.
const BACKLOG: usize = 64;

/// Sends commands to a session.
#[derive(Clone)]
pub struct Handle(Route);

/// The way in which commands reach the session.
#[derive(Clone)]
enum Route {
    Thread { sender: SyncSender<Message>, is_abandoned: Arc<AtomicBool> },
    InPlace(Arc<InPlace>),
}

impl Handle {
    /// Sends a command. Returns `false` if the session is over.
    pub fn send(&self, command: Command) -> bool {
        match &self.0 {
            Route::Thread { sender, .. } => sender.send(Message::Command(command)).is_ok(),
            Route::InPlace(session) => session.send(command),
        }
    }

    /// Stops all tasks and ends the session. For frontends that can no longer present events.
    pub fn abandon(&self) {
        match &self.0 {
            Route::Thread { sender, is_abandoned } => {
                is_abandoned.store(true, Relaxed);
                // If the channel is full, sending fails, but then a waiting message wakes the session.
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

/// Creates an engine, given the variant, the hash size in MiB and the number of threads, as
/// [`engine::new`] does.
type EngineMaker = fn(Variant, usize, usize) -> Result<Box<dyn Engine>, EngineError>;

/// Receives the engine from a finished task.
type OnDone = Arc<dyn Fn(Box<dyn Engine>) + Send + Sync>;

/// The state of a session. The methods implement the rules in the module documentation.
struct Session {
    frontend: Arc<dyn Frontend>,
    settings: OptionValues,
    /// The book that the options select.
    book: Option<Book>,
    make_engine: EngineMaker,
    /// The engine, or `None` while a task uses the engine.
    engine: Option<Box<dyn Engine>>,
    /// Whether the last position was rejected.
    lacks_position: bool,
    task: Option<TaskHandle>,
    /// Runs the tasks.
    runner: Runner,
    /// Receives the engine of a finished task. Called on the thread that ran the task.
    on_done: OnDone,
    /// The queue of waiting commands. The queue is empty unless a task is running.
    waiting: VecDeque<Command>,
    /// The number of commands at the head of the queue that arrived before the last `Stop`.
    stopped: usize,
    is_over: bool,
}

/// Runs a session on the caller's thread until [`Command::Quit`], [`Command::EndOfInput`] or
/// [`Handle::abandon`]. The session begins with the starting position of chess. `begin` is called once and
/// receives the handle for sending commands.
pub fn run(
    frontend: Arc<dyn Frontend>,
    begin: impl FnOnce(Handle) -> io::Result<()>,
) -> Result<(), SessionError> {
    run_with(engine::new, frontend, begin)
}

/// Starts a session that runs its tasks on the thread that sends commands. A running task calls the frontend
/// and the host's clock, and both may send more commands during such a call.
pub fn in_place(frontend: Arc<dyn Frontend>) -> Result<Handle, SessionError> {
    Ok(Handle(Route::InPlace(Arc::new(InPlace::new(engine::new, frontend)?))))
}

/// Runs a session like [`run`], but creates the engines with `make_engine`.
fn run_with(
    make_engine: EngineMaker,
    frontend: Arc<dyn Frontend>,
    begin: impl FnOnce(Handle) -> io::Result<()>,
) -> Result<(), SessionError> {
    let (sender, messages) = sync_channel(BACKLOG);
    let done = sender.clone();
    // Sending fails if the session is over, which is harmless.
    let on_done = move |engine| drop(done.send(Message::Done(engine)));
    let runner = Runner::thread("tasks")?;
    let session = Session::new(frontend, make_engine, runner, Arc::new(on_done))?;
    let is_abandoned = Arc::new(AtomicBool::new(false));
    begin(Handle(Route::Thread { sender, is_abandoned: is_abandoned.clone() }))?;
    session.run(&messages, &is_abandoned);
    Ok(())
}

impl Session {
    fn new(
        frontend: Arc<dyn Frontend>,
        make_engine: EngineMaker,
        runner: Runner,
        on_done: OnDone,
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
            lacks_position: false,
            task,
            runner,
            on_done,
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

    /// Accepts a command and executes it at once, unless it must wait.
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
            (Command::Quit, Some(task)) if task.ends_at_quit && self.waiting.is_empty() => {
                task.stop();
                self.waiting.push_back(command);
            }
            _ => self.waiting.push_back(command),
        }
        self.carry_on();
    }

    /// Takes back the engine from a finished task and continues with the waiting commands.
    fn done(&mut self, engine: Box<dyn Engine>) {
        self.engine = Some(engine);
        self.task = None;
        self.carry_on();
    }

    /// Executes the waiting commands that no longer have to wait.
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

    /// Executes a command that needs the engine.
    fn carry_out(&mut self, command: Command) -> Result<(), SessionError> {
        let began = Instant::now();
        let name = command.name();
        if matches!(command, Command::Position { .. } | Command::RejectPosition(_)) {
            self.lacks_position = true;
        }
        let Some(engine) = &mut self.engine else { return Err(SessionError::Busy(name)) };
        match command {
            Command::NewGame => {
                engine.new_game();
                self.settings.renew_seed();
                // Engines for other variants or thread counts may have been freed since the last game. Return
                // their memory to the operating system.
                system::return_memory();
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { fen, moves } => {
                let set_up = engine.set_position(fen.as_deref(), &moves);
                let ignored =
                    set_up.map_err(|error| SessionError::Position(format!("position: {error}")))?;
                self.lacks_position = false;
                for part in ignored {
                    self.say(Event::Remark(&format!("position: {part}")));
                }
            }
            Command::RejectPosition(reason) => return Err(SessionError::Position(reason)),
            Command::Go(_) if self.lacks_position => {
                self.say(Event::Error(&SessionError::NoPosition(name)));
                self.say(Event::BestMove(&SearchResult::default()));
            }
            Command::Perft(_) | Command::Evaluate | Command::Flip if self.lacks_position => {
                return Err(SessionError::NoPosition(name));
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
                self.start(TaskKind::Extra { task, options: Box::new(self.settings.clone()) });
            }
            Command::Display => self.frontend.hear(Event::Text(&engine.display())),
            Command::Evaluate => self.frontend.hear(Event::Text(&engine.explain_evaluation())),
            Command::Flip => engine.flip()?,
            // Handled by the callers.
            Command::Stop | Command::PonderHit | Command::Ready | Command::Say(_) => {}
            Command::Quit | Command::EndOfInput => {}
        }
        Ok(())
    }

    /// Sets an option, and reports the change to the frontend if the frontend needs to know.
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
        if self.settings.current_book() != before.current_book() {
            self.open_book()?;
        }
        Ok(())
    }

    /// Opens the book that the options select. If the book cannot be opened, no book is used.
    fn open_book(&mut self) -> Result<(), BookError> {
        self.book = None;
        if let Some((path, variant)) = self.settings.current_book() {
            self.book = Some(Book::open(path, variant)?);
        }
        Ok(())
    }

    /// Returns a move from the book, or `None` if the book has no move or the request is for analysis. The
    /// choice among the book's moves depends only on the seed of the game and the ply.
    fn answer_from_book(&self, request: &SearchRequest) -> Option<SearchResult> {
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
        Some(SearchResult { best: Some(best), ..SearchResult::default() })
    }

    /// Starts a task, which uses the engine until the task ends.
    fn start(&mut self, kind: TaskKind) {
        if let Some(engine) = self.engine.take() {
            let (task, work) = TaskHandle::new(kind, engine, self.frontend.clone());
            self.task = Some(task);
            let on_done = self.on_done.clone();
            let job: Job = Box::new(move || on_done(work()));
            self.runner.queue(job);
        }
    }

    fn say(&self, event: Event) {
        self.frontend.hear(event);
    }
}
