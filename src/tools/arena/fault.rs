//! Faults of engines. Each loses the game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A fault of an engine, with details for an investigation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fault {
    /// The process has exited.
    Crash { status: String, said: String },
    /// It made no move, long after its time was over.
    Hang { waited_ms: u64 },
    /// It did not answer with `uciok` or `readyok`.
    Silent { word: String, waited_ms: u64 },
    /// It exceeded its time.
    TimeLoss { over_ms: u64 },
    /// The rules or the dice do not allow its move.
    Illegal { found: String, reason: String },
    /// It could not be restarted.
    NoStart { reason: String },
}

impl Fault {
    /// The name of the kind.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Crash { .. } => "crash",
            Fault::Hang { .. } | Fault::Silent { .. } => "hang",
            Fault::TimeLoss { .. } => "time loss",
            Fault::Illegal { .. } => "illegal move",
            Fault::NoStart { .. } => "failed start",
        }
    }

    /// Whether the process must be restarted.
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
                write!(f, "did not move within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Fault::Silent { word, waited_ms } => {
                write!(f, "did not say '{word}' within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Fault::TimeLoss { over_ms } => write!(f, "overran its time by {over_ms} ms"),
            Fault::Illegal { found, reason } => {
                write!(f, "answered '{found}', which is illegal: {reason}")
            }
            Fault::NoStart { reason } => write!(f, "could not be restarted: {reason}"),
        }
    }
}
