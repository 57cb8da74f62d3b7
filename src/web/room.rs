use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use serde::Serialize;
use tokio::sync::broadcast;
use tokio::task::AbortHandle;

use super::desk::Said;
use super::error::ApiError;
use super::hall::Hall;
use super::study::Study;
use super::view::{State, Summary, player_name};
use crate::play::{Awaited, Table, TableError};

/// How long a game is attended after a request when nobody listens to it.
pub(super) const GRACE: Duration = Duration::from_secs(3);
/// How long each of its turns lasts at least when the engine plays itself, so that one can watch it.
const PACE: Duration = Duration::from_millis(400);
/// How many pieces of news may wait for a listener before it misses some.
const BACKLOG: usize = 256;

/// One game with those who listen to it.
pub(super) struct Room {
    pub id: String,
    inner: Mutex<Inner>,
    news: broadcast::Sender<News>,
    listeners: AtomicUsize,
}

/// What is told to all who listen.
#[derive(Clone, Debug)]
pub(super) struct News {
    /// Of the kind of event.
    pub name: &'static str,
    /// JSON.
    pub data: Arc<str>,
}

impl News {
    pub fn new(name: &'static str, data: &impl Serialize) -> News {
        News { name, data: serde_json::to_string(data).unwrap_or_default().into() }
    }
}

/// The table, and what goes on at it.
pub(super) struct Inner {
    pub table: Table,
    version: u64,
    /// When the last request for it came.
    seen: Instant,
    is_paused: bool,
    /// The engine is thinking about its turn.
    reply: Option<AbortHandle>,
    pub study: Option<Study>,
    /// Analyses and reviews so far.
    pub studies: u64,
    changed: SystemTime,
}

impl Room {
    /// A game at which nobody sits yet.
    pub fn new(id: String, table: Table, changed: SystemTime) -> Arc<Room> {
        let inner = Inner {
            table,
            version: 1,
            seen: Instant::now(),
            is_paused: true,
            reply: None,
            study: None,
            studies: 0,
            changed,
        };
        let (news, _) = broadcast::channel(BACKLOG);
        Arc::new(Room { id, inner: Mutex::new(inner), news, listeners: AtomicUsize::new(0) })
    }

    pub fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all who listen.
    pub fn tell(&self, news: News) {
        // Nobody may be there.
        let _ = self.news.send(news);
    }

    /// Tells all who listen that something did not go well.
    pub fn notice(&self, sentence: &str) {
        self.tell(News::new("notice", &serde_json::json!({ "error": sentence })));
    }

    /// Listens to the game until the hearing is dropped.
    pub fn listen(self: &Arc<Room>) -> Hearing {
        self.listeners.fetch_add(1, Relaxed);
        Hearing { news: self.news.subscribe(), room: self.clone() }
    }

    fn is_attended(&self, inner: &Inner, now: Instant) -> bool {
        self.listeners.load(Relaxed) > 0 || now.saturating_duration_since(inner.seen) < GRACE
    }

    /// The state as of now.
    pub fn state(&self, inner: &Inner) -> State {
        let mut state = State::new(&self.id, inner.version, &inner.table, Instant::now());
        state.thinking = inner.reply.is_some();
        state.analysing = inner.study.as_ref().is_some_and(Study::is_analysis);
        state.reviewing = inner.study.as_ref().is_some_and(|study| !study.is_analysis());
        state
    }

    /// A line for the list of games.
    pub fn summary(&self) -> Summary {
        let inner = self.inner();
        let setting = inner.table.setting();
        let [white, black] = setting.players.map(player_name);
        let changed = inner.changed.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Summary {
            id: self.id.clone(),
            variant: setting.variant.name(),
            white,
            black,
            turns: inner.table.turns().len(),
            result: inner.table.conclusion().map(|end| end.result),
            changed: changed.as_secs(),
        }
    }

    /// The game as PGN, dated when it last changed; nothing while the random part is thrown.
    pub fn pgn(&self) -> Option<String> {
        let inner = self.inner();
        let date = time::OffsetDateTime::from(inner.changed).date().to_string();
        inner.table.pgn(&date.replace('-', ".")).map(|pgn| pgn.to_string())
    }

    /// Somebody is there: clocks and engine go on.
    pub fn attend(self: &Arc<Room>, hall: &Arc<Hall>) {
        let mut inner = self.inner();
        inner.seen = Instant::now();
        if inner.is_paused {
            inner.is_paused = false;
            let now = inner.seen;
            inner.table.resume(now);
            self.go_on(&mut inner, hall);
            self.tell_state(&inner);
        }
    }

    /// Changes the game, and tells all; if that is refused, nothing changes.
    pub fn change<T>(
        self: &Arc<Room>,
        hall: &Arc<Hall>,
        act: impl FnOnce(&mut Table, Instant) -> Result<T, TableError>,
    ) -> Result<(T, State), ApiError> {
        self.attend(hall);
        let mut inner = self.inner();
        let now = Instant::now();
        let ticked = inner.table.tick(now);
        let done = act(&mut inner.table, now);
        if done.is_ok() || ticked {
            self.changed(&mut inner, hall);
        }
        Ok((done?, self.state(&inner)))
    }

    /// What follows from a change: the engine's turn, news, and the file.
    fn changed(self: &Arc<Room>, inner: &mut Inner, hall: &Arc<Hall>) {
        inner.changed = SystemTime::now();
        self.go_on(inner, hall);
        inner.version += 1;
        self.tell_state(inner);
        hall.save(&self.id, &inner.table);
    }

    pub fn tell_state(&self, inner: &Inner) {
        if self.news.receiver_count() > 0 {
            self.tell(News::new("state", &self.state(inner)));
        }
    }

    /// Does what needs nobody, and has the engine think if it is its turn.
    fn go_on(self: &Arc<Room>, inner: &mut Inner, hall: &Arc<Hall>) {
        if let Some(reply) = inner.reply.take() {
            reply.abort();
        }
        hall.with_rng(|rng| inner.table.settle(rng, Instant::now()));
        if matches!(inner.table.awaited(), Awaited::Engine(_)) && !inner.is_paused {
            let (room, hall) = (self.clone(), hall.clone());
            let think = async move { room.think(&hall).await };
            inner.reply = Some(tokio::spawn(think).abort_handle());
        }
    }

    /// The engine's turn.
    async fn think(self: Arc<Room>, hall: &Arc<Hall>) {
        let is_watched = {
            let setting = self.inner().table.setting().clone();
            setting.clock.is_none() && setting.players.iter().all(|player| player.is_engine())
        };
        if is_watched {
            tokio::time::sleep(PACE).await;
        }
        let engine = match hall.replies.borrow(&self.id).await {
            Ok(engine) => engine,
            Err(error) => return self.fail(&error.to_string()),
        };
        // Its clock has run meanwhile.
        let question = self.inner().table.question(Instant::now());
        let Some(question) = question else { return };
        let mut said = engine.ask(&question);
        while let Some(said) = said.recv().await {
            match said {
                Said::Line(_) => {}
                Said::Failed(error) => return self.fail(&error),
                Said::Done(reply) => {
                    let mut inner = self.inner();
                    inner.reply = None;
                    match inner.table.reply(&reply, Instant::now()) {
                        // Its time may have run out, which ends the game.
                        Ok(()) | Err(TableError::Over(_)) => self.changed(&mut inner, hall),
                        Err(error) => self.notice(&error.to_string()),
                    }
                    return;
                }
            }
        }
    }

    fn fail(&self, error: &str) {
        self.inner().reply = None;
        self.notice(&format!("the engine cannot move: {error}"));
    }

    /// Looks at the clocks and whether anybody is there; says whether the room could be closed.
    pub fn look_after(self: &Arc<Room>, hall: &Arc<Hall>, now: Instant) -> bool {
        let mut inner = self.inner();
        if inner.table.tick(now) {
            self.changed(&mut inner, hall);
        }
        if self.is_attended(&inner, now) {
            return false;
        }
        if !inner.is_paused {
            inner.is_paused = true;
            inner.table.pause(now);
            inner.reply.take().iter().for_each(AbortHandle::abort);
            inner.study = None;
            hall.save(&self.id, &inner.table);
        }
        true
    }
}

/// Somebody who listens to a game.
pub(super) struct Hearing {
    news: broadcast::Receiver<News>,
    room: Arc<Room>,
}

impl Hearing {
    /// The game as it is now.
    pub fn state(&self) -> News {
        let inner = self.room.inner();
        News::new("state", &self.room.state(&inner))
    }

    /// The next piece of news; who was too slow for some gets the state.
    pub async fn next(&mut self) -> Option<News> {
        match self.news.recv().await {
            Ok(news) => Some(news),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(self.state()),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        // The grace begins now.
        self.room.inner().seen = Instant::now();
        self.room.listeners.fetch_sub(1, Relaxed);
    }
}

/// There is no such game.
pub(super) fn not_found(id: &str) -> ApiError {
    let id = crate::text::shorten(id);
    ApiError::new(
        StatusCode::NOT_FOUND,
        format!("there is no game '{id}'; GET /api/games lists them"),
    )
}
