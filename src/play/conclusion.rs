use std::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Ending, GameResult};
use crate::types::Color;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The rules say so.
    Rules(Ending),
    /// What happened at the table.
    Table(TableCause),
}

/// What ends a game besides the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableCause {
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
    pub const fn by_rules(ending: Ending, side_to_move: Color) -> Conclusion {
        Conclusion { result: ending.result(side_to_move), cause: Cause::Rules(ending) }
    }

    /// By what happened at the table.
    pub fn at_table(cause: TableCause) -> Conclusion {
        let result = match cause {
            TableCause::Resigned(color) | TableCause::Time(color) => GameResult::won_by(!color),
            TableCause::TimeDraw(_) | TableCause::Agreement => GameResult::Draw,
            TableCause::Recorded(result) => result,
        };
        Conclusion { result, cause: Cause::Table(cause) }
    }

    /// A word for programs.
    pub const fn reason(&self) -> &'static str {
        match self.cause {
            Cause::Rules(Ending::Mate) => "mate",
            Cause::Rules(Ending::Stalemate) => "stalemate",
            Cause::Rules(Ending::Threefold) => "threefold",
            Cause::Rules(Ending::FiftyMoves) => "fifty-moves",
            Cause::Rules(Ending::Material) => "material",
            Cause::Table(TableCause::Resigned(_)) => "resigned",
            Cause::Table(TableCause::Time(_) | TableCause::TimeDraw(_)) => "time",
            Cause::Table(TableCause::Agreement) => "agreement",
            Cause::Table(TableCause::Recorded(_)) => "recorded",
        }
    }
}

impl fmt::Display for Conclusion {
    /// A sentence.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let winner = self.result.winner();
        match (self.cause, winner) {
            (Cause::Rules(Ending::Mate), Some(winner)) => {
                write!(f, "{winner} wins: {} is checkmated.", !winner)
            }
            (Cause::Table(TableCause::Resigned(loser)), _) => {
                write!(f, "{} wins: {loser} has resigned.", !loser)
            }
            (Cause::Table(TableCause::Time(loser)), _) => {
                write!(f, "{} wins: {loser}'s time has run out.", !loser)
            }
            (Cause::Table(TableCause::TimeDraw(color)), _) => write!(
                f,
                "Draw: {color}'s time has run out, but a bare king is left that cannot mate."
            ),
            (Cause::Table(TableCause::Agreement), _) => f.write_str("Draw by agreement."),
            (Cause::Table(TableCause::Recorded(_)), Some(winner)) => {
                write!(f, "{winner} wins, as the record of the game says.")
            }
            (Cause::Table(TableCause::Recorded(_)), None) => {
                f.write_str("Draw, as the record of the game says.")
            }
            (Cause::Rules(Ending::Stalemate), _) => f.write_str(
                "Draw by stalemate: the side to move is not in check and has no legal move.",
            ),
            (Cause::Rules(Ending::Threefold), _) => {
                f.write_str("Draw: the same position has come up for the third time.")
            }
            (Cause::Rules(Ending::FiftyMoves), _) => {
                f.write_str("Draw: fifty moves of each side without a capture or a pawn's move.")
            }
            (Cause::Rules(Ending::Material | Ending::Mate), _) => {
                f.write_str("Draw: neither side has enough left to mate.")
            }
        }
    }
}
