//! How a game ended, as data and as a sentence.
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{GameResult, Outcome};
use crate::types::Color;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The rules ended it.
    Rules(Outcome),
    /// The players or their clocks ended it.
    Play(PlayCause),
}

/// What can end a game apart from the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayCause {
    /// This side resigned.
    Resigned(Color),
    /// This side's time ran out.
    Time(Color),
    /// This side's time ran out, but the opponent has only a bare king.
    TimeDraw(Color),
    Agreement,
    /// The game's record gives the result without a reason.
    Recorded(GameResult),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conclusion {
    pub result: GameResult,
    pub cause: Cause,
}

impl Conclusion {
    /// The end by the rules, in a position with this side to move.
    pub const fn by_rules(ending: Outcome, side_to_move: Color) -> Conclusion {
        Conclusion { result: ending.result(side_to_move), cause: Cause::Rules(ending) }
    }

    /// The end by the players or their clocks.
    pub fn by_play(cause: PlayCause) -> Conclusion {
        let result = match cause {
            PlayCause::Resigned(color) | PlayCause::Time(color) => GameResult::won_by(!color),
            PlayCause::TimeDraw(_) | PlayCause::Agreement => GameResult::Draw,
            PlayCause::Recorded(result) => result,
        };
        Conclusion { result, cause: Cause::Play(cause) }
    }

    /// Returns the reason as an identifier for programs.
    pub const fn reason(&self) -> &'static str {
        match self.cause {
            Cause::Rules(Outcome::Mate) => "mate",
            Cause::Rules(Outcome::Stalemate) => "stalemate",
            Cause::Rules(Outcome::Threefold) => "threefold",
            Cause::Rules(Outcome::FiftyMoves) => "fifty-moves",
            Cause::Rules(Outcome::Material) => "material",
            Cause::Play(PlayCause::Resigned(_)) => "resigned",
            Cause::Play(PlayCause::Time(_) | PlayCause::TimeDraw(_)) => "time",
            Cause::Play(PlayCause::Agreement) => "agreement",
            Cause::Play(PlayCause::Recorded(_)) => "recorded",
        }
    }
}

impl fmt::Display for Conclusion {
    /// Writes a sentence.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let winner = self.result.winner();
        match (self.cause, winner) {
            (Cause::Rules(Outcome::Mate), Some(winner)) => {
                write!(f, "{winner} wins: {} is checkmated.", !winner)
            }
            (Cause::Play(PlayCause::Resigned(loser)), _) => {
                write!(f, "{} wins: {loser} has resigned.", !loser)
            }
            (Cause::Play(PlayCause::Time(loser)), _) => {
                write!(f, "{} wins: {loser}'s time has run out.", !loser)
            }
            (Cause::Play(PlayCause::TimeDraw(color)), _) => {
                write!(f, "Draw: {color}'s time has run out, but a bare king cannot mate.")
            }
            (Cause::Play(PlayCause::Agreement), _) => f.write_str("Draw by agreement."),
            (Cause::Play(PlayCause::Recorded(_)), Some(winner)) => {
                write!(f, "{winner} wins, according to the record of the game.")
            }
            (Cause::Play(PlayCause::Recorded(_)), None) => {
                f.write_str("Draw, according to the record of the game.")
            }
            (Cause::Rules(Outcome::Stalemate), _) => f.write_str(
                "Draw by stalemate: the side to move is not in check and has no legal move.",
            ),
            (Cause::Rules(Outcome::Threefold), _) => {
                f.write_str("Draw: the same position has come up for the third time.")
            }
            (Cause::Rules(Outcome::FiftyMoves), _) => {
                f.write_str("Draw: fifty moves by each side without a capture or a pawn move.")
            }
            (Cause::Rules(Outcome::Material | Outcome::Mate), _) => {
                f.write_str("Draw: neither side has enough material to mate.")
            }
        }
    }
}
