//! The games of a PGN file, for commands that process them one by one.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail};

use crate::pgn::{PgnError, PgnGame, PgnReader};
use crate::text::{LineReader, TextKind};
use crate::tools::shard::Shard;

/// The games of a file. Broken ones are skipped and reported, as are broken parts of FENs.
pub(super) struct Games {
    reader: PgnReader<BufReader<File>>,
    /// How many games have been read, including broken ones.
    count: u64,
    /// Whether broken games are reported.
    report_broken: bool,
}

impl Games {
    /// Opens the file at the game with this index. Broken games are reported from there on.
    pub fn open_at(path: &Path, number: u64) -> anyhow::Result<Games> {
        let mut games = Games::open(path)?;
        games.skip(number)?;
        games.report_broken = true;
        Ok(games)
    }

    fn open(path: &Path) -> anyhow::Result<Games> {
        let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        Ok(Games {
            reader: PgnReader::new(BufReader::with_capacity(1 << 16, file)),
            count: 0,
            report_broken: false,
        })
    }

    /// Returns the next valid game.
    pub fn next(&mut self) -> anyhow::Result<Option<PgnGame>> {
        for read in &mut self.reader {
            self.count += 1;
            match read {
                Ok(game) => {
                    if self.report_broken {
                        tell_ignored_parts(&game, self.count);
                    }
                    return Ok(Some(game));
                }
                Err(PgnError::Game(broken)) if self.report_broken => {
                    eprintln!("aleator: skipped: {broken}");
                }
                Err(PgnError::Game(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// Skips this many games, or all that are left, and returns their number.
    fn skip(&mut self, count: u64) -> anyhow::Result<u64> {
        let mut skipped = 0;
        while skipped < count && self.next()?.is_some() {
            skipped += 1;
        }
        Ok(skipped)
    }
}

/// Reports what was left out of the FEN of a game, the file's `number`th from 1.
pub(super) fn tell_ignored_parts(game: &PgnGame, number: u64) {
    for part in game.tags.ignored_parts() {
        eprintln!("aleator: game {number}: {part}");
    }
}

/// Returns the indices of the shard's games. Fails if the file is not PGN.
pub(super) fn range_of(path: &Path, shard: Shard) -> anyhow::Result<Range<u64>> {
    reject_other_files(path)?;
    // Counting the games takes far less time than processing them.
    Ok(shard.range(Games::open(path)?.skip(u64::MAX)?))
}

fn reject_other_files(path: &Path) -> anyhow::Result<()> {
    const EXAMINED_LINES: usize = 10;
    let file = File::open(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let lines = LineReader::new(BufReader::new(file)).or_latin1().take(EXAMINED_LINES);
    let lines: Vec<String> = lines.filter_map(Result::ok).collect();
    match TextKind::guess(lines.iter().map(String::as_str)) {
        None | Some(TextKind::Pgn) => Ok(()),
        Some(kind) => bail!("'{}' is not PGN: it seems to be {kind}", path.display()),
    }
}
