//! Guesses what kind of text a file contains.

use std::fmt;

/// The apparent kind of a file's contents, for messages about files of the wrong kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    Pgn,
    Epd,
    Json,
    Binary,
}

impl TextKind {
    /// Guesses the kind of a file from its first lines. Returns `None` if no line has a known kind.
    pub fn guess<'a>(lines: impl Iterator<Item = &'a str>) -> Option<TextKind> {
        let mut kinds = lines.map(str::trim_start).filter_map(TextKind::of_line);
        let first = kinds.next()?;
        // A PGN file may begin with a comment that looks like another kind, such as JSON.
        let is_pgn = first == TextKind::Pgn || kinds.any(|kind| kind == TextKind::Pgn);
        Some(if is_pgn { TextKind::Pgn } else { first })
    }

    fn of_line(line: &str) -> Option<TextKind> {
        let is_tag = |line: &str| {
            let (name, value) = line.strip_prefix('[')?.split_once(' ')?;
            let is_name =
                name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            (is_name && !name.is_empty() && value.starts_with('"')).then_some(())
        };
        let is_json = |line: &str| {
            let inner =
                line.strip_prefix('[').unwrap_or(line).strip_prefix('{').map(str::trim_start);
            inner.is_some_and(|inner| inner.is_empty() || inner.starts_with(['"', '}']))
        };
        let board = line.split(' ').next().unwrap_or_default();
        if line.contains(['\0', '\u{fffd}']) {
            Some(TextKind::Binary)
        } else if is_tag(line).is_some() || line.starts_with("1. ") {
            Some(TextKind::Pgn)
        } else if is_json(line) {
            Some(TextKind::Json)
        } else if board.matches('/').count() >= 7 && board.contains(['k', 'K']) {
            Some(TextKind::Epd)
        } else {
            None
        }
    }
}

impl fmt::Display for TextKind {
    /// Writes what the file contains and, if a command can read such files, the name of the command.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            TextKind::Pgn => "games as PGN, which 'aleator annotate' reads",
            TextKind::Epd => "positions, one per line, which 'aleator epd' reads",
            TextKind::Json => "JSON",
            TextKind::Binary => "binary data",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_a_kind_by_the_first_lines() {
        let guess = |text: &str| TextKind::guess(text.lines());
        assert_eq!(guess("\n[Event \"Casual\"]\n1. e4"), Some(TextKind::Pgn));
        assert_eq!(guess("1. e4 e5"), Some(TextKind::Pgn));
        assert_eq!(guess("{\n[Event \"Casual\"]"), Some(TextKind::Pgn));
        assert_eq!(guess("{My games} 1. e4 e5 *"), None);
        assert_eq!(guess("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1;"), Some(TextKind::Epd));
        assert_eq!(guess("{\"games\": 1}"), Some(TextKind::Json));
        assert_eq!(guess("\u{0}\u{fffd}"), Some(TextKind::Binary));
        assert_eq!(guess("dear diary\n[today"), None);
    }
}
