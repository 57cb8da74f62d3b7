use std::path::PathBuf;

use super::replay::ReplayError;
use crate::files::{self, FileError};

/// Why a data set cannot be read, written or combined.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error("cannot read '{}': {}", path.display(), files::reason(error))]
    Read { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("'{}' is no manifest of a data set: {error}", path.display())]
    Manifest { path: PathBuf, error: serde_json::Error },
    #[error(
        "the manifest '{}' has form {form}, and this program knows form {known}; use the program that \
         wrote it, or a later one", path.display()
    )]
    Form { path: PathBuf, form: u32, known: u32 },
    #[error("another datagen is writing to '{}'", path.display())]
    Busy { path: PathBuf },
    #[error(
        "'{}' has games of the {found} board, but those before it are of the {expected} board; \
         keep the boards in files of their own", path.display()
    )]
    Boards { path: PathBuf, expected: &'static str, found: &'static str },
    #[error("there are no games in {files}")]
    Empty { files: String },
    #[error(
        "the data set is not whole: {}; `aleator datagen` with the same words and --shard makes \
         what is missing", missing.join(", ")
    )]
    Missing { missing: Vec<String> },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}
