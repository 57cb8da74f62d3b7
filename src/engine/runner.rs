//! Runs jobs on another thread or, on hosts without threads, later on the caller's thread.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sync::mpsc::{Sender, channel};
use crate::sync::thread;

/// Work to be done once, such as a search.
pub type Job = Box<dyn FnOnce() + Send>;

/// A queue of jobs that are run one after another. Dropping the runner does not cancel queued jobs.
#[derive(Clone)]
pub enum Runner {
    /// Jobs run on a thread of their own. The thread ends when the last clone of the runner is dropped.
    Thread(Sender<Job>),
    /// Jobs run on the thread that calls [`Runner::take`]. This is for hosts without threads.
    InPlace(Arc<Mutex<VecDeque<Job>>>),
}

impl Runner {
    /// Creates a runner with a thread of the given name.
    pub fn thread(name: &str) -> io::Result<Runner> {
        let (jobs, received) = channel::<Job>();
        let work = move || received.into_iter().for_each(|job| job());
        thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(Runner::Thread(jobs))
    }

    /// Creates a runner without a thread.
    pub fn in_place() -> Runner {
        Runner::InPlace(Arc::default())
    }

    /// Queues a job. Returns `false` if the thread has ended.
    pub fn queue(&self, job: Job) -> bool {
        match self {
            Runner::Thread(jobs) => jobs.send(job).is_ok(),
            Runner::InPlace(jobs) => {
                jobs.lock().unwrap_or_else(PoisonError::into_inner).push_back(job);
                true
            }
        }
    }

    /// Removes and returns the next job, which the caller must run. Returns `None` if the queue is empty
    /// or the runner has a thread.
    pub fn take(&self) -> Option<Job> {
        let Runner::InPlace(jobs) = self else { return None };
        jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
