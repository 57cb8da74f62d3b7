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

/// The maximum size of a saved game in bytes.
const LARGEST: u64 = 64 << 20;

/// The suffix of the names of all files that `aleator play` saves automatically.
const ENDING: &str = "terminal.json";

/// Saves the current game to a file, and removes the file when the game is over.
pub(in crate::cli) struct Autosave {
    /// The file to which the game is saved. `None` if the game is not saved.
    path: Option<PathBuf>,
    /// The game as this process last wrote it to the file. `None` if this process has not written the file.
    saved: Option<Saved>,
}

impl Autosave {
    /// Creates an autosave for a new game, with a file name that no other game uses.
    pub fn new() -> Autosave {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let (seconds, process) = (since.as_secs(), std::process::id());
        let path = |folder: PathBuf| {
            let names = (1..).map(|game| format!("{seconds}-{process}-{game}.{ENDING}"));
            names.map(|name| folder.join(name)).find(|path| !path.exists())
        };
        Autosave { path: folder().and_then(path), saved: None }
    }

    /// Creates an autosave that saves nothing.
    pub const fn none() -> Autosave {
        Autosave { path: None, saved: None }
    }

    /// Saves the game if the game has changed. Removes the file if the game is over.
    pub fn keep(&mut self, live: &LiveGame) -> anyhow::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let saved = live.saved(Instant::now());
        if live.termination().is_some() || live.events().is_empty() {
            // A game that is over cannot be resumed. If the last turn is taken back, the game is saved again.
            let _ = fs::remove_file(path);
            self.saved = None;
            return Ok(());
        }
        if self.saved.as_ref() == Some(&saved) {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
        }
        files::write(path, saved.to_json().as_bytes(), IfExists::Replace)?;
        self.saved = Some(saved);
        Ok(())
    }

    /// Stops saving the game. An existing file is not removed.
    pub fn give_up(&mut self) {
        (self.path, self.saved) = (None, None);
    }

    /// Returns a message that tells the user how to continue the game, if the game is saved.
    pub fn how_to_go_on(&self) -> Option<&'static str> {
        self.saved.as_ref().map(|_| "The game is saved. To continue:\naleator play --resume")
    }
}

/// Returns the saved game with this number, where 1 is the most recent game. If `name` is given, only
/// games of this variant count. If there are several games, prints a list.
pub(super) fn resume(name: Option<&str>, number: usize) -> anyhow::Result<(Autosave, LiveGame)> {
    let folder = folder().ok_or_else(no_folder)?;
    let mut kept = kept(&folder);
    let all = list(&kept);
    kept.retain(|(_, live)| name.is_none_or(|name| live.game_name() == name));
    match (kept.len(), name) {
        (0, Some(name)) if !all.is_empty() => {
            bail!("there is no saved game of {name}. The saved games are:\n{all}")
        }
        (0, _) => {
            bail!("there is no saved game in '{}': start one with 'aleator play'", folder.display())
        }
        (1, _) => {}
        _ => println!("Saved games (--resume=N continues game N):\n{}", list(&kept)),
    }
    if number == 0 || number > kept.len() {
        bail!("there is no saved game {number}. The saved games are:\n{}", list(&kept));
    }
    let (path, live) = kept.swap_remove(number - 1);
    Ok((Autosave { path: Some(path), saved: None }, live))
}

/// Returns all saved games in a folder, the most recent first. Files that cannot be read are skipped.
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
            eprintln!("aleator: a saved game is skipped: {error:#}");
            None
        }
    };
    files.into_iter().rev().filter_map(restored).collect()
}

/// Formats a numbered list of games, with lines such as `  2  ifrc: you - Aleator (level 3), 12 turns`.
fn list(games: &[(PathBuf, LiveGame)]) -> String {
    let line = |(number, (_, live)): (usize, &(PathBuf, LiveGame))| {
        let [white, black] = Color::ALL.map(|color| super::name(live, color));
        let turns = counted(live.turns().len(), "turn");
        format!("{number:>3}  {}: {white} - {black}, {turns}", live.game_name())
    };
    (1..).zip(games).map(line).collect::<Vec<_>>().join("\n")
}

/// Reads a saved game from a file and restores it.
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
    anyhow!(
        "this system has no folder for user data; set the environment variable ALEATOR_DATA to a folder"
    )
}
