//! `aleator epd`: tests the engine on a suite of positions.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::resumable::{ResumableArgs, read_input};
use super::{interrupt, output};
use crate::engine::{millis, nodes_per_second};
use crate::game::Turn;
use crate::rules::{BoardSize, Variant};
use crate::search::Limits;
use crate::tablebase::Prober;
use crate::text::{TextKind, counted, decode, shorten};
use crate::tools::epd::{self, EpdSettings, Found, Kind, Problem};
use crate::tools::shard::Shard;

/// Arguments of `aleator epd`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit").required(true).multiple(true).args(["movetime", "nodes", "depth"]))]
pub(super) struct EpdArgs {
    /// Input file with test positions, one per line, as EPD or as FEN with EPD operations. `-` is standard
    /// input.
    #[arg(value_name = "SUITE.epd")]
    suite: PathBuf,
    /// Search time for each position in milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Number of nodes to search for each position.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search each position to this depth in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Number of threads of each engine.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Number of engines that search at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Hash size of each engine in MiB.
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: usize,
    /// Variant of the positions that have no EPD operation `variant`.
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// Largest difference in centipawns between the engine's score and the EPD operation `ce` with which a
    /// position counts as solved.
    #[arg(long, default_value_t = 50, value_name = "CP")]
    margin: u32,
    /// Folders with Syzygy tablebases, separated by `:` (on Windows by `;`).
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Print one JSON object per line: first one for each position, then a summary. The output file of --out
    /// is always JSON, but without line numbers, times and summary, so that its contents are reproducible.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: ResumableArgs,
    /// Fail if less than this percentage of the positions is solved. Unreadable lines count as unsolved.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    require: Option<f64>,
}

fn percent(text: &str) -> Result<f64, String> {
    let read = text.trim_end_matches('%').parse().ok();
    read.filter(|percent| (0.0..=100.0).contains(percent))
        .ok_or_else(|| format!("'{text}' is not a percentage from 0 to 100"))
}

pub(super) fn run(arguments: &EpdArgs) -> anyhow::Result<()> {
    let EpdArgs { movetime, nodes, depth, threads, hash, margin, ref syzygy, .. } = *arguments;
    let (suite, variant, output) = (&arguments.suite, arguments.variant, &arguments.output);
    let (bytes, input) = read_input(suite)?;
    let (problems, broken) = read(suite, &bytes, variant)?;
    let move_time = movetime.map(Duration::from_millis);
    let limits = Limits { depth, nodes, move_time, ..Limits::default() };
    let words = json!({
        "suite": input,
        "variant": variant.name(),
        "limits": limits,
        "hash": hash,
        "margin": margin,
        "syzygy": syzygy,
    });
    let prober = syzygy.as_deref().map(Prober::open).transpose()?;
    let (concurrency, threads) = (arguments.concurrency.into(), threads.into());
    let settings = EpdSettings { limits, hash, threads, concurrency, margin, prober };
    let is_reproducible = output.out.is_some();
    ensure!(
        !is_reproducible || movetime.is_none() && threads == 1,
        "--out needs reproducible results: use it with --nodes or --depth, and --threads 1"
    );
    let is_table = !is_reproducible && !arguments.json;
    let heading = format!("{HEADING}{}position{HEADING:#}\n", columns(COLUMNS, Style::new()));
    let heading = if is_table { &*heading } else { "" };
    let work = (Shard::WHOLE, problems.len() as u64);
    let mut notes = Vec::new();
    let Some(mut results) =
        output.open(BoardSize::ALL, words, heading, work, &mut |note: Note| notes.push(note))?
    else {
        return Ok(());
    };
    let (done, mut solved) =
        (notes.len(), notes.iter().filter(|note| note.solved.is_some()).count());
    let (began, mut failure) = (Instant::now(), Ok(()));
    epd::run(&problems[done..], &settings, &interrupt::control(), &mut |problem, found| {
        let note = Note::new(problem, found);
        notes.push(note);
        let text = match is_table {
            true => row(problem, found),
            false => record(problem, found, is_reproducible).to_string(),
        };
        failure = results.add(&(text + "\n"), &note);
        solved += usize::from(note.solved.is_some());
        results.bar.set_message(format!("{solved} solved"));
        if failure.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failure?;
    results.bar.finish_and_clear();
    output::tell_error(settings.prober.as_ref());
    let searched = notes[done..].iter().map(|note| note.nodes).sum();
    let tally = Tally { broken, rate: nodes_per_second(searched, began.elapsed()), notes };
    if is_table || output.file().is_some() {
        tally.print();
    } else if !is_reproducible {
        output::json(&json!({"summary": tally.summary()}))?;
    }
    if !results.left.is_empty() {
        return Err(results.interrupted());
    }
    results.finish()?;
    match arguments.require {
        Some(least) if tally.percent() < least => {
            bail!(
                "{:.1} % of the positions are solved, but {least} % are required",
                tally.percent()
            )
        }
        _ => Ok(()),
    }
}

/// Parses the problems of a file, and reports unreadable lines. Returns the problems and the number of
/// unreadable lines.
fn read(path: &Path, bytes: &[u8], variant: Variant) -> anyhow::Result<(Vec<Problem>, usize)> {
    const EXAMINED_LINES: usize = 10;
    let name = path.display();
    let text = decode(bytes).with_context(|| format!("cannot read '{name}'"))?;
    let (problems, errors) = epd::read_problems(&text, variant);
    // If the first lines are all unreadable, the file is not a suite. One error message is then clearer than
    // one for each line.
    if let Some(last) = errors.get(EXAMINED_LINES - 1)
        && problems.first().is_none_or(|problem| problem.line > last.line)
    {
        let seems = TextKind::guess(text.lines()).filter(|kind| *kind != TextKind::Epd);
        let seems = seems.map_or_else(String::new, |kind| format!("; the file seems to be {kind}"));
        bail!(
            "'{name}' is not a suite of positions: none of its first {EXAMINED_LINES} lines can be read \
             ({}){seems}",
            errors[0]
        );
    }
    errors.iter().for_each(|error| eprintln!("aleator: skipped: {error}"));
    for problem in &problems {
        for part in &problem.ignored {
            eprintln!("aleator: line {}: {part}", problem.line);
        }
    }
    ensure!(!problems.is_empty(), "there is no position to search in '{name}'");
    Ok((problems, errors.len()))
}

const HEADING: Style = Style::new().bold();
const SOLVED: Style = AnsiColor::Green.on_default();
const MISSED: Style = AnsiColor::Red.on_default();

const COLUMNS: [&str; 6] = ["line", "solved", "depth", "time", "score", "move"];

fn columns(cells: [&str; 6], style: Style) -> String {
    let [line, solved, depth, time, score, mv] = cells;
    format!("{line:>5} {style}{solved:>6}{style:#} {depth:>5} {time:>9} {score:>8} {mv:<9} ")
}

/// Formats the table row of a position. Depth and time are those of the solution, or of the whole search
/// if the position is unsolved. The row of an unsolved position ends with the expected answer.
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

/// Formats the expected answer of a problem, such as `bm Nf3 e4; dm 3`.
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

/// The results for one position, from which the totals are computed.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Note {
    kind: Kind,
    /// The depth and the time in milliseconds at which the position was solved, or `None` if the position is
    /// unsolved.
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

/// The results of a suite.
struct Tally {
    notes: Vec<Note>,
    /// The number of lines of the suite that could not be read.
    broken: usize,
    /// The search speed in nodes per second.
    rate: u64,
}

impl Tally {
    /// Returns four figures about the problems of `kind`, or about all problems if `kind` is `None`: the
    /// number of problems, the number of solved problems, and the mean depth and seconds to a solution.
    fn sums(&self, kind: Option<Kind>) -> (usize, usize, f64, f64) {
        let notes = self.notes.iter().filter(|note| kind.is_none_or(|kind| note.kind == kind));
        let solved = notes.clone().filter_map(|note| note.solved);
        let depth = mean(solved.clone().map(|(depth, _)| depth.into())).unwrap_or(0.0);
        let seconds = mean(solved.clone().map(|(_, millis)| millis as f64 / 1e3)).unwrap_or(0.0);
        (notes.count(), solved.count(), depth, seconds)
    }

    /// Returns the percentage of solved positions. Unreadable lines count as unsolved.
    fn percent(&self) -> f64 {
        let (positions, solved, ..) = self.sums(None);
        percentage(solved, positions + self.broken)
    }

    /// Returns the mean error of evaluations in centipawns.
    fn mean_error(&self) -> Option<f64> {
        mean(self.notes.iter().filter_map(|note| note.error.map(f64::from)))
    }

    fn nodes(&self) -> u64 {
        self.notes.iter().map(|note| note.nodes).sum()
    }

    /// Returns the summary, which is the last object of the JSON output.
    fn summary(&self) -> Value {
        let (positions, solved, ..) = self.sums(None);
        json!({
            "positions": positions,
            "solved": solved,
            // Unreadable lines, which count as unsolved in the percentage.
            "broken": self.broken,
            "percent": self.percent(),
            "mean_error": self.mean_error(),
            "nodes": self.nodes(),
            "nps": self.rate,
        })
    }

    /// Prints the totals as a table with a row for each kind of problem.
    fn print(&self) {
        let line = |cells: [&str; 6]| {
            let [kind, positions, solved, percent, depth, time] = cells;
            format!("{kind:<5} {positions:>9} {solved:>7} {percent:>7} {depth:>6} {time:>9}")
        };
        let heading = line(["", "positions", "solved", "", "depth", "time"]);
        println!("\n{HEADING}{heading}{HEADING:#}");
        let kinds = Kind::ALL.map(|kind| (kind.to_string(), self.sums(Some(kind))));
        let present: Vec<_> = kinds.into_iter().filter(|(_, sums)| sums.0 > 0).collect();
        let total = (present.len() != 1).then(|| ("all".to_owned(), self.sums(None)));
        for (name, (positions, solved, depth, seconds)) in present.into_iter().chain(total) {
            let cells = [
                &name,
                &positions.to_string(),
                &solved.to_string(),
                &format!("{:.1} %", percentage(solved, positions)),
                &format!("{depth:.1}"),
                &format!("{seconds:.2} s"),
            ];
            println!("{}", line(cells.map(String::as_str)));
        }
        if let Some(error) = self.mean_error() {
            println!("evaluations differ from 'ce' by {error:.0} centipawns on average");
        }
        if self.broken > 0 {
            println!("skipped {} that cannot be read", counted(self.broken, "line"));
        }
        println!("{} nodes, {} nodes/s", self.nodes(), self.rate);
    }
}

fn percentage(solved: usize, all: usize) -> f64 {
    100.0 * solved as f64 / all.max(1) as f64
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// Returns the JSON object of a position. The line number and the times are left out if the output must
/// be reproducible.
fn record(problem: &Problem, found: &Found, is_reproducible: bool) -> Value {
    let (line, since) = (found.line.as_ref(), found.solved);
    let mut record = json!({
        "id": problem.id,
        "fen": problem.game.fen(),
        "variant": problem.game.variant().name(),
        "asked": asked(problem),
        "solved": since.is_some(),
        "solved_depth": since.map(|since| since.depth),
        "solved_nodes": since.map(|since| since.nodes),
        "best": line.and_then(|line| line.pv.first()),
        "san": line.and_then(|line| line.san.first()),
        "score": line.map(|line| line.score),
        "depth": line.map(|line| line.depth),
        "nodes": found.nodes,
    });
    if !is_reproducible {
        record["line"] = problem.line.into();
        record["solved_ms"] = since.map(|since| millis(since.time)).into();
        record["time_ms"] = millis(found.time).into();
    }
    record
}
