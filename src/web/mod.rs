//! The server of the web page on this machine. The server is a transport of [`crate::play::app`], which
//! contains the logic.
//!
//! ```text
//! request ─ guard (is it allowed?) ─ transport ─ page: its files
//!                                              └ the app ─ storage: the files of the games
//!                                                        └ engines: threads that search
//! ```
//!
//! | file | contents |
//! | --- | --- |
//! | `guard` | rejects requests of other web sites |
//! | `transport` | sockets, streams and the clock; carries out the effects of the app |
//! | `storage` | the folder in which games are saved |
//! | `engines` | the threads of the engines |
//! | `page` | serves the files of the page |

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

/// The options of the server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The port; 0 means any free port.
    pub port: u16,
    /// The folder in which games are saved. The folder is created if it does not exist.
    pub folder: PathBuf,
}

/// The error for a server that cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on port {port} of this machine: {error}")]
    Port { port: u16, error: io::Error },
    #[error("cannot use the folder '{}': {error}", path.display())]
    Folder { path: PathBuf, error: io::Error },
    #[error("another `aleator serve` uses the folder '{}'; stop that server, or choose another folder", path.display())]
    InUse { path: PathBuf },
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// A handle that stops the server.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Stops the server. If the server has not started yet, it stops as soon as it has started.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// Runs the server until it is stopped, and then saves all games. As soon as the page can be opened, `ready`
/// is called with the address of the page and the handle that stops the server.
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
        // The server task never ends by itself.
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
