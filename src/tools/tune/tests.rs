//! Tests of SPSA on a simulated engine.

use std::convert::Infallible;

use super::*;
use crate::search::Tunable;
use crate::start::Rng;
use crate::tools::data::tests::Folder;

/// Parameters whose best values are known to the test.
const KNOWN: [Tunable; 3] = [
    Tunable { name: "A", default: 20, min: 0, max: 200, step: 8.0, description: "best at 100" },
    Tunable { name: "B", default: 90, min: 0, max: 100, step: 5.0, description: "best at 40" },
    Tunable { name: "C", default: 5, min: 0, max: 12, step: 0.5, description: "best at 8" },
];
const BEST: [f64; 3] = [100.0, 40.0, 8.0];

fn settings(iterations: u32) -> TuningSettings {
    TuningSettings {
        schedule: SpsaSchedule { iterations, r_end: 0.01, ..SpsaSchedule::default() },
        pairs: 8,
        seed: 7,
        games: [("nodes".to_owned(), "1000".to_owned())].into(),
    }
}

/// Simulates games whose results depend on the distance of each side from the best values.
struct Simulation {
    rng: Rng,
    games: u32,
}

impl Simulation {
    fn new() -> Simulation {
        Simulation { rng: Rng::new(3), games: 16 }
    }

    /// Returns the Elo that a side loses by its distance from the best values.
    fn loss(values: &[(String, i32)]) -> f64 {
        values
            .iter()
            .map(|(name, value)| {
                let index = KNOWN.iter().position(|one| one.name == name).unwrap();
                let away = (f64::from(*value) - BEST[index]) / KNOWN[index].step;
                3.0 * away * away
            })
            .sum()
    }
}

impl Objective for Simulation {
    type Error = Infallible;

    fn compare(&mut self, trial: &Trial) -> Result<Option<TrialResults>, Infallible> {
        let elo = Simulation::loss(&trial.minus) - Simulation::loss(&trial.plus);
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let mut results = Tally::default();
        for _ in 0..self.games {
            let draw = self.rng.below(1 << 30) as f64 / f64::from(1 << 30);
            // Half of the games between equally strong sides are draws.
            let wins = score * score;
            let losses = (1.0 - score) * (1.0 - score);
            match draw {
                draw if draw < wins => results.wins += 1,
                draw if draw < wins + losses => results.losses += 1,
                _ => results.draws += 1,
            }
        }
        Ok(Some(TrialResults { games: results, failures: 0 }))
    }
}

impl From<Infallible> for TuneError {
    fn from(never: Infallible) -> TuneError {
        match never {}
    }
}

fn tuned(state: &mut Tuning, file: Option<&Path>) {
    run(state, &mut Simulation::new(), file, &mut |_| {}).unwrap();
}

#[test]
fn noisy_games_lead_to_the_best_values() {
    let mut state = Tuning::new(settings(4_000), "all", &KNOWN).unwrap();
    let before = Simulation::loss(&state.trial().plus);
    tuned(&mut state, None);
    for (number, best) in state.numbers.iter().zip(BEST) {
        assert!((number.value - best).abs() < 3.0 * number.c_end, "{number:?}, best {best}");
    }
    let values: Vec<_> =
        state.numbers.iter().map(|one| (one.name.clone(), one.value.round() as i32)).collect();
    assert!(Simulation::loss(&values) < before / 20.0, "{} of {before}", Simulation::loss(&values));
}

#[test]
fn without_games_the_parameters_do_not_change() {
    let mut state = Tuning::new(settings(50), "A, c", &KNOWN).unwrap();
    run(&mut state, &mut Simulation { games: 0, ..Simulation::new() }, None, &mut |_| {}).unwrap();
    assert_eq!(state.iteration, 50);
    let values: Vec<(&str, f64)> =
        state.numbers.iter().map(|one| (one.name.as_str(), one.value)).collect();
    assert_eq!(values, [("A", 20.0), ("C", 5.0)]);
}

#[test]
fn a_run_is_resumed_where_it_was_interrupted() {
    let folder = Folder::new();
    let file = folder.0.join("state.json");
    let fresh = Tuning::new(settings(40), "all", &KNOWN).unwrap();
    // An objective whose results depend only on the trial, not on earlier trials.
    struct Fixed;
    impl Objective for Fixed {
        type Error = Infallible;
        fn compare(&mut self, trial: &Trial) -> Result<Option<TrialResults>, Infallible> {
            let odd = trial.plus.iter().map(|(_, value)| *value as u64).sum::<u64>() % 2;
            let games = Tally { wins: 3 * odd, draws: 10, losses: 3 - 3 * odd };
            Ok(Some(TrialResults { games, failures: odd }))
        }
    }
    let mut whole = fresh.clone();
    run(&mut whole, &mut Fixed, None, &mut |_| {}).unwrap();
    let mut first = fresh.clone();
    while first.iteration < 15 {
        let trial = first.trial();
        first.learn(&trial, Fixed.compare(&trial).unwrap().unwrap());
    }
    let precious = file.with_extension("part");
    std::fs::write(&precious, "precious").unwrap();
    first.write(&file, None).unwrap();
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
    let mut rest = Tuning::resume(&file, &fresh).unwrap();
    assert_eq!(rest, first);
    run(&mut rest, &mut Fixed, Some(&file), &mut |_| {}).unwrap();
    assert_eq!(rest, whole);
    assert!(whole.failures > 0);
    // The state of another run is not overwritten, neither when a run is resumed nor when it is started.
    let error = first.write(&file, Some(&fresh)).unwrap_err();
    assert!(matches!(error, StateError::Changed { .. }), "{error}");
    first.write(&file, None).unwrap_err();
    assert_eq!(Tuning::resume(&file, &fresh).unwrap(), whole);
    let other = |state: Tuning| Tuning::resume(&file, &state).unwrap_err().to_string();
    assert!(other(Tuning::new(settings(41), "all", &KNOWN).unwrap()).contains("settings"));
    assert!(other(Tuning::new(settings(40), "A,B", &KNOWN).unwrap()).contains("parameters"));
    std::fs::write(&file, "{}").unwrap();
    assert!(other(fresh).contains("does not contain the state"));
}

#[test]
fn lists_of_parameters_are_checked() {
    let error = |list| Tuning::new(settings(9), list, &KNOWN).unwrap_err().to_string();
    assert!(error("A,X").contains("'X'") && error("A,X").contains("A, B, C"));
    assert!(error("A,a").contains("twice"));
    assert!(error(" , ").contains("all"));
    let none = TuningSettings {
        schedule: SpsaSchedule { iterations: 0, ..SpsaSchedule::default() },
        ..settings(1)
    };
    let error = Tuning::new(none, "all", &KNOWN).unwrap_err().to_string();
    assert!(error.contains("iterations is 0"), "{error}");
}

#[test]
fn trials_are_symmetric_and_within_the_bounds() {
    let state = Tuning::new(settings(100), "all", &KNOWN).unwrap();
    let schedule = &state.settings.schedule;
    let mut sums = [0.0; 3];
    for iteration in 0..2_000 {
        let trial = Trial::new(schedule, &state.numbers, iteration % 100, u64::from(iteration));
        for (index, number) in state.numbers.iter().enumerate() {
            let [plus, minus] = [trial.plus[index].1, trial.minus[index].1];
            assert!((number.min..=number.max).contains(&plus), "{trial:?}");
            assert!((number.min..=number.max).contains(&minus), "{trial:?}");
            sums[index] += f64::from(plus - minus) * trial.directions[index];
        }
    }
    // Stochastic rounding turns a change of half a unit into a whole unit half of the time. The mean
    // difference is 2 c, and c is a little larger than c_end.
    let mean = sums[2] / 2_000.0;
    assert!((1.0..1.4).contains(&mean), "{mean}");
}
