//! How a game begins, from a position, a setup or dice, and its players: people, and the engine at its
//! strengths.

use serde::{Deserialize, Serialize};

use super::arbiter::Arbiter;
use crate::engine::Strength;
use crate::game::{Game, GameError};
use crate::rules::Variant;
use crate::setup::{Record, RecordError, Setup, SetupOrGameError};
use crate::start::{NumberError, Numbering, Rng, SetupStart, SetupStartError, Start, StartError};

/// Who plays a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    #[serde(rename = "human")]
    Person,
    Engine(Strength),
}

impl Player {
    /// Whether the engine plays.
    pub const fn is_engine(self) -> bool {
        matches!(self, Player::Engine(_))
    }

    /// Returns the name for PGN tags; `?` for a person.
    pub fn name(self) -> String {
        match self {
            Player::Person => "?".to_owned(),
            Player::Engine(Strength::Level(level)) => format!("Aleator (level {level})"),
            Player::Engine(Strength::Elo(elo)) => format!("Aleator ({elo})"),
        }
    }
}

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameStart {
    /// A position, which may be an unfinished setup.
    Fen(String),
    /// Rolls of one die, which place two bishops and a rook of each side in Fischer-Benko or Half-Random
    /// Transcendental Chess.
    Die,
    /// The empty back ranks of Free Play in Jepps Random Chess. A FEN cannot express that the game is Free
    /// Play.
    FreePlay,
}

/// The error for a game that cannot start as requested.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameStartError {
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Number(#[from] NumberError),
    #[error(transparent)]
    Setup(#[from] SetupStartError),
    #[error("the record of a setup: {0}")]
    Record(#[from] RecordError),
    #[error("Free Play is a form of jepps; {variant} has none")]
    NoFreePlay { variant: Variant },
}

impl GameStart {
    /// Returns the usual start of a variant. In a variant with a setup, this is the setup before the first
    /// placement by a player, after random rolls of a die if the variant requires them. In other variants, it
    /// is a random starting position of the list `starts`.
    pub fn usual(starts: Numbering, rng: &mut Rng) -> GameStart {
        GameStart::Fen(match SetupStart::random(starts.variant(), rng) {
            Ok(start) => Setup::new(&start).fen(),
            Err(_) => starts.drawn().random(rng).fen(),
        })
    }

    /// Returns a starting position, without a setup. `text` is the number of the starting position,
    /// `random`, or back ranks such as `RNBQKBNR/rnbqkbnr`.
    pub fn start(
        numbering: Numbering,
        text: &str,
        rng: &mut Rng,
    ) -> Result<GameStart, GameStartError> {
        let text = text.trim();
        let start = match text.parse() {
            _ if text.eq_ignore_ascii_case("random") => numbering.random(rng),
            Ok(number) => numbering.start(number)?,
            Err(_) => Start::parse(numbering.variant(), text)?,
        };
        Ok(GameStart::Fen(start.fen()))
    }

    /// Returns the position at the end of a setup record. `text` is a record in the notation of the
    /// variant's inventor.
    pub fn record(variant: Variant, text: &str) -> Result<GameStart, GameStartError> {
        Ok(GameStart::Fen(Record::read(text, Some(variant))?.fen()))
    }

    /// Creates an arbiter for a game with this start.
    pub(super) fn arbiter(&self, variant: Variant) -> Result<Arbiter, GameStartError> {
        match self {
            GameStart::Fen(fen) => {
                let game = Game::new(variant, fen)?;
                match game.setup().and_then(Setup::defect) {
                    Some(defect) => Err(GameError::from(SetupOrGameError::from(defect)).into()),
                    None => Ok(Arbiter::from(game)),
                }
            }
            GameStart::Die if SetupStart::count(variant)? == 1 => {
                Err(SetupStartError::NoRoot { variant }.into())
            }
            GameStart::Die => Ok(Arbiter::new(variant, false)?),
            GameStart::FreePlay if variant != Variant::Jepps => {
                Err(GameStartError::NoFreePlay { variant })
            }
            GameStart::FreePlay => Ok(Arbiter::new(variant, true)?),
        }
    }
}
