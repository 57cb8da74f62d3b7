//! `aleator puzzles`: finds positions in games in which exactly one move wins.

use std::collections::BTreeMap;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::games::{self, GamesArgs};
use crate::pgn::PgnGame;
use crate::text::counted;
use crate::tools::puzzles::{Flaw, PuzzleFinder};

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

/// What was found in a game.
#[derive(Default, Serialize, Deserialize)]
struct Note {
    puzzles: usize,
    /// The candidates that were dropped, with their move numbers.
    dropped: Vec<(String, Flaw)>,
}

pub(super) fn run(arguments: &PuzzlesArgs) -> anyhow::Result<()> {
    let PuzzlesArgs { ref games, look, nodes, hash, first } = *arguments;
    let words = json!({"look": look, "nodes": nodes, "hash": hash, "first": first});
    let mut finder = PuzzleFinder::new(look, nodes, usize::from(hash));
    let mut find = |game: PgnGame, number: u64, control: &_| {
        let found = finder.find(&game, u64::from(first) - 1 + number, control)?;
        anyhow::Ok(found.map(|found| {
            let lines = found.puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
            (lines, Note { puzzles: found.puzzles.len(), dropped: found.dropped })
        }))
    };
    let (mut count, mut total) = (0, 0);
    let mut flaws: BTreeMap<Flaw, usize> = BTreeMap::new();
    games::process(games, words, &mut find, &mut |note: &Note| {
        count += 1;
        total += note.puzzles;
        let mut told = format!("{}, {total} in all", counted(note.puzzles, "puzzle"));
        for (place, flaw) in &note.dropped {
            *flaws.entry(*flaw).or_default() += 1;
            told += &format!("; {place} dropped: {flaw}");
        }
        told
    })?;
    if count > 0 {
        let dropped = counted(flaws.values().sum(), "candidate");
        eprintln!("{}, {}, {dropped} dropped", counted(count, "game"), counted(total, "puzzle"));
        flaws.iter().for_each(|(flaw, count)| eprintln!("{count}: {flaw}"));
    }
    Ok(())
}
