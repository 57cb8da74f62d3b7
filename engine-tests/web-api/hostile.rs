//! Tests of requests that the page never sends.
use std::io::{BufReader, Write};

use serde_json::json;

use super::client::{Server, read_answer};

#[test]
fn only_pages_of_this_server_may_send_requests() {
    let server = Server::start("guard");
    let port = server.port;
    let with = |host: &str, header: &str| {
        let head = format!(
            "POST /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{header}\
             Content-Length: 19"
        );
        server.raw(&head, "{\"variant\":\"chess\"}")
    };
    let ours = format!("127.0.0.1:{port}");
    for (host, header) in [
        ("evil.example".to_owned(), String::new()),
        (format!("evil.example:{port}"), String::new()),
        ("127.0.0.1".to_owned(), String::new()),
        (ours.clone(), "Origin: http://evil.example\r\n".to_owned()),
        (ours.clone(), "Origin: null\r\n".to_owned()),
        (ours.clone(), format!("Origin: https://127.0.0.1:{port}\r\n")),
        (ours.clone(), format!("Origin: http://127.0.0.1:{}\r\n", port ^ 1)),
        (ours.clone(), "Sec-Fetch-Site: cross-site\r\n".to_owned()),
        (ours.clone(), "Sec-Fetch-Site: same-site\r\n".to_owned()),
    ] {
        let answer = with(&host, &header);
        assert_eq!(answer.status, 403, "{host} {header}");
        assert!(!answer.error().is_empty());
    }
    assert_eq!(server.get("/api/games").json()["games"], json!([]), "no game was started");
    for (host, header) in [
        (ours.clone(), String::new()),
        (format!("LOCALHOST:{port}"), format!("Origin: http://localhost:{port}\r\n")),
        (format!("[::1]:{port}"), "Sec-Fetch-Site: same-origin\r\n".to_owned()),
    ] {
        assert_eq!(with(&host, &header).status, 201, "{host} {header}");
    }
    // A link on another site may open the page, but must not have any other effect.
    let link = |path: &str, mode: &str| {
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {ours}\r\nConnection: close\r\nSec-Fetch-Site: \
             cross-site\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: document"
        );
        server.raw(&head, "").status
    };
    assert_eq!(link("/?variant=ifrc", "navigate"), 200);
    assert_eq!(link("/?variant=ifrc", "no-cors"), 403);
    assert_eq!(link("/api/games", "navigate"), 403);
    assert_eq!(server.raw("GET / HTTP/1.1\r\nConnection: close", "").status, 403, "no host");
}

#[test]
fn the_page_has_security_headers_and_a_cache_tag() {
    let server = Server::start("page");
    let page = server.get("/?variant=ifrc&start=518");
    assert_eq!(page.status, 200);
    for part in
        ["content-type: text/html", "default-src 'self'", "nosniff", "frame-ancestors 'none'"]
    {
        assert!(page.headers.contains(part), "no {part} in {}", page.headers);
    }
    let tag = page.headers.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let head = format!("{}\r\nIf-None-Match: {tag}", server.head("GET", "/", 0));
    let again = server.raw(&head, "");
    assert_eq!((again.status, &*again.text), (304, ""));
    for path in
        ["/page/index.htm", "/page/..%2f..%2fmod.rs", "/page/%2e%2e", "/nothing", "/api", "/page/"]
    {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.error().is_empty());
    }
    assert_eq!(server.request("DELETE", "/api/games", "").status, 405);
}

#[test]
fn malformed_requests_are_explained() {
    let server = Server::start("unreadable");
    let (game, _) = server.game(json!({ "variant": "chess" }));
    let turn = format!("{game}/turn");
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        "{\"text\":7}",
        "{\"txet\":\"e4\"}",
        "{\"text\":\"e4\",\"x\":1}",
        "{\"text\":\"e4\"}}",
    ] {
        let answer = server.request("POST", &turn, body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().contains("is invalid"), "{}", answer.text);
    }
    let deep = "[".repeat(50_000);
    assert_eq!(server.request("POST", &turn, &deep).status, 400);
    let long = json!({ "text": "e".repeat(60_000) }).to_string();
    let answer = server.request("POST", &turn, &long);
    assert_eq!(answer.status, 422);
    assert!(answer.text.len() < 1_000, "the response does not repeat the request");
    assert_eq!(server.get(&format!("{game}/at/x")).status, 400);
    assert_eq!(server.get(&format!("{game}/at/1")).status, 422);
    assert_eq!(server.get(&format!("{game}/at/99999999999999999999")).status, 400);
    assert_eq!(server.get(&format!("{game}/record")).status, 404);
    assert_eq!(server.get("/api/games/..%2f..%2fetc").status, 404);
    assert_eq!(server.get("/api/games/aaaaaaaaaa").status, 404);
    assert_eq!(server.get(&game).json()["turns"], json!([]));
}

#[test]
fn bodies_are_limited() {
    let server = Server::start("huge");
    let (game, _) = server.game(json!({ "variant": "chess" }));
    let body = "x".repeat(1 << 20);
    let answer = server.request("POST", &format!("{game}/turn"), &body);
    assert_eq!(answer.status, 413);
    assert!(answer.error().contains("too large"));
    // Send a request that declares a large body but does not send the body.
    let head = server.head("POST", "/api/games", usize::MAX >> 1);
    assert_eq!(server.raw(&head, "{").status, 413);
    assert_eq!(server.get(&game).status, 200);
}

#[test]
fn two_hundred_connections_at_once() {
    let server = Server::start("many");
    let (game, _) = server.game(json!({ "variant": "chess", "black": "human" }));
    // Of the connections, 60 send nothing, 60 send half a request, 40 listen to events, and 40 send requests.
    let silent: Vec<_> = (0..60).map(|_| server.connect()).collect();
    let halves: Vec<_> = (0..60)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"POST /api/games HTTP/1.1\r\nHost: ").unwrap();
            stream
        })
        .collect();
    let mut listeners: Vec<_> = (0..40).map(|_| server.listen(&game)).collect();
    let requests: Vec<_> = (0..40)
        .map(|_| {
            let mut stream = server.connect();
            let head = server.head("GET", &game, 0);
            stream.write_all(format!("{head}\r\n\r\n").as_bytes()).unwrap();
            stream
        })
        .collect();
    for stream in requests {
        assert_eq!(read_answer(&mut BufReader::new(stream)).status, 200);
    }
    server.play(&game, "e4");
    for listener in &mut listeners {
        listener.until("state", |state| state["turns"][0]["san"] == "e4");
    }
    drop((silent, halves));
    assert_eq!(server.get(&game).status, 200);
}
