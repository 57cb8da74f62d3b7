//! A UCI engine as a process that plays for the arena.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::fault::Fault;
use super::limit::Limit;
use crate::rules::Variant;
use crate::text::shorten_to;

/// How long an engine may take to say that it is ready.
const READY: Duration = Duration::from_secs(30);
/// How long it may take to leave when told to.
const FAREWELL: Duration = Duration::from_secs(1);
/// Longer lines are cut into lines of this many bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// What is kept of an engine's standard error, in lines.
const LAST_WORDS: usize = 5;
/// How many lines may wait to be heard; an engine that goes on talking has to wait.
const WAITING_LINES: usize = 64;
/// More options than any engine has.
const MOST_OPTIONS: usize = 1_000;
/// How often one looks up while an engine thinks.
const GLANCE: Duration = Duration::from_millis(50);

/// An engine that takes part: how it is called and started, its options, and how long it thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Names and values, in the order in which they are set.
    pub options: Vec<(String, String)>,
    pub limit: Limit,
}

/// Why an engine cannot take part at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClientError {
    #[error("engine '{engine}': '{program}' cannot be started: {reason}")]
    Spawn { engine: String, program: String, reason: String },
    #[error("engine '{engine}' {fault}")]
    Fault { engine: String, fault: Fault },
    #[error("engine '{engine}' has no option '{option}'; it has: {known}")]
    NoOption { engine: String, option: String, known: String },
    #[error(
        "engine '{engine}' does not play {variant}: its UCI_Variant offers {offered} (for \
         Fairy-Stockfish give a definition with --option {engine}.VariantPath=FILE)"
    )]
    NoVariant { engine: String, variant: Variant, offered: String },
    #[error("engine '{engine}' does not play {variant}: it has no option UCI_Variant")]
    NoVariantOption { engine: String, variant: Variant },
    #[error("engine '{engine}' does not play {variant}: it has no option UCI_Chess960")]
    NoChess960 { engine: String, variant: Variant },
}

/// A line that an engine has said: the answer to a command, or an option.
struct EngineLine {
    at: Instant,
    text: String,
    /// With `bestmove`: the last `info` line with a score before it.
    info: String,
}

/// What an engine thinks of its own move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opinion {
    /// Centipawns for the side to move; a mate is ±30,000.
    pub score: Option<i32>,
    /// Moves until it mates; negative if it is mated.
    pub mate: Option<i32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// A mate as centipawns.
pub const MATE_SCORE: i32 = 30_000;

impl Opinion {
    /// Reads an `info` line; what it does not have stays unknown.
    fn of_info(line: &str) -> Opinion {
        let mut opinion = Opinion::default();
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => opinion.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => opinion.nodes = words.next().and_then(|word| word.parse().ok()),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse::<i32>().ok());
                    opinion.mate = value.filter(|_| kind == Some("mate"));
                    opinion.score = match (kind, value) {
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
        opinion
    }
}

/// An engine's answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineReply {
    /// What it wrote as its move.
    pub best: String,
    /// From the moment the command was written.
    pub time: Duration,
    pub opinion: Opinion,
}

/// An option as an engine declares it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Declared {
    name: String,
    button: bool,
    /// The values of a combo, in lower case.
    values: Vec<String>,
}

impl Declared {
    /// Reads `option name NAME type TYPE ...`.
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

/// A running engine.
pub struct Client {
    process: Box<dyn ChildWrapper>,
    input: ChildStdin,
    heard: Receiver<EngineLine>,
    /// By name in lower case.
    options: BTreeMap<String, Declared>,
    /// What it was started with, and what was changed since.
    spec: EngineSpec,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl Client {
    /// Starts an engine, sets its options and the variant. `with_setup`: whether it will be asked
    /// to place pieces.
    pub fn start(
        spec: &EngineSpec,
        variant: Variant,
        with_setup: bool,
    ) -> Result<Client, ClientError> {
        let mut client = Client::spawn(spec)?;
        let failure = |fault| ClientError::Fault { engine: spec.name.clone(), fault };
        client.greet().map_err(failure)?;
        for (name, value) in &spec.options {
            client.set(name, value)?;
        }
        if !spec.options.is_empty() {
            // They may change what there is to choose from, as VariantPath does; not every engine
            // says so unasked.
            client.greet().map_err(failure)?;
        }
        client.set_variant(variant, with_setup)?;
        client.settle().map_err(failure)?;
        Ok(client)
    }

    fn spawn(spec: &EngineSpec) -> Result<Client, ClientError> {
        let failure = |reason: String| ClientError::Spawn {
            engine: spec.name.clone(),
            program: spec.command.first().cloned().unwrap_or_default(),
            reason,
        };
        let (program, arguments) =
            spec.command.split_first().ok_or_else(|| failure("no program is named".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = group(command).spawn().map_err(|error| failure(error.to_string()))?;
        let pipes = (process.stdin().take(), process.stdout().take(), process.stderr().take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(failure("its pipes are missing".to_owned()));
        };
        let (sender, heard) = sync_channel(WAITING_LINES);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&last_words);
        let (spec, options) = (spec.clone(), BTreeMap::new());
        // From here on it is ended with the client, also if there is no thread to listen to it.
        let client = Client { process, input, heard, options, spec, last_words };
        let listener = thread::Builder::new().spawn(move || listen(output, &sender));
        listener
            .and_then(|_| thread::Builder::new().spawn(move || keep_last_words(errors, &shared)))
            .map_err(|error| failure(format!("no thread for it: {error}")))?;
        Ok(client)
    }

    /// Makes it the engine of another plan, which differs in values of options at most.
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
        self.settle().map_err(|fault| ClientError::Fault { engine: spec.name.clone(), fault })
    }

    /// The handshake, with which the options become known.
    fn greet(&mut self) -> Result<(), Fault> {
        self.call("uci", "uciok")
    }

    /// Waits until everything sent so far was dealt with.
    fn settle(&mut self) -> Result<(), Fault> {
        self.call("isready", "readyok")
    }

    /// Sets an option that the engine has.
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
        self.send(&line).map_err(|fault| ClientError::Fault { engine, fault })
    }

    /// Chooses the variant, under whichever name the engine knows it.
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

    /// How long it may think.
    pub fn limit(&self) -> Limit {
        self.spec.limit
    }

    /// Announces a game, and waits until the engine is ready for it.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send("ucinewgame")?;
        self.settle()
    }

    /// Asks for a move: the lines `position ...` and `go ...`. `patience` is how long to wait
    /// before the engine counts as hung. Nothing comes back if `stop` was set meanwhile.
    pub fn ask(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
        stop: &AtomicBool,
    ) -> Result<Option<EngineReply>, Fault> {
        let asked = Instant::now();
        self.write(&[position, "\n", go, "\n"].concat())?;
        while !stop.load(Relaxed) {
            let Some(heard) = self.hear(asked, patience)? else {
                return Err(Fault::Hang { waited_ms: millis(patience) });
            };
            let Some(EngineLine { at, text, info }) = heard else { continue };
            if let Some(rest) = text.strip_prefix("bestmove") {
                let best = rest.split_ascii_whitespace().next().unwrap_or_default().to_owned();
                let (time, opinion) = (at - asked, Opinion::of_info(&info));
                return Ok(Some(EngineReply { best, time, opinion }));
            }
        }
        Ok(None)
    }

    /// Waits for a moment. What the engine said in answer to what it was told at `since` comes
    /// back, if it said anything; nothing at all once patience is at an end.
    fn hear(
        &mut self,
        since: Instant,
        patience: Duration,
    ) -> Result<Option<Option<EngineLine>>, Fault> {
        // An engine that never stops talking gets no more time than one that is silent.
        let left = patience.saturating_sub(since.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        match self.heard.recv_timeout(left.min(GLANCE)) {
            // What it said before is no answer.
            Ok(heard) => Ok(Some(Some(heard).filter(|heard| heard.at >= since))),
            Err(RecvTimeoutError::Timeout) => Ok(Some(None)),
            Err(RecvTimeoutError::Disconnected) => Err(self.crash()),
        }
    }

    /// Says a word, and waits for a line that begins with another. Takes note of options on the way.
    fn call(&mut self, word: &str, answer: &str) -> Result<(), Fault> {
        let since = Instant::now();
        self.send(word)?;
        while let Some(heard) = self.hear(since, READY)? {
            let Some(EngineLine { text, .. }) = heard else { continue };
            if text.split_ascii_whitespace().next() == Some(answer) {
                return Ok(());
            }
            if let Some(option) = Declared::read(&text)
                && self.options.len() < MOST_OPTIONS
            {
                self.options.insert(option.name.to_ascii_lowercase(), option);
            }
        }
        Err(Fault::Silent { word: answer.to_owned(), waited_ms: millis(READY) })
    }

    /// Writes a line.
    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.write(&[line, "\n"].concat())
    }

    /// Writes whole lines, at once.
    fn write(&mut self, text: &str) -> Result<(), Fault> {
        match self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.crash()),
        }
    }

    /// The engine is gone: how, and what it said last.
    fn crash(&mut self) -> Fault {
        let status = self.leave(FAREWELL).map_or_else(String::new, |status| status.to_string());
        // Its last line may still be on the way through the pipe.
        thread::sleep(Duration::from_millis(20));
        let lines = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let said = lines.iter().cloned().collect::<Vec<_>>().join(" | ");
        Fault::Crash { status, said }
    }

    /// Waits for the process to end.
    fn leave(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
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
    /// Says goodbye, and does not insist on an answer.
    fn drop(&mut self) {
        if self.input.write_all(b"stop\nquit\n").and_then(|()| self.input.flush()).is_ok() {
            self.leave(FAREWELL);
        }
        // Also what it has left behind. Whoever is gone by now needs no end.
        let _ = self.process.start_kill();
        self.leave(FAREWELL);
    }
}

/// Makes what a command starts a group, which can be ended with it, and for which Ctrl-C is not.
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

/// The values of `UCI_Variant` under which engines know a variant, the best first. Games that
/// are past their set-up are chess from another array to those who do not know the set-up.
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

/// Whole thousandths of a second; what has begun counts.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_micros().div_ceil(1_000)).unwrap_or(u64::MAX)
}

/// Passes on what an engine says and the arena waits for, and drops the rest. Of the `info` lines,
/// most of what an engine writes, only the last one with a score is kept, so that the arena wakes
/// up once a move.
fn listen(output: impl Read, sender: &SyncSender<EngineLine>) {
    let mut output = BufReader::new(output);
    let (mut line, mut info) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        match (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut line) {
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
        let text = printable(&line, LONGEST_LINE as usize);
        let info = match text.split_ascii_whitespace().next() {
            Some("bestmove") => String::from_utf8_lossy(&std::mem::take(&mut info)).into_owned(),
            Some("option" | "uciok" | "readyok") => String::new(),
            _ => continue,
        };
        if sender.send(EngineLine { at, text, info }).is_err() {
            return; // nobody listens any more
        }
    }
}

/// A line as text that does nothing to a terminal.
fn printable(line: &[u8], most: usize) -> String {
    shorten_to(&String::from_utf8_lossy(line).trim().replace('\t', " "), most)
}

fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

fn keep_last_words(errors: impl Read, kept: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut errors).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = printable(&line, 200);
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LAST_WORDS {
            kept.pop_front();
        }
        kept.push_back(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_are_read_from_info_lines() {
        let line = "info depth 12 seldepth 20 multipv 1 score cp -35 lowerbound nodes 1234 nps 5 pv e2e4 depth";
        let opinion = Opinion { score: Some(-35), mate: None, depth: Some(12), nodes: Some(1234) };
        assert_eq!(Opinion::of_info(line), opinion);
        let score = |text: &str| Opinion::of_info(&format!("info score {text} depth 3")).score;
        assert_eq!(score("mate 4"), Some(MATE_SCORE));
        assert_eq!(score("mate -1"), Some(-MATE_SCORE));
        assert_eq!(score("mate 0"), Some(-MATE_SCORE));
        assert_eq!(Opinion::of_info("info score mate -3 pv").mate, Some(-3));
        assert_eq!(score("cp 99999999"), Some(MATE_SCORE));
        assert_eq!(score("cp x"), None);
        assert_eq!(Opinion::of_info("info string score cp 5"), Opinion::default());
        assert_eq!(Opinion::of_info(""), Opinion::default());
    }

    #[test]
    fn options_are_read_from_their_declarations() {
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

    /// Everything that is passed on of what an engine says.
    fn heard(said: &[u8]) -> Vec<EngineLine> {
        let (sender, receiver) = sync_channel(WAITING_LINES);
        listen(said, &sender);
        drop(sender);
        receiver.into_iter().collect()
    }

    #[test]
    fn of_all_the_infos_the_last_score_is_kept() {
        let text = "option name X type button\ninfo depth 1 score cp 1\ninfo depth 2 score cp 2 pv a\n\
                    info depth 3 currmove e2e4\nbestmove e2e4 ponder e7e5\r\nbestmove d2d4\n";
        let heard = heard(text.as_bytes());
        assert_eq!(heard[0].text, "option name X type button");
        assert_eq!(heard[1].text, "bestmove e2e4 ponder e7e5");
        assert!(heard[1].info.starts_with("info depth 2"));
        // An opinion of an earlier search is not taken for one of this.
        assert_eq!((heard[2].text.as_str(), heard[2].info.as_str()), ("bestmove d2d4", ""));
        assert_eq!(heard.len(), 3);
    }

    #[test]
    fn what_nobody_waits_for_is_dropped() {
        let flood = "whatever it may be\ninfo string x\n\n".repeat(100 * WAITING_LINES);
        assert_eq!(heard([&flood, "readyok\n"].concat().as_bytes()).len(), 1);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let endless = [b"bestmove ".to_vec(), vec![b'x'; 200_000]].concat();
        let heard = heard(&endless);
        assert_eq!((heard.len(), heard[0].text.len()), (1, LONGEST_LINE as usize));
    }

    #[test]
    fn nothing_that_an_engine_says_reaches_the_terminal_raw() {
        let heard = heard(b"bestmove\te2\x1b[2Je4\n");
        assert_eq!(heard[0].text, "bestmove e2\\u{1b}[2Je4");
        let kept = Mutex::default();
        keep_last_words(&b"\x1b]0;title\x07\n"[..], &kept);
        assert_eq!(kept.into_inner().unwrap(), ["\\u{1b}]0;title\\u{7}"]);
    }
}
