//! Engine failures. The engine that fails loses the game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A failure of an engine, with details that help to find the cause.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Failure {
    /// The process has exited.
    Crash { status: String, said: String },
    /// The engine made no move, even long after its time was over.
    Hang { waited_ms: u64 },
    /// The engine did not answer with the expected `uciok` or `readyok`.
    Silent { word: String, waited_ms: u64 },
    /// The engine exceeded its time.
    TimeLoss { over_ms: u64 },
    /// The engine's move is illegal, or contradicts the dice.
    Illegal { found: String, reason: String },
    /// The engine could not be restarted after an earlier failure.
    NoStart { reason: String },
}

impl Failure {
    /// Returns the name of the kind of failure.
    pub const fn name(&self) -> &'static str {
        match self {
            Failure::Crash { .. } => "crash",
            Failure::Hang { .. } | Failure::Silent { .. } => "hang",
            Failure::TimeLoss { .. } => "time loss",
            Failure::Illegal { .. } => "illegal move",
            Failure::NoStart { .. } => "failed start",
        }
    }

    /// Returns whether the engine's process must be restarted after this failure.
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
                    write!(f, "; last error output: {said}")?;
                }
                Ok(())
            }
            Failure::Hang { waited_ms } => {
                write!(f, "did not move within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Failure::Silent { word, waited_ms } => {
                write!(f, "did not answer '{word}' within {:.1} s", *waited_ms as f64 / 1e3)
            }
            Failure::TimeLoss { over_ms } => write!(f, "overran its time by {over_ms} ms"),
            Failure::Illegal { found, reason } => {
                write!(f, "answered '{found}', which is illegal: {reason}")
            }
            Failure::NoStart { reason } => write!(f, "could not be restarted: {reason}"),
        }
    }
}
