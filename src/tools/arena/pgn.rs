//! Writes finished games as PGN for other programs.

use std::collections::BTreeMap;
use std::time::Duration;

use super::failure::Failure;
use super::limit::Limit;
use super::record::{EngineFailure, GameRecord, RecordedTurn};
use crate::pgn::{PgnText, variant_tag};
use crate::types::Color;

/// The settings that apply to the PGN of all games of a match.
#[derive(Clone, Debug, Default)]
pub struct PgnStyle {
    pub event: String,
    /// The value of the tag `Variant`, for readers that know the variant under another name. By default, the
    /// value depends on the variant and the position.
    pub variant: Option<String>,
    /// The limits of the engines, by name.
    pub limits: BTreeMap<String, Limit>,
}

/// Returns a game as PGN.
///
/// The moves start from the position in the tag `FEN`. If normal chess or Chess960 rules apply from that
/// position, the tag `Variant` is `Standard` or `Chess960`, so that other programs can read the game. The tag
/// `Game` has the actual variant. In variants with a setup, the tag `Opening` has the position before the
/// setup and the tag `Placements` has the turns of the setup. The comment after each move has the mover's
/// score in pawns, the depth and the time. Mates are counted in plies, as Cute Chess and fastchess do: `+M3`
/// means that the mover mates with the second move from here.
pub fn pgn(record: &GameRecord, style: &PgnStyle) -> String {
    let mut text = PgnText::default();
    let mut tag = |name: &str, value: &str| text.tag(name, value);
    tag("Event", &style.event);
    tag("Site", "?");
    tag("Date", &record.date.replace('-', "."));
    // A forged journal may contain the largest possible numbers, which must not overflow.
    let (pair, game) = (record.pair.saturating_add(1), record.game.saturating_add(1));
    tag("Round", &format!("{pair}.{game}"));
    tag("White", &record.white);
    tag("Black", &record.black);
    tag("Result", record.result.text());
    tag(
        "Variant",
        style.variant.as_deref().unwrap_or_else(|| variant_tag(&record.variant, &record.start)),
    );
    tag("Game", &record.variant);
    tag("SetUp", "1");
    tag("FEN", &record.start);
    if record.opening != record.start {
        tag("Opening", &record.opening);
        tag("Placements", &record.placements.join(" "));
    }
    let control = |name| style.limits.get(name).map_or_else(|| "?".to_owned(), Limit::pgn);
    let [white, black] = [control(&record.white), control(&record.black)];
    if white == black {
        tag("TimeControl", &white);
    } else {
        tag("WhiteTimeControl", &white);
        tag("BlackTimeControl", &black);
    }
    tag("PlyCount", &record.moves.len().to_string());
    tag("Termination", termination(record));
    tag("Reason", &record.reason);
    if let Some(EngineFailure { engine, failure }) = &record.failure {
        // A resumed match must write the tag exactly as the interrupted match did.
        tag("Fault", &format!("{engine} {failure}"));
    }
    text.end_tags();
    push_moves(&mut text, record);
    text.end(Some(record.result))
}

/// Returns the value of the standard tag `Termination`.
fn termination(record: &GameRecord) -> &'static str {
    match record.failure.as_ref().map(|found| &found.failure) {
        Some(Failure::TimeLoss { .. }) => "time forfeit",
        Some(Failure::Illegal { .. }) => "rules infraction",
        Some(_) => "abandoned",
        None if record.reason.contains(" by ") => "adjudication",
        None => "normal",
    }
}

fn push_moves(text: &mut PgnText, record: &GameRecord) {
    let mut fields = record.start.split_ascii_whitespace();
    let black_begins = fields.nth(1) == Some("b");
    let first: u32 = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    for (half_moves, turn) in (u32::from(black_begins)..).zip(&record.moves) {
        let color = if half_moves % 2 == 0 { Color::White } else { Color::Black };
        text.turn(first.saturating_add(half_moves / 2), color, &turn.san);
        text.comment(&comment(turn));
    }
}

/// Returns the comment after a move: score, depth and time.
fn comment(turn: &RecordedTurn) -> String {
    let seconds = Duration::from_millis(turn.ms).as_secs_f64();
    let score = match (turn.mate, turn.score) {
        (Some(moves), _) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        (Some(moves), _) => format!("-M{}", -2 * i64::from(moves)),
        (None, Some(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        (None, None) => return format!("{seconds:.3}s"),
    };
    format!("{score}/{} {seconds:.3}s", turn.depth.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::game::TimeControl;

    fn record() -> GameRecord {
        let turn = |uci: &str, san: &str, score, mate, ms| RecordedTurn {
            uci: uci.to_owned(),
            san: san.to_owned(),
            score,
            mate,
            depth: score.map(|_| 9),
            ms,
        };
        GameRecord {
            pair: 4,
            game: 1,
            round: 4,
            white: "new \"one\"".to_owned(),
            black: "old".to_owned(),
            date: "2026-11-22".to_owned(),
            variant: "chess".to_owned(),
            opening: "4k3/8/8/8/8/8/8/R3K3 b Q - 3 7".to_owned(),
            placements: Vec::new(),
            start: "4k3/8/8/8/8/8/8/R3K3 b Q - 3 7".to_owned(),
            result: Outcome::Draw,
            reason: "fifty moves".to_owned(),
            failure: None,
            moves: vec![
                turn("e8e7", "Ke7", Some(-512), None, 45),
                turn("e1c1", "O-O-O", None, None, 1_200),
                turn("e7e6", "Ke6", Some(3), None, 0),
                turn("d1d2", "Rd2", Some(30_000), Some(2), 7),
                turn("e6e5", "Ke5", Some(-30_000), Some(-1), 7),
            ],
        }
    }

    fn style() -> PgnStyle {
        let limit = Limit::Clock("8+0.08".parse::<TimeControl>().unwrap());
        let limits = ["new \"one\"", "old"].map(|name| (name.to_owned(), limit)).into();
        PgnStyle { event: "test".to_owned(), variant: None, limits }
    }

    #[test]
    fn games_are_written_as_pgn() {
        let expected = "[Event \"test\"]\n[Site \"?\"]\n[Date \"2026.11.22\"]\n[Round \"5.2\"]\n\
            [White \"new \\\"one\\\"\"]\n[Black \"old\"]\n[Result \"1/2-1/2\"]\n\
            [Variant \"Standard\"]\n[Game \"chess\"]\n\
            [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 3 7\"]\n[TimeControl \"8+0.08\"]\n\
            [PlyCount \"5\"]\n[Termination \"normal\"]\n[Reason \"fifty moves\"]\n\n\
            7... Ke7 {-5.12/9 0.045s} 8. O-O-O {1.200s} Ke6 {+0.03/9 0.000s} 9. Rd2\n\
            {+M3/9 0.007s} Ke5 {-M2/9 0.007s} 1/2-1/2\n\n";
        assert_eq!(pgn(&record(), &style()), expected);
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let start = "4k3/8/8/8/8/8/8/R3K3 b Q - 3 4294967295".to_owned();
        let text =
            pgn(&GameRecord { pair: usize::MAX, game: usize::MAX, start, ..record() }, &style());
        assert!(text.contains("\n4294967295... Ke7"), "{text}");
    }

    #[test]
    fn long_games_are_wrapped() {
        let mut long = record();
        long.moves = long.moves.iter().cycle().take(300).cloned().collect();
        let text = pgn(&long, &style());
        assert!(text.lines().all(|line| line.len() <= 80));
        assert_eq!(text.matches("\n\n").count(), 2);
    }

    /// Compares the value of the tag `Variant` with the names that python-chess, Cute Chess and other
    /// programs use.
    #[test]
    fn variants_have_the_names_that_other_programs_know() {
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let shuffled = "rkbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQBNR w KQkq - 0 1";
        let no_castling = "rkbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQBNR w - - 0 1";
        let unfinished = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
        for (game, start, expected) in [
            ("chess", usual, "Standard"),
            ("chess", no_castling, "Standard"),
            ("chess", shuffled, "Chess960"),
            ("chess960", usual, "Chess960"),
            ("fischerbenko", shuffled, "Chess960"),
            ("transcendental", no_castling, "Standard"),
            ("placement", usual, "Standard"),
            ("placement", unfinished, "placement"),
            ("jepps", no_castling, "jepps"),
            ("ifrc", "no board of ours", "ifrc"),
        ] {
            let (variant, start) = (game.to_owned(), start.to_owned());
            let record = GameRecord { variant, start, ..record() };
            let text = pgn(&record, &style());
            let tags = format!("[Variant \"{expected}\"]\n[Game \"{game}\"]\n");
            assert!(text.contains(&tags), "{text}");
        }
        let variant = Some("fischerandom".to_owned());
        let text = pgn(&record(), &PgnStyle { variant, ..style() });
        assert!(text.contains("[Variant \"fischerandom\"]"), "{text}");
    }

    #[test]
    fn different_limits_and_engine_failures_are_written() {
        let mut style = style();
        style.limits.insert("old".to_owned(), Limit::Nodes(5));
        let failure = Failure::TimeLoss { over_ms: 31 };
        let failure = Some(EngineFailure { engine: "old".to_owned(), failure });
        let text = pgn(&GameRecord { failure, ..record() }, &style);
        for tag in [
            "[WhiteTimeControl \"8+0.08\"]\n[BlackTimeControl \"-\"]",
            "[Termination \"time forfeit\"]",
            "[Fault \"old overran its time by 31 ms\"]",
        ] {
            assert!(text.contains(tag), "{text}");
        }
    }
}
