//! The server of the web page on this machine: a transport of [`crate::play::app`], which has the
//! logic.
//!
//! ```text
//! request ─ guard (is it allowed?) ─ transport ─ page: its files
//!                                              └ the app ─ storage: the files of the games
//!                                                        └ engines: threads that search
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `guard` | which requests are allowed: only those of this server's pages |
//! | `transport` | sockets, streams and the clock; carries out the app's effects |
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

/// The server's port and the folder of the games.
#[derive(Clone, Debug)]
pub struct Options {
    /// 0 for any free port.
    pub port: u16,
    /// Created if it does not exist.
    pub folder: PathBuf,
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on port {port} of this machine: {error}")]
    Port { port: u16, error: io::Error },
    #[error("cannot use the folder '{}': {error}", path.display())]
    Folder { path: PathBuf, error: io::Error },
    #[error("another `aleator serve` keeps its games in '{}'; stop it, or use another folder", path.display())]
    InUse { path: PathBuf },
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// A handle that stops the server.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Stops the server, now or as soon as it runs.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// Serves until stopped, then saves all games. `ready` is called with the page's address once it
/// can be opened.
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
        // The server never ends on its own.
        let server = tokio::spawn(server.into_future());
        ready(&format!("http://127.0.0.1:{port}/"), stopper.clone());
        transport.run(&stopper.0).await;
        server.abort();
        Ok(())
    })
}

/// Converts a time to seconds since 1970.
fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
