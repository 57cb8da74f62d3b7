//! Where the flags, channels and threads of sessions and searches come from: the standard library
//! and rayon, or else what tries many orders in which threads may run and see each other's writes.
//! Those builds are for the models in `engine-tests/races` alone.

#[cfg(not(any(loom, shuttle)))]
pub use std::sync::atomic;
#[cfg(not(shuttle))]
pub use std::{sync::mpsc, thread};

#[cfg(loom)]
pub use loom::sync::atomic;
#[cfg(shuttle)]
pub use shuttle::{
    sync::{atomic, mpsc},
    thread,
};

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// What comes by the channel within this time.
#[cfg(not(shuttle))]
pub fn receive<T>(receiver: &mpsc::Receiver<T>, time: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(time)
}

/// The same where there is no time: it passes when other threads have had a turn.
#[cfg(shuttle)]
pub fn receive<T>(receiver: &mpsc::Receiver<T>, _: Duration) -> Result<T, RecvTimeoutError> {
    thread::yield_now();
    receiver.try_recv().map_err(|error| match error {
        std::sync::mpsc::TryRecvError::Empty => RecvTimeoutError::Timeout,
        std::sync::mpsc::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
    })
}

/// Work on the threads of a pool, as [`rayon::ThreadPool::in_place_scope`] has it.
#[cfg(not(shuttle))]
pub fn scope<'scope, R>(
    threads: &rayon::ThreadPool,
    work: impl FnOnce(&rayon::Scope<'scope>) -> R,
) -> R {
    threads.in_place_scope(work)
}

/// The same on as many threads as there is work.
#[cfg(shuttle)]
pub fn scope<'env, R>(
    _: &rayon::ThreadPool,
    work: impl for<'scope> FnOnce(&Scope<'scope, 'env>) -> R,
) -> R {
    thread::scope(|scope| work(&Scope(scope)))
}

/// Stands for [`rayon::Scope`].
#[cfg(shuttle)]
pub struct Scope<'scope, 'env: 'scope>(&'scope thread::Scope<'scope, 'env>);

#[cfg(shuttle)]
impl<'scope, 'env> Scope<'scope, 'env> {
    pub fn spawn(&self, work: impl FnOnce(&Scope<'scope, 'env>) + Send + 'scope) {
        let scope = self.0;
        self.0.spawn(move || work(&Scope(scope)));
    }
}
