//! The arena: matches and tournaments between UCI engines, in every variant of Aleator.
//!
//! Games are played in pairs, from one opening with colours reversed. Our rules library is the arbiter, which
//! checks moves, detects the end of games, and rolls the dice of setups. The dice are the same in both games
//! of a pair. An engine that crashes, hangs, exceeds its time or plays an illegal move loses the game. Its
//! failure is reported and counted, and the engine is restarted if necessary.
//!
//! | file | contents |
//! | --- | --- |
//! | `limit` | time controls, other limits, and both sides' clocks |
//! | `client` | a UCI engine as a child process |
//! | `failure` | engine failures |
//! | `play` | one game |
//! | `openings` | the starting positions of games |
//! | `schedule` | who plays whom |
//! | `record` | the record of a finished game |
//! | `pgn` | a finished game as PGN |
//! | `journal` | the files of a run, from which the run can be resumed |
//! | `standings` | the results of all engines |
//!
//! Openings and dice depend only on the seed and the number of the round, not on the number of threads. So a
//! run is reproducible if the engines are deterministic.

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

/// A run ends after this many games in a row in which an engine failed.
const MAX_FAILURES: u32 = 10;

/// The plan of a tournament.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    pub variant: Variant,
    pub engines: Vec<EngineSpec>,
    pub form: Form,
    /// The number of games per encounter, rounded up to whole pairs.
    pub games: usize,
    pub conditions: Conditions,
    pub openings: OpeningSource,
    /// The seed for openings and dice.
    pub seed: u64,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// The test that ends the run early. Only for two engines.
    pub sprt: Option<Sprt>,
}

/// Why a run did not start, or why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("a match needs at least two engines; give --engine at least twice")]
    TooFewEngines,
    #[error("two engines have the name '{name}'; give each engine a different name")]
    SameName { name: String },
    #[error("an SPRT compares exactly two engines, but {engines} engines were given")]
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
        "the match was stopped because engine failures decided {failures} games in a row; the last failure: engine '{engine}' {failure}"
    )]
    Failures { failures: u32, engine: String, failure: Failure },
}

/// Observes a run. Only one thread at a time calls an observer.
pub trait Observer: Sync {
    /// Called after each game, when `standings` already include the game.
    fn game(&self, record: &GameRecord, standings: &Standings);
}

impl MatchPlan {
    /// Returns the schedule of all pairs of games.
    pub fn schedule(&self) -> PairSchedule {
        PairSchedule::new(self.form, self.engines.len(), self.games)
    }

    /// Returns the random numbers for the dice of a round. Both games of a pair get the same dice.
    fn dice(&self, round: usize) -> Rng {
        // These random numbers are independent of the random numbers that select the openings.
        Rng::new(Rng::new(self.seed ^ 0xd1ce).next_u64().wrapping_add(round as u64))
    }

    /// Checks that a game of a resumed run belongs to this plan. A game beyond the end of the plan is
    /// accepted.
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

    /// Checks that the tournament can be played. Starts every engine once and sets its options.
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
        // An engine that cannot play at all should cause an error here, instead of losing its first game.
        let with_setup = self.openings.game(0)?.is_setup();
        for engine in &self.engines {
            Client::start(engine, self.variant, with_setup)?;
        }
        Ok(())
    }
}

/// The running engines of a match, by thread. A caller that plays a series of short matches can pass the
/// engines to the next run. That run sets the options of its [`MatchPlan`] without restarting the engines.
#[derive(Default)]
pub struct MatchEngines(Vec<EngineSet>);

/// Plays the remaining games of a tournament. [`MatchPlan::check`] must have succeeded, unless the engines
/// are already running. `journal` contains the finished games and receives each game when it ends. Setting
/// `stop` aborts the run and the games in progress. The run sets `stop` itself when the SPRT is decided or an
/// error occurs.
///
/// Returns the standings, and the error if an error ended the run early.
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

/// The state shared by the threads of a run.
struct Tournament<'a> {
    plan: &'a MatchPlan,
    schedule: PairSchedule,
    observer: &'a dyn Observer,
    /// When set, all games are aborted.
    stop: &'a AtomicBool,
    ledger: Mutex<Ledger<'a>>,
}

/// The part of the shared state that changes while games are played.
struct Ledger<'a> {
    /// The index of the next pair in the schedule.
    next: usize,
    standings: Standings,
    journal: &'a mut Journal,
    /// The number of consecutive games, up to the latest, in which an engine failed.
    failures: u32,
    /// The error that ended the run early, if any.
    result: Result<(), ArenaError>,
}

impl<'a> Tournament<'a> {
    fn ledger(&self) -> MutexGuard<'_, Ledger<'a>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The main function of a thread: plays one pair of games after the other.
    fn work(&self, engines: &mut EngineSet) {
        while !self.stop.load(Relaxed) {
            let Some(pair) = self.next_pair() else { return };
            if let Err(error) = self.play_pair(pair, engines) {
                self.abort(error);
            }
        }
    }

    /// Returns the next pair with a game that has not been played yet.
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
                continue; // already in the resumed journal
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

    /// Records a finished game. Returns an error if too many games in a row had an engine failure.
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

    /// Returns whether the SPRT has reached a decision. Returns false if there is no SPRT.
    fn is_decided(&self, ledger: &Ledger) -> bool {
        self.plan.sprt.as_ref().is_some_and(|sprt| {
            let ratio = ledger.standings.rows()[0].pairs.log_likelihood_ratio(sprt);
            sprt.decision(ratio) != SprtDecision::Continue
        })
    }
}

/// The running engines of one thread. An engine keeps running if it also plays the next game.
#[derive(Default)]
struct EngineSet {
    /// The engines by their number in the plan.
    clients: HashMap<usize, Client>,
}

impl EngineSet {
    /// Plays a game between two engines. `sides` are the engine numbers of White and Black.
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
            // After a crash or hang, the opponent may still be searching. If the run was stopped, both
            // engines may still be searching.
            Some(PlayedGame { end: Err((_, failure)), .. }) => failure.needs_restart(),
            Some(_) => false,
            None => true,
        };
        if unfit {
            self.clients.clear();
        }
        played
    }

    /// Starts an engine if it is not running yet, and sets the options of the plan.
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
