//! `aleator join`: joins the parts that were made with --shard.

use std::path::PathBuf;

use clap::Args;

use crate::tools::resumable;

/// Arguments of `aleator join`.
#[derive(Args, Debug)]
pub(super) struct JoinArgs {
    /// The file given by --out when the parts were made.
    #[arg(value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: &JoinArgs) -> anyhow::Result<()> {
    let parts = resumable::join(&arguments.out, arguments.force)?;
    println!("'{}' from {parts} parts", arguments.out.display());
    Ok(())
}
