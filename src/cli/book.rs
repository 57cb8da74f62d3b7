//! `aleator book`: books and suites as files.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::Context;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use super::CliError;
use crate::lab::opening::{Opening, Suite};
use crate::rules::VariantError;
use crate::start::Numbering;
use crate::types::Value;

/// Arguments of `aleator book`.
#[derive(Args, Debug)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    action: BookAction,
}

#[derive(Subcommand, Debug)]
enum BookAction {
    /// A suite of balanced openings for matches: random starts and random moves, kept if a search
    /// finds neither side better. A line is a FEN, then ` ; ce N;`, the search's centipawns for
    /// the side to move. No position comes twice, nobody is in check. The same options give the
    /// same suite, whatever the number of threads.
    Openings(OpeningsArgs),
}

#[derive(Args, Debug)]
struct OpeningsArgs {
    /// The game, or `dfrc`: chess960 with an array of its own for each side (double Fischer
    /// random). Set-up games begin with a finished set-up.
    #[arg(long, value_name = "VARIANT", value_parser = starts)]
    variant: Numbering,
    /// How many openings.
    #[arg(long)]
    count: usize,
    /// Random moves from the start, White's and Black's counted.
    #[arg(long, value_parser = clap::value_parser!(u16).range(..=200))]
    plies: u16,
    /// Each seed gives another suite.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of the search that judges an opening.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The most centipawns by which a side may be better.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60, value_parser = clap::value_parser!(Value).range(0..))]
    max_score: Value,
    /// Threads to search with.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Where to write; without it, standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<String>,
}

/// The starts that openings of this game have.
fn starts(name: &str) -> Result<Numbering, VariantError> {
    match name.to_ascii_lowercase().as_str() {
        "dfrc" => Ok(Numbering::DOUBLE_FISCHER_RANDOM),
        _ => name.parse().map(Numbering::drawn),
    }
}

pub(super) fn run(arguments: &BookArgs) -> Result<(), CliError> {
    match &arguments.action {
        BookAction::Openings(arguments) => write_openings(arguments),
    }
}

fn write_openings(arguments: &OpeningsArgs) -> Result<(), CliError> {
    // Before the work, so that a wrong path is no waste of it.
    let file = arguments.output.as_deref().map(create).transpose()?;
    let suite = Suite {
        starts: arguments.variant,
        count: arguments.count,
        plies: usize::from(arguments.plies),
        seed: arguments.seed,
        nodes: arguments.nodes,
        max_score: arguments.max_score,
    };
    let bar = ProgressBar::new(suite.count as u64);
    let openings =
        suite.make(usize::from(arguments.threads), &mut |found| bar.set_position(found as u64));
    bar.finish_and_clear();
    match file {
        Some(file) => write(&openings?, file),
        None => write(&openings?, super::output::stdout()),
    }
}

fn create(file: &str) -> Result<File, CliError> {
    File::create(file).with_context(|| format!("cannot write '{file}'"))
}

fn write(openings: &[Opening], to: impl Write) -> Result<(), CliError> {
    let mut to = BufWriter::new(to);
    let written = openings.iter().try_for_each(|opening| writeln!(to, "{opening}"));
    Ok(written.and_then(|()| to.flush())?)
}
