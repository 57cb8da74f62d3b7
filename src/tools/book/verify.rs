//! Checks files of positions: opening suites, test suites and our own books.
//!
//! Common defects are wrong castling rights, duplicate positions, and lines that some programs cannot read.
//! An *error* makes a line unusable for some programs. A *note* is a hint that needs no change.

use std::collections::HashMap;
use std::fmt;

use crate::book::{BookLine, LineFault, key_of};
use crate::game::{Game, GameError, Termination};
use crate::notation::{EpdRecord, is_epd_line};
use crate::rules::Variant;
use crate::text::{LineReader, counted, shorten};

/// The maximum length of a line in bytes.
const MAX_LINE: usize = 1 << 16;
/// Opcodes whose operands are moves in the position.
const MOVES: [&str; 3] = ["bm", "am", "sm"];
/// Opcodes whose operand is an integer.
const NUMBERS: [&str; 6] = ["ce", "dm", "hmvc", "fmvn", "acn", "acd"];

/// A defect found in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Defect {
    #[error("the FEN is not a position of {variant}: {error}")]
    Position { variant: Variant, error: GameError },
    #[error("the game is already over in this position: {ending}")]
    Over { ending: Termination },
    #[error("operation '{opcode}', move '{found}': {error}")]
    Move { opcode: String, found: String, error: GameError },
    #[error(transparent)]
    Book(LineFault),
    #[error("the position already occurs on line {line}, {}", if *.alike { "with the same operations" } else { "with different operations" })]
    Twice { line: usize, alike: bool },
    #[error("operation '{opcode} {found}': the value of '{opcode}' must be an integer")]
    Number { opcode: String, found: String },
    #[error(
        "'{found}' is not the name of an operation; a name begins with a letter, as in 'bm' or 'id'"
    )]
    Opcode { found: String },
    #[error("operation '{opcode}' occurs twice on the line; only one is allowed")]
    OpcodeTwice { opcode: String },
    #[error("a string begins with '\"' but has no closing '\"'")]
    Quote,
    #[error("an operation does not end with ';'; EPD requires a ';' after each operation")]
    Semicolon,
    #[error(
        "the fifth field is '-', but other programs expect the first operation there; remove the '-'"
    )]
    Dash,
    #[error(
        "operations after a complete FEN are not valid EPD: other programs read the FEN's clocks as \
         operations; write 'hmvc {clock}; fmvn {number};'"
    )]
    Mixed { clock: String, number: String },
    #[error(
        "the line begins with a byte order mark, which other programs read as a piece; save the file without the mark"
    )]
    Mark,
    #[error(
        "the line contains a control character, which other programs read as part of a word; remove the character"
    )]
    Control,
    #[error("the line is blank or a comment; other programs may read it as a position")]
    NoPosition,
    #[error("the line is longer than the maximum of {MAX_LINE} bytes")]
    TooLong,
    #[error("the side to move is in check")]
    Check,
}

impl Defect {
    /// Returns whether the defect is a note, not an error.
    pub const fn is_note(&self) -> bool {
        matches!(self, Defect::Check | Defect::Twice { alike: true, .. } | Defect::NoPosition)
    }
}

/// The result of checking a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The number of lines with a position.
    pub positions: usize,
    /// The defects, each with its line number, counted from 1.
    pub defects: Vec<(usize, Defect)>,
}

impl Report {
    /// Returns the number of defects that are errors.
    pub fn errors(&self) -> usize {
        self.defects.iter().filter(|(_, defect)| !defect.is_note()).count()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (line, defect) in &self.defects {
            let kind = if defect.is_note() { "note: " } else { "" };
            writeln!(f, "line {line}: {kind}{defect}")?;
        }
        let errors = self.errors();
        let [positions, errors, notes] = [
            (self.positions, "position"),
            (errors, "error"),
            (self.defects.len() - errors, "note"),
        ]
        .map(|(count, noun)| counted(count, noun));
        write!(f, "{positions}, {errors}, {notes}")
    }
}

/// Checks every line of a file. Each line should have a position of the variant.
pub fn verify(bytes: &[u8], variant: Variant) -> Report {
    let mut report = Report::default();
    let mut seen: HashMap<String, (usize, EpdRecord)> = HashMap::new();
    if bytes.starts_with("\u{feff}".as_bytes()) {
        report.defects.push((1, Defect::Mark));
    }
    for (number, line) in (1..).zip(LineReader::with_limit(bytes, MAX_LINE)) {
        let mut defects = match line {
            // Reading from memory cannot fail, so the only possible error is a line that is too long.
            Err(_) => vec![Defect::TooLong],
            Ok(line) if !is_epd_line(&line) => vec![Defect::NoPosition],
            Ok(line) => {
                report.positions += 1;
                check_line(&line, number, variant, &mut seen)
            }
        };
        report.defects.extend(defects.drain(..).map(|defect| (number, defect)));
    }
    report
}

/// Checks a line with a position. `seen` contains the positions of earlier lines.
fn check_line(
    line: &str,
    number: usize,
    variant: Variant,
    seen: &mut HashMap<String, (usize, EpdRecord)>,
) -> Vec<Defect> {
    let mut defects = Vec::new();
    let record = EpdRecord::parse(line);
    check_form(line, &record, &mut defects);
    // A suite for `aleator epd` can name the variant of each position.
    let variant = record.operand("variant").and_then(|name| name.parse().ok()).unwrap_or(variant);
    let game = match Game::new(variant, &record.fen) {
        Ok(game) => game,
        Err(error) => {
            defects.push(Defect::Position { variant, error });
            return defects;
        }
    };
    if let Some(ending) = game.termination() {
        defects.push(Defect::Over { ending });
    } else if game.in_check() {
        defects.push(Defect::Check);
    }
    check_moves(&game, &record, &mut defects);
    if record.operands("weights").is_some()
        && defects.iter().all(Defect::is_note)
        && let Err(fault) = BookLine::parse(line, variant)
    {
        defects.push(Defect::Book(fault));
    }
    match seen.get(&key_of(&game)) {
        Some((line, other)) => {
            let alike = other.operations == record.operations;
            defects.push(Defect::Twice { line: *line, alike });
        }
        None => {
            seen.insert(key_of(&game), (number, record));
        }
    }
    defects
}

/// Checks whether other programs can read the line.
fn check_form(line: &str, record: &EpdRecord, defects: &mut Vec<Defect>) {
    if line.matches('"').count() % 2 == 1 {
        defects.push(Defect::Quote);
    }
    let is_plain = record.operations.is_empty();
    if line.contains(|letter: char| letter.is_control() && letter != '\t') {
        defects.push(Defect::Control);
    }
    // Splits the line at quotation marks. Every second part is then a quoted string and is skipped.
    let semicolons: usize = line.split('"').step_by(2).map(|part| part.matches(';').count()).sum();
    if !is_plain && !line.trim_end().ends_with(';') || semicolons < record.operations.len() {
        defects.push(Defect::Semicolon);
    }
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    if let [_, _, _, _, clock, end] = words[..]
        && clock.starts_with(|letter: char| letter.is_ascii_digit())
        && (!is_plain || line.contains(';'))
    {
        let number = end.trim_end_matches(';').to_owned();
        defects.push(Defect::Mixed { clock: clock.to_owned(), number });
    } else if let [_, _, _, _, "-", ..] = words[..] {
        defects.push(Defect::Dash);
    }
    for (index, operation) in record.operations.iter().enumerate() {
        let opcode = shorten(&operation.opcode);
        let found = || shorten(&operation.operands.join(" "));
        let is_number =
            || matches!(&operation.operands[..], [number] if number.parse::<i64>().is_ok());
        if !opcode.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            defects.push(Defect::Opcode { found: opcode });
        } else if NUMBERS.contains(&&*opcode) && !is_number() {
            defects.push(Defect::Number { opcode, found: found() });
        } else if record.operations[..index].iter().any(|other| other.opcode == operation.opcode) {
            defects.push(Defect::OpcodeTwice { opcode });
        }
    }
}

fn check_moves(game: &Game, record: &EpdRecord, defects: &mut Vec<Defect>) {
    for opcode in MOVES {
        for text in record.operands(opcode).unwrap_or_default() {
            if let Err(error) = game.read(text) {
                let (opcode, found) = (opcode.to_owned(), shorten(text));
                defects.push(Defect::Move { opcode, found, error });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn messages(text: &str) -> Vec<String> {
        let report = verify(text.as_bytes(), Variant::Chess);
        let lines = report.defects.iter().map(|(line, defect)| format!("{line}: {defect}"));
        lines.collect()
    }

    #[test]
    fn valid_lines_pass() {
        for line in [
            BOARD.to_owned(),
            format!("{BOARD} hmvc 0; fmvn 1; ce -3;"),
            format!("{BOARD} bm e4 d4; weights \"2 1\"; id \"one; two\";"),
            format!("{BOARD} 0 1"),
        ] {
            assert_eq!(messages(&line), [""; 0], "{line}");
        }
        let report = verify(format!("{BOARD}\n").as_bytes(), Variant::Chess);
        assert_eq!(report.to_string(), "1 position, 0 errors, 0 notes");
    }

    #[test]
    fn defects_are_named_with_their_line() {
        for (line, wrong) in [
            ("rnbqkbnr/8/8/8/8/8/8/R3K3 w KQkq -".to_owned(), "not a position of chess: "),
            ("8/8/8/8/8/8/k7/K6r b - -".to_owned(), "not a position of chess: "),
            (
                "8/8/8/8/8/k7/8/K6r w - -".to_owned(),
                "the game is already over in this position: mate",
            ),
            ("8/8/8/8/k7/8/8/K6r w - -".to_owned(), "the side to move is in check"),
            (format!("{BOARD} bm e5;"), "operation 'bm', move 'e5': "),
            (format!("{BOARD} bm e4; weights \"1 2\";"), "moves after 'bm': 1, weights: 2"),
            (format!("{BOARD} ce x;"), "operation 'ce x': the value of 'ce' must be an integer"),
            (format!("{BOARD} id \"x;"), "a string begins"),
            (format!("{BOARD} bm e4"), "does not end with ';'"),
            (format!("{BOARD} bm e4 ce 3;"), "does not end with ';'"),
            (format!("{BOARD} - bm e4;"), "the fifth field is '-'"),
            (format!("{BOARD} bm #3;"), "operation 'bm', move '#3': "),
            (format!("{BOARD} bm e4 +;"), "operation 'bm', move '+': "),
            (BOARD.replace("-", "e3"), "en passant: "),
            ("4k3/8/8/8/8/8/8/4K3 w KQ -".to_owned(), "castling: "),
            (format!("{BOARD} id \"a\"; id \"b\";"), "'id' occurs twice"),
            (format!("{BOARD} bm e4; 7 x;"), "'7' is not the name of an operation"),
            (format!("{BOARD} 0 1 ; ce 40;"), "write 'hmvc 0; fmvn 1;'"),
            (format!("\u{feff}{BOARD}"), "byte order mark"),
            ("# comment".to_owned(), "blank or a comment"),
            ("\u{0}\u{1}\u{fffd}".to_owned(), "not a position of chess: "),
            (format!("{BOARD} bm e4;\0"), "a control character"),
            ("x".repeat(1 << 17), "the line is longer than"),
        ] {
            let messages = messages(&format!("{line}\n"));
            assert!(messages.iter().any(|text| text.contains(wrong)), "{line}: {messages:?}");
            assert!(
                messages.iter().all(|text| text.starts_with("1: ") && text.len() < 500),
                "{messages:?}"
            );
        }
    }

    #[test]
    fn duplicates_report_whether_their_operations_differ() {
        let text = format!("{BOARD} bm e4;\n{BOARD} bm e4;\n{BOARD} bm d4;\n");
        let messages = messages(&text);
        assert!(
            messages[0].starts_with("2: ")
                && messages[0].contains("already occurs on line 1, with the same")
        );
        assert!(
            messages[1].starts_with("3: ") && messages[1].contains("with different operations"),
            "{messages:?}"
        );
        assert_eq!(verify(text.as_bytes(), Variant::Chess).errors(), 1);
    }
}
