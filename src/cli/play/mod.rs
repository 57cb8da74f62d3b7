//! `aleator play`: every game in the terminal, set-up included, against the engine, against
//! another person at the same screen, or watching the engine.
//!
//! | file | holds |
//! | --- | --- |
//! | `terminal` | asks, reads, throws dice, lets the engine play |
//! | `input` | lines as they are typed, with Ctrl-C and the clock beside them |
//! | `autosave` | the game as a file while it lasts, for `--resume` |
//! | `view` | how it looks |

mod autosave;
mod input;
mod terminal;
mod view;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::{Args, ValueEnum};

use crate::engine::ELO_RANGE;
use crate::game::TimeControl;
use crate::play::{
    DOUBLE_FISCHER_RANDOM, DiceSource, GameSettings, GameStart, Habits, LEVELS, LiveGame, Player,
    Strength, USUAL_LEVEL,
};
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
    /// The game: chess, chess960, dfrc, ifrc, fischerbenko, transcendental, jepps or placement. If
    /// nothing is said: chess.
    #[arg(value_name = "VARIANT")]
    variant: Option<Numbering>,
    /// Who has White.
    #[arg(long, value_enum, default_value_t = Seat::Human)]
    white: Seat,
    /// Who has Black.
    #[arg(long, value_enum, default_value_t = Seat::Engine)]
    black: Seat,
    /// How strong the engine plays: 1 is a beginner, 12 all it can.
    #[arg(long, default_value_t = USUAL_LEVEL, value_parser = level)]
    level: u8,
    /// The same as a rating.
    #[arg(long, value_parser = elo, conflicts_with = "level")]
    elo: Option<u32>,
    /// Clocks, such as 5:00+3: minutes and seconds for the game, seconds for each move. A single
    /// number is seconds.
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Begin with this start: its number, `random`, or both arrays such as
    /// RKBNQBNR/rkbnqbnr. In games with a set-up it is the finished one.
    #[arg(long, value_name = "N", conflicts_with = "fen")]
    start: Option<String>,
    /// Begin with this position, which may be of a set-up.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Jepps: Free Play, without a mediator, in turn from opposite corners.
    #[arg(long, conflicts_with_all = ["start", "fen"])]
    free_play: bool,
    /// Whose dice: the program throws its own, or you type what yours show.
    #[arg(long, value_enum, default_value_t = Dice::Thrown)]
    dice: Dice,
    /// The same seed gives the same start and the same dice.
    #[arg(long)]
    seed: Option<u64>,
    /// Go on with a game that was saved, or with the first one of a PGN.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["start", "fen", "free_play"])]
    load: Option<PathBuf>,
    /// Go on with the game that was left last, with a variant the last one of it; or with another
    /// one of those that are listed then: --resume=2.
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
    /// Have a level answer at once, without the moment that a person takes.
    #[arg(long)]
    no_pauses: bool,
    /// Have the engine play lost and drawn games to their end. From level 7 on it resigns and offers
    /// draws.
    #[arg(long)]
    no_resign: bool,
    /// How pieces look. If nothing is said: as pictures where the terminal has them.
    #[arg(long, value_enum)]
    pieces: Option<Pieces>,
    /// Memory for the engine's table in MiB.
    #[arg(long, default_value_t = 64, value_parser = hash)]
    hash: usize,
}

/// Who sits on a side.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Seat {
    Human,
    Engine,
}

impl Seat {
    /// The player, who plays so strongly if it is the engine.
    pub const fn player(self, strength: Strength) -> Player {
        match self {
            Seat::Human => Player::Person,
            Seat::Engine => Player::Engine(strength),
        }
    }
}

/// Whose dice are thrown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Dice {
    /// The program's.
    #[value(alias = "own")]
    Thrown,
    /// Those of the people, who type what they show.
    Typed,
}

impl From<Dice> for DiceSource {
    fn from(dice: Dice) -> DiceSource {
        match dice {
            Dice::Thrown => DiceSource::Thrown,
            Dice::Typed => DiceSource::Typed,
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
    level.ok_or_else(|| format!("a level is a number from {} to {}", LEVELS.start(), LEVELS.end()))
}

fn elo(text: &str) -> Result<u32, String> {
    let (least, most) = (ELO_RANGE.start(), ELO_RANGE.end());
    let elo = text.parse().ok().filter(|elo| ELO_RANGE.contains(elo));
    elo.ok_or_else(|| format!("a rating is a number from {least} to {most}"))
}

fn hash(text: &str) -> Result<usize, String> {
    let most = memory_mebibytes();
    let size = text.parse().ok().filter(|size| (1..=most).contains(size));
    size.ok_or_else(|| format!("a number of MiB from 1 to {most}"))
}

impl PlayArgs {
    /// Whose the sides are, and under which conditions.
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

    /// The name of the game that is asked for, if one is.
    fn game_name(&self) -> Option<&'static str> {
        let numbering = self.variant?;
        let is_double = numbering == Numbering::DOUBLE_FISCHER_RANDOM;
        Some(if is_double { DOUBLE_FISCHER_RANDOM } else { numbering.variant().name() })
    }

    fn beginning(&self, rng: &mut Rng) -> anyhow::Result<GameStart> {
        let numbering = self.numbering();
        let variant = numbering.variant();
        let has_root = variant.rules().setup.is_some_and(|kind| kind.has_random_part());
        Ok(match (&self.fen, &self.start) {
            (Some(fen), _) => GameStart::Fen(fen.clone()),
            (None, Some(start)) => GameStart::start(numbering, start, rng)?,
            _ if self.free_play => GameStart::FreePlay,
            _ if has_root => GameStart::Die,
            _ if numbering != Numbering::of(variant) => GameStart::start(numbering, "random", rng)?,
            _ => GameStart::usual(variant, rng),
        })
    }

    /// The game that is asked for, and the file that keeps it.
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

/// Who sits at a side.
fn name(live: &LiveGame, color: Color) -> String {
    match live.player(color) {
        player if player.is_engine() => player.name(),
        _ => live.name(color).unwrap_or("you").to_owned(),
    }
}

/// The game of a file: what was saved with all that happened, or the first game of a PGN, which
/// goes on as `settings` says.
fn load(path: &Path, settings: &GameSettings) -> anyhow::Result<LiveGame> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        return autosave::restore(path);
    }
    let name = path.display();
    let file = std::fs::File::open(path)
        .map_err(|error| anyhow::anyhow!("cannot read '{name}': {error}"))?;
    match crate::pgn::PgnReader::new(std::io::BufReader::new(file)).next() {
        Some(Ok(game)) => {
            crate::cli::games::report(&format!("'{name}': "), &game.faults);
            Ok(LiveGame::of_pgn(&game, settings)?)
        }
        Some(Err(error)) => bail!("'{name}': {error}"),
        None => bail!("'{name}' has no game"),
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
