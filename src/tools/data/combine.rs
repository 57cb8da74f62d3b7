//! Merges and shuffles files of games.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{BufWriter, Seek};
use std::path::{Path, PathBuf};

use super::DataError;
use super::block::{Damage, UNPACKED};
use super::filter::Filter;
use super::game::StoredGame;
use super::manifest::{Counts, Manifest, Origin, Share, Source};
use super::reader::{board_of, lock, open, scan_from};
use super::writer::BlockWriter;
use crate::files::{FileError, IfExists, NewFile};
use crate::random::Rng;
use crate::rules::BoardSize;

/// The numbers of games that were merged or shuffled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Combined {
    pub counts: Counts,
    /// The number of duplicate games that were skipped.
    pub twice: u64,
}

/// Where merged or shuffled games are written, and in which form.
#[derive(Clone, Copy, Debug)]
pub struct CombineTarget<'a> {
    /// The path of the file of games. The manifest is written next to the file. Missing folders are created.
    pub path: &'a Path,
    pub games_per_block: u16,
    /// The version of the format to write: [`VERSION`](super::VERSION) or [`UNPACKED`].
    pub version: u8,
    /// What to do if the games or the manifest already exist. A file that datagen is writing to is never
    /// replaced.
    pub if_exists: IfExists,
}

/// Merges the games of several files, in the order of the files. Writes each game only once: a second game
/// with the same data set and index is skipped. Skips and reports damaged blocks. Fails if a file contains a
/// shard of a data set and games of other shards are missing. Needs about ten bytes of memory per game.
pub fn merge(
    files: &[PathBuf],
    target: &CombineTarget,
    report: &mut dyn FnMut(&Path, Damage),
) -> Result<Combined, DataError> {
    let mut draft = Draft::create(files, target)?;
    let mut seen = HashSet::new();
    let mut twice = 0;
    let board = draft.board;
    for path in files {
        read_games(open(path)?, path, board, report, &mut |set, game| {
            if seen.insert((set, game.index)) {
                return draft.push(set, game.bytes());
            }
            twice += 1;
            Ok(())
        })?;
    }
    check_shares(&draft.sources, &seen)?;
    let sources = draft.sources.clone();
    Ok(Combined { counts: draft.finish(Origin::Merge { sources })?, twice })
}

/// Checks for every data set that was generated in shards that the games of all shards are there.
fn check_shares(sources: &[Source], seen: &HashSet<(u32, u32)>) -> Result<(), DataError> {
    let mut missing = BTreeSet::new();
    for manifest in sources.iter().filter_map(|source| source.manifest.as_ref()) {
        let (Origin::Datagen { set, .. }, Some(share)) = (&manifest.origin, manifest.share) else {
            continue;
        };
        let of_set = seen.iter().filter(|(one, _)| one == set);
        let mut indices: Vec<u32> = of_set.map(|(_, index)| *index).collect();
        indices.sort_unstable();
        let below = |end: u32| indices.partition_point(|index| *index < end);
        for shard in share.shard.all() {
            let range = Share { shard, ..share }.range();
            // Counts the games by binary search, because a manifest may claim billions of games.
            let there = below(range.end) - below(range.start);
            if there < range.len() {
                let text = format!("shard {shard} has {there} of its {} games", range.len());
                missing.insert((*set, range.start, text));
            }
        }
    }
    let missing: Vec<String> = missing.into_iter().map(|(.., text)| text).collect();
    if missing.is_empty() { Ok(()) } else { Err(DataError::Missing { missing }) }
}

/// Writes the games of several files in a uniformly random order that depends on the seed. Skips and reports
/// damaged blocks.
///
/// Needs at most about `memory` bytes. First, the games are distributed at random to several anonymous
/// temporary files, each small enough for memory. Then each temporary file is loaded and shuffled, and its
/// games are written to the result. The temporary files are in the folder of the result and together take as
/// much space as the games.
pub fn shuffle(
    files: &[PathBuf],
    target: &CombineTarget,
    (seed, memory): (u64, u64),
    report: &mut dyn FnMut(&Path, Damage),
) -> Result<Combined, DataError> {
    let mut draft = Draft::create(files, target)?;
    let mut rng = Rng::new(seed);
    for part in distribute(files, &draft, (&mut rng, part_count(files, memory)), report)? {
        let mut records = load(part, &draft)?;
        rng.shuffle(&mut records);
        records.iter().try_for_each(|(set, record)| draft.push(*set, record))?;
    }
    let sources = draft.sources.clone();
    Ok(Combined { counts: draft.finish(Origin::Shuffle { seed, sources })?, twice: 0 })
}

/// Returns the number of temporary files. Each file should take at most half of the memory, because the files
/// differ in size and a record takes more space in memory than in a file.
fn part_count(files: &[PathBuf], memory: u64) -> usize {
    /// The number of open files is limited, to 1,024 on most systems.
    const MAX_PARTS: u64 = 900;
    let bytes: u64 = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|m| m.len()).sum();
    bytes.div_ceil((memory / 2).max(1)).clamp(1, MAX_PARTS) as usize
}

/// Distributes the games at random to anonymous temporary files in the folder of the result.
fn distribute(
    files: &[PathBuf],
    draft: &Draft,
    (rng, count): (&mut Rng, usize),
    report: &mut dyn FnMut(&Path, Damage),
) -> Result<Vec<File>, DataError> {
    let failed = |error| FileError::Write { path: draft.path.clone(), error };
    let mut parts = Vec::with_capacity(count);
    for _ in 0..count {
        let file = tempfile::tempfile_in(crate::files::folder_of(&draft.path)).map_err(failed)?;
        // The games are soon read back, so packing them would cost more time than it saves.
        let part = BlockWriter::new(BufWriter::new(file), draft.board, 1).in_version(UNPACKED);
        parts.push(part);
    }
    for path in files {
        read_games(open(path)?, path, draft.board, report, &mut |set, game| {
            let part = &mut parts[rng.below(count as u64) as usize];
            Ok(part.push(set, game.bytes()).map_err(failed)?)
        })?;
    }
    let rewound = |part: BlockWriter<BufWriter<File>>| {
        let mut file = part.finish()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    };
    Ok(parts.into_iter().map(rewound).collect::<Result<_, _>>().map_err(failed)?)
}

/// A game in memory: the hash of the data set to which it belongs, and its encoded record.
type Record = (u32, Box<[u8]>);

/// Loads all records of a temporary file.
fn load(part: File, draft: &Draft) -> Result<Vec<Record>, DataError> {
    let mut records = Vec::new();
    let mut damaged = None;
    let report = &mut |_: &Path, damage| damaged = Some(damage);
    read_games(part, &draft.path, draft.board, report, &mut |set, game| {
        records.push((set, game.bytes().into()));
        Ok(())
    })?;
    match damaged {
        None => Ok(records),
        // The temporary file was written a moment ago, so the disk must have damaged it.
        Some(damage) => {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, damage);
            Err(DataError::Read { path: draft.path.clone(), error })
        }
    }
}

/// Calls `visit` for every game of a file, with the hash of the data set to which the game belongs. Fails if
/// a game was not played on `board`. Damaged blocks are reported and skipped.
fn read_games(
    file: File,
    path: &Path,
    board: BoardSize,
    report: &mut dyn FnMut(&Path, Damage),
    visit: &mut dyn FnMut(u32, &StoredGame) -> Result<(), DataError>,
) -> Result<(), DataError> {
    scan_from(file, path, &mut |found| match found {
        Err(damage) => {
            report(path, damage);
            Ok(())
        }
        Ok(block) if block.board != board => Err(DataError::Boards {
            path: path.to_owned(),
            expected: board.name(),
            found: block.board.name(),
        }),
        Ok(block) => block.games().try_for_each(|game| visit(block.set, &game)),
    })
}

/// A data set that is being written. The file of games and the manifest appear when the data set is finished.
struct Draft {
    path: PathBuf,
    board: BoardSize,
    sources: Vec<Source>,
    writer: BlockWriter<NewFile>,
    manifest: NewFile,
    counts: Counts,
    /// The old file that the result will replace. It stays locked, so that `aleator datagen` does not add
    /// games to it.
    replaced: Option<File>,
}

impl Draft {
    /// Opens all files before the work begins, so that unreadable or unwritable files are reported early.
    fn create(files: &[PathBuf], target: &CombineTarget) -> Result<Draft, DataError> {
        let CombineTarget { path, games_per_block, version, if_exists } = *target;
        let board = board_of(files)?;
        let sources = Source::of_files(files)?;
        let folder = crate::files::folder_of(path);
        fs::create_dir_all(folder)
            .map_err(|error| FileError::Write { path: folder.to_owned(), error })?;
        let games = NewFile::create(path, if_exists)?;
        let manifest = NewFile::create(&Manifest::path_of(path), if_exists)?;
        let replaced = File::open(path).ok();
        replaced.as_ref().map_or(Ok(()), |file| lock(file, path))?;
        Ok(Draft {
            path: path.to_owned(),
            board,
            sources,
            writer: BlockWriter::new(games, board, games_per_block).in_version(version),
            manifest,
            counts: Counts::default(),
            replaced,
        })
    }

    /// Adds a game to the file. `set` is the hash of the data set to which the game belongs, and `record` the
    /// encoded game.
    fn push(&mut self, set: u32, record: &[u8]) -> Result<(), DataError> {
        if let Some(game) = StoredGame::read(record) {
            self.counts.add(&game, Filter::default());
        }
        Ok(self.writer.push(set, record).map_err(|error| self.writer.sink().failed(error))?)
    }

    fn finish(self, origin: Origin) -> Result<Counts, DataError> {
        let Draft { path, board, writer, manifest, counts, replaced, .. } = self;
        if cfg!(windows) {
            drop(replaced); // Windows cannot replace an open file.
        }
        let failed = |error| FileError::Write { path, error };
        writer.finish().map_err(failed)?.finish()?;
        Manifest { counts, ..Manifest::new(board.name(), origin) }.write_to(manifest)?;
        Ok(counts)
    }
}
