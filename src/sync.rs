//! The atomics, channels and threads of sessions and searches.
//!
//! Normal builds use the standard library and rayon. The model checkers of `engine-tests/races` use loom or
//! shuttle instead, which try many thread interleavings. WebAssembly has a single thread: where another
//! thread would wait for work, that thread does the work itself.

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

/// Waits for a message for at most `time`.
#[cfg(not(any(shuttle, target_family = "wasm")))]
pub fn receive<T>(receiver: &mpsc::Receiver<T>, time: Duration) -> Result<T, RecvTimeoutError> {
    receiver.recv_timeout(time)
}

/// Yields once to other threads or, in WebAssembly, to other work, and then receives a message if there is
/// one. The function ignores the time limit, because shuttle does not model time and WebAssembly has no other
/// thread to wait for.
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

/// Starts a pool of `threads` threads, at least one, each with `stack` bytes of stack.
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

/// Replaces [`rayon::ThreadPool`] and stands for rayon's global pool, which has only the current thread.
#[cfg(target_family = "wasm")]
pub struct ThreadPool;

/// Returns the pool that has only the current thread. The linker sets the stack size of this thread.
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

/// Runs `work` in a scope that can spawn work on the pool: see [`rayon::ThreadPool::in_place_scope`].
#[cfg(not(shuttle))]
pub fn scope<'scope, R>(threads: &ThreadPool, work: impl FnOnce(&rayon::Scope<'scope>) -> R) -> R {
    threads.in_place_scope(work)
}

/// Runs `work` in a scope that starts a new thread for each piece of spawned work.
#[cfg(shuttle)]
pub fn scope<'env, R>(
    _: &ThreadPool,
    work: impl for<'scope> FnOnce(&Scope<'scope, 'env>) -> R,
) -> R {
    thread::scope(|scope| work(&Scope(scope)))
}

/// Replaces [`rayon::Scope`].
#[cfg(shuttle)]
pub struct Scope<'scope, 'env: 'scope>(&'scope thread::Scope<'scope, 'env>);

#[cfg(shuttle)]
impl<'scope, 'env> Scope<'scope, 'env> {
    pub fn spawn(&self, work: impl FnOnce(&Scope<'scope, 'env>) + Send + 'scope) {
        let scope = self.0;
        self.0.spawn(move || work(&Scope(scope)));
    }
}
