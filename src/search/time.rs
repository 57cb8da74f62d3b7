//! Time management: how long a search may take.
//!
//! There are two limits. After the *soft* limit no new iteration begins. The stability of the search scales
//! the soft limit. At the *hard* limit the search stops immediately. The hard limit never exceeds the
//! remaining time of the clock minus the move overhead.
//!
//! Both limits count from the `go` command, even if the search ponders first, because pondering is useful
//! thinking too. The clock of the game starts later, at `ponderhit`, so the search can never overrun the
//! clock. If the soft limit has passed before `ponderhit`, the search ends immediately.
//!
//! With [`Limits::nodes_per_millisecond`], nodes take the place of time, and the hard limit becomes a node limit.
//! With one thread, a search then does not depend on the speed of the machine.

use std::time::Duration;

use super::limits::Limits;
use crate::host::Instant;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use crate::types::Color;

/// The number of moves to plan for without a further time control.
const MOVES_EXPECTED: f64 = 20.0;
/// The share of the increment that the soft limit includes.
const INCREMENT_SHARE: f64 = 0.75;
/// The maximum ratio of the hard limit to the soft limit.
const HARD_FACTOR: f64 = 4.5;
/// The maximum share of the remaining time for the hard limit.
const HARD_SHARE: f64 = 0.55;
/// The time that the hard limit keeps in reserve for pauses of the machine, at most half of the remaining
/// time. On an overloaded machine 13 of 20 games were lost on time with a reserve of 150 ms, and 19 of 60
/// games with 300 ms (benches/log.md, "Clocks").
const RESERVE: Duration = Duration::from_millis(300);
/// The reserve of the soft limit is at most the remaining time divided by this number. A larger reserve would
/// leave time unused at the end of games with a short clock.
const SOFT_RESERVE_DIVISOR: u32 = 6;
/// The maximum share of the remaining time for the last move before the time control.
const LAST_MOVE_SHARE: f64 = 0.9;

/// The clock of the side to move.
#[derive(Clone, Copy)]
struct Clock {
    remaining: Duration,
    /// The time added after each move.
    increment: Duration,
    /// The number of moves to the next time control, or `None` without a further time control.
    moves_to_go: Option<u32>,
}

impl Clock {
    fn new(limits: &Limits, side: Color) -> Option<Clock> {
        let of_side =
            |times: [Option<Duration>; 2]| times[side.index()].or(times[1 - side.index()]);
        let increment = of_side(limits.increment).unwrap_or_default();
        let moves_to_go = limits.moves_to_go;
        of_side(limits.time).map(|remaining| Clock { remaining, increment, moves_to_go })
    }
}

/// The time limits of one search.
#[derive(Debug)]
pub struct TimeManager {
    start: Instant,
    nodes_per_millisecond: Option<u64>,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// The soft limit in milliseconds from the start of the search, as scaled after the last iteration.
    enough_at: AtomicU64,
    /// Whether the search had passed the scaled soft limit at the last check while pondering.
    pondered_enough: AtomicBool,
}

/// The stability of a search's result at the end of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Stability {
    /// The number of iterations since the best move last changed.
    pub iterations: u32,
    /// The share of nodes spent on the best move, from 0 to 1.
    pub node_share: f64,
    /// The number of centipawns by which the score fell since the previous iteration; negative if the score
    /// rose.
    pub score_drop: i32,
    /// Whether there is only one root move.
    pub is_forced: bool,
}

impl TimeManager {
    /// Creates the limits for a search by this side that began at `start`. `overhead` is the time that each
    /// move takes outside the search.
    pub fn new(limits: &Limits, side: Color, start: Instant, overhead: Duration) -> TimeManager {
        let (enough_at, pondered_enough) = (AtomicU64::new(u64::MAX), AtomicBool::new(false));
        let mut manager = TimeManager {
            start,
            nodes_per_millisecond: limits.nodes_per_millisecond,
            soft: None,
            hard: None,
            enough_at,
            pondered_enough,
        };
        if let Some(time) = limits.move_time {
            manager.hard = Some(time.saturating_sub(overhead.min(time / 2)));
        }
        if let Some(clock) = Clock::new(limits, side) {
            let (soft, hard) = share(clock, overhead);
            manager.soft = Some(soft);
            manager.hard = Some(manager.hard.map_or(hard, |time| time.min(hard)));
        }
        manager
    }

    /// Returns the time since the `go` command.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the hard limit in nodes, if time is counted in nodes.
    pub fn node_limit(&self) -> Option<u64> {
        let nodes = self.hard?.as_micros() * u128::from(self.nodes_per_millisecond?) / 1_000;
        Some(u64::try_from(nodes).unwrap_or(u64::MAX).max(1))
    }

    /// Returns whether the search must stop immediately. Always `false` while the search ponders, and if time
    /// is counted in nodes.
    pub fn is_over(&self, is_pondering: bool) -> bool {
        self.is_over_after(self.elapsed(), is_pondering)
    }

    fn is_over_after(&self, elapsed: Duration, is_pondering: bool) -> bool {
        if self.nodes_per_millisecond.is_some() {
            return false;
        }
        if is_pondering {
            let is_enough = elapsed.as_millis() >= self.enough_at.load(Relaxed).into();
            self.pondered_enough.store(is_enough, Relaxed);
            return false;
        }
        self.pondered_enough.load(Relaxed) || self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// Returns whether no further iteration should begin after `nodes` nodes. While the search ponders, callers
    /// ignore the result.
    pub fn is_enough(&self, stability: Stability, nodes: u64) -> bool {
        let elapsed = match self.nodes_per_millisecond {
            Some(rate) => Duration::from_micros(nodes.saturating_mul(1_000) / rate.max(1)),
            None => self.elapsed(),
        };
        self.is_enough_after(elapsed, stability)
    }

    fn is_enough_after(&self, elapsed: Duration, stability: Stability) -> bool {
        let Some(soft) = self.soft else { return false };
        let stability_factor = 1.35 - 0.08 * f64::from(stability.iterations.min(8));
        let effort_factor = 1.7 - stability.node_share.clamp(0.0, 1.0);
        let trend_factor = 1.0 + f64::from(stability.score_drop.clamp(-20, 60)) / 120.0;
        let choice_factor = if stability.is_forced { 0.0 } else { 1.0 };
        let factor = stability_factor * effort_factor * trend_factor * choice_factor;
        let enough = soft.mul_f64(factor);
        self.enough_at.store(enough.as_millis() as u64, Relaxed);
        elapsed >= enough
    }
}

/// Returns the soft and the hard limit for one move.
fn share(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    // With less than the overhead left, move immediately.
    let left = clock.remaining.saturating_sub(overhead);
    let without = |reserve: Duration| (left - RESERVE.min(reserve)).as_secs_f64().max(0.000_5);
    let moves = clock
        .moves_to_go
        .map_or(MOVES_EXPECTED, |moves| (f64::from(moves.max(1))).min(MOVES_EXPECTED * 2.0));
    let increment = clock.increment.saturating_sub(overhead).as_secs_f64();
    // The overhead of all later moves, minus the part that the increments cover.
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

    /// Returns limits with White's clock, without an increment.
    fn of_clock(ms: u64) -> Limits {
        Limits { time: [Some(Duration::from_millis(ms)), None], ..Limits::default() }
    }

    #[test]
    fn a_single_clock_applies_to_both_sides() {
        let limits = Limits { increment: [None, Some(Duration::from_secs(3))], ..of_clock(5_000) };
        for side in Color::ALL {
            let Clock { remaining, increment, .. } = Clock::new(&limits, side).unwrap();
            assert_eq!([remaining, increment], [5, 3].map(Duration::from_secs));
        }
        let both = Limits { time: [5, 7].map(|time| Some(Duration::from_secs(time))), ..limits };
        assert_eq!(Clock::new(&both, Color::Black).unwrap().remaining, Duration::from_secs(7));
        assert!(Clock::new(&Limits::default(), Color::White).is_none());
    }

    #[test]
    fn limits_never_exceed_the_clock() {
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
        // Returns the time left after a move that takes as long as the hard limit allows.
        let kept = |ms| {
            let (_, hard) = share(clock(ms, 20, None), Duration::from_millis(10));
            ms - hard.as_millis() as u64
        };
        assert!(kept(2_000) >= 1_000 && kept(600) >= 400 && kept(300) >= 200, "{}", kept(300));
    }

    #[test]
    fn most_of_a_short_clock_is_used() {
        // In a game at 2+0.02, about a third of the two seconds is left after forty moves, for pauses and
        // long games.
        let mut left = Duration::from_millis(2_000);
        for _ in 0..40 {
            let (soft, _) =
                share(clock(left.as_millis() as u64, 20, None), Duration::from_millis(10));
            left = left + Duration::from_millis(20) - soft;
        }
        assert!((500..700).contains(&left.as_millis()), "{left:?}");
    }

    #[test]
    fn the_overhead_of_all_moves_is_subtracted() {
        // The clock shows one minute without an increment, and the overhead is 200 ms a move.
        let overhead = Duration::from_millis(200);
        let mut left = Duration::from_secs(60);
        for _ in 0..70 {
            let (soft, _) = share(clock(left.as_millis() as u64, 0, None), overhead);
            left = left.saturating_sub(soft + overhead);
        }
        assert!(left > Duration::from_millis(500), "{left:?}");
        // With one move left to the time control, the overhead is subtracted once.
        let (soft, _) = share(clock(600, 0, Some(1)), overhead);
        assert!(soft > Duration::from_millis(150), "{soft:?}");
    }

    #[test]
    fn a_stable_search_stops_earlier() {
        let start = Instant::now() - Duration::from_millis(1_000);
        let limits = of_clock(22_000);
        let manager = TimeManager::new(&limits, Color::White, start, Duration::ZERO);
        assert!(manager.is_enough(STABLE, 0) && !manager.is_enough(UNSTABLE, 0));
        assert!(!manager.is_over(false));
    }

    #[test]
    fn nodes_can_take_the_place_of_time() {
        let start = Instant::now() - Duration::from_secs(1_000);
        let limits = Limits { nodes_per_millisecond: Some(800), ..of_clock(22_000) };
        let manager = TimeManager::new(&limits, Color::White, start, Duration::ZERO);
        assert!(!manager.is_enough(STABLE, 400_000) && manager.is_enough(STABLE, 450_000));
        assert!(!manager.is_enough(UNSTABLE, 800_000));
        assert!(!manager.is_over(false), "the clock of the machine does not count");
        let (_, hard) = share(clock(22_000, 0, None), Duration::ZERO);
        assert_eq!(manager.node_limit(), Some(hard.as_micros() as u64 * 800 / 1_000));
        // The same holds for a fixed time.
        let move_time = Some(Duration::from_millis(50));
        let limits = Limits { move_time, nodes_per_millisecond: Some(10), ..Limits::default() };
        let manager = TimeManager::new(&limits, Color::White, start, Duration::ZERO);
        assert_eq!(manager.node_limit(), Some(500));
    }

    const STABLE: Stability =
        Stability { iterations: 8, node_share: 0.95, score_drop: -10, is_forced: false };
    const UNSTABLE: Stability =
        Stability { iterations: 0, node_share: 0.2, score_drop: 50, is_forced: false };

    #[test]
    fn a_search_past_its_soft_limit_stops_at_ponderhit() {
        let manager = || {
            let limits = of_clock(60_000);
            TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO)
        };
        let after = Duration::from_millis;
        let (pondering, playing) = (true, false);
        // The search is past its soft limit, but not past its hard limit, when `ponderhit` comes during an
        // iteration.
        let long = manager();
        assert!(!long.is_enough_after(after(900), STABLE), "an iteration ends");
        assert!(!long.is_over_after(after(8_000), pondering));
        assert!(long.is_over_after(after(8_001), playing));
        // The iteration may continue if the search does not ponder, or if the search stops pondering before
        // the soft limit.
        let (none, short) = (manager(), manager());
        for manager in [&none, &short] {
            assert!(!manager.is_enough_after(after(900), STABLE));
        }
        assert!(!none.is_over_after(after(8_001), playing));
        assert!(!short.is_over_after(after(950), pondering));
        assert!(!short.is_over_after(after(8_001), playing));
        // The most recent iteration decides. Here the search has become unstable, so the search continues at
        // `ponderhit`.
        let unstable = manager();
        assert!(!unstable.is_enough_after(after(900), STABLE));
        assert!(!unstable.is_over_after(after(3_000), pondering));
        assert!(!unstable.is_enough_after(after(3_500), UNSTABLE));
        assert!(!unstable.is_over_after(after(4_000), pondering));
        assert!(!unstable.is_over_after(after(4_001), playing));
        // Before the first iteration ends, only the hard limit counts.
        let unknown = manager();
        assert!(!unknown.is_over_after(after(8_000), pondering));
        assert!(!unknown.is_over_after(after(8_001), playing));
        assert!(unknown.is_over_after(after(60_000), playing));
        // A forced move needs no time.
        let forced = manager();
        assert!(forced.is_enough_after(after(1), Stability { is_forced: true, ..UNSTABLE }));
        assert!(!forced.is_over_after(after(2), pondering));
        assert!(forced.is_over_after(after(3), playing));
    }

    #[test]
    fn pondering_never_adds_to_the_hard_limit() {
        let limits = of_clock(60_000);
        let manager = TimeManager::new(&limits, Color::White, Instant::now(), Duration::ZERO);
        let (_, hard) = share(clock(60_000, 0, None), Duration::ZERO);
        for pondered in [Duration::ZERO, hard / 2, hard, 10 * hard] {
            assert!(!manager.is_over_after(pondered, true));
            // The hard limit applies from `ponderhit` on, when the clock starts.
            assert!(manager.is_over_after(pondered.max(hard), false));
        }
    }

    #[test]
    fn a_fixed_move_time_is_kept() {
        let limits = Limits { move_time: Some(Duration::from_millis(500)), ..Limits::default() };
        let past = |ms| Instant::now() - Duration::from_millis(ms);
        let overhead = Duration::from_millis(10);
        assert!(!TimeManager::new(&limits, Color::White, past(400), overhead).is_over(false));
        assert!(TimeManager::new(&limits, Color::White, past(491), overhead).is_over(false));
        assert!(!TimeManager::new(&limits, Color::White, past(491), overhead).is_over(true));
    }
}
