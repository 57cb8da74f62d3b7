//! A session that runs tasks on the caller's thread, for hosts without threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::task::TaskHandle;
use super::{Command, EngineMaker, Event, Frontend, Session, SessionError};
use crate::engine::{Engine, Runner, SearchInfo, SearchListener, SearchResult};
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A session that runs tasks on the thread that sends commands. A running task calls the frontend and the
/// host's clock, and both may send more commands during such a call.
pub(super) struct InPlace {
    session: Mutex<Session>,
    frontend: Arc<ResultHolder>,
    runner: Runner,
    /// The engine of a finished task, until the session takes it back.
    done: Arc<Mutex<Option<Box<dyn Engine>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InPlace {
    pub fn new(
        make_engine: EngineMaker,
        frontend: Arc<dyn Frontend>,
    ) -> Result<InPlace, SessionError> {
        let (is_at_work, result) = (AtomicBool::new(false), Mutex::default());
        let frontend = Arc::new(ResultHolder { frontend, is_at_work, result });
        let (runner, done) = (Runner::in_place(), Arc::new(Mutex::new(None)));
        let place = done.clone();
        let on_done = Arc::new(move |engine| *lock(&place) = Some(engine));
        let session = Session::new(frontend.clone(), make_engine, runner.clone(), on_done)?;
        Ok(InPlace { session: Mutex::new(session), frontend, runner, done })
    }

    /// Executes a command, including a task that the command starts. If a task is already running, the
    /// command waits or acts on the task. Returns `false` if the session is over.
    pub fn send(&self, command: Command) -> bool {
        let mut session = lock(&self.session);
        if session.is_over {
            return false;
        }
        session.take(command);
        drop(session);
        self.proceed();
        !lock(&self.session).is_over
    }

    pub fn has_task(&self) -> bool {
        lock(&self.session).task.is_some()
    }

    fn proceed(&self) {
        loop {
            if let Some(job) = self.runner.take() {
                self.frontend.is_at_work.store(true, Relaxed);
                job();
                self.frontend.is_at_work.store(false, Relaxed);
            }
            let mut session = lock(&self.session);
            if session.task.as_ref().is_some_and(TaskHandle::holds_answer) {
                return;
            }
            let Some(engine) = lock(&self.done).take() else { return };
            self.frontend.release();
            session.done(engine);
        }
    }
}

/// A frontend that passes events on to another frontend, but holds back the result of a search until
/// [`ResultHolder::release`] is called.
struct ResultHolder {
    frontend: Arc<dyn Frontend>,
    is_at_work: AtomicBool,
    result: Mutex<Option<SearchResult>>,
}

impl ResultHolder {
    fn release(&self) {
        let result = lock(&self.result).take();
        result.iter().for_each(|result| self.frontend.hear(Event::BestMove(result)));
    }
}

impl Frontend for ResultHolder {
    fn hear(&self, event: Event) {
        match event {
            Event::BestMove(result) if self.is_at_work.load(Relaxed) => {
                *lock(&self.result) = Some(result.clone());
            }
            event => self.frontend.hear(event),
        }
    }
}

impl SearchListener for ResultHolder {
    fn info(&self, info: &SearchInfo) {
        self.frontend.info(info);
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        self.frontend.current_move(depth, mv, number);
    }
}
