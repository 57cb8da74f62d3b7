//! The state of a tuning run, and the file from which the run is resumed.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::spsa::{self, SpsaSchedule, Trial, TunedNumber};
use super::{TrialResults, TuneError};
use crate::files::{self, FileError, IfExists};
use crate::search::Tunable;

/// The settings of a run. A run can only be resumed with the same settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuningSettings {
    pub schedule: SpsaSchedule,
    /// The number of pairs of games in each iteration.
    pub pairs: u32,
    pub seed: u64,
    /// The settings of the games, by the name of the setting.
    pub games: std::collections::BTreeMap<String, String>,
}

/// The state of a tuning run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    pub settings: TuningSettings,
    /// The number of completed iterations.
    pub iteration: u32,
    pub numbers: Vec<TunedNumber>,
    /// The number of games lost by an engine failure. These games count like other games. The field is called
    /// `faults` in files.
    #[serde(rename = "faults", default)]
    pub failures: u64,
}

/// Why the state of a run cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("cannot read '{path}': {error}")]
    Read { path: String, error: std::io::Error },
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("'{path}' does not contain the state of a tuning run: {error}")]
    Json { path: String, error: serde_json::Error },
    #[error(
        "'{path}' was changed by another program, perhaps by another tuning run; give each run its own file"
    )]
    Changed { path: String },
    #[error(
        "'{path}' belongs to a tuning run with other {what}; give the {what} of that run, or name another file"
    )]
    Other { path: String, what: &'static str },
}

impl Tuning {
    /// Starts a run that tunes parameters from their defaults. `wanted` is a list of names, or `all`.
    pub fn new(
        settings: TuningSettings,
        wanted: &str,
        known: &[Tunable],
    ) -> Result<Tuning, TuneError> {
        settings.schedule.check()?;
        Ok(Tuning { settings, iteration: 0, numbers: choose(wanted, known)?, failures: 0 })
    }

    /// Reads the state of a run. Fails if the run was not started with the settings and parameters of
    /// `fresh`.
    pub fn resume(path: &Path, fresh: &Tuning) -> Result<Tuning, StateError> {
        let name = || path.display().to_string();
        let state = Tuning::read(path)?;
        let began = |numbers: &[TunedNumber]| -> Vec<TunedNumber> {
            let start =
                |number: &TunedNumber| TunedNumber { value: number.start.into(), ..number.clone() };
            numbers.iter().map(start).collect()
        };
        if state.settings != fresh.settings {
            return Err(StateError::Other { path: name(), what: "settings" });
        }
        if began(&state.numbers) != fresh.numbers {
            return Err(StateError::Other { path: name(), what: "parameters" });
        }
        Ok(state)
    }

    fn read(path: &Path) -> Result<Tuning, StateError> {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| StateError::Read { path: name(), error })?;
        serde_json::from_str(&text).map_err(|error| StateError::Json { path: name(), error })
    }

    /// Writes the state to a file and replaces an old state atomically. If `previous` is given, the file must
    /// still contain this state. Without `previous`, the file must not exist.
    pub fn write(&self, path: &Path, previous: Option<&Tuning>) -> Result<(), StateError> {
        let name = || path.display().to_string();
        if let Some(previous) = previous
            && Tuning::read(path)? != *previous
        {
            return Err(StateError::Changed { path: name() });
        }
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| StateError::Json { path: name(), error })?;
        files::write(path, (text + "\n").as_bytes(), IfExists::forced(previous.is_some()))?;
        Ok(())
    }

    /// Returns the trial of the next iteration.
    pub fn trial(&self) -> Trial {
        Trial::new(&self.settings.schedule, &self.numbers, self.iteration, self.settings.seed)
    }

    /// Moves the parameters according to the results of a trial, and completes the iteration.
    pub fn learn(&mut self, trial: &Trial, results: TrialResults) {
        spsa::learn(&self.settings.schedule, &mut self.numbers, trial, results.games);
        self.failures += results.failures;
        self.iteration += 1;
    }
}

/// Returns the parameters named in a comma-separated list, or all parameters for `all`.
fn choose(wanted: &str, known: &[Tunable]) -> Result<Vec<TunedNumber>, TuneError> {
    if wanted.trim().eq_ignore_ascii_case("all") {
        return Ok(known.iter().map(number).collect());
    }
    let mut numbers: Vec<TunedNumber> = Vec::new();
    for name in wanted.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let found = known.iter().find(|one| one.name.eq_ignore_ascii_case(name));
        let found = found.ok_or_else(|| TuneError::Unknown {
            name: name.to_owned(),
            known: known.iter().map(|one| one.name).collect::<Vec<_>>().join(", "),
        })?;
        if numbers.iter().any(|one| one.name == found.name) {
            return Err(TuneError::Twice { name: found.name.to_owned() });
        }
        numbers.push(number(found));
    }
    if numbers.is_empty() { Err(TuneError::Nothing) } else { Ok(numbers) }
}

fn number(tunable: &Tunable) -> TunedNumber {
    let Tunable { name, default, min, max, step, .. } = *tunable;
    let name = name.to_owned();
    TunedNumber { name, start: default, min, max, c_end: step, value: default.into() }
}
