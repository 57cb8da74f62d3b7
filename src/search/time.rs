//! How long a search may take.
//!
//! Two limits: the *soft* one, at which no new iteration begins, stretched or shrunk by how
//! settled the search is; and the *hard* one, at which it stops wherever it is. The hard limit
//! never exceeds what the clock has, less the overhead of the way to the clock and back. Both
//! count from the `go` command, also for a search that pondered first: what was thought on the
//! opponent's time is thought. Its clock starts later, at `ponderhit`, so that it has more left than
//! the hard limit allows. If the soft limit had passed by then, the search ends at once.

use std::time::Duration;

use super::limits::{Clock, Limits};
use crate::host::Instant;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Without a number of moves to the time control: expect this many more.
const MOVES_EXPECTED: f64 = 20.0;
/// Of the increment, this share is spent at once.
const INCREMENT_SHARE: f64 = 0.75;
/// The hard limit is this many times the soft one...
const HARD_FACTOR: f64 = 4.5;
/// ...and at most this share of what is left on the clock.
const HARD_SHARE: f64 = 0.55;
/// Kept back by the hard limit for the moment when the machine does something else, but never more
/// than half of the clock. On a crowded machine 13 of 20 games were lost on time with 150 ms, 19 of
/// 60 with 300 ms, when the soft limit kept as much (benches/RESULTS.md, "Clocks").
const RESERVE: Duration = Duration::from_millis(300);
/// The soft limit keeps back no more than the clock divided by this: a short clock would else end
/// with time that was never used.
const SOFT_RESERVE_DIVISOR: u32 = 6;
/// With one move to the control there is no reason to keep much.
const LAST_MOVE_SHARE: f64 = 0.9;

/// The time limits of one search.
#[derive(Debug)]
pub struct TimeManager {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// Milliseconds from the start to the soft limit, as the last iteration stretched it.
    enough_at: AtomicU64,
    /// Whether the search had reached it when it was last seen to ponder.
    pondered_enough: AtomicBool,
}

/// How settled a search is, at the end of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Stability {
    /// Iterations since the best move last changed.
    pub iterations: u32,
    /// Share of the nodes that went into the best move, 0 to 1.
    pub node_share: f64,
    /// By how many centipawns the score fell since the iteration before (negative: rose).
    pub score_drop: i32,
    /// Whether there is nothing to choose from: then no thought is needed.
    pub is_forced: bool,
}

impl TimeManager {
    /// Limits for a search that began at `start`; `overhead` is lost on each move outside it.
    pub fn new(limits: &Limits, start: Instant, overhead: Duration) -> TimeManager {
        let (enough_at, pondered_enough) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
        let mut manager = TimeManager { start, soft: None, hard: None, enough_at, pondered_enough };
        if let Some(time) = limits.move_time {
            manager.hard = Some(time.saturating_sub(overhead.min(time / 2)));
        }
        if let Some(clock) = limits.clock {
            let (soft, hard) = share(clock, overhead);
            manager.soft = Some(soft);
            manager.hard = Some(manager.hard.map_or(hard, |time| time.min(hard)));
        }
        manager
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must stop where it is. While it ponders it need not.
    pub fn is_over(&self, is_pondering: bool) -> bool {
        self.is_over_after(self.elapsed(), is_pondering)
    }

    fn is_over_after(&self, elapsed: Duration, is_pondering: bool) -> bool {
        if is_pondering {
            let is_enough = elapsed.as_millis() >= self.enough_at.load(Relaxed).into();
            self.pondered_enough.store(is_enough, Relaxed);
            return false;
        }
        self.pondered_enough.load(Relaxed) || self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Whether another iteration should not begin, unless the search ponders.
    pub fn is_enough(&self, stability: Stability) -> bool {
        self.is_enough_after(self.elapsed(), stability)
    }

    fn is_enough_after(&self, elapsed: Duration, stability: Stability) -> bool {
        let Some(soft) = self.soft else { return false };
        let settled = 1.35 - 0.08 * f64::from(stability.iterations.min(8));
        let effort = 1.7 - stability.node_share.clamp(0.0, 1.0);
        let trend = 1.0 + f64::from(stability.score_drop.clamp(-20, 60)) / 120.0;
        let choice = if stability.is_forced { 0.0 } else { 1.0 };
        let enough = soft.mul_f64(settled * effort * trend * choice);
        self.enough_at.store(enough.as_millis() as u64, Relaxed);
        elapsed >= enough
    }
}

/// The soft and the hard limit for one move of a clock.
fn share(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    // Below the overhead there is nothing to share: move at once.
    let left = clock.remaining.saturating_sub(overhead);
    let without = |reserve: Duration| (left - RESERVE.min(reserve)).as_secs_f64().max(0.000_5);
    let moves = clock
        .moves_to_go
        .map_or(MOVES_EXPECTED, |moves| (f64::from(moves.max(1))).min(MOVES_EXPECTED * 2.0));
    let increment = clock.increment.saturating_sub(overhead).as_secs_f64();
    // What the moves after this one lose, where the increment does not give it back.
    let lost = overhead.saturating_sub(clock.increment).as_secs_f64() * (moves - 1.0);
    let shared = (without(left / SOFT_RESERVE_DIVISOR) - lost).max(0.000_5);
    let soft = shared / moves + INCREMENT_SHARE * increment;
    let most = if moves < 1.5 { LAST_MOVE_SHARE } else { HARD_SHARE };
    let hard = (soft * HARD_FACTOR).min(without(left / 2) * most);
    (Duration::from_secs_f64(soft.min(hard)), Duration::from_secs_f64(hard))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(ms: u64, inc: u64, moves_to_go: Option<u32>) -> Clock {
        let (remaining, increment) = (Duration::from_millis(ms), Duration::from_millis(inc));
        Clock { remaining, increment, moves_to_go }
    }

    #[test]
    fn never_more_than_the_clock_has() {
        let overhead = Duration::from_millis(10);
        for ms in [0, 1, 5, 10, 11, 50, 1_000, 60_000, 10_000_000] {
            for inc in [0, 10, 1_000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = share(clock(ms, inc, moves), overhead);
                    let left = Duration::from_millis(ms.saturating_sub(10).max(1));
                    assert!(
                        soft <= hard && hard <= left,
                        "{ms} {inc} {moves:?}: {soft:?} {hard:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_reserve_is_kept_for_pauses_of_the_machine() {
        // What is kept back at the most that a move may take.
        let kept = |ms| {
            let (_, hard) = share(clock(ms, 20, None), Duration::from_millis(10));
            ms - hard.as_millis() as u64
        };
        assert!(kept(2_000) >= 1_000 && kept(600) >= 400 && kept(300) >= 200, "{}", kept(300));
    }

    #[test]
    fn a_short_clock_is_used() {
        // A game of 2 s and 20 ms a move: after forty moves a third is left, for pauses and long games.
        let mut left = Duration::from_millis(2_000);
        for _ in 0..40 {
            let (soft, _) =
                share(clock(left.as_millis() as u64, 20, None), Duration::from_millis(10));
            left = left + Duration::from_millis(20) - soft;
        }
        assert!((500..700).contains(&left.as_millis()), "{left:?}");
    }

    #[test]
    fn each_move_pays_for_the_way_to_the_clock_and_back() {
        // A minute without an increment, of which every move loses 200 ms on its way.
        let overhead = Duration::from_millis(200);
        let mut left = Duration::from_secs(60);
        for _ in 0..70 {
            let (soft, _) = share(clock(left.as_millis() as u64, 0, None), overhead);
            left = left.saturating_sub(soft + overhead);
        }
        assert!(left > Duration::from_millis(500), "{left:?}");
        // The last move to the control pays once.
        let (soft, _) = share(clock(600, 0, Some(1)), overhead);
        assert!(soft > Duration::from_millis(150), "{soft:?}");
    }

    #[test]
    fn a_settled_search_stops_earlier() {
        let start = Instant::now() - Duration::from_millis(1_000);
        let limits = Limits { clock: Some(clock(22_000, 0, None)), ..Limits::default() };
        let manager = TimeManager::new(&limits, start, Duration::ZERO);
        assert!(manager.is_enough(CALM) && !manager.is_enough(WILD) && !manager.is_over(false));
    }

    const CALM: Stability =
        Stability { iterations: 8, node_share: 0.95, score_drop: -10, is_forced: false };
    const WILD: Stability =
        Stability { iterations: 0, node_share: 0.2, score_drop: 50, is_forced: false };

    #[test]
    fn who_has_pondered_long_enough_stops_at_ponderhit() {
        let manager = || {
            let limits = Limits { clock: Some(clock(60_000, 0, None)), ..Limits::default() };
            TimeManager::new(&limits, Instant::now(), Duration::ZERO)
        };
        let after = Duration::from_millis;
        let (pondering, playing) = (true, false);
        // Between the soft limit and the hard one, within an iteration.
        let long = manager();
        assert!(!long.is_enough_after(after(900), CALM), "an iteration ends");
        assert!(!long.is_over_after(after(8_000), pondering));
        assert!(long.is_over_after(after(8_001), playing));
        // Without pondering the iteration may go on, and after a short time so it may with it.
        let (none, short) = (manager(), manager());
        for manager in [&none, &short] {
            assert!(!manager.is_enough_after(after(900), CALM));
        }
        assert!(!none.is_over_after(after(8_001), playing));
        assert!(!short.is_over_after(after(950), pondering));
        assert!(!short.is_over_after(after(8_001), playing));
        // The last iteration decides: here it makes the search doubt.
        let doubts = manager();
        assert!(!doubts.is_enough_after(after(900), CALM));
        assert!(!doubts.is_over_after(after(3_000), pondering));
        assert!(!doubts.is_enough_after(after(3_500), WILD));
        assert!(!doubts.is_over_after(after(4_000), pondering));
        assert!(!doubts.is_over_after(after(4_001), playing));
        // Nothing is known before the first iteration ends, but the hard limit counts.
        let unknown = manager();
        assert!(!unknown.is_over_after(after(8_000), pondering));
        assert!(!unknown.is_over_after(after(8_001), playing));
        assert!(unknown.is_over_after(after(60_000), playing));
        // A forced move needs no time of the clock.
        let forced = manager();
        assert!(forced.is_enough_after(after(1), Stability { is_forced: true, ..WILD }));
        assert!(!forced.is_over_after(after(2), pondering));
        assert!(forced.is_over_after(after(3), playing));
    }

    #[test]
    fn pondering_never_adds_to_the_hard_limit() {
        let limits = Limits { clock: Some(clock(60_000, 0, None)), ..Limits::default() };
        let manager = TimeManager::new(&limits, Instant::now(), Duration::ZERO);
        let (_, hard) = share(clock(60_000, 0, None), Duration::ZERO);
        for pondered in [Duration::ZERO, hard / 2, hard, 10 * hard] {
            assert!(!manager.is_over_after(pondered, true));
            // From `ponderhit` on, when the clock starts.
            assert!(manager.is_over_after(pondered.max(hard), false));
        }
    }

    #[test]
    fn a_fixed_time_is_kept() {
        let limits = Limits { move_time: Some(Duration::from_millis(500)), ..Limits::default() };
        let past = |ms| Instant::now() - Duration::from_millis(ms);
        let overhead = Duration::from_millis(10);
        assert!(!TimeManager::new(&limits, past(400), overhead).is_over(false));
        assert!(TimeManager::new(&limits, past(491), overhead).is_over(false));
        assert!(!TimeManager::new(&limits, past(491), overhead).is_over(true));
    }
}
