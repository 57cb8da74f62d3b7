use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::task::{TaskHandle, Work};
use super::{Command, EngineMaker, Event, Frontend, Session, SessionError};
use crate::engine::{Answer, Engine, Line, LineListener};
use crate::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A session whose tasks are done by who sends commands. More commands may come from within, while
/// a task reports or looks at the clock.
pub(super) struct InPlace {
    session: Mutex<Session>,
    frontend: Arc<Holding>,
    /// The task that has begun, until it is done.
    work: Arc<Mutex<Option<Work>>>,
    /// The engine of a task that is done, until its end is wanted.
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
        let frontend = Arc::new(Holding { frontend, is_at_work, answer });
        let work = Arc::new(Mutex::new(None));
        let place = work.clone();
        let runner = Box::new(move |work| *lock(&place) = Some(work));
        let session = Mutex::new(Session::new(frontend.clone(), make_engine, runner)?);
        Ok(InPlace { session, frontend, work, done: Mutex::new(None) })
    }

    /// Carries out a command with all that follows; `false` if the session is over. During a task,
    /// the command waits or acts on it.
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
            // Not in the `if`, which would keep the lock.
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

/// Keeps the answer of a search back until its end is wanted.
struct Holding {
    frontend: Arc<dyn Frontend>,
    is_at_work: AtomicBool,
    answer: Mutex<Option<Answer>>,
}

impl Holding {
    fn release(&self) {
        let answer = lock(&self.answer).take();
        answer.iter().for_each(|answer| self.frontend.hear(Event::BestMove(answer)));
    }
}

impl Frontend for Holding {
    fn hear(&self, event: Event) {
        match event {
            Event::BestMove(answer) if self.is_at_work.load(Relaxed) => {
                *lock(&self.answer) = Some(answer.clone());
            }
            event => self.frontend.hear(event),
        }
    }
}

impl LineListener for Holding {
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
