//! Tasks that need the engine: searches, perfts and extra work of the program.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::{Event, Frontend, OptionValues, SessionError};
use crate::engine::{Control, Engine, SearchRequest, SearchResult};
use crate::host::Instant;
use crate::tablebase::Prober;

/// Extra work of the program, such as a bench, that runs as a task of the session and ends by itself.
#[derive(Clone)]
pub struct ExtraTask {
    pub(super) name: &'static str,
    /// Whether `quit` waits until the work ends. This is useful for scripts that send the command and `quit`
    /// together.
    is_short: bool,
    work: Arc<ExtraWork>,
}

type ExtraWork =
    dyn Fn(&OptionValues, &Control, &dyn Frontend) -> Result<(), SessionError> + Send + Sync;

impl ExtraTask {
    /// Creates extra work. `name` is the name of the command that starts the work. `is_short` says whether
    /// `quit` waits until the work ends. The function `work` receives the session's options and reports to the
    /// frontend. It must return soon after the `stop` flag of the control is set.
    pub fn new(
        name: &'static str,
        is_short: bool,
        work: impl Fn(&OptionValues, &Control, &dyn Frontend) -> Result<(), SessionError>
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

/// Two tasks are equal if they share the same closure. The contents of closures cannot be compared.
impl PartialEq for ExtraTask {
    fn eq(&self, other: &ExtraTask) -> bool {
        Arc::ptr_eq(&self.work, &other.work)
    }
}

impl Eq for ExtraTask {}

/// The maximum depth at which `quit` waits for a perft to finish. A perft of this depth takes a few seconds
/// on either board.
const LONGEST_SHORT_PERFT: u32 = 5;

/// The kind of a task and its parameters.
pub(super) enum TaskKind {
    Search { request: Box<SearchRequest>, began: Instant },
    Perft { depth: u32, chess960: bool },
    Extra { task: ExtraTask, options: Box<OptionValues> },
}

/// The session's handle on a running task.
pub(super) struct TaskHandle {
    pub control: Arc<Control>,
    /// Whether `quit` stops the task instead of waiting for it.
    pub ends_at_quit: bool,
    is_limited: bool,
    /// Whether the task is an infinite search of limited strength. The node limit of a weak player ends the
    /// search early, but the best move must not be sent before `stop`.
    waits_for_stop: bool,
}

impl TaskHandle {
    /// Creates a task. Returns the handle and the function that does the work and returns the engine.
    pub fn new(
        kind: TaskKind,
        mut engine: Box<dyn Engine>,
        frontend: Arc<dyn Frontend>,
    ) -> (TaskHandle, impl FnOnce() -> Box<dyn Engine> + Send + use<>) {
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
            // A search ends by itself if there is no legal move.
            task.is_limited = request.limits.is_limited() || engine.any_move(false).is_none();
            task.waits_for_stop =
                !task.is_limited && request.limits.infinite && request.elo.is_some();
            control.pondering.store(request.limits.ponder, Relaxed);
        }
        let work = move || {
            let run = || kind.run(engine.as_mut(), &control, frontend.as_ref());
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                kind.report_panic(engine.as_ref(), frontend.as_ref());
            }
            engine
        };
        (task, work)
    }

    pub fn stop(&self) {
        self.control.stop.store(true, Relaxed);
    }

    /// Whether the task is a search that goes on until a command stops it or the maximum depth is reached.
    pub fn is_endless(&self) -> bool {
        let is_free = !self.is_limited || self.control.pondering.load(Relaxed);
        is_free && !self.control.stop.load(Relaxed)
    }

    /// Whether the result of the task must be held back until `stop` or `ponderhit`.
    pub fn holds_answer(&self) -> bool {
        let waits = self.waits_for_stop || self.control.pondering.load(Relaxed);
        waits && !self.control.stop.load(Relaxed)
    }
}

impl TaskKind {
    fn run(&self, engine: &mut dyn Engine, control: &Control, frontend: &dyn Frontend) {
        match self {
            TaskKind::Search { request, began } => {
                let mut result = engine.search(request, *began, control, frontend);
                // A search without a limit may end by itself. Commands that arrive before the session has the
                // engine back must then wait, as they do after a stop, instead of being rejected. Setting the
                // flag has this effect.
                let is_held = control.pondering.load(Relaxed)
                    || request.limits.infinite && request.elo.is_some();
                if !is_held {
                    control.stop.store(true, Relaxed);
                }
                let error = request.prober.as_ref().and_then(Prober::take_error);
                if let Some(error) = error {
                    frontend.hear(Event::Error(&SessionError::Tablebase(error.to_owned())));
                }
                // A search that was stopped before it started may have no best move. Any legal move is the
                // answer then.
                result.best = result.best.or_else(|| engine.any_move(request.chess960));
                frontend.hear(Event::BestMove(&result));
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
            TaskKind::Extra { task, options } => {
                if let Err(error) = (task.work)(options, control, frontend) {
                    frontend.hear(Event::Error(&error));
                }
            }
        }
    }

    /// Reports an internal error. If the task is a search, answers with an arbitrary legal move.
    fn report_panic(&self, engine: &dyn Engine, frontend: &dyn Frontend) {
        frontend.hear(Event::Error(&SessionError::Internal));
        if let TaskKind::Search { request, .. } = self {
            let best = engine.any_move(request.chess960);
            frontend.hear(Event::BestMove(&SearchResult { best, ..SearchResult::default() }));
        }
    }
}
