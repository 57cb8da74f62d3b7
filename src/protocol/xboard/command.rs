use std::time::Duration;

use crate::game::TimeControl;
use crate::protocol::MAX_MILLIS;
use crate::protocol::words::{Integer, Words};

/// A line of input, understood.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum XboardCommand {
    /// Something that concerns other engines, or is news to nobody.
    Nothing,
    /// Say what you can do.
    ProtocolVersion,
    /// A new game of orthodox chess, in which the engine is Black.
    New,
    /// The game is not orthodox chess but this.
    Variant(String),
    Quit,
    /// Play neither side.
    Force,
    /// Play the side to move.
    Go,
    /// Play the other side.
    PlayOther,
    /// A clock.
    Level(TimeControl),
    /// The most time for a move.
    TimePerMove(Duration),
    /// The deepest search, in plies.
    Depth(u32),
    /// What the engine's clock shows.
    OwnClock(Duration),
    /// What the opponent's clock shows.
    OtherClock(Duration),
    /// A move, in whatever notation.
    Move(String),
    MoveNow,
    /// Answer with this number when all that came before is done.
    Ping(String),
    /// The opponent offers a draw.
    Draw,
    /// The game is over.
    Result,
    SetBoard(String),
    Hint,
    /// Say what the book knows.
    Book,
    /// Take back a move of one side.
    Undo,
    /// Take back a move of each side, and play on.
    Remove,
    /// Think on the opponent's time, or not.
    Ponder(bool),
    /// Show what the engine thinks, or not.
    Post(bool),
    Analyze,
    /// Leave the analysis.
    Exit,
    /// Say how far the analysis is.
    Status,
    /// The most memory, in MiB.
    Memory(String),
    /// The most threads.
    Cores(String),
    Option {
        name: String,
        value: Option<String>,
    },
    /// A piece is picked up from here: say where it may go.
    Lift(String),
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum XboardCommandError {
    #[error("unknown command")]
    Unknown,
    #[error("write '{name} {arguments}'")]
    Form { name: &'static str, arguments: &'static str },
}

/// A command as it is written.
struct Form {
    name: &'static str,
    arguments: &'static str,
    /// Reads what follows the name; nothing where that is wrong.
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

/// Every command there is. What follows one that takes nothing is ignored.
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
    /// Reads a line; nothing but blanks is no command and no error.
    pub(super) fn parse(line: &str) -> Result<Option<XboardCommand>, XboardCommandError> {
        let mut words = Words::new(line);
        let Some(name) = words.next() else { return Ok(None) };
        let form =
            COMMANDS.iter().find(|form| form.name == name).ok_or(XboardCommandError::Unknown)?;
        let wrong = XboardCommandError::Form { name: form.name, arguments: form.arguments };
        (form.read)(&mut words).map(Some).ok_or(wrong)
    }
}

/// All that is left of the line, if there is something.
fn text(words: &mut Words) -> Option<String> {
    Some(words.rest().to_owned()).filter(|text| !text.is_empty())
}

/// A whole number; below zero counts as zero.
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

/// Seconds with or without a fraction; below zero counts as zero.
fn seconds(word: &str) -> Option<Duration> {
    const MOST: f64 = MAX_MILLIS as f64 / 1000.0;
    // `inf` and `nan` are numbers to Rust.
    let is_word = word.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E'));
    let number: f64 = word.parse().ok().filter(|_| !is_word)?;
    Some(Duration::from_secs_f64(number.clamp(0.0, MOST)))
}

/// `5`, `0:30` or `0.5`. What may stand behind, such as the sessions to come in `25+5`, does not
/// concern this one.
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
    fn what_is_wrong_is_told_with_what_would_be_right() {
        let error = |line| XboardCommand::parse(line).unwrap_err().to_string();
        for line in
            ["level", "level 40", "level 40 5", "level a 5 0", "level 1 2 3 4 5", "level 0 x 0"]
        {
            assert_eq!(error(line), "write 'level MOVES MINUTES[:SECONDS] INCREMENT'", "{line}");
        }
        assert_eq!(error("st nan"), "write 'st SECONDS'");
        assert_eq!(error("ping"), "write 'ping NUMBER'");
        assert_eq!(error("usermove "), "write 'usermove MOVE'");
        assert_eq!(error("edit"), "unknown command");
        assert_eq!(XboardCommand::parse(" \t"), Ok(None));
    }

    proptest! {
        #[test]
        fn any_text_is_read(line in "(level|st|time|option|ping|usermove|\\PC{0,3}) [\\PC]{0,40}") {
            let _ = XboardCommand::parse(&line);
        }
    }
}
