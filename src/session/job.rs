use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::{Door, Event, SessionError};
use crate::engine::{Answer, Control, Engine, Line, Reporter, Request};
use crate::lab::bench;
use crate::lab::opening::Genfens;
use crate::rules::Variant;
use crate::tablebase::Prober;

/// What a job is to do.
pub(super) enum JobKind {
    Search { request: Box<Request>, began: Instant, show_wdl: bool },
    Perft { depth: u32, chess960: bool },
    Bench(Option<u32>),
    Genfens { order: Genfens, variant: Variant },
}

/// The work of a job, which another thread does; gives the engine back.
pub(super) type Work = Box<dyn FnOnce() -> Box<dyn Engine> + Send>;

/// The session's hold on a job.
pub(super) struct JobHandle {
    pub control: Arc<Control>,
    pub is_search: bool,
    is_limited: bool,
}

impl JobHandle {
    /// The hold on a job, and the work, to be done soon.
    pub fn new(
        kind: JobKind,
        mut engine: Box<dyn Engine>,
        door: Arc<dyn Door>,
    ) -> (JobHandle, Work) {
        let control = Arc::new(Control::default());
        let mut job = JobHandle { control: control.clone(), is_search: false, is_limited: true };
        if let JobKind::Search { request, .. } = &kind {
            job.is_search = true;
            job.is_limited = request.is_limited();
            control.pondering.store(request.limits.ponder, Relaxed);
        }
        let work = move || {
            let run = || kind.run(engine.as_mut(), &control, door.as_ref());
            if catch_unwind(AssertUnwindSafe(run)).is_err() {
                kind.excuse(engine.as_ref(), door.as_ref());
            }
            engine
        };
        (job, Box::new(work))
    }

    pub fn stop(&self) {
        self.control.stop.store(true, Relaxed);
    }

    /// Whether only a command ends it.
    pub fn is_endless(&self) -> bool {
        let is_free = !self.is_limited || self.control.pondering.load(Relaxed);
        is_free && !self.control.stop.load(Relaxed)
    }
}

impl JobKind {
    fn run(&self, engine: &mut dyn Engine, control: &Control, door: &dyn Door) {
        match self {
            JobKind::Search { request, began, show_wdl } => {
                let relay = Relay { door, show_wdl: *show_wdl };
                let answer = engine.search(request, *began, control, &relay);
                let fault = request.prober.as_ref().and_then(Prober::take_fault);
                if let Some(fault) = fault {
                    door.hear(Event::Error(&SessionError::Tablebase(fault.to_owned())));
                }
                // Stopped before it began, a search may have no answer.
                let best = answer.best.or_else(|| engine.any_move(request.chess960));
                door.hear(Event::BestMove(&Answer { best, ..answer }));
            }
            JobKind::Perft { depth, chess960 } => {
                match engine.perft(*depth, *chess960, &control.stop) {
                    Some(counts) => {
                        let sum = counts.iter().fold(0, |sum: u64, one| sum.saturating_add(one.1));
                        let total = if *depth == 0 { 1 } else { sum };
                        door.hear(Event::Perft { counts: &counts, total });
                    }
                    None => door.hear(Event::Error(&SessionError::Stopped("perft"))),
                }
            }
            JobKind::Bench(depth) => {
                let mut say = |line: String| door.hear(Event::Text(&line));
                match bench::run(*depth, control, &mut say) {
                    Some(total) => say(total.to_string()),
                    None => door.hear(Event::Error(&SessionError::Stopped("bench"))),
                }
            }
            JobKind::Genfens { order, variant } => {
                let mut say = |fen: &str| door.hear(Event::Remark(&format!("genfens {fen}")));
                if let Err(error) = order.run(*variant, &control.stop, &mut say) {
                    door.hear(Event::Error(&error.into()));
                }
            }
        }
    }

    /// What is said instead of a result after a fault of our own.
    fn excuse(&self, engine: &dyn Engine, door: &dyn Door) {
        door.hear(Event::Error(&SessionError::Internal));
        if let JobKind::Search { request, .. } = self {
            let best = engine.any_move(request.chess960);
            door.hear(Event::BestMove(&Answer { best, ponder: None, nodes: 0 }));
        }
    }
}

/// Passes on what a search reports.
struct Relay<'a> {
    door: &'a dyn Door,
    show_wdl: bool,
}

impl Reporter for Relay<'_> {
    fn line(&self, line: &Line) {
        self.door.hear(Event::Line { line, show_wdl: self.show_wdl });
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        self.door.hear(Event::CurrentMove { depth, mv, number });
    }

    fn wants_san(&self) -> bool {
        self.door.wants_san()
    }
}
