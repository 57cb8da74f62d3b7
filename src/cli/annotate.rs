//! `aleator annotate`: annotates games with the engine.

use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::games::{self, GamesArgs};
use crate::engine::nodes_per_second;
use crate::pgn::PgnGame;
use crate::search::Limits;
use crate::text::counted;
use crate::tools::annotate::{Annotator, Findings};

/// Arguments of `aleator annotate`.
#[derive(Args, Debug)]
pub(super) struct AnnotateArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Search each position to this depth in plies.
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Number of nodes to search for each position.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash size of the engine in MiB. A different size can change the annotations.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// Replace the scores, mistake marks such as ??, and tags such as Annotator that a game already has.
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(arguments: &AnnotateArgs) -> anyhow::Result<()> {
    let AnnotateArgs { ref games, depth, nodes, hash, replace } = *arguments;
    let limits = depth.map_or_else(|| Limits::nodes(nodes), Limits::depth);
    let words = json!({"limits": limits, "hash": hash, "replace": replace});
    let mut annotator = Annotator::new(limits, usize::from(hash), replace);
    let (began, mut searched, mut total) = (Instant::now(), 0, Findings::default());
    let mut annotate = |mut game: PgnGame, _, control: &_| {
        let found = annotator.annotate(&mut game, control)?;
        searched += found.map_or(0, |found| found.nodes);
        anyhow::Ok(found.map(|found| (game.to_string(), found)))
    };
    games::process(games, words, &mut annotate, &mut |found: &Findings| {
        total.add(found);
        let [white, black] = found.sides;
        format!("White {white}, Black {black}")
    })?;
    let Findings { games, sides: [white, black], positions, nodes } = total;
    if games > 0 {
        let rate = nodes_per_second(searched, began.elapsed());
        let [games, positions] = [(games, "game"), (positions, "position")]
            .map(|(count, noun)| counted(count as usize, noun));
        eprintln!("{games}, {positions}, {nodes} nodes, {rate} nodes a second");
        eprintln!("White {white}, Black {black}, together {}", white.and(&black));
    }
    Ok(())
}
