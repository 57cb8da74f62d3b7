use std::fmt;

use super::go::{GoError, GoParams};
use super::words::{Excerpt, Found, Integer, Words};

/// A line of input, understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Say who you are and which options you have.
    Uci,
    /// Answer when all that came before is done.
    IsReady,
    /// What comes next belongs to another game.
    UciNewGame,
    /// Change an option (see [`OptionTable::read`](super::OptionTable::read)).
    SetOption {
        /// The name as it came, single blanks between its words.
        name: String,
        /// The text after `value`, verbatim but for blanks around it; absent without that word.
        value: Option<String>,
    },
    /// Set up a position.
    Position {
        /// Where the game began.
        start: PositionStart,
        /// The moves since, in the notation of the sender.
        moves: Vec<String>,
    },
    /// Search.
    Go(GoParams),
    /// End the search and say the best move.
    Stop,
    /// The move pondered on was played: go on with the clock running.
    PonderHit,
    /// End the program.
    Quit,
    /// Send more (`true`) or fewer `info string` lines.
    Debug(bool),
    /// Show the position.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Search a fixed set of positions.
    Bench {
        /// To this depth, in plies; without it, to the customary one.
        depth: Option<u32>,
    },
    /// Give the other side the move, with the board turned around.
    Flip,
    /// Say how the program was built.
    Compiler,
    /// List the commands.
    Help,
}

/// Where the moves of `position` start from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionStart {
    /// The classical array of the variant.
    StartPos,
    /// A FEN of two to six fields, single blanks between them; otherwise as it came.
    Fen(String),
}

/// A command as `help` shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandHelp {
    /// The word it begins with.
    pub name: &'static str,
    /// What may follow.
    pub arguments: &'static str,
    /// What it does.
    pub purpose: &'static str,
}

const fn help(name: &'static str, arguments: &'static str, purpose: &'static str) -> CommandHelp {
    CommandHelp { name, arguments, purpose }
}

/// Every command there is.
pub const COMMANDS: [CommandHelp; 16] = [
    help("uci", "", "name the engine and list its options"),
    help("isready", "", "answer 'readyok', also during a search"),
    help("ucinewgame", "", "forget the last game"),
    help("setoption", "name <name> [value <value>]", "change an option"),
    help("position", "startpos|fen <FEN> [moves <move> ...]", "set up a position"),
    help(
        "go",
        "[wtime|btime|winc|binc|movetime <ms>] [movestogo|depth|nodes|mate|perft <n>] [infinite] \
         [ponder] [searchmoves <move> ...]",
        "search, or count moves; with no limit, until 'stop'",
    ),
    help("stop", "", "end the search and print the best move"),
    help("ponderhit", "", "the expected move was played"),
    help("quit", "", "end the program"),
    help("debug", "on|off", "print more, or fewer, 'info string' lines"),
    help("d", "", "show the position"),
    help("eval", "", "show the static evaluation"),
    help("bench", "[<depth>]", "search a fixed set of positions and count nodes"),
    help("flip", "", "turn the board around, the other side to move"),
    help("compiler", "", "show how the program was built"),
    help("help", "", "show this list"),
];

/// How `position` is used.
const POSITION_FORM: &str =
    "'position startpos [moves <move> ...]' or 'position fen <FEN> [moves <move> ...]'";

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("there is no command in {line}; 'help' lists the commands")]
    Unknown {
        /// The line.
        line: Excerpt,
    },
    /// `setoption` does not go on with `name`.
    #[error("setoption: write 'setoption name <name> [value <value>]'; found {found}, not 'name'")]
    SetOptionForm {
        /// What comes instead.
        found: Found,
    },
    /// There is no name between `name` and `value` or the end of the line.
    #[error("setoption: the name is missing after 'name', as in 'setoption name Hash value 64'")]
    OptionName,
    /// `position` goes on with neither `startpos` nor `fen`.
    #[error("position: write {POSITION_FORM}; found {found} after 'position'")]
    PositionForm {
        /// What comes instead.
        found: Found,
    },
    /// Something else than `moves` follows `startpos`.
    #[error("position: write {POSITION_FORM}; found {found} after 'startpos', not 'moves'")]
    AfterStartPos {
        /// What comes instead.
        found: Found,
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
    /// `debug` without `on` or `off`.
    #[error("debug: write 'debug on' or 'debug off'; found {found} after 'debug'")]
    Debug {
        /// What comes instead.
        found: Found,
    },
    /// The depth of `bench` is no number of plies.
    #[error("bench: the depth is a whole number of plies, as in 'bench 10'; found {found}")]
    BenchDepth {
        /// What comes instead.
        found: Found,
    },
    /// The parameters of `go` are wrong.
    #[error(transparent)]
    Go(#[from] GoError),
}

impl Command {
    /// Reads a line; nothing but blanks is no command and no error.
    ///
    /// As the UCI standard has it, unknown words in front of a command are skipped (`joho debug
    /// on`), and words after a command that takes none are ignored. Any text is read in time
    /// linear in its length.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut words = Words::new(line);
        if words.peek().is_none() {
            return Ok(None);
        }
        while let Some(word) = words.next() {
            let command = match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::UciNewGame,
                "setoption" => set_option(&mut words)?,
                "position" => position(&mut words)?,
                "go" => Command::Go(GoParams::parse(&mut words)?),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                "debug" => debug(&mut words)?,
                "d" => Command::Display,
                "eval" => Command::Eval,
                "bench" => bench(&mut words)?,
                "flip" => Command::Flip,
                "compiler" => Command::Compiler,
                "help" => Command::Help,
                _ => continue,
            };
            return Ok(Some(command));
        }
        Err(CommandError::Unknown { line: Excerpt::new(line.trim_ascii()) })
    }

    /// The word the command begins with.
    pub const fn name(&self) -> &'static str {
        match self {
            Command::Uci => "uci",
            Command::IsReady => "isready",
            Command::UciNewGame => "ucinewgame",
            Command::SetOption { .. } => "setoption",
            Command::Position { .. } => "position",
            Command::Go(_) => "go",
            Command::Stop => "stop",
            Command::PonderHit => "ponderhit",
            Command::Quit => "quit",
            Command::Debug(_) => "debug",
            Command::Display => "d",
            Command::Eval => "eval",
            Command::Bench { .. } => "bench",
            Command::Flip => "flip",
            Command::Compiler => "compiler",
            Command::Help => "help",
        }
    }
}

fn set_option(words: &mut Words) -> Result<Command, CommandError> {
    let word = words.next();
    if word != Some("name") {
        return Err(CommandError::SetOptionForm { found: Found::new(word) });
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::OptionName);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(words: &mut Words) -> Result<Command, CommandError> {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => PositionStart::StartPos,
            word => return Err(CommandError::AfterStartPos { found: Found::new(word) }),
        },
        Some("fen") => PositionStart::Fen(fen(words)?),
        word => return Err(CommandError::PositionForm { found: Found::new(word) }),
    };
    Ok(Command::Position { start, moves: words.map(str::to_owned).collect() })
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

fn debug(words: &mut Words) -> Result<Command, CommandError> {
    match words.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        word => Err(CommandError::Debug { found: Found::new(word) }),
    }
}

fn bench(words: &mut Words) -> Result<Command, CommandError> {
    let Some(word) = words.next() else { return Ok(Command::Bench { depth: None }) };
    match Integer::parse(word) {
        Some(Integer { negative: false, size }) => {
            Ok(Command::Bench { depth: Some(u32::try_from(size).unwrap_or(u32::MAX)) })
        }
        _ => Err(CommandError::BenchDepth { found: Found::new(Some(word)) }),
    }
}

impl fmt::Display for Command {
    /// The command as one would send it: [`Command::parse`] reads the same command from it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Command::SetOption { name, value } => {
                write!(f, " name {name}")?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Command::Position { start, moves } => {
                match start {
                    PositionStart::StartPos => f.write_str(" startpos")?,
                    PositionStart::Fen(fen) => write!(f, " fen {fen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Command::Go(params) => params.fmt(f),
            Command::Debug(on) => f.write_str(if *on { " on" } else { " off" }),
            Command::Bench { depth: Some(depth) } => write!(f, " {depth}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
