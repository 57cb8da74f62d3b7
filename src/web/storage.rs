use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use super::{ServeError, seconds};
use crate::files::{self, IfExists};
use crate::play::app::{App, is_game_id};

/// A file, and what it is to hold.
type Text = (PathBuf, String);

/// The folder of the games, which belongs to this server alone.
pub(super) struct Storage {
    folder: PathBuf,
    /// What is to be written.
    texts: Sender<Text>,
    writer: JoinHandle<()>,
    _lock: File,
}

impl Storage {
    pub fn open(folder: &Path) -> Result<Storage, ServeError> {
        let failed = |error| ServeError::Folder { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = File::create(folder.join(".lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ServeError::InUse { path: folder.to_owned() });
            }
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => {}
        }
        let (texts, writer) = start_writer()?;
        Ok(Storage { folder: folder.to_owned(), texts, writer, _lock: lock })
    }

    /// Lists all games; those that cannot be read are named and left alone.
    pub fn list(&self, app: &mut App) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let id = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if path.extension().is_none_or(|extension| extension != "json") || !is_game_id(id) {
                continue;
            }
            let changed = fs::metadata(&path).and_then(|data| data.modified());
            let changed = seconds(changed.unwrap_or(SystemTime::UNIX_EPOCH));
            let added = self.read(id).and_then(|text| {
                app.add_saved(id, &text, changed).map_err(|error| error.to_string())
            });
            if let Err(error) = added {
                eprintln!("aleator: '{}' is passed over: {error}", path.display());
            }
        }
        Ok(())
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    pub fn read(&self, id: &str) -> Result<String, String> {
        fs::read_to_string(self.path(id)).map_err(|error| error.to_string())
    }

    /// Has a game written, soon.
    pub fn save(&self, id: &str, text: String) {
        // The writer listens as long as there is a sender.
        let _ = self.texts.send((self.path(id), text));
    }

    /// Waits until all is written.
    pub fn finish(self) {
        drop(self.texts);
        let _ = self.writer.join();
    }
}

/// Starts a thread that writes files, so that no request waits for a disk. Of several texts for a
/// file that wait, it writes the last.
fn start_writer() -> io::Result<(Sender<Text>, JoinHandle<()>)> {
    let (sender, texts) = channel::<Text>();
    let work = move || {
        while let Ok(first) = texts.recv() {
            let all: HashMap<PathBuf, String> =
                [first].into_iter().chain(texts.try_iter()).collect();
            for (path, text) in all {
                if let Err(error) = files::write(&path, text.as_bytes(), IfExists::Replace) {
                    eprintln!("aleator: a game is not saved: {error}");
                }
            }
        }
    };
    Ok((sender, thread::Builder::new().name("writer".to_owned()).spawn(work)?))
}
