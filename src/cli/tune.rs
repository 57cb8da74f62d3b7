//! `aleator tune`: tunes search parameters by games of the engine against itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};

use super::{interrupt, output, shell};
use crate::game::TimeControl;
use crate::search::params::TUNABLES;
use crate::start::Numbering;
use crate::tools::adjudication::{Adjudication, DrawRule, WinRule};
use crate::tools::arena::{
    ArenaError, ClientError, Conditions, EngineSpec, Form, Limit, MatchPlan, OpeningSource,
    RandomOpenings,
};
use crate::tools::tune::{
    self, Games, SpsaSchedule, TuneError, TuneProgress, TunedNumber, Tuning, TuningSettings,
};

/// Arguments of `aleator tune`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit").args(["tc", "nodes"]))]
pub(super) struct TuneArgs {
    /// Shell command that starts the engine: an Aleator that was built with `--features tune`.
    #[arg(long, value_name = "CMD", required_unless_present = "list")]
    engine: Option<String>,
    /// Parameters to tune, separated by commas, or `all`.
    #[arg(long, value_name = "A,B,C|all", default_value = "all")]
    parameters: String,
    /// Print the parameters that can be tuned, with descriptions, and exit.
    #[arg(long)]
    list: bool,
    /// Variant of the games. `dfrc` is chess960 with independent back ranks for White and Black.
    #[arg(long, default_value = "chess960")]
    variant: Numbering,
    /// Time control of both engines: seconds for the game + seconds per move, such as 2+0.02.
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Number of nodes that an engine searches per move [default: 10000 if --tc is not given].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of iterations. Each iteration changes all parameters once.
    #[arg(long, value_name = "N", default_value_t = SpsaSchedule::default().iterations)]
    iterations: u32,
    /// Number of game pairs per iteration.
    #[arg(long, value_name = "P", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs_per_iteration: u32,
    /// Number of games to play in parallel.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Number of random plies at the start of each game.
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(..=200))]
    random_plies: usize,
    /// Step size at the end of the run: after an iteration, each parameter changes by R x (wins - losses) x
    /// its trial change. With larger values, parameters change faster, but more at random.
    #[arg(long, value_name = "R", default_value_t = SpsaSchedule::default().r_end)]
    r_end: f64,
    /// Exponent alpha of SPSA. The larger it is, the faster the steps shrink during the run.
    #[arg(long, default_value_t = SpsaSchedule::default().alpha)]
    alpha: f64,
    /// Exponent gamma of SPSA. The larger it is, the faster the trial changes shrink during the run.
    #[arg(long, default_value_t = SpsaSchedule::default().gamma)]
    gamma: f64,
    /// Constant A of SPSA, as a share of the iterations. Larger values make the first steps smaller.
    #[arg(long, value_name = "SHARE", default_value_t = SpsaSchedule::default().stability)]
    stability: f64,
    /// Hash size of each engine in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: usize,
    /// Set a UCI option of both engines.
    #[arg(long = "option", value_name = "OPTION=VALUE")]
    options: Vec<String>,
    /// Random seed of the parameters' trial changes and of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Save the state of the tuning to this file (JSON) after each iteration.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Resume an interrupted tuning from the file that is given by --json.
    #[arg(long, requires = "json")]
    resume: bool,
}

/// Ends a game when the scores of both engines agree on the result, which saves a third of the time.
const ADJUDICATION: Adjudication = Adjudication {
    win: Some(WinRule { plies: 6, score: 600 }),
    draw: Some(DrawRule { from_ply: 80, plies: 16, score: 10 }),
    longest: Some(600),
};

pub(super) fn run(arguments: &TuneArgs) -> anyhow::Result<()> {
    if arguments.list {
        show_list();
        return Ok(());
    }
    let (plan, fresh) = (plan(arguments)?, fresh(arguments)?);
    let mut state = match &arguments.json {
        Some(path) if arguments.resume => Tuning::resume(path, &fresh)?,
        Some(path) if path.exists() => {
            bail!("'{}' exists: continue it with --resume, or name another file", path.display());
        }
        _ => fresh,
    };
    if state.iteration > 0 {
        println!("continuing after iteration {}", state.iteration);
    }
    let began = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    let asked_to_stop = Arc::clone(&stop);
    interrupt::on_next(move || asked_to_stop.store(true, Relaxed));
    let mut games = Games::new(plan, stop);
    let bar = output::progress(state.settings.schedule.iterations.into(), state.iteration.into());
    let watch = &mut |progress: TuneProgress| {
        bar.suspend(|| show(&progress, began));
        bar.set_position(progress.state.iteration.into());
    };
    tune::run(&mut state, &mut games, arguments.json.as_deref(), watch).map_err(hint)?;
    bar.finish_and_clear();
    println!("\nparameters after {} iterations, for src/search/params.rs:", state.iteration);
    state.numbers.iter().for_each(|number| println!("{}", declaration(number)));
    if state.failures > 0 {
        println!(
            "{} games were lost by engine failures, not because of the parameters",
            state.failures
        );
    }
    let interrupted = state.iteration < state.settings.schedule.iterations;
    if interrupted {
        println!("{}", interrupt::how_to_go_on(arguments.resume, arguments.json.is_some()));
    }
    ensure!(!interrupted, "the tuning was interrupted");
    Ok(())
}

/// Adds a hint to the error if the engine was built without tunable parameters.
fn hint(error: TuneError) -> anyhow::Error {
    match &error {
        TuneError::Arena(ArenaError::Client(ClientError::NoOption { option, .. }))
            if TUNABLES.iter().any(|one| one.name == option) =>
        {
            anyhow!(
                "the engine has no option '{option}': build it with `cargo build --release --features tune`"
            )
        }
        _ => error.into(),
    }
}

/// Returns the initial state of a tuning run.
fn fresh(arguments: &TuneArgs) -> anyhow::Result<Tuning> {
    let schedule = SpsaSchedule {
        iterations: arguments.iterations,
        r_end: arguments.r_end,
        alpha: arguments.alpha,
        gamma: arguments.gamma,
        stability: arguments.stability,
    };
    let games = [
        ("engine", arguments.engine.clone().unwrap_or_default()),
        ("variant", arguments.variant.name().to_owned()),
        ("limit", limit(arguments).to_string()),
        ("random_plies", arguments.random_plies.to_string()),
        ("hash", arguments.hash.to_string()),
        ("options", arguments.options.join(", ")),
    ];
    let settings = TuningSettings {
        schedule,
        pairs: arguments.pairs_per_iteration,
        seed: arguments.seed,
        games: games.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    };
    Ok(Tuning::new(settings, &arguments.parameters, TUNABLES)?)
}

fn limit(arguments: &TuneArgs) -> Limit {
    match (arguments.tc, arguments.nodes) {
        (Some(control), _) => Limit::Clock(control),
        (None, nodes) => Limit::Nodes(nodes.unwrap_or(10_000)),
    }
}

/// Returns the plan of the match that the engine plays against itself.
fn plan(arguments: &TuneArgs) -> anyhow::Result<MatchPlan> {
    let command = arguments.engine.clone().unwrap_or_default();
    let words = shell::split(&command).filter(|words| !words.is_empty());
    let words = words.with_context(|| {
        format!(
            "--engine '{command}' is not a command: it is empty, or a quotation mark is not closed"
        )
    })?;
    let mut options = vec![("Hash".to_owned(), arguments.hash.to_string())];
    for text in &arguments.options {
        let (option, value) = text.split_once('=').with_context(|| {
            format!("--option '{text}': write OPTION=VALUE, such as \"Nodes Time=800\"")
        })?;
        options.push((option.trim().to_owned(), value.trim().to_owned()));
    }
    let engine = |name: &str| EngineSpec {
        name: name.to_owned(),
        command: words.clone(),
        options: options.clone(),
        limit: limit(arguments),
    };
    let openings = RandomOpenings { plies: arguments.random_plies, skip_setup: true };
    Ok(MatchPlan {
        variant: arguments.variant.variant(),
        engines: vec![engine("plus"), engine("minus")],
        form: Form::RoundRobin,
        games: 2 * arguments.pairs_per_iteration as usize,
        conditions: Conditions {
            margin: Duration::from_millis(20),
            patience: Duration::from_secs(60),
            adjudication: ADJUDICATION,
            tablebase: None,
        },
        openings: OpeningSource::Random {
            starts: arguments.variant,
            openings,
            seed: arguments.seed,
        },
        seed: arguments.seed,
        concurrency: arguments.concurrency.into(),
        sprt: None,
    })
}

fn show(progress: &TuneProgress, began: Instant) {
    let TuneProgress { results, state } = progress;
    let numbers = state.numbers.iter().map(|one| format!("{} {:.2}", one.name, one.value));
    println!(
        "{} of {}, {:.0} s: +{} ={} -{}{}  {}",
        state.iteration,
        state.settings.schedule.iterations,
        began.elapsed().as_secs_f64(),
        results.games.wins,
        results.games.draws,
        results.games.losses,
        if results.failures > 0 {
            format!(", failures {}", results.failures)
        } else {
            String::new()
        },
        numbers.collect::<Vec<_>>().join(", ")
    );
}

/// Formats a tuned parameter like a declaration in `src/search/params.rs`.
fn declaration(number: &TunedNumber) -> String {
    let TunedNumber { name, start, min, max, c_end, value } = number;
    format!("{name} = {}, {min}..={max}, {c_end:?}; // was {start}", value.round() as i32)
}

fn show_list() {
    for one in TUNABLES {
        println!(
            "{:<28} {:>6}  {}..={}, final trial values {} apart\n {}",
            one.name,
            one.default,
            one.min,
            one.max,
            2.0 * one.step,
            one.description
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_formatted_as_declarations() {
        let number = TunedNumber {
            name: "see_depth".to_owned(),
            start: 8,
            min: 3,
            max: 14,
            c_end: 0.5,
            value: 8.6,
        };
        assert_eq!(declaration(&number), "see_depth = 9, 3..=14, 0.5; // was 8");
    }
}
