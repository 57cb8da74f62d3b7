//! `aleator puzzles`: finds positions in games in which exactly one move wins.

use clap::Args;
use serde_json::json;

use super::games::{self, GamesArgs};
use crate::pgn::PgnGame;
use crate::tools::puzzles::PuzzleFinder;

/// Arguments of `aleator puzzles`.
#[derive(Args, Debug)]
pub(super) struct PuzzlesArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Nodes for the first search of each position, which looks for candidates.
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    look: u64,
    /// Nodes for each later search, which confirms a position of a solution.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash size of each of the two engines in MiB. A different size can change the puzzles.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// Number of the first game of the file. Game numbers are part of the puzzles' names.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    first: u32,
}

pub(super) fn run(arguments: &PuzzlesArgs) -> anyhow::Result<()> {
    let PuzzlesArgs { ref games, look, nodes, hash, first } = *arguments;
    let words = json!({"look": look, "nodes": nodes, "hash": hash, "first": first});
    let mut finder = PuzzleFinder::new(look, nodes, usize::from(hash));
    let mut find = |game: PgnGame, number: u64, control: &_| {
        let found = finder.find(&game, u64::from(first) - 1 + number, control)?;
        anyhow::Ok(found.map(|puzzles| {
            let lines = puzzles.iter().map(|puzzle| format!("{puzzle}\n"));
            (lines.collect(), puzzles.len())
        }))
    };
    let mut total = 0;
    games::process(games, words, &mut find, &mut |found: &usize| {
        total += found;
        format!("{found} puzzles, {total} in all")
    })
}
