use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use std::{io, iter};

use super::folder::{Folder, Repair};
use super::identity::{identity, searcher};
use super::{DatagenError, play};
use crate::attacks::Board;
use crate::eval::nnue::Network;
use crate::rules::on_board;
use crate::search::pool::STACK;
use crate::tools::data::{Counts, DatagenSettings, Share};
use crate::tools::shard::Shard;

/// How often progress is told, and the work looked after.
const TICK: Duration = Duration::from_millis(200);
/// How often the manifest is brought up to date.
const MANIFEST_EVERY: Duration = Duration::from_secs(5);

/// When there are enough games. What comes first counts; without a condition there are never
/// enough.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DatagenGoal {
    /// So many in the set, those of earlier runs included: the ones with the first indices.
    pub games: Option<u32>,
    /// Which part of that number of games, all if nothing is said of their number.
    pub shard: Shard,
    /// No game begins after this time; those in progress are finished.
    pub time: Option<Duration>,
}

impl DatagenGoal {
    /// The indices of the games to be made.
    pub fn range(&self) -> Range<u32> {
        let DatagenGoal { games, shard, .. } = *self;
        games.map_or(0..u32::MAX, |games| Share { shard, games }.range())
    }

    /// The part of the set that they are, if they are one.
    fn share(&self) -> Option<Share> {
        let games = self.games.filter(|_| !self.shard.is_whole())?;
        Some(Share { shard: self.shard, games })
    }
}

/// What to make, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct DatagenPlan {
    pub folder: PathBuf,
    pub settings: DatagenSettings,
    /// The file of the network that evaluates.
    pub network: Vec<u8>,
    pub goal: DatagenGoal,
    pub threads: usize,
}

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DatagenProgress {
    /// All that the set has.
    pub total: Counts,
    /// What this run has made of it.
    pub made: Counts,
    /// Searched plies of this run.
    pub searched: u64,
    /// Since this run began.
    pub elapsed: Duration,
    /// Games still to be made, if their number is the goal.
    pub missing: Option<u64>,
}

/// What is told of a run.
#[derive(Debug)]
pub enum DatagenEvent<'a> {
    /// The set has games already.
    Resumed { games: u64 },
    /// The file was damaged, and was cut off there.
    Repaired(&'a Repair),
    /// Some times a second.
    Progress(&'a DatagenProgress),
}

/// Makes games until the goal is reached.
pub fn run(
    plan: &DatagenPlan,
    report: &mut dyn FnMut(DatagenEvent),
) -> Result<DatagenProgress, DatagenError> {
    plan.settings.check()?;
    let board = plan.settings.variant.board();
    // On a thread of its own, because searches want a larger stack than callers may have.
    let identity = thread::scope(|scope| {
        let worker = search_thread().spawn_scoped(scope, || identity(board, &plan.network));
        join(worker.map_err(DatagenError::Thread)?)
    })?;
    let (folder, present, repair) =
        Folder::open(&plan.folder, &plan.settings, identity, plan.goal.share())?;
    if let Some(repair) = &repair {
        report(DatagenEvent::Repaired(repair));
    }
    if folder.manifest.counts.games > 0 {
        report(DatagenEvent::Resumed { games: folder.manifest.counts.games });
    }
    let shared = Shared::new(plan, folder, present);
    on_board!(board, |G| {
        let network = Network::<G>::from_bytes(&plan.network)?;
        shared.run(&Arc::new(network), report)
    })
}

fn search_thread() -> thread::Builder {
    thread::Builder::new().name("datagen".to_owned()).stack_size(STACK)
}

fn join<T>(worker: thread::ScopedJoinHandle<T>) -> T {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What the threads of a run share.
struct Shared<'a> {
    plan: &'a DatagenPlan,
    began: Instant,
    /// Games that there were at the beginning.
    present: HashSet<u32>,
    /// How many of the goal were missing then.
    wanted: Option<u64>,
    next: AtomicU32,
    /// Set when a thread has failed: no further game begins.
    stop: AtomicBool,
    output: Mutex<Output>,
}

/// What changes with each game.
struct Output {
    folder: Folder,
    made: Counts,
    searched: u64,
}

impl<'a> Shared<'a> {
    fn new(plan: &'a DatagenPlan, folder: Folder, present: HashSet<u32>) -> Shared<'a> {
        let range = plan.goal.range();
        let wanted = plan.goal.games.map(|_| {
            let there = present.iter().filter(|index| range.contains(index)).count();
            (range.len() - there) as u64
        });
        Shared {
            plan,
            began: Instant::now(),
            present,
            wanted,
            next: AtomicU32::new(range.start),
            stop: AtomicBool::new(false),
            output: Mutex::new(Output { folder, made: Counts::default(), searched: 0 }),
        }
    }

    fn run<G: Board>(
        &self,
        network: &Arc<Network<G>>,
        report: &mut dyn FnMut(DatagenEvent),
    ) -> Result<DatagenProgress, DatagenError> {
        let worked = thread::scope(|scope| {
            // Nothing is ever sent; when every thread has dropped its end, all are done.
            let (alive, over) = mpsc::channel::<()>();
            let workers: io::Result<Vec<_>> = iter::repeat_n(alive, self.plan.threads.max(1))
                .map(|alive| search_thread().spawn_scoped(scope, move || self.work(network, alive)))
                .collect();
            let workers = self.stop_if_failed(workers.map_err(DatagenError::Thread))?;
            let watched = self.stop_if_failed(self.watch(&over, report));
            workers.into_iter().map(join).fold(watched, Result::and)
        });
        // Also after a failure: the manifest shall count the games that there are.
        let written = self.write_manifest();
        worked.and(written)?;
        Ok(self.progress())
    }

    /// Tells of the progress until all threads are done.
    fn watch(
        &self,
        over: &mpsc::Receiver<()>,
        report: &mut dyn FnMut(DatagenEvent),
    ) -> Result<(), DatagenError> {
        let mut written = Instant::now();
        while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            report(DatagenEvent::Progress(&self.progress()));
            if written.elapsed() >= MANIFEST_EVERY {
                self.write_manifest()?;
                written = Instant::now();
            }
        }
        Ok(())
    }

    /// Brings the manifest up to date, while games go on being written.
    fn write_manifest(&self) -> Result<(), DatagenError> {
        let (manifest, path) = {
            let folder = &self.output().folder;
            (folder.manifest.clone(), folder.manifest_path())
        };
        Ok(manifest.write(&path)?)
    }

    /// After a failure no further game begins.
    fn stop_if_failed<T>(&self, result: Result<T, DatagenError>) -> Result<T, DatagenError> {
        result.inspect_err(|_| self.stop.store(true, Relaxed))
    }

    /// What one thread does: a game, and the next.
    fn work<G: Board>(
        &self,
        network: &Arc<Network<G>>,
        _alive: Sender<()>,
    ) -> Result<(), DatagenError> {
        self.stop_if_failed(self.play_games(network))
    }

    fn play_games<G: Board>(&self, network: &Arc<Network<G>>) -> Result<(), DatagenError> {
        let DatagenPlan { settings, .. } = self.plan;
        let mut searcher = searcher(settings.hash, Arc::clone(network))?;
        while let Some(index) = self.next_index() {
            let record = play(&mut searcher, settings, index)?;
            let mut output = self.output();
            let added = output.folder.add(&record)?;
            output.made += added;
            output.searched += added.plies - u64::from(record.random_plies);
        }
        Ok(())
    }

    /// The first game that is neither there nor being played, if it is wanted.
    fn next_index(&self) -> Option<u32> {
        loop {
            let is_late = self.plan.goal.time.is_some_and(|time| self.began.elapsed() >= time);
            if is_late || self.stop.load(Relaxed) {
                return None;
            }
            let index = self.next.fetch_add(1, Relaxed);
            if index >= self.plan.goal.range().end {
                self.next.store(index, Relaxed); // not on to an overflow
                return None;
            }
            if !self.present.contains(&index) {
                return Some(index);
            }
        }
    }

    fn progress(&self) -> DatagenProgress {
        let output = self.output();
        DatagenProgress {
            total: output.folder.manifest.counts,
            made: output.made,
            searched: output.searched,
            elapsed: self.began.elapsed(),
            missing: self.wanted.map(|wanted| wanted.saturating_sub(output.made.games)),
        }
    }

    /// A thread that panicked has left nothing half done here: games are counted after they are
    /// written.
    fn output(&self) -> std::sync::MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
