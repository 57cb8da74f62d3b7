//! What engines can do wrong. Each fault loses the game.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A fault of an engine, with what a person needs to look into it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fault {
    /// The process ended.
    Crash { status: String, said: String },
    /// No move came, long after the time was over.
    Hang { waited: Duration },
    /// No `uciok` or `readyok` came.
    Silent { word: String, waited: Duration },
    /// The clock ran out.
    TimeLoss { over: Duration },
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

    /// The fault of this kind, as far as its name tells; what a PGN file keeps of it.
    pub fn of_name(name: &str, said: &str) -> Fault {
        let said = said.to_owned();
        match name {
            "time loss" => Fault::TimeLoss { over: Duration::ZERO },
            "hang" => Fault::Hang { waited: Duration::ZERO },
            "illegal move" => Fault::Illegal { found: String::new(), reason: said },
            "failed start" => Fault::NoStart { reason: said },
            _ => Fault::Crash { status: String::new(), said },
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
            Fault::Hang { waited } => {
                write!(f, "made no move within {:.1} s", waited.as_secs_f64())
            }
            Fault::Silent { word, waited } => {
                write!(f, "did not say '{word}' within {:.0} s", waited.as_secs_f64())
            }
            Fault::TimeLoss { over } => {
                write!(f, "overran its time by {:.1} ms", over.as_secs_f64() * 1e3)
            }
            Fault::Illegal { found, reason } => {
                write!(f, "answered '{found}', which is illegal: {reason}")
            }
            Fault::NoStart { reason } => write!(f, "did not start again: {reason}"),
        }
    }
}
