//! A file to which one process at a time appends whole entries.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::files;

/// Why a file cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("cannot read or write '{path}': {}", files::reason(error))]
    File { path: String, error: io::Error },
    #[error("'{path}' is not a regular file; name another file")]
    Special { path: String },
    #[error(
        "'{path}' is in use by another process; wait until that process ends, or name another file"
    )]
    Busy { path: String },
}

/// A file to which entries are appended. The file stays locked until the `Log` is dropped.
#[derive(Debug)]
pub(in crate::tools) struct Log {
    path: PathBuf,
    file: File,
    /// The length in bytes of the complete entries.
    length: u64,
}

impl Log {
    /// Opens or creates a file without changing its contents, and locks it.
    pub fn open(path: &Path) -> Result<Log, LogError> {
        let name = || path.display().to_string();
        let failed = |error| LogError::File { path: name(), error };
        let file = files::open_to_grow(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(LogError::Special { path: name() });
        }
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LogError::Busy { path: name() },
            TryLockError::Error(error) => failed(error),
        })?;
        Ok(Log { path: path.to_owned(), file, length: metadata.len() })
    }

    /// Returns a reader of the whole file.
    pub fn reader(&self) -> Result<BufReader<&File>, LogError> {
        let mut file = &self.file;
        file.rewind().map_err(|error| self.failed(error))?;
        Ok(BufReader::new(file))
    }

    /// Returns the contents of the whole file.
    pub fn bytes(&self) -> Result<Vec<u8>, LogError> {
        let mut bytes = Vec::new();
        self.reader()?.read_to_end(&mut bytes).map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Returns the path of the file, for messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Truncates the file to `length` bytes, if it is longer.
    pub fn cut(&mut self, length: u64) -> Result<(), LogError> {
        if length < self.length {
            self.file.set_len(length).map_err(|error| self.failed(error))?;
            self.length = length;
        }
        Ok(())
    }

    /// Appends an entry to the file. If writing fails, removes the part that was written.
    pub fn append(&mut self, entry: &[u8]) -> Result<(), LogError> {
        let end = self.file.seek(SeekFrom::Start(self.length));
        end.and_then(|_| self.file.write_all(entry)).map_err(|error| {
            // If truncating fails too, the next run finds an incomplete entry at the end of the file.
            let _ = self.file.set_len(self.length);
            self.failed(error)
        })?;
        self.length += entry.len() as u64;
        Ok(())
    }

    /// Waits until all entries are on disk.
    pub fn sync(&self) -> Result<(), LogError> {
        self.file.sync_all().map_err(|error| self.failed(error))
    }

    /// Returns the error for a failed read or write of this file.
    pub fn failed(&self, error: io::Error) -> LogError {
        LogError::File { path: self.name(), error }
    }
}

/// Compares two JSON values. Returns the name and both values of the first field that differs, or `None` if
/// the values are equal. Compares the fields of nested objects one by one.
pub(in crate::tools) fn difference(
    name: &str,
    theirs: &Value,
    ours: &Value,
) -> Option<(String, Value, Value)> {
    match (theirs, ours) {
        (Value::Object(one), Value::Object(other)) => {
            one.keys().chain(other.keys()).find_map(|key| {
                let of = |map: &Map<_, Value>| map.get(key).cloned().unwrap_or_default();
                difference(&format!("{name} {key}"), &of(one), &of(other))
            })
        }
        _ if theirs == ours => None,
        _ => Some((name.trim().to_owned(), theirs.clone(), ours.clone())),
    }
}
