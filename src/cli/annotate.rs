//! `aleator annotate`: games with what the engine thinks of them.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::games::{Games, range_of};
use super::resumable::{ResumableArgs, decided_by};
use super::{interrupt, output};
use crate::engine::nodes_per_second;
use crate::rules::BoardSize;
use crate::search::Limits;
use crate::text::counted;
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

pub(super) fn run(arguments: &AnnotateArgs) -> anyhow::Result<()> {
    let AnnotateArgs { games: path, depth, nodes, hash, units } = arguments;
    let limits = depth.map_or_else(|| Limits::nodes(*nodes), Limits::depth);
    let limit = depth.map_or_else(|| json!({"nodes": nodes}), |depth| json!({"depth": depth}));
    let words = json!({"games": input(path)?, "limit": limit, "hash": hash});
    let range = range_of(path, units.shard)?;
    let work = decided_by(BoardSize::ALL, words)?;
    let mut total = Findings::default();
    let Some(mut results) = units.open(&work, "", &mut |found: Findings| total.add(&found))? else {
        return Ok(());
    };
    let mut games = Games::open_at(path, range.start + results.done())?;
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
    let games = counted(games as usize, "game");
    let positions = counted(total.positions as usize, "position");
    eprintln!("{games}, {positions}, {} nodes, {rate} nodes a second", total.nodes);
    eprintln!("White {white}, Black {black}, together {}", white.and(&black));
}
