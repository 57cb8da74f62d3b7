use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{GameResult, Outcome};
use crate::types::Color;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The rules say so.
    Rules(Outcome),
    /// What the players or their clocks did.
    Play(PlayCause),
}

/// What ends a game besides the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayCause {
    /// This side gave up.
    Resigned(Color),
    /// This side's time ran out.
    Time(Color),
    /// This side's time ran out, but the other has nothing to mate with.
    TimeDraw(Color),
    Agreement,
    /// A record of the game says so, and not why.
    Recorded(GameResult),
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conclusion {
    pub result: GameResult,
    pub cause: Cause,
}

impl Conclusion {
    /// By the rules, in a position with this side to move.
    pub const fn by_rules(ending: Outcome, side_to_move: Color) -> Conclusion {
        Conclusion { result: ending.result(side_to_move), cause: Cause::Rules(ending) }
    }

    /// By what the players or their clocks did.
    pub fn by_play(cause: PlayCause) -> Conclusion {
        let result = match cause {
            PlayCause::Resigned(color) | PlayCause::Time(color) => GameResult::won_by(!color),
            PlayCause::TimeDraw(_) | PlayCause::Agreement => GameResult::Draw,
            PlayCause::Recorded(result) => result,
        };
        Conclusion { result, cause: Cause::Play(cause) }
    }

    /// A word for programs.
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
    /// A sentence.
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
            (Cause::Play(PlayCause::TimeDraw(color)), _) => write!(
                f,
                "Draw: {color}'s time has run out, but a bare king is left that cannot mate."
            ),
            (Cause::Play(PlayCause::Agreement), _) => f.write_str("Draw by agreement."),
            (Cause::Play(PlayCause::Recorded(_)), Some(winner)) => {
                write!(f, "{winner} wins, as the record of the game says.")
            }
            (Cause::Play(PlayCause::Recorded(_)), None) => {
                f.write_str("Draw, as the record of the game says.")
            }
            (Cause::Rules(Outcome::Stalemate), _) => f.write_str(
                "Draw by stalemate: the side to move is not in check and has no legal move.",
            ),
            (Cause::Rules(Outcome::Threefold), _) => {
                f.write_str("Draw: the same position has come up for the third time.")
            }
            (Cause::Rules(Outcome::FiftyMoves), _) => {
                f.write_str("Draw: fifty moves of each side without a capture or a pawn's move.")
            }
            (Cause::Rules(Outcome::Material | Outcome::Mate), _) => {
                f.write_str("Draw: neither side has enough left to mate.")
            }
        }
    }
}
