//! What engines can do wrong. Each fault loses the game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A fault of an engine, with what a person needs to look into it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fault {
    /// The process ended.
    Crash { status: String, said: String },
    /// No move came, long after the time was over.
    Hang { waited_ms: u64 },
    /// No `uciok` or `readyok` came.
    Silent { word: String, waited_ms: u64 },
    /// The clock ran out.
    TimeLoss { over_ms: u64 },
    /// The rules, or the dice, do not allow the move.
    Illegal { found: String, reason: String },
    /// The engine could not be started again.
    NoStart { reason: String },
}

impl Fault {
    /// The kind, for counting.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Crash { .. } => "crash",
            Fault::Hang { .. } | Fault::Silent { .. } => "hang",
            Fault::TimeLoss { .. } => "time loss",
            Fault::Illegal { .. } => "illegal move",
            Fault::NoStart { .. } => "failed start",
        }
    }

    /// Whether the process is of no use any more.
    pub const fn needs_restart(&self) -> bool {
        !matches!(self, Fault::TimeLoss { .. } | Fault::Illegal { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Crash { status, said } => {
                f.write_str("crashed")?;
                if !status.is_empty() {
                    write!(f, " ({status})")?;
                }
                if !said.is_empty() {
                    write!(f, ", saying: {said}")?;
                }
                Ok(())
            }
            Fault::Hang { waited_ms } => {
                write!(f, "made no move within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Fault::Silent { word, waited_ms } => {
                write!(f, "did not say '{word}' within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Fault::TimeLoss { over_ms } => write!(f, "overran its time by {over_ms} ms"),
            Fault::Illegal { found, reason } => {
                write!(f, "answered '{found}', which is illegal: {reason}")
            }
            Fault::NoStart { reason } => write!(f, "did not start again: {reason}"),
        }
    }
}
