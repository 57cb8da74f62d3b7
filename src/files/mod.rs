//! Writes files without ever losing the user's data, and reads files up to a size limit.
//!
//! [`NewFile`] writes to a temporary file with an unpredictable name in the folder of the target. When the
//! temporary file is complete and on the disk, [`NewFile`] renames it to the target. So if any step fails,
//! the target still has its old contents. No other file is changed: if the target is a link, the link itself
//! is replaced. A killed process leaves its temporary file, `.aleator-*.tmp`, which the user can delete.
//!
//! ```
//! use std::io::Write;
//! use aleator::files::{FileError, IfExists, NewFile};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("suite.epd");
//! let mut file = NewFile::create(&path, IfExists::Refuse)?; // fails now if the target cannot be written
//! writeln!(file, "text")?;
//! file.finish()?;
//! assert!(matches!(NewFile::create(&path, IfExists::Refuse), Err(FileError::Exists { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "program")]
mod new_file;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

#[cfg(feature = "program")]
pub use new_file::{FileError, IfExists, NewFile, folder_of, open_to_grow, write};

/// Describes an I/O error to the user. On Windows, a file that another process has locked for writing cannot
/// be read; the description then says so.
pub fn reason(error: &io::Error) -> String {
    const LOCK_VIOLATION: i32 = 33;
    match error.raw_os_error() {
        Some(LOCK_VIOLATION) if cfg!(windows) => {
            "another process is writing to this file; wait until that process ends, or stop it"
                .to_owned()
        }
        _ => error.to_string(),
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read '{}': {}", path.display(), reason(error))]
    Read { path: PathBuf, error: io::Error },
    /// The path names a folder, device or pipe. Reading a device might never end.
    #[error("cannot read '{}': it is not a regular file", path.display())]
    Special { path: PathBuf },
    #[error("the file '{}' is larger than the limit of {} MiB", path.display(), most >> 20)]
    TooLarge { path: PathBuf, most: u64 },
    #[error("'{}' is not a text file: the byte at offset {at} is not valid UTF-8", path.display())]
    NoText { path: PathBuf, at: usize },
}

/// Reads a file of at most `most` bytes. Fails if the file is larger.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let failed = |error| ReadError::Read { path: path.to_owned(), error };
    // Checks the type before opening the file, because opening a pipe without a writer would block.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(ReadError::Special { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 > most {
        true => Err(ReadError::TooLarge { path: path.to_owned(), most }),
        false => Ok(bytes),
    }
}

/// Reads a text file of at most `most` bytes. Fails if the file is larger or not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, ReadError> {
    String::from_utf8(read(path, most)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ReadError::NoText { path: path.to_owned(), at }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explains_the_windows_error_of_a_locked_file() {
        let locked = io::Error::from_raw_os_error(33);
        assert_eq!(
            reason(&locked).contains("another process is writing to this file"),
            cfg!(windows)
        );
    }

    #[test]
    fn reads_only_regular_files_up_to_the_size_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        assert!(matches!(read(&path, 4), Err(ReadError::Read { .. })));
        assert!(matches!(read(folder.path(), 4), Err(ReadError::Special { .. })));
        fs::write(&path, "text").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "text");
        assert!(matches!(read(&path, 3), Err(ReadError::TooLarge { most: 3, .. })));
        fs::write(&path, b"t\xffxt").unwrap();
        assert!(matches!(read_text(&path, 4), Err(ReadError::NoText { at: 1, .. })));
        #[cfg(unix)]
        assert!(matches!(read(Path::new("/dev/zero"), 4), Err(ReadError::Special { .. })));
    }
}
