//! Errors of reading, writing and combining data sets.

use std::path::PathBuf;

use super::replay::ReplayError;
use crate::files::{self, FileError};

/// Why a data set cannot be read, written or combined.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error("cannot read '{}': {}", path.display(), files::reason(error))]
    Read { path: PathBuf, error: std::io::Error },
    #[error("{0}")]
    Write(#[from] FileError),
    #[error("'{}' is not a manifest of a data set: {error}", path.display())]
    Manifest { path: PathBuf, error: serde_json::Error },
    #[error(
        "the manifest '{}' has format {version}, and this program knows format {known}; use the program \
         that wrote it, or a later one", path.display()
    )]
    Version { path: PathBuf, version: u32, known: u32 },
    #[error("another `aleator datagen` is writing to '{}'", path.display())]
    Busy { path: PathBuf },
    #[error(
        "'{}' has games on the {found} board, but those before it are on the {expected} board; \
         keep games of different boards in separate files", path.display()
    )]
    Boards { path: PathBuf, expected: &'static str, found: &'static str },
    #[error("there are no games in {files}")]
    Empty { files: String },
    #[error(
        "the data set is incomplete: {}; generate the missing games with the same settings",
        missing.join(", ")
    )]
    Missing { missing: Vec<String> },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}
