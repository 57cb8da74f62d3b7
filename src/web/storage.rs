//! The folder in which games are saved: locking, reading, and writing in the background.
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use super::{ServeError, seconds};
use crate::files::{self, IfExists};
use crate::play::app::{App, Input, is_game_id};

/// The id of a game with the new text of the game's file. `None` removes the file.
type Text = (String, Option<String>);

/// The folder in which games are saved. A lock ensures that no other server uses the folder.
pub(super) struct Storage {
    folder: PathBuf,
    /// The queue of the thread that writes files.
    texts: Sender<Text>,
    writer: JoinHandle<()>,
    _lock: File,
}

impl Storage {
    /// Opens the folder. `tell` is called with the result of each write.
    pub fn open(
        folder: &Path,
        tell: impl Fn(Input) + Send + 'static,
    ) -> Result<Storage, ServeError> {
        let failed = |error| ServeError::Folder { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = File::create(folder.join(".lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ServeError::InUse { path: folder.to_owned() });
            }
            // Some file systems do not support locks.
            Err(TryLockError::Error(_)) => {}
        }
        let (texts, writer) = start_writer(folder.to_owned(), tell)?;
        Ok(Storage { folder: folder.to_owned(), texts, writer, _lock: lock })
    }

    /// Adds all saved games to the app. Files that cannot be read are reported and left unchanged.
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
                eprintln!("aleator: '{}' is skipped: {error}", path.display());
                app.add_unreadable(path.display().to_string(), error);
            }
        }
        Ok(())
    }

    pub fn read(&self, id: &str) -> Result<String, String> {
        fs::read_to_string(path(&self.folder, id)).map_err(|error| error.to_string())
    }

    /// Queues writing the text of a game, or removing the game's file if `text` is `None`.
    pub fn save(&self, id: String, text: Option<String>) {
        // Sending cannot fail, because the writer runs as long as `self.texts` exists.
        let _ = self.texts.send((id, text));
    }

    /// Waits until all queued texts are written.
    pub fn finish(self) {
        drop(self.texts);
        let _ = self.writer.join();
    }
}

fn path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Starts a thread that writes files, so that no request waits for the disk. If several texts of a game are
/// queued, only the last text is written.
fn start_writer(
    folder: PathBuf,
    tell: impl Fn(Input) + Send + 'static,
) -> io::Result<(Sender<Text>, JoinHandle<()>)> {
    let (sender, texts) = channel::<Text>();
    let work = move || {
        while let Ok(first) = texts.recv() {
            let all: HashMap<String, Option<String>> =
                [first].into_iter().chain(texts.try_iter()).collect();
            for (game, text) in all {
                let result = write(&path(&folder, &game), text);
                if let Err(error) = &result {
                    eprintln!("aleator: a game could not be saved: {error}");
                }
                tell(Input::Saved { game, result });
            }
        }
    };
    Ok((sender, thread::Builder::new().name("writer".to_owned()).spawn(work)?))
}

fn write(path: &Path, text: Option<String>) -> Result<(), String> {
    let Some(text) = text else {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        };
    };
    let written = files::write(path, text.as_bytes(), IfExists::Replace);
    written.map_err(|error| error.to_string())
}
