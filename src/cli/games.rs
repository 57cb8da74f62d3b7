//! Commands that process the games of a PGN file one by one.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::interrupt;
use super::resumable::{ResumableArgs, read_input};
use crate::pgn::{GameProblem, PgnError, PgnGame, PgnReader, Remedy};
use crate::rules::BoardSize;
use crate::search::Control;
use crate::text::{LineReader, TextKind};
use crate::tools::shard::Shard;

/// The number of lines that are examined to guess whether a file is PGN.
const EXAMINED_LINES: usize = 10;

/// The arguments shared by all commands that process a PGN file.
#[derive(Args, Debug)]
pub(super) struct GamesArgs {
    /// Input file: PGN with games of any variant. `-` is standard input.
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    #[command(flatten)]
    output: ResumableArgs,
}

/// The output text and the statistics of one game, or `None` if the run was interrupted.
type Processed<N> = anyhow::Result<Option<(String, N)>>;

/// Processes the games of a file one by one and writes the results. `process` returns the text and the
/// statistics of a game, and `tell` describes these statistics for the user. `words` must contain everything
/// except the games that affects the results. Fails if no game is complete.
pub(super) fn process<N: Default + Serialize + DeserializeOwned>(
    arguments: &GamesArgs,
    mut words: Value,
    process: &mut dyn FnMut(PgnGame, u64, &Control) -> Processed<N>,
    tell: &mut dyn FnMut(&N) -> String,
) -> anyhow::Result<()> {
    let name = arguments.games.display();
    let (bytes, input) = read_input(&arguments.games)?;
    words["games"] = input;
    let lines = LineReader::new(&bytes[..]).or_latin1().or_cr().take(EXAMINED_LINES);
    let lines: Vec<String> = lines.filter_map(Result::ok).collect();
    if let Some(kind) = TextKind::guess(lines.iter().map(String::as_str))
        && kind != TextKind::Pgn
    {
        bail!("'{name}' is not PGN: the file seems to be {kind}");
    }
    let games = || PgnReader::new(&bytes[..]);
    // Counting the games takes far less time than processing them.
    let work = (Shard::WHOLE, games().count() as u64);
    if !games().any(|game| game.is_ok()) {
        games().try_for_each(|game| readable(game).map(drop))?;
        bail!("'{name}' has no game{}", if work.1 == 0 { "" } else { " that can be read" });
    }
    let mut each = |note: N| drop(tell(&note));
    if let Some(mut results) = arguments.output.open(BoardSize::ALL, words, "", work, &mut each)? {
        let control = interrupt::control();
        for game in games().skip(results.left.start as usize) {
            let number = results.left.start + 1;
            let Some(game) = readable(game)? else {
                results.add("", &N::default())?;
                continue;
            };
            let found =
                process(game, number, &control).with_context(|| format!("game {number}"))?;
            let Some((text, note)) = found else { return Err(results.interrupted()) };
            results.add(&text, &note)?;
            results.bar.suspend(|| eprintln!("game {number}: {}", tell(&note)));
        }
        results.finish()?;
    }
    let is_complete = |game: Result<PgnGame, _>| game.is_ok_and(|game| game.is_complete());
    ensure!(games().any(is_complete), "'{name}' has no complete game");
    Ok(())
}

/// Returns a game, or `None` if the game cannot be read. Reports the problems of the game.
fn readable(game: Result<PgnGame, PgnError>) -> anyhow::Result<Option<PgnGame>> {
    let game = match game {
        Err(PgnError::Game(problem)) => {
            report("", [&problem]);
            return Ok(None);
        }
        game => game?,
    };
    report("", &game.problems);
    Ok(Some(game))
}

/// Reports problems of games. Each message begins with `file`, which names the file or is empty.
pub(super) fn report<'a>(file: &str, problems: impl IntoIterator<Item = &'a GameProblem>) {
    for problem in problems {
        let word = if problem.remedy == Remedy::Skip { "skipped" } else { "warning" };
        eprintln!("aleator: {file}{word}: {problem}");
    }
}
