//! The game that is kept while it is played, so that nothing ends it but its end.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::{Context, anyhow};

use crate::files::{self, IfExists};
use crate::play::{LiveGame, Saved};
use crate::system::data_folder;

/// How files of games in the terminal end.
const ENDING: &str = "terminal.json";

/// The file that holds a game under way, and is removed when the game is over.
pub(in crate::cli) struct Autosave {
    /// Nothing where there is no folder for it.
    path: Option<PathBuf>,
    /// What the file holds.
    saved: Option<Saved>,
}

impl Autosave {
    /// A file for a new game.
    pub fn new() -> Autosave {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let (seconds, process) = (since.as_secs(), std::process::id());
        let path = |folder: PathBuf| {
            let names = (1..).map(|game| format!("{seconds}-{process}-{game}.{ENDING}"));
            names.map(|name| folder.join(name)).find(|path| !path.exists())
        };
        Autosave { path: folder().and_then(path), saved: None }
    }

    /// No file.
    pub const fn none() -> Autosave {
        Autosave { path: None, saved: None }
    }

    /// The game played last of those that are not over, and its file.
    pub fn last() -> anyhow::Result<(Autosave, LiveGame)> {
        let folder = folder().ok_or_else(no_folder)?;
        let games = fs::read_dir(&folder).into_iter().flatten().flatten();
        let games = games.filter(|entry| entry.file_name().to_string_lossy().ends_with(ENDING));
        let newest = games.max_by_key(|entry| {
            (entry.metadata().and_then(|data| data.modified()).ok(), entry.file_name())
        });
        let path = newest
            .ok_or_else(|| {
                anyhow!("no game is kept in '{}': begin one with 'aleator play'", folder.display())
            })?
            .path();
        let live = restore(&path)?;
        Ok((Autosave { path: Some(path), saved: None }, live))
    }

    /// Keeps the game as it is now, if that has changed.
    pub fn keep(&mut self, live: &LiveGame) -> anyhow::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let saved = live.saved(Instant::now());
        if live.conclusion().is_some() || live.events().is_empty() {
            // There is nothing to go on with, unless the end is taken back.
            let _ = fs::remove_file(path);
            self.saved = None;
            return Ok(());
        }
        if self.saved.as_ref() == Some(&saved) {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("no folder '{}'", folder.display()))?;
        }
        files::write(path, saved.to_json().as_bytes(), IfExists::Replace)?;
        self.saved = Some(saved);
        Ok(())
    }

    /// Keeps nothing any more.
    pub fn give_up(&mut self) {
        (self.path, self.saved) = (None, None);
    }

    /// How to go on, if the game is kept.
    pub fn how_to_go_on(&self) -> Option<&'static str> {
        self.saved.as_ref().map(|_| "The game is kept. To go on:\naleator play --resume")
    }
}

/// A game that was saved with all that happened.
pub(super) fn restore(path: &Path) -> anyhow::Result<LiveGame> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let in_file = || format!("'{}'", path.display());
    let saved = Saved::from_json(&text).with_context(in_file)?;
    LiveGame::restore(&saved).with_context(in_file)
}

fn folder() -> Option<PathBuf> {
    Some(data_folder()?.join("terminal"))
}

fn no_folder() -> anyhow::Error {
    anyhow!(
        "this system has no folder for the data of programs; name one in the variable ALEATOR_DATA"
    )
}
