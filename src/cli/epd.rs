//! `aleator epd`: what the engine finds in a suite of positions.

use std::fs::File;
use std::io::{self, BufReader, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{interrupt, output};
use crate::engine::{Score, nodes_per_second};
use crate::game::Turn;
use crate::lab::epd::{self, Found, Kind, Problem, Settings};
use crate::rules::Variant;
use crate::search::{Control, Limits};
use crate::text::{LineReader, shorten};

/// Arguments of `aleator epd`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit").required(true).multiple(true).args(["movetime", "nodes", "depth"]))]
pub(super) struct EpdArgs {
    /// The positions: EPD or FEN with operations, one a line.
    #[arg(value_name = "SUITE.epd")]
    suite: PathBuf,
    /// Milliseconds for each position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search each position to.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Threads that search a position together.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Positions that are searched at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// The hash table for each of them in MiB.
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: usize,
    /// The game of the positions that do not name theirs with `variant`.
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// By how many centipawns an evaluation may differ from `ce`.
    #[arg(long, default_value_t = 50, value_name = "CP")]
    margin: u32,
    /// Print JSON, an object a line: each position, then the summary.
    #[arg(long)]
    json: bool,
    /// Fail if less than so many percent are solved; lines that cannot be read count as not solved.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    require: Option<f64>,
}

fn percent(text: &str) -> Result<f64, String> {
    let read = text.trim_end_matches('%').parse().ok();
    read.filter(|percent| (0.0..=100.0).contains(percent))
        .ok_or_else(|| format!("'{text}' is no percentage from 0 to 100"))
}

pub(super) fn run(arguments: &EpdArgs) -> anyhow::Result<()> {
    let (problems, broken) = read(&arguments.suite, arguments.variant)?;
    let settings = settings(arguments);
    let control = Arc::new(Control::default());
    let stop = control.clone();
    interrupt::on_next(move || stop.stop.store(true, Relaxed));
    let (progress, began) = (progress_bar(problems.len()), Instant::now());
    let mut tally = Tally { asked: problems.len() + broken, broken, ..Tally::default() };
    if !arguments.json {
        println!("{HEADING}{}position{HEADING:#}", columns(COLUMNS, Style::new()));
    }
    epd::run(&problems, &settings, &control, &mut |problem, found| {
        tally.add(problem, found);
        progress.suspend(|| match arguments.json {
            true => drop(output::json(&PositionRecord::new(problem, found))),
            false => println!("{}", row(problem, found)),
        });
        progress.inc(1);
        progress.set_message(format!("{} solved", tally.total().solved));
        if output::failed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    progress.finish_and_clear();
    tally.time = began.elapsed();
    if arguments.json {
        output::json(&SummaryRecord { summary: SummaryFields::new(&tally) })?;
    } else {
        print_table(&tally);
    }
    let done = tally.total().positions;
    ensure!(done == problems.len(), "interrupted after {done} of {} positions", problems.len());
    match arguments.require {
        Some(least) if tally.percent() < least => {
            bail!("{:.1} % are solved, and {least} % are required", tally.percent())
        }
        _ => Ok(()),
    }
}

fn settings(arguments: &EpdArgs) -> Settings {
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: arguments.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    Settings {
        limits,
        hash: arguments.hash,
        threads: arguments.threads.into(),
        concurrency: arguments.concurrency.into(),
        margin: arguments.margin,
    }
}

/// The problems of a file, and how many lines are none; these are named.
fn read(path: &Path, variant: Variant) -> anyhow::Result<(Vec<Problem>, usize)> {
    let cannot = || format!("cannot read '{}'", path.display());
    let file = File::open(path).with_context(cannot)?;
    let lines = LineReader::new(BufReader::new(file)).or_latin1();
    let lines = lines.collect::<Result<Vec<String>, _>>().with_context(cannot)?;
    let (problems, errors) = epd::read_problems(lines.iter().map(String::as_str), variant);
    errors.iter().for_each(|error| eprintln!("aleator: passed over: {error}"));
    ensure!(!problems.is_empty(), "there is no position to search in '{}'", path.display());
    Ok((problems, errors.len()))
}

fn progress_bar(length: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let progress = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len}, {msg}, {eta} left") {
        progress.set_style(style);
    }
    progress
}

const HEADING: Style = Style::new().bold();
const SOLVED: Style = AnsiColor::Green.on_default();
const MISSED: Style = AnsiColor::Red.on_default();

const COLUMNS: [&str; 6] = ["line", "solved", "depth", "time", "score", "move"];

fn columns(cells: [&str; 6], style: Style) -> String {
    let [line, solved, depth, time, score, mv] = cells;
    format!("{line:>5} {style}{solved:>6}{style:#} {depth:>5} {time:>9} {score:>8} {mv:<9} ")
}

/// What was found of a position: since which depth and time it was solved, or how far it was
/// searched, what was preferred, and what was asked for if that is something else.
fn row(problem: &Problem, found: &Found) -> String {
    let (word, style) = if found.solved.is_some() { ("yes", SOLVED) } else { ("no", MISSED) };
    let last = found.line.as_ref();
    let depth = found.solved.map(|since| since.depth).or(last.map(|line| line.depth));
    let time = found.solved.map_or(found.time, |since| since.time);
    let score = last.map_or_else(String::new, |line| match line.score {
        Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Score::Mate(moves) => format!("#{moves}"),
    });
    let cells = [
        &problem.line.to_string(),
        word,
        &depth.unwrap_or(0).to_string(),
        &format!("{:.2} s", time.as_secs_f64()),
        &score,
        last.and_then(|line| line.san.first()).map(String::as_str).unwrap_or("-"),
    ];
    let name = problem.id.as_deref().map_or_else(|| problem.game.fen(), shorten);
    let asked =
        if found.solved.is_some() { String::new() } else { format!("  [{}]", asked(problem)) };
    format!("{}{name}{asked}", columns(cells, style))
}

/// The operations of a problem: `bm Nf3 e4; dm 3`.
fn asked(problem: &Problem) -> String {
    let moves = |kind: Kind, turns: &[Turn]| {
        let names: Vec<&str> = turns.iter().map(|turn| &*turn.san).collect();
        (!names.is_empty()).then(|| format!("{kind} {}", names.join(" ")))
    };
    let parts = [
        moves(Kind::Best, &problem.best),
        moves(Kind::Avoid, &problem.avoid),
        problem.mate.map(|moves| format!("{} {moves}", Kind::Mate)),
        problem.eval.map(|eval| format!("{} {eval}", Kind::Eval)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// What problems of one kind came to, or all of them.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: usize,
    solved: usize,
    /// Of those that were solved, until then.
    depth: i64,
    time: Duration,
}

impl Sums {
    fn percent(&self) -> f64 {
        100.0 * self.solved as f64 / self.positions.max(1) as f64
    }

    fn and(self, other: Sums) -> Sums {
        Sums {
            positions: self.positions + other.positions,
            solved: self.solved + other.solved,
            depth: self.depth + other.depth,
            time: self.time + other.time,
        }
    }

    /// The mean depth and seconds to a solution.
    fn means(&self) -> (f64, f64) {
        let count = self.solved.max(1) as f64;
        (self.depth as f64 / count, self.time.as_secs_f64() / count)
    }
}

/// What a suite came to.
#[derive(Default)]
struct Tally {
    kinds: [Sums; Kind::ALL.len()],
    /// Positions in the suite, with those that cannot be read.
    asked: usize,
    broken: usize,
    /// Evaluations that could be compared, and by how much they were wrong together.
    compared: u32,
    error: u64,
    nodes: u64,
    time: Duration,
}

impl Tally {
    fn add(&mut self, problem: &Problem, found: &Found) {
        let sums = Sums {
            positions: 1,
            solved: found.solved.is_some().into(),
            depth: found.solved.map_or(0, |since| since.depth.into()),
            time: found.solved.map_or(Duration::ZERO, |since| since.time),
        };
        let kind = &mut self.kinds[problem.kind as usize];
        *kind = kind.and(sums);
        self.compared += u32::from(found.error.is_some());
        self.error += u64::from(found.error.unwrap_or(0));
        self.nodes += found.nodes;
    }

    fn total(&self) -> Sums {
        self.kinds.into_iter().fold(Sums::default(), Sums::and)
    }

    /// How many of all that was asked are solved.
    fn percent(&self) -> f64 {
        Sums { positions: self.asked, ..self.total() }.percent()
    }

    /// By how many centipawns evaluations were wrong on average.
    fn mean_error(&self) -> Option<f64> {
        (self.compared > 0).then(|| self.error as f64 / f64::from(self.compared))
    }
}

fn print_table(tally: &Tally) {
    let cells = ["", "positions", "solved", "", "depth", "time"];
    let line = |cells: [&str; 6]| {
        let [kind, positions, solved, percent, depth, time] = cells;
        format!("{kind:<5} {positions:>9} {solved:>7} {percent:>7} {depth:>6} {time:>9}")
    };
    println!("\n{HEADING}{}{HEADING:#}", line(cells));
    let kinds = Kind::ALL.map(|kind| (kind.to_string(), tally.kinds[kind as usize]));
    let asked: Vec<_> = kinds.into_iter().filter(|(_, sums)| sums.positions > 0).collect();
    let total = (asked.len() != 1).then(|| ("all".to_owned(), tally.total()));
    for (name, sums) in asked.into_iter().chain(total) {
        let (depth, time) = sums.means();
        println!(
            "{}",
            line([
                &name,
                &sums.positions.to_string(),
                &sums.solved.to_string(),
                &format!("{:.1} %", sums.percent()),
                &format!("{depth:.1}"),
                &format!("{time:.2} s"),
            ])
        );
    }
    if let Some(error) = tally.mean_error() {
        println!("evaluations differ from 'ce' by {error:.0} centipawns on average");
    }
    if tally.broken > 0 {
        println!("{} lines cannot be read and are passed over", tally.broken);
    }
    let speed = nodes_per_second(tally.nodes, tally.time);
    println!("{} nodes in {:.2} s, {speed} nodes/s", tally.nodes, tally.time.as_secs_f64());
}

#[derive(Serialize)]
struct PositionRecord<'a> {
    line: usize,
    id: Option<&'a str>,
    fen: String,
    variant: &'static str,
    asked: String,
    solved: bool,
    /// Since when the answer was right.
    solved_depth: Option<i32>,
    solved_nodes: Option<u64>,
    solved_ms: Option<u64>,
    /// What was preferred in the end.
    best: Option<&'a str>,
    san: Option<&'a str>,
    /// For the side to move.
    score: Option<Score>,
    depth: Option<i32>,
    nodes: u64,
    time_ms: u64,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl<'a> PositionRecord<'a> {
    fn new(problem: &'a Problem, found: &'a Found) -> PositionRecord<'a> {
        let (line, since) = (found.line.as_ref(), found.solved);
        PositionRecord {
            line: problem.line,
            id: problem.id.as_deref(),
            fen: problem.game.fen(),
            variant: problem.game.variant().name(),
            asked: asked(problem),
            solved: since.is_some(),
            solved_depth: since.map(|since| since.depth),
            solved_nodes: since.map(|since| since.nodes),
            solved_ms: since.map(|since| millis(since.time)),
            best: line.and_then(|line| line.pv.first()).map(String::as_str),
            san: line.and_then(|line| line.san.first()).map(String::as_str),
            score: line.map(|line| line.score),
            depth: line.map(|line| line.depth),
            nodes: found.nodes,
            time_ms: millis(found.time),
        }
    }
}

/// The last line.
#[derive(Serialize)]
struct SummaryRecord {
    summary: SummaryFields,
}

#[derive(Serialize)]
struct SummaryFields {
    positions: usize,
    solved: usize,
    /// Lines that cannot be read, which count as not solved.
    broken: usize,
    percent: f64,
    mean_error: Option<f64>,
    nodes: u64,
    time_ms: u64,
}

impl SummaryFields {
    fn new(tally: &Tally) -> SummaryFields {
        let total = tally.total();
        SummaryFields {
            positions: total.positions,
            solved: total.solved,
            broken: tally.broken,
            percent: tally.percent(),
            mean_error: tally.mean_error(),
            nodes: tally.nodes,
            time_ms: millis(tally.time),
        }
    }
}
