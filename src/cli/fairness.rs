//! `aleator start --evaluate`: evaluates one starting position, or all starting positions of a variant.

use std::path::Path;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::interrupt;
use super::resumable::ResumableArgs;
use crate::files::{self, IfExists};
use crate::search::Limits;
use crate::start::Numbering;
use crate::tools::fairness::{self, FairnessRow, HEADER, StartEvaluator};
use crate::tools::shard::Shard;

/// The arguments for evaluating starting positions.
#[derive(Args, Debug)]
pub(super) struct EvaluateArgs {
    /// With --number: evaluate the starting position with this number. With --all and --out: evaluate all
    /// starting positions, write a table (CSV) and a histogram (SVG), and print the ten fairest and the ten
    /// most unfair starting positions. The table contains number, FEN, White's score in centipawns, White's
    /// probabilities of a win, draw and loss in permille, best move, and depth.
    #[arg(long, conflicts_with_all = ["setup", "format"])]
    pub evaluate: bool,
    /// Search each starting position to this depth in plies.
    #[arg(long, requires = "evaluate", conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search each starting position with this number of nodes.
    #[arg(long, requires = "evaluate", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash size of the engine in MiB. The scores depend on the hash size.
    #[arg(long, requires = "evaluate", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    pub units: ResumableArgs,
    /// Evaluate only part K of N of the starting positions, and add the part to the name of the output file:
    /// with 3/8, `table.csv` becomes `table.3-of-8.csv`. Join the parts with `aleator join table.csv`.
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,
}

impl EvaluateArgs {
    fn limits(&self) -> Limits {
        self.depth.map_or_else(|| Limits::nodes(self.nodes), Limits::depth)
    }

    /// Evaluates the starting position with this number. Returns `None` if Ctrl-C interrupts the search.
    pub fn row(&self, starts: Numbering, number: u64) -> anyhow::Result<Option<FairnessRow>> {
        let mut evaluator = StartEvaluator::new(starts, self.limits(), self.hash.into());
        Ok(evaluator.row(number, &interrupt::control())?)
    }
}

pub(super) fn run(arguments: &EvaluateArgs, starts: Numbering) -> anyhow::Result<()> {
    let EvaluateArgs { depth, nodes, hash, ref units, shard, .. } = *arguments;
    let limits = arguments.limits();
    let limit = depth.map_or_else(|| json!({"nodes": nodes}), |depth| json!({"depth": depth}));
    let words = json!({
        "variant": starts.variant().name(),
        "black": starts.black().to_string(),
        "limit": limit,
        "hash": hash,
    });
    let (boards, work) = ([starts.variant().rules().board], (shard, starts.count()));
    if let Some(mut results) = units.open(&boards, words, HEADER, work, &mut |()| {})? {
        let control = interrupt::control();
        let mut evaluator = StartEvaluator::new(starts, limits, hash.into());
        while let Some(number) = results.next_unit() {
            let Some(row) = evaluator.row(number, &control)? else {
                return Err(results.interrupted());
            };
            results.add(&row.to_string(), &())?;
        }
        results.finish()?;
    }
    match units.file() {
        Some(out) if shard.is_whole() => show(out, starts),
        _ => Ok(()),
    }
}

/// Prints the summary of a finished table and writes the histogram.
fn show(table: &Path, starts: Numbering) -> anyhow::Result<()> {
    let cannot = || format!("cannot read '{}'", table.display());
    let rows = fairness::read(&std::fs::read_to_string(table).with_context(cannot)?)
        .with_context(cannot)?;
    println!("{}", fairness::summary(&rows, starts)?.trim_end());
    let caption = format!("Evaluation of the {} starts of {}", rows.len(), starts.variant());
    let svg = fairness::histogram(&rows, &caption)?;
    // An existing histogram is always replaced, because it can be made again from the table.
    Ok(files::write(&table.with_extension("svg"), svg.as_bytes(), IfExists::Replace)?)
}
