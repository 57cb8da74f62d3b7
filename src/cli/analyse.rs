//! `aleator go`: analyses a position and prints a table, or JSON for programs.

use std::io::IsTerminal;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{bail, ensure};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{PositionArgs, interrupt, output};
use crate::engine::{
    self, Control, Engine, GameEngine, SearchInfo, SearchListener, SearchRequest, SearchResult,
    millis,
};
use crate::game::{Outcome, Termination};
use crate::protocol::UciCommand;
use crate::tablebase::Prober;
use crate::types::{Bound, Score};

/// Arguments of `aleator go`.
#[derive(Args, Debug)]
pub(super) struct GoArgs {
    /// One or more limits of the search: `depth N`, `nodes N`, `movetime MS`, `mate N` or `infinite`.
    /// `searchmoves MOVE ...` restricts the search to the given moves. Ctrl-C ends the search and shows
    /// the best move.
    #[arg(required = true, value_name = "LIMIT")]
    limits: Vec<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Number of principal variations to show.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Number of search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the hash table in MiB.
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: usize,
    /// Folders with Syzygy tablebases, separated by `:` (on Windows by `;`).
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Print JSON instead of a table, one object per line: first the position, then each line of
    /// analysis, last the best move.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &GoArgs) -> anyhow::Result<()> {
    let mut request = read_limits(&arguments.limits)?;
    request.san = true;
    request.limits.multi_pv = usize::from(arguments.multipv);
    let threads = usize::from(arguments.threads);
    let mut engine = arguments.position.engine(arguments.hash, threads)?;
    request.chess960 = engine.game().is_chess960();
    request.prober = arguments.syzygy.as_deref().map(Prober::open).transpose()?;
    if let Some(wrong) = engine.check_search_moves(&request).into_iter().next() {
        return Err(wrong.into());
    }
    let control = interrupt::control();
    let analyse = if arguments.json { analyse_for_programs } else { analyse_for_people };
    analyse(&mut engine, &request, &control)?;
    output::tell_error(request.prober.as_ref());
    Ok(())
}

/// Parses limits in the syntax of the UCI command `go`. Fails if no limit is given.
fn read_limits(words: &[String]) -> anyhow::Result<SearchRequest> {
    let Some(UciCommand::Go(go)) = UciCommand::parse(&format!("go {}", words.join(" ")))? else {
        bail!("'go {}' does not start a search", words.join(" "));
    };
    if let Some(error) = go.errors.into_iter().next() {
        return Err(error.into());
    }
    if let Some(word) = go.ignored.first() {
        bail!(
            "'{word}' is neither a limit nor an option; give the moves played after --moves, and \
             the position after --fen"
        );
    }
    if let Some(depth) = go.perft {
        bail!("use 'aleator perft {depth}' to count leaf nodes");
    }
    let limits = &go.request.limits;
    ensure!(
        (limits.is_limited() || limits.infinite) && !limits.ponder,
        "a limit is missing: 'depth N', 'nodes N', 'movetime MS', 'mate N' or 'infinite'"
    );
    Ok(*go.request)
}

const HEADING: Style = Style::new().bold();
const BETTER: Style = AnsiColor::Green.on_default();
const WORSE: Style = AnsiColor::Red.on_default();

fn analyse_for_people(
    engine: &mut GameEngine,
    request: &SearchRequest,
    control: &Control,
) -> anyhow::Result<()> {
    let side = engine.side_to_move();
    println!("{}\n\n{}", engine.board(), engine.fen());
    let turn = if engine.game().is_setup() { "place" } else { "move" };
    let view = format!("{side} to {turn}; positive scores are good for {side}");
    println!("{}\n", output::wrap(&view, 0));
    let listener = PeopleListener::new(control, request.limits.multi_pv > 1);
    println!("{}", listener.heading());
    let began = Instant::now();
    let answer = engine.search(request, began, control, &listener);
    listener.progress.finish_and_clear();
    if let Some(ending) = engine.game().termination() {
        println!("\n{}", describe_ending(ending));
    }
    match &answer.best {
        None => println!("no legal move"),
        Some(best) => {
            let best = engine.game().read(best).map_or_else(|_| best.clone(), |turn| turn.san);
            let (nodes, time) = (answer.nodes, began.elapsed());
            let speed = engine::nodes_per_second(nodes, time);
            println!(
                "\nbest move {HEADING}{best}{HEADING:#}   {nodes} nodes in {}, {speed} nodes/s",
                seconds(time)
            );
        }
    }
    Ok(())
}

fn describe_ending(ending: Termination) -> String {
    match ending.outcome().winner() {
        Some(winner) => format!("{ending}: {winner} has won"),
        None => format!("a draw: {ending}"),
    }
}

/// Prints lines of analysis as a table. On a terminal, a progress indicator is shown below the table.
struct PeopleListener<'a> {
    progress: ProgressBar,
    /// Used to stop the search when the output is closed.
    control: &'a Control,
    /// Whether the table has a column with the number of the principal variation (for MultiPV).
    numbered: bool,
}

impl PeopleListener<'_> {
    fn new(control: &Control, numbered: bool) -> PeopleListener<'_> {
        let mut progress = ProgressBar::hidden();
        if std::io::stdout().is_terminal() {
            progress = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}") {
                progress.set_style(style);
            }
            progress.enable_steady_tick(Duration::from_millis(120));
        }
        PeopleListener { progress, control, numbered }
    }

    /// Formats all columns before the moves. The first column is the depth with the selective depth.
    fn columns(&self, cells: [&str; 7], style: Style) -> String {
        let [depth, number, score, time, nodes, speed, hash] = cells;
        let number = if self.numbered { format!(" {number:>3}") } else { String::new() };
        format!(
            "{depth:>6}{number} {style}{score:>8}{style:#} {time:>9} {nodes:>11} {speed:>9} \
             {hash:>5}  "
        )
    }

    fn heading(&self) -> String {
        let names = ["depth", "#", "score", "time", "nodes", "nodes/s", "hash"];
        format!("{HEADING}{}line{HEADING:#}", self.columns(names, Style::new()))
    }

    fn row(&self, line: &SearchInfo) -> String {
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let cells = [
            &format!("{}/{}", line.depth, line.selective_depth),
            &line.multi_pv.to_string(),
            &format!("{bound}{}", line.score),
            &seconds(line.time),
            &line.nodes.to_string(),
            &line.nodes_per_second().to_string(),
            &format!("{:.1}%", f64::from(line.hash_full) / 10.0),
        ];
        let columns = self
            .columns(cells.map(String::as_str), if line.score.is_good() { BETTER } else { WORSE });
        let indent = self.columns([""; 7], Style::new()).len();
        output::wrap(&format!("{columns}{}", line.san.join(" ")), indent)
    }
}

impl SearchListener for PeopleListener<'_> {
    fn info(&self, line: &SearchInfo) {
        let text = self.row(line);
        self.progress.suspend(|| println!("{text}"));
        if output::failed() {
            self.control.stop.store(true, Relaxed);
        }
        self.progress.set_message(format!("depth {} done", line.depth));
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        self.progress.set_message(format!("depth {depth}, move {number}: {mv}"));
    }
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
struct LineRecord<'a> {
    depth: i32,
    seldepth: usize,
    multipv: usize,
    /// The score from the side to move's point of view.
    score: Score,
    /// The kind of score: `exact`, `lower` (a lower bound) or `upper` (an upper bound).
    bound: &'static str,
    /// Probabilities of a win, draw and loss for the side to move, in permille.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    hashfull: u32,
    tbhits: u64,
    time_ms: u64,
    pv: &'a [String],
    san: &'a [String],
}

/// The last JSON object of the output, with the best move.
#[derive(Serialize)]
struct AnswerRecord {
    bestmove: Option<String>,
    ponder: Option<String>,
    /// The result of the game, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
}

fn analyse_for_programs(
    engine: &mut GameEngine,
    request: &SearchRequest,
    control: &Control,
) -> anyhow::Result<()> {
    let variant = engine.game().variant().name();
    output::json(&StartRecord { fen: engine.fen(), variant })?;
    let SearchResult { best, ponder, .. } =
        engine.search(request, Instant::now(), control, &JsonListener { control });
    let ending = engine.game().termination();
    output::json(&AnswerRecord {
        bestmove: best,
        ponder,
        result: ending.map(Termination::outcome),
        ending: ending.map(|ending| ending.to_string()),
    })?;
    Ok(())
}

/// Prints each line of analysis as a JSON object.
struct JsonListener<'a> {
    /// Used to stop the search when the output is closed.
    control: &'a Control,
}

impl SearchListener for JsonListener<'_> {
    fn info(&self, line: &SearchInfo) {
        let record = LineRecord {
            depth: line.depth,
            seldepth: line.selective_depth,
            multipv: line.multi_pv,
            score: line.score,
            bound: match line.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: line.wdl,
            nodes: line.nodes,
            nps: line.nodes_per_second(),
            hashfull: line.hash_full,
            tbhits: line.tablebase_hits,
            time_ms: millis(line.time),
            pv: &line.pv,
            san: &line.san,
        };
        if output::json(&record).is_err() {
            self.control.stop.store(true, Relaxed);
        }
    }
}
