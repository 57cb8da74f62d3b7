//! Formats thinking output, results and error messages.

use crate::engine::SearchInfo;
use crate::game::{GameError, Termination};
use crate::text::shorten;
use crate::types::{Bound, Score};

/// The offset of mate scores in the XBoard protocol: `100000 + n` means mate in `n` moves.
const MATE: i32 = 100_000;

/// Words that the reason for an illegal move must not contain. If XBoard finds one of these words in the
/// message, it does not take back the illegal move.
const MISREAD: [&str; 15] = [
    "name", "rating", "?", "result", "board", "bk", "computer", "variant", "hint", "random",
    "depth", "accepted", "draw", "time", "analyze",
];

/// Formats a line of thinking output: depth, score, time in centiseconds, nodes and the variation. If
/// `details` is set, selective depth, nodes per second, tablebase hits and a tab precede the variation.
pub(super) fn thinking(line: &SearchInfo, details: bool) -> String {
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " !",
        Bound::Upper => " ?",
    };
    let details = if details {
        let (depth, speed) = (line.selective_depth, line.nodes_per_second());
        format!("{depth} {speed} {}\t", line.tablebase_hits)
    } else {
        String::new()
    };
    let (time, pv) = (line.time.as_millis() / 10, line.san.join(" "));
    let score = score(line.score);
    format!("{} {score} {time} {} {details}{pv}{bound}", line.depth, line.nodes)
}

fn score(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => MATE + moves,
        Score::Mate(moves) => moves - MATE,
    }
}

/// Formats the claim of a result when the game has ended by the rules.
pub(super) fn result(ending: Termination) -> String {
    let reason = match ending {
        Termination::Mate(winner) => &format!("{winner} mates"),
        Termination::Repetition => "Draw by repetition",
        Termination::FiftyMoves => "Draw by the fifty-move rule",
        Termination::Material => "Draw by insufficient material",
        Termination::Stalemate => "Stalemate",
        other => other.reason(),
    };
    format!("{} {{{reason}}}", ending.outcome())
}

/// Formats an error about a command line.
pub(super) fn error(reason: &str, line: &str) -> String {
    // XBoard takes back a move if an error message contains "llegal", so this word must be avoided.
    let reason = reason.replace('\n', " ").replace("llegal", "mpossible");
    format!("Error ({reason}): {}", shorten(line.trim_ascii()))
}

/// Formats the rejection of a move.
pub(super) fn illegal_move(reason: &str, text: &str) -> String {
    let text = shorten(text);
    let reason = reason.strip_prefix(&format!("'{text}' is illegal: ")).unwrap_or(reason);
    if MISREAD.iter().any(|word| reason.contains(word)) {
        format!("Illegal move: {text}")
    } else {
        format!("Illegal move ({}): {text}", reason.replace('\n', " "))
    }
}

/// Whether the text that caused an error is a move, even if the move is illegal.
pub(super) fn is_move(error: &GameError) -> bool {
    use crate::notation::MoveError;
    use crate::setup::PlacementError;
    !matches!(
        error,
        GameError::Move(MoveError::Unreadable { .. })
            | GameError::Placement(PlacementError::Shape { .. } | PlacementError::Piece { .. })
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn thinking_output_has_all_columns_and_a_tab() {
        let mut line = SearchInfo {
            depth: 9,
            selective_depth: 14,
            multi_pv: 1,
            score: Score::Centipawns(156),
            bound: Bound::Exact,
            wdl: [0; 3],
            nodes: 48_000,
            time: Duration::from_millis(10_849),
            hash_full: 0,
            tablebase_hits: 3,
            pv: vec!["g1f3".to_owned()],
            san: vec!["Nf3".to_owned(), "Nc6".to_owned()],
        };
        assert_eq!(thinking(&line, true), "9 156 1084 48000 14 4424 3\tNf3 Nc6");
        assert_eq!(thinking(&line, false), "9 156 1084 48000 Nf3 Nc6");
        line.bound = Bound::Upper;
        line.score = Score::Mate(-4);
        assert_eq!(thinking(&line, true), "9 -100004 1084 48000 14 4424 3\tNf3 Nc6 ?");
        line.score = Score::Mate(4);
        assert!(thinking(&line, true).starts_with("9 100004 "));
    }

    #[test]
    fn error_messages_avoid_words_that_xboard_misreads() {
        let because = |reason: &str| illegal_move(reason, "e1g1");
        assert_eq!(
            because("'e1g1' is illegal: castling needs f1 to be empty"),
            "Illegal move (castling needs f1 to be empty): e1g1"
        );
        assert_eq!(because("'z9' is not a square of the board"), "Illegal move: e1g1");
        assert_eq!(
            error("an illegal\nthing", " go \u{7}"),
            "Error (an impossible thing): go \\u{7}"
        );
    }
}
