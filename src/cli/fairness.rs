//! `aleator start --all --evaluate`: evaluates every start.

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

/// How starts are evaluated.
#[derive(Args, Debug)]
pub(super) struct EvaluateArgs {
    /// With --number: evaluate the start. With --all and --out: write a table of all starts as CSV
    /// (number, FEN, centipawns for White, chances to win, draw and lose in permille, best move, depth)
    /// and a histogram as SVG, and print the ten fairest and the ten most unfair starts.
    #[arg(long, conflicts_with_all = ["setup", "format"])]
    pub evaluate: bool,
    /// Search each start to this depth.
    #[arg(long, requires = "evaluate", conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search each start with this many nodes.
    #[arg(long, requires = "evaluate", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hash size of the engine in MiB; the scores depend on it.
    #[arg(long, requires = "evaluate", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    #[command(flatten)]
    pub units: ResumableArgs,
    /// Evaluate the K-th of N parts of the starts, in its own file: the third of eight of `table.csv` is
    /// `table.3-of-8.csv`. Join them with `aleator join FILE`.
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,
}

impl EvaluateArgs {
    fn limits(&self) -> Limits {
        self.depth.map_or_else(|| Limits::nodes(self.nodes), Limits::depth)
    }

    /// Evaluates a start; returns `None` after Ctrl-C.
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

/// Draws the histogram of a finished table, and prints its summary.
fn show(table: &Path, starts: Numbering) -> anyhow::Result<()> {
    let cannot = || format!("cannot read '{}'", table.display());
    let rows = fairness::read(&std::fs::read_to_string(table).with_context(cannot)?)
        .with_context(cannot)?;
    println!("{}", fairness::summary(&rows, starts)?.trim_end());
    let caption = format!("Evaluation of the {} starts of {}", rows.len(), starts.variant());
    let svg = fairness::histogram(&rows, &caption)?;
    // Always replaced, because it is derived from the table.
    Ok(files::write(&table.with_extension("svg"), svg.as_bytes(), IfExists::Replace)?)
}
