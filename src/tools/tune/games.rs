//! The objective that counts: games of the engine against itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Objective, Trial, TrialResults};
use crate::start::Rng;
use crate::tools::arena::{
    self, ArenaError, GameRecord, Journal, MatchEngines, MatchPlan, Observer, OpeningSource,
    Standings,
};

/// Plays the two sides of a trial against each other. The engines stay from one trial to the next.
pub struct Games {
    /// Two engines of one command; the trial adds their options.
    plan: MatchPlan,
    engines: MatchEngines,
    checked: bool,
    /// Interrupts the games.
    stop: Arc<AtomicBool>,
}

impl Games {
    /// Plays as this plan says, which has the same engine twice; its seed and openings are those
    /// of the first trial.
    pub fn new(plan: MatchPlan, stop: Arc<AtomicBool>) -> Games {
        Games { plan, engines: MatchEngines::default(), checked: false, stop }
    }

    /// The plan of a trial: its options, and openings that no other trial has.
    fn plan(&self, trial: &Trial) -> MatchPlan {
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

    fn compare(&mut self, trial: &Trial) -> Result<Option<TrialResults>, ArenaError> {
        let plan = self.plan(trial);
        if !self.checked {
            plan.check()?; // whether the engine starts and has the options
            self.checked = true;
        }
        let (journal, engines) = (&mut Journal::default(), &mut self.engines);
        let (standings, result) = arena::run(&plan, engines, journal, &Silent, &self.stop);
        result?;
        let (games, faults) = (standings.rows()[0].games, standings.faults());
        Ok((!self.stop.load(Relaxed)).then_some(TrialResults { games, faults }))
    }
}

/// Watches nothing: what a single game came to says little.
struct Silent;

impl Observer for Silent {
    fn game(&self, _: &GameRecord, _: &Standings) {}
}
