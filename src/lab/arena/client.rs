//! A UCI engine as a process that plays for the arena.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::fault::Fault;
use crate::rules::Variant;

/// How long an engine may take to say that it is ready.
const READY: Duration = Duration::from_secs(30);
/// How long it may take to leave when told to.
const FAREWELL: Duration = Duration::from_secs(1);
/// Longer lines are cut into lines of this many bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// What is kept of an engine's standard error, in lines.
const LAST_WORDS: usize = 5;

/// An engine that takes part: how it is called and started, and its options.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct EngineSpec {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Names and values, in the order in which they are set.
    pub options: Vec<(String, String)>,
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

/// What the thread that listens to an engine passes on.
enum Heard {
    /// Any line but `info`.
    Line(String),
    /// A `bestmove` line and the last `info` line with a score before it.
    BestMove { at: Instant, text: String, info: String },
    /// The engine has closed its output.
    End,
}

/// What an engine thinks of its own move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opinion {
    /// Centipawns for the side to move; a mate is ±30,000.
    pub score: Option<i32>,
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
pub struct Reply {
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
    process: Child,
    input: ChildStdin,
    heard: Receiver<Heard>,
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
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failure(error.to_string()))?;
        let lost = || failure("its pipes are missing".to_owned());
        let input = process.stdin.take().ok_or_else(lost)?;
        let output = process.stdout.take().ok_or_else(lost)?;
        let errors = process.stderr.take().ok_or_else(lost)?;
        let (sender, heard) = channel();
        std::thread::spawn(move || listen(output, &sender));
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&last_words);
        std::thread::spawn(move || keep_last_words(errors, &shared));
        let (spec, options) = (spec.clone(), BTreeMap::new());
        Ok(Client { process, input, heard, options, spec, last_words })
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
        self.send("uci")?;
        self.wait_for("uciok", READY)
    }

    /// Waits until everything sent so far was dealt with.
    fn settle(&mut self) -> Result<(), Fault> {
        self.send("isready")?;
        self.wait_for("readyok", READY)
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

    /// Announces a game, and waits until the engine is ready for it.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send("ucinewgame")?;
        self.settle()
    }

    /// Asks for a move: the lines `position ...` and `go ...`. `patience` is how long to wait
    /// before the engine counts as hung.
    pub fn ask(&mut self, position: &str, go: &str, patience: Duration) -> Result<Reply, Fault> {
        // What it said unasked is no answer to what comes now.
        while self.heard.try_recv().is_ok() {}
        self.write(&[position, "\n", go, "\n"].concat())?;
        let asked = Instant::now();
        let deadline = asked + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.heard.recv_timeout(left) {
                Ok(Heard::BestMove { at, text, info }) => {
                    let best = text.split_ascii_whitespace().nth(1).unwrap_or_default();
                    return Ok(Reply {
                        best: best.to_owned(),
                        time: at.saturating_duration_since(asked),
                        opinion: Opinion::of_info(&info),
                    });
                }
                Ok(Heard::Line(_)) => {}
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hang { waited: patience }),
            }
        }
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

    /// Waits for a line that begins with this word, and takes note of options on the way.
    fn wait_for(&mut self, word: &'static str, patience: Duration) -> Result<(), Fault> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.heard.recv_timeout(left) {
                Ok(Heard::Line(text)) => {
                    if text.split_ascii_whitespace().next() == Some(word) {
                        return Ok(());
                    }
                    if let Some(option) = Declared::read(&text) {
                        self.options.insert(option.name.to_ascii_lowercase(), option);
                    }
                }
                Ok(Heard::BestMove { .. }) => {}
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Fault::Silent { word: word.to_owned(), waited: patience });
                }
            }
        }
    }

    /// The engine is gone: how, and what it said last.
    fn crash(&mut self) -> Fault {
        let status = self.leave(FAREWELL).map_or_else(String::new, |status| status.to_string());
        // Its last line may still be on the way through the pipe.
        std::thread::sleep(Duration::from_millis(20));
        let lines = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let said = lines.iter().cloned().collect::<Vec<_>>().join(" | ");
        Fault::Crash { status, said }
    }

    /// Waits for the process to end by itself.
    fn leave(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Client {
    /// Says goodbye, and does not insist on an answer.
    fn drop(&mut self) {
        let told = self.input.write_all(b"stop\nquit\n").and_then(|()| self.input.flush());
        if told.is_err() || self.leave(FAREWELL).is_none() {
            // It may be gone by now; then there is nothing to be done.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// The values of `UCI_Variant` under which engines know a variant, the best first. Games that
/// are past their set-up are chess from another array to those who do not know the set-up.
fn names_of(variant: Variant, with_setup: bool) -> &'static [&'static str] {
    match (variant, with_setup) {
        (Variant::Chess, _) => &["chess", "standard", "normal"],
        (Variant::Chess960, _) => &["chess960", "fischerandom", "chess"],
        #[cfg(feature = "board10x10")]
        (Variant::Ifrc, _) => &["ifrc"],
        (Variant::FischerBenko, true) => &["fischerbenko"],
        (Variant::FischerBenko, false) => &["fischerbenko", "chess960", "fischerandom", "chess"],
        (Variant::Transcendental, true) => &["transcendental"],
        (Variant::Transcendental, false) => &["transcendental", "nocastle", "chess"],
        (Variant::Jepps, _) => &["jepps"],
        (Variant::Placement, true) => &["placement"],
        (Variant::Placement, false) => &["placement", "chess960", "fischerandom", "chess"],
    }
}

/// Passes on what an engine says. Of the `info` lines, most of what an engine writes, only the
/// last one with a score is kept, so that the arena wakes up once a move.
fn listen(output: impl Read, sender: &Sender<Heard>) {
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
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        let heard = if text.starts_with("bestmove") {
            let info = String::from_utf8_lossy(&std::mem::take(&mut info)).into_owned();
            Heard::BestMove { at, text, info }
        } else {
            Heard::Line(text)
        };
        if sender.send(heard).is_err() {
            return; // nobody listens any more
        }
    }
    let _ = sender.send(Heard::End);
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
        let text: String = String::from_utf8_lossy(&line).trim().chars().take(200).collect();
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
        let opinion = Opinion { score: Some(-35), depth: Some(12), nodes: Some(1234) };
        assert_eq!(Opinion::of_info(line), opinion);
        let score = |text: &str| Opinion::of_info(&format!("info score {text} depth 3")).score;
        assert_eq!(score("mate 4"), Some(MATE_SCORE));
        assert_eq!(score("mate -1"), Some(-MATE_SCORE));
        assert_eq!(score("mate 0"), Some(-MATE_SCORE));
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

    #[test]
    fn of_all_the_infos_the_last_score_is_kept() {
        let text = "id name x\ninfo depth 1 score cp 1\ninfo depth 2 score cp 2 pv a\n\
                    info depth 3 currmove e2e4\nbestmove e2e4 ponder e7e5\r\nbestmove d2d4\n";
        let (sender, receiver) = channel();
        listen(text.as_bytes(), &sender);
        drop(sender);
        let heard: Vec<Heard> = receiver.into_iter().collect();
        assert!(matches!(&heard[0], Heard::Line(text) if text == "id name x"));
        assert!(matches!(&heard[1], Heard::BestMove { text, info, .. }
            if text == "bestmove e2e4 ponder e7e5" && info.starts_with("info depth 2")));
        // An opinion of an earlier search is not taken for one of this.
        assert!(matches!(&heard[2], Heard::BestMove { info, .. } if info.is_empty()));
        assert!(matches!(heard[3], Heard::End));
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let endless = vec![b'x'; 200_000];
        let (sender, receiver) = channel();
        listen(endless.as_slice(), &sender);
        drop(sender);
        let longest = receiver.into_iter().map(|heard| match heard {
            Heard::Line(text) => text.len(),
            _ => 0,
        });
        assert_eq!(longest.max(), Some(LONGEST_LINE as usize));
    }
}
