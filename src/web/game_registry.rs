use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;

use super::ServeError;
use super::engine_pool::EnginePool;
use super::error::ApiError;
use super::game_room::{GameRoom, not_found};
use super::saver::{SaveQueue, Saver};
use super::study::StudyList;
use super::view::Summary;
use crate::play::{LiveGame, Saved};
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
pub(super) struct GameRegistry {
    folder: PathBuf,
    open: Mutex<HashMap<String, (Arc<GameRoom>, Instant)>>,
    /// Of the games that are not open.
    closed: Mutex<HashMap<String, Summary>>,
    pub replies: Arc<EnginePool>,
    pub studies: Arc<EnginePool>,
    pub study_list: StudyList,
    save_queue: Mutex<Option<SaveQueue>>,
    rng: Mutex<Rng>,
    /// Held as long as the folder is ours.
    _lock: File,
}

/// A lock; what it guards is whole between any two statements that could panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GameRegistry {
    /// The games of a folder, which belongs to this server alone.
    pub fn open(folder: &Path) -> Result<(Arc<GameRegistry>, Saver), ServeError> {
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
        let (save_queue, saver) = Saver::start()?;
        let seed = crate::random::fresh_seed();
        let registry = Arc::new(GameRegistry {
            folder: folder.to_owned(),
            open: Mutex::default(),
            closed: Mutex::default(),
            replies: EnginePool::new(REPLIES, HASH),
            studies: EnginePool::new(STUDIES, HASH),
            study_list: StudyList::default(),
            save_queue: Mutex::new(Some(save_queue)),
            rng: Mutex::new(Rng::new(seed)),
            _lock: held,
        });
        registry.read_folder().map_err(failed)?;
        Ok((registry, saver))
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

    fn read(&self, id: &str) -> Result<Arc<GameRoom>, String> {
        let path = self.path(id);
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let changed = fs::metadata(&path).and_then(|data| data.modified());
        let saved = Saved::from_json(&text).map_err(|error| error.to_string())?;
        let live = LiveGame::restore(&saved).map_err(|error| error.to_string())?;
        Ok(GameRoom::new(id.to_owned(), live, changed.unwrap_or(SystemTime::UNIX_EPOCH)))
    }

    /// The game of this name, and that somebody is there.
    pub fn room(self: &Arc<GameRegistry>, id: &str) -> Result<Arc<GameRoom>, ApiError> {
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
    pub fn create(self: &Arc<GameRegistry>, live: LiveGame) -> Arc<GameRoom> {
        let id: String = self.with_rng(|rng| {
            let letter = |_| char::from(ALPHABET[rng.below(ALPHABET.len() as u64) as usize]);
            (0..ID_LENGTH).map(letter).collect()
        });
        let room = GameRoom::new(id.clone(), live, SystemTime::now());
        lock(&self.open).insert(id, (room.clone(), Instant::now()));
        room.attend(self);
        self.save(&room.id, &room.inner().live);
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
    pub fn save(&self, id: &str, live: &LiveGame) {
        let text = live.saved(Instant::now()).to_json();
        if let Some(save_queue) = &*lock(&self.save_queue) {
            save_queue.write(self.path(id), text);
        }
    }

    pub fn with_rng<T>(&self, draw: impl FnOnce(&mut Rng) -> T) -> T {
        draw(&mut lock(&self.rng))
    }

    /// Looks after all games for as long as the server runs.
    pub async fn attend(self: Arc<GameRegistry>) {
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
            inner.live.pause(Instant::now());
            self.save(&room.id, &inner.live);
        }
        *lock(&self.save_queue) = None;
    }
}

/// Whether a file's name can be a game's.
fn is_id(name: &str) -> bool {
    name.len() == ID_LENGTH && name.bytes().all(|letter| ALPHABET.contains(&letter))
}
