//! What the standard library has from the system: a clock and random bits. In the WebAssembly of a page
//! there is no system, and the page gives them (`src/wasm/host.js`).

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use page::{Instant, poll, random_bits};

/// Called now and then in a search: lets the page act from within it, where there is no other thread.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub const fn poll() {}

/// Bits that differ from call to call: the standard library seeds its hashers from the system's
/// random numbers.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn random_bits() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page {
    use std::ops::Add;
    use std::time::Duration;

    // SAFETY: `src/wasm/host.js` gives functions of these types. They touch no memory of ours.
    #[link(wasm_import_module = "aleator")]
    unsafe extern "C" {
        /// Milliseconds since some moment, as `performance.now()` has them.
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

    /// Stands for [`std::time::Instant`]: the time since the page's clock began.
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
