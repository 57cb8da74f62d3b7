//! `aleator fit`: the parameters of the classical evaluation that explain games best.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::CliError;
use crate::attacks::Board;
use crate::eval::classical::Params;
use crate::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use crate::geometry::Board10x10;
use crate::lab::data::games_file;
use crate::lab::fit::{self, Event, FitError, Losses, Outcome, Settings, replace_table, table};
use crate::rules::BoardSize;
use crate::types::Value;

/// Arguments of `aleator fit`.
#[derive(Args, Debug)]
pub(super) struct FitArgs {
    /// File of games, or folder with a games.bin; its board is the one that is fitted.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// Where to write the table of parameters as Rust source. A file that has the board's table,
    /// such as src/eval/classical/params.rs, gets the new one in its place and keeps all else; any other file
    /// must not exist. Run `cargo fmt` afterwards.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// About how many positions to draw from the games.
    #[arg(long, value_name = "N", default_value_t = Settings::default().positions)]
    positions: u64,
    /// How often to go over them.
    #[arg(long, value_name = "E", default_value_t = Settings::default().epochs)]
    epochs: u32,
    /// Positions in each step of the descent.
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize,
    /// The weight of the games' results, from 0 to 1; the rest is that of the search's scores.
    #[arg(long, value_name = "W", default_value_t = Settings::default().lambda)]
    lambda: f64,
    /// By how much a term is expected to move, where it counts, as a standard deviation. Less
    /// holds terms of which the games say little closer to what they were.
    #[arg(long, value_name = "CP", default_value_t = Settings::default().prior)]
    prior: f64,
    /// How far the first steps of the descent go.
    #[arg(long, value_name = "CP", default_value_t = Settings::default().step)]
    step: f64,
    /// The share of games that are set apart to judge the fit.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().validation)]
    validation: f64,
    /// Leave out positions with scores of this size and more.
    #[arg(long, value_name = "CP", default_value_t = Settings::default().score_below)]
    score_below: Value,
    /// Terms that stay as they are, with commas between them, such as king_square,danger.
    #[arg(long, value_name = "TERMS", value_delimiter = ',')]
    hold: Vec<String>,
    /// The same seed, games and settings give the same parameters.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl FitArgs {
    fn settings(&self) -> Settings {
        Settings {
            positions: self.positions,
            epochs: self.epochs,
            batch: self.batch,
            lambda: self.lambda,
            prior: self.prior,
            step: self.step,
            validation: self.validation,
            score_below: self.score_below,
            hold: self.hold.clone(),
            seed: self.seed,
        }
    }
}

pub(super) fn run(arguments: &FitArgs) -> Result<(), CliError> {
    let file = games_file(&arguments.data);
    match fit::board_of(&file).map_err(FitError::from)? {
        BoardSize::Eight => fit_board::<Board8x8>(&file, arguments),
        #[cfg(feature = "board10x10")]
        BoardSize::Ten => fit_board::<Board10x10>(&file, arguments),
    }
}

fn fit_board<G: Board>(file: &Path, arguments: &FitArgs) -> Result<(), CliError> {
    let source = Target::<G>::open(&arguments.out)?;
    let began = Instant::now();
    let outcome = fit::fit::<G>(file, &arguments.settings(), &mut show)?;
    source.write(&outcome.params)?;
    let Outcome { before, after, games, positions: [training, validation], .. } = outcome;
    let change = |before: f64, after: f64| 100.0 * (after / before - 1.0);
    println!(
        "{}: {training} positions of {games} games, {validation} set apart\n\
         loss {:.6} to {:.6} ({:+.2} %), set apart {:.6} to {:.6} ({:+.2} %)\n\
         written to '{}' in {:.0} s",
        G::NAME,
        before.training,
        after.training,
        change(before.training, after.training),
        before.validation,
        after.validation,
        change(before.validation, after.validation),
        arguments.out.display(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

fn show(event: Event) {
    let both =
        |Losses { training, validation }| format!("{training:.6}, set apart {validation:.6}");
    match event {
        Event::Drawn { positions, of } => println!("{positions} positions of {of}"),
        Event::Begun { training, validation, games, scales, losses } => println!(
            "{training} positions of {games} games, {validation} set apart; scale of scores {:.1}, \
             of the evaluation {:.1}\nloss {}",
            scales.scores,
            scales.evaluation,
            both(losses)
        ),
        Event::Epoch { number, of, losses } => {
            println!("epoch {number} of {of}: loss {}", both(losses));
        }
    }
}

/// Where the table goes.
struct Target<'a, G> {
    path: &'a Path,
    /// Source that has such a table already.
    source: Option<String>,
    board: std::marker::PhantomData<G>,
}

impl<'a, G: Board> Target<'a, G> {
    /// Looks before the work whether the result can be written.
    fn open(path: &'a Path) -> Result<Self, CliError> {
        let source = match std::fs::read_to_string(path) {
            Ok(source) => Some(source),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read '{}'", path.display()));
            }
        };
        if let Some(source) = &source
            && replace_table::<G>(source, &Params::of::<G>()).is_none()
        {
            bail!(
                "'{}' exists and has no table of parameters of the {} board to be replaced",
                path.display(),
                G::NAME
            );
        }
        Ok(Target { path, source, board: std::marker::PhantomData })
    }

    fn write(&self, params: &Params) -> Result<(), CliError> {
        let replaced = self.source.as_ref().and_then(|text| replace_table::<G>(text, params));
        let text = replaced.unwrap_or_else(|| table::<G>(params));
        std::fs::write(self.path, text)
            .with_context(|| format!("cannot write '{}'", self.path.display()))
    }
}
