//! Tunes parameters of the search by games (SPSA).
//!
//! *Simultaneous perturbation stochastic approximation* (J. Spall, 1992) tunes all parameters at once.
//! Each iteration changes every parameter a little in a random direction for one engine, and in the
//! opposite direction for the other. These play some pairs of games, and all parameters move towards the
//! winner's values, in proportion to its margin. So an iteration costs the same for one parameter as
//! for thirty. The schedule is that of fishtest and OpenBench: see [`SpsaSchedule`].
//!
//! | file | contents |
//! | --- | --- |
//! | `spsa` | the method: schedule, trials, steps |
//! | `games` | the objective: the score in games of the arena |
//! | `state` | the file from which a run is resumed |

mod games;
mod spsa;
mod state;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use games::Games;
pub use spsa::{SpsaSchedule, Trial, TunedNumber};
pub use state::{StateError, Tuning, TuningSettings};

use super::arena::ArenaError;
use crate::tools::stats::Tally;

/// The objective function to maximise.
pub trait Objective {
    /// Why a trial cannot be evaluated.
    type Error;

    /// Compares the two sides of a trial. Returns `None` if it was interrupted.
    fn compare(&mut self, trial: &Trial) -> Result<Option<TrialResults>, Self::Error>;
}

/// The results of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialResults {
    /// From the point of view of `plus`.
    pub games: Tally,
    /// Games lost by an engine failure.
    pub failures: u64,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error(transparent)]
    Arena(#[from] ArenaError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("there is no parameter '{name}' to tune; there are: {known}")]
    Unknown { name: String, known: String },
    #[error("'{name}' occurs twice in the list")]
    Twice { name: String },
    #[error("name the parameters to tune, or 'all'")]
    Nothing,
    #[error("the schedule's {name} is {value}; it must be {wanted}")]
    Schedule { name: &'static str, value: f64, wanted: &'static str },
}

/// A completed iteration.
#[derive(Clone, Copy, Debug)]
pub struct TuneProgress<'a> {
    pub results: TrialResults,
    pub state: &'a Tuning,
}

/// Runs the remaining iterations, or until it is interrupted. After each, the state is written to the
/// file, if there is one, and passed to `watch`.
pub fn run<O: Objective>(
    state: &mut Tuning,
    objective: &mut O,
    file: Option<&Path>,
    watch: &mut dyn FnMut(TuneProgress),
) -> Result<(), TuneError>
where
    TuneError: From<O::Error>,
{
    while state.iteration < state.settings.schedule.iterations {
        let trial = state.trial();
        let Some(results) = objective.compare(&trial)? else { break };
        let before = (state.iteration > 0).then(|| state.clone());
        state.learn(&trial, results);
        if let Some(file) = file {
            state.write(file, before.as_ref())?;
        }
        watch(TuneProgress { results, state });
    }
    Ok(())
}
