//! `aleator setup`: an arbiter for set-ups at the table, on the terminal or from a script. The rules
//! are those of [`crate::play::arbiter`].
//!
//! | file | holds |
//! | --- | --- |
//! | `solver` | what the engine thinks |
//! | `terminal` | asks, reads, throws dice, lets the engine choose |
//! | `view` | how it looks |

mod solver;
mod terminal;
pub(super) mod view;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::sync_channel;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::interrupt;
use crate::files::{IfExists, NewFile};
use crate::random::fresh_seed;
use crate::rules::Variant;
use crate::search::Control;
use crate::start::Rng;
use crate::text::{LineError, LineReader};
use terminal::TerminalSetup;

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
    /// Whose dice: the arbiter throws its own, or you type what yours show.
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
    /// Write the finished set-up to this file, as the beginning of a PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long, requires = "pgn")]
    force: bool,
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

pub(super) fn run(arguments: &SetupArgs) -> anyhow::Result<()> {
    if arguments.free_play && arguments.variant != Variant::Jepps {
        bail!("Free Play is a form of jepps; {} has none", arguments.variant);
    }
    let rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
    // Before people have taken the trouble: can it be written?
    let if_exists = IfExists::forced(arguments.force);
    let pgn = arguments.pgn.as_deref().map(|path| NewFile::create(path, if_exists)).transpose()?;
    let (mut input, control) = interruptible_input();
    let mut output = super::output::stdout();
    let echo = !std::io::stdin().is_terminal();
    let mut setup = TerminalSetup::new(arguments, rng, &mut input, control, &mut output, echo)?;
    setup.run()?;
    match (pgn, setup.pgn()) {
        (Some(mut file), Some(text)) => {
            file.write_all(text.as_bytes()).map_err(|error| file.failed(error))?;
            file.finish()?;
        }
        (Some(_), None) => bail!("no PGN was written: the set-up is not over"),
        (None, _) => {}
    }
    Ok(output.flush()?)
}

/// The lines of standard input, which end with it or with Ctrl-C; and what Ctrl-C stops, too.
fn interruptible_input() -> (impl Iterator<Item = Result<String, LineError>>, Arc<Control>) {
    let (sender, lines) = sync_channel(1);
    let control = Arc::new(Control::default());
    let (hold, end) = (control.clone(), sender.clone());
    interrupt::on_next(move || {
        hold.stop.store(true, Relaxed);
        // If there is no room, the session will look at the flag.
        let _ = end.try_send(None);
    });
    std::thread::spawn(move || {
        let lines = LineReader::with_limit(std::io::stdin().lock(), terminal::LONGEST_LINE);
        // When nobody listens any more, the program is about to end.
        let _ = lines.map(Some).chain([None]).try_for_each(|line| sender.send(line));
    });
    (lines.into_iter().map_while(|line| line), control)
}
