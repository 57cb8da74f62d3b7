//! The objective that counts: games of the engine against itself.

use super::{Objective, Trial};
use crate::lab::arena::{
    self, ArenaError, GameRecord, Journal, Observer, OpeningSource, Plan, Standings, Teams,
};
use crate::lab::stats::Tally;
use crate::start::Rng;

/// Plays the two sides of a trial against each other. The engines stay from one trial to the next.
pub struct Games {
    /// Two engines of one command; the trial adds their options.
    plan: Plan,
    teams: Teams,
    checked: bool,
}

impl Games {
    /// Plays as this plan says, which has the same engine twice; its seed and openings are those
    /// of the first trial.
    pub fn new(plan: Plan) -> Games {
        Games { plan, teams: Teams::default(), checked: false }
    }

    /// The plan of a trial: its options, and openings that no other trial has.
    fn plan(&self, trial: &Trial) -> Plan {
        let mut plan = self.plan.clone();
        for (engine, values) in plan.engines.iter_mut().zip([&trial.plus, &trial.minus]) {
            let options = values.iter().map(|(name, value)| (name.clone(), value.to_string()));
            engine.options.extend(options);
        }
        plan.seed = Rng::new(self.plan.seed ^ u64::from(trial.iteration) << 32).next_u64();
        match &mut plan.openings {
            OpeningSource::Random { seed, .. } => *seed = plan.seed,
            OpeningSource::List { fens, .. } if !fens.is_empty() => {
                let used = trial.iteration as usize * plan.games.div_ceil(2);
                let first = used % fens.len();
                fens.rotate_left(first);
            }
            OpeningSource::List { .. } => {}
        }
        plan
    }
}

impl Objective for Games {
    type Error = ArenaError;

    fn compare(&mut self, trial: &Trial) -> Result<Tally, ArenaError> {
        let plan = self.plan(trial);
        if !self.checked {
            plan.check()?; // whether the engine starts and has the options
            self.checked = true;
        }
        let standings = arena::run_with(&plan, &mut self.teams, &mut Journal::default(), &Silent)?;
        Ok(standings.rows()[0].games)
    }
}

/// Watches nothing: what a single game came to says little.
struct Silent;

impl Observer for Silent {
    fn game(&self, _: &GameRecord, _: &Standings) {}
}
