//! The SPSA method: schedule, trials and steps.

use serde::{Deserialize, Serialize};

use super::TuneError;
use crate::start::Rng;
use crate::tools::stats::Tally;

/// The schedule by which trials and steps become smaller during a run. `k` is the number of the iteration,
/// from 1 to `N`.
///
/// - A trial changes a parameter by `c(k) = c_end (N / k)^gamma`. Each parameter has its own `c_end`.
/// - A step moves the parameter by `r(k) c(k)` times the difference between wins and losses. Here
///   `r(k) c(k)^2 = a(k) = r_end c_end^2 ((A + N) / (A + k))^alpha`, and `A` is a share of `N`.
///
/// So `c_end` and `r_end` are the values of `c` and `r` in the last iteration. The exponents are Spall's.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpsaSchedule {
    /// The number of iterations, `N`.
    pub iterations: u32,
    pub r_end: f64,
    pub alpha: f64,
    pub gamma: f64,
    /// The constant `A`, as a share of the number of iterations `N`. A larger `A` makes the first steps
    /// smaller.
    pub stability: f64,
}

impl Default for SpsaSchedule {
    fn default() -> SpsaSchedule {
        SpsaSchedule { iterations: 1_000, r_end: 0.01, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

impl SpsaSchedule {
    /// Checks that all values are in their ranges.
    pub fn check(&self) -> Result<(), TuneError> {
        let limits = [
            ("iterations", f64::from(self.iterations), 1.0..=1e9, "from 1 to a billion"),
            ("r-end", self.r_end, 1e-9..=10.0, "above 0 and at most 10"),
            ("alpha", self.alpha, 0.0..=2.0, "from 0 to 2"),
            ("gamma", self.gamma, 0.0..=2.0, "from 0 to 2"),
            ("stability", self.stability, 0.0..=10.0, "from 0 to 10"),
        ];
        for (name, value, range, wanted) in limits {
            if !range.contains(&value) {
                return Err(TuneError::Schedule { name, value, wanted });
            }
        }
        Ok(())
    }

    /// Returns how much the trial of iteration `k`, counted from 1, changes a parameter.
    fn trial(&self, k: u32, c_end: f64) -> f64 {
        c_end * (f64::from(self.iterations) / f64::from(k)).powf(self.gamma)
    }

    /// Returns how far a parameter moves in iteration `k` for each win in excess of the losses.
    fn step(&self, k: u32, c_end: f64) -> f64 {
        let (all, k64) = (f64::from(self.iterations), f64::from(k));
        let stability = self.stability * all;
        let a =
            self.r_end * c_end * c_end * ((stability + all) / (stability + k64)).powf(self.alpha);
        a / self.trial(k, c_end)
    }
}

/// A parameter that is being tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedNumber {
    /// The name of the engine option.
    pub name: String,
    pub start: i32,
    pub min: i32,
    pub max: i32,
    /// How much the trials of the last iterations change the parameter.
    pub c_end: f64,
    /// The current value. Engines get a rounded value.
    pub value: f64,
}

/// Two sets of parameter values that are compared by games.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The index of the iteration, counted from 0.
    pub iteration: u32,
    /// The option names and values of the side `plus`. `minus` has the option names and values of the other
    /// side.
    pub plus: Vec<(String, i32)>,
    pub minus: Vec<(String, i32)>,
    /// The direction in which `plus` changes each parameter: 1 or -1.
    pub directions: Vec<f64>,
}

impl Trial {
    /// Creates the trial of an iteration. The trial depends only on the arguments.
    pub(super) fn new(
        schedule: &SpsaSchedule,
        numbers: &[TunedNumber],
        iteration: u32,
        seed: u64,
    ) -> Trial {
        let mut rng = Rng::new(Rng::new(seed).next_u64().wrapping_add(u64::from(iteration)));
        let mut trial = Trial { iteration, plus: vec![], minus: vec![], directions: vec![] };
        for number in numbers {
            let direction = if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            let change = direction * schedule.trial(iteration + 1, number.c_end);
            // Rounds stochastically, with the same random number for both sides. So even a change of less
            // than 1 is exact on average.
            let chance = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let whole = |value: f64| {
                let inside = value.clamp(number.min.into(), number.max.into());
                ((inside + chance).floor() as i32).clamp(number.min, number.max)
            };
            trial.plus.push((number.name.clone(), whole(number.value + change)));
            trial.minus.push((number.name.clone(), whole(number.value - change)));
            trial.directions.push(direction);
        }
        trial
    }
}

/// Moves the parameters according to the results of a trial.
pub(super) fn learn(
    schedule: &SpsaSchedule,
    numbers: &mut [TunedNumber],
    trial: &Trial,
    results: Tally,
) {
    let margin = results.wins as f64 - results.losses as f64;
    for (number, direction) in numbers.iter_mut().zip(&trial.directions) {
        let step = schedule.step(trial.iteration + 1, number.c_end);
        let value = number.value + step * margin * direction;
        number.value = value.clamp(number.min.into(), number.max.into());
    }
}
