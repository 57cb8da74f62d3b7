//! The page's logic: requests, a line each, at first without games. Each is answered; what is refused
//! changes nothing; games that were begun are there when it starts again, and go through PGN.
#![no_main]

use std::collections::HashMap;
use std::time::Instant;

use aleator::play::app::{App, AppRequest, Effect, Input, Response, Time};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

struct Client {
    app: App,
    /// The games that were saved.
    texts: HashMap<String, String>,
    /// The address of the game that was begun last.
    game: String,
}

fn time() -> Time {
    Time { now: Instant::now(), date: 0 }
}

impl Client {
    /// Engines never answer, and nobody listens.
    fn handle(&mut self, input: Input) -> Option<Response> {
        let mut answer = None;
        for effect in self.app.handle(input, time()) {
            match effect {
                Effect::Respond { response, .. } => answer = Some(response),
                Effect::Stream { game, .. } => drop(self.handle(Input::Left { game })),
                Effect::Save { game, text } => drop(self.texts.insert(game, text)),
                Effect::Remove { game } => drop(self.texts.remove(&game)),
                Effect::Load { game } => {
                    let text = Ok(self.texts[&game].clone());
                    answer = self.handle(Input::Loaded { game, text });
                }
                Effect::Publish { .. } | Effect::Engine(_) => {}
            }
        }
        answer
    }

    /// The status, and the body if it is JSON; nothing where an engine has to answer first.
    fn ask(&mut self, method: &str, address: &str, body: &[u8]) -> (u16, Value) {
        let answer = match AppRequest::parse(method, address, body) {
            Ok(request) => self.handle(Input::Request { ticket: 1, request }),
            Err(refusal) => Some(refusal),
        };
        let Some(Response { status, body, .. }) = answer else { return (0, Value::Null) };
        let value = serde_json::from_str(&body).unwrap_or(Value::String(body));
        assert_ne!(status, 500, "{method} {address}: {value:?}");
        if status >= 400 {
            let error = value["error"].as_str();
            assert!(error.is_some_and(|error| !error.is_empty()), "{method} {address}: {status}");
        }
        (status, value)
    }

    /// Ends it and begins again with what was saved.
    fn restart(mut self) -> Client {
        self.handle(Input::Close);
        let mut app = App::new(1, time());
        for (id, text) in &self.texts {
            app.add_saved(id, text, 0).expect("what was saved");
        }
        Client { app, ..self }
    }

    fn get(&mut self, address: &str) -> Value {
        let (status, value) = self.ask("GET", address, b"");
        assert_eq!(status, 200, "{address}: {value}");
        value
    }

    /// The game of now: the position and how it came about; nothing once it is deleted.
    fn state(&mut self) -> Value {
        let address = self.game.clone();
        if address.is_empty() {
            return Value::Null;
        }
        let (status, value) = self.ask("GET", &address, b"");
        if status == 404 { Value::Null } else { value }
    }

    /// Sends a line: method, address and body, where `ID` is the last game.
    fn send(&mut self, line: &str) {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (method, address, body) = (word(), word(), word());
        let address = address.replace("/api/games/ID", &self.game);
        let before = self.state();
        let (status, answer) = self.ask(method, &address, body.as_bytes());
        if status >= 400 {
            assert_same(&before, &self.state(), line);
        }
        if let (201, Some(id)) = (status, answer["id"].as_str()) {
            self.game = format!("/api/games/{id}");
        }
    }

    /// What can be asked about a game says the same as its state.
    fn look_back(&mut self) {
        let state = self.state();
        if state["fen"].is_null() {
            return;
        }
        let turns = state["turns"].as_array().map_or(0, Vec::len);
        let past = self.get(&format!("{}/at/{turns}", self.game));
        assert_eq!(past["fen"], state["fen"]);
        let pgn = self.get(&format!("{}/pgn", self.game));
        let text = pgn.as_str().expect("a text");
        let (status, games) = self.ask("POST", "/api/pgn", text.as_bytes());
        assert_eq!((status, &games["skipped"]), (200, &Value::Array(Vec::new())), "{text}");
        let id = games["games"][0]["id"].as_str().unwrap_or_else(|| panic!("{games}\n{text}"));
        let again = self.get(&format!("/api/games/{id}"));
        assert_same(&state, &again, text);
    }
}

/// Whether two states are of the same game.
fn assert_same(one: &Value, other: &Value, why: &str) {
    let is_engine = |side| one["players"][side]["kind"] == "engine";
    if is_engine("white") || is_engine("black") {
        return; // It may have moved meanwhile.
    }
    let is_variation = |state: &Value| state["tail"].as_array().is_some_and(|tail| !tail.is_empty());
    if is_variation(one) && one["turns"] == Value::Array(Vec::new()) {
        return; // As PGN it is a game.
    }
    let texts = |state: &Value| -> Vec<Value> {
        let turns = state["turns"].as_array().into_iter().flatten();
        turns.map(|turn| turn["uci"].clone()).collect()
    };
    assert_eq!(one["fen"], other["fen"], "{why}");
    assert_eq!(texts(one), texts(other), "{why}");
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let app = App::new(1, time());
    let mut client = Client { app, texts: HashMap::new(), game: String::new() };
    text.lines().for_each(|line| client.send(line));
    client.look_back();
    let before = client.state();
    let mut client = client.restart();
    // A game without a turn is not kept.
    if before["turns"].as_array().is_some_and(|turns| !turns.is_empty()) {
        assert_same(&before, &client.state(), text);
    }
});
