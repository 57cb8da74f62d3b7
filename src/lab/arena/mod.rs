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
//! | `adjudication` | decisions by score |
//! | `play` | one game |
//! | `openings` | where games begin |
//! | `schedule` | who plays whom |
//! | `record` | a finished game, and PGN |
//! | `journal` | the files of a run, from which it can be resumed |
//! | `standings` | all results |
//!
//! A run is a function of its [`Plan`] only as far as the engines are: openings and dice follow
//! from the seed and the number of the round, whatever the number of threads.

pub mod adjudication;
pub mod client;
pub mod fault;
pub mod journal;
pub mod limit;
pub mod openings;
mod play;
pub mod record;
pub mod schedule;
pub mod standings;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use adjudication::{Adjudication, DrawRule, WinRule};
pub use client::{ClientError, EngineSpec};
pub use fault::Fault;
pub use journal::{Journal, JournalError};
pub use limit::{Limit, TimeControl, TimeControlError};
pub use openings::{OpeningArgument, OpeningSource, RandomOpenings, SourceError};
pub use play::Conditions;
pub use record::GameRecord;
pub use schedule::{Form, Schedule};
pub use standings::{Row, Standings};

use self::client::Client;
use self::play::{End, Played, play};
use self::schedule::Pair;
use super::stats::{Sprt, Verdict};
use crate::game::Game;
use crate::rules::Variant;
use crate::start::Rng;
use crate::types::Color;

/// So many faulty games on end, whoever is to blame, end a run: something is wrong with it.
const MOST_FAULTS: u32 = 10;

/// A tournament.
#[derive(Clone, Debug)]
pub struct Plan {
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
    #[error("{0}")]
    Client(#[from] ClientError),
    #[error("{0}")]
    Opening(#[from] SourceError),
    #[error("{0}")]
    Journal(#[from] JournalError),
    #[error("{faults} games on end were lost by a fault; the last: engine '{engine}' {fault}")]
    Faults { faults: u32, engine: String, fault: Fault },
}

/// Follows a run. Called from one thread at a time.
pub trait Observer: Sync {
    /// A game is over and counted.
    fn game(&self, record: &GameRecord, standings: &Standings);
}

impl Plan {
    /// The pairs to be played.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.form, self.engines.len(), self.games)
    }

    /// The dice of a round: the same in both games of a pair.
    fn dice(&self, round: usize) -> Rng {
        // Another stream than that of the openings.
        Rng::new(Rng::new(self.seed ^ 0xd1ce).next_u64().wrapping_add(round as u64))
    }

    /// Whether a game of an interrupted run is one of this plan. Games beyond its end are no harm.
    fn check_resumed(&self, record: &GameRecord, pair: Option<&Pair>) -> Result<(), ArenaError> {
        let Some(pair) = pair else { return Ok(()) };
        let (number, game) = (record.pair + 1, record.game + 1);
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

/// Plays what is left to be played of a tournament. `journal` holds the games that are over, and
/// takes every game as it ends.
pub fn run(
    plan: &Plan,
    journal: &mut Journal,
    observer: &dyn Observer,
) -> Result<Standings, ArenaError> {
    plan.check()?;
    run_with(plan, &mut Teams::default(), journal, observer)
}

/// The engines of a run, which can stay for the next one. There they get the options that its
/// [`Plan`] gives them, so that many short matches need no engine to be started anew.
#[derive(Default)]
pub struct Teams(Vec<Team>);

/// As [`run`], with engines that may be running already, and without [`Plan::check`].
pub fn run_with(
    plan: &Plan,
    teams: &mut Teams,
    journal: &mut Journal,
    observer: &dyn Observer,
) -> Result<Standings, ArenaError> {
    let schedule = plan.schedule();
    let names = plan.engines.iter().map(|engine| engine.name.clone());
    let mut standings = Standings::new(names, &schedule);
    let pairs: Vec<Pair> = schedule.pairs().collect();
    for record in journal.games() {
        plan.check_resumed(record, pairs.get(record.pair))?;
        standings.add(record);
    }
    let open = |pair: &Pair, standings: &Standings| {
        (0..2).any(|game| !standings.is_over(pair.index, game))
    };
    let waiting = pairs.into_iter().filter(|pair| open(pair, &standings)).collect();
    let hall = Hall {
        plan,
        observer,
        stop: AtomicBool::new(false),
        desk: Mutex::new(Desk { waiting, standings, journal, faults: 0, error: None }),
    };
    if hall.is_decided(&hall.desk()) {
        hall.stop.store(true, Relaxed);
    }
    teams.0.resize_with(plan.concurrency.max(1), Team::default);
    std::thread::scope(|scope| {
        for team in &mut teams.0 {
            scope.spawn(|| hall.work(team));
        }
    });
    let desk = hall.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    match desk.error {
        Some(error) => Err(error),
        None => Ok(desk.standings),
    }
}

/// What the threads of a run share.
struct Hall<'a> {
    plan: &'a Plan,
    observer: &'a dyn Observer,
    /// Ends all games.
    stop: AtomicBool,
    desk: Mutex<Desk<'a>>,
}

/// What changes while games are played.
struct Desk<'a> {
    waiting: VecDeque<Pair>,
    standings: Standings,
    journal: &'a mut Journal,
    /// Faulty games on end.
    faults: u32,
    /// Why the run is over before its time.
    error: Option<ArenaError>,
}

impl<'a> Hall<'a> {
    fn desk(&self) -> MutexGuard<'_, Desk<'a>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does: a pair after the other.
    fn work(&self, team: &mut Team) {
        while !self.stop.load(Relaxed) {
            let Some(pair) = self.desk().waiting.pop_front() else { return };
            if let Err(error) = self.play_pair(pair, team) {
                self.abort(error);
            }
        }
    }

    fn abort(&self, error: ArenaError) {
        self.stop.store(true, Relaxed);
        self.desk().error.get_or_insert(error);
    }

    fn play_pair(&self, pair: Pair, team: &mut Team) -> Result<(), ArenaError> {
        let opening = self.plan.openings.game(pair.round)?;
        for game in 0..2 {
            if self.desk().standings.is_over(pair.index, game) {
                continue; // before the run was interrupted
            }
            let [first, second] = pair.engines;
            let sides = if game == 0 { [first, second] } else { [second, first] };
            let dice = self.plan.dice(pair.round);
            let Some(played) = team.play(self.plan, sides, &opening, dice, &self.stop) else {
                return Ok(()); // stopped
            };
            let names = sides.map(|engine| self.plan.engines[engine].name.as_str());
            let variant = self.plan.variant;
            self.enter(GameRecord::new(pair, game, variant, &opening.fen(), names, played))?;
        }
        Ok(())
    }

    /// Takes a finished game to the books.
    fn enter(&self, record: GameRecord) -> Result<(), ArenaError> {
        let mut desk = self.desk();
        desk.standings.add(&record);
        desk.journal.add(&record)?;
        self.observer.game(&record, &desk.standings);
        desk.faults = if record.fault.is_some() { desk.faults + 1 } else { 0 };
        if self.is_decided(&desk) {
            self.stop.store(true, Relaxed);
        }
        match record.fault {
            Some(fault) if desk.faults >= MOST_FAULTS => Err(ArenaError::Faults {
                faults: desk.faults,
                engine: fault.engine,
                fault: fault.fault,
            }),
            _ => Ok(()),
        }
    }

    /// Whether the test, if there is one, has come to its end.
    fn is_decided(&self, desk: &Desk) -> bool {
        self.plan.sprt.as_ref().is_some_and(|sprt| {
            let ratio = desk.standings.rows()[0].pairs.log_likelihood_ratio(sprt);
            sprt.verdict(ratio) != Verdict::Open
        })
    }
}

/// The engines of one thread, which stay for the next game if they play in it.
#[derive(Default)]
struct Team {
    /// By their numbers.
    clients: HashMap<usize, Client>,
}

impl Team {
    /// Plays a game of two engines, White's first.
    fn play(
        &mut self,
        plan: &Plan,
        sides: [usize; 2],
        opening: &Game,
        dice: Rng,
        stop: &AtomicBool,
    ) -> Option<Played> {
        self.clients.retain(|engine, _| sides.contains(engine));
        for (color, engine) in Color::ALL.into_iter().zip(sides) {
            if let Err(error) = self.start(plan, engine, opening.is_setup()) {
                let fault = Fault::NoStart { reason: error.to_string() };
                return Some(Played {
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
            Some(Played { end: End::Fault(fault), .. }) => fault.needs_restart(),
            Some(_) => false,
            None => true,
        };
        if unfit {
            self.clients.clear();
        }
        played
    }

    /// Has an engine run with the options of the plan.
    fn start(&mut self, plan: &Plan, engine: usize, with_setup: bool) -> Result<(), ClientError> {
        let spec = &plan.engines[engine];
        if let Some(client) = self.clients.get_mut(&engine) {
            return client.adopt(spec);
        }
        let client = Client::start(spec, plan.variant, with_setup)?;
        self.clients.insert(engine, client);
        Ok(())
    }
}
