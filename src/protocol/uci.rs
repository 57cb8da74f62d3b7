//! The UCI loop: commands in, lines out, and a search in the background.
//!
//! The engine belongs to the loop while it is idle and to the search's thread while it searches.
//! So nothing can change under a running search, and the loop can always answer.

use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::command::{COMMANDS, Command, PositionStart};
use super::go::GoParams;
use super::options::{OptionChange, OptionSetup, OptionTable};
use super::output::Output;
use crate::engine::{self, Answer, Control, Engine, EngineError, Line, Reporter, Request, Score};
use crate::lab::bench;
use crate::rules::Variant;
use crate::search::Bound;
use crate::system;
use crate::text::LineReader;

/// The engine's name and version, as GUIs show it.
pub const NAME: &str = concat!("Aleator ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Aleator developers";
const ABOUT: &str = concat!(
    "Aleator ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine for every shuffled start; GPL-3.0-or-later"
);

/// What the options are set to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Settings {
    variant: Variant,
    /// In MiB.
    hash: usize,
    threads: usize,
    multi_pv: usize,
    chess960: bool,
    show_wdl: bool,
    limit_strength: bool,
    elo: u32,
    overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            variant: Variant::Chess,
            hash: 16,
            threads: 1,
            multi_pv: 1,
            chess960: false,
            show_wdl: false,
            limit_strength: false,
            elo: *engine::ELO_RANGE.end(),
            overhead: Duration::from_millis(10),
        }
    }
}

impl Settings {
    /// The strength to play with, in Elo; full strength without.
    fn strength(&self) -> Option<u32> {
        self.limit_strength.then_some(self.elo)
    }
}

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
enum UciError {
    #[error("{command}: a search is running; send 'stop' first and wait for 'bestmove'")]
    Busy { command: &'static str },
    #[error("position: {0}; the position stays as it was")]
    Position(EngineError),
    #[error("{0}")]
    Engine(#[from] EngineError),
    #[error("{command}: no search is running")]
    Idle { command: &'static str },
    #[error("the thread for the search could not be started: {0}")]
    Thread(std::io::Error),
}

/// A search, perft or bench in the background.
struct Job {
    thread: JoinHandle<Box<dyn Engine>>,
    control: Arc<Control>,
    /// Set just before the last line is written: from then on the engine is to be had again.
    done: Arc<AtomicBool>,
}

/// The state of a UCI session.
pub struct Uci {
    output: Output,
    options: OptionTable,
    settings: Settings,
    /// `None` while a job has it.
    engine: Option<Box<dyn Engine>>,
    job: Option<Job>,
    debug: bool,
}

impl Uci {
    /// A session with default options, at the start of chess.
    pub fn new(output: Output) -> Result<Uci, EngineError> {
        let settings = Settings::default();
        let options = OptionTable::new(&OptionSetup {
            max_hash: system::memory_mebibytes(),
            variants: Variant::ALL,
            elo: engine::ELO_RANGE,
            about: ABOUT,
        });
        let engine = engine::new(settings.variant, settings.hash, settings.threads)?;
        Ok(Uci { output, options, settings, engine: Some(engine), job: None, debug: false })
    }

    /// Carries out commands until `quit` or the end of the input, which end a search too.
    pub fn run(&mut self, input: impl BufRead) {
        for line in LineReader::new(input) {
            match line {
                Ok(line) => {
                    if !self.line(&line) {
                        break;
                    }
                }
                Err(error) => self.output.remark(error),
            }
        }
        self.finish();
    }

    /// Carries out commands given as arguments, each to its end.
    pub fn run_all(&mut self, lines: &[String]) {
        for line in lines {
            if !self.line(line) {
                break;
            }
            let endless = self.job.is_some() && is_endless(line);
            if !endless {
                self.wait();
            }
        }
        self.finish();
    }

    /// Carries out one line; `false` if it ends the session.
    fn line(&mut self, line: &str) -> bool {
        let began = Instant::now();
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return false,
            Ok(Some(command)) => {
                if let Err(error) = self.execute(command, began) {
                    self.output.remark(error);
                }
            }
            Err(error) => self.output.remark(error),
        }
        true
    }

    fn execute(&mut self, command: Command, began: Instant) -> Result<(), UciError> {
        let name = command.name();
        match command {
            Command::Uci => self.identify(),
            Command::IsReady => self.output.line("readyok"),
            Command::UciNewGame => self.idle(name)?.new_game(),
            Command::SetOption { name: option, value } => {
                self.idle(name)?;
                match self.options.read(&option, value.as_deref()) {
                    Ok(change) => self.change(change)?,
                    Err(error) => self.output.remark(error),
                }
            }
            Command::Position { start, moves } => {
                let fen = match &start {
                    PositionStart::StartPos => None,
                    PositionStart::Fen(fen) => Some(fen.as_str()),
                };
                self.idle(name)?.set_position(fen, &moves).map_err(UciError::Position)?;
            }
            Command::Go(params) => self.go(params, began)?,
            Command::Stop => {
                self.hold(name, |control| control.stop.store(true, Ordering::Relaxed))?
            }
            Command::PonderHit => {
                self.hold(name, |control| control.pondering.store(false, Ordering::Relaxed))?;
            }
            Command::Debug(on) => self.debug = on,
            Command::Display => {
                let text = self.idle(name)?.display();
                self.output.line(text);
            }
            Command::Eval => {
                let text = self.idle(name)?.explain_evaluation();
                self.output.line(text);
            }
            Command::Bench { depth } => self.bench(depth)?,
            Command::Flip => self.idle(name)?.flip()?,
            Command::Compiler => self.output.line(system::build_description()),
            Command::Help => self.help(),
            Command::Quit => {}
        }
        Ok(())
    }

    fn identify(&self) {
        let options = self.options.to_string();
        self.output.line(format_args!("id name {NAME}\nid author {AUTHOR}\n\n{options}uciok"));
    }

    fn help(&self) {
        let lines: Vec<String> = COMMANDS
            .iter()
            .map(|help| format!("{} {}\n    {}", help.name, help.arguments, help.purpose))
            .collect();
        self.output.line(lines.join("\n"));
    }

    /// The engine, if no search has it.
    fn idle(&mut self, command: &'static str) -> Result<&mut Box<dyn Engine>, UciError> {
        if self.job.as_ref().is_some_and(|job| job.done.load(Ordering::Acquire)) {
            self.wait();
        }
        self.engine.as_mut().ok_or(UciError::Busy { command })
    }

    /// Does something to the running search.
    fn hold(&self, command: &'static str, action: impl FnOnce(&Control)) -> Result<(), UciError> {
        match &self.job {
            Some(job) if !job.done.load(Ordering::Acquire) => action(&job.control),
            // Too late by a moment is no mistake of the GUI's, so only `debug on` hears of it.
            _ if self.debug => return Err(UciError::Idle { command }),
            _ => {}
        }
        Ok(())
    }

    /// Waits for the running job, if there is one, and takes the engine back.
    fn wait(&mut self) {
        let Some(job) = self.job.take() else { return };
        self.engine = match job.thread.join() {
            Ok(engine) => Some(engine),
            Err(_) => {
                self.output.remark("internal error: the search thread died; starting afresh");
                let Settings { variant, hash, threads, .. } = self.settings;
                engine::new(variant, hash, threads).or_else(|_| engine::new(variant, 1, 1)).ok()
            }
        };
    }

    /// Ends the running job.
    fn finish(&mut self) {
        if let Some(job) = &self.job {
            job.control.stop.store(true, Ordering::Relaxed);
        }
        self.wait();
    }

    fn change(&mut self, change: OptionChange) -> Result<(), UciError> {
        let Some(engine) = self.engine.as_mut() else { return Ok(()) };
        let settings = &mut self.settings;
        let strength = settings.strength();
        match change {
            OptionChange::Hash(mebibytes) => {
                engine.set_hash(mebibytes)?;
                settings.hash = mebibytes;
            }
            OptionChange::ClearHash => engine.clear_hash(),
            OptionChange::Threads(threads) => {
                engine.set_threads(threads)?;
                settings.threads = threads;
            }
            OptionChange::MultiPv(lines) => settings.multi_pv = lines,
            OptionChange::Chess960(on) => settings.chess960 = on,
            OptionChange::Variant(variant) if variant != settings.variant => {
                *engine = engine::new(variant, settings.hash, settings.threads)?;
                settings.variant = variant;
            }
            OptionChange::ShowWdl(on) => settings.show_wdl = on,
            OptionChange::LimitStrength(on) => settings.limit_strength = on,
            OptionChange::Elo(elo) => settings.elo = elo,
            OptionChange::MoveOverhead(millis) => {
                settings.overhead = Duration::from_millis(millis);
            }
            #[cfg(feature = "tune")]
            OptionChange::Tunable { index, value } => crate::search::params::set(index, value),
            // The engine plays and analyses in the same way, and ponders when told to.
            OptionChange::Variant(_)
            | OptionChange::Ponder(_)
            | OptionChange::AnalyseMode(_)
            | OptionChange::EngineAbout => {}
        }
        if settings.strength() != strength {
            // The table, and what was learned from it, holds the evaluations of a player of another
            // strength, errors and all.
            engine.new_game();
        }
        Ok(())
    }

    fn go(&mut self, params: GoParams, began: Instant) -> Result<(), UciError> {
        if !params.ignored.is_empty() {
            let words = params.ignored.join(" ");
            self.output.remark(format_args!("go: ignored {}", super::words::Excerpt::new(&words)));
        }
        if let Some(depth) = params.perft {
            return self.perft(depth);
        }
        let request = self.request(params);
        let wrong = self.idle("go")?.check_search_moves(&request);
        if let Some(error) = wrong.into_iter().next() {
            return Err(error.into());
        }
        let control = Control::default();
        control.pondering.store(request.limits.ponder, Ordering::Relaxed);
        let (output, show_wdl) = (self.output.clone(), self.settings.show_wdl);
        self.start(control, move |engine, control| {
            let reporter = UciReporter { output: output.clone(), show_wdl };
            let search = || engine.search(&request, began, control, &reporter);
            let answer = catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
                output.remark("internal error in the search; playing any legal move");
                let best = engine.any_move(request.chess960);
                Answer { best, ponder: None, nodes: 0 }
            });
            best_move_line(&answer)
        })
    }

    fn request(&self, params: GoParams) -> Request {
        let settings = &self.settings;
        let mut request = Request {
            overhead: settings.overhead,
            elo: settings.strength(),
            chess960: settings.chess960,
            ..Request::from(params)
        };
        request.limits.multi_pv = settings.multi_pv;
        request
    }

    fn perft(&mut self, depth: u32) -> Result<(), UciError> {
        engine::check_perft_depth(depth)?;
        let (output, chess960) = (self.output.clone(), self.settings.chess960);
        self.idle("go")?;
        self.start(Control::default(), move |engine, control| {
            let Some(counts) = engine.perft(depth, chess960, &control.stop) else {
                return "info string perft was stopped".to_owned();
            };
            let mut total: u64 = 0;
            for (text, count) in counts {
                output.line(format_args!("{text}: {count}"));
                total = total.saturating_add(count);
            }
            format!("\nNodes searched: {}\n", if depth == 0 { 1 } else { total })
        })
    }

    fn bench(&mut self, depth: Option<u32>) -> Result<(), UciError> {
        let output = self.output.clone();
        self.idle("bench")?;
        self.start(Control::default(), move |_, control| {
            let total = bench::run(depth, control, &mut |line| output.line(line));
            total.map_or("info string bench was stopped".to_owned(), |total| total.to_string())
        })
    }

    /// Gives the engine to a thread of its own. What the work returns is the last line written.
    fn start(
        &mut self,
        control: Control,
        work: impl FnOnce(&mut dyn Engine, &Control) -> String + Send + 'static,
    ) -> Result<(), UciError> {
        let Some(mut engine) = self.engine.take() else {
            return Err(UciError::Busy { command: "go" });
        };
        let (control, done) = (Arc::new(control), Arc::new(AtomicBool::new(false)));
        let (hold, flag, output) = (control.clone(), done.clone(), self.output.clone());
        let spawned = std::thread::Builder::new().name("control".into()).spawn(move || {
            let last = work(engine.as_mut(), &hold);
            flag.store(true, Ordering::Release);
            output.line(last);
            engine
        });
        match spawned {
            Ok(thread) => {
                self.job = Some(Job { thread, control, done });
                Ok(())
            }
            Err(error) => {
                // The engine went with the thread that never was: make another.
                let Settings { variant, hash, threads, .. } = self.settings;
                self.engine = Some(engine::new(variant, hash, threads)?);
                Err(UciError::Thread(error))
            }
        }
    }
}

/// Whether a command starts a search that only `stop` ends.
fn is_endless(line: &str) -> bool {
    match Command::parse(line) {
        Ok(Some(Command::Go(go))) => {
            go.infinite || go.ponder || !(go.has_limit() || go.perft.is_some())
        }
        _ => false,
    }
}

fn best_move_line(answer: &Answer) -> String {
    match (&answer.best, &answer.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

/// Writes what a search reports as `info` lines.
struct UciReporter {
    output: Output,
    show_wdl: bool,
}

impl Reporter for UciReporter {
    fn line(&self, line: &Line) {
        self.output.line_soon(info_line(line, self.show_wdl));
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        self.output.line(format_args!("info depth {depth} currmove {mv} currmovenumber {number}"));
    }
}

fn info_line(line: &Line, show_wdl: bool) -> String {
    let score = match line.score {
        Score::Centipawns(value) => format!("cp {value}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    if line.pv.is_empty() {
        return format!("info depth 0 score {score}");
    }
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = if show_wdl {
        let [win, draw, loss] = line.wdl;
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    format!(
        "info depth {} seldepth {} multipv {} score {score}{bound}{wdl} nodes {} nps {} \
         hashfull {} tbhits {} time {} pv {}",
        line.depth,
        line.selective_depth,
        line.multi_pv,
        line.nodes,
        line.nodes_per_second(),
        line.hash_full,
        line.tablebase_hits,
        line.time.as_millis(),
        line.pv.join(" ")
    )
}
