//! The arena: matches and tournaments of UCI engines, in every variant that Aleator knows.
//!
//! Games come in pairs from one opening with colours reversed. Our rules library is the arbiter:
//! it checks moves, detects the end of games, and rolls the dice of setups (the same for both games
//! of a pair). An engine that crashes, hangs, exceeds its time or plays an illegal move loses the
//! game. The failure is reported and counted, and the engine is restarted if necessary.
//!
//! | file | contents |
//! | --- | --- |
//! | `limit` | time controls, other limits, and both sides' clocks |
//! | `client` | an engine as a process |
//! | `failure` | engine failures |
//! | `play` | one game |
//! | `openings` | where games start |
//! | `schedule` | who plays whom |
//! | `record` | a finished game |
//! | `pgn` | a finished game as PGN |
//! | `journal` | the files of a run, from which it can be resumed |
//! | `standings` | all results |
//!
//! If the engines play deterministically, so does a run: openings and dice depend only on the seed and
//! the number of the round, not on the number of threads.

pub mod client;
pub mod failure;
pub mod journal;
pub mod limit;
pub mod openings;
pub mod pgn;
mod play;
pub mod record;
pub mod schedule;
pub mod standings;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use super::log::LogError;
pub use client::{ClientError, EngineSpec};
pub use failure::Failure;
pub use journal::{Journal, JournalError, JournalFiles, JournalHeader};
pub use limit::Limit;
pub use openings::{OpeningArgument, OpeningSource, RandomOpenings, SourceError};
pub use pgn::PgnStyle;
pub use play::Conditions;
pub use record::GameRecord;
pub use schedule::{Form, PairSchedule};
pub use standings::{Standings, StandingsRow};

use self::client::Client;
use self::play::{PlayedGame, play};
use self::schedule::Pair;
use super::stats::{Sprt, SprtDecision};
use crate::game::Game;
use crate::rules::Variant;
use crate::start::Rng;
use crate::types::Color;

/// A run ends after this many games in a row with a failure of either engine.
const MAX_FAILURES: u32 = 10;

/// The plan of a tournament.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    pub variant: Variant,
    pub engines: Vec<EngineSpec>,
    pub form: Form,
    /// Per encounter; games come in pairs.
    pub games: usize,
    pub conditions: Conditions,
    pub openings: OpeningSource,
    /// The seed of openings and dice.
    pub seed: u64,
    /// Games that are played in parallel.
    pub concurrency: usize,
    /// When to stop early; only for two engines.
    pub sprt: Option<Sprt>,
}

/// Why a run did not start, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("a match needs two engines or more")]
    TooFewEngines,
    #[error("two engines have the name '{name}'; names must be different")]
    SameName { name: String },
    #[error("an SPRT compares two engines, but there are {engines}")]
    SprtWithMany { engines: usize },
    #[error("cannot start a thread for a game: {0}")]
    Thread(std::io::Error),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Opening(#[from] SourceError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(
        "{failures} games in a row were lost by engine failures; the last: engine '{engine}' {failure}"
    )]
    Failures { failures: u32, engine: String, failure: Failure },
}

/// Observes a run. Called by one thread at a time.
pub trait Observer: Sync {
    /// A game is over and counted.
    fn game(&self, record: &GameRecord, standings: &Standings);
}

impl MatchPlan {
    /// The pairs to be played.
    pub fn schedule(&self) -> PairSchedule {
        PairSchedule::new(self.form, self.engines.len(), self.games)
    }

    /// The dice of a round, the same for both games of a pair.
    fn dice(&self, round: usize) -> Rng {
        // Independent of the random numbers of the openings.
        Rng::new(Rng::new(self.seed ^ 0xd1ce).next_u64().wrapping_add(round as u64))
    }

    /// Checks that a game of a resumed run belongs to this plan. Games beyond its end are accepted.
    fn check_resumed(&self, record: &GameRecord, pair: Option<&Pair>) -> Result<(), ArenaError> {
        let Some(pair) = pair else { return Ok(()) };
        let (number, game) = (record.pair + 1, record.game.saturating_add(1));
        let [first, second] = pair.engines.map(|engine| self.engines[engine].name.as_str());
        let [white, black] = if record.game == 0 { [first, second] } else { [second, first] };
        if (record.white.as_str(), record.black.as_str()) != (white, black) {
            let (white, black) = (record.white.clone(), record.black.clone());
            return Err(JournalError::OtherEngines { pair: number, game, white, black }.into());
        }
        let ours = self.openings.game(pair.round)?.fen();
        if record.opening != ours {
            let theirs = record.opening.clone();
            return Err(JournalError::OtherOpening { pair: number, game, theirs, ours }.into());
        }
        Ok(())
    }

    /// Checks that the tournament can be played: starts every engine once and sets its options.
    pub fn check(&self) -> Result<(), ArenaError> {
        if self.engines.len() < 2 {
            return Err(ArenaError::TooFewEngines);
        }
        for (index, engine) in self.engines.iter().enumerate() {
            if self.engines[..index].iter().any(|other| other.name == engine.name) {
                return Err(ArenaError::SameName { name: engine.name.clone() });
            }
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err(ArenaError::SprtWithMany { engines: self.engines.len() });
        }
        // An engine that does not work at all should be an error here, not a lost game.
        let with_setup = self.openings.game(0)?.is_setup();
        for engine in &self.engines {
            Client::start(engine, self.variant, with_setup)?;
        }
        Ok(())
    }
}

/// The engines of a run, by thread. They can be kept for the next run, whose [`MatchPlan`] sets their
/// options, so that many short matches need not restart the engines.
#[derive(Default)]
pub struct MatchEngines(Vec<EngineSet>);

/// Plays the remaining games of a tournament. [`MatchPlan::check`] must have succeeded for engines that
/// are not running yet. `journal` holds the finished games, and receives every game as it ends. `stop`
/// aborts the run and the games in progress; the run also sets it itself.
///
/// Returns the standings, and the error if one ended the run early.
pub fn run(
    plan: &MatchPlan,
    engines: &mut MatchEngines,
    journal: &mut Journal,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> (Standings, Result<(), ArenaError>) {
    let schedule = plan.schedule();
    let names = plan.engines.iter().map(|engine| engine.name.clone());
    let mut standings = Standings::new(names, schedule.clone());
    for record in journal.games() {
        if let Err(error) = plan.check_resumed(record, schedule.pair(record.pair).as_ref()) {
            return (standings, Err(error));
        }
        standings.add(record);
    }
    let ledger = Ledger { next: 0, standings, journal, failures: 0, result: Ok(()) };
    let tournament = Tournament { plan, schedule, observer, stop, ledger: Mutex::new(ledger) };
    if tournament.is_decided(&tournament.ledger()) {
        stop.store(true, Relaxed);
    }
    engines.0.resize_with(plan.concurrency.max(1), EngineSet::default);
    std::thread::scope(|scope| {
        for engines in &mut engines.0 {
            let worker = std::thread::Builder::new();
            if let Err(error) = worker.spawn_scoped(scope, || tournament.work(engines)) {
                tournament.abort(ArenaError::Thread(error));
            }
        }
    });
    let ledger = tournament.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
    (ledger.standings, ledger.result)
}

/// The state that the threads of a run share.
struct Tournament<'a> {
    plan: &'a MatchPlan,
    schedule: PairSchedule,
    observer: &'a dyn Observer,
    /// Aborts all games.
    stop: &'a AtomicBool,
    ledger: Mutex<Ledger<'a>>,
}

/// The state that changes while games are played.
struct Ledger<'a> {
    /// The index of the next pair to be considered.
    next: usize,
    standings: Standings,
    journal: &'a mut Journal,
    /// The number of games in a row with an engine failure.
    failures: u32,
    /// Why the run has ended early, if it has.
    result: Result<(), ArenaError>,
}

impl<'a> Tournament<'a> {
    fn ledger(&self) -> MutexGuard<'_, Ledger<'a>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The main function of a thread: plays one pair after the other.
    fn work(&self, engines: &mut EngineSet) {
        while !self.stop.load(Relaxed) {
            let Some(pair) = self.next_pair() else { return };
            if let Err(error) = self.play_pair(pair, engines) {
                self.abort(error);
            }
        }
    }

    /// Returns the next pair with a game that is not in the resumed journal.
    fn next_pair(&self) -> Option<Pair> {
        let mut ledger = self.ledger();
        loop {
            let pair = self.schedule.pair(ledger.next)?;
            ledger.next += 1;
            if (0..2).any(|game| !ledger.standings.is_over(pair.index, game)) {
                return Some(pair);
            }
        }
    }

    fn abort(&self, error: ArenaError) {
        self.stop.store(true, Relaxed);
        let result = &mut self.ledger().result;
        if result.is_ok() {
            *result = Err(error);
        }
    }

    fn play_pair(&self, pair: Pair, engines: &mut EngineSet) -> Result<(), ArenaError> {
        let opening = self.plan.openings.game(pair.round)?;
        for game in 0..2 {
            if self.ledger().standings.is_over(pair.index, game) {
                continue; // played before the run was resumed
            }
            let [first, second] = pair.engines;
            let sides = if game == 0 { [first, second] } else { [second, first] };
            let dice = self.plan.dice(pair.round);
            let Some(played) = engines.play(self.plan, sides, &opening, dice, self.stop) else {
                return Ok(()); // stopped
            };
            let names = sides.map(|engine| self.plan.engines[engine].name.as_str());
            let variant = self.plan.variant;
            self.enter(GameRecord::new(pair, game, variant, &opening.fen(), names, played))?;
        }
        Ok(())
    }

    /// Records a finished game.
    fn enter(&self, record: GameRecord) -> Result<(), ArenaError> {
        let mut ledger = self.ledger();
        ledger.journal.add(&record)?;
        ledger.standings.add(&record);
        self.observer.game(&record, &ledger.standings);
        ledger.failures = if record.failure.is_some() { ledger.failures + 1 } else { 0 };
        if self.is_decided(&ledger) {
            self.stop.store(true, Relaxed);
        }
        match record.failure {
            Some(failure) if ledger.failures >= MAX_FAILURES => Err(ArenaError::Failures {
                failures: ledger.failures,
                engine: failure.engine,
                failure: failure.failure,
            }),
            _ => Ok(()),
        }
    }

    /// Returns whether the SPRT, if there is one, has come to a decision.
    fn is_decided(&self, ledger: &Ledger) -> bool {
        self.plan.sprt.as_ref().is_some_and(|sprt| {
            let ratio = ledger.standings.rows()[0].pairs.log_likelihood_ratio(sprt);
            sprt.decision(ratio) != SprtDecision::Continue
        })
    }
}

/// The engines of one thread. They are kept running while they play the next game, too.
#[derive(Default)]
struct EngineSet {
    /// By engine number.
    clients: HashMap<usize, Client>,
}

impl EngineSet {
    /// Plays a game between two engines, White's first.
    fn play(
        &mut self,
        plan: &MatchPlan,
        sides: [usize; 2],
        opening: &Game,
        dice: Rng,
        stop: &AtomicBool,
    ) -> Option<PlayedGame> {
        self.clients.retain(|engine, _| sides.contains(engine));
        for (color, engine) in Color::ALL.into_iter().zip(sides) {
            if let Err(error) = self.start(plan, engine, opening.is_setup()) {
                let failure = Failure::NoStart { reason: error.to_string() };
                return Some(PlayedGame {
                    end: Err((color, failure)),
                    turns: Vec::new(),
                    start: opening.fen(),
                });
            }
        }
        let [white, black] = self.clients.get_disjoint_mut([&sides[0], &sides[1]]);
        let (white, black) = (white?, black?);
        let played = play(opening.clone(), [white, black], &plan.conditions, dice, stop);
        let unfit = match &played {
            // After a crash or hang the opponent may still be searching, and after a stop both may be.
            Some(PlayedGame { end: Err((_, failure)), .. }) => failure.needs_restart(),
            Some(_) => false,
            None => true,
        };
        if unfit {
            self.clients.clear();
        }
        played
    }

    /// Makes sure that an engine runs with the options of the plan.
    fn start(
        &mut self,
        plan: &MatchPlan,
        engine: usize,
        with_setup: bool,
    ) -> Result<(), ClientError> {
        let spec = &plan.engines[engine];
        if let Some(client) = self.clients.get_mut(&engine) {
            return client.adopt(spec);
        }
        let client = Client::start(spec, plan.variant, with_setup)?;
        self.clients.insert(engine, client);
        Ok(())
    }
}
