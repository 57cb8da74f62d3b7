//! The arena: matches and tournaments of UCI engines, in every variant that Aleator knows.
//!
//! Games come in pairs from one opening with colours reversed. Our rules library is the arbiter:
//! it knows what is legal and when a game is over, and it throws the dice of set-ups (both games
//! of a pair have the same). An engine that crashes, hangs, oversteps its time or plays an illegal
//! move loses the game; the fault is counted and named, and the engine started again if need be.
//!
//! | file | holds |
//! | --- | --- |
//! | `limit` | time controls, other limits, and both sides' clocks |
//! | `client` | an engine as a process |
//! | `fault` | what engines can do wrong |
//! | `play` | one game |
//! | `openings` | where games begin |
//! | `schedule` | who plays whom |
//! | `record` | a finished game |
//! | `pgn` | the same for other programs |
//! | `journal` | the files of a run, from which it can be resumed |
//! | `standings` | all results |
//!
//! A run is a function of its [`MatchPlan`] only as far as the engines are: openings and dice follow
//! from the seed and the number of the round, whatever the number of threads.

pub mod client;
pub mod fault;
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
pub use fault::Fault;
pub use journal::{Journal, JournalError, JournalFiles, JournalHeader};
pub use limit::Limit;
pub use openings::{OpeningArgument, OpeningSource, RandomOpenings, SourceError};
pub use pgn::PgnStyle;
pub use play::Conditions;
pub use record::GameRecord;
pub use schedule::{Form, PairSchedule};
pub use standings::{Standings, StandingsRow};

use self::client::Client;
use self::play::{End, PlayedGame, play};
use self::schedule::Pair;
use super::stats::{Sprt, SprtDecision};
use crate::game::Game;
use crate::rules::Variant;
use crate::start::Rng;
use crate::types::Color;

/// So many faulty games on end, whoever is to blame, end a run: something is wrong with it.
const MOST_FAULTS: u32 = 10;

/// A tournament.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    pub variant: Variant,
    pub engines: Vec<EngineSpec>,
    pub form: Form,
    /// Of each encounter; games come in pairs.
    pub games: usize,
    pub conditions: Conditions,
    pub openings: OpeningSource,
    /// From which openings and dice follow.
    pub seed: u64,
    /// Games that run at the same time.
    pub concurrency: usize,
    /// When to stop early; for two engines only.
    pub sprt: Option<Sprt>,
}

/// Why a run did not begin, or ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("a match needs two engines or more; name each with --engine NAME=COMMAND")]
    TooFewEngines,
    #[error("two engines have the name '{name}'; names tell them apart")]
    SameName { name: String },
    #[error("the test of --sprt compares two engines; here are {engines}")]
    SprtWithMany { engines: usize },
    #[error("no thread for a game: {0}")]
    Thread(std::io::Error),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Opening(#[from] SourceError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{faults} games on end were lost by a fault; the last: engine '{engine}' {fault}")]
    Faults { faults: u32, engine: String, fault: Fault },
}

/// Follows a run. Called from one thread at a time.
pub trait Observer: Sync {
    /// A game is over and counted.
    fn game(&self, record: &GameRecord, standings: &Standings);
}

impl MatchPlan {
    /// The pairs to be played.
    pub fn schedule(&self) -> PairSchedule {
        PairSchedule::new(self.form, self.engines.len(), self.games)
    }

    /// The dice of a round: the same in both games of a pair.
    fn dice(&self, round: usize) -> Rng {
        // Another stream than that of the openings.
        Rng::new(Rng::new(self.seed ^ 0xd1ce).next_u64().wrapping_add(round as u64))
    }

    /// Whether a game of an interrupted run is one of this plan. Games beyond its end are no harm.
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

    /// Whether it can be played: every engine is started once, and gets its options.
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
        // Every engine must be able to play at all, before the first game is lost by one.
        let with_setup = self.openings.game(0)?.is_setup();
        for engine in &self.engines {
            Client::start(engine, self.variant, with_setup)?;
        }
        Ok(())
    }
}

/// The engines of a run, by threads. They can stay for the next run and get the options there that
/// its [`MatchPlan`] gives them, so that many short matches need no engine to be started anew.
#[derive(Default)]
pub struct MatchEngines(Vec<EngineSet>);

/// Plays what is left to be played of a tournament, after [`MatchPlan::check`] for engines that are not
/// running yet. `journal` holds the games that are over, and takes every game as it ends. `stop`
/// ends the run, and the games in progress with it; the run sets it, too.
///
/// How it stands then comes back, and why it ended before its time, if it did by an error.
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
    let ledger = Ledger { next: 0, standings, journal, faults: 0, result: Ok(()) };
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

/// A run under way: what its threads share.
struct Tournament<'a> {
    plan: &'a MatchPlan,
    schedule: PairSchedule,
    observer: &'a dyn Observer,
    /// Ends all games.
    stop: &'a AtomicBool,
    ledger: Mutex<Ledger<'a>>,
}

/// What changes while games are played.
struct Ledger<'a> {
    /// The pair that nobody has looked at.
    next: usize,
    standings: Standings,
    journal: &'a mut Journal,
    /// Faulty games on end.
    faults: u32,
    /// Why the run is over before its time.
    result: Result<(), ArenaError>,
}

impl<'a> Tournament<'a> {
    fn ledger(&self) -> MutexGuard<'_, Ledger<'a>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does: a pair after the other.
    fn work(&self, engines: &mut EngineSet) {
        while !self.stop.load(Relaxed) {
            let Some(pair) = self.next_pair() else { return };
            if let Err(error) = self.play_pair(pair, engines) {
                self.abort(error);
            }
        }
    }

    /// The next pair with a game that was not played before the run was interrupted.
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
                continue; // before the run was interrupted
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

    /// Counts and keeps a finished game.
    fn enter(&self, record: GameRecord) -> Result<(), ArenaError> {
        let mut ledger = self.ledger();
        ledger.journal.add(&record)?;
        ledger.standings.add(&record);
        self.observer.game(&record, &ledger.standings);
        ledger.faults = if record.fault.is_some() { ledger.faults + 1 } else { 0 };
        if self.is_decided(&ledger) {
            self.stop.store(true, Relaxed);
        }
        match record.fault {
            Some(fault) if ledger.faults >= MOST_FAULTS => Err(ArenaError::Faults {
                faults: ledger.faults,
                engine: fault.engine,
                fault: fault.fault,
            }),
            _ => Ok(()),
        }
    }

    /// Whether the test, if there is one, has come to its end.
    fn is_decided(&self, ledger: &Ledger) -> bool {
        self.plan.sprt.as_ref().is_some_and(|sprt| {
            let ratio = ledger.standings.rows()[0].pairs.log_likelihood_ratio(sprt);
            sprt.decision(ratio) != SprtDecision::Continue
        })
    }
}

/// The engines of one thread, which stay for the next game if they play in it.
#[derive(Default)]
struct EngineSet {
    /// By their numbers.
    clients: HashMap<usize, Client>,
}

impl EngineSet {
    /// Plays a game of two engines, White's first.
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
                let fault = Fault::NoStart { reason: error.to_string() };
                return Some(PlayedGame {
                    winner: Some(!color),
                    end: End::Fault(fault),
                    turns: Vec::new(),
                    start: opening.fen(),
                });
            }
        }
        let [white, black] = self.clients.get_disjoint_mut([&sides[0], &sides[1]]);
        let (white, black) = (white?, black?);
        let played = play(opening.clone(), [white, black], &plan.conditions, dice, stop);
        let unfit = match &played {
            // The loser is the one with the fault; the other may be in mid-thought, as both are
            // when they were stopped.
            Some(PlayedGame { end: End::Fault(fault), .. }) => fault.needs_restart(),
            Some(_) => false,
            None => true,
        };
        if unfit {
            self.clients.clear();
        }
        played
    }

    /// Has an engine run with the options of the plan.
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
