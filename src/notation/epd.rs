//! EPD, extended position description (S. Edwards, 1994): lines with a position and operations on it.

/// A line of a suite: a position and its operations.
///
/// Any text can be parsed. The FEN is not validated, and operations are not interpreted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EpdRecord {
    /// The position, with the fields that the line has. An EPD gets its last two fields from the operations
    /// `hmvc` and `fmvn`.
    pub fen: String,
    /// The operations in the order of the line.
    pub operations: Vec<EpdOperation>,
}

/// An operation, such as `bm Nf3 e4`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EpdOperation {
    /// The name of the operation.
    pub opcode: String,
    /// The operands; texts without their quotes.
    pub operands: Vec<String>,
}

/// The number of FEN fields in an EPD.
const FIELDS: usize = 4;

impl EpdRecord {
    /// Parses a line: four FEN fields followed by operations, or a whole FEN followed by a semicolon and
    /// operations.
    pub fn parse(line: &str) -> EpdRecord {
        let mut statements = statements(line);
        let mut first = statements.next().unwrap_or_default();
        let is_epd = first.get(FIELDS).is_some_and(|word| word.starts_with(char::is_alphabetic));
        let behind = if is_epd { first.split_off(FIELDS) } else { Vec::new() };
        let operations: Vec<_> = [behind]
            .into_iter()
            .chain(statements)
            .filter_map(|mut words| {
                let operands = words.split_off(1.min(words.len()));
                Some(EpdOperation { opcode: words.pop()?, operands })
            })
            .collect();
        let mut record = EpdRecord { fen: first.join(" "), operations };
        if is_epd {
            let clocks =
                [record.operand("hmvc").unwrap_or("0"), record.operand("fmvn").unwrap_or("1")];
            record.fen = format!("{} {}", record.fen, clocks.join(" "));
        }
        record
    }

    /// Returns the operands of an operation, if the line has it.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let mut operations = self.operations.iter();
        Some(&operations.find(|operation| operation.opcode == opcode)?.operands)
    }

    /// Returns the first operand of an operation.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }
}

/// Splits a line into statements and words. A text in quotes is one word, even with semicolons.
fn statements(line: &str) -> impl Iterator<Item = Vec<String>> {
    let (mut all, mut words) = (Vec::new(), Vec::new());
    let mut rest = line.trim();
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
                words.push(text.to_owned());
                behind
            }
            _ if letter.is_whitespace() => behind,
            _ => {
                let ends = |letter: char| letter == ';' || letter.is_whitespace();
                let (word, behind) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                words.push(word.to_owned());
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
    fn any_text_can_be_parsed() {
        for (line, fen, count) in
            [("", "", 0), (";;;", "", 0), ("\"a b\" c", "a b c", 0), ("x; y \"z; w", "x", 1)]
        {
            let record = EpdRecord::parse(line);
            assert_eq!((&*record.fen, record.operations.len()), (fen, count), "{line}");
        }
    }
}
