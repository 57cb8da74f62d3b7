//! `aleator perft`: counts the leaf nodes of the tree of legal moves.

use std::time::Instant;

use clap::Args;

use super::PositionArgs;
use crate::engine::{self, Engine, nodes_per_second};
use crate::sync::atomic::AtomicBool;

/// Arguments of `aleator perft`.
#[derive(Args, Debug)]
pub(super) struct PerftArgs {
    /// Depth in plies at which the leaf nodes are counted.
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(super) fn run(arguments: &PerftArgs) -> anyhow::Result<()> {
    engine::check_perft_depth(arguments.depth)?;
    let engine = arguments.position.engine(1, usize::from(arguments.threads))?;
    let began = Instant::now();
    // Nothing sets the stop flag, so the count is always complete.
    let counts = engine
        .perft(arguments.depth, engine.game().is_chess960(), &AtomicBool::new(false))
        .unwrap_or_default();
    let time = began.elapsed();
    for (mv, count) in &counts {
        println!("{mv}: {count}");
    }
    let total = match arguments.depth {
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum(),
    };
    println!("\nNodes searched: {total}");
    println!("Time: {} ms", time.as_millis());
    println!("Nodes/second: {}", nodes_per_second(total, time));
    Ok(())
}
