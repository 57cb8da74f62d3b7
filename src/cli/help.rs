//! `aleator completions` and `aleator man`: help for shells and `man`.

use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::{Cli, output};

const PROGRAM: &str = "aleator";

/// Prints the completion script of a shell.
pub(super) fn completions(shell: Shell) -> anyhow::Result<()> {
    // The generator panics if a write fails, so it writes to memory.
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), PROGRAM, &mut script);
    output::print(format_args!("{}", String::from_utf8_lossy(&script)));
    Ok(())
}

/// Writes `aleator.1`, `aleator-go.1` and so on into a folder.
pub(super) fn man(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write to '{}'", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let command = Cli::command().name(PROGRAM).disable_help_subcommand(true);
    clap_mangen::generate_to(command, folder).with_context(cannot)
}
