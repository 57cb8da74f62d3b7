//! The server without a socket: a request, its answer, the next request. For the fuzzer.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{self, Body};
use axum::http::{Request, header};
use tokio::runtime::{Builder, Runtime};
use tower_service::Service;

use super::ServeError;
use super::game_registry::GameRegistry;
use super::routes::router;
use super::saver::Saver;
use crate::start::Rng;

/// A server that nobody else knows of.
pub struct Direct {
    runtime: Runtime,
    registry: Arc<GameRegistry>,
    saver: Saver,
    router: Router,
}

impl Direct {
    /// A server with the games of a folder; its dice are always the same.
    pub fn open(folder: &Path) -> Result<Direct, ServeError> {
        let (registry, saver) = GameRegistry::open(folder)?;
        registry.with_rng(|rng| *rng = Rng::new(1));
        let router = router(registry.clone(), 0);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Direct { runtime, registry, saver, router })
    }

    /// The status and the body of the answer. There is none where the address is no address, and
    /// those that answer without end must not be asked.
    pub fn ask(&mut self, method: &str, address: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let request = Request::builder().method(method).uri(address);
        let request = request.header(header::HOST, "127.0.0.1:0");
        let request = request.body(Body::from(body.to_vec())).ok()?;
        self.runtime.block_on(async {
            let Ok(answer) = self.router.call(request).await;
            let status = answer.status().as_u16();
            Some((status, body::to_bytes(answer.into_body(), usize::MAX).await.ok()?.to_vec()))
        })
    }

    /// Ends it, with all games in their files.
    pub fn close(self) {
        let Direct { runtime, registry, saver, router } = self;
        registry.close();
        drop((runtime, router, registry));
        saver.finish();
    }
}
