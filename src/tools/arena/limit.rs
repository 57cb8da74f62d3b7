//! Limits of engines: clocks, and fixed limits per move.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use crate::game::{ChessClock, TimeControl};
use crate::types::Color;

/// How long an engine may think about its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Clock(TimeControl),
    /// A fixed time for each move.
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
    /// Converts the limit to JSON for the journal.
    pub fn to_json(&self) -> Value {
        match self {
            Limit::Clock(control) => json!({ "tc": control.to_string() }),
            Limit::MoveTime(time) => json!({ "movetime_ms": time.as_millis() as u64 }),
            Limit::Nodes(nodes) => json!({ "nodes": nodes }),
            Limit::Depth(depth) => json!({ "depth": depth }),
        }
    }

    /// Returns the value of the PGN tag `TimeControl`. The value is `-` if time is not limited.
    pub fn pgn(&self) -> String {
        match self {
            Limit::Clock(control) => control.to_string(),
            Limit::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
            Limit::Nodes(_) | Limit::Depth(_) => "-".to_owned(),
        }
    }
}

/// The clocks and limits of both sides in a game.
#[derive(Clone, Debug)]
pub struct MatchClocks {
    limits: [Limit; 2],
    /// How far an engine may exceed its time. The margin allows for the communication between processes.
    margin: Duration,
    /// The clocks by side. A side without a time control has no clock.
    sides: [Option<ChessClock>; 2],
}

impl MatchClocks {
    /// Creates clocks with their full initial time. `limits` are White's and Black's.
    pub fn new(limits: [Limit; 2], margin: Duration) -> MatchClocks {
        let sides = limits.map(|limit| match limit {
            Limit::Clock(control) => Some(ChessClock::new(control)),
            _ => None,
        });
        MatchClocks { limits, margin, sides }
    }

    /// Returns the `go` command for the side to move.
    pub fn command(&self, side: Color) -> String {
        match self.limits[side.index()] {
            Limit::Clock(control) => {
                let own = self.sides[side.index()].unwrap_or(ChessClock::new(control));
                // UCI needs both clocks. An opponent without a clock is reported to have the mover's clock.
                let [(white, winc), (black, binc)] = self.sides.map(|clock| {
                    let clock = clock.unwrap_or(own);
                    (clock.left.as_millis(), clock.control.increment.as_millis())
                });
                let moves = own.moves_to_go().map(|moves| format!(" movestogo {moves}"));
                let moves = moves.unwrap_or_default();
                format!("go wtime {white} btime {black} winc {winc} binc {binc}{moves}")
            }
            Limit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::Depth(depth) => format!("go depth {depth}"),
        }
    }

    /// Returns the time that a side has for its next move, or `None` if its time is not limited.
    pub fn left(&self, side: Color) -> Option<Duration> {
        match self.limits[side.index()] {
            Limit::MoveTime(time) => Some(time),
            _ => self.sides[side.index()].map(|clock| clock.left),
        }
    }

    /// Deducts the time of a move from a side's clock. Returns the excess if the move took longer than the
    /// remaining time plus the margin. A smaller excess only empties the clock.
    pub fn spend(&mut self, side: Color, used: Duration) -> Option<Duration> {
        let left = self.left(side)?;
        if used > left.saturating_add(self.margin) {
            return Some(used - left);
        }
        self.sides[side.index()].iter_mut().for_each(|clock| clock.spend(used));
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
    fn a_clock_runs_down_and_is_incremented() {
        let limit = Limit::Clock("2/1+0.1".parse().unwrap());
        let mut clocks = MatchClocks::new([limit; 2], ms(20));
        let go = "go wtime 1000 btime 1000 winc 100 binc 100 movestogo 2";
        assert_eq!(clocks.command(Color::White), go);
        assert_eq!(clocks.spend(Color::White, ms(400)), None);
        assert_eq!(clocks.left(Color::White), Some(ms(700)));
        assert_eq!(clocks.left(Color::Black), Some(ms(1_000)));
        // A move that exceeds the time by no more than the margin only empties the clock.
        assert_eq!(clocks.spend(Color::White, ms(720)), None);
        assert_eq!(clocks.left(Color::White), Some(ms(1_100)));
        let go = "go wtime 1100 btime 1000 winc 100 binc 100 movestogo 2";
        assert_eq!(clocks.command(Color::White), go);
        assert_eq!(clocks.spend(Color::Black, ms(1_021)), Some(ms(21)));
    }

    #[test]
    fn limits_per_move_have_no_clock() {
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
    fn each_side_can_have_its_own_limit() {
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
    fn limits_are_written_to_journals_and_pgn() {
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
