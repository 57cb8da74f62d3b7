//! The command `bench`, which extends UCI.

use std::time::Duration;

use super::{CommandError, CommandForm, MAX_MILLIS, UciCommand, Words, read_number};
use crate::bench::{DEPTH, Settings, run};
use crate::search::Limits;
use crate::session::{Command, Event, ExtraTask, SessionError};

/// The maximum number of threads of a bench.
const MOST_THREADS: u32 = 1024;

/// The command `bench`.
pub const BENCH: CommandForm = CommandForm {
    name: "bench",
    arguments: "[<depth>] | <hash> <threads> <limit> [default [depth|nodes|movetime]]",
    purpose: "search a fixed set of positions and count the nodes; takes the arguments of Stockfish's bench",
    read: |words| Ok(task(read_bench(words)?)),
};

/// Parses the arguments of `bench`: a depth, or the arguments of Stockfish's `bench`. A file of positions,
/// which Stockfish's `bench` accepts, is rejected.
pub fn read_bench(words: &mut Words) -> Result<Settings, CommandError> {
    let mut settings = Settings::to_depth(DEPTH);
    if words.peek().is_none() {
        return Ok(settings);
    }
    let first = read_number(words, "bench", "bench")?;
    if words.peek().is_none() {
        return Ok(Settings::to_depth(saturate(first)));
    }
    settings.hash = saturate(first).max(1) as usize;
    settings.threads =
        saturate(read_number(words, "bench", "<hash>")?).clamp(1, MOST_THREADS) as usize;
    let limit = match words.peek() {
        Some(_) => read_number(words, "bench", "<threads>")?,
        None => return Ok(settings),
    };
    if let Some(word) = words.next().filter(|word| !matches!(*word, "default" | "current")) {
        return Err(CommandError::form("bench", Some(word), "<limit>"));
    }
    settings.limits = match words.next() {
        None | Some("depth") => Limits::depth(saturate(limit)),
        Some("nodes") => Limits::nodes(limit),
        Some("movetime") => {
            let time = Duration::from_millis(limit.min(MAX_MILLIS));
            Limits { move_time: Some(time), ..Limits::default() }
        }
        word => return Err(CommandError::form("bench", word, "default")),
    };
    Ok(settings)
}

fn saturate(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn task(settings: Settings) -> UciCommand {
    let task = ExtraTask::new("bench", settings.is_short(), move |options, control, frontend| {
        let mut print = |line: String| frontend.hear(Event::Text(&line));
        let total = run(&settings, &options.networks, control, &mut print);
        print(total.ok_or(SessionError::Stopped("bench"))?.to_string());
        Ok(())
    });
    UciCommand::Session(Command::Extra(task))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_is_optional() {
        let settings = |words: &str| read_bench(&mut Words::new(words)).unwrap();
        assert_eq!(settings(""), Settings::to_depth(DEPTH));
        assert_eq!(settings("12"), Settings::to_depth(12));
        assert_eq!(settings(&"9".repeat(99)), Settings::to_depth(u32::MAX));
        assert!(settings("").is_short() && settings("9").is_short() && !settings("14").is_short());
        let error = |line| UciCommand::parse_with(&[BENCH], line).unwrap_err().to_string();
        assert!(error("bench deep").ends_with("; found 'deep' after 'bench'"));
        assert!(error("bench -3").ends_with("; found '-3' after 'bench'"));
    }

    #[test]
    fn stockfish_arguments_are_parsed() {
        let read = |words: &str| read_bench(&mut Words::new(words));
        let settings = |hash, threads, limits| Settings { limits, hash, threads };
        let five = settings(128, 1, Limits::depth(8));
        assert_eq!(read("128 1 8 default depth").unwrap(), five);
        assert_eq!(read("128 1 8").unwrap(), five);
        assert_eq!(read("16 2").unwrap(), settings(16, 2, Limits::depth(DEPTH)));
        assert_eq!(read("0 0 5000 current nodes").unwrap(), settings(1, 1, Limits::nodes(5000)));
        let time = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        assert_eq!(read("16 1 20 default movetime").unwrap(), settings(16, 1, time));
        for (words, wrong) in [
            ("16 x", "found 'x' after '<hash>'"),
            ("16 1 many", "found 'many' after '<threads>'"),
            ("16 1 8 my.epd", "found 'my.epd' after '<limit>'"),
            ("16 1 8 default perft", "found 'perft' after 'default'"),
        ] {
            assert!(read(words).unwrap_err().to_string().ends_with(wrong), "{words}");
        }
    }
}
