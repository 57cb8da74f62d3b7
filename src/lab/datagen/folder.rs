use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::DatagenError;
use crate::lab::data::{
    Counts, Damage, DataError, Filter, GAMES_FILE, Game, GameRecord, Identity, Manifest, Origin,
    Settings, Writer, differences, scan,
};
use crate::rules::BoardSize;

/// What an interruption had left in a file, and was removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    pub damage: Vec<Damage>,
}

/// A data set that games are added to. No other process adds to it at the same time.
pub(super) struct Folder {
    writer: Writer<File>,
    path: PathBuf,
    /// Bytes of sound blocks in the file.
    length: u64,
    pub manifest: Manifest,
    set: u32,
}

impl Folder {
    /// Opens or begins the data set of these settings in a folder. The indices of the games that
    /// it has come back, and what had to be repaired.
    pub fn open(
        folder: &Path,
        settings: &Settings,
        identity: Identity,
    ) -> Result<(Folder, HashSet<u32>, Repair), DatagenError> {
        let path = folder.join(GAMES_FILE);
        let failed = |error| DataError::Write { path: path.clone(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let mut file = lock(&path)?;
        let mut manifest = manifest_of(&path, settings, identity)?;
        let set = set_of(&manifest, &path)?;
        let found = Found::read(&path, set)?;
        if !found.damage.is_empty() {
            found.repair(&path, &file, settings.variant.board()).map_err(failed)?;
            // The repaired file may be a new one.
            drop(file);
            file = lock(&path)?;
        }
        manifest.counts = found.counts;
        let length = file.metadata().map_err(failed)?.len();
        let writer = Writer::new(file, settings.variant.board(), 1);
        manifest.write(&Manifest::path_of(&path))?;
        let folder = Folder { writer, path, length, manifest, set };
        Ok((folder, found.indices, Repair { damage: found.damage }))
    }

    /// Writes a game to the end of the file.
    pub fn add(&mut self, record: &GameRecord) -> Result<Counts, DatagenError> {
        let bytes = record.to_bytes();
        let pushed = self.writer.push(self.set, &bytes);
        let length = pushed.and_then(|()| Ok(self.writer.sink().metadata()?.len()));
        match length {
            Ok(length) => self.length = length,
            Err(error) => {
                // Half a block must not stand before the next one, if there still is a next one.
                let _ = self.writer.sink().set_len(self.length);
                return Err(DataError::Write { path: self.path.clone(), error }.into());
            }
        }
        let mut added = Counts::default();
        if let Some(game) = Game::read(&bytes) {
            added.add(&game, Filter::default());
        }
        self.manifest.counts += added;
        Ok(added)
    }

    /// Where the manifest stands.
    pub fn manifest_path(&self) -> PathBuf {
        Manifest::path_of(&self.path)
    }
}

/// Opens a file to append to, for this process alone.
fn lock(path: &Path) -> Result<File, DatagenError> {
    let failed = |error| DataError::Write { path: path.to_owned(), error };
    let file =
        OpenOptions::new().append(true).create(true).read(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(DatagenError::Busy { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error).into()),
    }
}

/// The manifest beside a file, which must be of the same settings; a new one if there is none.
fn manifest_of(
    path: &Path,
    settings: &Settings,
    identity: Identity,
) -> Result<Manifest, DatagenError> {
    let Some(manifest) = Manifest::beside(path)? else {
        let is_new = fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0);
        if !is_new {
            return Err(DatagenError::NoManifest { path: path.to_owned() });
        }
        let set = identity.set(settings);
        let origin = Origin::Datagen { set, identity, settings: settings.clone() };
        return Ok(Manifest::new(settings.variant.board_name(), origin));
    };
    if let Origin::Datagen { settings: then, identity: program, .. } = &manifest.origin {
        let differences = differences((program, then), (&identity, settings));
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

/// What a file has.
#[derive(Default)]
struct Found {
    indices: HashSet<u32>,
    counts: Counts,
    damage: Vec<Damage>,
    /// Where the last sound block ends.
    end: u64,
}

impl Found {
    fn read(path: &Path, set: u32) -> Result<Found, DatagenError> {
        let mut found = Found::default();
        let mut foreign = None;
        scan(path, &mut |block| {
            match block {
                Err(damage) => found.damage.push(damage),
                Ok(block) if block.set != set => foreign = Some(block.set),
                Ok(block) => {
                    found.end = block.end();
                    for game in block.games() {
                        found.indices.insert(game.index);
                        found.counts.add(&game, Filter::default());
                    }
                }
            }
            Ok(())
        })?;
        match foreign {
            None => Ok(found),
            Some(found) => {
                Err(DatagenError::Foreign { path: path.to_owned(), expected: set, found })
            }
        }
    }

    /// Removes what is damaged. An interruption leaves half a block at the end, which is cut off.
    /// Damage before it is another matter (a disk, a hand): then the sound games are copied to a
    /// new file that takes the place of the old one.
    fn repair(&self, path: &Path, file: &File, board: BoardSize) -> io::Result<()> {
        let is_tail = self.damage.iter().all(|damage| damage.offset >= self.end);
        if is_tail {
            return file.set_len(self.end);
        }
        let copy = path.with_extension("repaired");
        let mut writer = Writer::new(BufWriter::new(File::create(&copy)?), board, 1);
        scan(path, &mut |block| {
            let Ok(block) = block else { return Ok(()) };
            let failed = |error| DataError::Write { path: copy.clone(), error };
            block.games().try_for_each(|game| writer.push(block.set, game.bytes()).map_err(failed))
        })
        .map_err(io::Error::other)?;
        writer.finish()?.get_ref().sync_all()?;
        fs::rename(&copy, path)
    }
}
