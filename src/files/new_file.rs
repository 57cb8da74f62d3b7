use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// What to do with a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfExists {
    /// Leave it and fail.
    Refuse,
    /// Put the new one in its place, with its permissions. A link is replaced, not followed.
    Replace,
}

impl IfExists {
    /// What an option `--force` asks for.
    pub const fn forced(force: bool) -> IfExists {
        if force { IfExists::Replace } else { IfExists::Refuse }
    }
}

/// Why a file was not written. The target is as it was.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("'{}' exists already; --force replaces it, or write elsewhere", path.display())]
    Exists { path: PathBuf },
    /// A folder, a device, a pipe: nothing that a file could take the place of.
    #[error("'{}' is no file that could be replaced; write elsewhere", path.display())]
    Special { path: PathBuf },
    #[error("cannot write '{}': {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// A file that gets its name when it is whole; dropped before, it vanishes. Writes are buffered.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    if_exists: IfExists,
}

impl NewFile {
    /// Begins a file and makes sure that it can get its name as far as one can tell now. The
    /// folder must exist.
    pub fn create(path: &Path, if_exists: IfExists) -> Result<NewFile, FileError> {
        let failed = |error| FileError::Write { path: path.to_owned(), error };
        if fs::metadata(path).is_ok_and(|target| !target.is_file()) {
            return Err(FileError::Special { path: path.to_owned() });
        }
        // Not `exists`, which looks for what a link points to.
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

    /// Gives the file its name, with all that was written. A file that has come to be there since
    /// [`NewFile::create`] is refused, too, if it shall not be replaced.
    pub fn finish(self) -> Result<(), FileError> {
        let NewFile { file, path, if_exists } = self;
        let finish = || {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.as_file().sync_all()?;
            match if_exists {
                IfExists::Refuse => file.persist_noclobber(&path)?,
                IfExists::Replace => file.persist(&path)?,
            };
            // The name is on the disk when its folder is. Not every system can sync a folder; the
            // file is complete either way.
            let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
            Ok(())
        };
        finish().map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists { path: path.clone() },
            _ => FileError::Write { path: path.clone(), error },
        })
    }

    /// What a failed write to this file means.
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

/// Writes a whole file.
pub fn write(path: &Path, contents: &[u8], if_exists: IfExists) -> Result<(), FileError> {
    let mut file = NewFile::create(path, if_exists)?;
    file.write_all(contents).map_err(|error| file.failed(error))?;
    file.finish()
}

/// Opens a file that grows, or creates it: it can be read, cut and written to, from its beginning on.
/// Not with `append`, because Windows cuts no file that was opened like that.
pub fn open_to_grow(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// An empty file in the folder of another, with the permissions of any new file.
fn temporary(beside: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".aleator-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
    // Without the name of the temporary file, which would tell the reader nothing.
    builder.tempfile_in(folder_of(beside)).map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek, SeekFrom};

    /// The Rust files in a folder and below it.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        let rust = files.into_iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
        rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
    }

    /// Windows cuts no such file, which neither Linux nor wine shows.
    #[test]
    fn no_file_is_opened_to_append() {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert!(sources.len() > 100);
        for path in sources {
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains(concat!(".append", "(true)")), "{}", path.display());
        }
    }

    #[test]
    fn a_growing_file_is_read_cut_and_added_to() {
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
    fn a_file_appears_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.txt");
        let mut file = NewFile::create(&path, IfExists::Refuse).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(entries(folder.path()), 0, "what is given up leaves nothing");
        write(&path, b"whole", IfExists::Refuse).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn what_is_there_stays_unless_it_is_to_be_replaced() {
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
    fn what_is_no_file_is_refused_by_its_name() {
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
    fn permissions_are_those_of_a_new_file_or_of_the_one_replaced() {
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
