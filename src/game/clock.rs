//! Chess clocks and time controls. The clocks do not read the time themselves: callers pass it in.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::host::Instant;
use crate::types::Color;

/// A time control: the time for a number of moves or for the whole game, and an increment per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The number of moves after which `base` is added again; `None` if `base` is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start of the game, which is added again after every `moves` moves.
    pub base: Duration,
    /// The time added after each move.
    pub increment: Duration,
}

/// The error for a text that is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{found}' is not a time control; examples: 8+0.08 (seconds and increment), 40/60+0.5 (40 moves in 60 \
     seconds), 1:30+1 (minutes and seconds)"
)]
pub struct TimeControlError {
    found: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Parses `[moves/]time[+increment]`. The time is in seconds or `minutes:seconds`, the increment in
    /// seconds.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let read = || -> Option<TimeControl> {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let base = match base.split_once(':') {
                Some((minutes, seconds)) => seconds_of(minutes)? * 60 + seconds_of(seconds)?,
                None => seconds_of(base)?,
            };
            let increment = seconds_of(increment)?;
            (!base.is_zero()).then_some(TimeControl { moves, base, increment })
        };
        read().ok_or_else(|| TimeControlError { found: crate::text::shorten(text) })
    }
}

/// Parses a number of seconds, possibly with decimals, up to 10 million (four months).
fn seconds_of(text: &str) -> Option<Duration> {
    // The parser of `f64` alone would also accept signs, exponents, `inf` and `NaN`.
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let seconds: f64 = text.parse().ok()?;
    (seconds <= 1e7).then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChessClock {
    /// The time control.
    pub control: TimeControl,
    /// The time left when the clock was last stopped.
    pub left: Duration,
    /// The number of moves made since the start of the game.
    pub moves: u32,
}

impl ChessClock {
    /// Creates a clock with the full time.
    pub const fn new(control: TimeControl) -> ChessClock {
        ChessClock { control, left: control.base, moves: 0 }
    }

    /// Returns the number of moves until `base` is added again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.control.moves.map(|moves| moves - self.moves % moves)
    }

    /// Subtracts the time of a move, adds the increment, and adds `base` if the time control is reached.
    pub fn spend(&mut self, used: Duration) {
        let is_last = self.moves_to_go() == Some(1);
        let added = if is_last { self.control.base } else { Duration::ZERO };
        self.left = self.left.saturating_sub(used) + self.control.increment + added;
        self.moves += 1;
    }
}

/// The clocks of both sides. Callers pass in the current time.
#[derive(Clone, Debug)]
pub struct Clocks {
    sides: [ChessClock; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Creates two stopped clocks with the full time.
    pub const fn new(control: TimeControl) -> Clocks {
        Clocks { sides: [ChessClock::new(control); 2], running: None }
    }

    /// Returns the time control.
    pub const fn control(&self) -> TimeControl {
        self.sides[0].control
    }

    /// Returns the side whose clock is running.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(color, _)| color)
    }

    /// Returns the time that a side has used since the side's clock was started.
    fn used(&self, color: Color, now: Instant) -> Duration {
        match self.running {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        }
    }

    /// Returns the time that a side has left.
    pub fn left(&self, color: Color, now: Instant) -> Duration {
        self.sides[color.index()].left.saturating_sub(self.used(color, now))
    }

    /// Returns the side whose time has run out.
    pub fn fallen(&self, now: Instant) -> Option<Color> {
        self.running().filter(|color| self.left(*color, now).is_zero())
    }

    /// Stops the running clock, if any.
    pub fn stop(&mut self, now: Instant) {
        if let Some(color) = self.running() {
            self.sides[color.index()].left = self.left(color, now);
        }
        self.running = None;
    }

    /// Starts a side's clock and stops the other one.
    pub fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Ends a move of a side: adds the side's increment, and starts the clock of the other side.
    pub fn press(&mut self, mover: Color, now: Instant) {
        let was_running = self.running().is_some();
        self.start(!mover, now);
        // Before the first move of a game, no clock runs.
        if was_running {
            self.sides[mover.index()].spend(Duration::ZERO);
        }
    }

    /// Sets the remaining time of both sides, and stops the clocks.
    pub fn set(&mut self, left: [Duration; 2]) {
        (self.sides[0].left, self.sides[1].left) = (left[0], left[1]);
        self.running = None;
    }

    /// Returns the number of moves until `base` is added again to a side's clock.
    pub fn moves_to_go(&self, color: Color) -> Option<u32> {
        self.sides[color.index()].moves_to_go()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn time_controls_round_trip() {
        for (text, moves, base, increment) in [
            ("8+0.08", None, 8_000, 80),
            ("1", None, 1_000, 0),
            ("40/60+0.5", Some(40), 60_000, 500),
            ("0.25+0.01", None, 250, 10),
        ] {
            let control: TimeControl = text.parse().unwrap();
            let expected = TimeControl { moves, base: ms(base), increment: ms(increment) };
            assert_eq!(control, expected);
            assert_eq!(control.to_string(), text);
        }
        assert_eq!("1:30+1".parse::<TimeControl>().unwrap().base, ms(90_000));
        for text in [
            "", "+1", "0+1", "x", "0/5", "-1", "1+-1", "1e9", "inf", "NaN", "1+", "1/2/3",
            "99999999",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clock_adds_increment_and_base() {
        let mut clock = ChessClock::new("2/1+0.1".parse().unwrap());
        let mut after = |used| {
            clock.spend(ms(used));
            (clock.left, clock.moves_to_go())
        };
        assert_eq!(after(400), (ms(700), Some(1)));
        assert_eq!(after(750), (ms(1_100), Some(2)), "the time left is never below zero");
        assert_eq!(after(0), (ms(1_200), Some(1)));
    }
}
