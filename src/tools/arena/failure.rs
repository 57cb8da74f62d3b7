//! Engine failures. Each loses the game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An engine failure, with details for an investigation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Failure {
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

impl Failure {
    /// The name of the kind.
    pub const fn name(&self) -> &'static str {
        match self {
            Failure::Crash { .. } => "crash",
            Failure::Hang { .. } | Failure::Silent { .. } => "hang",
            Failure::TimeLoss { .. } => "time loss",
            Failure::Illegal { .. } => "illegal move",
            Failure::NoStart { .. } => "failed start",
        }
    }

    /// Whether the process must be restarted.
    pub const fn needs_restart(&self) -> bool {
        !matches!(self, Failure::TimeLoss { .. } | Failure::Illegal { .. })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Crash { status, said } => {
                f.write_str("crashed")?;
                if !status.is_empty() {
                    write!(f, " ({status})")?;
                }
                if !said.is_empty() {
                    write!(f, ", saying: {said}")?;
                }
                Ok(())
            }
            Failure::Hang { waited_ms } => {
                write!(f, "did not move within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Failure::Silent { word, waited_ms } => {
                write!(f, "did not say '{word}' within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Failure::TimeLoss { over_ms } => write!(f, "overran its time by {over_ms} ms"),
            Failure::Illegal { found, reason } => {
                write!(f, "answered '{found}', which is illegal: {reason}")
            }
            Failure::NoStart { reason } => write!(f, "could not be restarted: {reason}"),
        }
    }
}
