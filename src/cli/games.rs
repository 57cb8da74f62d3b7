//! The games of a PGN file, for commands that take one after the other.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail};

use crate::pgn::{PgnError, PgnGame, PgnReader};
use crate::text::{LineReader, TextKind};
use crate::tools::shard::Shard;

/// The games of the file, broken ones named and passed over, as are broken parts of FENs.
pub(super) struct Games {
    reader: PgnReader<BufReader<File>>,
    /// How many games have been read, broken ones included.
    count: u64,
    /// Whether broken games are to be named.
    is_loud: bool,
}

impl Games {
    /// From the game with this number on, counted from 0. Broken games are named from there on.
    pub fn open_at(path: &Path, number: u64) -> anyhow::Result<Games> {
        let mut games = Games::open(path)?;
        games.pass(number)?;
        games.is_loud = true;
        Ok(games)
    }

    fn open(path: &Path) -> anyhow::Result<Games> {
        let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        Ok(Games {
            reader: PgnReader::new(BufReader::with_capacity(1 << 16, file)),
            count: 0,
            is_loud: false,
        })
    }

    /// The next game that is whole.
    pub fn next(&mut self) -> anyhow::Result<Option<PgnGame>> {
        for read in &mut self.reader {
            self.count += 1;
            match read {
                Ok(game) => {
                    if self.is_loud {
                        tell_ignored_parts(&game, self.count);
                    }
                    return Ok(Some(game));
                }
                Err(PgnError::Game(broken)) if self.is_loud => {
                    eprintln!("aleator: passed over: {broken}");
                }
                Err(PgnError::Game(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// Passes over so many games, or as many as there are, and says how many that were.
    fn pass(&mut self, count: u64) -> anyhow::Result<u64> {
        let mut passed = 0;
        while passed < count && self.next()?.is_some() {
            passed += 1;
        }
        Ok(passed)
    }
}

/// Names what was left out of the FEN of a game, the file's `number`th from 1.
pub(super) fn tell_ignored_parts(game: &PgnGame, number: u64) {
    for part in game.tags.ignored_parts() {
        eprintln!("aleator: game {number}: {part}");
    }
}

/// Which games of the file are the shard's, counted from 0. Another kind of file is refused.
pub(super) fn range_of(path: &Path, shard: Shard) -> anyhow::Result<Range<u64>> {
    refuse_other_files(path)?;
    // To count the games is nothing beside what is done with them.
    Ok(shard.range(Games::open(path)?.pass(u64::MAX)?))
}

fn refuse_other_files(path: &Path) -> anyhow::Result<()> {
    const LOOKED_AT: usize = 10;
    let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let lines = LineReader::new(BufReader::new(file)).or_latin1().take(LOOKED_AT);
    let lines: Vec<String> = lines.filter_map(Result::ok).collect();
    match TextKind::guess(lines.iter().map(String::as_str)) {
        None | Some(TextKind::Pgn) => Ok(()),
        Some(kind) => bail!("'{}' is no PGN: it seems to be {kind}", path.display()),
    }
}
