//! The table of XBoard commands, and the parser for XBoard commands.

use std::time::Duration;

use crate::game::TimeControl;
use crate::protocol::MAX_MILLIS;
use crate::protocol::words::{Integer, Words};

/// A parsed line of XBoard input.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum XboardCommand {
    /// A command that needs no action.
    Nothing,
    /// Declare the features.
    ProtocolVersion,
    /// Start a game of orthodox chess in which the engine plays Black.
    New,
    /// Switch to the given variant.
    Variant(String),
    Quit,
    /// Play neither side.
    Force,
    /// Play the side to move.
    Go,
    /// Play the side that is not to move.
    PlayOther,
    /// Set a time control with clocks.
    Level(TimeControl),
    /// Set the time for each move.
    TimePerMove(Duration),
    /// Limit the depth to the given number of plies; 0 removes the limit.
    Depth(u32),
    /// Set the engine's remaining time.
    OwnClock(Duration),
    /// Set the opponent's remaining time.
    OtherClock(Duration),
    /// Play the opponent's move, which may be in any notation.
    Move(String),
    MoveNow,
    /// Answer with the given number when all earlier commands have been executed.
    Ping(String),
    /// The opponent offers a draw.
    Draw,
    /// The game is over.
    Result,
    SetBoard(String),
    Hint,
    /// Show the book moves.
    Book,
    /// Take back one ply.
    Undo,
    /// Take back one move of each side. The engine continues to play its side.
    Remove,
    /// Turn pondering on or off.
    Ponder(bool),
    /// Turn thinking output on or off.
    Post(bool),
    Analyze,
    /// Leave analysis mode.
    Exit,
    /// Report the progress of the analysis.
    Status,
    /// Set the hash size, in MiB.
    Memory(String),
    /// Set the number of threads.
    Cores(String),
    Option {
        name: String,
        value: Option<String>,
    },
    /// Mark the target squares of the piece that the user has picked up from the given square.
    Lift(String),
}

/// Why a line could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum XboardCommandError {
    #[error("unknown command")]
    Unknown,
    #[error("wrong arguments; write '{name} {arguments}'")]
    Form { name: &'static str, arguments: &'static str },
}

/// The syntax and the parser of a command.
struct Form {
    name: &'static str,
    arguments: &'static str,
    /// Parses the arguments. Returns `None` if they are wrong.
    read: fn(&mut Words) -> Option<XboardCommand>,
}

const fn form(
    name: &'static str,
    arguments: &'static str,
    read: fn(&mut Words) -> Option<XboardCommand>,
) -> Form {
    Form { name, arguments, read }
}

use XboardCommand as Command;

/// All XBoard commands. Words after a command without arguments are ignored.
const COMMANDS: [Form; 43] = [
    form("xboard", "", |_| Some(Command::Nothing)),
    form("protover", "NUMBER", |words| integer(words).map(|_| Command::ProtocolVersion)),
    form("accepted", "", |_| Some(Command::Nothing)),
    form("rejected", "", |_| Some(Command::Nothing)),
    form("new", "", |_| Some(Command::New)),
    form("variant", "NAME", |words| text(words).map(Command::Variant)),
    form("quit", "", |_| Some(Command::Quit)),
    form("random", "", |_| Some(Command::Nothing)),
    form("force", "", |_| Some(Command::Force)),
    form("go", "", |_| Some(Command::Go)),
    form("playother", "", |_| Some(Command::PlayOther)),
    form("level", "MOVES MINUTES[:SECONDS] INCREMENT", level),
    form("st", "SECONDS", |words| seconds(words.next()?).map(Command::TimePerMove)),
    form("sd", "PLIES", |words| Some(Command::Depth(small(integer(words)?)))),
    form("time", "CENTISECONDS", |words| centiseconds(words).map(Command::OwnClock)),
    form("otim", "CENTISECONDS", |words| centiseconds(words).map(Command::OtherClock)),
    form("usermove", "MOVE", |words| text(words).map(Command::Move)),
    form("?", "", |_| Some(Command::MoveNow)),
    form("ping", "NUMBER", |words| {
        let number = words.next().filter(|word| Integer::parse(word).is_some());
        number.map(|word| Command::Ping(word.to_owned()))
    }),
    form("draw", "", |_| Some(Command::Draw)),
    form("result", "", |_| Some(Command::Result)),
    form("setboard", "FEN", |words| text(words).map(Command::SetBoard)),
    form("hint", "", |_| Some(Command::Hint)),
    form("bk", "", |_| Some(Command::Book)),
    form("undo", "", |_| Some(Command::Undo)),
    form("remove", "", |_| Some(Command::Remove)),
    form("hard", "", |_| Some(Command::Ponder(true))),
    form("easy", "", |_| Some(Command::Ponder(false))),
    form("post", "", |_| Some(Command::Post(true))),
    form("nopost", "", |_| Some(Command::Post(false))),
    form("analyze", "", |_| Some(Command::Analyze)),
    form("exit", "", |_| Some(Command::Exit)),
    form(".", "", |_| Some(Command::Status)),
    form("name", "", |_| Some(Command::Nothing)),
    form("rating", "", |_| Some(Command::Nothing)),
    form("ics", "", |_| Some(Command::Nothing)),
    form("computer", "", |_| Some(Command::Nothing)),
    form("memory", "MEBIBYTES", |words| text(words).map(Command::Memory)),
    form("cores", "NUMBER", |words| text(words).map(Command::Cores)),
    form("option", "NAME[=VALUE]", option),
    form("lift", "SQUARE", |words| text(words).map(Command::Lift)),
    form("put", "", |_| Some(Command::Nothing)),
    form("hover", "", |_| Some(Command::Nothing)),
];

impl XboardCommand {
    /// Parses a line. Returns `None` for a blank line.
    pub(super) fn parse(line: &str) -> Result<Option<XboardCommand>, XboardCommandError> {
        let mut words = Words::new(line);
        let Some(name) = words.next() else { return Ok(None) };
        let form =
            COMMANDS.iter().find(|form| form.name == name).ok_or(XboardCommandError::Unknown)?;
        let wrong = XboardCommandError::Form { name: form.name, arguments: form.arguments };
        (form.read)(&mut words).map(Some).ok_or(wrong)
    }
}

/// Returns the rest of the line, or `None` if the rest is empty.
fn text(words: &mut Words) -> Option<String> {
    Some(words.rest().to_owned()).filter(|text| !text.is_empty())
}

/// Parses a whole number. Negative numbers count as zero.
fn integer(words: &mut Words) -> Option<u64> {
    words.next().and_then(Integer::parse).map(Integer::or_zero)
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn centiseconds(words: &mut Words) -> Option<Duration> {
    let millis = integer(words)?.saturating_mul(10).min(MAX_MILLIS);
    Some(Duration::from_millis(millis))
}

/// Parses a number of seconds with or without a fraction. Negative numbers count as zero.
fn seconds(word: &str) -> Option<Duration> {
    const MOST: f64 = MAX_MILLIS as f64 / 1000.0;
    // Reject words such as `inf` and `nan`, which Rust would parse as numbers.
    let is_word = word.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E'));
    let number: f64 = word.parse().ok().filter(|_| !is_word)?;
    Some(Duration::from_secs_f64(number.clamp(0.0, MOST)))
}

/// Parses a time in minutes such as `5`, `0:30` or `0.5`. Ignores the text after the time, such as `+5` in
/// `25+5`, where `+5` describes the later sessions.
fn minutes(word: &str) -> Option<Duration> {
    let is_time = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.');
    let time = &word[..word.find(|c| !is_time(c)).unwrap_or(word.len())];
    let (minutes, rest) = time.split_once(':').unwrap_or((time, "0"));
    let millis = seconds(minutes)?.saturating_mul(60) + seconds(rest)?;
    Some(millis.min(Duration::from_millis(MAX_MILLIS)))
}

fn level(words: &mut Words) -> Option<XboardCommand> {
    let moves = Some(small(integer(words)?)).filter(|&moves| moves > 0);
    let base = minutes(words.next()?)?;
    let increment = seconds(words.next()?)?;
    words.next().is_none().then_some(XboardCommand::Level(TimeControl { moves, base, increment }))
}

fn option(words: &mut Words) -> Option<XboardCommand> {
    let text = text(words)?;
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.trim_ascii().to_owned())),
        None => (text.as_str(), None),
    };
    Some(XboardCommand::Option { name: name.trim_ascii().to_owned(), value })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> XboardCommand {
        XboardCommand::parse(line).unwrap().unwrap()
    }

    #[test]
    fn time_controls_are_read_as_xboard_writes_them() {
        let level = |line| match read(line) {
            XboardCommand::Level(TimeControl { moves, base, increment }) => {
                (moves.unwrap_or(0), base.as_millis(), increment.as_millis())
            }
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(level("level 40 5 0"), (40, 300_000, 0));
        assert_eq!(level("level 40 0:30 0"), (40, 30_000, 0));
        assert_eq!(level("level 0 2 12"), (0, 120_000, 12_000));
        assert_eq!(level("level 0 1:05 0.1"), (0, 65_000, 100));
        assert_eq!(level("level 40 25+5 0"), (40, 1_500_000, 0));
        assert_eq!(level("level 0 0 0"), (0, 0, 0));
        assert_eq!(level("level -1 0.5 -3"), (0, 30_000, 0));
        let most = u128::from(MAX_MILLIS);
        let nines = "9".repeat(400);
        assert_eq!(level(&format!("level {nines} {nines} {nines}")), (u32::MAX, most, most));
        let millis = |line| match read(line) {
            XboardCommand::TimePerMove(time) | XboardCommand::OwnClock(time) => time.as_millis(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(millis("st 30"), 30_000);
        assert_eq!(millis("st 0.25"), 250);
        assert_eq!(millis("time 6000"), 60_000);
        assert_eq!(millis("time -5"), 0);
        assert_eq!(millis("time 99999999999999999999999"), most);
    }

    #[test]
    fn options_may_have_values() {
        let option = |name: &str, value: Option<&str>| XboardCommand::Option {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(read("option Move Overhead=30"), option("Move Overhead", Some("30")));
        assert_eq!(read("option Clear Hash"), option("Clear Hash", None));
        assert_eq!(read("option EvalFile = /a b=c "), option("EvalFile", Some("/a b=c")));
        assert_eq!(read("option EvalFile="), option("EvalFile", Some("")));
    }

    #[test]
    fn errors_show_the_correct_syntax() {
        let error = |line| XboardCommand::parse(line).unwrap_err().to_string();
        for line in
            ["level", "level 40", "level 40 5", "level a 5 0", "level 1 2 3 4 5", "level 0 x 0"]
        {
            assert_eq!(
                error(line),
                "wrong arguments; write 'level MOVES MINUTES[:SECONDS] INCREMENT'",
                "{line}"
            );
        }
        assert_eq!(error("st nan"), "wrong arguments; write 'st SECONDS'");
        assert_eq!(error("ping"), "wrong arguments; write 'ping NUMBER'");
        assert_eq!(error("usermove "), "wrong arguments; write 'usermove MOVE'");
        assert_eq!(error("edit"), "unknown command");
        assert_eq!(XboardCommand::parse(" \t"), Ok(None));
    }

    proptest! {
        #[test]
        fn no_text_panics(line in "(level|st|time|option|ping|usermove|\\PC{0,3}) [\\PC]{0,40}") {
            let _ = XboardCommand::parse(&line);
        }
    }
}
