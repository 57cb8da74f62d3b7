//! `aleator epd`: tests the engine on a suite of positions.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::resumable::{Results, ResumableArgs, decided_by};
use super::{interrupt, output};
use crate::engine::{millis, nodes_per_second};
use crate::game::Turn;
use crate::rules::{BoardSize, Variant};
use crate::search::Limits;
use crate::tablebase::Prober;
use crate::text::{TextKind, counted, decode, shorten};
use crate::tools::epd::{self, EpdSettings, Found, Kind, Problem, ProblemError};
use crate::tools::resumable::input;
use crate::types::Score;

/// Arguments of `aleator epd`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit").required(true).multiple(true).args(["movetime", "nodes", "depth"]))]
pub(super) struct EpdArgs {
    /// Positions: EPD, or FEN with operations, one per line.
    #[arg(value_name = "SUITE.epd")]
    suite: PathBuf,
    /// Milliseconds for each position.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Threads of each engine.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Engines that search at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Hash size of each engine in MiB.
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: usize,
    /// Variant of positions without the operation `variant`.
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// Allowed difference between an evaluation and `ce`, in centipawns.
    #[arg(long, default_value_t = 50, value_name = "CP")]
    margin: u32,
    /// Folders with Syzygy tablebases, as in the option SyzygyPath.
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Print JSON, one object per line: each position, then the summary. --out and --shard write JSON
    /// without times.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    units: ResumableArgs,
    /// Fail if less than this percentage is solved. Unreadable lines count as unsolved.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    require: Option<f64>,
}

fn percent(text: &str) -> Result<f64, String> {
    let read = text.trim_end_matches('%').parse().ok();
    read.filter(|percent| (0.0..=100.0).contains(percent))
        .ok_or_else(|| format!("'{text}' is not a percentage from 0 to 100"))
}

pub(super) fn run(arguments: &EpdArgs) -> anyhow::Result<()> {
    let (problems, broken) = read(&arguments.suite, arguments.variant)?;
    let settings = settings(arguments)?;
    let shard = arguments.units.shard;
    let mut tally = Tally::default();
    let Some(mut written) = EpdOutput::open(arguments, &mut |note| tally.add(note))? else {
        return Ok(());
    };
    let range = shard.range(problems.len() as u64);
    let ours = &problems[range.start as usize..range.end as usize];
    let Some(rest) = ours.get(written.done()..) else {
        bail!(
            "the unfinished results have {} positions, but there are {} to search; --force starts again",
            written.done(),
            ours.len()
        );
    };
    tally.broken = if shard.is_first() { broken } else { 0 };
    let control = interrupt::control();
    let progress = output::progress(ours.len() as u64, written.done() as u64);
    let (began, before) = (Instant::now(), tally.nodes);
    let mut failure = Ok(());
    epd::run(rest, &settings, &control, &mut |problem, found| {
        let note = Note::new(problem, found);
        tally.add(note);
        failure = progress.suspend(|| written.tell(problem, found, note));
        progress.inc(1);
        progress.set_message(format!("{} solved", tally.total().solved));
        let go_on = failure.is_ok() && !output::failed();
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failure?;
    progress.finish_and_clear();
    output::tell_fault(settings.prober.as_ref());
    let done = tally.total().positions;
    tally.rate = nodes_per_second(tally.nodes - before, began.elapsed());
    written.end(&tally, done == ours.len())?;
    if done < ours.len() {
        return Err(arguments.units.interrupted(done as u64));
    }
    match arguments.require {
        Some(least) if tally.percent() < least => {
            bail!("{:.1} % are solved, but {least} % are required", tally.percent())
        }
        _ => Ok(()),
    }
}

fn settings(arguments: &EpdArgs) -> anyhow::Result<EpdSettings> {
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: arguments.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    Ok(EpdSettings {
        limits,
        hash: arguments.hash,
        threads: arguments.threads.into(),
        concurrency: arguments.concurrency.into(),
        margin: arguments.margin,
        prober: arguments.syzygy.as_deref().map(Prober::open).transpose()?,
    })
}

/// Reads the problems of a file, and the number of unreadable lines, which are reported.
fn read(path: &Path, variant: Variant) -> anyhow::Result<(Vec<Problem>, usize)> {
    let cannot = || format!("cannot read '{}'", path.display());
    let text = decode(&std::fs::read(path).with_context(cannot)?).with_context(cannot)?;
    let (problems, errors) = epd::read_problems(&text, variant);
    reject_other_files(path, &text, &problems, &errors)?;
    errors.iter().for_each(|error| eprintln!("aleator: skipped: {error}"));
    for problem in &problems {
        for part in &problem.ignored {
            eprintln!("aleator: line {}: {part}", problem.line);
        }
    }
    ensure!(!problems.is_empty(), "there is no position to search in '{}'", path.display());
    Ok((problems, errors.len()))
}

/// Fails if none of the first lines of a file can be read: it is of another kind, and reporting every line
/// would not help.
fn reject_other_files(
    path: &Path,
    text: &str,
    problems: &[Problem],
    errors: &[ProblemError],
) -> anyhow::Result<()> {
    const EXAMINED_LINES: usize = 10;
    let ([first, ..], Some(last)) = (errors, errors.get(EXAMINED_LINES - 1)) else { return Ok(()) };
    if problems.first().is_some_and(|problem| problem.line < last.line) {
        return Ok(());
    }
    let seems = TextKind::guess(text.lines()).filter(|kind| *kind != TextKind::Epd);
    let seems = seems.map_or_else(String::new, |kind| format!("; it seems to be {kind}"));
    bail!(
        "'{}' is not a suite of positions: none of its first {EXAMINED_LINES} lines can be read ({first}){seems}",
        path.display()
    )
}

/// Where results go.
enum EpdOutput {
    /// A table.
    Table,
    /// JSON on standard output.
    Json,
    /// Results that can be resumed, or a part of them.
    Kept(Results),
}

impl EpdOutput {
    /// Opens the output. `each` gets the notes of existing results. Returns `None` if they are complete.
    fn open(arguments: &EpdArgs, each: &mut dyn FnMut(Note)) -> anyhow::Result<Option<EpdOutput>> {
        let EpdArgs { suite, movetime, nodes, depth, threads, hash, margin, .. } = arguments;
        let print_heading =
            || println!("{HEADING}{}position{HEADING:#}", columns(COLUMNS, Style::new()));
        match (arguments.units.is_any(), arguments.json) {
            (false, true) => return Ok(Some(EpdOutput::Json)),
            (false, false) => {
                print_heading();
                return Ok(Some(EpdOutput::Table));
            }
            (true, _) => {}
        }
        ensure!(
            movetime.is_none() && *threads == 1,
            "--out and --shard need reproducible results: use them with --nodes or --depth, and \
             --threads 1"
        );
        let words = json!({
            "suite": input(suite)?,
            "variant": arguments.variant.name(),
            "nodes": nodes,
            "depth": depth,
            "hash": hash,
            "margin": margin,
            "syzygy": arguments.syzygy,
        });
        let work = decided_by(BoardSize::ALL, words)?;
        Ok(arguments.units.open(&work, "", each)?.map(EpdOutput::Kept))
    }

    /// Returns the number of positions that already have results.
    fn done(&self) -> usize {
        match self {
            EpdOutput::Kept(results) => results.done() as usize,
            EpdOutput::Table | EpdOutput::Json => 0,
        }
    }

    /// Writes the result of a position.
    fn tell(&mut self, problem: &Problem, found: &Found, note: Note) -> anyhow::Result<()> {
        let record = PositionRecord::new(problem, found);
        match self {
            EpdOutput::Table => println!("{}", row(problem, found)),
            EpdOutput::Json => output::json(&record)?,
            EpdOutput::Kept(results) => {
                let text = serde_json::to_string(&record.without_times())?;
                results.add(&format!("{text}\n"), &note)?;
            }
        }
        Ok(())
    }

    /// Prints the totals, and finishes the file if it is complete. A part on standard output gets no totals, so
    /// that parts can be joined.
    fn end(self, tally: &Tally, is_whole: bool) -> anyhow::Result<()> {
        match self {
            EpdOutput::Table => print_table(tally),
            EpdOutput::Json => {
                output::json(&SummaryRecord { summary: SummaryFields::new(tally) })?;
            }
            EpdOutput::Kept(Results::Printed) => {}
            EpdOutput::Kept(results) => {
                print_table(tally);
                if is_whole {
                    results.finish()?;
                }
            }
        }
        Ok(())
    }
}

const HEADING: Style = Style::new().bold();
const SOLVED: Style = AnsiColor::Green.on_default();
const MISSED: Style = AnsiColor::Red.on_default();

const COLUMNS: [&str; 6] = ["line", "solved", "depth", "time", "score", "move"];

fn columns(cells: [&str; 6], style: Style) -> String {
    let [line, solved, depth, time, score, mv] = cells;
    format!("{line:>5} {style}{solved:>6}{style:#} {depth:>5} {time:>9} {score:>8} {mv:<9} ")
}

/// Formats the result of a position: the depth and time at which it was solved or the search ended, the
/// engine's score and move, and the expected answer if it was not found.
fn row(problem: &Problem, found: &Found) -> String {
    let (word, style) = if found.solved.is_some() { ("yes", SOLVED) } else { ("no", MISSED) };
    let last = found.line.as_ref();
    let depth = found.solved.map(|since| since.depth).or(last.map(|line| line.depth));
    let time = found.solved.map_or(found.time, |since| since.time);
    let score = last.map_or_else(String::new, |line| line.score.to_string());
    let cells = [
        &problem.line.to_string(),
        word,
        &depth.unwrap_or(0).to_string(),
        &format!("{:.2} s", time.as_secs_f64()),
        &score,
        last.and_then(|line| line.san.first()).map(String::as_str).unwrap_or("-"),
    ];
    let name = problem.id.as_deref().map_or_else(|| problem.game.fen(), shorten);
    let expected =
        if found.solved.is_some() { String::new() } else { format!("  [{}]", asked(problem)) };
    format!("{}{name}{expected}", columns(cells, style))
}

/// Formats the expected answer of a problem: `bm Nf3 e4; dm 3`.
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

/// What a position adds to the totals.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Note {
    kind: Kind,
    /// The depth and the milliseconds after which it was solved.
    solved: Option<(i32, u64)>,
    error: Option<u32>,
    nodes: u64,
}

impl Note {
    fn new(problem: &Problem, found: &Found) -> Note {
        Note {
            kind: problem.kind,
            solved: found.solved.map(|since| (since.depth, millis(since.time))),
            error: found.error,
            nodes: found.nodes,
        }
    }
}

/// The totals of the problems of one kind, or of all problems.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: usize,
    solved: usize,
    /// The sum of the depths at which problems were solved.
    depth: i64,
    /// The sum of the times after which they were solved.
    millis: u64,
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
            millis: self.millis + other.millis,
        }
    }

    /// Returns the mean depth and the mean seconds to a solution.
    fn means(&self) -> (f64, f64) {
        let count = self.solved.max(1) as f64;
        (self.depth as f64 / count, self.millis as f64 / 1_000.0 / count)
    }
}

/// The totals of a suite.
#[derive(Default)]
struct Tally {
    kinds: [Sums; Kind::ALL.len()],
    /// The number of unreadable lines.
    broken: usize,
    /// The number of evaluations that could be compared.
    compared: u32,
    /// The sum of their errors in centipawns.
    error: u64,
    nodes: u64,
    /// Nodes per second.
    rate: u64,
}

impl Tally {
    fn add(&mut self, note: Note) {
        let (depth, millis) = note.solved.unwrap_or_default();
        let solved = usize::from(note.solved.is_some());
        let kind = &mut self.kinds[note.kind as usize];
        *kind = kind.and(Sums { positions: 1, solved, depth: depth.into(), millis });
        self.compared += u32::from(note.error.is_some());
        self.error += u64::from(note.error.unwrap_or(0));
        self.nodes += note.nodes;
    }

    fn total(&self) -> Sums {
        self.kinds.into_iter().fold(Sums::default(), Sums::and)
    }

    /// Returns the percentage of solved lines. Unreadable lines count as unsolved.
    fn percent(&self) -> f64 {
        let total = self.total();
        Sums { positions: total.positions + self.broken, ..total }.percent()
    }

    /// Returns the mean error of evaluations in centipawns.
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
    let present: Vec<_> = kinds.into_iter().filter(|(_, sums)| sums.positions > 0).collect();
    let total = (present.len() != 1).then(|| ("all".to_owned(), tally.total()));
    for (name, sums) in present.into_iter().chain(total) {
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
        println!("{} skipped because unreadable", counted(tally.broken, "line"));
    }
    println!("{} nodes, {} nodes/s", tally.nodes, tally.rate);
}

#[derive(Serialize)]
struct PositionRecord<'a> {
    line: usize,
    id: Option<&'a str>,
    fen: String,
    variant: &'static str,
    asked: String,
    solved: bool,
    /// The depth at which the answer became right.
    solved_depth: Option<i32>,
    solved_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solved_ms: Option<u64>,
    /// The final move.
    best: Option<&'a str>,
    san: Option<&'a str>,
    /// For the side to move.
    score: Option<Score>,
    depth: Option<i32>,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
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
            time_ms: Some(millis(found.time)),
        }
    }

    /// Removes the times, so that the record is reproducible.
    fn without_times(self) -> PositionRecord<'a> {
        PositionRecord { solved_ms: None, time_ms: None, ..self }
    }
}

/// The last line of the JSON output.
#[derive(Serialize)]
struct SummaryRecord {
    summary: SummaryFields,
}

#[derive(Serialize)]
struct SummaryFields {
    positions: usize,
    solved: usize,
    /// The number of unreadable lines, which count as unsolved.
    broken: usize,
    percent: f64,
    mean_error: Option<f64>,
    nodes: u64,
    nps: u64,
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
            nps: tally.rate,
        }
    }
}
