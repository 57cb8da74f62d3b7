//! The results of games, and the reasons for their end.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::Color;

/// The result of a game. Files of training data store results as the numbers of these enum variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Outcome {
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins = 0,
    /// The game is a draw.
    #[serde(rename = "1/2-1/2")]
    Draw = 1,
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins = 2,
}

impl Outcome {
    /// All outcomes, in the order of the numbers that data files store.
    pub const ALL: [Outcome; 3] = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins];

    /// Returns the outcome of a game that `color` won.
    pub const fn won_by(color: Color) -> Outcome {
        match color {
            Color::White => Outcome::WhiteWins,
            Color::Black => Outcome::BlackWins,
        }
    }

    /// Returns the winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::BlackWins => Some(Color::Black),
            Outcome::Draw => None,
            Outcome::WhiteWins => Some(Color::White),
        }
    }

    /// Returns the outcome in the notation of PGN, such as `1-0`.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::WhiteWins => "1-0",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The reason for the end of a game, which determines the result. `Display` writes the short form for logs
/// and journals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// This side checkmated the opponent.
    Mate(Color),
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position occurred for the third time.
    Repetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// Neither side has enough material to mate.
    Material,
    /// Adjudicated as a win of this side, because the scores of both players agreed for some plies.
    WinByScore(Color),
    /// Adjudicated as a draw, because the scores were close to zero for some plies late in the game.
    DrawByScore,
    /// Adjudicated as a draw, because the game reached the maximum length.
    Length,
    /// Adjudicated with tablebases.
    Tablebase(Outcome),
    /// This side resigned.
    #[serde(rename = "resigned")]
    Resignation(Color),
    /// This side's time ran out.
    Time(Color),
    /// This side's time ran out, but the opponent has only a king, so the game is a draw.
    TimeDraw(Color),
    /// The players agreed on a draw.
    Agreement,
    /// The record of the game contains the outcome, but no reason.
    Recorded(Outcome),
}

impl Termination {
    /// Returns the result of the game.
    pub fn outcome(self) -> Outcome {
        match self {
            Termination::Mate(winner) | Termination::WinByScore(winner) => Outcome::won_by(winner),
            Termination::Resignation(loser) | Termination::Time(loser) => Outcome::won_by(!loser),
            Termination::Tablebase(outcome) | Termination::Recorded(outcome) => outcome,
            _ => Outcome::Draw,
        }
    }

    /// Returns the reason as an identifier for programs.
    pub const fn reason(self) -> &'static str {
        match self {
            Termination::Mate(_) => "mate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "threefold",
            Termination::FiftyMoves => "fifty-moves",
            Termination::Material => "material",
            Termination::WinByScore(_) | Termination::DrawByScore => "adjudication",
            Termination::Length => "length",
            Termination::Tablebase(_) => "tablebase",
            Termination::Resignation(_) => "resigned",
            Termination::Time(_) | Termination::TimeDraw(_) => "time",
            Termination::Agreement => "agreement",
            Termination::Recorded(_) => "recorded",
        }
    }

    /// Returns a sentence for people, such as `White wins: Black has resigned.`
    pub fn sentence(self) -> String {
        let because = match self {
            Termination::Mate(winner) => &format!(": {} is checkmated.", !winner),
            Termination::Stalemate => {
                " by stalemate: the side to move is not in check and has no legal move."
            }
            Termination::Repetition => ": the same position has come up for the third time.",
            Termination::FiftyMoves => {
                ": fifty moves by each side without a capture or a pawn move."
            }
            Termination::Material => ": neither side has enough material to mate.",
            Termination::WinByScore(_) | Termination::DrawByScore => " by adjudication.",
            Termination::Length => ": the game has reached the maximum length.",
            Termination::Tablebase(_) => ", according to the tablebases.",
            Termination::Resignation(loser) => &format!(": {loser} has resigned."),
            Termination::Time(loser) => &format!(": {loser}'s time has run out."),
            Termination::TimeDraw(color) => {
                &format!(": {color}'s time has run out, but a bare king cannot mate.")
            }
            Termination::Agreement => " by agreement.",
            Termination::Recorded(_) => ", according to the record of the game.",
        };
        match self.outcome().winner() {
            Some(winner) => format!("{winner} wins{because}"),
            None => format!("Draw{because}"),
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Termination::Repetition => "threefold repetition",
            Termination::FiftyMoves => "fifty moves",
            Termination::Material => "insufficient material",
            Termination::WinByScore(_) => "win by adjudication",
            Termination::DrawByScore => "draw by adjudication",
            Termination::Length => "draw by length",
            Termination::Tablebase(Outcome::Draw) => "draw by tablebase",
            Termination::Tablebase(_) => "win by tablebase",
            other => other.reason(),
        })
    }
}
