//! The objective of tuning: the score in games of the engine against itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{Objective, Trial, TrialResults};
use crate::start::Rng;
use crate::tools::arena::{
    self, ArenaError, GameRecord, Journal, MatchEngines, MatchPlan, Observer, OpeningSource,
    Standings,
};

/// Evaluates trials by games between the two sides of a trial. The engines keep running between trials.
pub struct Games {
    /// The plan of a match between two copies of the engine. Each trial adds its options to the plan.
    plan: MatchPlan,
    engines: MatchEngines,
    checked: bool,
    /// Set to abort the games.
    stop: Arc<AtomicBool>,
}

impl Games {
    /// Creates the objective. `plan` must name the same engine twice. Each trial replaces the seed and the
    /// openings of the plan.
    pub fn new(plan: MatchPlan, stop: Arc<AtomicBool>) -> Games {
        Games { plan, engines: MatchEngines::default(), checked: false, stop }
    }

    /// Returns the plan of a trial, which has the options of the trial and its own openings.
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
            plan.check()?; // checks that the engine starts and has the options
            self.checked = true;
        }
        let (journal, engines) = (&mut Journal::default(), &mut self.engines);
        let (standings, result) = arena::run(&plan, engines, journal, &Silent, &self.stop);
        result?;
        let (games, failures) = (standings.rows()[0].games, standings.failures());
        Ok((!self.stop.load(Relaxed)).then_some(TrialResults { games, failures }))
    }
}

/// An observer that reports nothing, because a single game is of no interest.
struct Silent;

impl Observer for Silent {
    fn game(&self, _: &GameRecord, _: &Standings) {}
}
