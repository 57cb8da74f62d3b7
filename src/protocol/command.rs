use super::genfens;
use super::go::{Go, GoError};
use super::words::{Integer, Unexpected, Words};
use crate::session;
use crate::text::Excerpt;
use crate::tools::data::ComponentError;

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
    read: fn(&mut Words) -> Result<UciCommand, CommandError>,
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

/// Every command there is.
pub const COMMANDS: [CommandForm; 17] = [
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
        |words| Ok(UciCommand::Go(Go::parse(words)?)),
    ),
    form("stop", "", "end the search and print the best move", |_| ask(session::Command::Stop)),
    form("ponderhit", "", "the expected move was played", |_| ask(session::Command::PonderHit)),
    form("quit", "", "end the program", |_| ask(session::Command::Quit)),
    form("debug", "on|off", "print more, or fewer, 'info string' lines", debug),
    form("d", "", "show the position", |_| ask(session::Command::Display)),
    form("eval", "", "show the static evaluation", |_| ask(session::Command::Evaluate)),
    form("bench", "[<depth>]", "search a fixed set of positions and count nodes", bench),
    form(
        "genfens",
        "<n> seed <n> book None|<file> [variant <name>] [plies 0..200]",
        "make openings, as OpenBench asks for them",
        genfens::parse,
    ),
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
    #[error("{command}: write '{command} {}'; found {found} after '{after}'", arguments(command))]
    Form {
        /// The command.
        command: &'static str,
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
    /// The parameters of `go` are wrong.
    #[error(transparent)]
    Go(#[from] GoError),
    /// There are no such starts.
    #[error("genfens: {0}")]
    Starts(#[from] ComponentError),
}

fn arguments(command: &str) -> &'static str {
    COMMANDS.iter().find(|form| form.name == command).map_or("", |form| form.arguments)
}

impl CommandError {
    pub(super) fn form(
        command: &'static str,
        found: Option<&str>,
        after: &'static str,
    ) -> CommandError {
        CommandError::Form { command, found: Unexpected::new(found), after }
    }
}

impl UciCommand {
    /// Reads a line; nothing but blanks is no command and no error.
    ///
    /// As the UCI standard has it, unknown words in front of a command are skipped (`joho debug
    /// on`), and words after a command that takes none are ignored. Any text is read in time
    /// linear in its length.
    pub fn parse(line: &str) -> Result<Option<UciCommand>, CommandError> {
        let mut words = Words::new(line);
        while let Some(word) = words.next() {
            if let Some(form) = COMMANDS.iter().find(|form| form.name == word) {
                return (form.read)(&mut words).map(Some);
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

fn bench(words: &mut Words) -> Result<UciCommand, CommandError> {
    let word = words.next();
    match word.map(Integer::parse) {
        None => ask(session::Command::Bench(None)),
        Some(Some(Integer { negative: false, size })) => {
            ask(session::Command::Bench(Some(u32::try_from(size).unwrap_or(u32::MAX))))
        }
        Some(_) => Err(CommandError::form("bench", word, "bench")),
    }
}

#[cfg(test)]
mod tests;
