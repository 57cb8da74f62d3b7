//! How a game begins: from a position, a setup or dice.
use serde::{Deserialize, Serialize};

use super::arbiter::Arbiter;
use crate::game::{Game, GameError};
use crate::rules::Variant;
use crate::setup::{Record, RecordError, Setup, SetupOrGameError};
use crate::start::{NumberError, Numbering, Rng, SetupStart, SetupStartError, Start, StartError};

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameStart {
    /// From a position, which may be one of a setup.
    Fen(String),
    /// With rolling the random part of Fischer-Benko or Half-Random Transcendental Chess.
    Die,
    /// With the empty back ranks of Free Play in Jepps Random Chess, which a FEN cannot tell from
    /// the usual ones.
    FreePlay,
}

/// Why a game cannot begin like this.
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
    /// The usual start of a variant: its setup with a random first part, if it has one, else a
    /// random one of these starts.
    pub fn usual(starts: Numbering, rng: &mut Rng) -> GameStart {
        GameStart::Fen(match SetupStart::random(starts.variant(), rng) {
            Ok(start) => Setup::new(&start).fen(),
            Err(_) => starts.drawn().random(rng).fen(),
        })
    }

    /// A starting position without a setup: its number, `random`, or its back ranks such as
    /// `RNBQKBNR/rnbqkbnr`.
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

    /// The game or setup that a record in the inventor's notation leads to.
    pub fn record(variant: Variant, text: &str) -> Result<GameStart, GameStartError> {
        Ok(GameStart::Fen(Record::read(text, Some(variant))?.fen()))
    }

    /// Returns an arbiter for a game that begins like this.
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
