//! `aleator book openings`: makes suites of balanced openings.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::cli::output;
use crate::files::{IfExists, NewFile};
use crate::start::Numbering;
use crate::tools::opening::Suite;
use crate::types::Value;
use clap::Args;

/// Arguments of `aleator book openings`.
#[derive(Args, Debug)]
pub(super) struct OpeningsArgs {
    /// Variant of the openings. `dfrc` (double Fischer random) is chess960 with independent back ranks for
    /// White and Black. In variants with a setup, the openings start from finished setups.
    #[arg(long, value_name = "VARIANT")]
    variant: Numbering,
    /// Number of openings to make.
    #[arg(long)]
    count: usize,
    /// Number of random plies after the starting position.
    #[arg(long, value_parser = clap::value_parser!(u16).range(..=200))]
    plies: u16,
    /// Random seed. The same seed and settings give the same openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of nodes of the search that evaluates each opening.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum advantage of either side in an accepted opening, in centipawns.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60, value_parser = clap::value_parser!(Value).range(0..))]
    max_score: Value,
    /// Number of threads. The openings do not depend on this number.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Output file for the suite of openings [default: standard output].
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the output file of --output if it exists.
    #[arg(long, requires = "output")]
    force: bool,
}

pub(super) fn run(arguments: &OpeningsArgs) -> anyhow::Result<()> {
    // Fail before the searches, rather than after them, if the file cannot be written.
    let if_exists = IfExists::forced(arguments.force);
    let create = |path| NewFile::create(path, if_exists);
    let file = arguments.output.as_deref().map(create).transpose()?;
    let suite = Suite {
        starts: arguments.variant.drawn(),
        book: Vec::new(),
        count: arguments.count,
        plies: usize::from(arguments.plies),
        seed: arguments.seed,
        nodes: arguments.nodes,
        max_score: arguments.max_score,
    };
    let bar = output::progress(suite.count as u64, 0);
    let mut text = String::new();
    let made = suite.make(usize::from(arguments.threads), &mut |openings| {
        text.extend(openings.iter().map(|opening| format!("{opening}\n")));
        bar.inc(openings.len() as u64);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    made?;
    match file {
        Some(mut file) => {
            file.write_all(text.as_bytes()).map_err(|error| file.failed(error))?;
            Ok(file.finish()?)
        }
        None => Ok(output::stdout().write_all(text.as_bytes())?),
    }
}
