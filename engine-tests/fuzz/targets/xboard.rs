//! Fuzzes whole sessions of the XBoard protocol: every ping is answered in order, and the session ends. In
//! half of the inputs each line is sent only after the previous line has been answered. The engine's game is
//! then checked too.
#![no_main]

use std::collections::VecDeque;
use std::io::{self, BufReader, Read};
use std::time::Duration;

use aleator::game::Game;
use aleator::protocol::{Output, run_xboard};
use aleator::rules::Variant;
use aleator_fuzz::{CapturedOutput, worked};
use libfuzzer_sys::fuzz_target;

/// Words in the names of options that are not sent, because the values of these options are files.
const LEFT_OUT: [&str; 2] = ["file", "path"];
/// The processor time that a session may use in addition to the time limits of the searches.
const BESIDES: Duration = Duration::from_secs(6);
/// The time limit of each search.
const LIMIT: Duration = Duration::from_millis(10);
const SET_LIMIT: &str = "st 0.01\n";

/// Returns the line to send, or `None` if the line is skipped. If the line changes the time limit, adds a
/// line that sets the limit again.
fn sent(line: &str) -> Option<String> {
    match line.split_ascii_whitespace().next()? {
        "quit" | "memory" | "cores" | "ping" => None,
        "level" | "st" => Some(format!("{line}\n{SET_LIMIT}")),
        "option" if LEFT_OUT.iter().any(|word| line.to_ascii_lowercase().contains(word)) => None,
        _ => Some(format!("{line}\n")),
    }
}

/// The input of a session: lines, each followed by a ping.
struct Lines {
    waiting: VecDeque<String>,
    pings: usize,
    /// The engine's output. If it is given, each line is sent only after the previous ping has been answered.
    said: Option<CapturedOutput>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(line) = self.waiting.pop_front() else { return Ok(0) };
        if let Some(said) = self.said.as_ref().filter(|_| self.pings > 0) {
            said.wait_for(&format!("pong {}\n", self.pings));
        }
        self.pings += 1;
        let text = format!("{line}ping {}\n", self.pings);
        buffer[..text.len()].copy_from_slice(text.as_bytes());
        Ok(text.len())
    }
}

/// The state that the engine should have according to the commands and answers.
struct Follower {
    game: Game,
    /// Whether the last position or variant was rejected, so that no move is legal.
    is_refused: bool,
}

impl Follower {
    fn follow(&mut self, line: &str, answers: &[&str]) {
        let line = line.trim_ascii();
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim_ascii();
        let has = |text: &str| answers.iter().any(|answer| answer.starts_with(text));
        let is_done = !has("Error") && !has("Illegal move") && !has("tellusererror");
        let standard = |variant| Game::standard(variant).expect("every variant has a start");
        match word {
            "new" => (self.game, self.is_refused) = (standard(Variant::Chess), false),
            "variant" if is_done => {
                let variant = rest.parse().expect("a variant");
                (self.game, self.is_refused) = (standard(variant), false);
            }
            "variant" => self.is_refused |= !rest.is_empty(),
            "setboard" if is_done => {
                let game = Game::new(self.game.variant(), rest);
                (self.game, self.is_refused) = (game.expect("the position is legal"), false);
            }
            "setboard" => self.is_refused |= !rest.is_empty(),
            "undo" if is_done => drop(self.game.undo().expect("a move")),
            "remove" if is_done => (0..2).for_each(|_| drop(self.game.undo().expect("two moves"))),
            "usermove" if is_done => self.game.play(rest).expect("a move"),
            "usermove" => assert!(self.is_refused || self.game.read(rest).is_err(), "{line}"),
            _ if is_done && line == word && !self.is_refused => drop(self.game.play(line)),
            _ => {}
        }
        for mv in answers.iter().filter_map(|answer| answer.strip_prefix("move ")) {
            assert!(!self.is_refused, "{line}: {mv}");
            self.game.play(mv).unwrap_or_else(|error| panic!("{line}: {mv}: {error}"));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((first, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let lines: Vec<String> = text.lines().filter_map(sent).collect();
    let (said, began) = (CapturedOutput::default(), worked());
    let in_step = (first % 2 == 0).then(|| said.clone());
    let mut waiting = VecDeque::from(["memory 1\n".to_owned() + SET_LIMIT]);
    waiting.extend(lines.iter().cloned());
    let input = Lines { waiting, pings: 0, said: in_step.clone() };
    run_xboard(BufReader::with_capacity(1 << 16, input), Output::new(said.clone()))
        .expect("no failure");
    let (said, took) = (said.text(), worked() - began);
    let most = BESIDES + 10 * lines.len() as u32 * LIMIT;
    assert!(took < most, "{took:?} of {most:?}\n{text}\n{said}");

    let game = Game::standard(Variant::Chess).expect("the start of chess");
    let mut follower = Follower { game, is_refused: false };
    let (mut answers, mut number) = (Vec::new(), 0_usize);
    for answer in said.lines() {
        let Some(pong) = answer.strip_prefix("pong ") else {
            answers.push(answer);
            continue;
        };
        assert_eq!(pong, (number + 1).to_string(), "{text}\n{said}");
        let answers = std::mem::take(&mut answers);
        // The first line sets the memory and the time limit.
        if let Some(line) = number.checked_sub(1).map(|number| &lines[number])
            && in_step.is_some()
        {
            follower.follow(line.lines().next().unwrap_or_default(), &answers);
        }
        number += 1;
    }
    assert_eq!(number, lines.len() + 1, "{text}\n{said}");
});
