//! Runs work outside its caller: on another thread, or later on the same one where there are no threads.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sync::mpsc::{Sender, channel};
use crate::sync::thread;

/// A piece of work, such as a search.
pub type Job = Box<dyn FnOnce() + Send>;

/// Runs jobs one after another. The jobs of a dropped runner are still run.
#[derive(Clone)]
pub enum Runner {
    /// On a thread that ends with the last clone of the runner.
    Thread(Sender<Job>),
    /// On the thread that [takes](Runner::take) them, for hosts without threads.
    InPlace(Arc<Mutex<VecDeque<Job>>>),
}

impl Runner {
    /// Starts a thread with this name.
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

    /// Takes the next job to run on this thread. There is none if the runner has a thread.
    pub fn take(&self) -> Option<Job> {
        let Runner::InPlace(jobs) = self else { return None };
        jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}
