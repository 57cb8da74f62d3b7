//! A file that grows by whole entries, and by those of one process only.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot take entries.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("'{path}': {error}")]
    File { path: String, error: io::Error },
    #[error("'{path}' is no file; name one to which the games can be written")]
    Special { path: String },
    #[error("'{path}' is in use: another run writes to it")]
    Busy { path: String },
}

/// A file to append to. It is locked until it is dropped.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    /// Bytes of whole entries.
    length: u64,
}

impl Log {
    /// Opens a file, or creates it. What it holds comes back; nothing of it is changed.
    pub fn open(path: &Path) -> Result<(Log, Vec<u8>), LogError> {
        let name = || path.display().to_string();
        let failed = |error| LogError::File { path: name(), error };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(LogError::Special { path: name() });
        }
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LogError::Busy { path: name() },
            TryLockError::Error(error) => failed(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        Ok((Log { path: path.to_owned(), file, length: bytes.len() as u64 }, bytes))
    }

    /// What people call the file.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Cuts what comes after so many bytes.
    pub fn cut(&mut self, length: usize) -> Result<(), LogError> {
        let length = length as u64;
        if length < self.length {
            self.file.set_len(length).map_err(|error| self.failed(error))?;
            self.length = length;
        }
        Ok(())
    }

    /// Writes an entry to the end: all of it, or nothing.
    pub fn append(&mut self, entry: &[u8]) -> Result<(), LogError> {
        self.file.write_all(entry).map_err(|error| {
            // If that fails too, the next run finds a torn entry at the end.
            let _ = self.file.set_len(self.length);
            self.failed(error)
        })?;
        self.length += entry.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> Result<(), LogError> {
        self.file.sync_all().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> LogError {
        LogError::File { path: self.name(), error }
    }
}
