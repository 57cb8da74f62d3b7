//! The games of a PGN file, for commands that process them one by one.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::pgn::{GameProblem, PgnError, PgnGame, PgnReader, Remedy};
use crate::text::{LineReader, TextKind};
use crate::tools::shard::Shard;

/// The games of a shard of a file. Games that cannot be read count as well, so that each game has its
/// number in the file.
pub(super) struct Games {
    path: PathBuf,
    reader: PgnReader<BufReader<File>>,
    /// The indices of the games that are left.
    range: Range<u64>,
    /// Whether any game of the file is complete.
    is_any_complete: bool,
}

impl Games {
    /// Counts the games. Fails if none of them can be read.
    pub fn open(path: &Path, shard: Shard) -> anyhow::Result<Games> {
        reject_other_files(path)?;
        let (mut count, mut is_any_complete, mut problems) = (0, false, Some(Vec::new()));
        // Counting the games takes far less time than processing them.
        for read in open(path)? {
            count += 1;
            match read {
                Ok(game) => {
                    is_any_complete |= game.is_complete();
                    problems = None;
                }
                Err(PgnError::Game(problem)) => {
                    problems.iter_mut().for_each(|all| all.push(problem.clone()))
                }
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(problems) = problems {
            report("", &problems);
            let name = path.display();
            match problems.len() {
                0 => bail!("'{name}' has no game"),
                _ => bail!("'{name}' has no game that can be read"),
            }
        }
        let range = shard.range(count);
        let mut games =
            Games { path: path.to_owned(), reader: open(path)?, range, is_any_complete };
        games.skip(games.range.start);
        Ok(games)
    }

    /// Returns the number of games that are left.
    pub fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Skips games that were processed before.
    pub fn skip_done(&mut self, count: u64) {
        self.skip(count);
        self.range.start += count;
    }

    fn skip(&mut self, count: u64) {
        (0..count).for_each(|_| drop(self.reader.next()));
    }

    /// Returns the next game and its number in the file, from 1; no game if it cannot be read. Reports
    /// what is wrong with it.
    pub fn next(&mut self) -> anyhow::Result<Option<(u64, Option<PgnGame>)>> {
        if self.range.next().is_none() {
            return Ok(None);
        }
        let game = match self.reader.next() {
            None => return Ok(None),
            Some(Ok(game)) => {
                report("", &game.problems);
                Some(game)
            }
            Some(Err(PgnError::Game(problem))) => {
                report("", [&problem]);
                None
            }
            Some(Err(error)) => return Err(error.into()),
        };
        Ok(Some((self.range.start, game)))
    }

    /// Fails if no game of the file is complete.
    pub fn finish(self) -> anyhow::Result<()> {
        if !self.is_any_complete {
            bail!("'{}' has no complete game", self.path.display());
        }
        Ok(())
    }
}

fn open(path: &Path) -> anyhow::Result<PgnReader<BufReader<File>>> {
    let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    Ok(PgnReader::new(BufReader::with_capacity(1 << 16, file)))
}

/// Reports what is wrong with games. `file` names their file, or is empty.
pub(super) fn report<'a>(file: &str, problems: impl IntoIterator<Item = &'a GameProblem>) {
    for problem in problems {
        let word = if problem.remedy == Remedy::Skip { "skipped" } else { "warning" };
        eprintln!("aleator: {file}{word}: {problem}");
    }
}

fn reject_other_files(path: &Path) -> anyhow::Result<()> {
    const EXAMINED_LINES: usize = 10;
    let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let lines = LineReader::new(BufReader::new(file)).or_latin1().or_cr().take(EXAMINED_LINES);
    let lines: Vec<String> = lines.filter_map(Result::ok).collect();
    match TextKind::guess(lines.iter().map(String::as_str)) {
        None | Some(TextKind::Pgn) => Ok(()),
        Some(kind) => bail!("'{}' is not PGN: it seems to be {kind}", path.display()),
    }
}
