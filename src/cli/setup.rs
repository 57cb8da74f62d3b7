//! `aleator setup`: guides a setup in the terminal or from a script.
//!
//! The command plays a game like `aleator play`, but ends the game after the setup.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::play::{Autosave, Dice, HEADING, Look, Seat, TerminalGame, board_of_ranks};
use crate::engine::{LEVELS, Strength};
use crate::files::{IfExists, NewFile};
use crate::game::Game;
use crate::pgn::PgnGame;
use crate::play::{GameSettings, GameStart, LiveGame};
use crate::random::fresh_seed;
use crate::rules::Variant;
use crate::setup::SetupFenError;
use crate::start::{Numbering, Rng, SetupStartError};
use crate::types::Color;

/// Hash size in MiB. A small table is enough, because each of the many final positions of a setup is
/// searched only briefly.
const HASH: usize = 16;

/// Arguments of `aleator setup`.
#[derive(Args, Debug)]
pub(super) struct SetupArgs {
    /// Variant whose pieces are set up: fischerbenko, transcendental, jepps or placement.
    #[arg(value_name = "VARIANT")]
    variant: Variant,
    /// Who places White's pieces.
    #[arg(long, value_enum, default_value_t = Seat::Human)]
    white: Seat,
    /// Who places Black's pieces.
    #[arg(long, value_enum, default_value_t = Seat::Human)]
    black: Seat,
    /// Whose dice are used: the program rolls its dice, or you roll your own dice and type the numbers.
    #[arg(long, value_enum, default_value_t = Dice::Program)]
    dice: Dice,
    /// Random seed of the dice. The same seed gives the same rolls.
    #[arg(long)]
    seed: Option<u64>,
    /// Continue a setup game from this position. In the FEN, the pieces in hand are written in brackets.
    #[arg(long, value_name = "FEN", conflicts_with = "free_play")]
    fen: Option<String>,
    /// For jepps: set up the pieces by the rules of Free Play. Both sides place pieces in turn from opposite
    /// corners, and there is no mediator.
    #[arg(long)]
    free_play: bool,
    /// Depth to which the engine searches each starting position that the setup can lead to. 0 uses the
    /// static evaluation [default: 1 for jepps, which has more starting positions, else 2].
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: Option<u32>,
    /// Output file for the finished setup, written as the tags of a PGN game without moves.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace the output file of --pgn if it exists.
    #[arg(long, requires = "pgn")]
    force: bool,
}

impl SetupArgs {
    fn depth(&self) -> u32 {
        self.depth.unwrap_or(if self.variant == Variant::Jepps { 1 } else { 2 })
    }

    /// Creates the game that the arguments describe. Fails if the game does not start with a setup.
    fn live(&self, rng: &mut Rng) -> anyhow::Result<LiveGame> {
        let variant = self.variant;
        let Some(kind) = variant.rules().setup else {
            return Err(SetupStartError::NoSetup { variant }.into());
        };
        let start = match &self.fen {
            Some(fen) => GameStart::Fen(fen.clone()),
            None if self.free_play => GameStart::FreePlay,
            None if kind.has_random_part() => GameStart::Die,
            None => GameStart::usual(Numbering::of(variant), rng),
        };
        let full = Strength::Level(*LEVELS.end());
        let players = [self.white, self.black].map(|seat| seat.player(full));
        let dice = self.dice.into();
        let settings = GameSettings { dice, ..GameSettings::new(variant, start, players) };
        let live = LiveGame::new(settings)?;
        match live.game() {
            Some(game) if !game.is_setup() => bail!(SetupFenError::NothingInHand),
            _ => Ok(live),
        }
    }
}

pub(super) fn run(arguments: &SetupArgs) -> anyhow::Result<()> {
    let mut rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
    let live = arguments.live(&mut rng)?;
    // Fail before the setup, rather than after it, if the PGN file cannot be written.
    let if_exists = IfExists::forced(arguments.force);
    let pgn = arguments.pgn.as_deref().map(|path| NewFile::create(path, if_exists)).transpose()?;
    let mut output = super::output::stdout();
    let (autosave, look) = (Autosave::none(), Look::of_terminal());
    let mut game = TerminalGame::new(live, autosave, rng, HASH, look, &mut output)?;
    let live = game.set_up(arguments.depth())?;
    write!(output, "{}", result(&live)?)?;
    match (pgn, header(&live)?) {
        (Some(mut file), Some(text)) => {
            file.write_all(text.as_bytes()).map_err(|error| file.failed(error))?;
            file.finish()?;
        }
        (Some(_), None) => bail!("no PGN was written: the setup is not complete"),
        (None, _) => {}
    }
    Ok(output.flush()?)
}

/// Describes the setup: FEN, notation and, if the setup is finished, PGN tags.
fn result(live: &LiveGame) -> anyhow::Result<String> {
    let Some(record) = live.game().and_then(Game::record) else {
        return Ok(format!(
            "{HEADING}The setup so far; the random part is not complete:{HEADING:#}\n\n{}",
            board_of_ranks(&live.arbiter().ranks())
        ));
    };
    let header = header(live)?;
    let title = if header.is_some() { "The setup is complete." } else { "The setup so far:" };
    let (variant, fen) = (record.variant(), record.fen());
    let mut text = format!("{HEADING}{title}{HEADING:#}\n\nFEN:\n{fen}\n");
    if !record.placements().is_empty() {
        write!(text, "\nNotation:\n{record}\n")?;
    }
    text += &match header {
        None => format!("\nTo continue:\naleator setup {variant} --fen \"{fen}\"\n"),
        Some(header) => format!(
            "\nTo continue:\naleator go movetime 10000 --variant {variant} --fen \"{fen}\"\n\
             \nPGN:\n{header}"
        ),
    };
    Ok(text)
}

/// Returns PGN tags from which a GUI can continue the game, or `None` if the setup is not complete. The
/// tag `Event` names the variant.
fn header(live: &LiveGame) -> anyhow::Result<Option<String>> {
    let Some(record) = live.game().and_then(Game::record).filter(|one| one.game().is_some()) else {
        return Ok(None);
    };
    let (variant, fen) = (record.variant(), record.fen());
    let event = match variant {
        Variant::FischerBenko => "Fischer-Benko",
        Variant::Transcendental => "Half-Random Transcendental Chess",
        Variant::Placement => "Pre-Chess",
        Variant::Jepps => "Jepps Random Chess",
        other => other.name(),
    };
    let mut pgn = PgnGame::new(Game::new(variant, &fen)?);
    pgn.tags.set("Event", event);
    pgn.tags.set("FEN", fen);
    for color in Color::ALL {
        pgn.tags.set(&color.to_string(), live.player(color).name());
    }
    Ok(Some(pgn.to_string()))
}
