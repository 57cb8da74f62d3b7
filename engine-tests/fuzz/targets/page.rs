//! Fuzzes the logic of the page with requests, one per line. At the beginning there are no games. A rejected
//! request must give a reason and change nothing. Games must survive a restart and conversion to PGN.
#![no_main]

use std::collections::HashMap;
use std::time::Instant;

use aleator::play::app::{App, AppRequest, Effect, Input, Response, Time};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

struct Client {
    app: App,
    /// The saved games by id.
    texts: HashMap<String, String>,
    /// The address of the newest game.
    game: String,
}

fn time() -> Time {
    Time { now: Instant::now(), date: 0 }
}

impl Client {
    /// Handles an input and the effects that the app returns. In this test engines never answer, and nobody
    /// receives events.
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

    /// Sends a request. Returns the status and the body (JSON or text). The status is 0 if the app waits for
    /// an engine.
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

    /// Closes the app and starts a new app with the saved games.
    fn restart(mut self) -> Client {
        self.handle(Input::Close);
        let mut app = App::new(1, time());
        for (id, text) in &self.texts {
            app.add_saved(id, text, 0).expect("the saved game is valid");
        }
        Client { app, ..self }
    }

    fn get(&mut self, address: &str) -> Value {
        let (status, value) = self.ask("GET", address, b"");
        assert_eq!(status, 200, "{address}: {value}");
        value
    }

    /// Returns the state of the newest game, or null if it was deleted.
    fn state(&mut self) -> Value {
        let address = self.game.clone();
        if address.is_empty() {
            return Value::Null;
        }
        let (status, value) = self.ask("GET", &address, b"");
        if status == 404 { Value::Null } else { value }
    }

    /// Sends a line with the method, the address and the body of a request. `ID` in the address stands for
    /// the newest game.
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

    /// Checks that the last position and the PGN of the newest game agree with the state of the game.
    fn check_history(&mut self) {
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

/// Asserts that two states show the same game. Games against an engine are not compared.
fn assert_same(one: &Value, other: &Value, why: &str) {
    let is_engine = |side| one["players"][side]["kind"] == "engine";
    if is_engine("white") || is_engine("black") {
        return; // The engine may have moved between the two states.
    }
    let is_variation =
        |state: &Value| state["tail"].as_array().is_some_and(|tail| !tail.is_empty());
    if is_variation(one) && one["turns"] == Value::Array(Vec::new()) {
        return; // In PGN, a variation at the start of a game without turns becomes the game.
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
    client.check_history();
    let before = client.state();
    let mut client = client.restart();
    // A game without a turn is not saved.
    if before["turns"].as_array().is_some_and(|turns| !turns.is_empty()) {
        assert_same(&before, &client.state(), text);
    }
});
