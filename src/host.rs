//! The clock and the random bits of the host. They come from the standard library or, in WebAssembly, from
//! the page (`src/wasm/host.js`).

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::{Instant, poll, random_bits};

/// Does nothing. A search calls `poll` regularly. In WebAssembly, `page::poll` is called instead, which lets
/// the page do other work during the search.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub const fn poll() {}

/// Returns bits that differ from call to call. The bits come from the standard library's hashers, which the
/// system seeds.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn random_bits() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page {
    use std::ops::Add;
    use std::time::Duration;

    // SAFETY: `src/wasm/host.js` supplies functions of these types, which do not access the program's memory.
    #[link(wasm_import_module = "aleator")]
    unsafe extern "C" {
        /// Milliseconds since an arbitrary moment, as returned by `performance.now()`.
        safe fn now() -> f64;
        safe fn random() -> u64;
        #[link_name = "poll"]
        safe fn poll_page();
    }

    pub fn poll() {
        poll_page();
    }

    pub fn random_bits() -> u64 {
        random()
    }

    /// Replaces [`std::time::Instant`]: the time since the page's clock started.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(Duration::from_secs_f64(now() / 1_000.0))
        }

        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}
