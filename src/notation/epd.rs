//! EPD, extended position description (S. Edwards, 1994): each line holds a position and operations, such
//! as the best move.
//!
//! Public suites do not keep to the standard. The parser also accepts the following lines:
//!
//! | line | difference |
//! | --- | --- |
//! | `... w - - 0 1 bm e4;` | a whole FEN before the operations |
//! | `... w - - - bm e4;`, `... w - bm e4;` | one dash too many or one dash too few |
//! | `... w - - ; bm e4;` | a semicolon before the operations |
//! | `... bm e4 dm 3` | semicolons are missing |
//! | `... bm e4, Qd1 +;` | commas between moves, check marks as separate words |
//! | `... bm #3;`, `bm #-3` | the length of a mate in place of moves, as in matetrack |
//! | `... id BK.01 x;` | a text without quotes |

/// A line of a suite: a position and its operations.
///
/// Any text can be parsed. The FEN is not validated, and operations are not interpreted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EpdRecord {
    /// The position as a FEN with the fields of the line. In an EPD, the last two fields come from the
    /// operations `hmvc` and `fmvn`.
    pub fen: String,
    /// The operations in the order of the line.
    pub operations: Vec<EpdOperation>,
}

/// An operation, such as `bm Nf3 e4`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EpdOperation {
    /// The name of the operation.
    pub opcode: String,
    /// The operands. Quoted texts are stored without their quotes.
    pub operands: Vec<String>,
}

/// The number of FEN fields in an EPD.
const FIELDS: usize = 4;

/// The names of operations that are recognised even if the semicolon before the operation is missing. None
/// of these names can be mistaken for a move.
const OPCODES: [&str; 15] = [
    "acd", "acn", "acs", "am", "bm", "ce", "dm", "eco", "fmvn", "hmvc", "id", "pm", "pv", "sm",
    "variant",
];

/// The marks that may follow a move or separate moves.
const MARKS: [char; 5] = ['+', '#', '!', '?', ','];

/// Returns the lines of a file that hold a record, with their line numbers from 1. Skips blank lines,
/// comments, which begin with `#` or `%`, and a byte order mark.
pub fn epd_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..)
        .zip(text.lines().map(|line| line.trim_matches(is_blank)))
        .filter(|(_, line)| is_epd_line(line))
}

/// Returns whether a line holds a record: the line is neither blank nor a comment.
pub fn is_epd_line(line: &str) -> bool {
    let line = line.trim_start_matches(is_blank);
    !line.is_empty() && !line.starts_with(['#', '%'])
}

impl EpdRecord {
    /// Parses a line: a FEN of four to six fields, and then operations.
    pub fn parse(line: &str) -> EpdRecord {
        let mut statements = statements(line);
        let mut position = statements.next().unwrap_or_default();
        let behind = position.split_off(fields_of_position(&position));
        let has_operations = !behind.is_empty();
        let statements = [behind].into_iter().chain(statements);
        let operations: Vec<_> = statements.flat_map(operations).collect();
        let mut fields: Vec<String> = position.into_iter().map(|word| word.text).collect();
        if has_operations {
            fields.resize(fields.len().max(FIELDS), "-".to_owned());
        }
        let mut record = EpdRecord { fen: fields.join(" "), operations };
        if has_operations {
            let clock = |index: usize, opcode, default| {
                let field = fields.get(FIELDS + index).map(String::as_str);
                let field = field.filter(|field| *field != "-");
                field.or(record.operand(opcode)).unwrap_or(default)
            };
            let clocks = format!("{} {}", clock(0, "hmvc", "0"), clock(1, "fmvn", "1"));
            record.fen = format!("{} {clocks}", fields[..FIELDS].join(" "));
        }
        record
    }

    /// Returns the operands of an operation, or `None` if the line does not have the operation.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let mut operations = self.operations.iter();
        Some(&operations.find(|operation| operation.opcode == opcode)?.operands)
    }

    /// Returns the first operand of an operation.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// Returns the text of an operation: all operands, joined by spaces.
    pub fn text(&self, opcode: &str) -> Option<String> {
        Some(self.operands(opcode)?.join(" "))
    }

    /// Returns the moves of an operation as written in the line. Leaves out check marks that are separate
    /// words, and lengths of mates.
    pub fn moves(&self, opcode: &str) -> Option<Vec<&str>> {
        let words = self.operands(opcode)?.iter().flat_map(|operand| operand.split(','));
        let is_move =
            |word: &&str| !word.trim_matches(MARKS).is_empty() && mate_length(word).is_none();
        Some(words.map(str::trim).filter(is_move).collect())
    }

    /// Returns the N of `bm #N`: the side to move mates in N moves, or is mated if N is negative.
    pub fn mate_length(&self) -> Option<i32> {
        self.operands("bm")?.iter().find_map(|operand| mate_length(operand))
    }
}

fn mate_length(operand: &str) -> Option<i32> {
    operand.trim_end_matches(',').strip_prefix('#')?.parse().ok().filter(|moves| *moves != 0)
}

/// A word of a line, or a whole text in quotes.
struct Word {
    text: String,
    is_quoted: bool,
}

/// Returns the number of words in a line's first statement that belong to the position. If no operation
/// follows the position, these are all words.
fn fields_of_position(words: &[Word]) -> usize {
    if words.get(FIELDS - 1).is_some_and(|word| OPCODES.contains(&&*word.text)) {
        return FIELDS - 1;
    }
    let is_clock = |word: &&Word| {
        let digits = word.text.strip_prefix('-').unwrap_or(&word.text);
        digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let end = FIELDS + words.iter().skip(FIELDS).take(2).take_while(is_clock).count();
    let is_opcode = |word: &&Word| word.text.starts_with(char::is_alphabetic);
    words.get(end).filter(is_opcode).map_or(words.len(), |_| end)
}

/// Returns the operations of a statement. If semicolons are missing in the line, a statement has several
/// operations.
fn operations(words: Vec<Word>) -> Vec<EpdOperation> {
    let mut operations: Vec<EpdOperation> = Vec::new();
    for Word { text, is_quoted } in words {
        let begins = !is_quoted && OPCODES.contains(&&*text);
        match operations.last_mut().filter(|last| !begins || is_text(&last.opcode)) {
            Some(last) => last.operands.push(text),
            None => operations.push(EpdOperation { opcode: text, operands: Vec::new() }),
        }
    }
    operations
}

/// Returns whether an operation is followed by a text, in quotes or not: `id`, and the comments `c0` to
/// `c9`.
fn is_text(opcode: &str) -> bool {
    opcode == "id" || matches!(opcode.as_bytes(), [b'c', b'0'..=b'9'])
}

/// Returns whether a character separates words. Control characters separate words too, because some suites
/// end lines with a NUL.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Splits a line at the semicolons into statements, and each statement into words. A text in quotes is one
/// word, even if the text contains semicolons.
fn statements(line: &str) -> impl Iterator<Item = Vec<Word>> {
    let (mut all, mut words) = (Vec::new(), Vec::new());
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let behind = &rest[letter.len_utf8()..];
        rest = match letter {
            ';' => {
                all.push(std::mem::take(&mut words));
                behind
            }
            '"' => {
                // A text without a closing quote extends to the end of the line.
                let (text, behind) = behind.split_once('"').unwrap_or((behind, ""));
                words.push(Word { text: text.to_owned(), is_quoted: true });
                behind
            }
            _ if is_blank(letter) => behind,
            _ => {
                let ends = |letter: char| letter == ';' || is_blank(letter);
                let (word, behind) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                words.push(Word { text: word.to_owned(), is_quoted: false });
                behind
            }
        };
    }
    all.push(words);
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn splits_a_line_into_position_and_operations() {
        let record = EpdRecord::parse(&format!("  {BOARD} bm Nf3 e4; id \"a; b\";c0 \"\" ; dm 3 "));
        assert_eq!(record.fen, format!("{BOARD} 0 1"));
        let operation = |opcode: &str| record.operands(opcode).map(<[String]>::to_vec);
        assert_eq!(operation("bm").unwrap(), ["Nf3", "e4"]);
        assert_eq!(record.operand("id"), Some("a; b"));
        assert_eq!((record.operand("c0"), record.operand("dm")), (Some(""), Some("3")));
        assert_eq!((operation("am"), record.operand("b")), (None, None));
    }

    #[test]
    fn clocks_come_from_operations_or_the_fen() {
        let fen = |line: &str| EpdRecord::parse(line).fen;
        assert_eq!(fen(&format!("{BOARD} c9 \"x\"; hmvc 7; fmvn 23;")), format!("{BOARD} 7 23"));
        assert_eq!(fen(&format!("{BOARD} 7 23; bm e4")), format!("{BOARD} 7 23"));
        assert_eq!(fen(&format!("{BOARD} 7 23 ;D1 20 ;D2 400")), format!("{BOARD} 7 23"));
        assert_eq!(fen(BOARD), BOARD);
        assert_eq!(fen(&format!("{BOARD} ; hmvc 7")), BOARD, "a comment");
    }

    #[test]
    fn public_suites_are_read() {
        for (operations, fen, moves) in [
            ("0 1 bm Nf3+ dm 26", "0 1", vec!["Nf3+"]),
            ("7 23 bm Nf3;", "7 23", vec!["Nf3"]),
            ("- bm Nf3; hmvc 5;", "5 1", vec!["Nf3"]),
            ("- - bm Nf3; fmvn 5;", "0 5", vec!["Nf3"]),
            ("-1 12 bm Nf3", "-1 12", vec!["Nf3"]),
            ("bm Nf3 + ; id BK.01 x", "0 1", vec!["Nf3"]),
            ("bm Nf3,e4, d4! 0-0 c4?!;", "0 1", vec!["Nf3", "e4", "d4!", "0-0", "c4?!"]),
            ("\tbm\te4\td4\0", "0 1", vec!["e4", "d4"]),
            ("bm #3; ep; 00:00;", "0 1", vec![]),
            ("bm e4 id \"one; two\" ce 30", "0 1", vec!["e4"]),
        ] {
            let record = EpdRecord::parse(&format!("{BOARD} {operations}"));
            assert_eq!(record.fen, format!("{BOARD} {fen}"), "{operations}");
            assert_eq!(record.moves("bm"), Some(moves), "{operations}");
        }
        let read = |operations: &str| EpdRecord::parse(&format!("{BOARD} {operations}"));
        assert_eq!(read("bm Nf3 dm 3").operand("dm"), Some("3"));
        assert_eq!(read("bm e4; id am dm no 7;").text("id").as_deref(), Some("am dm no 7"));
        assert_eq!(read("; bm Nf3;").moves("bm"), Some(vec!["Nf3"]));
        let short = EpdRecord::parse(&format!("{} bm Nf3;", BOARD.trim_end_matches(" -")));
        assert_eq!((&*short.fen, short.moves("bm")), (&*format!("{BOARD} 0 1"), Some(vec!["Nf3"])));
        let lengths = ["bm #3", "bm #-3", "bm e4 #12,", "bm #+4", "bm #0", "bm e4#", "dm 3"];
        assert_eq!(
            lengths.map(|text| read(text).mate_length()),
            [Some(3), Some(-3), Some(12), Some(4), None, None, None]
        );
    }

    #[test]
    fn lines_without_a_record_are_skipped() {
        let text = "\u{feff}a\r\n\r\n # b\n%c\n \n\td\n\0";
        assert_eq!(epd_lines(text).collect::<Vec<_>>(), [(1, "a"), (6, "d")]);
    }

    #[test]
    fn any_text_can_be_parsed() {
        for (line, fen, count) in
            [("", "", 0), (";;;", "", 0), ("\"a b\" c", "a b c", 0), ("x; y \"z; w", "x", 1)]
        {
            let record = EpdRecord::parse(line);
            assert_eq!((&*record.fen, record.operations.len()), (fen, count), "{line}");
        }
    }
}
