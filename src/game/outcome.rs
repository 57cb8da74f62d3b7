//! How games end, and who won.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::Color;

/// How the rules ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move is mated.
    Mate,
    Stalemate,
    Threefold,
    FiftyMoves,
    /// Neither side has enough material to mate.
    Material,
}

impl Outcome {
    /// Returns the result. The mated side is the side to move.
    pub const fn result(self, side_to_move: Color) -> GameResult {
        match (self, side_to_move) {
            (Outcome::Mate, Color::White) => GameResult::BlackWins,
            (Outcome::Mate, Color::Black) => GameResult::WhiteWins,
            _ => GameResult::Draw,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Outcome::Mate => "mate",
            Outcome::Stalemate => "stalemate",
            Outcome::Threefold => "threefold repetition",
            Outcome::FiftyMoves => "fifty moves",
            Outcome::Material => "insufficient material",
        })
    }
}

/// The result of a game. The numbers are those of the data files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum GameResult {
    #[serde(rename = "0-1")]
    BlackWins = 0,
    #[serde(rename = "1/2-1/2")]
    Draw = 1,
    #[serde(rename = "1-0")]
    WhiteWins = 2,
}

impl GameResult {
    /// All results, in the order of their numbers.
    pub const ALL: [GameResult; 3] =
        [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// Returns the result of a game that a side won.
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Returns the winner; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::WhiteWins => Some(Color::White),
        }
    }

    /// Returns the result as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::WhiteWins => "1-0",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.text())
    }
}
