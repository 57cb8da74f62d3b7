//! Where the flags, channels and threads of sessions and searches come from: the standard library
//! and rayon, or else what tries many orders in which threads may run and see each other's writes.
//! Those builds are for the models in `engine-tests/races` alone. In WebAssembly there is one thread:
//! where rayon would wait for work, that thread does it.

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
#[cfg(not(any(shuttle, target_family = "wasm")))]
pub fn receive<T>(receiver: &mpsc::Receiver<T>, time: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(time)
}

/// The same where there is no time: it passes when other threads, or other work, have had a turn.
#[cfg(any(shuttle, target_family = "wasm"))]
pub fn receive<T>(receiver: &mpsc::Receiver<T>, _: Duration) -> Result<T, RecvTimeoutError> {
    #[cfg(shuttle)]
    thread::yield_now();
    #[cfg(target_family = "wasm")]
    rayon::yield_now();
    receiver.try_recv().map_err(|error| match error {
        std::sync::mpsc::TryRecvError::Empty => RecvTimeoutError::Timeout,
        std::sync::mpsc::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
    })
}

#[cfg(not(target_family = "wasm"))]
pub use rayon::ThreadPool;

/// A pool of this many threads, at least one, with so many bytes of stack.
#[cfg(not(target_family = "wasm"))]
pub fn thread_pool(
    threads: usize,
    stack: usize,
) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .stack_size(stack)
        .thread_name(|index| format!("search {index}"))
        .build()
}

/// Stands for [`rayon::ThreadPool`]: rayon's own pool, which is the one thread there is.
#[cfg(target_family = "wasm")]
pub struct ThreadPool;

/// The one thread there is, with the stack that the linker gave it.
#[cfg(target_family = "wasm")]
pub fn thread_pool(_: usize, _: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    Ok(ThreadPool)
}

#[cfg(target_family = "wasm")]
impl ThreadPool {
    pub fn install<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }

    fn in_place_scope<'scope, R>(&self, work: impl FnOnce(&rayon::Scope<'scope>) -> R) -> R {
        rayon::in_place_scope(work)
    }
}

/// Work on the threads of a pool, as [`rayon::ThreadPool::in_place_scope`] has it.
#[cfg(not(shuttle))]
pub fn scope<'scope, R>(threads: &ThreadPool, work: impl FnOnce(&rayon::Scope<'scope>) -> R) -> R {
    threads.in_place_scope(work)
}

/// The same on as many threads as there is work.
#[cfg(shuttle)]
pub fn scope<'env, R>(
    _: &ThreadPool,
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
