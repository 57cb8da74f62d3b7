//! Writes a file atomically: the target has either its old or its new contents, even if the program is
//! killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// What to do if the file already exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfExists {
    /// Keep the old file and fail.
    Refuse,
    /// Replace the old file and keep its permissions. If the path is a link, the link is replaced, and the
    /// file that it points to is not changed.
    Replace,
}

impl IfExists {
    /// Returns [`IfExists::Replace`] if the option `--force` was given, otherwise [`IfExists::Refuse`].
    pub const fn forced(force: bool) -> IfExists {
        if force { IfExists::Replace } else { IfExists::Refuse }
    }
}

/// Why a file could not be written. The file at the target path is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("'{}' already exists", path.display())]
    Exists { path: PathBuf },
    /// The path names a folder, device or pipe, which is not replaced.
    #[error("'{}' is not a regular file and cannot be replaced; choose another path", path.display())]
    Special { path: PathBuf },
    #[error("cannot write '{}': {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// A new file that appears under its name only when [`NewFile::finish`] is called. An unfinished file is
/// deleted when the `NewFile` is dropped.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    if_exists: IfExists,
}

impl NewFile {
    /// Creates the temporary file and checks, as far as possible, that the target can be written. The folder
    /// of the target must exist.
    pub fn create(path: &Path, if_exists: IfExists) -> Result<NewFile, FileError> {
        let failed = |error| FileError::Write { path: path.to_owned(), error };
        if fs::metadata(path).is_ok_and(|target| !target.is_file()) {
            return Err(FileError::Special { path: path.to_owned() });
        }
        // `Path::exists` would follow a link. A dangling link must count as an existing file.
        let target = fs::symlink_metadata(path).ok();
        if target.is_some() && if_exists == IfExists::Refuse {
            return Err(FileError::Exists { path: path.to_owned() });
        }
        let file = temporary(path).map_err(failed)?;
        if let Some(target) = target.filter(fs::Metadata::is_file) {
            file.as_file().set_permissions(target.permissions()).map_err(failed)?;
        }
        Ok(NewFile { file: BufWriter::new(file), path: path.to_owned(), if_exists })
    }

    /// Writes all buffered data to the disk and gives the file its final name. With [`IfExists::Refuse`],
    /// fails if the target was created after [`NewFile::create`].
    pub fn finish(self) -> Result<(), FileError> {
        let NewFile { file, path, if_exists } = self;
        let finish = || {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            match if_exists {
                IfExists::Refuse => file.persist_noclobber(&path)?,
                IfExists::Replace => file.persist(&path)?,
            };
            // Syncing the folder makes the rename durable. Some systems cannot sync a folder, but the file is
            // complete in any case.
            let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
            Ok(())
        };
        finish().map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists { path: path.clone() },
            _ => FileError::Write { path: path.clone(), error },
        })
    }

    /// Converts a failed write to this file into an error that names the target.
    pub fn failed(&self, error: io::Error) -> FileError {
        FileError::Write { path: self.path.clone(), error }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file atomically.
pub fn write(path: &Path, contents: &[u8], if_exists: IfExists) -> Result<(), FileError> {
    let mut file = NewFile::create(path, if_exists)?;
    file.write_all(contents).map_err(|error| file.failed(error))?;
    file.finish()
}

/// Opens a file for reading, truncating and appending, or creates an empty file. The file position is at the
/// start. The open mode `append` is not used, because Windows cannot truncate a file opened in that mode.
pub fn open_to_grow(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Returns the folder that contains a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a temporary file in the folder of `target`, with the permissions of any new file.
fn temporary(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".aleator-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // the umask is applied
    // Removes the name of the temporary file from the error, because that name would not help the user.
    builder.tempfile_in(folder_of(target)).map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek, SeekFrom};

    /// Finds all Rust files in a folder and its subfolders.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        let rust = files.into_iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
        rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
    }

    /// Forbids the open mode `append` in all sources, because Windows cannot truncate such files. Tests on
    /// Linux and Wine would not notice.
    #[test]
    fn no_source_opens_a_file_with_append() {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert!(sources.len() > 100);
        for path in sources {
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains(concat!(".append", "(true)")), "{}", path.display());
        }
    }

    #[test]
    fn a_growing_file_can_be_read_truncated_and_extended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("growing");
        fs::write(&path, "whole torn").unwrap();
        let mut file = open_to_grow(&path).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "whole torn");
        file.set_len(6).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole new");
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_appears_only_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.txt");
        let mut file = NewFile::create(&path, IfExists::Refuse).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(entries(folder.path()), 0, "an unfinished file is deleted");
        write(&path, b"whole", IfExists::Refuse).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn an_existing_file_is_replaced_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.txt");
        let mut late = NewFile::create(&path, IfExists::Refuse).unwrap();
        late.write_all(b"late").unwrap();
        fs::write(&path, "old").unwrap();
        for error in
            [late.finish().unwrap_err(), write(&path, b"new", IfExists::Refuse).unwrap_err()]
        {
            assert!(matches!(error, FileError::Exists { .. }), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(NewFile::create(&path, IfExists::Replace).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write(&path, b"new", IfExists::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn errors_name_the_target_and_not_the_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), b"", IfExists::Replace).unwrap_err();
        assert!(matches!(error, FileError::Special { .. }), "{error}");
        let error = write(Path::new("/no/such/folder/x"), b"", IfExists::Refuse).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("cannot write '/no/such/folder/x'"), "{text}");
        assert!(!text.contains(".aleator-"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_written_through() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), "precious").unwrap();
        symlink(at("precious"), at("link")).unwrap();
        symlink(at("nowhere"), at("dangling")).unwrap();
        symlink("/dev/null", at("device")).unwrap();
        for name in ["link", "dangling"] {
            assert!(matches!(
                write(&at(name), b"new", IfExists::Refuse),
                Err(FileError::Exists { .. })
            ));
            write(&at(name), b"new", IfExists::Replace).unwrap();
            assert!(fs::symlink_metadata(at(name)).unwrap().is_file(), "{name}");
        }
        assert!(matches!(
            write(&at("device"), b"new", IfExists::Replace),
            Err(FileError::Special { .. })
        ));
        assert_eq!(fs::read(at("precious")).unwrap(), b"precious");
        assert!(!at("nowhere").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_default_permissions_and_a_replacement_keeps_the_old_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode();
        fs::write(at("usual"), "").unwrap();
        write(&at("new"), b"", IfExists::Refuse).unwrap();
        assert_eq!(mode("new"), mode("usual"));
        fs::set_permissions(at("usual"), fs::Permissions::from_mode(0o640)).unwrap();
        write(&at("usual"), b"", IfExists::Replace).unwrap();
        assert_eq!(mode("usual") & 0o777, 0o640);
    }
}
