use super::go::Go;
use super::words::{Unexpected, Words};
use crate::session;
use crate::text::Excerpt;

/// A line of input, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciCommand {
    /// Say who you are and which options you have.
    Uci,
    /// Send more (`true`) or fewer `info string` lines.
    Debug(bool),
    /// Say how the program was built.
    Compiler,
    /// List the commands.
    Help,
    /// Search, or count moves.
    Go(Go),
    /// What the session does as it is.
    Session(session::Command),
}

/// A command as it is written.
#[derive(Clone, Copy, Debug)]
pub struct CommandForm {
    /// The word it begins with.
    pub name: &'static str,
    /// What may follow.
    pub arguments: &'static str,
    /// What it does.
    pub purpose: &'static str,
    /// Reads what follows the word.
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

/// A command for the session.
const fn ask(command: session::Command) -> Result<UciCommand, CommandError> {
    Ok(UciCommand::Session(command))
}

/// Every command but the program's own.
pub const COMMANDS: [CommandForm; 15] = [
    form("uci", "", "name the engine and list its options", |_| Ok(UciCommand::Uci)),
    form("isready", "", "answer 'readyok', also during a search", |_| ask(session::Command::Ready)),
    form("ucinewgame", "", "forget the last game", |_| ask(session::Command::NewGame)),
    form("setoption", "name <name> [value <value>]", "change an option", set_option),
    form("position", "startpos|fen <FEN> [moves <move> ...]", "set up a position", position),
    form(
        "go",
        "[wtime|btime|winc|binc|movetime <ms>] [movestogo|depth|nodes|mate|perft <n>] [infinite] \
         [ponder] [searchmoves <move> ...]",
        "search, or count moves; with no limit, until 'stop'",
        |words| Ok(UciCommand::Go(Go::parse(words))),
    ),
    form("stop", "", "end the search and print the best move", |_| ask(session::Command::Stop)),
    form("ponderhit", "", "the expected move was played", |_| ask(session::Command::PonderHit)),
    form("quit", "", "end the program", |_| ask(session::Command::Quit)),
    form("debug", "on|off", "print more, or fewer, 'info string' lines", debug),
    form("d", "", "show the position", |_| ask(session::Command::Display)),
    form("eval", "", "show the static evaluation, in the search's unit", |_| {
        ask(session::Command::Evaluate)
    }),
    form("flip", "", "turn the board around, the other side to move", |_| {
        ask(session::Command::Flip)
    }),
    form("compiler", "", "show how the program was built", |_| Ok(UciCommand::Compiler)),
    form("help", "", "show this list", |_| Ok(UciCommand::Help)),
];

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("there is no command in {line}; 'help' lists the commands")]
    Unknown {
        /// The line.
        line: Excerpt,
    },
    /// The words after the command are not those that may follow.
    #[error("{command}: write '{command} {arguments}'; found {found} after '{after}'")]
    Form {
        /// The command.
        command: &'static str,
        /// What may follow it.
        arguments: &'static str,
        /// The first word that is wrong.
        found: Unexpected,
        /// The word before it.
        after: &'static str,
    },
    /// The FEN has too few or too many fields to be one.
    #[error(
        "position: a FEN has 2 to 6 fields (board, side to move, castling, en passant, half-move \
         clock, move number), {fen} has {count}; moves come after the word 'moves'"
    )]
    FenFields {
        /// What stands between `fen` and `moves` or the end of the line.
        fen: Excerpt,
        /// Its number of fields.
        count: usize,
    },
    /// A command of the program's own is wrong in a way of its own.
    #[error("{0}")]
    Extra(String),
}

impl CommandError {
    /// Whether a `position` could not be read.
    pub fn is_position(&self) -> bool {
        matches!(
            self,
            CommandError::FenFields { .. } | CommandError::Form { command: "position", .. }
        )
    }

    /// A command's words are not those that may follow `after`.
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
    /// Reads a line; nothing but blanks is no command and no error.
    pub fn parse(line: &str) -> Result<Option<UciCommand>, CommandError> {
        UciCommand::parse_with(&[], line)
    }

    /// Reads a line, which can be one of these commands of the program's own.
    ///
    /// As the UCI standard has it, unknown words in front of a command are skipped (`joho debug
    /// on`), and words after a command that takes none are ignored. Any text is read in time
    /// linear in its length.
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

/// Takes the fields of a FEN, and the word `moves` if it is there.
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

#[cfg(test)]
mod tests;
