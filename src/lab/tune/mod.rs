//! Tunes numbers of the search by games (SPSA).
//!
//! *Simultaneous perturbation stochastic approximation* (J. Spall, 1992) moves all numbers at once.
//! In each iteration every number is made a little larger or smaller, at random, and the same is
//! done the other way round; the two engines play some pairs of games, and all numbers go towards
//! the side that has won, and the farther the more clearly it has. So an iteration costs the same
//! for one number as for thirty. The schedule is that of fishtest and OpenBench: see [`Schedule`].
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
pub use spsa::{Number, Schedule, Trial};
pub use state::{Settings, State, StateError};

use super::arena::ArenaError;
use crate::lab::stats::Tally;

/// What is to be made large.
pub trait Objective {
    /// Why a trial cannot be judged.
    type Error;

    /// Compares the two sides of a trial: results from the point of view of `trial.plus`.
    fn compare(&mut self, trial: &Trial) -> Result<Tally, Self::Error>;
}

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error("{0}")]
    Arena(#[from] ArenaError),
    #[error("{0}")]
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
pub struct Progress<'a> {
    /// What the two sides made of it.
    pub results: Tally,
    pub state: &'a State,
}

/// Goes through the iterations that are left. After each the state is shown to `watch`, and
/// written to the file, if there is one.
pub fn run<O: Objective>(
    state: &mut State,
    objective: &mut O,
    file: Option<&Path>,
    watch: &mut dyn FnMut(Progress),
) -> Result<(), TuneError>
where
    TuneError: From<O::Error>,
{
    while state.iteration < state.settings.schedule.iterations {
        let trial = state.trial();
        let results = objective.compare(&trial)?;
        state.learn(&trial, results);
        if let Some(file) = file {
            state.write(file)?;
        }
        watch(Progress { results, state });
    }
    Ok(())
}
