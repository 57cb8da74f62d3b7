use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::{Event, Frontend, SessionError};
use crate::engine::{Answer, Control, Engine, Request};
use crate::host::Instant;
use crate::rules::Variant;
use crate::tablebase::Prober;

/// Work that the program adds, such as a bench: a task that ends by itself. It prints through the
/// frontend.
#[derive(Clone)]
pub struct ExtraTask {
    pub(super) name: &'static str,
    /// Whether `quit` waits for its end, as scripts expect that send both at once.
    is_short: bool,
    work: Arc<ExtraWork>,
}

type ExtraWork = dyn Fn(Variant, &Control, &dyn Frontend) -> Result<(), SessionError> + Send + Sync;

impl ExtraTask {
    /// Work with the command's name. It is given the session's variant, and ends soon after `stop`
    /// of the control is set. `quit` waits for the end of work that `is_short`.
    pub fn new(
        name: &'static str,
        is_short: bool,
        work: impl Fn(Variant, &Control, &dyn Frontend) -> Result<(), SessionError>
        + Send
        + Sync
        + 'static,
    ) -> ExtraTask {
        ExtraTask { name, is_short, work: Arc::new(work) }
    }
}

impl fmt::Debug for ExtraTask {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The same work, not one like it.
impl PartialEq for ExtraTask {
    fn eq(&self, other: &ExtraTask) -> bool {
        Arc::ptr_eq(&self.work, &other.work)
    }
}

impl Eq for ExtraTask {}

/// The depth to which `quit` waits for a perft: seconds on either board.
const LONGEST_SHORT_PERFT: u32 = 5;

/// What a task is to do.
pub(super) enum TaskKind {
    Search { request: Box<Request>, began: Instant },
    Perft { depth: u32, chess960: bool },
    Extra { task: ExtraTask, variant: Variant },
}

/// The work of a task, which another thread does; gives the engine back.
pub(super) type Work = Box<dyn FnOnce() -> Box<dyn Engine> + Send>;

/// The session's hold on a task.
pub(super) struct TaskHandle {
    pub control: Arc<Control>,
    /// Whether `quit` ends it; otherwise that waits.
    pub ends_at_quit: bool,
    is_limited: bool,
    /// A weak player's infinite search, which its few nodes end early.
    waits_for_stop: bool,
}

impl TaskHandle {
    /// The hold on a task, and the work, to be done soon.
    pub fn new(
        kind: TaskKind,
        mut engine: Box<dyn Engine>,
        frontend: Arc<dyn Frontend>,
    ) -> (TaskHandle, Work) {
        let control = Arc::new(Control::default());
        let ends_at_quit = match &kind {
            TaskKind::Search { .. } => true,
            TaskKind::Perft { depth, .. } => *depth > LONGEST_SHORT_PERFT,
            TaskKind::Extra { task, .. } => !task.is_short,
        };
        let mut task = TaskHandle {
            control: control.clone(),
            ends_at_quit,
            is_limited: true,
            waits_for_stop: false,
        };
        if let TaskKind::Search { request, .. } = &kind {
            // In a finished position there is nothing to search.
            task.is_limited = request.is_limited() || engine.any_move(false).is_none();
            task.waits_for_stop =
                !task.is_limited && request.limits.infinite && request.elo.is_some();
            control.pondering.store(request.limits.ponder, Relaxed);
        }
        let work = move || {
            let run = || kind.run(engine.as_mut(), &control, frontend.as_ref());
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                kind.excuse(engine.as_ref(), frontend.as_ref());
            }
            engine
        };
        (task, Box::new(work))
    }

    pub fn stop(&self) {
        self.control.stop.store(true, Relaxed);
    }

    /// Whether no limit ends the task: only a command does, or the last depth.
    pub fn is_endless(&self) -> bool {
        let is_free = !self.is_limited || self.control.pondering.load(Relaxed);
        is_free && !self.control.stop.load(Relaxed)
    }

    /// Whether the answer must wait for `stop` or `ponderhit`.
    pub fn holds_answer(&self) -> bool {
        let waits = self.waits_for_stop || self.control.pondering.load(Relaxed);
        waits && !self.control.stop.load(Relaxed)
    }
}

impl TaskKind {
    fn run(&self, engine: &mut dyn Engine, control: &Control, frontend: &dyn Frontend) {
        match self {
            TaskKind::Search { request, began } => {
                let answer = engine.search(request, *began, control, frontend);
                let fault = request.prober.as_ref().and_then(Prober::take_fault);
                if let Some(fault) = fault {
                    frontend.hear(Event::Error(&SessionError::Tablebase(fault.to_owned())));
                }
                // Stopped before it began, a search may have no answer.
                let best = answer.best.or_else(|| engine.any_move(request.chess960));
                frontend.hear(Event::BestMove(&Answer { best, ..answer }));
            }
            TaskKind::Perft { depth, chess960 } => {
                match engine.perft(*depth, *chess960, &control.stop) {
                    Some(counts) => {
                        let sum = counts.iter().fold(0, |sum: u64, one| sum.saturating_add(one.1));
                        let total = if *depth == 0 { 1 } else { sum };
                        frontend.hear(Event::Perft { counts: &counts, total });
                    }
                    None => frontend.hear(Event::Error(&SessionError::Stopped("perft"))),
                }
            }
            TaskKind::Extra { task, variant } => {
                if let Err(error) = (task.work)(*variant, control, frontend) {
                    frontend.hear(Event::Error(&error));
                }
            }
        }
    }

    /// What is said instead of a result after a fault of our own.
    fn excuse(&self, engine: &dyn Engine, frontend: &dyn Frontend) {
        frontend.hear(Event::Error(&SessionError::Internal));
        if let TaskKind::Search { request, .. } = self {
            let best = engine.any_move(request.chess960);
            frontend.hear(Event::BestMove(&Answer { best, ponder: None, nodes: 0 }));
        }
    }
}
