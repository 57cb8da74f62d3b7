use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;

use super::ServeError;
use super::desk::Desk;
use super::error::ApiError;
use super::room::{Room, not_found};
use super::scribe::{Letters, Scribe};
use super::study::StudyList;
use super::view::Summary;
use crate::play::{Saved, Table};
use crate::start::Rng;

/// How often clocks and listeners are looked at.
const ROUND: Duration = Duration::from_millis(200);
/// After so long without anybody a game is only in its file.
const CLOSE_AFTER: Duration = Duration::from_secs(600);
/// So many searches for the engine's turns at a time, and so many for people who study.
const REPLIES: usize = 2;
pub(super) const STUDIES: usize = 2;
/// MiB of hash of each of them.
const HASH: usize = 16;
/// Letters of a game's name: five bits each.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const ID_LENGTH: usize = 10;

/// All games.
pub(super) struct Hall {
    folder: PathBuf,
    open: Mutex<HashMap<String, (Arc<Room>, Instant)>>,
    /// Of the games whose rooms are not open.
    closed: Mutex<HashMap<String, Summary>>,
    pub replies: Arc<Desk>,
    pub studies: Arc<Desk>,
    pub study_list: StudyList,
    letters: Mutex<Option<Letters>>,
    rng: Mutex<Rng>,
    /// Held as long as the folder is ours.
    _lock: File,
}

/// A lock; what it guards is whole between any two statements that could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall {
    /// The games of a folder, which belongs to this server alone.
    pub fn open(folder: &Path) -> Result<(Arc<Hall>, Scribe), ServeError> {
        let failed = |error| ServeError::Folder { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        let held = File::create(folder.join(".lock")).map_err(failed)?;
        match held.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ServeError::InUse { path: folder.to_owned() });
            }
            // Not every file system has locks.
            Err(TryLockError::Error(_)) => {}
        }
        let (letters, scribe) = Scribe::start()?;
        let seed = crate::random::fresh_seed();
        let hall = Arc::new(Hall {
            folder: folder.to_owned(),
            open: Mutex::default(),
            closed: Mutex::default(),
            replies: Desk::new(REPLIES, HASH),
            studies: Desk::new(STUDIES, HASH),
            study_list: StudyList::default(),
            letters: Mutex::new(Some(letters)),
            rng: Mutex::new(Rng::new(seed)),
            _lock: held,
        });
        hall.read_folder().map_err(failed)?;
        Ok((hall, scribe))
    }

    /// Lists the games of the folder; those that cannot be read are named and left alone.
    fn read_folder(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if path.extension().is_none_or(|extension| extension != "json") || !is_id(name) {
                continue;
            }
            match self.read(name) {
                Ok(room) => {
                    lock(&self.closed).insert(name.to_owned(), room.summary());
                }
                Err(error) => eprintln!("aleator: '{}' is passed over: {error}", path.display()),
            }
        }
        Ok(())
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    fn read(&self, id: &str) -> Result<Arc<Room>, String> {
        let path = self.path(id);
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let changed = fs::metadata(&path).and_then(|data| data.modified());
        let saved = Saved::from_json(&text).map_err(|error| error.to_string())?;
        let table = Table::restore(&saved).map_err(|error| error.to_string())?;
        Ok(Room::new(id.to_owned(), table, changed.unwrap_or(SystemTime::UNIX_EPOCH)))
    }

    /// The game of this name, and that somebody is there.
    pub fn room(self: &Arc<Hall>, id: &str) -> Result<Arc<Room>, ApiError> {
        let room = {
            let mut open = lock(&self.open);
            match open.get_mut(id) {
                Some((room, used)) => {
                    *used = Instant::now();
                    room.clone()
                }
                None => {
                    // Only names from the list become paths.
                    if !lock(&self.closed).contains_key(id) {
                        return Err(not_found(id));
                    }
                    let room = self.read(id).map_err(|error| {
                        let sentence = format!("the file of this game cannot be read: {error}");
                        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
                    })?;
                    lock(&self.closed).remove(id);
                    open.insert(id.to_owned(), (room.clone(), Instant::now()));
                    room
                }
            }
        };
        room.attend(self);
        Ok(room)
    }

    /// A new game.
    pub fn found(self: &Arc<Hall>, table: Table) -> Arc<Room> {
        let id: String = self.with_rng(|rng| {
            let letter = |_| char::from(ALPHABET[rng.below(ALPHABET.len() as u64) as usize]);
            (0..ID_LENGTH).map(letter).collect()
        });
        let room = Room::new(id.clone(), table, SystemTime::now());
        lock(&self.open).insert(id, (room.clone(), Instant::now()));
        room.attend(self);
        self.save(&room.id, &room.inner().table);
        room
    }

    /// All games, the one that changed last first.
    pub fn list(&self) -> Vec<Summary> {
        let rooms: Vec<_> = lock(&self.open).values().map(|(room, _)| room.clone()).collect();
        let open = rooms.iter().map(|room| room.summary());
        let mut list: Vec<_> = open.chain(lock(&self.closed).values().cloned()).collect();
        list.sort_by(|one, other| other.changed.cmp(&one.changed).then(one.id.cmp(&other.id)));
        list
    }

    /// Has a game written to its file.
    pub fn save(&self, id: &str, table: &Table) {
        let text = table.saved(Instant::now()).to_json();
        if let Some(letters) = &*lock(&self.letters) {
            letters.write(self.path(id), text);
        }
    }

    pub fn with_rng<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut lock(&self.rng))
    }

    /// Looks after all games for as long as the server runs.
    pub async fn attend(self: Arc<Hall>) {
        loop {
            tokio::time::sleep(ROUND).await;
            let rooms: Vec<_> = lock(&self.open).values().cloned().collect();
            for (room, used) in rooms {
                let now = Instant::now();
                let is_empty = room.look_after(&self, now);
                if is_empty && now.saturating_duration_since(used) > CLOSE_AFTER {
                    lock(&self.closed).insert(room.id.clone(), room.summary());
                    lock(&self.open).remove(&room.id);
                }
            }
        }
    }

    /// Writes all games that are open, and no more from now on.
    pub fn close(&self) {
        let rooms: Vec<_> = lock(&self.open).values().map(|(room, _)| room.clone()).collect();
        for room in rooms {
            let mut inner = room.inner();
            inner.table.pause(Instant::now());
            self.save(&room.id, &inner.table);
        }
        *lock(&self.letters) = None;
    }
}

/// Whether a file's name can be a game's.
fn is_id(name: &str) -> bool {
    name.len() == ID_LENGTH && name.bytes().all(|letter| ALPHABET.contains(&letter))
}
