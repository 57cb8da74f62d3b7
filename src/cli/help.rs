//! `aleator completions` and `aleator man`: writes shell completions and man pages.

use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::{Cli, output};

const PROGRAM: &str = "aleator";

/// Prints the script that completes the command line of `aleator` in a shell.
pub(super) fn completions(shell: Shell) -> anyhow::Result<()> {
    // `generate` panics if a write fails, so the script is generated in memory first.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), PROGRAM, &mut script);
    output::print(format_args!("{}", String::from_utf8_lossy(&script)));
    Ok(())
}

/// Writes the man pages `aleator.1`, `aleator-go.1` and so on into a folder.
pub(super) fn man(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write to '{}'", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let command = Cli::command().name(PROGRAM).disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).with_context(cannot)
}
