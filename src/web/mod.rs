//! A server on this machine for a page to play on: a transport of [`crate::play::app`], which has the
//! logic.
//!
//! ```text
//! request ─ guard (who asks?) ─ transport ─ page: its files
//!                                         └ the app ─ storage: the files of the games
//!                                                   └ engines: threads that search
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `guard` | who may ask: pages of this server alone |
//! | `transport` | sockets, streams and the clock; carries out what the app wants |
//! | `storage` | the folder of the games |
//! | `engines` | the engines |
//! | `page` | the files of the page |

mod engines;
mod guard;
mod page;
mod storage;
mod transport;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::sync::Notify;

use self::transport::Transport;

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
    let transport = Transport::new(&folder)?;
    let stopper = Stopper(Arc::new(Notify::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let server = axum::serve(listener, transport.router(port));
        // It never ends by itself.
        let server = tokio::spawn(server.into_future());
        ready(&format!("http://127.0.0.1:{port}/"), stopper.clone());
        transport.run(&stopper.0).await;
        server.abort();
        Ok(())
    })
}

/// Seconds since 1970.
fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
