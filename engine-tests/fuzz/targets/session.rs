//! Fuzzes whole UCI sessions: all lines are answered, and the session ends. The position is always the last
//! position accepted. No search exceeds ten times its limit.
#![no_main]

use std::io::Cursor;
use std::time::Duration;

use aleator::game::Game;
use aleator::protocol::{Output, UciCommand, run_uci};
use aleator::rules::Variant;
use aleator::session::Command;
use aleator_fuzz::{CapturedOutput, worked};
use libfuzzer_sys::fuzz_target;

/// Words in the names of options that are not sent, because these options need much memory or files.
const LEFT_OUT: [&str; 4] = ["hash", "threads", "file", "path"];
/// The node limit of a search. Each search has either this limit or the limit [`MILLIS`].
const NODES: u64 = 300;
/// The time limit of a search in milliseconds.
const MILLIS: u64 = 5;
/// The processor time that a session may use in addition to the time limits of the searches.
const BESIDES: Duration = Duration::from_secs(3);
/// The beginning of the answer to `d` during an infinite search.
const BUSY: &str = "info string display: ";

/// Returns the line to send, or `None` if the line is skipped. Adds a limit to a `go`.
fn sent(line: &str) -> Option<String> {
    match UciCommand::parse(line) {
        Ok(Some(UciCommand::Session(command))) => match command {
            Command::Display | Command::Quit => None,
            Command::SetOption { name, .. } => {
                let name = name.to_ascii_lowercase();
                (!LEFT_OUT.iter().any(|word| name.contains(word))).then(|| line.to_owned())
            }
            _ => Some(line.to_owned()),
        },
        // If a limit is repeated, the last value counts, so the limits added here apply.
        Ok(Some(UciCommand::Go(go))) if go.perft.is_some() => Some(format!("{line} perft 2")),
        Ok(Some(UciCommand::Go(_))) if line.len() % 2 == 0 => {
            Some(format!("{line} movetime {MILLIS}"))
        }
        Ok(Some(UciCommand::Go(_))) => Some(format!("{line} nodes {NODES}")),
        _ => Some(line.to_owned()),
    }
}

fn is_endless(line: &str) -> bool {
    let Ok(Some(UciCommand::Go(go))) = UciCommand::parse(line) else { return false };
    go.request.limits.infinite || go.request.limits.ponder
}

/// Returns the FEN of the position that a `position` command sets up, and whether parts of the FEN in the
/// command were ignored. Returns `None` if the command is invalid.
fn position(variant: Variant, fen: Option<&str>, moves: &[String]) -> Option<(String, bool)> {
    let (mut game, ignored) = match fen {
        Some(fen) => Game::new_lenient(variant, fen).ok()?,
        None => (Game::standard(variant).ok()?, Vec::new()),
    };
    moves.iter().try_for_each(|mv| game.play(mv)).ok()?;
    Some((game.fen(), !ignored.is_empty()))
}

/// Keeps the variant and the position of the session up to date by the answers to each line.
struct Follower {
    variant: Variant,
    fen: String,
}

impl Follower {
    /// Checks the answers to a line. `fen` is the FEN that `d` showed after the line, or `None` during an
    /// infinite search.
    fn follow(&mut self, line: &str, answers: &[&str], fen: Option<&str>) {
        let has = |text: &str| answers.iter().any(|answer| answer.starts_with(text));
        let set = answers.iter().find_map(|answer| answer.strip_prefix("info string variant "));
        if let Some(set) = set {
            let name = set.split(' ').next().unwrap_or_default();
            self.variant = name.parse().expect("the current variant");
        }
        let Some(fen) = fen else { return };
        let command = match UciCommand::parse(line) {
            Ok(Some(UciCommand::Session(command))) => Some(command),
            _ => None,
        };
        match command {
            Some(Command::Position { fen: wanted, moves }) => {
                let wanted = position(self.variant, wanted.as_deref(), &moves);
                let is_told = wanted.as_ref().is_none_or(|(_, ignored)| *ignored);
                assert_eq!(is_told, has("info string position: "), "{line}");
                assert_eq!(fen, wanted.as_ref().map_or(&self.fen, |(fen, _)| fen), "{line}");
            }
            Some(Command::SetOption { .. }) if set.is_some() => {}
            Some(Command::Flip) => {}
            _ => assert_eq!(fen, self.fen, "{line}"),
        }
        self.fen = fen.to_owned();
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines: Vec<String> = text.lines().filter_map(sent).collect();
    let mut input = String::from("setoption name Hash value 1\n");
    lines.iter().for_each(|line| input.extend([line, "\nd\n"]));
    // An endless search needs `stop`. All other searches end when they reach their limits.
    if lines.iter().any(|line| is_endless(line)) {
        input += "stop\n";
    }
    input += "isready\nquit\n";
    let (said, began) = (CapturedOutput::default(), worked());
    run_uci(Cursor::new(input.into_bytes()), Output::new(said.clone()), &[]).expect("no failure");
    let (said, took) = (said.text(), worked() - began);
    assert!(said.contains("readyok"), "{text}\n{said}");

    let searches = lines.iter().filter(|line| line.contains("go")).count() as u32;
    let most = BESIDES + 10 * searches * Duration::from_millis(MILLIS);
    assert!(took < most, "{took:?} of {most:?}\n{text}\n{said}");
    for line in said.lines().filter(|line| line.starts_with("info depth ")) {
        let nodes = line.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next());
        let nodes = nodes.map_or(0, |nodes| nodes.parse::<u64>().expect("a number"));
        let is_timed = lines.iter().any(|line| line.contains("movetime"));
        assert!(is_timed || nodes <= 10 * NODES, "{line}\n{text}");
    }
    let start = Game::standard(Variant::Chess).expect("the start of chess");
    let mut follower = Follower { variant: Variant::Chess, fen: start.fen() };
    let (mut answers, mut waiting) = (Vec::new(), lines.iter());
    for answer in said.lines() {
        let fen = answer.strip_prefix("Fen: ");
        if fen.is_none() && !answer.starts_with(BUSY) {
            answers.push(answer);
        } else if let Some(line) = waiting.next() {
            follower.follow(line, &std::mem::take(&mut answers), fen);
        }
    }
    assert_eq!(waiting.next(), None, "{text}\n{said}");
});
