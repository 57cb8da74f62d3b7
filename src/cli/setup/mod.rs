//! `aleator setup`: an umpire for set-ups at the table, on the terminal or from a script.
//!
//! | file | holds |
//! | --- | --- |
//! | `umpire` | the rules: what is wanted next, what follows from it |
//! | `judge` | what the engine thinks |
//! | `session` | asks, reads, throws dice, lets the engine choose |
//! | `view` | how it looks |

mod judge;
mod session;
mod umpire;
mod view;

use std::io::{IsTerminal, Write};

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::CliError;
use super::start::fresh_seed;
use crate::rules::Variant;
use crate::start::Rng;
use session::Session;

/// Arguments of `aleator setup`.
#[derive(Args, Debug)]
pub(super) struct SetupArgs {
    /// The game to set up: fischerbenko, transcendental, jepps or placement.
    #[arg(value_name = "VARIANT")]
    variant: Variant,
    /// Who places White's pieces.
    #[arg(long, value_enum, default_value_t = Player::Human)]
    white: Player,
    /// Who places Black's pieces.
    #[arg(long, value_enum, default_value_t = Player::Human)]
    black: Player,
    /// Whose dice: the umpire throws its own, or you type what yours show.
    #[arg(long, value_enum, default_value_t = DiceSource::Own)]
    dice: DiceSource,
    /// The same seed gives the same dice.
    #[arg(long)]
    seed: Option<u64>,
    /// Begin here and not at the beginning: a FEN with pieces in hand in brackets.
    #[arg(long, value_name = "FEN", conflicts_with = "free_play")]
    fen: Option<String>,
    /// Jepps: Free Play, without a mediator, in turn from opposite corners.
    #[arg(long)]
    free_play: bool,
    /// How deep the engine searches each pair of arrays that may come about; 0 evaluates without a
    /// search. 2 if nothing is said, in jepps, where there are more of them, 1.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: Option<u32>,
}

impl SetupArgs {
    fn depth(&self) -> u32 {
        self.depth.unwrap_or(if self.variant == Variant::Jepps { 1 } else { 2 })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Player {
    Human,
    Engine,
}

impl Player {
    /// As the tags of a PGN call it.
    const fn name(self) -> &'static str {
        match self {
            Player::Human => "?",
            Player::Engine => "Aleator",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum DiceSource {
    Own,
    Typed,
}

pub(super) fn run(arguments: &SetupArgs) -> Result<(), CliError> {
    if arguments.free_play && arguments.variant != Variant::Jepps {
        bail!("Free Play is a form of jepps; {} has none", arguments.variant);
    }
    let rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
    let mut output = super::output::stdout();
    let mut input = std::io::stdin().lock();
    let echo = !std::io::stdin().is_terminal();
    let mut session = Session::new(arguments, rng, &mut input, &mut output, echo)?;
    session.run()?;
    Ok(output.flush()?)
}
