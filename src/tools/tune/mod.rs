//! Tunes numbers of the search by games (SPSA).
//!
//! *Simultaneous perturbation stochastic approximation* (J. Spall, 1992) moves all numbers at once.
//! In each iteration every number is made a little larger or smaller, at random, and the same is
//! done the other way round; the two engines play some pairs of games, and all numbers go towards
//! the side that has won, and the farther the more clearly it has. So an iteration costs the same
//! for one number as for thirty. The schedule is that of fishtest and OpenBench: see [`SpsaSchedule`].
//!
//! | file | holds |
//! | --- | --- |
//! | `spsa` | the method: schedule, trials, steps |
//! | `games` | what is to be made large: the points of engines in the arena |
//! | `state` | the file from which a run goes on |

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

/// What is to be made large.
pub trait Objective {
    /// Why a trial cannot be judged.
    type Error;

    /// Compares the two sides of a trial. Nothing comes back if the work was interrupted.
    fn compare(&mut self, trial: &Trial) -> Result<Option<TrialResults>, Self::Error>;
}

/// How a trial went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrialResults {
    /// From the point of view of `plus`.
    pub games: Tally,
    /// Games among them that a side lost by a fault.
    pub faults: u64,
}

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error(transparent)]
    Arena(#[from] ArenaError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("there is no number '{name}' to be tuned; there are: {known}")]
    Unknown { name: String, known: String },
    #[error("'{name}' stands in the list twice")]
    Twice { name: String },
    #[error("name the numbers to be tuned, or 'all'")]
    Nothing,
    #[error("the schedule's {name} is {value}; it must be {wanted}")]
    Schedule { name: &'static str, value: f64, wanted: &'static str },
}

/// An iteration that is over.
#[derive(Clone, Copy, Debug)]
pub struct TuneProgress<'a> {
    pub results: TrialResults,
    pub state: &'a Tuning,
}

/// Goes through the iterations that are left, or until it is interrupted. After each the state is shown to `watch`, and
/// written to the file, if there is one.
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
