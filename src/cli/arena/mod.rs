//! `aleator match`: engines against each other, and what the results say.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::num::ParseIntError;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::{interrupt, output};
use crate::lab::adjudication::{Adjudication, DrawRule, WinRule};
use crate::lab::arena::{
    self, Conditions, EnginePool, EngineSpec, Form, GameRecord, Header, Journal, JournalFiles,
    Limit, Observer, OpeningArgument, OpeningSource, PgnStyle, Plan, RandomOpenings, Row,
    Standings, TimeControl,
};
use crate::lab::opening::read_openings;
use crate::lab::stats::{Estimate, Model, Pentanomial, Sprt, SprtDecision};
use crate::rules::Variant;

/// Milliseconds in a day, the longest that anything is waited for.
const DAY: u64 = 24 * 60 * 60 * 1_000;

/// Arguments of `aleator match`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit").required(true).args(["tc", "nodes", "depth", "movetime"]))]
pub(super) struct MatchArgs {
    /// An engine: what it is called in the tables, and the command that starts it, as a shell
    /// would read it. Give two or more.
    #[arg(long = "engine", value_name = "NAME=CMD", required = true)]
    engines: Vec<String>,
    /// A UCI option: `NAME.OPTION=VALUE` for one engine, `OPTION=VALUE` for all of them.
    #[arg(long = "option", value_name = "[NAME.]OPTION=VALUE")]
    options: Vec<String>,
    /// The game to play.
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// Clocks: seconds and increment (8+0.08), also for a number of moves (40/60+0.5).
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Nodes for each move.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Thousandths of a second for each move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=DAY))]
    movetime: Option<u64>,
    /// Another limit for one engine, of any of these kinds: `NAME.nodes=20000`, `NAME.tc=4+0.04`.
    #[arg(long = "limit", value_name = "NAME.KIND=VALUE")]
    limits: Vec<String>,
    /// Games of each encounter. They come in pairs from one opening with colours reversed, so that
    /// an odd number is rounded up.
    #[arg(long, default_value_t = 100, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 40))]
    games: usize,
    /// Games to play at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Where games begin: a file with a FEN or EPD on each line, or `random:PLIES`, a random start
    /// and so many random turns. The engines place the pieces themselves where the variant has a
    /// set-up.
    #[arg(long, value_name = "FILE|random:PLIES", default_value = "random:4")]
    openings: OpeningArgument,
    /// With random openings of a variant with a set-up: begin behind it, with random arrays.
    #[arg(long)]
    skip_setup: bool,
    /// The same seed gives the same openings and dice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Who plays whom if there are more than two.
    #[arg(long, value_enum, default_value_t = FormArg::RoundRobin)]
    form: FormArg,
    /// Stop when the first engine is shown to be E1 stronger than the second rather than E0, or the
    /// other way round, with 5% for either error.
    #[arg(long, num_args = 2, value_names = ["E0", "E1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The unit of --sprt: normalized Elo, as fastchess and OpenBench have it, or Elo.
    #[arg(long, value_enum, default_value_t = ModelArg::Normalized)]
    model: ModelArg,
    /// By how many thousandths of a second a move may come late.
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(..=DAY))]
    margin: u64,
    /// Seconds until an engine without a clock counts as hung.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=DAY / 1_000))]
    patience: u64,
    /// Games are won when both engines have said so for this many moves: `MOVES,CENTIPAWNS`.
    #[arg(long, value_name = "MOVES,CP")]
    resign: Option<ResignArg>,
    /// Games are drawn when both scores were near zero for this many moves, from a move on:
    /// `FROM,MOVES,CENTIPAWNS`.
    #[arg(long, value_name = "FROM,MOVES,CP")]
    draw: Option<DrawArg>,
    /// Games of this many plies are drawn.
    #[arg(long, value_name = "PLIES", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    max_plies: Option<usize>,
    /// Write the games here as PGN; without --json there is a journal beside it, FILE.jsonl.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// What the tag `Variant` says [default: Standard or Chess960 for what is chess from a
    /// position, else the game's name]. Cute Chess reads Chess960 as `fischerandom`.
    #[arg(long, value_name = "WORD", requires = "pgn")]
    pgn_variant: Option<String>,
    /// The journal: the settings, the games and the outcome, a JSON object a line.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Go on with the match in the journal. A PGN file gets the games that it lacks.
    #[arg(long)]
    resume: bool,
    /// What the PGN calls the match.
    #[arg(long, value_name = "TEXT", default_value = "Aleator match")]
    event: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum FormArg {
    /// Everyone against everyone.
    RoundRobin,
    /// The first against everyone else.
    Gauntlet,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ModelArg {
    Normalized,
    Logistic,
}

/// Numbers with commas between them.
fn numbers<const N: usize>(text: &str) -> Result<[usize; N], String> {
    let numbers: Result<Vec<usize>, ParseIntError> =
        text.split(',').map(|part| part.trim().parse()).collect();
    let numbers = numbers.map_err(|error| format!("{error}; write {N} numbers with commas"))?;
    numbers.try_into().map_err(|found: Vec<_>| format!("{} numbers, not {N}", found.len()))
}

fn centipawns(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[derive(Clone, Copy, Debug)]
struct ResignArg(WinRule);

impl FromStr for ResignArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ResignArg, String> {
        let [moves, score] = numbers(text)?;
        Ok(ResignArg(WinRule { plies: moves.saturating_mul(2), score: centipawns(score) }))
    }
}

#[derive(Clone, Copy, Debug)]
struct DrawArg(DrawRule);

impl FromStr for DrawArg {
    type Err = String;

    fn from_str(text: &str) -> Result<DrawArg, String> {
        let [from_move, moves, score] = numbers(text)?;
        let [from_ply, plies] = [from_move, moves].map(|moves| moves.saturating_mul(2));
        Ok(DrawArg(DrawRule { from_ply, plies, score: centipawns(score) }))
    }
}

pub(super) fn run(arguments: &MatchArgs) -> anyhow::Result<()> {
    let plan = plan(arguments)?;
    plan.check()?;
    let limits = plan.engines.iter().map(|engine| (engine.name.clone(), engine.limit));
    let style = PgnStyle {
        event: arguments.event.clone(),
        variant: arguments.pgn_variant.clone(),
        limits: limits.collect(),
    };
    let files = JournalFiles { json: arguments.json.clone(), pgn: arguments.pgn.clone() };
    let header = header(arguments, &plan);
    let mut journal = Journal::open(&files, style, &header, arguments.resume)?;
    let resumed = journal.games().len();
    if resumed > 0 {
        println!("resumed with {resumed} games");
    }
    let [stop, interrupted] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let flags = [Arc::clone(&stop), Arc::clone(&interrupted)];
    interrupt::on_next(move || flags.iter().for_each(|flag| flag.store(true, Relaxed)));
    let unkept = (!journal.is_kept()).then(|| Arc::clone(&stop));
    let watcher = Watcher::new(&plan, resumed, unkept);
    let began = Instant::now();
    let (standings, result) =
        arena::run(&plan, &mut EnginePool::default(), &mut journal, &watcher, &stop);
    watcher.progress.finish_and_clear();
    let interrupted = interrupted.load(Relaxed);
    let is_over = result.is_ok() && !interrupted;
    let kept =
        if is_over { journal.add_summary(summary(&plan, &standings)) } else { journal.sync() };
    if standings.games() > 0 && (result.is_ok() || standings.games() > resumed as u64) {
        print_summary(&plan, &standings, began.elapsed());
    }
    if interrupted {
        println!("{}", interrupt::how_to_go_on(arguments.resume, journal.is_kept()));
    }
    result?;
    kept?;
    ensure!(!interrupted, "the match was interrupted");
    Ok(())
}

fn plan(arguments: &MatchArgs) -> anyhow::Result<Plan> {
    let millis = Duration::from_millis;
    let limit = match (arguments.tc, arguments.nodes, arguments.depth, arguments.movetime) {
        (Some(control), ..) => Limit::Clock(control),
        (_, Some(nodes), ..) => Limit::Nodes(nodes),
        (_, _, Some(depth), _) => Limit::Depth(depth),
        (_, _, _, time) => Limit::MoveTime(millis(time.unwrap_or(100))),
    };
    let mut engines = engines(&arguments.engines, &arguments.options, limit)?;
    arguments.limits.iter().try_for_each(|text| set_limit(&mut engines, text))?;
    Ok(Plan {
        variant: arguments.variant,
        engines,
        form: match arguments.form {
            FormArg::RoundRobin => Form::RoundRobin,
            FormArg::Gauntlet => Form::Gauntlet,
        },
        games: arguments.games,
        conditions: Conditions {
            margin: millis(arguments.margin),
            patience: Duration::from_secs(arguments.patience),
            adjudication: Adjudication {
                win: arguments.resign.map(|rule| rule.0),
                draw: arguments.draw.map(|rule| rule.0),
                longest: arguments.max_plies,
            },
        },
        openings: openings(arguments)?,
        seed: arguments.seed,
        concurrency: usize::from(arguments.concurrency),
        sprt: sprt(arguments)?,
    })
}

fn sprt(arguments: &MatchArgs) -> anyhow::Result<Option<Sprt>> {
    let model = match arguments.model {
        ModelArg::Normalized => Model::Normalized,
        ModelArg::Logistic => Model::Logistic,
    };
    match arguments.sprt.as_deref() {
        // Not `elo0 >= elo1`: what is no number is in no order.
        Some(&[elo0, elo1]) if elo0 < elo1 => Ok(Some(Sprt::new(elo0, elo1, model))),
        Some(&[elo0, elo1]) => {
            bail!("--sprt {elo0} {elo1}: the first number must be below the second, such as 0 5")
        }
        _ => Ok(None),
    }
}

/// Reads `--engine` and `--option`.
fn engines(
    engines: &[String],
    options: &[String],
    limit: Limit,
) -> anyhow::Result<Vec<EngineSpec>> {
    let mut specs = Vec::new();
    for text in engines {
        let wrong = || anyhow!("--engine '{text}': write NAME=COMMAND, such as new=./aleator");
        let (name, command) = text.split_once('=').ok_or_else(wrong)?;
        let command = shlex::split(command)
            .ok_or_else(|| anyhow!("--engine '{text}': a quotation mark is not closed"))?;
        ensure!(!name.trim().is_empty() && !command.is_empty(), wrong());
        specs.push(EngineSpec { name: name.trim().to_owned(), command, options: vec![], limit });
    }
    for text in options {
        let (option, value) = text.split_once('=').with_context(|| {
            format!(
                "--option '{text}': write OPTION=VALUE or NAME.OPTION=VALUE, such as new.Hash=64"
            )
        })?;
        let owner =
            option.split_once('.').filter(|(name, _)| specs.iter().any(|s| s.name == *name));
        for spec in &mut specs {
            let option = match owner {
                Some((name, _)) if name != spec.name => continue,
                Some((_, option)) => option,
                None => option,
            };
            spec.options.push((option.trim().to_owned(), value.trim().to_owned()));
        }
    }
    Ok(specs)
}

/// Reads `--limit`.
fn set_limit(engines: &mut [EngineSpec], text: &str) -> anyhow::Result<()> {
    let read = || {
        // Names may have dots in them.
        let (owner, value) = text.split_once('=')?;
        let (name, kind) = owner.rsplit_once('.')?;
        let above_zero = |number: &u64| *number > 0;
        let number = value.trim().parse().ok().filter(above_zero);
        let limit = match kind.trim() {
            "tc" => Limit::Clock(value.trim().parse().ok()?),
            "nodes" => Limit::Nodes(number?),
            "depth" => Limit::Depth(u32::try_from(number?).ok()?),
            "movetime" => Limit::MoveTime(Duration::from_millis(number.filter(|&ms| ms <= DAY)?)),
            _ => return None,
        };
        Some((name.trim(), limit))
    };
    let (name, limit) = read().with_context(|| {
        format!(
            "--limit '{text}': write NAME.KIND=VALUE, where KIND is tc, nodes, depth or movetime, \
             such as new.nodes=20000"
        )
    })?;
    let engine = engines.iter_mut().find(|engine| engine.name == name);
    engine.with_context(|| format!("--limit '{text}': no engine is called '{name}'"))?.limit =
        limit;
    Ok(())
}

fn openings(arguments: &MatchArgs) -> anyhow::Result<OpeningSource> {
    let variant = arguments.variant;
    match &arguments.openings {
        OpeningArgument::Random { plies } => {
            let openings = RandomOpenings { plies: *plies, skip_setup: arguments.skip_setup };
            Ok(OpeningSource::Random { variant, openings, seed: arguments.seed })
        }
        OpeningArgument::File(file) => {
            let source = || format!("--openings '{file}'");
            let text = std::fs::read_to_string(file).with_context(source)?;
            let fens = read_openings(&text, variant).with_context(source)?;
            Ok(OpeningSource::List { variant, fens })
        }
    }
}

/// What must stay the same when a match is resumed.
fn header(arguments: &MatchArgs, plan: &Plan) -> Header {
    let engines = plan.engines.iter().map(|engine| {
        let EngineSpec { name, command, options, limit } = engine;
        let told = json!({ "command": command, "options": options, "limit": limit.to_json() });
        (name.clone(), told)
    });
    let engines: BTreeMap<String, Value> = engines.collect();
    let header = [
        ("event", json!(arguments.event)),
        ("variant", json!(plan.variant.name())),
        ("engines", json!(engines)),
        ("margin_ms", json!(arguments.margin)),
        ("openings", json!(arguments.openings.to_string())),
        ("skip_setup", json!(arguments.skip_setup)),
        ("seed", json!(plan.seed)),
        ("form", json!(plan.form)),
        ("adjudication", json!(plan.conditions.adjudication)),
    ];
    header.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Shows how a match goes: a line that is rewritten on a terminal, lines from time to time
/// otherwise; and every fault.
struct Watcher<'a> {
    plan: &'a Plan,
    progress: ProgressBar,
    /// Whether lines are rewritten.
    live: bool,
    /// When the last line was written, with how many games.
    last: Mutex<u64>,
    /// Ends the match when nobody reads what is printed, if the games are kept nowhere else.
    unkept: Option<Arc<AtomicBool>>,
}

/// Games between two lines where nothing is rewritten.
const GAMES_A_LINE: u64 = 20;

impl<'a> Watcher<'a> {
    fn new(plan: &'a Plan, done: usize, unkept: Option<Arc<AtomicBool>>) -> Watcher<'a> {
        let live = std::io::stderr().is_terminal();
        let progress = if live {
            ProgressBar::new(plan.schedule().games() as u64)
        } else {
            ProgressBar::hidden()
        };
        let template = "{bar:24} {pos}/{len} games, {eta} left  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            progress.set_style(style);
        }
        progress.set_position(done as u64);
        progress.reset_eta();
        Watcher { plan, progress, live, last: Mutex::new(done as u64), unkept }
    }

    /// The state of the match in a line.
    fn line(&self, standings: &Standings) -> String {
        let [first, _] = standings.rows() else {
            let ranked = standings.ranked();
            let names =
                ranked.iter().map(|row| format!("{} {:.1}%", row.name, 100.0 * row.games.score()));
            return names.collect::<Vec<_>>().join(", ");
        };
        let mut line = wdl(first);
        if let Some(estimate) = first.pairs.estimate() {
            line += &format!("  {} Elo", with_error(estimate.elo, estimate.elo_error));
        }
        if let Some(sprt) = &self.plan.sprt {
            line += &format!("  {}", llr(&first.pairs, sprt));
        }
        line
    }
}

impl Observer for Watcher<'_> {
    fn game(&self, record: &GameRecord, standings: &Standings) {
        if let Some(fault) = &record.fault {
            let (pair, game) = (record.pair + 1, record.game + 1);
            let line = format!("game {pair}.{game}: engine '{}' {}", fault.engine, fault.fault);
            self.progress.suspend(|| println!("{line}"));
        }
        self.progress.set_position(standings.games());
        if self.live {
            self.progress.set_message(self.line(standings));
        } else if let Ok(mut last) = self.last.lock()
            && standings.games() >= *last + GAMES_A_LINE
        {
            *last = standings.games();
            println!("{} games  {}", standings.games(), self.line(standings));
        }
        if let Some(stop) = self.unkept.as_ref().filter(|_| output::failed()) {
            stop.store(true, Relaxed);
        }
    }
}

fn wdl(row: &Row) -> String {
    format!("+{} ={} -{}", row.games.wins, row.games.draws, row.games.losses)
}

/// `+12.3 +/- 4.5`; infinities are written as such.
fn with_error(value: f64, error: f64) -> String {
    let error = if error.is_finite() { format!("{error:.1}") } else { "inf".to_owned() };
    format!("{value:+.1} +/- {error}")
}

fn llr(pairs: &Pentanomial, sprt: &Sprt) -> String {
    let ratio = pairs.log_likelihood_ratio(sprt);
    let (lower, upper) = sprt.bounds();
    let decision = match sprt.decision(ratio) {
        SprtDecision::Continue => "",
        SprtDecision::AcceptElo1 => ", accepted",
        SprtDecision::AcceptElo0 => ", rejected",
    };
    let (elo0, elo1) = (sprt.elo0, sprt.elo1);
    format!("LLR {ratio:+.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}]{decision}")
}

fn print_summary(plan: &Plan, standings: &Standings, time: Duration) {
    let [first, others @ ..] = plan.engines.as_slice() else { return };
    let same_limit = others.iter().all(|engine| engine.limit == first.limit);
    let names = plan.engines.iter().map(|engine| match same_limit {
        true => engine.name.clone(),
        false => format!("{} ({})", engine.name, engine.limit),
    });
    let names = names.collect::<Vec<_>>().join(" against ");
    let limit = if same_limit { format!(", {}", first.limit) } else { String::new() };
    println!("{names}: {}{limit}", plan.variant);
    if let [first, _] = standings.rows() {
        print_duel(plan, first);
    } else {
        print_table(standings);
    }
    let games = standings.games().max(1);
    let white = standings.white();
    println!(
        "White  +{} ={} -{}, {:.1} plies a game, {:.0} s",
        white.wins,
        white.draws,
        white.losses,
        standings.plies() as f64 / games as f64,
        time.as_secs_f64()
    );
    let mut endings: Vec<_> = standings.endings().iter().collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let endings = endings.iter().map(|(reason, count)| format!("{count} {reason}"));
    println!("Ends   {}", endings.collect::<Vec<_>>().join(", "));
    let faults = standings.rows().iter().flat_map(|row| {
        row.faults.iter().map(move |(kind, count)| format!("{} {count} {kind}", row.name))
    });
    let faults = faults.collect::<Vec<_>>().join(", ");
    println!("Faults {}", if faults.is_empty() { "none" } else { &faults });
}

/// Two engines: all there is to say of the first.
fn print_duel(plan: &Plan, first: &Row) {
    let score = 100.0 * first.games.score();
    println!("Games  {}: {} ({score:.1}%)", first.games.games(), wdl(first));
    if let Some(Estimate { elo, elo_error, nelo, nelo_error, superiority, .. }) =
        first.pairs.estimate()
    {
        println!(
            "Elo    {}, nElo {}, LOS {:.1}%",
            with_error(elo, elo_error),
            with_error(nelo, nelo_error),
            100.0 * superiority
        );
        println!("Pairs  {} (LL, LD, WL or DD, WD, WW)", first.pairs);
    }
    if let Some(sprt) = &plan.sprt {
        println!("SPRT   {}", llr(&first.pairs, sprt));
    }
}

fn print_table(standings: &Standings) {
    let rows = standings.ranked();
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
    println!(
        "{:<width$} {:>6} {:>6} {:>6} {:>6} {:>7}  Elo",
        "engine", "games", "won", "drawn", "lost", "score"
    );
    for row in rows {
        let elo = row.pairs.estimate().map_or_else(String::new, |e| with_error(e.elo, e.elo_error));
        println!(
            "{:<width$} {:>6} {:>6} {:>6} {:>6} {:>6.1}%  {elo}",
            row.name,
            row.games.games(),
            row.games.wins,
            row.games.draws,
            row.games.losses,
            100.0 * row.games.score()
        );
    }
}

/// The outcome for machines. Numbers without a value, such as an infinite Elo, are null.
fn summary(plan: &Plan, standings: &Standings) -> serde_json::Value {
    let rows = standings.rows().iter().map(|row| {
        let estimate = row.pairs.estimate();
        let number = |f: &dyn Fn(&Estimate) -> f64| estimate.as_ref().map(f);
        json!({
            "engine": row.name,
            "wins": row.games.wins,
            "draws": row.games.draws,
            "losses": row.games.losses,
            "pairs": row.pairs.0,
            "elo": number(&|e| e.elo),
            "elo_error": number(&|e| e.elo_error),
            "nelo": number(&|e| e.nelo),
            "nelo_error": number(&|e| e.nelo_error),
            "los": number(&|e| e.superiority),
            "faults": row.faults,
        })
    });
    let rows: Vec<_> = rows.collect();
    let sprt = plan.sprt.as_ref().map(|sprt| {
        let ratio = standings.rows()[0].pairs.log_likelihood_ratio(sprt);
        let (lower, upper) = sprt.bounds();
        json!({"elo0": sprt.elo0, "elo1": sprt.elo1, "llr": ratio, "bounds": [lower, upper]})
    });
    json!({"games": standings.games(), "engines": rows, "endings": standings.endings(), "sprt": sprt})
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Limit = Limit::Nodes(100);

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn engines_and_their_options_are_read() {
        let specs = engines(
            &texts(&["new=./aleator", "old = '/my bin/x' --uci 'a b'"]),
            &texts(&["new.Hash=64", "Threads=2", "old.Move Overhead=30", "other.Key=a=b"]),
            LIMIT,
        )
        .unwrap();
        assert_eq!(specs[1].name, "old");
        assert_eq!(specs[1].command, ["/my bin/x", "--uci", "a b"]);
        let options = |spec: &EngineSpec| -> Vec<String> {
            spec.options.iter().map(|(name, value)| format!("{name}:{value}")).collect()
        };
        assert_eq!(options(&specs[0]), ["Hash:64", "Threads:2", "other.Key:a=b"]);
        assert_eq!(options(&specs[1]), ["Threads:2", "Move Overhead:30", "other.Key:a=b"]);
        for wrong in ["x", "=x", "a=", "a='x"] {
            assert!(engines(&texts(&[wrong]), &[], LIMIT).is_err(), "{wrong}");
        }
        assert!(engines(&texts(&["a=x"]), &texts(&["Hash"]), LIMIT).is_err());
    }

    #[test]
    fn an_engine_can_have_a_limit_of_its_own() {
        let mut specs = engines(&texts(&["a=x", "b.2=y"]), &[], LIMIT).unwrap();
        let mut limits = |text: &str| -> Result<[Limit; 2], String> {
            set_limit(&mut specs, text).map_err(|error| error.to_string())?;
            Ok([specs[0].limit, specs[1].limit])
        };
        assert_eq!(limits("b.2.nodes=7"), Ok([LIMIT, Limit::Nodes(7)]));
        assert_eq!(limits("a.depth=3"), Ok([Limit::Depth(3), Limit::Nodes(7)]));
        let clock = Limit::Clock("8+0.08".parse().unwrap());
        assert_eq!(limits("a.tc=8+0.08"), Ok([clock, Limit::Nodes(7)]));
        let time = Limit::MoveTime(Duration::from_millis(50));
        assert_eq!(limits("a.movetime=50"), Ok([time, Limit::Nodes(7)]));
        assert!(limits("c.nodes=7").unwrap_err().contains("no engine is called 'c'"));
        for wrong in ["", "a.nodes", "nodes=7", "a.nodes=0", "a.nodes=x", "a.speed=7", "a.tc=x"] {
            assert!(limits(wrong).unwrap_err().contains("NAME.KIND=VALUE"), "{wrong}");
        }
    }

    #[test]
    fn adjudication_is_read() {
        assert_eq!("4,600".parse::<ResignArg>().unwrap().0, WinRule { plies: 8, score: 600 });
        let rule = DrawRule { from_ply: 80, plies: 16, score: 10 };
        assert_eq!("40,8,10".parse::<DrawArg>().unwrap().0, rule);
        assert!("4".parse::<ResignArg>().is_err());
        assert!("a,b,c".parse::<DrawArg>().is_err());
    }
}
