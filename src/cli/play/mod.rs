//! `aleator play`: plays games of all variants in the terminal, including setups.
//!
//! Each side is played by a person at the terminal or by the engine.
//!
//! | file | contents |
//! | --- | --- |
//! | `terminal` | runs the game: asks for turns, rolls dice, lets the engine play |
//! | `input` | waits for typed lines, Ctrl-C and timeouts |
//! | `autosave` | saves the current game to a file for `--resume` |
//! | `view` | formats the game for the terminal |

mod autosave;
mod input;
mod terminal;
mod view;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::{Args, ValueEnum};

use crate::engine::{ELO_RANGE, Habits, LEVELS, Strength, USUAL_LEVEL};
use crate::game::TimeControl;
use crate::play::{DiceSource, GameSettings, GameStart, LiveGame, Player};
use crate::random::fresh_seed;
use crate::rules::Variant;
use crate::start::{Numbering, Rng};
use crate::system::memory_mebibytes;
use crate::types::Color;
pub(super) use autosave::Autosave;
pub(super) use terminal::TerminalGame;
pub(super) use view::{HEADING, Look, board_of_ranks};

/// Arguments of `aleator play`.
#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// Variant to play: chess, chess960, dfrc, ifrc, fischerbenko, transcendental, jepps or placement
    /// [default: chess].
    #[arg(value_name = "VARIANT")]
    variant: Option<Numbering>,
    /// Who plays White.
    #[arg(long, value_enum, default_value_t = Seat::Human)]
    white: Seat,
    /// Who plays Black.
    #[arg(long, value_enum, default_value_t = Seat::Engine)]
    black: Seat,
    /// Level of the engine, from 1 (beginner) to 12 (full strength).
    #[arg(long, default_value_t = USUAL_LEVEL, value_parser = level)]
    level: u8,
    /// Strength of the engine as an Elo rating. Replaces --level.
    #[arg(long, value_parser = elo, conflicts_with = "level")]
    elo: Option<u32>,
    /// Play with clocks. 5:00+3 means 5 minutes for the game plus 3 seconds per move. A time without a colon
    /// is in seconds, so 300+3 means the same.
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Starting position: its number in the variant, `random`, or both back ranks, such as RKBNQBNR/rkbnqbnr.
    /// In variants with a setup, the setup is then skipped.
    #[arg(long, value_name = "N", conflicts_with = "fen")]
    start: Option<String>,
    /// Start from the position in this FEN, which may be an unfinished setup.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// For jepps: use the rules of Free Play. Both sides place pieces in turn from opposite corners, and
    /// there is no mediator.
    #[arg(long, conflicts_with_all = ["start", "fen"])]
    free_play: bool,
    /// Who rolls the dice: the program, or you with your own dice, whose numbers you type.
    #[arg(long, value_enum, default_value_t = Dice::Program)]
    dice: Dice,
    /// Random seed. The same seed gives the same starting position and the same dice.
    #[arg(long)]
    seed: Option<u64>,
    /// Continue a game from a file: a saved game (.json), or the first game of a PGN file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["start", "fen", "free_play"])]
    load: Option<PathBuf>,
    /// Continue the last saved game. If VARIANT is given, continue the last saved game of this variant. If
    /// there are several saved games, a numbered list is printed, and --resume=2 continues the second.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        conflicts_with_all = [
            "white", "black", "level", "elo", "tc", "start", "fen", "free_play", "dice", "load",
            "no_pauses", "no_resign"
        ]
    )]
    resume: Option<usize>,
    /// Let the engine reply at once. Without this option, in games without clocks, an engine below full
    /// strength pauses before each reply like a human player.
    #[arg(long)]
    no_pauses: bool,
    /// Let the engine play lost and drawn games to the end. Without this option, from level 7 on, the engine
    /// resigns lost games and offers draws.
    #[arg(long)]
    no_resign: bool,
    /// Show pieces as letters or as pictures (Unicode chess symbols) [default: pictures if the terminal
    /// supports them].
    #[arg(long, value_enum)]
    pieces: Option<Pieces>,
    /// Size of the engine's hash table in MiB.
    #[arg(long, default_value_t = 64, value_parser = hash)]
    hash: usize,
}

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Seat {
    Human,
    Engine,
}

impl Seat {
    /// Converts the seat to a player. If the engine plays, its strength is `strength`.
    pub const fn player(self, strength: Strength) -> Player {
        match self {
            Seat::Human => Player::Person,
            Seat::Engine => Player::Engine(strength),
        }
    }
}

/// Whose dice are used.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Dice {
    /// The program rolls the dice.
    Program,
    /// The players roll their own dice and type the numbers.
    Own,
}

impl From<Dice> for DiceSource {
    fn from(dice: Dice) -> DiceSource {
        match dice {
            Dice::Program => DiceSource::Program,
            Dice::Own => DiceSource::Own,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Pieces {
    Letters,
    Pictures,
}

fn level(text: &str) -> Result<u8, String> {
    let level = text.parse().ok().filter(|level| LEVELS.contains(level));
    level
        .ok_or_else(|| format!("the level is a number from {} to {}", LEVELS.start(), LEVELS.end()))
}

fn elo(text: &str) -> Result<u32, String> {
    let (least, most) = (ELO_RANGE.start(), ELO_RANGE.end());
    let elo = text.parse().ok().filter(|elo| ELO_RANGE.contains(elo));
    elo.ok_or_else(|| format!("the rating is a number from {least} to {most}"))
}

fn hash(text: &str) -> Result<usize, String> {
    let most = memory_mebibytes();
    let size = text.parse().ok().filter(|size| (1..=most).contains(size));
    size.ok_or_else(|| format!("the hash size is a number of MiB from 1 to {most}"))
}

impl PlayArgs {
    /// Returns the settings of a new game.
    fn settings(&self, rng: &mut Rng) -> anyhow::Result<GameSettings> {
        let strength = self.elo.map_or(Strength::Level(self.level), Strength::Elo);
        let players = [self.white, self.black].map(|seat| seat.player(strength));
        let (variant, beginning) = (self.numbering().variant(), self.beginning(rng)?);
        let dice = self.dice.into();
        let habits = Habits { pauses: !self.no_pauses, resigns: !self.no_resign };
        Ok(GameSettings { variant, beginning, players, dice, clock: self.tc, habits })
    }

    fn numbering(&self) -> Numbering {
        self.variant.unwrap_or(Numbering::of(Variant::Chess))
    }

    /// Returns the name of the requested variant, or `None` if no variant is given.
    fn game_name(&self) -> Option<&'static str> {
        self.variant.map(Numbering::name)
    }

    fn beginning(&self, rng: &mut Rng) -> anyhow::Result<GameStart> {
        let numbering = self.numbering();
        let has_root = numbering.variant().rules().setup.is_some_and(|kind| kind.has_random_part());
        Ok(match (&self.fen, &self.start) {
            (Some(fen), _) => GameStart::Fen(fen.clone()),
            (None, Some(start)) => GameStart::start(numbering, start, rng)?,
            _ if self.free_play => GameStart::FreePlay,
            _ if has_root => GameStart::Die,
            _ => GameStart::usual(numbering, rng),
        })
    }

    /// Returns the requested game, and the autosave that saves this game.
    fn live(&self, rng: &mut Rng) -> anyhow::Result<(Autosave, LiveGame)> {
        if let Some(number) = self.resume {
            return autosave::resume(self.game_name(), number);
        }
        let settings = self.settings(rng)?;
        let live = match &self.load {
            Some(path) => load(path, &settings)?,
            None => LiveGame::new(settings)?,
        };
        Ok((Autosave::new(), live))
    }

    fn look(&self) -> Look {
        let look = Look::of_terminal();
        let pictures = self.pieces.map_or(look.pictures, |pieces| pieces == Pieces::Pictures);
        Look { pictures, ..look }
    }
}

/// Returns the name of the player of a side.
fn name(live: &LiveGame, color: Color) -> String {
    match live.player(color) {
        player if player.is_engine() => player.name(),
        _ => live.name(color).unwrap_or("you").to_owned(),
    }
}

/// Loads a game from a file: a saved game (`.json`), or the first game of a PGN file. A game from a PGN
/// file continues with `settings`.
fn load(path: &Path, settings: &GameSettings) -> anyhow::Result<LiveGame> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        return autosave::restore(path);
    }
    let name = path.display();
    let file = std::fs::File::open(path)
        .map_err(|error| anyhow::anyhow!("cannot read '{name}': {error}"))?;
    match crate::pgn::PgnReader::new(std::io::BufReader::new(file)).next() {
        Some(Ok(game)) => {
            crate::cli::games::report(&format!("'{name}': "), &game.problems);
            Ok(LiveGame::of_pgn(&game, settings)?)
        }
        Some(Err(error)) => bail!("'{name}': {error}"),
        None => bail!("'{name}' contains no game"),
    }
}

pub(super) fn run(arguments: &PlayArgs) -> anyhow::Result<()> {
    let mut rng = Rng::new(arguments.seed.unwrap_or_else(fresh_seed));
    let (autosave, mut live) = arguments.live(&mut rng)?;
    live.resume(Instant::now());
    let mut output = super::output::stdout();
    let mut game =
        TerminalGame::new(live, autosave, rng, arguments.hash, arguments.look(), &mut output)?;
    game.run()
}
