//! Finds the tablebase files on a path.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use shakmaty::Chess;
use shakmaty_syzygy::{Syzygy, TableType, Tablebase as Tables};

use super::TablebaseError;

/// The two kinds of tables: WDL and DTZ.
const KINDS: [TableType; 2] = [Chess::TBW, Chess::TBZ];

/// The tables found on a path. The contents of a table are read when the table is probed.
pub struct Tablebase {
    pub(super) tables: Tables<Chess>,
    path: String,
    /// The names of the endings, such as `KQvK`: first those with a WDL table, then those with a DTZ table.
    endings: [BTreeSet<String>; 2],
    /// The first error of a probe.
    pub(super) error: OnceLock<String>,
    /// Whether `error` has been reported.
    pub(super) is_told: AtomicBool,
}

impl Tablebase {
    /// Opens the tables in a list of folders, separated as in the platform's `PATH`: by `:`, or by `;` on
    /// Windows. If a table exists twice, the later file is used.
    pub fn open(path: &str) -> Result<Tablebase, TablebaseError> {
        let mut tablebase = Tablebase {
            tables: Tables::new(),
            path: path.to_owned(),
            endings: Default::default(),
            error: OnceLock::new(),
            is_told: AtomicBool::new(false),
        };
        for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
            let name = || folder.display().to_string();
            let cannot = |error| TablebaseError::Folder { folder: name(), error };
            for entry in std::fs::read_dir(&folder).map_err(cannot)? {
                tablebase.add(&entry.map_err(cannot)?.path())?;
            }
        }
        if tablebase.max_pieces() == 0 {
            return Err(TablebaseError::None { path: path.to_owned() });
        }
        Ok(tablebase)
    }

    /// Adds a file if its extension is that of a table. Other files are ignored.
    fn add(&mut self, file: &Path) -> Result<(), TablebaseError> {
        let kind =
            KINDS.iter().position(|kind| file.extension().is_some_and(|ext| ext == kind.ext));
        let (Some(kind), Some(ending)) = (kind, file.file_stem().and_then(|stem| stem.to_str()))
        else {
            return Ok(());
        };
        let failed = |error| TablebaseError::File { file: file.display().to_string(), error };
        let wrong = |error: &str| failed(io::Error::other(error));
        let mut magic = [0; 4];
        let read = File::open(file).and_then(|mut file| file.read_exact(&mut magic));
        read.map_err(failed)?;
        if magic != KINDS[kind].magic {
            return Err(wrong("it does not begin with the magic bytes of a table"));
        }
        self.tables.add_file(file).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => wrong("its name is not that of an ending"),
            io::ErrorKind::InvalidData => wrong("no table has this file length"),
            _ => failed(error),
        })?;
        self.endings[kind].insert(ending.to_owned());
        Ok(())
    }

    /// Returns the number of pieces of the largest tables.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    /// Returns the path on which the tables were found.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Tablebase {
    /// Writes, for example, `35 WDL and 34 DTZ tables with up to 4 pieces; there is no DTZ table of KQvK`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ([wdl, dtz], most) = (&self.endings, self.max_pieces());
        write!(f, "{} WDL and {} DTZ tables with up to {most} pieces", wdl.len(), dtz.len())?;
        for (kind, missing) in [("WDL", dtz - wdl), ("DTZ", wdl - dtz)] {
            if let Some(ending) = missing.first() {
                let others = missing.len() - 1;
                let more = if others > 0 { format!(" and {others} more") } else { String::new() };
                write!(f, "; there is no {kind} table of {ending}{more}")?;
            }
        }
        Ok(())
    }
}

/// Two values are equal if they have the same tables from the same path.
impl PartialEq for Tablebase {
    fn eq(&self, other: &Tablebase) -> bool {
        (&self.path, &self.endings) == (&other.path, &other.endings)
    }
}

impl Eq for Tablebase {}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Tablebase({self} in {:?})", self.path)
    }
}
