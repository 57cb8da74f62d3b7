//! The folder of a data set that `datagen` extends with new games.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::DatagenError;
use crate::files::{self, FileError, IfExists, NewFile};
use crate::tools::data::{
    BlockFault, BlockReadError, BlockReader, BlockWriter, Counts, Damage, DataError,
    DatagenSettings, Filter, GAMES_FILE, Identity, Manifest, Origin, Share, StoredGame,
    TrainingGame, differences, lock,
};

/// What was removed from a damaged file of games, from the first invalid block to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The first invalid block. The games of this block and all later games are generated again, with
    /// identical results.
    pub damage: Damage,
    /// The file to which the removed part was copied. `None` if only an incomplete last block was removed, as
    /// an interruption leaves it.
    pub kept: Option<PathBuf>,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "removed from the file: {}", self.damage)?;
        match &self.kept {
            None => Ok(()),
            Some(path) => {
                write!(f, "; the removed part is kept in '{}'", path.display())
            }
        }
    }
}

/// An open data set to which games are added. The file is locked against other processes.
pub(super) struct Folder {
    writer: BlockWriter<File>,
    path: PathBuf,
    /// The length in bytes of the file up to the end of the last valid block.
    length: u64,
    pub manifest: Manifest,
    set: u32,
}

impl Folder {
    /// Opens or creates the data set with these settings in a folder. Also returns the indices of the games
    /// that the file already contains, and what had to be removed from a damaged file.
    pub fn open(
        folder: &Path,
        settings: &DatagenSettings,
        identity: Identity,
        share: Option<Share>,
    ) -> Result<(Folder, HashSet<u32>, Option<Repair>), DatagenError> {
        let path = folder.join(GAMES_FILE);
        let failed = |error| FileError::Write { path: path.clone(), error };
        let open = || {
            fs::create_dir_all(folder)?;
            files::open_to_grow(&path)
        };
        let mut file = open().map_err(failed)?;
        lock(&file, &path)?;
        let mut manifest = manifest_of(&path, settings, identity, share)?;
        let set = set_of(&manifest, &path)?;
        let contents = Contents::read(&file, &path, set)?;
        let repair = contents.damage.map(|damage| cut(&file, &path, contents.end, damage));
        let repair = repair.transpose()?;
        manifest.counts = contents.counts;
        file.seek(SeekFrom::Start(contents.end)).map_err(failed)?;
        let writer = BlockWriter::new(file, settings.variant.board(), 1);
        manifest.write(&Manifest::path_of(&path))?;
        Ok((Folder { writer, path, length: contents.end, manifest, set }, contents.indices, repair))
    }

    /// Appends a game to the file. Returns the game's contribution to the counts of the manifest.
    pub fn add(&mut self, record: &TrainingGame) -> Result<Counts, DatagenError> {
        let bytes = record.to_bytes();
        let pushed = self.writer.push(self.set, &bytes);
        let length = pushed.and_then(|()| Ok(self.writer.sink().metadata()?.len()));
        match length {
            Ok(length) => self.length = length,
            Err(error) => {
                // Removes a block that was written only in part, because the next game must follow the last
                // valid block.
                let file = self.writer.sink();
                let _ = file.set_len(self.length);
                let _ = file.seek(SeekFrom::Start(self.length));
                return Err(FileError::Write { path: self.path.clone(), error }.into());
            }
        }
        let mut added = Counts::default();
        if let Some(game) = StoredGame::read(&bytes) {
            added.add(&game, Filter::default());
        }
        self.manifest.counts += added;
        Ok(added)
    }

    /// Returns the path of the manifest.
    pub fn manifest_path(&self) -> PathBuf {
        Manifest::path_of(&self.path)
    }
}

/// Reads the manifest of a file of games, and checks that its settings are the wanted ones. Creates a new
/// manifest for an empty file.
fn manifest_of(
    path: &Path,
    settings: &DatagenSettings,
    identity: Identity,
    share: Option<Share>,
) -> Result<Manifest, DatagenError> {
    let Some(manifest) = Manifest::of_games(path)? else {
        let is_new = fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0);
        if !is_new {
            return Err(DatagenError::NoManifest { path: path.to_owned() });
        }
        let set = identity.set(settings);
        let origin = Origin::Datagen { set, identity, settings: settings.clone() };
        return Ok(Manifest { share, ..Manifest::new(settings.variant.board().name(), origin) });
    };
    if let Origin::Datagen { settings: then, identity: program, .. } = &manifest.origin {
        let mut differences = differences((program, then), (&identity, settings));
        let name = |share: Option<Share>| share.map_or("all".to_owned(), |it| it.to_string());
        if share != manifest.share {
            let (then, now) = (name(manifest.share), name(share));
            differences.push(format!("shard was {then} and is now {now}"));
        }
        if !differences.is_empty() {
            return Err(DatagenError::Different { path: path.to_owned(), differences });
        }
    }
    Ok(manifest)
}

fn set_of(manifest: &Manifest, path: &Path) -> Result<u32, DatagenError> {
    match manifest.origin {
        Origin::Datagen { set, .. } => Ok(set),
        _ => Err(DatagenError::Combined { path: path.to_owned() }),
    }
}

/// The contents of a file of games before its first invalid block.
#[derive(Default)]
struct Contents {
    indices: HashSet<u32>,
    counts: Counts,
    /// The offset in bytes of the end of the last valid block.
    end: u64,
    damage: Option<Damage>,
}

impl Contents {
    fn read(file: &File, path: &Path, expected: u32) -> Result<Contents, DatagenError> {
        let mut contents = Contents::default();
        let mut reader = BlockReader::new(file);
        while contents.damage.is_none() {
            match reader.next_block() {
                Ok(None) => break,
                Ok(Some(block)) if block.set != expected => {
                    let (path, found) = (path.to_owned(), block.set);
                    return Err(DatagenError::Foreign { path, expected, found });
                }
                Ok(Some(block)) => {
                    contents.end = block.end();
                    for game in block.games() {
                        contents.indices.insert(game.index);
                        contents.counts.add(&game, Filter::default());
                    }
                }
                Err(BlockReadError::Damage(damage)) => contents.damage = Some(damage),
                Err(BlockReadError::Io(error)) => {
                    return Err(DataError::Read { path: path.to_owned(), error }.into());
                }
            }
        }
        Ok(contents)
    }
}

/// Truncates a file of games at its first invalid block. The removed part is copied to another file, unless
/// it is only an incomplete last block. Fails if the file starts with an invalid block, because the file may
/// then contain something else than games.
fn cut(mut file: &File, path: &Path, end: u64, damage: Damage) -> Result<Repair, DatagenError> {
    let is_incomplete = matches!(damage.fault, BlockFault::Cut { .. });
    if end == 0 && !is_incomplete {
        return Err(DatagenError::NoGames { path: path.to_owned(), damage });
    }
    let failed = |error: io::Error| FileError::Write { path: path.to_owned(), error };
    let length = file.metadata().map_err(failed)?.len();
    let kept = path.with_extension(format!("cut-{end}.bin"));
    let is_last = damage.offset + damage.skipped == length;
    let keep = !(is_incomplete && is_last);
    let mut cut = || {
        if keep {
            let mut copy = NewFile::create(&kept, IfExists::Refuse)?;
            file.seek(SeekFrom::Start(end)).map_err(failed)?;
            io::copy(&mut file, &mut copy).map_err(|error| copy.failed(error))?;
            copy.finish()?;
        }
        file.set_len(end).map_err(failed)
    };
    cut()?;
    Ok(Repair { damage, kept: keep.then_some(kept) })
}
