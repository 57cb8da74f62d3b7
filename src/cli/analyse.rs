//! `aleator go`: analysis for people, or for machines as JSON.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{PositionArgs, interrupt, output};
use crate::engine::{self, Answer, Control, Engine, Line, Reporter, Request, Score};
use crate::protocol::UciCommand;
use crate::search::Bound;

/// Arguments of `aleator go`.
#[derive(Args, Debug)]
pub(super) struct GoArgs {
    /// How far: `depth N`, `nodes N`, `movetime MS`, `mate N`, `infinite`, also several of them;
    /// `searchmoves M ...` looks at these moves only.
    #[arg(required = true, value_name = "LIMIT")]
    limits: Vec<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Lines to show.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Threads to search with.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the hash table in MiB.
    #[arg(long, default_value_t = 64, value_name = "MIB")]
    hash: usize,
    /// Print JSON, an object a line: the position, each line of analysis, the best move.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &GoArgs) -> anyhow::Result<()> {
    let mut request = parse_limits(&arguments.limits)?;
    let mut engine =
        engine::new(arguments.position.variant, arguments.hash, usize::from(arguments.threads))?;
    engine.set_position(arguments.position.fen.as_deref(), &[])?;
    request.chess960 = true;
    request.limits.multi_pv = usize::from(arguments.multipv);
    if let Some(wrong) = engine.check_search_moves(&request).into_iter().next() {
        return Err(wrong.into());
    }
    let began = Instant::now();
    let control = Arc::new(Control::default());
    let hold = control.clone();
    interrupt::on_next(move || hold.stop.store(true, Relaxed));
    if arguments.json {
        print_json(&StartRecord { fen: engine.fen(), variant: arguments.position.variant.name() })?;
        let reporter = JsonReporter { control: &control };
        let answer = engine.search(&request, began, &control, &reporter);
        print_json(&AnswerRecord { bestmove: answer.best, ponder: answer.ponder })?;
    } else {
        print_header(engine.as_ref());
        let reporter = PeopleReporter::new(&control);
        let answer = engine.search(&request, began, &control, &reporter);
        reporter.finish(&answer, began.elapsed());
    }
    Ok(())
}

const NO_LIMIT: &str =
    "say how far to search: 'depth N', 'nodes N', 'movetime MS', 'mate N' or 'infinite'";

/// Reads the limits as the `go` command would, and wants one.
fn parse_limits(words: &[String]) -> anyhow::Result<Request> {
    let Some(UciCommand::Go(go)) = UciCommand::parse(&format!("go {}", words.join(" ")))? else {
        bail!(NO_LIMIT);
    };
    let limits = &go.request.limits;
    let limited = go.request.is_limited() || limits.infinite;
    ensure!(limited && go.perft.is_none() && !limits.ponder, NO_LIMIT);
    Ok(*go.request)
}

const HEADING: Style = Style::new().bold();
const BETTER: Style = AnsiColor::Green.on_default();
const WORSE: Style = AnsiColor::Red.on_default();

fn print_header(engine: &dyn Engine) {
    println!("{}\n", engine.board());
    println!("{}  ({} to move)\n", engine.fen(), engine.side_to_move());
    println!(
        "{HEADING}{:>5} {:>9} {:>9} {:>12} {:>11}  line{HEADING:#}",
        "depth", "score", "time", "nodes", "nodes/s"
    );
}

/// Writes lines for people, with a sign of life beneath them on a terminal.
struct PeopleReporter<'a> {
    progress: ProgressBar,
    /// To end the search when nobody reads any more.
    control: &'a Control,
}

impl PeopleReporter<'_> {
    fn new(control: &Control) -> PeopleReporter<'_> {
        if !std::io::stdout().is_terminal() {
            return PeopleReporter { progress: ProgressBar::hidden(), control };
        }
        let progress = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}") {
            progress.set_style(style);
        }
        progress.enable_steady_tick(Duration::from_millis(120));
        PeopleReporter { progress, control }
    }

    fn finish(&self, answer: &Answer, time: Duration) {
        self.progress.finish_and_clear();
        let nps = engine::nodes_per_second(answer.nodes, time);
        match &answer.best {
            None => println!("\nno legal move"),
            Some(best) => println!(
                "\nbest move {HEADING}{best}{HEADING:#}   {} nodes in {}, {} nodes/s",
                answer.nodes,
                seconds(time),
                nps
            ),
        }
    }
}

impl Reporter for PeopleReporter<'_> {
    fn line(&self, line: &Line) {
        let text = describe(line);
        self.progress.suspend(|| println!("{text}"));
        if output::failed() {
            self.control.stop.store(true, Relaxed);
        }
        self.progress.set_message(format!("depth {} done", line.depth));
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        self.progress.set_message(format!("depth {depth}, move {number}: {mv}"));
    }

    fn wants_san(&self) -> bool {
        true
    }
}

fn describe(line: &Line) -> String {
    let (text, good) = match line.score {
        Score::Centipawns(value) => (format!("{:+.2}", f64::from(value) / 100.0), value >= 0),
        Score::Mate(moves) => (format!("#{moves}"), moves > 0),
    };
    let text = match line.bound {
        Bound::Exact => text,
        Bound::Lower => format!(">={text}"),
        Bound::Upper => format!("<={text}"),
    };
    let style = if good { BETTER } else { WORSE };
    format!(
        "{:>5} {style}{text:>9}{style:#} {:>9} {:>12} {:>11}  {}",
        line.depth,
        seconds(line.time),
        line.nodes,
        line.nodes_per_second(),
        line.san.join(" ")
    )
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

#[derive(Serialize)]
struct StartRecord {
    fen: String,
    variant: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ScoreRecord {
    Cp(i32),
    Mate(i32),
}

#[derive(Serialize)]
struct LineRecord<'a> {
    depth: i32,
    seldepth: usize,
    multipv: usize,
    score: ScoreRecord,
    /// `exact`, `lower` or `upper`.
    bound: &'static str,
    /// Chances to win, draw and lose, in thousandths.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    hashfull: u32,
    time_ms: u64,
    pv: &'a [String],
    san: &'a [String],
}

#[derive(Serialize)]
struct AnswerRecord {
    bestmove: Option<String>,
    ponder: Option<String>,
}

fn print_json(record: &impl Serialize) -> std::io::Result<()> {
    let mut stdout = output::stdout();
    serde_json::to_writer(&mut stdout, record)?;
    writeln!(stdout)?;
    stdout.flush()
}

/// Writes each line as an object.
struct JsonReporter<'a> {
    /// To end the search when nobody reads any more.
    control: &'a Control,
}

impl Reporter for JsonReporter<'_> {
    fn line(&self, line: &Line) {
        let record = LineRecord {
            depth: line.depth,
            seldepth: line.selective_depth,
            multipv: line.multi_pv,
            score: match line.score {
                Score::Centipawns(value) => ScoreRecord::Cp(value),
                Score::Mate(moves) => ScoreRecord::Mate(moves),
            },
            bound: match line.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: line.wdl,
            nodes: line.nodes,
            nps: line.nodes_per_second(),
            hashfull: line.hash_full,
            time_ms: u64::try_from(line.time.as_millis()).unwrap_or(u64::MAX),
            pv: &line.pv,
            san: &line.san,
        };
        if print_json(&record).is_err() {
            self.control.stop.store(true, Relaxed);
        }
    }

    fn wants_san(&self) -> bool {
        true
    }
}
