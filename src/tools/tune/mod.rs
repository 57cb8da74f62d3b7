//! Tunes parameters of the search by playing games (SPSA).
//!
//! *Simultaneous perturbation stochastic approximation* (J. Spall, 1992) tunes all parameters at once. In
//! each iteration, one engine plays with every parameter changed a little in a random direction. The other
//! engine plays with every parameter changed in the opposite direction. The two engines play some pairs of
//! games. Then all parameters move towards the winner's values, in proportion to the margin of the win. So an
//! iteration takes the same time for one parameter as for thirty. The schedule is the one of fishtest and
//! OpenBench, see [`SpsaSchedule`].
//!
//! | file | contents |
//! | --- | --- |
//! | `spsa` | the SPSA method: schedule, trials and steps |
//! | `games` | the objective: the score in games of the engine against itself |
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

/// The objective function that tuning maximises.
pub trait Objective {
    /// Why a trial cannot be evaluated.
    type Error;

    /// Compares the two sides of a trial. Returns `None` if the comparison was interrupted.
    fn compare(&mut self, trial: &Trial) -> Result<Option<TrialResults>, Self::Error>;
}

/// The results of the games of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialResults {
    /// The results of the games from the point of view of the trial's side `plus`.
    pub games: Tally,
    /// The number of games that were lost by an engine failure.
    pub failures: u64,
}

/// Why a tuning run could not start or failed.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error(transparent)]
    Arena(#[from] ArenaError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("there is no parameter '{name}' to tune; the parameters are: {known}")]
    Unknown { name: String, known: String },
    #[error("'{name}' occurs twice in the list")]
    Twice { name: String },
    #[error("name the parameters to tune, or 'all'")]
    Nothing,
    #[error("the schedule's {name} is {value}, but must be {wanted}")]
    Schedule { name: &'static str, value: f64, wanted: &'static str },
}

/// The progress of a run after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct TuneProgress<'a> {
    pub results: TrialResults,
    pub state: &'a Tuning,
}

/// Runs the remaining iterations until all are complete or the objective is interrupted. After each
/// iteration, writes the state to `file`, if a file is given, and calls `watch`.
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
