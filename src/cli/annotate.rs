//! `aleator annotate`: games with what the engine thinks of them.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use super::resumable::{ResumableArgs, decided_by};
use super::{interrupt, output};
use crate::engine::nodes_per_second;
use crate::pgn::{PgnError, PgnGame, PgnReader};
use crate::rules::BoardSize;
use crate::search::Limits;
use crate::text::{LineReader, TextKind};
use crate::tools::annotate::{Annotator, Findings};
use crate::tools::resumable::input;

/// Arguments of `aleator annotate`.
#[derive(Args, Debug)]
pub(super) struct AnnotateArgs {
    /// The games, of any variant, as PGN.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// How deep each position is searched.
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// With how many nodes each position is searched.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Memory for the engine's table in MiB; it belongs to what the annotation depends on.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    units: ResumableArgs,
}

/// The games of the file, broken ones named and passed over.
struct Games {
    reader: PgnReader<BufReader<File>>,
    /// Whether broken games are to be named.
    is_loud: bool,
}

impl Games {
    fn open(path: &Path) -> anyhow::Result<Games> {
        let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        Ok(Games {
            reader: PgnReader::new(BufReader::with_capacity(1 << 16, file)),
            is_loud: false,
        })
    }

    fn next(&mut self) -> anyhow::Result<Option<PgnGame>> {
        for read in &mut self.reader {
            match read {
                Ok(game) => return Ok(Some(game)),
                Err(PgnError::Game(broken)) if self.is_loud => {
                    eprintln!("aleator: passed over: {broken}");
                }
                Err(PgnError::Game(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// Passes over so many games, or as many as there are, and says how many that were.
    fn pass(&mut self, count: u64) -> anyhow::Result<u64> {
        let mut passed = 0;
        while passed < count && self.next()?.is_some() {
            passed += 1;
        }
        Ok(passed)
    }
}

pub(super) fn run(arguments: &AnnotateArgs) -> anyhow::Result<()> {
    let AnnotateArgs { games: path, depth, nodes, hash, units } = arguments;
    let limits = depth.map_or_else(|| Limits::nodes(*nodes), Limits::depth);
    let limit = depth.map_or_else(|| json!({"nodes": nodes}), |depth| json!({"depth": depth}));
    let words = json!({"games": input(path)?, "limit": limit, "hash": hash});
    let work = decided_by(BoardSize::ALL, words)?;
    let mut total = Findings::default();
    let Some(mut results) = units.open(&work, "", &mut |found: Findings| total.add(&found))? else {
        return Ok(());
    };
    refuse_other_files(path)?;
    // To count the games is nothing beside what is done with them.
    let range = units.shard.range(Games::open(path)?.pass(u64::MAX)?);
    let mut games = Games::open(path)?;
    games.pass(range.start + results.done())?;
    games.is_loud = true;
    let control = interrupt::control();
    let mut annotator = Annotator::new(limits, usize::from(*hash));
    let (began, before, mut count) = (Instant::now(), total.nodes, results.done());
    let bar = output::progress(range.end - range.start, count);
    while range.start + count < range.end
        && let Some(mut game) = games.next()?
    {
        let Some(found) = annotator.annotate(&mut game, &control)? else {
            return Err(units.interrupted(count));
        };
        results.add(&game.to_string(), &found)?;
        count += 1;
        let [white, black] = found.sides;
        let number = range.start + count;
        bar.suspend(|| eprintln!("game {number}: White {white}, Black {black}"));
        bar.inc(1);
        total.add(&found);
    }
    bar.finish_and_clear();
    results.finish()?;
    summary(&total, count, nodes_per_second(total.nodes - before, began.elapsed()));
    Ok(())
}

fn summary(total: &Findings, games: u64, rate: u64) {
    let [white, black] = total.sides;
    let Findings { positions, nodes, .. } = total;
    eprintln!("{games} games, {positions} positions, {nodes} nodes, {rate} nodes a second");
    eprintln!("White {white}, Black {black}, together {}", white.and(&black));
}

fn refuse_other_files(path: &Path) -> anyhow::Result<()> {
    const LOOKED_AT: usize = 10;
    let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let lines = LineReader::new(BufReader::new(file)).or_latin1().take(LOOKED_AT);
    let lines: Vec<String> = lines.filter_map(Result::ok).collect();
    match TextKind::guess(lines.iter().map(String::as_str)) {
        None | Some(TextKind::Pgn) => Ok(()),
        Some(kind) => bail!("'{}' is no PGN: it seems to be {kind}", path.display()),
    }
}
