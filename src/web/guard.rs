//! Rejects requests of other web sites.
//!
//! Any page in the same browser can send requests to this machine. A page can even read the responses, if it
//! makes a host name of its own point to this machine (DNS rebinding). Therefore the server answers only
//! requests to the host names of this machine, and serves games only to pages of this server.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::play::app;

/// The content security policy: pages may load files only from this server.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The host names of this server, with the port.
#[derive(Clone, Debug)]
pub(super) struct HostNames(Vec<String>);

impl HostNames {
    pub fn new(port: u16) -> HostNames {
        HostNames(["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")).to_vec())
    }

    fn knows(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Returns why a request is rejected, or `None` if the request is allowed.
    fn objection(&self, request: &Request) -> Option<&'static str> {
        let text = |name| text_of(request.headers(), name);
        if !text("host").is_some_and(|host| self.knows(host)) {
            return Some("use http://127.0.0.1 or http://localhost with the server's port");
        }
        let is_ours =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|origin| self.knows(origin));
        if text("origin").is_some_and(|origin| !is_ours(origin)) {
            return Some("only pages of this server may send requests, not those of other sites");
        }
        // A link on another site may open the page, but other sites may do nothing else.
        let opens_page = request.method() == Method::GET
            && request.uri().path() == "/"
            && text("sec-fetch-mode") == Some("navigate")
            && text("sec-fetch-dest") == Some("document");
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => None,
            Some(_) if opens_page => None,
            Some(_) => {
                Some("only pages of this server may send requests, not those of other sites")
            }
        }
    }
}

/// Returns the value of a header, or `?` if the value is not text.
fn text_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Rejects forbidden requests, and sets security headers for browsers.
pub(super) async fn guard(
    State(names): State<HostNames>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match names.objection(&request) {
        Some(sentence) => app::Response::refusal(403, sentence).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
