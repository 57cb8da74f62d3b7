//! `aleator match`: plays matches and tournaments between engines, with statistics.
//!
//! | file | contents |
//! | --- | --- |
//! | `words` | parses arguments with a special syntax: engines, options, limits, adjudication |
//! | `watcher` | shows the progress while games are played |
//! | `summary` | prints the summary at the end |

mod summary;
mod watcher;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};

use self::summary::{print_summary, summary};
use self::watcher::Watcher;
use self::words::{DrawArg, ResignArg, engines, set_limit};
use super::interrupt;
use crate::game::TimeControl;
use crate::random::Rng;
use crate::start::Numbering;
use crate::tablebase::Tablebase;
use crate::text::decode;
use crate::tools::adjudication::Adjudication;
use crate::tools::arena::{
    self, Conditions, EngineSpec, Form, Journal, JournalFiles, JournalHeader, Limit, MatchEngines,
    MatchPlan, OpeningArgument, OpeningSource, PgnStyle, RandomOpenings,
};
use crate::tools::opening::read_openings_with;
use crate::tools::stats::{EloModel, Sprt};

/// Milliseconds in a day, which is the maximum of all options that are times.
const DAY: u64 = 24 * 60 * 60 * 1_000;

/// The order in which the openings of a file are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// In the order of the file. After the last opening, the first opening follows again.
    Sequential,
    /// In a random order that --seed determines.
    Random,
}

/// Arguments of `aleator match`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("limit").required(true).args(["tc", "nodes", "depth", "movetime"]))]
pub(super) struct MatchArgs {
    /// Engine that plays in the match: NAME is the name to show in tables, and CMD is the command that starts
    /// the engine, as in `new="./aleator"`. Give --engine at least twice.
    #[arg(long = "engine", value_name = "NAME=CMD", required = true)]
    engines: Vec<String>,
    /// Set a UCI option: `NAME.OPTION=VALUE` for the engine NAME, or `OPTION=VALUE` for all engines.
    #[arg(long = "option", value_name = "[NAME.]OPTION=VALUE")]
    options: Vec<String>,
    /// Variant of the games, or `dfrc` for chess960 whose random openings have different back ranks for White
    /// and Black.
    #[arg(long, default_value = "chess")]
    variant: Numbering,
    /// Time control of each engine. 8+0.08 means 8 seconds for the game plus 0.08 seconds per move. 40/60+0.5
    /// means 60 seconds for every 40 moves plus 0.5 seconds per move.
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Limit each search to this number of nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Limit each search to this depth.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Limit each search to this number of milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=DAY))]
    movetime: Option<u64>,
    /// Limit for the engine NAME only, instead of --tc, --nodes, --depth or --movetime. KIND is tc, nodes,
    /// depth or movetime, as in `new.nodes=20000` or `new.tc=4+0.04`.
    #[arg(long = "limit", value_name = "NAME.KIND=VALUE")]
    limits: Vec<String>,
    /// Number of games between each pair of engines. Each opening is played twice, with colours reversed, so
    /// an odd number is rounded up.
    #[arg(long, default_value_t = 100, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 40))]
    games: usize,
    /// Number of games to play in parallel.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Openings: a file with a FEN or EPD on each line, or `random:PLIES` for a random starting position
    /// followed by PLIES random moves. In variants with a setup, `random:PLIES` begins the setup with PLIES
    /// random placements, and the engines place the other pieces.
    #[arg(long, value_name = "FILE|random:PLIES", default_value = "random:4")]
    openings: OpeningArgument,
    /// With `--openings random:PLIES` in a variant with a setup: start the games from random finished setups,
    /// so that the engines do not place pieces.
    #[arg(long)]
    skip_setup: bool,
    /// Order in which the openings from the file of --openings are played.
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    order: Order,
    /// Random seed for openings and dice. The same seed gives the same openings and the same dice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tournament format for more than two engines.
    #[arg(long, value_enum, default_value_t = Form::RoundRobin)]
    form: Form,
    /// Stop the match as soon as an SPRT with error probabilities of 5% accepts one of two hypotheses: the
    /// first engine is stronger than the second engine by E0 Elo, or by E1 Elo.
    #[arg(long, num_args = 2, value_names = ["E0", "E1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Unit of E0 and E1 in --sprt: normalized Elo, as in fastchess and OpenBench, or logistic Elo.
    #[arg(long, value_enum, default_value_t = EloModel::Normalized)]
    model: EloModel,
    /// Number of milliseconds by which an engine may exceed its time before it loses on time.
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(..=DAY))]
    margin: u64,
    /// Number of seconds to wait for a move of an engine without a time limit (--nodes or --depth). An engine
    /// that takes longer counts as hung and loses.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=DAY / 1_000))]
    patience: u64,
    /// Adjudicate a win when, for MOVES moves in a row, both engines report scores of at least CP centipawns
    /// for the same side.
    #[arg(long, value_name = "MOVES,CP")]
    resign: Option<ResignArg>,
    /// Adjudicate a draw when, for MOVES moves in a row, both engines report scores of at most CP centipawns
    /// for either side. No draw is adjudicated before move FROM.
    #[arg(long, value_name = "FROM,MOVES,CP")]
    draw: Option<DrawArg>,
    /// Adjudicate games with the Syzygy tablebases in these folders. The results take the fifty-move rule
    /// into account.
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Adjudicate a game as a draw when it reaches this number of plies.
    #[arg(long, value_name = "PLIES", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    max_plies: Option<usize>,
    /// Output: the games in PGN. Without --json, the journal of the match is written to FILE.jsonl.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Value to write in the PGN tag `Variant`. By default, the value is `Standard` or `Chess960` if these rules
    /// apply once all pieces are placed, and otherwise the name of the variant. Cute Chess reads games of
    /// Chess960 only if the value is `fischerandom`.
    #[arg(long, value_name = "WORD", requires = "pgn")]
    pgn_variant: Option<String>,
    /// Output: the journal of the match, with settings, games and summary, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Resume the interrupted match whose files are given by --json or --pgn. Games of the journal that are
    /// missing from the PGN file are added to the PGN file.
    #[arg(long)]
    resume: bool,
    /// Value to write in the PGN tag `Event`.
    #[arg(long, value_name = "TEXT", default_value = "Aleator match")]
    event: String,
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
    let has_file = arguments.json.is_some() || arguments.pgn.is_some();
    ensure!(has_file || !arguments.resume, "--resume needs the file of the match: --json or --pgn");
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
        arena::run(&plan, &mut MatchEngines::default(), &mut journal, &watcher, &stop);
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

fn plan(arguments: &MatchArgs) -> anyhow::Result<MatchPlan> {
    let millis = Duration::from_millis;
    let limit = match (arguments.tc, arguments.nodes, arguments.depth, arguments.movetime) {
        (Some(control), ..) => Limit::Clock(control),
        (_, Some(nodes), ..) => Limit::Nodes(nodes),
        (_, _, Some(depth), _) => Limit::Depth(depth),
        (_, _, _, time) => Limit::MoveTime(millis(time.unwrap_or(100))),
    };
    let mut engines = engines(&arguments.engines, &arguments.options, limit)?;
    arguments.limits.iter().try_for_each(|text| set_limit(&mut engines, text))?;
    Ok(MatchPlan {
        variant: arguments.variant.variant(),
        engines,
        form: arguments.form,
        games: arguments.games,
        conditions: Conditions {
            margin: millis(arguments.margin),
            patience: Duration::from_secs(arguments.patience),
            adjudication: Adjudication {
                win: arguments.resign.map(|rule| rule.0),
                draw: arguments.draw.map(|rule| rule.0),
                longest: arguments.max_plies,
            },
            tablebase: arguments.syzygy.as_deref().map(Tablebase::open).transpose()?.map(Arc::new),
        },
        openings: openings(arguments)?,
        seed: arguments.seed,
        concurrency: usize::from(arguments.concurrency),
        sprt: sprt(arguments)?,
    })
}

fn sprt(arguments: &MatchArgs) -> anyhow::Result<Option<Sprt>> {
    match arguments.sprt.as_deref() {
        // Comparing with `<` also rejects NaN.
        Some(&[elo0, elo1]) if elo0 < elo1 => Ok(Some(Sprt::new(elo0, elo1, arguments.model))),
        Some(&[elo0, elo1]) => {
            bail!("--sprt {elo0} {elo1}: the first number must be below the second, such as 0 5")
        }
        _ => Ok(None),
    }
}

fn openings(arguments: &MatchArgs) -> anyhow::Result<OpeningSource> {
    let starts = arguments.variant;
    let variant = starts.variant();
    match &arguments.openings {
        OpeningArgument::Random { .. } if arguments.order == Order::Random => {
            bail!("--order random needs a file of openings; random openings depend only on --seed")
        }
        OpeningArgument::File(file) if arguments.skip_setup => {
            bail!(
                "--skip-setup is only for random openings; games with openings of '{file}' start from the \
                 given positions"
            )
        }
        OpeningArgument::Random { plies } => {
            let openings = RandomOpenings { plies: *plies, skip_setup: arguments.skip_setup };
            Ok(OpeningSource::Random { starts, openings, seed: arguments.seed })
        }
        OpeningArgument::File(file) => {
            let source = || format!("--openings '{file}'");
            let bytes = std::fs::read(file).with_context(source)?;
            let text = decode(&bytes).with_context(source)?;
            let mut fens = read_openings_with(&text, variant, &mut |line, part| {
                eprintln!("aleator: '{file}', line {line}: {part}");
            })
            .with_context(source)?;
            if arguments.order == Order::Random {
                Rng::new(arguments.seed).shuffle(&mut fens);
            }
            Ok(OpeningSource::List { variant, fens })
        }
    }
}

/// Returns the settings that must stay the same when a match is resumed.
fn header(arguments: &MatchArgs, plan: &MatchPlan) -> JournalHeader {
    let engines = plan.engines.iter().map(|engine| {
        let EngineSpec { name, command, options, limit } = engine;
        let settings = json!({ "command": command, "options": options, "limit": limit.to_json() });
        (name.clone(), settings)
    });
    let engines: BTreeMap<String, Value> = engines.collect();
    let header = [
        ("event", json!(arguments.event)),
        ("variant", json!(arguments.variant.name())),
        ("engines", json!(engines)),
        ("margin_ms", json!(arguments.margin)),
        ("openings", json!(arguments.openings.to_string())),
        ("skip_setup", json!(arguments.skip_setup)),
        ("seed", json!(plan.seed)),
        ("form", json!(plan.form)),
        ("adjudication", json!(plan.conditions.adjudication)),
    ];
    let tablebase = plan.conditions.tablebase.as_ref();
    let syzygy = tablebase.map(|tablebase| ("syzygy", json!(tablebase.max_pieces())));
    let order = (arguments.order == Order::Random).then_some(("order", json!("random")));
    header
        .into_iter()
        .chain(syzygy)
        .chain(order)
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
