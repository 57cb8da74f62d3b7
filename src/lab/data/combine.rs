use std::collections::HashSet;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::block::{Damage, board_name};
use super::filter::Filter;
use super::game::Game;
use super::manifest::{Counts, Manifest, Origin, Source};
use super::writer::Writer;
use super::{DataError, scan};
use crate::rules::BoardSize;
use crate::start::Rng;

/// What came of putting files together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Combined {
    pub counts: Counts,
    /// Games that were left out because they were there already.
    pub twice: u64,
}

/// Puts the games of several files into one, file by file; a game that was there already (same
/// set, same index) is left out. What is damaged is reported and left out too. Keeps some ten
/// bytes for each game in memory.
pub fn merge(
    files: &[PathBuf],
    out: &Path,
    games_per_block: u16,
    report: &mut dyn FnMut(&Path, Damage),
) -> Result<Combined, DataError> {
    let board = board_of(files)?;
    let mut draft = Draft::create(out)?;
    let mut writer = Writer::new(BufWriter::new(draft.file()?), board, games_per_block);
    let mut seen = HashSet::new();
    let mut combined = Combined::default();
    read_games(files, board, report, &mut |set, game| {
        if !seen.insert((set, game.index)) {
            combined.twice += 1;
            return Ok(());
        }
        combined.counts.add(game, Filter::default());
        writer.push(set, game.bytes()).map_err(|error| draft.failed(error))
    })?;
    writer.finish().map_err(|error| draft.failed(error))?;
    let origin = Origin::Merge { sources: sources(files)? };
    draft.finish(board, origin, combined.counts)?;
    Ok(combined)
}

/// Puts the games of files into one in random order, every order as likely as the others; the same
/// seed gives the same order. What is damaged is reported and left out.
///
/// Holds no more than about `memory` bytes: each game goes to one of several files at random, so
/// many that each of them fits; then these are read, shuffled and joined one after the other. They
/// lie beside the result, take as much room as the games, and are removed at the end.
pub fn shuffle(
    files: &[PathBuf],
    out: &Path,
    games_per_block: u16,
    (seed, memory): (u64, u64),
    report: &mut dyn FnMut(&Path, Damage),
) -> Result<Combined, DataError> {
    let board = board_of(files)?;
    let mut draft = Draft::create(out)?;
    let mut rng = Rng::new(seed);
    let parts = deal(files, board, &draft, (&mut rng, part_count(files, memory)), report)?;
    let mut combined = Combined::default();
    let mut writer = Writer::new(BufWriter::new(draft.file()?), board, games_per_block);
    for part in &parts.0 {
        let mut records = load(part, board)?;
        // Fisher and Yates.
        for last in (1..records.len()).rev() {
            records.swap(last, rng.below(last as u64 + 1) as usize);
        }
        for (set, record) in &records {
            if let Some(game) = Game::read(record) {
                combined.counts.add(&game, Filter::default());
            }
            writer.push(*set, record).map_err(|error| draft.failed(error))?;
        }
    }
    writer.finish().map_err(|error| draft.failed(error))?;
    drop(parts);
    let origin = Origin::Shuffle { seed, sources: sources(files)? };
    draft.finish(board, origin, combined.counts)?;
    Ok(combined)
}

/// How many parts fit the memory: half of it for the games, because parts differ in size and a
/// record in memory takes more than in a file.
fn part_count(files: &[PathBuf], memory: u64) -> usize {
    /// Open files are limited, to 1,024 on most systems.
    const MOST: u64 = 900;
    let bytes: u64 = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|m| m.len()).sum();
    bytes.div_ceil((memory / 2).max(1)).clamp(1, MOST) as usize
}

/// Files that are removed when they are no longer needed.
struct Parts(Vec<PathBuf>);

impl Drop for Parts {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path); // if it cannot be, it does no harm
        }
    }
}

/// Gives each game to one of the parts.
fn deal(
    files: &[PathBuf],
    board: BoardSize,
    draft: &Draft,
    (rng, count): (&mut Rng, usize),
    report: &mut dyn FnMut(&Path, Damage),
) -> Result<Parts, DataError> {
    let parts = Parts((0..count).map(|n| draft.path.with_extension(format!("part{n}"))).collect());
    let failed = |path: &Path, error| DataError::Write { path: path.to_owned(), error };
    let mut writers = Vec::with_capacity(count);
    for path in &parts.0 {
        let file = File::create(path).map_err(|error| failed(path, error))?;
        writers.push(Writer::new(BufWriter::new(file), board, 1));
    }
    read_games(files, board, report, &mut |set, game| {
        let n = rng.below(count as u64) as usize;
        writers[n].push(set, game.bytes()).map_err(|error| failed(&parts.0[n], error))
    })?;
    for (writer, path) in writers.into_iter().zip(&parts.0) {
        writer.finish().map_err(|error| failed(path, error))?;
    }
    Ok(parts)
}

/// A game's set and its bytes.
type Record = (u32, Box<[u8]>);

/// The records of a part.
fn load(part: &Path, board: BoardSize) -> Result<Vec<Record>, DataError> {
    let mut records = Vec::new();
    let mut damaged = None;
    read_games(
        &[part.to_owned()],
        board,
        &mut |_, damage| damaged = Some(damage),
        &mut |set, game| {
            records.push((set, game.bytes().into()));
            Ok(())
        },
    )?;
    match damaged {
        None => Ok(records),
        // We have just written it, so the disk must be bad.
        Some(damage) => {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, damage);
            Err(DataError::Read { path: part.to_owned(), error })
        }
    }
}

/// Every game of files of one board, with its set.
fn read_games(
    files: &[PathBuf],
    board: BoardSize,
    report: &mut dyn FnMut(&Path, Damage),
    visit: &mut dyn FnMut(u32, &Game) -> Result<(), DataError>,
) -> Result<(), DataError> {
    for path in files {
        scan(path, &mut |found| match found {
            Err(damage) => {
                report(path, damage);
                Ok(())
            }
            Ok(block) if block.board != board => Err(DataError::Boards {
                path: path.clone(),
                expected: board_name(board),
                found: board_name(block.board),
            }),
            Ok(block) => block.games().try_for_each(|game| visit(block.set, &game)),
        })?;
    }
    Ok(())
}

/// The board of the first block there is.
fn board_of(files: &[PathBuf]) -> Result<BoardSize, DataError> {
    for path in files {
        let failed = |error| DataError::Read { path: path.clone(), error };
        let mut reader = super::Reader::new(File::open(path).map_err(failed)?);
        loop {
            match reader.next_block() {
                Ok(Some(block)) => return Ok(block.board),
                Ok(None) => break,
                Err(super::ReadError::Damage(_)) => {}
                Err(super::ReadError::Io(error)) => return Err(failed(error)),
            }
        }
    }
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    Err(DataError::Empty { files: names.join(", ") })
}

fn sources(files: &[PathBuf]) -> Result<Vec<Source>, DataError> {
    let source = |path: &PathBuf| {
        Ok(Source { file: path.display().to_string(), manifest: Manifest::beside(path)? })
    };
    files.iter().map(source).collect()
}

/// A file that gets its name when it is finished, and is removed if it never is.
struct Draft {
    path: PathBuf,
    out: PathBuf,
}

impl Draft {
    fn create(out: &Path) -> Result<Draft, DataError> {
        if out.exists() {
            return Err(DataError::Exists { path: out.to_owned() });
        }
        let draft = Draft { path: out.with_extension("draft"), out: out.to_owned() };
        if let Some(folder) = out.parent() {
            fs::create_dir_all(folder).map_err(|error| draft.failed(error))?;
        }
        Ok(draft)
    }

    fn file(&self) -> Result<File, DataError> {
        File::create(&self.path).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: std::io::Error) -> DataError {
        DataError::Write { path: self.path.clone(), error }
    }

    fn finish(
        &mut self,
        board: BoardSize,
        origin: Origin,
        counts: Counts,
    ) -> Result<(), DataError> {
        let manifest = Manifest { counts, ..Manifest::new(board_name(board), origin) };
        manifest.write(&Manifest::path_of(&self.out))?;
        fs::rename(&self.path, &self.out).map_err(|error| self.failed(error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path); // not there any more if it was finished
    }
}
