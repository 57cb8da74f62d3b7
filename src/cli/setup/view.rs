//! How a set-up looks on a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::play::arbiter::{Arbiter, Choice, Need};
use crate::rules::Variant;
use crate::setup::Record;
use crate::setup::solver::{Method, Solution};
use crate::start::PartialArray;
use crate::types::{Color, Role, Value};

pub(in crate::cli) const HEADING: Style = Style::new().bold();
pub(in crate::cli) const FAINT: Style = Style::new().dimmed();
pub(in crate::cli) const ERROR: Style = AnsiColor::Red.on_default();
const WHITE: Style = Style::new().bold();
const BLACK: Style = AnsiColor::Cyan.on_default().bold();

/// How lines of a side look.
pub(in crate::cli) const fn style(color: Color) -> Style {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

/// Both back ranks with what is in hand, Black's above.
pub(in crate::cli) fn board(ranks: &[PartialArray; 2]) -> String {
    let mut text = format!("{FAINT}    a b c d e f g h{FAINT:#}\n");
    for color in [Color::Black, Color::White] {
        let rank = &ranks[color.index()];
        let style = style(color);
        let number = if color == Color::White { 1 } else { 8 };
        let _ = write!(text, "  {number}");
        for square in rank.squares() {
            let _ = match square {
                None => write!(text, " {FAINT}.{FAINT:#}"),
                Some(role) => write!(text, " {style}{}{style:#}", role.of(color).letter()),
            };
        }
        let hand: Vec<String> =
            rank.pocket().letters(color).chars().map(|letter| letter.to_string()).collect();
        if !hand.is_empty() {
            let _ = write!(text, "   in hand: {}", hand.join(" "));
        }
        text.push('\n');
    }
    text
}

/// The squares for each piece: `K@d1 K@f1 | R@a1 ...`.
pub(super) fn placements(choice: &Choice) -> String {
    let mut text = String::new();
    let mut before: Option<Role> = None;
    for placement in &choice.placements {
        let role = placement.drops().next().map(|drop| drop.role);
        if before.is_some() {
            text += if before == role { " " } else { " | " };
        }
        before = role;
        text += &placement.to_string();
    }
    text
}

/// What can be answered to a question.
pub(in crate::cli) fn possible(need: &Need) -> String {
    const FACES: &str = "1 king, 2 knight, 3 bishop, 4 rook, 5 queen, 6 any piece";
    match need {
        Need::Die(request) => request.to_string(),
        Need::Dice { roles, .. } => {
            let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
            format!(
                "what two dice show, such as 3 5. A die offers: {FACES}; what fits here is {}",
                names.join(", ")
            )
        }
        Need::MediatorDice => "what two dice show, such as 3 5. Both even: Black mirrors White's \
                               array; both odd: Black reverses it; one of each: Black has its \
                               own dice. After a double Black may let it roll again"
            .to_owned(),
        Need::Choice(choice) if choice.may_roll_again => {
            format!("{}, or again", placements(choice))
        }
        Need::Choice(choice) => placements(choice),
        Need::Mediation(mediation) => format!("keep ({mediation}), or again"),
        Need::Nothing => "Enter, or undo".to_owned(),
    }
}

/// Centipawns as pawns: `+0.35`.
pub(in crate::cli) fn pawns(value: Value) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

/// Why the engine chose what it chose.
pub(super) fn reasons(solution: &Solution) -> String {
    let mut text = format!("{} for its side", pawns(solution.value()));
    let _ = match solution.lines.get(1) {
        Some(next) => write!(
            text,
            ", the next best {} {}",
            next.placements.first().map_or_else(String::new, ToString::to_string),
            pawns(next.value)
        ),
        None => write!(text, ", nothing else to choose"),
    };
    let expected: Vec<String> = solution
        .lines
        .first()
        .map(|line| line.placements.iter().skip(1).take(4).map(ToString::to_string).collect())
        .unwrap_or_default();
    if !expected.is_empty() {
        let _ = write!(text, "; it expects {}", expected.join(" "));
    }
    let how = match solution.method {
        Method::Exact => "exact over",
        Method::Candidates => "among candidates,",
        Method::Expectation => "expected over the dice to come,",
        Method::SampledExpectation => "expected over the dice to come, a sample of",
        Method::Guess => "a guess, stopped before anything was solved,",
        Method::DeadEnd => "a dead end,",
    };
    let depth = match solution.depth {
        0 => "by their static evaluation".to_owned(),
        depth => format!("searched to depth {depth}"),
    };
    let pairs = if solution.leaves == 1 { "pair" } else { "pairs" };
    let _ = write!(text, "; {how} {} {pairs} of arrays {depth}", solution.leaves);
    text
}

/// What there is when the set-up ends, or is left: FEN, notation and, of a finished one, the
/// beginning of a PGN.
pub(super) fn result(arbiter: &Arbiter, players: [&str; 2]) -> String {
    let Some(record) = arbiter.record() else {
        return format!(
            "{HEADING}So far; the random part is not complete:{HEADING:#}\n\n{}",
            board(&arbiter.ranks())
        );
    };
    let title = if record.game().is_some() { "The set-up is over." } else { "So far:" };
    let mut text = format!("{HEADING}{title}{HEADING:#}\n\nFEN:\n{}\n", record.fen());
    if !record.placements().is_empty() {
        let _ = write!(text, "\nNotation:\n{record}\n");
    }
    let (variant, fen) = (record.variant(), record.fen());
    if record.game().is_none() {
        let _ = write!(text, "\nTo go on:\naleator setup {variant} --fen \"{fen}\"\n");
        return text;
    }
    let _ = write!(
        text,
        "\nTo go on:\naleator go movetime 10000 --variant {variant} --fen \"{fen}\"\n"
    );
    let _ = write!(text, "\nPGN:\n{}", pgn_header(&record, players));
    text
}

/// Tags with which a GUI goes on from the position after the set-up. The variant is the game that
/// follows under the name that GUIs know: after the set-up Fischer-Benko is Chess960, and
/// Pre-Chess and Half-Random Transcendental Chess are orthodox chess from a position, the latter
/// with no rights to castle. Nobody else has a name for the king's relocation of Jepps Random
/// Chess. Whose game it is says `Event`.
pub(super) fn pgn_header(record: &Record, players: [&str; 2]) -> String {
    let (event, variant) = match record.variant() {
        Variant::FischerBenko => ("Fischer-Benko", "Chess960"),
        Variant::Transcendental => ("Half-Random Transcendental Chess", "Standard"),
        Variant::Placement => ("Pre-Chess", "Standard"),
        Variant::Jepps => ("Jepps Random Chess", "jepps"),
        other => (other.name(), other.name()),
    };
    let fen = record.fen();
    let [white, black] = players;
    let tags = [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", white),
        ("Black", black),
        ("Result", "*"),
        ("Variant", variant),
        ("SetUp", "1"),
        ("FEN", fen.as_str()),
    ];
    let lines: String =
        tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{lines}\n*\n")
}

/// What can be typed.
pub(super) const HELP: &str = "\
What you can type:
  R@h1 or Rh1    place a piece: K, Q, R, B or N and a square of your back rank
  R              in Jepps: on the square whose turn it is
  Q@g1+K@f1      the last two pieces of Fischer-Benko, placed together; one of them is enough
  4   or   3 5   what the dice show, where they are asked for
  again          roll once more, where that is allowed
  keep           let the mediator's double stand
  undo           take back your last answer, and all that followed from it
  board          show the back ranks again
  ?              this help, and what is possible now
  quit           leave; what was reached is printed
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_ranks() {
        let ranks = ["1BB1R3", "2b2br1"].map(|text| text.parse().unwrap());
        let plain = anstream::adapter::strip_str(&board(&ranks)).to_string();
        assert_eq!(
            plain,
            "    a b c d e f g h\n  8 . . b . . b r .   in hand: k q r n n\n  1 . B B . R . . .   in hand: K Q R N N\n"
        );
    }

    #[test]
    fn headers_name_the_game_that_follows() {
        let text = "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\nMirror";
        let header = pgn_header(&Record::read(text, None).unwrap(), ["A", "B"]);
        assert!(header.contains("[White \"A\"]\n[Black \"B\"]\n"));
        assert!(header.contains("[Variant \"jepps\"]\n[SetUp \"1\"]\n[FEN \"nbkrbqnr/"));
        assert!(header.ends_with("Kk - 0 9\"]\n\n*\n"));
    }
}
