//! Who may ask. Any page in the same browser can send requests to this machine, and with a name that
//! it makes lead here (DNS rebinding) read the answers. So the server answers only those who call it
//! by a name of this machine, and changes or tells games only for its own pages.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::play::app;

/// What pages may do: nothing but what came from here.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The names by which this machine knows itself.
#[derive(Clone, Debug)]
pub(super) struct HostNames(Vec<String>);

impl HostNames {
    pub fn new(port: u16) -> HostNames {
        HostNames(["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")).to_vec())
    }

    fn knows(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Why a request is not answered.
    fn objection(&self, request: &Request) -> Option<&'static str> {
        let text = |name| text_of(request.headers(), name);
        if !text("host").is_some_and(|host| self.knows(host)) {
            return Some(
                "this server is called http://127.0.0.1 or http://localhost with its port",
            );
        }
        let is_ours =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|origin| self.knows(origin));
        if text("origin").is_some_and(|origin| !is_ours(origin)) {
            return Some("only pages of this server may ask, not those of other sites");
        }
        // A link on another site may open the page, and nothing else.
        let opens_page = request.method() == Method::GET
            && request.uri().path() == "/"
            && text("sec-fetch-mode") == Some("navigate")
            && text("sec-fetch-dest") == Some("document");
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => None,
            Some(_) if opens_page => None,
            Some(_) => Some("only pages of this server may ask, not those of other sites"),
        }
    }
}

/// A header's value; none too if it is no text.
fn text_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Refuses those who may not ask, and tells browsers to be as careful.
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
