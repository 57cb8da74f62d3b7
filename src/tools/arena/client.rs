//! Runs a UCI engine as a child process of the arena.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::failure::Failure;
use super::limit::Limit;
use crate::rules::Variant;
use crate::text::shorten_to;

/// How long an engine may take to answer `uciok` or `readyok`.
const READY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an engine may take to exit after `quit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum length in bytes of a line from an engine. A longer line is split.
const MAX_LINE: u64 = 1 << 16;
/// How many of the last lines of an engine's standard error are kept.
const KEPT_ERRORS: usize = 5;
/// The capacity of the queue of lines from an engine. When the queue is full, writing blocks the engine.
const QUEUED_LINES: usize = 64;
/// The maximum number of options stored for an engine. Real engines have far fewer.
const MAX_OPTIONS: usize = 1_000;
/// How often `stop` is checked while an engine thinks.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A participating engine: name, command, options and limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Option names and values, in the order in which they are sent to the engine.
    pub options: Vec<(String, String)>,
    pub limit: Limit,
}

impl EngineSpec {
    /// The names of the option by which engines count time in nodes. The second is Stockfish's.
    const NODES_TIME: [&str; 2] = ["Nodes Time", "nodestime"];

    /// Returns the number of nodes that count as a millisecond of the engine's clock, or `None` for real time.
    pub fn nodes_per_millisecond(&self) -> Option<u64> {
        let is_named =
            |name: &str| EngineSpec::NODES_TIME.iter().any(|one| one.eq_ignore_ascii_case(name));
        let (_, value) = self.options.iter().rfind(|(name, _)| is_named(name))?;
        value.trim().parse().ok().filter(|nodes| *nodes > 0)
    }
}

/// Why an engine cannot participate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClientError {
    #[error("engine '{engine}': the program '{program}' cannot be started: {reason}")]
    Spawn { engine: String, program: String, reason: String },
    #[error("engine '{engine}' {failure}")]
    Failure { engine: String, failure: Failure },
    #[error("engine '{engine}' has no UCI option '{option}'; its options are: {known}")]
    NoOption { engine: String, option: String, known: String },
    #[error(
        "engine '{engine}' does not play {variant}: its UCI_Variant offers {offered} \
         (Fairy-Stockfish reads definitions of variants from the file in its option VariantPath)"
    )]
    NoVariant { engine: String, variant: Variant, offered: String },
    #[error("engine '{engine}' does not play {variant}: it has no option UCI_Variant")]
    NoVariantOption { engine: String, variant: Variant },
    #[error("engine '{engine}' does not play {variant}: it has no option UCI_Chess960")]
    NoChess960 { engine: String, variant: Variant },
}

/// A line from an engine that the arena uses: the answer to a command, or the declaration of an option.
struct EngineLine {
    at: Instant,
    text: String,
    /// If this is a `bestmove` line: the last `info` line with a score. In other lines, this field is empty.
    info: String,
}

/// An engine's evaluation of the position in which it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineInfo {
    /// The score in centipawns for the side to move. A mate counts as ±30,000.
    pub score: Option<i32>,
    /// The number of moves until the engine mates, or the negative number of moves until the engine gets
    /// mated.
    pub mate: Option<i32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// The score in centipawns that stands for a mate.
pub const MATE_SCORE: i32 = 30_000;

impl EngineInfo {
    /// Parses an `info` line. A field missing from the line stays `None`.
    fn of_info(line: &str) -> EngineInfo {
        let mut info = EngineInfo::default();
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => info.nodes = words.next().and_then(|word| word.parse().ok()),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse::<i32>().ok());
                    info.mate = value.filter(|_| kind == Some("mate"));
                    info.score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(value.clamp(-MATE_SCORE, MATE_SCORE)),
                        (Some("mate"), Some(moves)) if moves > 0 => Some(MATE_SCORE),
                        (Some("mate"), Some(_)) => Some(-MATE_SCORE),
                        _ => None,
                    };
                }
                "pv" | "string" => break,
                _ => {}
            }
        }
        info
    }
}

/// An engine's answer to the `go` command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineReply {
    /// The best move as the engine wrote it.
    pub best: String,
    /// The time from the `go` command to the answer.
    pub time: Duration,
    pub info: EngineInfo,
}

/// An option that an engine has declared.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Declared {
    name: String,
    button: bool,
    /// The values that a combo option offers, in lower case.
    values: Vec<String>,
}

impl Declared {
    /// Parses the line `option name NAME type TYPE ...`, with which an engine declares an option.
    fn read(line: &str) -> Option<Declared> {
        let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
        let values = rest.split(" var ").skip(1).map(|value| value.trim().to_ascii_lowercase());
        Some(Declared {
            name: name.trim().to_owned(),
            button: rest.trim_ascii_start().starts_with("button"),
            values: values.collect(),
        })
    }
}

/// A running engine, controlled by UCI commands.
pub struct Client {
    process: Box<dyn ChildWrapper>,
    input: ChildStdin,
    heard: Receiver<EngineLine>,
    /// The engine's options by their names in lower case.
    options: BTreeMap<String, Declared>,
    /// The specification whose options were last sent to the engine.
    spec: EngineSpec,
    last_errors: Arc<Mutex<VecDeque<String>>>,
}

impl Client {
    /// Starts an engine and sets its options and the variant. `with_setup` says whether the games begin with
    /// a setup, in which the engine must place pieces.
    pub fn start(
        spec: &EngineSpec,
        variant: Variant,
        with_setup: bool,
    ) -> Result<Client, ClientError> {
        let mut client = Client::spawn(spec)?;
        let fail = |failure| ClientError::Failure { engine: spec.name.clone(), failure };
        client.handshake().map_err(fail)?;
        for (name, value) in &spec.options {
            client.set(name, value)?;
        }
        if !spec.options.is_empty() {
            // Setting an option can change the declared values of another option, as `VariantPath` does. Few
            // engines report the change unless they get `uci` again.
            client.handshake().map_err(fail)?;
        }
        client.set_variant(variant, with_setup)?;
        client.wait_ready().map_err(fail)?;
        Ok(client)
    }

    fn spawn(spec: &EngineSpec) -> Result<Client, ClientError> {
        let fail = |reason: String| ClientError::Spawn {
            engine: spec.name.clone(),
            program: spec.command.first().cloned().unwrap_or_default(),
            reason,
        };
        let (program, arguments) =
            spec.command.split_first().ok_or_else(|| fail("no program is named".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = group(command).spawn().map_err(|error| fail(error.to_string()))?;
        let pipes = (process.stdin().take(), process.stdout().take(), process.stderr().take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(fail("the pipes to the process are missing".to_owned()));
        };
        let (sender, heard) = sync_channel(QUEUED_LINES);
        let last_errors = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&last_errors);
        let (spec, options) = (spec.clone(), BTreeMap::new());
        // From here on, dropping the client ends the process, even if no thread can be started to read its
        // output.
        let client = Client { process, input, heard, options, spec, last_errors };
        let listener = thread::Builder::new().spawn(move || listen(output, &sender));
        listener
            .and_then(|_| thread::Builder::new().spawn(move || keep_last_errors(errors, &shared)))
            .map_err(|error| {
                fail(format!("cannot start a thread to read the engine's output: {error}"))
            })?;
        Ok(client)
    }

    /// Sets the options of another specification of the same engine. The two specifications may differ only
    /// in the values of options.
    pub fn adopt(&mut self, spec: &EngineSpec) -> Result<(), ClientError> {
        if self.spec == *spec {
            return Ok(());
        }
        for option in &spec.options {
            if !self.spec.options.contains(option) {
                self.set(&option.0, &option.1)?;
            }
        }
        self.spec = spec.clone();
        self.wait_ready()
            .map_err(|failure| ClientError::Failure { engine: spec.name.clone(), failure })
    }

    /// Exchanges `uci` and `uciok`; the engine declares its options in between.
    fn handshake(&mut self) -> Result<(), Failure> {
        self.call("uci", "uciok")
    }

    /// Waits until the engine has processed everything sent so far.
    fn wait_ready(&mut self) -> Result<(), Failure> {
        self.call("isready", "readyok")
    }

    /// Sets an option of the engine. Fails if the engine has not declared this option.
    fn set(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let Some(option) = self.options.get(&name.to_ascii_lowercase()) else {
            let names: Vec<&str> = self.options.values().map(|known| known.name.as_str()).collect();
            return Err(ClientError::NoOption {
                engine: self.spec.name.clone(),
                option: name.to_owned(),
                known: names.join(", "),
            });
        };
        let line = if option.button {
            format!("setoption name {}", option.name)
        } else {
            format!("setoption name {} value {value}", option.name)
        };
        let engine = self.spec.name.clone();
        self.send(&line).map_err(|failure| ClientError::Failure { engine, failure })
    }

    /// Sets the variant, under the first suitable name that the engine offers.
    fn set_variant(&mut self, variant: Variant, with_setup: bool) -> Result<(), ClientError> {
        let names = names_of(variant, with_setup);
        let plain_chess = names.contains(&"chess");
        let engine = self.spec.name.clone();
        match self.options.get("uci_variant").map(|option| option.values.clone()) {
            Some(offered) => match names.iter().find(|name| offered.iter().any(|v| v == *name)) {
                Some(name) => self.set("UCI_Variant", name)?,
                None => {
                    let offered = offered.join(", ");
                    return Err(ClientError::NoVariant { engine, variant, offered });
                }
            },
            None if plain_chess => {}
            None => return Err(ClientError::NoVariantOption { engine, variant }),
        }
        let chess960 = variant != Variant::Chess;
        if self.options.contains_key("uci_chess960") {
            self.set("UCI_Chess960", if chess960 { "true" } else { "false" })?;
        } else if chess960 && plain_chess && variant != Variant::Transcendental {
            return Err(ClientError::NoChess960 { engine, variant });
        }
        Ok(())
    }

    /// Returns the limit of the engine's specification.
    pub fn limit(&self) -> Limit {
        self.spec.limit
    }

    /// Returns the number of nodes that count as a millisecond of the engine's clock, or `None` for real time.
    pub fn nodes_per_millisecond(&self) -> Option<u64> {
        self.spec.nodes_per_millisecond()
    }

    /// Announces a new game and waits until the engine is ready.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.send("ucinewgame")?;
        self.wait_ready()
    }

    /// Sends the lines `position ...` and `go ...` and waits for the move. An engine that does not answer
    /// within `patience` counts as hung. Returns `None` if `stop` is set while the engine thinks.
    pub fn ask(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<Option<EngineReply>, Failure> {
        let asked = Instant::now();
        self.write(&[position, "\n", go, "\n"].concat())?;
        while !stop.load(Relaxed) {
            let Some(heard) = self.next_line(asked, patience)? else {
                return Err(Failure::Hang { waited_ms: millis(patience) });
            };
            let Some(EngineLine { at, text, info }) = heard else { continue };
            if let Some(rest) = text.strip_prefix("bestmove") {
                let best = rest.split_ascii_whitespace().next().unwrap_or_default().to_owned();
                let (time, info) = (at - asked, EngineInfo::of_info(&info));
                return Ok(Some(EngineReply { best, time, info }));
            }
        }
        Ok(None)
    }

    /// Waits a short time for a line that was written after `since`. Returns `None` when `patience` is over,
    /// and `Some(None)` if no such line has come yet.
    fn next_line(
        &mut self,
        since: Instant,
        patience: Duration,
    ) -> Result<Option<Option<EngineLine>>, Failure> {
        // The deadline is fixed. Lines from the engine do not extend the deadline.
        let left = patience.saturating_sub(since.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        match self.heard.recv_timeout(left.min(POLL_INTERVAL)) {
            // A line written before the command was sent cannot be the answer.
            Ok(heard) => Ok(Some(Some(heard).filter(|heard| heard.at >= since))),
            Err(RecvTimeoutError::Timeout) => Ok(Some(None)),
            Err(RecvTimeoutError::Disconnected) => Err(self.crash()),
        }
    }

    /// Sends a command and waits for its answer. Stores the options that the engine declares in the meantime.
    fn call(&mut self, word: &str, answer: &str) -> Result<(), Failure> {
        let since = Instant::now();
        self.send(word)?;
        while let Some(heard) = self.next_line(since, READY_TIMEOUT)? {
            let Some(EngineLine { text, .. }) = heard else { continue };
            if text.split_ascii_whitespace().next() == Some(answer) {
                return Ok(());
            }
            if let Some(option) = Declared::read(&text)
                && self.options.len() < MAX_OPTIONS
            {
                self.options.insert(option.name.to_ascii_lowercase(), option);
            }
        }
        Err(Failure::Silent { word: answer.to_owned(), waited_ms: millis(READY_TIMEOUT) })
    }

    /// Sends one line to the engine.
    fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.write(&[line, "\n"].concat())
    }

    /// Writes complete lines to the engine in a single call.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.crash()),
        }
    }

    /// Returns the failure of an engine that has exited, with the last lines of its standard error.
    fn crash(&mut self) -> Failure {
        let status =
            self.wait_exit(EXIT_TIMEOUT).map_or_else(String::new, |status| status.to_string());
        // The last lines of standard error may still be in the pipe.
        thread::sleep(Duration::from_millis(20));
        let lines = self.last_errors.lock().unwrap_or_else(PoisonError::into_inner);
        let said = lines.iter().cloned().collect::<Vec<_>>().join(" | ");
        Failure::Crash { status, said }
    }

    /// Waits for the process to exit. Returns `None` if the process still runs after `patience`.
    fn wait_exit(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Client {
    /// Asks the process to quit and kills it if necessary.
    fn drop(&mut self) {
        if self.input.write_all(b"stop\nquit\n").and_then(|()| self.input.flush()).is_ok() {
            self.wait_exit(EXIT_TIMEOUT);
        }
        // Also kills the child processes of the engine. Processes that have already exited need no kill.
        let _ = self.process.start_kill();
        self.wait_exit(EXIT_TIMEOUT);
    }
}

/// Puts the process into a new group. The group can be killed as a whole and does not receive Ctrl-C.
fn group(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    {
        use process_wrap::std::{CreationFlags, JobObject};
        use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;
        command.wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP)).wrap(JobObject);
    }
    command
}

/// Returns the names under which engines may know a variant, in order of preference. Engines that do not know
/// the setup of Fischer-Benko or Placement can play from a finished setup, as Chess960.
fn names_of(variant: Variant, with_setup: bool) -> Vec<&'static str> {
    let others: &[&str] = match (variant, with_setup) {
        (Variant::Chess, _) => &["standard", "normal"],
        (Variant::Chess960, _) => &["fischerandom", "chess"],
        (Variant::FischerBenko | Variant::Placement, false) => {
            &["chess960", "fischerandom", "chess"]
        }
        (Variant::Transcendental, false) => &["nocastle", "chess"],
        _ => &[],
    };
    [&[variant.name()], others].concat()
}

/// Converts a time to milliseconds, rounded up.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_micros().div_ceil(1_000)).unwrap_or(u64::MAX)
}

/// Reads an engine's output and forwards the lines that the arena uses. Most lines of an engine are `info`
/// lines. Only the last `info` line with a score is kept and sent together with the move, so that the arena
/// wakes up once per move.
fn listen(output: impl Read, sender: &SyncSender<EngineLine>) {
    let mut output = BufReader::new(output);
    let (mut line, mut info) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        match (&mut output).take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if line.starts_with(b"info ") {
            if contains(&line, b" score ") {
                std::mem::swap(&mut line, &mut info);
            }
            continue;
        }
        let at = Instant::now();
        let text = printable(&line, MAX_LINE as usize);
        let info = match text.split_ascii_whitespace().next() {
            Some("bestmove") => String::from_utf8_lossy(&std::mem::take(&mut info)).into_owned(),
            Some("option" | "uciok" | "readyok") => String::new(),
            _ => continue,
        };
        if sender.send(EngineLine { at, text, info }).is_err() {
            return; // the client was dropped
        }
    }
}

/// Converts a line to text and escapes control characters.
fn printable(line: &[u8], most: usize) -> String {
    shorten_to(&String::from_utf8_lossy(line).trim().replace('\t', " "), most)
}

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

fn keep_last_errors(errors: impl Read, kept: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut errors).take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = printable(&line, 200);
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT_ERRORS {
            kept.pop_front();
        }
        kept.push_back(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_parsed_from_info_lines() {
        let line = "info depth 12 seldepth 20 multipv 1 score cp -35 lowerbound nodes 1234 nps 5 pv e2e4 depth";
        let info = EngineInfo { score: Some(-35), mate: None, depth: Some(12), nodes: Some(1234) };
        assert_eq!(EngineInfo::of_info(line), info);
        let score = |text: &str| EngineInfo::of_info(&format!("info score {text} depth 3")).score;
        assert_eq!(score("mate 4"), Some(MATE_SCORE));
        assert_eq!(score("mate -1"), Some(-MATE_SCORE));
        assert_eq!(score("mate 0"), Some(-MATE_SCORE));
        assert_eq!(EngineInfo::of_info("info score mate -3 pv").mate, Some(-3));
        assert_eq!(score("cp 99999999"), Some(MATE_SCORE));
        assert_eq!(score("cp x"), None);
        assert_eq!(EngineInfo::of_info("info string score cp 5"), EngineInfo::default());
        assert_eq!(EngineInfo::of_info(""), EngineInfo::default());
    }

    #[test]
    fn options_are_parsed_from_their_declarations() {
        let combo =
            "option name UCI_Variant type combo default chess var Chess var ifrc var 3check";
        let option = Declared::read(combo).unwrap();
        assert_eq!(option.name, "UCI_Variant");
        assert_eq!(option.values, ["chess", "ifrc", "3check"]);
        assert!(Declared::read("option name Clear Hash type button").unwrap().button);
        assert!(!Declared::read("option name Hash type spin default 16").unwrap().button);
        assert_eq!(Declared::read("id name x"), None);
        assert_eq!(Declared::read("option name"), None);
    }

    /// Returns the lines that are forwarded when the engine writes `said`.
    fn heard(said: &[u8]) -> Vec<EngineLine> {
        let (sender, receiver) = sync_channel(QUEUED_LINES);
        listen(said, &sender);
        drop(sender);
        receiver.into_iter().collect()
    }

    #[test]
    fn only_the_last_info_with_a_score_is_kept() {
        let text = "option name X type button\ninfo depth 1 score cp 1\ninfo depth 2 score cp 2 pv a\n\
                    info depth 3 currmove e2e4\nbestmove e2e4 ponder e7e5\r\nbestmove d2d4\n";
        let heard = heard(text.as_bytes());
        assert_eq!(heard[0].text, "option name X type button");
        assert_eq!(heard[1].text, "bestmove e2e4 ponder e7e5");
        assert!(heard[1].info.starts_with("info depth 2"));
        // The score of the previous search is not used again.
        assert_eq!((heard[2].text.as_str(), heard[2].info.as_str()), ("bestmove d2d4", ""));
        assert_eq!(heard.len(), 3);
    }

    #[test]
    fn lines_that_the_arena_does_not_use_are_dropped() {
        let flood = "whatever it may be\ninfo string x\n\n".repeat(100 * QUEUED_LINES);
        assert_eq!(heard([&flood, "readyok\n"].concat().as_bytes()).len(), 1);
    }

    #[test]
    fn an_endless_line_is_split() {
        let endless = [b"bestmove ".to_vec(), vec![b'x'; 200_000]].concat();
        let heard = heard(&endless);
        assert_eq!((heard.len(), heard[0].text.len()), (1, MAX_LINE as usize));
    }

    #[test]
    fn control_characters_are_escaped() {
        let heard = heard(b"bestmove\te2\x1b[2Je4\n");
        assert_eq!(heard[0].text, "bestmove e2\\u{1b}[2Je4");
        let kept = Mutex::default();
        keep_last_errors(&b"\x1b]0;title\x07\n"[..], &kept);
        assert_eq!(kept.into_inner().unwrap(), ["\\u{1b}]0;title\\u{7}"]);
    }
}
