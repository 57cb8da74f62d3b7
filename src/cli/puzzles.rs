//! `aleator puzzles`: finds positions in games in which exactly one move wins.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::games::Games;
use super::resumable::{ResumableArgs, decided_by};
use super::{interrupt, output};
use crate::rules::BoardSize;
use crate::tools::puzzles::PuzzleFinder;
use crate::tools::resumable::input;

/// Arguments of `aleator puzzles`.
#[derive(Args, Debug)]
pub(super) struct PuzzlesArgs {
    /// Games of any variant, as PGN.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// Nodes for the first search of each position.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    look: u64,
    /// Nodes for confirming each position of a solution.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash size of each engine in MiB; it can change the puzzles.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    units: ResumableArgs,
}

pub(super) fn run(arguments: &PuzzlesArgs) -> anyhow::Result<()> {
    let PuzzlesArgs { games: path, look, nodes, hash, units } = arguments;
    let words = json!({"games": input(path)?, "look": look, "nodes": nodes, "hash": hash});
    let mut games = Games::open(path, units.shard)?;
    let work = decided_by(BoardSize::ALL, words)?;
    let mut total = 0_usize;
    let Some(mut results) = units.open(&work, "", &mut |found: usize| total += found)? else {
        return games.finish();
    };
    let bar = output::progress(games.len(), results.done());
    games.skip_done(results.done());
    let control = interrupt::control();
    let mut finder = PuzzleFinder::new(*look, *nodes, usize::from(*hash));
    let mut done = results.done();
    while let Some((number, game)) = games.next()? {
        let mut puzzles = Vec::new();
        if let Some(game) = game {
            let searched = finder.find(&game, number, &control);
            match searched.with_context(|| format!("game {number}"))? {
                Some(found) => puzzles = found,
                None => return Err(units.interrupted(done)),
            }
            total += puzzles.len();
            bar.suspend(|| eprintln!("game {number}: {} puzzles, {total} in all", puzzles.len()));
        }
        let lines: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        results.add(&lines, &puzzles.len())?;
        done += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    results.finish()?;
    games.finish()
}
