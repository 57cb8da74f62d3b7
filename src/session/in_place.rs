//! A session that runs its tasks on the caller's thread, for hosts without threads.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::task::{TaskHandle, Work};
use super::{Command, EngineMaker, Event, Frontend, Session, SessionError};
use crate::engine::{Answer, Engine, Line, LineListener};
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A session that runs its tasks on the thread that sends commands. More commands may arrive from within,
/// while a task reports or reads the clock.
pub(super) struct InPlace {
    session: Mutex<Session>,
    frontend: Arc<AnswerHolder>,
    /// The work of a new task, until it is run.
    work: Arc<Mutex<Option<Work>>>,
    /// The engine of a finished task whose answer is still held back.
    done: Mutex<Option<Box<dyn Engine>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InPlace {
    pub fn new(
        make_engine: EngineMaker,
        frontend: Arc<dyn Frontend>,
    ) -> Result<InPlace, SessionError> {
        let (is_at_work, answer) = (AtomicBool::new(false), Mutex::default());
        let frontend = Arc::new(AnswerHolder { frontend, is_at_work, answer });
        let work = Arc::new(Mutex::new(None));
        let place = work.clone();
        let runner = Box::new(move |work| *lock(&place) = Some(work));
        let session = Mutex::new(Session::new(frontend.clone(), make_engine, runner)?);
        Ok(InPlace { session, frontend, work, done: Mutex::new(None) })
    }

    /// Executes a command and the task it may start. Returns `false` if the session is over. During a task,
    /// the command waits or acts on the task.
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
            // Not inside the `if let`, which would hold the lock while the work runs.
            let work = lock(&self.work).take();
            if let Some(work) = work {
                self.frontend.is_at_work.store(true, Relaxed);
                let engine = work();
                self.frontend.is_at_work.store(false, Relaxed);
                *lock(&self.done) = Some(engine);
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

/// Holds back the answer of a search until `stop` or `ponderhit`.
struct AnswerHolder {
    frontend: Arc<dyn Frontend>,
    is_at_work: AtomicBool,
    answer: Mutex<Option<Answer>>,
}

impl AnswerHolder {
    fn release(&self) {
        let answer = lock(&self.answer).take();
        answer.iter().for_each(|answer| self.frontend.hear(Event::BestMove(answer)));
    }
}

impl Frontend for AnswerHolder {
    fn hear(&self, event: Event) {
        match event {
            Event::BestMove(answer) if self.is_at_work.load(Relaxed) => {
                *lock(&self.answer) = Some(answer.clone());
            }
            event => self.frontend.hear(event),
        }
    }
}

impl LineListener for AnswerHolder {
    fn line(&self, line: &Line) {
        self.frontend.line(line);
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        self.frontend.current_move(depth, mv, number);
    }

    fn wants_san(&self) -> bool {
        self.frontend.wants_san()
    }
}
