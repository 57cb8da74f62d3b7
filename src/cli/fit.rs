//! `aleator fit`: the parameters of the classical evaluation that explain games best.

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Instant;

use anyhow::Context;
use clap::Args;

use super::output;
use crate::attacks::Board;
use crate::eval::classical::Params;
use crate::files::{self, IfExists, NewFile};
use crate::rules::on_board;
use crate::tools::data::{board_of, games_file};
use crate::tools::fit::{self, FitEvent, FitLosses, FitSettings, Fitted, replace_table, table};

/// Arguments of `aleator fit`.
#[derive(Args, Debug)]
pub(super) struct FitArgs {
    /// File of games, or folder with a games.bin; its board is the one that is fitted.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// Where to write the table of parameters as Rust source. A file that has the board's table,
    /// such as src/eval/classical/params.rs, gets the new one in its place and keeps all else; any
    /// other file must not exist. Run `cargo fmt` afterwards.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    settings: FitSettings,
}

pub(super) fn run(arguments: &FitArgs) -> anyhow::Result<()> {
    let file = games_file(&arguments.data);
    let board = board_of(slice::from_ref(&file))?;
    on_board!(board, |G| fit_board::<G>(&file, arguments))
}

fn fit_board<G: Board>(file: &Path, arguments: &FitArgs) -> anyhow::Result<()> {
    let out = &arguments.out;
    // Before the work: can the result be written?
    let (_, if_exists) = with_table::<G>(out, &Params::of::<G>())?;
    drop(NewFile::create(out, if_exists)?);
    let began = Instant::now();
    let bar = output::progress(0, 0);
    let fitted = fit::fit::<G>(file, &arguments.settings, &mut |event| {
        if let FitEvent::Epoch { number, of, .. } = event {
            bar.set_length(of.into());
            bar.set_position(number.into());
        }
        bar.suspend(|| show(event));
    })?;
    bar.finish_and_clear();
    let Fitted { params, before, after, games, positions: [training, validation], .. } = fitted;
    let (text, if_exists) = with_table::<G>(out, &params)?;
    files::write(out, text.as_bytes(), if_exists)?;
    let change = |before: f64, after: f64| {
        format!("{before:.6} to {after:.6} ({:+.2} %)", 100.0 * (after / before - 1.0))
    };
    println!(
        "{}: {training} positions of {games} games, {validation} set apart\n\
         loss {}, set apart {}\nwritten to '{}' in {:.0} s",
        G::NAME,
        change(before.training, after.training),
        change(before.validation, after.validation),
        out.display(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// What a file with the table of these parameters says, which may be there with another table.
fn with_table<G: Board>(path: &Path, params: &Params) -> anyhow::Result<(String, IfExists)> {
    let name = path.display();
    match fs::read_to_string(path) {
        Err(error) if error.kind() == NotFound => Ok((table::<G>(params), IfExists::Refuse)),
        Err(error) => Err(error).with_context(|| format!("cannot read '{name}'")),
        Ok(source) => {
            let replaced = replace_table::<G>(&source, params).with_context(|| {
                let board = G::NAME;
                format!("'{name}' exists and has no table of parameters of the {board} board to be replaced")
            })?;
            Ok((replaced, IfExists::Replace))
        }
    }
}

fn show(event: FitEvent) {
    let both =
        |FitLosses { training, validation }| format!("{training:.6}, set apart {validation:.6}");
    match event {
        FitEvent::Drawn { positions, of } => println!("{positions} positions of {of}"),
        FitEvent::Begun { training, validation, games, scales, losses } => println!(
            "{training} positions of {games} games, {validation} set apart; scale of scores {:.1}, \
             of the evaluation {:.1}\nloss {}",
            scales.scores,
            scales.evaluation,
            both(losses)
        ),
        FitEvent::Epoch { number, of, losses } => {
            println!("epoch {number} of {of}: loss {}", both(losses));
        }
    }
}
