//! The table of UCI commands, and the parser for UCI commands.

use super::go::GoCommand;
use super::words::{Integer, Unexpected, Words};
use crate::rules::VariantError;
use crate::session;
use crate::text::Excerpt;

/// A parsed line of UCI input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciCommand {
    /// Name the engine and list its options.
    Uci,
    /// Send more (`true`) or fewer `info string` lines.
    Debug(bool),
    /// Describe the build.
    Compiler,
    /// List the commands.
    Help,
    /// Search, or run perft.
    Go(GoCommand),
    /// A command that the frontend sends to the session unchanged.
    Session(session::Command),
}

/// The syntax, help text and parser of a UCI command.
#[derive(Clone, Copy, Debug)]
pub struct CommandForm {
    /// The command's first word.
    pub name: &'static str,
    /// The syntax of the arguments, for the help text.
    pub arguments: &'static str,
    /// A description of the command, for the help text.
    pub purpose: &'static str,
    /// Parses the arguments.
    pub read: fn(&mut Words) -> Result<UciCommand, CommandError>,
}

const fn form(
    name: &'static str,
    arguments: &'static str,
    purpose: &'static str,
    read: fn(&mut Words) -> Result<UciCommand, CommandError>,
) -> CommandForm {
    CommandForm { name, arguments, purpose, read }
}

/// Wraps a command for the session.
const fn ask(command: session::Command) -> Result<UciCommand, CommandError> {
    Ok(UciCommand::Session(command))
}

/// All UCI commands except the program's extra commands.
pub const COMMANDS: [CommandForm; 15] = [
    form("uci", "", "name the engine and list its options", |_| Ok(UciCommand::Uci)),
    form("isready", "", "print 'readyok', even during a search", |_| ask(session::Command::Ready)),
    form("ucinewgame", "", "prepare for a new game", |_| ask(session::Command::NewGame)),
    form("setoption", "name <name> [value <value>]", "change an option", set_option),
    form("position", "startpos|fen <FEN> [moves <move> ...]", "set up a position", position),
    form(
        "go",
        "[wtime|btime|winc|binc|movetime <ms>] [movestogo|depth|nodes|mate|perft <n>] [infinite] \
         [ponder] [searchmoves <move> ...]",
        "search, or run perft; a search without a limit runs until 'stop'",
        |words| Ok(UciCommand::Go(GoCommand::parse(words))),
    ),
    form("stop", "", "end the search and print the best move", |_| ask(session::Command::Stop)),
    form("ponderhit", "", "report that the opponent played the expected move", |_| {
        ask(session::Command::PonderHit)
    }),
    form("quit", "", "end the program", |_| ask(session::Command::Quit)),
    form("debug", "on|off", "print more or fewer 'info string' lines", debug),
    form("d", "", "show the position", |_| ask(session::Command::Display)),
    form("eval", "", "show the static evaluation, in internal units", |_| {
        ask(session::Command::Evaluate)
    }),
    form("flip", "", "mirror the position: swap the colours and the side to move", |_| {
        ask(session::Command::Flip)
    }),
    form("compiler", "", "show how the program was built", |_| Ok(UciCommand::Compiler)),
    form("help", "", "show this list", |_| Ok(UciCommand::Help)),
];

/// Why a line could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The line contains no command.
    #[error("unknown command {line}; 'help' lists the commands")]
    Unknown {
        /// The line.
        line: Excerpt,
    },
    /// The arguments of a command are wrong.
    #[error("{command}: expected '{command} {arguments}'; found {found} after '{after}'")]
    Form {
        /// The name of the command.
        command: &'static str,
        /// The correct syntax of the arguments.
        arguments: &'static str,
        /// The first wrong word.
        found: Unexpected,
        /// The word before the wrong word.
        after: &'static str,
    },
    /// The FEN has too few or too many fields.
    #[error(
        "position: a FEN has 2 to 6 fields (board, side to move, castling, en passant, halfmove \
         clock, move number), {fen} has {count}; moves come after the word 'moves'"
    )]
    FenFields {
        /// The text after `fen`, up to `moves` or the end of the line.
        fen: Excerpt,
        /// The number of fields in the text.
        count: usize,
    },
    /// The variant that a command names does not exist.
    #[error("{0}: {1}")]
    Variant(&'static str, VariantError),
}

impl CommandError {
    /// Whether the error is about a `position` command.
    pub fn is_position(&self) -> bool {
        matches!(
            self,
            CommandError::FenFields { .. } | CommandError::Form { command: "position", .. }
        )
    }

    /// Returns the error for an unexpected word after the word `after`. The field `arguments` is left empty;
    /// [`CommandForm`] fills it in.
    pub fn form(command: &'static str, found: Option<&str>, after: &'static str) -> CommandError {
        CommandError::Form { command, arguments: "", found: Unexpected::new(found), after }
    }
}

impl CommandForm {
    fn parse(&self, words: &mut Words) -> Result<UciCommand, CommandError> {
        (self.read)(words).map_err(|error| match error {
            CommandError::Form { command, found, after, .. } => {
                CommandError::Form { command, arguments: self.arguments, found, after }
            }
            error => error,
        })
    }
}

impl UciCommand {
    /// Parses a line. Returns `None` for a blank line.
    pub fn parse(line: &str) -> Result<Option<UciCommand>, CommandError> {
        UciCommand::parse_with(&[], line)
    }

    /// Parses a line with a UCI command or one of the `extra` commands. Returns `None` for a blank line.
    ///
    /// As the UCI specification demands, unknown words before a command are skipped, as in
    /// `joho debug on`. Words after a command without arguments are ignored. The time is linear in the
    /// length of the line.
    pub fn parse_with(
        extra: &[CommandForm],
        line: &str,
    ) -> Result<Option<UciCommand>, CommandError> {
        let mut words = Words::new(line);
        while let Some(word) = words.next() {
            if let Some(form) = COMMANDS.iter().chain(extra).find(|form| form.name == word) {
                return form.parse(&mut words).map(Some);
            }
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            Ok(None)
        } else {
            Err(CommandError::Unknown { line: Excerpt::new(line) })
        }
    }
}

fn set_option(words: &mut Words) -> Result<UciCommand, CommandError> {
    let word = words.next();
    if word != Some("name") {
        return Err(CommandError::form("setoption", word, "setoption"));
    }
    let mut name: Vec<&str> = Vec::new();
    let mut next = words.next();
    while let Some(word) = next.filter(|word| *word != "value") {
        name.push(word);
        next = words.next();
    }
    if name.is_empty() {
        return Err(CommandError::form("setoption", next, "name"));
    }
    let value = next.map(|_| words.rest().to_owned());
    ask(session::Command::SetOption { name: name.join(" "), value })
}

fn position(words: &mut Words) -> Result<UciCommand, CommandError> {
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => None,
            word => return Err(CommandError::form("position", word, "startpos")),
        },
        Some("fen") => Some(fen(words)?),
        word => return Err(CommandError::form("position", word, "position")),
    };
    ask(session::Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

/// Parses the fields of a FEN. Also takes the word `moves` if it follows the FEN.
fn fen(words: &mut Words) -> Result<String, CommandError> {
    let fields: Vec<&str> = words.take_while(|&word| word != "moves").collect();
    let fen = fields.join(" ");
    match fields.len() {
        2..=6 => Ok(fen),
        count => Err(CommandError::FenFields { fen: Excerpt::new(&fen), count }),
    }
}

fn debug(words: &mut Words) -> Result<UciCommand, CommandError> {
    match words.next() {
        Some("on") => Ok(UciCommand::Debug(true)),
        Some("off") => Ok(UciCommand::Debug(false)),
        word => Err(CommandError::form("debug", word, "debug")),
    }
}

/// Parses the next word as a whole number, 0 or more. The error message names `command` and `after`, the word
/// before the number.
pub fn read_number(
    words: &mut Words,
    command: &'static str,
    after: &'static str,
) -> Result<u64, CommandError> {
    let word = words.next();
    match word.and_then(Integer::parse) {
        Some(Integer { negative: false, size }) => Ok(size),
        _ => Err(CommandError::form(command, word, after)),
    }
}

#[cfg(test)]
mod tests;
