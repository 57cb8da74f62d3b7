//! A server on this machine for a page to play on.
//!
//! ```text
//! request ─ guard (who asks?) ─ routes (what for?) ─ registry ─ room: a game, its listeners, its studies
//!                                                         ├ pool: engines, lent to the games
//!                                                         └ saver: the files of the games
//! ```
//!
//! Everything runs on one thread, that of an asynchronous runtime, but for the engines and the
//! saver. A room sends each change to all who listen; the page draws what it is sent, and
//! decides nothing.
//!
//! | file | holds |
//! | --- | --- |
//! | `guard` | who may ask: pages of this server alone |
//! | `routes` | which address does what |
//! | `error` | errors as answers |
//! | `game_registry` | all games, and their folder |
//! | `game_room` | one game with those who listen |
//! | `study` | analysis, reviews, hints, verdicts |
//! | `engine_pool` | engines that the games share |
//! | `saver` | writes the games to their files |
//! | `new_game` | what a request for a new game says |
//! | `view` | a game as the page sees it |
//! | `page` | the files of the page |
//! | `direct` | the server without a socket, for the fuzzer |
//!
//! No search outlives its listeners: a game is *attended* while a page listens to it, and some
//! seconds (`GRACE` in `game_room`) after each request.

#[cfg(fuzzing)]
mod direct;
mod engine_pool;
mod error;
mod game_registry;
mod game_room;
mod guard;
mod new_game;
mod page;
mod routes;
mod saver;
mod study;
mod view;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Notify;

#[cfg(fuzzing)]
pub use direct::Direct;
use game_registry::GameRegistry;

/// Where to serve, and where the games are.
#[derive(Clone, Debug)]
pub struct Options {
    /// 0 for any that is free.
    pub port: u16,
    /// Made if it is not there.
    pub folder: PathBuf,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(
        "cannot listen on port {port} of this machine: {error}; --port 0 takes one that is free"
    )]
    Port { port: u16, error: io::Error },
    #[error("cannot use the folder '{}': {error}", path.display())]
    Folder { path: PathBuf, error: io::Error },
    #[error("another `aleator serve` keeps its games in '{}'; end it, or use another --folder", path.display())]
    InUse { path: PathBuf },
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// Ends the server.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends it, now or as soon as it runs.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// Serves until it is stopped; then all games are in their files. `ready` gets the address of the
/// page when it can be opened.
pub fn serve(options: &Options, ready: impl FnOnce(&str, Stopper)) -> Result<(), ServeError> {
    let Options { port, folder } = options.clone();
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(wanted).map_err(|error| ServeError::Port { port, error })?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let (registry, saver) = GameRegistry::open(&folder)?;
    let stopper = Stopper(Arc::new(Notify::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let attendant = tokio::spawn(registry.clone().attend());
        registry.replies.warm_up();
        registry.studies.warm_up();
        ready(&format!("http://127.0.0.1:{port}/"), stopper.clone());
        let router = routes::router(registry.clone(), port);
        let served = tokio::select! {
            served = async { axum::serve(listener, router).await } => served,
            () = stopper.0.notified() => Ok(()),
        };
        attendant.abort();
        registry.close();
        served
    })?;
    // Ends what is still asked for, and with it the last hold on the save queue.
    drop((runtime, registry));
    saver.finish();
    Ok(())
}
