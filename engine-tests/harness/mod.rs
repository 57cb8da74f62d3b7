//! Helper functions of the integration tests: run the real binary as a child process, parse the output, and
//! check the output against the rules of the game.

// Each test binary that includes this module uses only some of the functions.
#![allow(dead_code)]

pub mod command;
pub mod game;
pub mod info;
pub mod python;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use aleator::random::Rng;
use aleator::rules::BoardSize;
use info::{Info, Search, bench_nodes};

/// The longest time to wait for an answer. A later answer fails the test. Even on a busy machine, answers
/// need far less time.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The path of the binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_aleator");

/// Whether this build includes the 10x10 board. Without the board, tests of the 10x10 board return
/// immediately.
pub fn has_10x10() -> bool {
    BoardSize::ALL.len() > 1
}

/// Returns the folder of the three- and four-piece tablebases. If `make syzygy-tables` has not downloaded the
/// tablebases, prints a message and returns `None`. Tests of tablebases then return immediately.
pub fn syzygy_path() -> Option<&'static str> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/syzygy");
    let is_there = Path::new(path).join("KQvK.rtbw").exists();
    if !is_there {
        eprintln!("skipped: no tablebases; 'make syzygy-tables' downloads them");
    }
    is_there.then_some(path)
}

/// The engine as a GUI sees it: a process that reads and writes lines.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Option<JoinHandle<String>>,
}

impl Engine {
    /// Starts the binary without arguments.
    pub fn start() -> Engine {
        let mut child = Command::new(BINARY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("the engine writes UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        Engine { child, input, output, errors: Some(errors) }
    }

    /// Starts the binary and sends the given lines.
    pub fn with(lines: &[&str]) -> Engine {
        let mut engine = Engine::start();
        lines.iter().for_each(|line| engine.send(line));
        engine
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes without a line ending.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads its input");
    }

    /// Returns the next line of output. Panics if there is no line in time.
    pub fn line(&mut self) -> String {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => line,
            Err(error) => panic!("no line from the engine: {error}"),
        }
    }

    /// Reads lines up to and including the first line for which `fits` returns `true`. Returns all lines
    /// read.
    pub fn lines_until(&mut self, mut fits: impl FnMut(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = match self.output.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(error) => panic!("the expected line is missing ({error}) after {lines:#?}"),
            };
            lines.push(line);
            if lines.last().is_some_and(|line| fits(line)) {
                return lines;
            }
        }
    }

    /// Waits until every command sent is finished or running. Returns the lines that the engine writes until
    /// then, without the descriptions of variants.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.lines_until(|line| line == "readyok");
        lines.pop();
        lines.retain(|line| !line.starts_with("info string variant "));
        lines
    }

    /// Sends a line and returns the lines that the engine writes before it answers `isready`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.sync()
    }

    /// Sends a line that the engine must accept without an answer.
    pub fn tell(&mut self, line: &str) {
        let answer = self.ask(line);
        assert!(answer.is_empty(), "'{line}' was answered: {answer:?}");
    }

    /// Sends a line that the engine must reject with a single `info string`. Returns the text of the `info
    /// string`.
    pub fn refusal(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        let [remark] = &answer[..] else { panic!("'{line:.80}' was answered: {answer:?}") };
        let text = remark.strip_prefix("info string ");
        text.unwrap_or_else(|| panic!("'{line:.80}' was answered: {remark}")).to_owned()
    }

    /// Sends a `go` whose search ends by itself. Returns the output of the search.
    pub fn go(&mut self, line: &str) -> Search {
        self.send(line);
        self.best_move()
    }

    /// Reads up to `bestmove`. Returns the output of the search.
    pub fn best_move(&mut self) -> Search {
        Search::new(self.lines_until(|line| line.starts_with("bestmove")))
    }

    /// Reads up to the first `info` line with at least the given depth.
    pub fn wait_for_depth(&mut self, depth: u32) {
        self.lines_until(|line| Info::parse(line).is_some_and(|info| info.depth >= depth));
    }

    /// Waits until the running search reaches the given depth, then stops the search. Returns the output of
    /// the search.
    pub fn stop_at_depth(&mut self, depth: u32) -> Search {
        let mut lines =
            self.lines_until(|line| Info::parse(line).is_some_and(|info| info.depth >= depth));
        self.send("stop");
        lines.extend(self.lines_until(|line| line.starts_with("bestmove")));
        Search::new(lines)
    }

    /// Waits until no search runs, and discards the remaining output.
    pub fn settle(&mut self) {
        self.send("stop");
        while !self.ask("d").iter().any(|line| line.starts_with("Fen: ")) {}
    }

    /// Asserts that the running search does not return a best move before its first score and twenty
    /// answers to `isready`.
    pub fn assert_no_best_move(&mut self, what: &str) {
        let mut lines = self.lines_until(|line| line.contains(" score "));
        for _ in 0..20 {
            lines.extend(self.sync());
        }
        let early = lines.iter().find(|line| line.starts_with("bestmove"));
        assert!(early.is_none(), "{what}: {early:?} before 'stop'");
    }

    /// Runs `bench` to the given depth. Returns the number of nodes.
    pub fn bench(&mut self, depth: u32) -> u64 {
        self.send(&format!("bench {depth}"));
        let lines = self.lines_until(|line| line.ends_with(" nps") && !line.contains(':'));
        bench_nodes(&lines[lines.len() - 1])
    }

    /// Returns the FEN that `d` shows.
    pub fn fen(&mut self) -> String {
        let lines = self.ask("d");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| panic!("no FEN in {lines:#?}")).to_owned()
    }

    /// Closes the input and asserts that the program exits without errors. Returns the last lines of output.
    pub fn end_input(mut self) -> Vec<String> {
        self.input = None;
        self.ended()
    }

    /// Sends `quit` and asserts that the program exits without errors. Returns the last lines of output.
    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.ended()
    }

    fn ended(mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end"),
            }
        }
        let status: ExitStatus = self.child.wait().expect("the engine ends");
        let errors = self.errors.take().map(|thread| thread.join().unwrap_or_default());
        assert!(status.success(), "the engine ended with {status}: {errors:?}");
        assert_eq!(errors.as_deref(), Some(""), "the engine wrote to stderr");
        lines
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // After `ended` the process has already exited, and killing it has no effect.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(errors) = self.errors.take().and_then(|thread| thread.join().ok())
            && !std::thread::panicking()
        {
            assert_eq!(errors, "", "the engine wrote to stderr");
        }
    }
}

/// Returns a random element of `choices`.
pub fn pick<'a, T>(rng: &mut Rng, choices: &'a [T]) -> &'a T {
    &choices[rng.below(choices.len() as u64) as usize]
}
