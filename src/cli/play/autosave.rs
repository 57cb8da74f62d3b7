//! Keeps the game under way in a file, so that it can be resumed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::{Context, anyhow, bail};

use crate::files::{self, IfExists};
use crate::play::{LiveGame, Saved};
use crate::system::data_folder;
use crate::text::counted;
use crate::types::Color;

/// No file of a game is larger.
const LARGEST: u64 = 64 << 20;

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

/// The game with this number, from 1, among those that are kept, the one that was left last first;
/// only those of a game, if it is named. Where there are several, they are listed.
pub(super) fn resume(name: Option<&str>, number: usize) -> anyhow::Result<(Autosave, LiveGame)> {
    let folder = folder().ok_or_else(no_folder)?;
    let mut kept = kept(&folder);
    let all = list(&kept);
    kept.retain(|(_, live)| name.is_none_or(|name| live.game_name() == name));
    match (kept.len(), name) {
        (0, Some(name)) if !all.is_empty() => {
            bail!("no game of {name} is kept, but these are:\n{all}")
        }
        (0, _) => bail!("no game is kept in '{}': begin one with 'aleator play'", folder.display()),
        (1, _) => {}
        _ => println!("These games are kept; --resume=N goes on with another:\n{}", list(&kept)),
    }
    if number == 0 || number > kept.len() {
        bail!("there is no game {number} among those that are kept:\n{}", list(&kept));
    }
    let (path, live) = kept.swap_remove(number - 1);
    Ok((Autosave { path: Some(path), saved: None }, live))
}

/// Those that can be read, the newest first.
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
            eprintln!("aleator: a game is passed over: {error:#}");
            None
        }
    };
    files.into_iter().rev().filter_map(restored).collect()
}

/// `  2  ifrc: you - Aleator (level 3), 12 turns`, a line each.
fn list(games: &[(PathBuf, LiveGame)]) -> String {
    let line = |(number, (_, live)): (usize, &(PathBuf, LiveGame))| {
        let [white, black] = Color::ALL.map(|color| super::name(live, color));
        let turns = counted(live.turns().len(), "turn");
        format!("{number:>3}  {}: {white} - {black}, {turns}", live.game_name())
    };
    (1..).zip(games).map(line).collect::<Vec<_>>().join("\n")
}

/// A game that was saved with all that happened.
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
        "this system has no folder for the data of programs; name one in the variable ALEATOR_DATA"
    )
}
