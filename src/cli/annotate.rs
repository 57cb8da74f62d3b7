//! `aleator annotate`: annotates games with the engine.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::games::Games;
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
    /// Games of any variant, as PGN.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// Depth to which each position is searched.
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Nodes for each position.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash size of the engine in MiB; it can change the annotations.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// Replace marks of mistakes, scores and tags such as Annotator that games already have.
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    units: ResumableArgs,
}

pub(super) fn run(arguments: &AnnotateArgs) -> anyhow::Result<()> {
    let AnnotateArgs { games: path, depth, nodes, hash, replace, units } = arguments;
    let limits = depth.map_or_else(|| Limits::nodes(*nodes), Limits::depth);
    let limit = depth.map_or_else(|| json!({"nodes": nodes}), |depth| json!({"depth": depth}));
    let words = json!({"games": input(path)?, "limit": limit, "hash": hash, "replace": replace});
    let mut games = Games::open(path, units.shard)?;
    let work = decided_by(BoardSize::ALL, words)?;
    let mut total = Findings::default();
    let Some(mut results) = units.open(&work, "", &mut |found: Findings| total.add(&found))? else {
        return games.finish();
    };
    let bar = output::progress(games.len(), results.done());
    games.skip_done(results.done());
    let control = interrupt::control();
    let mut annotator = Annotator::new(limits, usize::from(*hash), *replace);
    let (began, before, mut done) = (Instant::now(), total.nodes, results.done());
    while let Some((number, game)) = games.next()? {
        let mut found = Findings::default();
        let mut text = String::new();
        if let Some(mut game) = game {
            let annotated = annotator.annotate(&mut game, &control);
            match annotated.with_context(|| format!("game {number}"))? {
                Some(findings) => found = findings,
                None => return Err(units.interrupted(done)),
            }
            text = game.to_string();
            let [white, black] = found.sides;
            bar.suspend(|| eprintln!("game {number}: White {white}, Black {black}"));
        }
        results.add(&text, &found)?;
        total.add(&found);
        done += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    results.finish()?;
    summary(&total, nodes_per_second(total.nodes - before, began.elapsed()));
    games.finish()
}

fn summary(total: &Findings, rate: u64) {
    let [white, black] = total.sides;
    let games = counted(total.games as usize, "game");
    let positions = counted(total.positions as usize, "position");
    eprintln!("{games}, {positions}, {} nodes, {rate} nodes a second", total.nodes);
    eprintln!("White {white}, Black {black}, together {}", white.and(&black));
}
