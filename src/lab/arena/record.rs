//! A finished game as it is kept: one line of JSON, or a game of a PGN file.

use std::fmt::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fault::Fault;
use super::play::{End, Played};
use super::schedule::Pair;
use crate::game::GameResult;
use crate::rules::Variant;

/// A fault and whose it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFault {
    pub engine: String,
    #[serde(flatten)]
    pub fault: Fault,
}

/// A turn as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedTurn {
    /// In UCI notation, or a placement.
    pub uci: String,
    /// In SAN.
    pub san: String,
    /// Centipawns for the side that moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Thousandths of a second.
    pub ms: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The pair it belongs to, counted from 0.
    pub pair: usize,
    /// 0, or 1 for the game with colours reversed.
    pub game: usize,
    /// The number of its opening, from 0.
    pub round: usize,
    pub white: String,
    pub black: String,
    pub variant: String,
    /// Where the engines began.
    pub opening: String,
    /// Placements of the set-up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placements: Vec<String>,
    /// Where the moves begin.
    pub start: String,
    pub result: GameResult,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<EngineFault>,
    pub moves: Vec<RecordedTurn>,
}

impl GameRecord {
    /// What is kept of a game; `names` are White's and Black's.
    pub fn new(
        pair: Pair,
        game: usize,
        variant: Variant,
        opening: &str,
        names: [&str; 2],
        played: Played,
    ) -> GameRecord {
        let reason = played.reason();
        let result = played.winner.map_or(GameResult::Draw, GameResult::won_by);
        let loser = played.winner.map_or("", |winner| names[(!winner).index()]);
        let fault = match played.end {
            End::Fault(fault) => Some(EngineFault { engine: loser.to_owned(), fault }),
            _ => None,
        };
        let (mut placements, mut moves) = (Vec::new(), Vec::new());
        for played in played.turns {
            if played.turn.placement {
                placements.push(played.turn.uci);
            } else {
                moves.push(RecordedTurn {
                    uci: played.turn.uci,
                    san: played.turn.san,
                    score: played.opinion.score,
                    depth: played.opinion.depth,
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
            variant: variant.name().to_owned(),
            opening: opening.to_owned(),
            placements,
            start: played.start,
            result,
            reason,
            fault,
            moves,
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from((time.as_micros() + 500) / 1_000).unwrap_or(u64::MAX)
}

/// Writes a game as PGN, with a blank line after it.
///
/// The movetext holds the moves of the game only, from the position of the tag `FEN` on, so that
/// other programs can read it. Of a set-up the tag `Placements` tells, from the position of the tag
/// `Opening`.
pub fn pgn(record: &GameRecord, event: &str, time_control: &str) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
        let _ = writeln!(text, "[{name} \"{value}\"]"); // a String takes everything
    };
    tag("Event", event);
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &format!("{}.{}", record.pair + 1, record.game + 1));
    tag("White", &record.white);
    tag("Black", &record.black);
    tag("Result", record.result.text());
    tag("Variant", pgn_variant(&record.variant));
    tag("SetUp", "1");
    tag("FEN", &record.start);
    if record.opening != record.start {
        tag("Opening", &record.opening);
        tag("Placements", &record.placements.join(" "));
    }
    tag("TimeControl", time_control);
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", &record.reason);
    if let Some(EngineFault { engine, fault }) = &record.fault {
        tag("Fault", &format!("{engine} {fault}"));
    }
    text.push('\n');
    push_moves(&mut text, record);
    text.push_str("\n\n");
    text
}

/// The names that other programs use where there are any.
fn pgn_variant(variant: &str) -> &str {
    match variant {
        "chess960" | "fischerbenko" => "fischerandom",
        other => other,
    }
}

/// Lines of at most 80 columns, as the standard wants them.
fn push_moves(text: &mut String, record: &GameRecord) {
    let mut column = 0;
    let mut push = |text: &mut String, word: &str| {
        if column > 0 && column + 1 + word.len() > 79 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    };
    let mut fields = record.start.split_ascii_whitespace();
    let black_begins = fields.nth(1) == Some("b");
    let first: usize = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    for (index, turn) in record.moves.iter().enumerate() {
        let half_moves = index + usize::from(black_begins);
        let number = first + half_moves / 2;
        if half_moves % 2 == 0 {
            push(text, &format!("{number}."));
        } else if index == 0 {
            push(text, &format!("{number}..."));
        }
        push(text, &turn.san);
        let seconds = Duration::from_millis(turn.ms).as_secs_f64();
        let score = turn
            .score
            .map(|score| format!("{:+.2}/{} ", f64::from(score) / 100.0, turn.depth.unwrap_or(0)));
        push(text, &format!("{{{}{seconds:.3}s}}", score.unwrap_or_default()));
    }
    push(text, record.result.text());
}

/// Whether the variant can begin with a set-up.
pub fn has_setup(variant: Variant) -> bool {
    variant.rules().setup.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> GameRecord {
        let turn = |uci: &str, san: &str, score, ms| RecordedTurn {
            uci: uci.to_owned(),
            san: san.to_owned(),
            score,
            depth: score.map(|_| 9),
            ms,
        };
        GameRecord {
            pair: 4,
            game: 1,
            round: 4,
            white: "new \"one\"".to_owned(),
            black: "old".to_owned(),
            variant: "chess".to_owned(),
            opening: "4k3/8/8/8/8/8/8/R3K3 b Q - 3 7".to_owned(),
            placements: Vec::new(),
            start: "4k3/8/8/8/8/8/8/R3K3 b Q - 3 7".to_owned(),
            result: GameResult::Draw,
            reason: "fifty moves".to_owned(),
            fault: None,
            moves: vec![
                turn("e8e7", "Ke7", Some(-512), 45),
                turn("e1c1", "O-O-O", None, 1_200),
                turn("e7e6", "Ke6", Some(3), 0),
            ],
        }
    }

    #[test]
    fn games_are_written_as_pgn() {
        let expected = "[Event \"test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"5.2\"]\n\
            [White \"new \\\"one\\\"\"]\n[Black \"old\"]\n[Result \"1/2-1/2\"]\n[Variant \"chess\"]\n\
            [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 3 7\"]\n[TimeControl \"8+0.08\"]\n\
            [PlyCount \"3\"]\n[Termination \"fifty moves\"]\n\n\
            7... Ke7 {-5.12/9 0.045s} 8. O-O-O {1.200s} Ke6 {+0.03/9 0.000s} 1/2-1/2\n\n";
        assert_eq!(pgn(&record(), "test", "8+0.08"), expected);
    }

    #[test]
    fn long_games_are_broken_into_lines() {
        let mut long = record();
        long.moves = long.moves.iter().cycle().take(300).cloned().collect();
        let text = pgn(&long, "test", "1");
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(text.matches("\n\n").count(), 2);
    }

    #[test]
    fn games_go_through_json() {
        let mut record = record();
        let over = Duration::from_millis(31);
        let fault = EngineFault { engine: "old".to_owned(), fault: Fault::TimeLoss { over } };
        record.fault = Some(fault);
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.contains("\"result\":\"1/2-1/2\""), "{text}");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record);
    }
}
