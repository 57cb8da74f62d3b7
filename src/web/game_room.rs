use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::http::StatusCode;
use serde::Serialize;
use tokio::sync::broadcast;
use tokio::task::AbortHandle;

use super::engine_pool::EngineMessage;
use super::error::ApiError;
use super::game_registry::GameRegistry;
use super::study::Study;
use super::view::{State, Summary, player_name};
use crate::play::{Awaited, LiveGame, PlayError};

/// How long a game is attended after a request when nobody listens to it.
pub(super) const GRACE: Duration = Duration::from_secs(3);
/// How long each of its turns lasts at least when the engine plays itself, so that one can watch it.
const PACE: Duration = Duration::from_millis(400);
/// How many events may wait for a listener before it misses some.
const BACKLOG: usize = 256;

/// One game with those who listen to it.
pub(super) struct GameRoom {
    pub id: String,
    inner: Mutex<Inner>,
    events: broadcast::Sender<ServerEvent>,
    listeners: AtomicUsize,
}

/// An event for all who listen.
#[derive(Clone, Debug)]
pub(super) struct ServerEvent {
    /// Of the kind of event.
    pub name: &'static str,
    /// JSON.
    pub data: Arc<str>,
}

impl ServerEvent {
    pub fn new(name: &'static str, data: &impl Serialize) -> ServerEvent {
        ServerEvent { name, data: serde_json::to_string(data).unwrap_or_default().into() }
    }
}

/// The game, and what runs for it.
pub(super) struct Inner {
    pub live: LiveGame,
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

impl GameRoom {
    /// A game without listeners yet.
    pub fn new(id: String, live: LiveGame, changed: SystemTime) -> Arc<GameRoom> {
        let inner = Inner {
            live,
            version: 1,
            seen: Instant::now(),
            is_paused: true,
            reply: None,
            study: None,
            studies: 0,
            changed,
        };
        let (events, _) = broadcast::channel(BACKLOG);
        Arc::new(GameRoom { id, inner: Mutex::new(inner), events, listeners: AtomicUsize::new(0) })
    }

    pub fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event to all who listen.
    pub fn publish(&self, event: ServerEvent) {
        // Nobody may be there.
        let _ = self.events.send(event);
    }

    /// Sends a sentence about what did not go well to all who listen.
    pub fn notice(&self, sentence: &str) {
        self.publish(ServerEvent::new("notice", &serde_json::json!({ "error": sentence })));
    }

    /// Listens to the game until the subscription is dropped.
    pub fn listen(self: &Arc<GameRoom>) -> Subscription {
        self.listeners.fetch_add(1, Relaxed);
        Subscription { events: self.events.subscribe(), room: self.clone() }
    }

    fn is_attended(&self, inner: &Inner, now: Instant) -> bool {
        self.listeners.load(Relaxed) > 0 || now.saturating_duration_since(inner.seen) < GRACE
    }

    /// The state as of now.
    pub fn state(&self, inner: &Inner) -> State {
        let mut state = State::new(&self.id, inner.version, &inner.live, Instant::now());
        state.thinking = inner.reply.is_some();
        state.analysing = inner.study.as_ref().is_some_and(Study::is_analysis);
        state.reviewing = inner.study.as_ref().is_some_and(|study| !study.is_analysis());
        state
    }

    /// A line for the list of games.
    pub fn summary(&self) -> Summary {
        let inner = self.inner();
        let settings = inner.live.settings();
        let [white, black] = settings.players.map(player_name);
        let changed = inner.changed.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Summary {
            id: self.id.clone(),
            variant: settings.variant.name(),
            white,
            black,
            turns: inner.live.turns().len(),
            result: inner.live.conclusion().map(|end| end.result),
            changed: changed.as_secs(),
        }
    }

    /// The game as PGN, dated when it last changed; nothing while the random part is thrown.
    pub fn pgn(&self) -> Option<String> {
        let inner = self.inner();
        let date = time::OffsetDateTime::from(inner.changed).date().to_string();
        inner.live.pgn(&date.replace('-', ".")).map(|pgn| pgn.to_string())
    }

    /// Somebody is there: clocks and engine go on.
    pub fn attend(self: &Arc<GameRoom>, registry: &Arc<GameRegistry>) {
        let mut inner = self.inner();
        inner.seen = Instant::now();
        if inner.is_paused {
            inner.is_paused = false;
            let now = inner.seen;
            inner.live.resume(now);
            self.go_on(&mut inner, registry);
            self.publish_state(&inner);
        }
    }

    /// Changes the game, and sends the change to all; if that is refused, nothing changes.
    pub fn change<T>(
        self: &Arc<GameRoom>,
        registry: &Arc<GameRegistry>,
        act: impl FnOnce(&mut LiveGame, Instant) -> Result<T, PlayError>,
    ) -> Result<(T, State), ApiError> {
        self.attend(registry);
        let mut inner = self.inner();
        let now = Instant::now();
        let ticked = inner.live.tick(now);
        let done = act(&mut inner.live, now);
        if done.is_ok() || ticked {
            self.changed(&mut inner, registry);
        }
        Ok((done?, self.state(&inner)))
    }

    /// What follows from a change: the engine's turn, an event, and the file.
    fn changed(self: &Arc<GameRoom>, inner: &mut Inner, registry: &Arc<GameRegistry>) {
        inner.changed = SystemTime::now();
        self.go_on(inner, registry);
        inner.version += 1;
        self.publish_state(inner);
        registry.save(&self.id, &inner.live);
    }

    pub fn publish_state(&self, inner: &Inner) {
        if self.events.receiver_count() > 0 {
            self.publish(ServerEvent::new("state", &self.state(inner)));
        }
    }

    /// Does what needs nobody, and has the engine think if it is its turn.
    fn go_on(self: &Arc<GameRoom>, inner: &mut Inner, registry: &Arc<GameRegistry>) {
        if let Some(reply) = inner.reply.take() {
            reply.abort();
        }
        registry.with_rng(|rng| inner.live.settle(rng, Instant::now()));
        if matches!(inner.live.awaited(), Awaited::Engine(_)) && !inner.is_paused {
            let (room, registry) = (self.clone(), registry.clone());
            let think = async move { room.think(&registry).await };
            inner.reply = Some(tokio::spawn(think).abort_handle());
        }
    }

    /// The engine's turn.
    async fn think(self: Arc<GameRoom>, registry: &Arc<GameRegistry>) {
        let is_watched = {
            let settings = self.inner().live.settings().clone();
            settings.clock.is_none() && settings.players.iter().all(|player| player.is_engine())
        };
        if is_watched {
            tokio::time::sleep(PACE).await;
        }
        let engine = match registry.replies.borrow(&self.id).await {
            Ok(engine) => engine,
            Err(error) => return self.fail(&error.to_string()),
        };
        // Its clock has run meanwhile.
        let question = self.inner().live.question(Instant::now());
        let Some(question) = question else { return };
        let mut messages = engine.ask(&question);
        while let Some(message) = messages.recv().await {
            match message {
                EngineMessage::Line(_) => {}
                EngineMessage::Failed(error) => return self.fail(&error),
                EngineMessage::Done(reply) => {
                    let mut inner = self.inner();
                    inner.reply = None;
                    match inner.live.reply(&reply, Instant::now()) {
                        // Its time may have run out, which ends the game.
                        Ok(()) | Err(PlayError::Over(_)) => self.changed(&mut inner, registry),
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
    pub fn look_after(self: &Arc<GameRoom>, registry: &Arc<GameRegistry>, now: Instant) -> bool {
        let mut inner = self.inner();
        if inner.live.tick(now) {
            self.changed(&mut inner, registry);
        }
        if self.is_attended(&inner, now) {
            return false;
        }
        if !inner.is_paused {
            inner.is_paused = true;
            inner.live.pause(now);
            inner.reply.take().iter().for_each(AbortHandle::abort);
            inner.study = None;
            registry.save(&self.id, &inner.live);
        }
        true
    }
}

/// Somebody who listens to a game.
pub(super) struct Subscription {
    events: broadcast::Receiver<ServerEvent>,
    room: Arc<GameRoom>,
}

impl Subscription {
    /// The game as it is now.
    pub fn state(&self) -> ServerEvent {
        let inner = self.room.inner();
        ServerEvent::new("state", &self.room.state(&inner))
    }

    /// The next event; a listener that was too slow for some gets the state.
    pub async fn next(&mut self) -> Option<ServerEvent> {
        match self.events.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(self.state()),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

impl Drop for Subscription {
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
