//! The record of a finished game, as stored in the journal.

use serde::{Deserialize, Serialize};

use super::client::millis;
use super::failure::Failure;
use super::play::PlayedGame;
use super::schedule::Pair;
use crate::game::Outcome;
use crate::rules::Variant;

/// A failure, and the name of the engine that failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFailure {
    pub engine: String,
    #[serde(flatten)]
    pub failure: Failure,
}

/// A recorded move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedTurn {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// The score in centipawns, for the side that moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The number of moves until the mover mates, or the negative number of moves until the mover gets mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The time for the move in milliseconds.
    pub ms: u64,
}

/// The record of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The index of the pair that the game belongs to.
    pub pair: usize,
    /// The index of the game in its pair: 0 for the first game, 1 for the game with colours reversed.
    pub game: usize,
    /// The index of the opening.
    pub round: usize,
    pub white: String,
    pub black: String,
    /// The UTC date on which the game ended, such as `2026-11-22`.
    pub date: String,
    pub variant: String,
    /// The position from which the game started, before any setup.
    pub opening: String,
    /// The turns of the setup, if there is a setup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placements: Vec<String>,
    /// The position before the first move.
    pub start: String,
    pub result: Outcome,
    pub reason: String,
    /// The engine failure that ended the game, if any. The field is called `fault` in journals.
    #[serde(rename = "fault", default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<EngineFailure>,
    pub moves: Vec<RecordedTurn>,
}

impl GameRecord {
    /// Creates the record of a game. `names` are the names of White's and Black's engine.
    pub fn new(
        pair: Pair,
        game: usize,
        variant: Variant,
        opening: &str,
        names: [&str; 2],
        played: PlayedGame,
    ) -> GameRecord {
        let (result, reason, failure) = match played.end {
            Ok(termination) => (termination.outcome(), termination.to_string(), None),
            Err((loser, failure)) => {
                let (reason, engine) = (failure.name().to_owned(), names[loser.index()].to_owned());
                (Outcome::won_by(!loser), reason, Some(EngineFailure { engine, failure }))
            }
        };
        let (mut placements, mut moves) = (Vec::new(), Vec::new());
        for played in played.turns {
            if played.turn.placement {
                placements.push(played.turn.uci);
            } else {
                moves.push(RecordedTurn {
                    uci: played.turn.uci,
                    san: played.turn.san,
                    score: played.info.score,
                    mate: played.info.mate,
                    depth: played.info.depth,
                    ms: millis(played.time),
                });
            }
        }
        GameRecord {
            pair: pair.index,
            game,
            round: pair.round,
            white: names[0].to_owned(),
            black: names[1].to_owned(),
            date: time::OffsetDateTime::now_utc().date().to_string(),
            variant: variant.name().to_owned(),
            opening: opening.to_owned(),
            placements,
            start: played.start,
            result,
            reason,
            failure,
            moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::standings::tests::record;
    use super::*;

    #[test]
    fn records_round_trip_through_json() {
        let mut record = record(0, 1, Outcome::WhiteWins);
        let failure =
            EngineFailure { engine: "a".to_owned(), failure: Failure::TimeLoss { over_ms: 31 } };
        record.failure = Some(failure);
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.contains(r#""result":"1-0""#), "{text}");
        assert!(
            text.contains(r#""fault":{"engine":"a","kind":"time_loss","over_ms":31}"#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record);
    }
}
