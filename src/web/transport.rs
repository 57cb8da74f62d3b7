//! Passes requests to the [`App`], and carries out the effects of the app. One task owns the app; all other
//! tasks send messages to this task.

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::mpsc as threads;
use std::time::{Duration, Instant, SystemTime};

use axum::body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use futures_util::stream::{self, StreamExt};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::spawn_blocking;

use super::guard::{HostNames, guard};
use super::storage::Storage;
use super::{ServeError, engines, page, seconds};
use crate::play::app::{self, App, AppEvent, Effect, EngineCommand, Input, Ticket, Time};

/// The interval of keep-alive messages in a stream without events.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// The maximum number of events that wait for a listener. If a listener is too slow, the server ends the
/// stream. Browsers then reopen the stream, which starts with the current state.
const BACKLOG: usize = 256;
/// The size of a request's body, in bytes, above which another thread parses the request.
const LARGE: usize = 64 << 10;

/// A message to the task that owns the app.
pub(super) enum Message {
    Input(Input),
    Request(app::AppRequest, oneshot::Sender<Response>),
}

type Inbox = mpsc::UnboundedSender<Message>;

/// The state of the task that owns the app.
pub(super) struct Transport {
    app: App,
    inbox: Inbox,
    messages: mpsc::UnboundedReceiver<Message>,
    engines: threads::Sender<EngineCommand>,
    storage: Storage,
    /// The requests that wait for a response.
    waiting: HashMap<Ticket, oneshot::Sender<Response>>,
    last_ticket: Ticket,
    /// The listeners of each game.
    subscribers: HashMap<String, Vec<Subscriber>>,
}

fn time() -> Time {
    Time { now: Instant::now(), date: seconds(SystemTime::now()) }
}

impl Transport {
    /// Creates the app with all games of a folder, and starts the engines.
    pub fn new(folder: &Path) -> Result<Transport, ServeError> {
        let failed = |error| ServeError::Folder { path: folder.to_owned(), error };
        let mut app = App::new(crate::random::fresh_seed(), time());
        let (inbox, messages) = mpsc::unbounded_channel();
        let sender = inbox.clone();
        let send = move |input| drop(sender.send(Message::Input(input)));
        let storage = Storage::open(folder, send.clone())?;
        storage.list(&mut app).map_err(failed)?;
        let engines = engines::start(send)?;
        Ok(Transport {
            app,
            inbox,
            messages,
            engines,
            storage,
            waiting: HashMap::new(),
            last_ticket: 0,
            subscribers: HashMap::new(),
        })
    }

    /// Returns the router that handles requests.
    pub fn router(&self, port: u16) -> Router {
        Router::new()
            .fallback(answer)
            .layer(middleware::from_fn_with_state(HostNames::new(port), guard))
            .with_state(self.inbox.clone())
    }

    /// Handles messages until the server is stopped, and then saves all games.
    pub async fn run(mut self, stop: &Notify) {
        let mut ticked = Instant::now();
        loop {
            let next_tick = ticked + self.app.tick_interval();
            tokio::select! {
                Some(message) = self.messages.recv() => match message {
                    Message::Input(input) => self.handle(input),
                    Message::Request(request, sender) => {
                        self.last_ticket += 1;
                        let ticket = self.last_ticket;
                        self.waiting.insert(ticket, sender);
                        self.handle(Input::Request { ticket, request });
                    }
                },
                () = tokio::time::sleep_until(next_tick.into()) => {
                    ticked = Instant::now();
                    self.handle(Input::Tick);
                }
                () = stop.notified() => break,
            }
        }
        self.handle(Input::Close);
        self.storage.finish();
    }

    fn handle(&mut self, input: Input) {
        for effect in self.app.handle(input, time()) {
            match effect {
                Effect::Respond { ticket, response } => {
                    self.respond(ticket, response.into_response());
                }
                Effect::Stream { ticket, game, listener, first } => {
                    let stream = self.stream(game, listener, first);
                    self.respond(ticket, stream);
                }
                Effect::Publish { game, except, event } => self.publish(&game, except, &event),
                Effect::Save { game, text } => self.storage.save(game, Some(text)),
                Effect::Remove { game } => self.storage.save(game, None),
                Effect::Load { game } => {
                    let text = self.storage.read(&game);
                    let _ = self.inbox.send(Message::Input(Input::Loaded { game, text }));
                }
                // Sending cannot fail, because the thread runs as long as `self.engines` exists.
                Effect::Engine(command) => drop(self.engines.send(command)),
            }
        }
    }

    fn respond(&mut self, ticket: Ticket, response: Response) {
        if let Some(sender) = self.waiting.remove(&ticket) {
            // Sending fails if the client has closed the connection.
            let _ = sender.send(response);
        }
    }

    /// Returns a response with a stream of a game's events, which begins with `first`.
    fn stream(&mut self, game: String, number: Option<u32>, first: AppEvent) -> Response {
        let (sender, events) = mpsc::channel(BACKLOG);
        let subscribers = self.subscribers.entry(game.clone()).or_default();
        subscribers.retain(|subscriber| !subscriber.sender.is_closed());
        subscribers.push(Subscriber { number, sender });
        let rest = Stream { events, game, inbox: self.inbox.clone() };
        let next = |mut stream: Stream| async { Some((stream.events.recv().await?, stream)) };
        let events = stream::iter([first]).chain(stream::unfold(rest, next));
        let events = events.map(|event| {
            Ok::<_, Infallible>(sse::Event::default().event(event.name).data(event.data))
        });
        Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
    }

    fn publish(&mut self, game: &str, except: Option<u32>, event: &AppEvent) {
        let Some(subscribers) = self.subscribers.get_mut(game) else { return };
        subscribers.retain(|Subscriber { number, sender }| {
            let is_excepted = except.is_some() && *number == except;
            is_excepted || sender.try_send(event.clone()).is_ok()
        });
    }
}

/// A page that listens to the events of a game, with the number by which the page identifies itself.
struct Subscriber {
    number: Option<u32>,
    sender: mpsc::Sender<AppEvent>,
}

/// The receiving end of a subscription.
struct Stream {
    events: mpsc::Receiver<AppEvent>,
    game: String,
    inbox: Inbox,
}

impl Drop for Stream {
    fn drop(&mut self) {
        let game = std::mem::take(&mut self.game);
        let _ = self.inbox.send(Message::Input(Input::Left { game }));
    }
}

/// Answers a request with a file of the page, or with the response of the app.
async fn answer(State(inbox): State<Inbox>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    if let Some(name) = page::name(&head.method, head.uri.path()) {
        return page::file(name, &head.headers);
    }
    let target = head.uri.path_and_query().map_or("", |target| target.as_str()).to_owned();
    let limit = app::AppRequest::largest_body(&target);
    // If `Content-Length` is too large, the body is not read.
    let length = head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length: Option<u64> = length.and_then(|length| length.parse().ok());
    let body = match length {
        Some(length) if length > limit as u64 => None,
        _ => body::to_bytes(body, limit).await.ok(),
    };
    let Some(body) = body else {
        return app::Response::refusal(413, "the body of the request is too large").into_response();
    };
    let is_large = body.len() > LARGE;
    let parse = move || app::AppRequest::parse(head.method.as_str(), &target, &body);
    let request = if is_large { spawn_blocking(parse).await } else { Ok(parse()) };
    match request {
        Ok(Ok(request)) => ask(&inbox, request).await,
        Ok(Err(refusal)) => refusal.into_response(),
        Err(error) => app::Response::refusal(500, error).into_response(),
    }
}

async fn ask(inbox: &Inbox, request: app::AppRequest) -> Response {
    let (sender, response) = oneshot::channel();
    let _ = inbox.send(Message::Request(request, sender));
    let response = response.await;
    response
        .unwrap_or_else(|_| app::Response::refusal(503, "the server is stopping").into_response())
}

impl IntoResponse for app::Response {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or_default();
        // Browsers must not cache responses of the app.
        let headers =
            [(header::CONTENT_TYPE, self.content_type), (header::CACHE_CONTROL, "no-store")];
        (status, headers, self.body).into_response()
    }
}
