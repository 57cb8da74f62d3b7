//! How long engines may think: clocks, and limits for each move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value, json};

use crate::types::Color;

/// A clock's settings: so much time, for so many moves or for the whole game, and so much more
/// after each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves until `base` is added again; nothing for the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{found}' is no time control: write seconds and increment such as 8+0.08, with moves such as \
     40/60+0.5, or with minutes such as 1:30+1"
)]
pub struct TimeControlError {
    found: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads `[moves/]time[+increment]`, in seconds or `minutes:seconds`.
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

/// Seconds, with decimals; at most some months.
fn seconds_of(text: &str) -> Option<Duration> {
    // `f64` reads signs, exponents and names, too.
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

/// What limits an engine's thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Clock(TimeControl),
    /// For each move.
    MoveTime(Duration),
    Nodes(u64),
    Depth(u32),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Limit::Clock(control) => write!(f, "{control}"),
            Limit::MoveTime(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Limit::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

impl Limit {
    /// As the journal has it.
    pub fn to_json(&self) -> Value {
        match self {
            Limit::Clock(control) => json!({ "tc": control.to_string() }),
            Limit::MoveTime(time) => json!({ "movetime_ms": time.as_millis() as u64 }),
            Limit::Nodes(nodes) => json!({ "nodes": nodes }),
            Limit::Depth(depth) => json!({ "depth": depth }),
        }
    }

    /// As the tag `TimeControl` of a PGN has it; `-` where time does not limit.
    pub fn pgn(&self) -> String {
        match self {
            Limit::Clock(control) => control.to_string(),
            Limit::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
            Limit::Nodes(_) | Limit::Depth(_) => "-".to_owned(),
        }
    }
}

/// One side's clock.
#[derive(Clone, Copy, Debug)]
struct Clock {
    left: Duration,
    /// Until the next time control.
    moves_to_go: Option<u32>,
}

/// Both sides' time in a game.
#[derive(Clone, Debug)]
pub struct MatchClocks {
    limits: [Limit; 2],
    /// How much an engine may overrun its time: what passes between two processes is not its fault.
    margin: Duration,
    sides: [Clock; 2],
}

impl MatchClocks {
    /// Full clocks; the limits are White's and Black's.
    pub fn new(limits: [Limit; 2], margin: Duration) -> MatchClocks {
        let sides = limits.map(|limit| match limit {
            Limit::Clock(control) => Clock { left: control.base, moves_to_go: control.moves },
            _ => Clock { left: Duration::ZERO, moves_to_go: None },
        });
        MatchClocks { limits, margin, sides }
    }

    /// The `go` command for the side to move.
    pub fn command(&self, side: Color) -> String {
        match self.limits[side.index()] {
            Limit::Clock(own) => {
                // To a side with a clock, a side without one has the same.
                let [(white, winc), (black, binc)] = Color::ALL.map(|color| {
                    let (color, increment) = match self.limits[color.index()] {
                        Limit::Clock(control) => (color, control.increment),
                        _ => (side, own.increment),
                    };
                    (self.sides[color.index()].left.as_millis(), increment.as_millis())
                });
                let mut text = format!("go wtime {white} btime {black} winc {winc} binc {binc}");
                if let Some(moves) = self.sides[side.index()].moves_to_go {
                    text += &format!(" movestogo {moves}");
                }
                text
            }
            Limit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::Depth(depth) => format!("go depth {depth}"),
        }
    }

    /// What a side has for its next move; nothing if its time is not limited.
    pub fn left(&self, side: Color) -> Option<Duration> {
        match self.limits[side.index()] {
            Limit::Clock(_) => Some(self.sides[side.index()].left),
            Limit::MoveTime(time) => Some(time),
            Limit::Nodes(_) | Limit::Depth(_) => None,
        }
    }

    /// A side has used this time for its move. By how much it overran its time comes back, if it
    /// did and the margin does not cover it; what the margin covers costs nothing.
    pub fn spend(&mut self, side: Color, used: Duration) -> Option<Duration> {
        let left = self.left(side)?;
        if used > left.saturating_add(self.margin) {
            return Some(used - left);
        }
        if let Limit::Clock(control) = self.limits[side.index()] {
            let clock = &mut self.sides[side.index()];
            clock.left = left.saturating_sub(used) + control.increment;
            if let Some(moves) = &mut clock.moves_to_go {
                *moves -= 1;
                if *moves == 0 {
                    clock.left += control.base;
                    clock.moves_to_go = control.moves;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn time_controls_are_read_and_written() {
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
    fn a_clock_runs_down_and_is_filled_up() {
        let limit = Limit::Clock("2/1+0.1".parse().unwrap());
        let mut clocks = MatchClocks::new([limit; 2], ms(20));
        let go = "go wtime 1000 btime 1000 winc 100 binc 100 movestogo 2";
        assert_eq!(clocks.command(Color::White), go);
        assert_eq!(clocks.spend(Color::White, ms(400)), None);
        assert_eq!(clocks.left(Color::White), Some(ms(700)));
        assert_eq!(clocks.left(Color::Black), Some(ms(1_000)));
        // Within the margin: the clock is empty, not below.
        assert_eq!(clocks.spend(Color::White, ms(720)), None);
        assert_eq!(clocks.left(Color::White), Some(ms(1_100)));
        let go = "go wtime 1100 btime 1000 winc 100 binc 100 movestogo 2";
        assert_eq!(clocks.command(Color::White), go);
        assert_eq!(clocks.spend(Color::Black, ms(1_021)), Some(ms(21)));
    }

    #[test]
    fn other_limits_have_no_clock() {
        let mut clocks = MatchClocks::new([Limit::MoveTime(ms(50)); 2], ms(20));
        assert_eq!(clocks.command(Color::White), "go movetime 50");
        assert_eq!(clocks.spend(Color::White, ms(70)), None);
        assert_eq!(clocks.spend(Color::White, ms(71)), Some(ms(21)));
        let mut clocks = MatchClocks::new([Limit::Nodes(500); 2], ms(0));
        assert_eq!(clocks.command(Color::Black), "go nodes 500");
        assert_eq!(clocks.spend(Color::Black, ms(100_000)), None);
        assert_eq!(clocks.left(Color::Black), None);
        assert_eq!(
            MatchClocks::new([Limit::Depth(7); 2], ms(0)).command(Color::White),
            "go depth 7"
        );
    }

    #[test]
    fn each_side_has_its_own_limit() {
        let clock = |text: &str| Limit::Clock(text.parse().unwrap());
        let clocks = MatchClocks::new([clock("8+0.08"), clock("4+0.04")], ms(0));
        let go = "go wtime 8000 btime 4000 winc 80 binc 40";
        assert_eq!([Color::White, Color::Black].map(|side| clocks.command(side)), [go, go]);
        let clocks = MatchClocks::new([Limit::Nodes(500), clock("2/4")], ms(0));
        assert_eq!(clocks.command(Color::White), "go nodes 500");
        let go = "go wtime 4000 btime 4000 winc 0 binc 0 movestogo 2";
        assert_eq!(clocks.command(Color::Black), go);
    }

    #[test]
    fn limits_are_told_to_programs() {
        for (limit, json, tag) in [
            (Limit::Clock("40/60+0.5".parse().unwrap()), r#"{"tc":"40/60+0.5"}"#, "40/60+0.5"),
            (Limit::MoveTime(ms(100)), r#"{"movetime_ms":100}"#, "1/0.1"),
            (Limit::Nodes(500), r#"{"nodes":500}"#, "-"),
            (Limit::Depth(7), r#"{"depth":7}"#, "-"),
        ] {
            assert_eq!((limit.to_json().to_string().as_str(), limit.pgn().as_str()), (json, tag));
        }
    }
}
