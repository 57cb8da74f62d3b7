//! The objective: games of the engine against itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Objective, Trial, TrialResults};
use crate::start::Rng;
use crate::tools::arena::{
    self, ArenaError, GameRecord, Journal, MatchEngines, MatchPlan, Observer, OpeningSource,
    Standings,
};

/// Plays the two sides of a trial against each other. The engines keep running between trials.
pub struct Games {
    /// The plan of a match between two copies of one engine; the trial adds their options.
    plan: MatchPlan,
    engines: MatchEngines,
    checked: bool,
    /// Aborts the games.
    stop: Arc<AtomicBool>,
}

impl Games {
    /// `plan` must have the same engine twice. Its seed and openings are replaced for each trial.
    pub fn new(plan: MatchPlan, stop: Arc<AtomicBool>) -> Games {
        Games { plan, engines: MatchEngines::default(), checked: false, stop }
    }

    /// The plan of a trial, with its options and its own openings.
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
            plan.check()?; // the engine must start and have the options
            self.checked = true;
        }
        let (journal, engines) = (&mut Journal::default(), &mut self.engines);
        let (standings, result) = arena::run(&plan, engines, journal, &Silent, &self.stop);
        result?;
        let (games, failures) = (standings.rows()[0].games, standings.failures());
        Ok((!self.stop.load(Relaxed)).then_some(TrialResults { games, failures }))
    }
}

/// Reports nothing: a single game says little.
struct Silent;

impl Observer for Silent {
    fn game(&self, _: &GameRecord, _: &Standings) {}
}
