//! Saves the current game to a file, so that it can be resumed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::{Context, anyhow, bail};

use crate::files::{self, IfExists};
use crate::play::{LiveGame, Saved};
use crate::system::data_folder;
use crate::text::counted;
use crate::types::Color;

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The suffix of the files of terminal games.
const ENDING: &str = "terminal.json";

/// The file of the current game, which is removed when the game is over.
pub(in crate::cli) struct Autosave {
    /// `None` if there is no folder for it.
    path: Option<PathBuf>,
    /// The contents of the file.
    saved: Option<Saved>,
}

impl Autosave {
    /// Returns a file for a new game.
    pub fn new() -> Autosave {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let (seconds, process) = (since.as_secs(), std::process::id());
        let path = |folder: PathBuf| {
            let names = (1..).map(|game| format!("{seconds}-{process}-{game}.{ENDING}"));
            names.map(|name| folder.join(name)).find(|path| !path.exists())
        };
        Autosave { path: folder().and_then(path), saved: None }
    }

    /// Returns an autosave without a file.
    pub const fn none() -> Autosave {
        Autosave { path: None, saved: None }
    }

    /// Saves the game, if it has changed.
    pub fn keep(&mut self, live: &LiveGame) -> anyhow::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let saved = live.saved(Instant::now());
        if live.termination().is_some() || live.events().is_empty() {
            // There is nothing to resume, unless the end is taken back.
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

    /// Stops saving.
    pub fn give_up(&mut self) {
        (self.path, self.saved) = (None, None);
    }

    /// Returns how to continue, if the game is saved.
    pub fn how_to_go_on(&self) -> Option<&'static str> {
        self.saved.as_ref().map(|_| "The game is saved. To continue:\naleator play --resume")
    }
}

/// Returns the saved game with this number, from 1, counted from the most recent; only games of a
/// variant, if one is named. Lists the games if there are several.
pub(super) fn resume(name: Option<&str>, number: usize) -> anyhow::Result<(Autosave, LiveGame)> {
    let folder = folder().ok_or_else(no_folder)?;
    let mut kept = kept(&folder);
    let all = list(&kept);
    kept.retain(|(_, live)| name.is_none_or(|name| live.game_name() == name));
    match (kept.len(), name) {
        (0, Some(name)) if !all.is_empty() => {
            bail!("there is no saved game of {name}, only these:\n{all}")
        }
        (0, _) => {
            bail!("there is no saved game in '{}': start one with 'aleator play'", folder.display())
        }
        (1, _) => {}
        _ => println!("Saved games (--resume=N continues another one):\n{}", list(&kept)),
    }
    if number == 0 || number > kept.len() {
        bail!("there is no saved game {number}, only these:\n{}", list(&kept));
    }
    let (path, live) = kept.swap_remove(number - 1);
    Ok((Autosave { path: Some(path), saved: None }, live))
}

/// Returns the games that can be read, newest first.
fn kept(folder: &Path) -> Vec<(PathBuf, LiveGame)> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = files
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(ENDING))
        .map(|entry| (entry.metadata().and_then(|data| data.modified()).ok(), entry.path()))
        .collect();
    files.sort();
    let restored = |(_, path): (_, PathBuf)| match restore(&path) {
        Ok(live) => Some((path, live)),
        Err(error) => {
            eprintln!("aleator: a game is skipped: {error:#}");
            None
        }
    };
    files.into_iter().rev().filter_map(restored).collect()
}

/// Returns one line per game, such as `  2  ifrc: you - Aleator (level 3), 12 turns`.
fn list(games: &[(PathBuf, LiveGame)]) -> String {
    let line = |(number, (_, live)): (usize, &(PathBuf, LiveGame))| {
        let [white, black] = Color::ALL.map(|color| super::name(live, color));
        let turns = counted(live.turns().len(), "turn");
        format!("{number:>3}  {}: {white} - {black}, {turns}", live.game_name())
    };
    (1..).zip(games).map(line).collect::<Vec<_>>().join("\n")
}

/// Restores a saved game.
pub(super) fn restore(path: &Path) -> anyhow::Result<LiveGame> {
    let text = files::read_text(path, LARGEST)?;
    let in_file = || format!("'{}'", path.display());
    let saved = Saved::from_json(&text).with_context(in_file)?;
    LiveGame::restore(&saved).with_context(in_file)
}

fn folder() -> Option<PathBuf> {
    Some(data_folder()?.join("terminal"))
}

fn no_folder() -> anyhow::Error {
    anyhow!("this system has no data folder for programs; set the variable ALEATOR_DATA to one")
}
