//! Writing files for the user, so that nothing of theirs is ever lost; reading theirs, whatever
//! they are.
//!
//! [`NewFile`] writes to a temporary file of its own beside the target, under a name that cannot
//! be foreseen, and gives it the target's name only when it is whole and on the disk. So a target
//! is the old file or the new one, whatever fails on the way, and nothing else is touched: no file
//! that happens to be there, no place that a planted link points to. (A process that is killed
//! leaves its temporary file, `.aleator-*.tmp`, which can be deleted.)
//!
//! ```
//! use std::io::Write;
//! use aleator::files::{FileError, IfExists, NewFile};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("suite.epd");
//! let mut file = NewFile::create(&path, IfExists::Refuse)?; // before the work: can it be written?
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

/// What went wrong, in words. On Windows a file that another run has locked for writing cannot be
/// read.
pub fn reason(error: &io::Error) -> String {
    const LOCK_VIOLATION: i32 = 33;
    match error.raw_os_error() {
        Some(LOCK_VIOLATION) if cfg!(windows) => {
            "another run is writing to it; wait until that is done, or end it".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read '{}': {}", path.display(), reason(error))]
    Read { path: PathBuf, error: io::Error },
    /// A folder, a device, a pipe: reading might never end.
    #[error("'{}' is no file", path.display())]
    Special { path: PathBuf },
    #[error("'{}' has more than the {} MiB that are read", path.display(), most >> 20)]
    TooLarge { path: PathBuf, most: u64 },
    #[error("'{}' is no text: the byte at {at} is not UTF-8", path.display())]
    NoText { path: PathBuf, at: usize },
}

/// Reads a whole file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let failed = |error| ReadError::Read { path: path.to_owned(), error };
    // Before it is opened, which would wait at a pipe until somebody writes.
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

/// The same for text.
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
    fn a_file_that_is_being_written_is_told_as_that() {
        let locked = io::Error::from_raw_os_error(33);
        assert_eq!(reason(&locked).contains("another run is writing to it"), cfg!(windows));
    }

    #[test]
    fn files_are_read_if_they_are_files_of_a_sensible_size() {
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
