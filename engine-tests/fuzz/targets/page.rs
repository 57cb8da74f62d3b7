//! The server of the page: requests, a line each, to an empty folder. Each is answered; what is
//! refused changes nothing; games that were begun are there when it starts again, and go through
//! PGN.
#![no_main]

use aleator::web::Direct;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// What takes long by design, or never ends.
const LEFT_OUT: [&str; 3] = ["/events", "/hint", "/verdict"];

struct Client {
    server: Direct,
    /// The address of the game that was begun last.
    game: String,
}

impl Client {
    /// The status, and the body if it is JSON.
    fn ask(&mut self, method: &str, address: &str, body: &[u8]) -> (u16, Value) {
        let Some((status, body)) = self.server.ask(method, address, body) else {
            return (0, Value::Null);
        };
        let value: Option<Value> = serde_json::from_slice(&body).ok();
        assert_ne!(status, 500, "{method} {address}: {value:?}");
        if status >= 400 {
            let error = value.as_ref().and_then(|value| value["error"].as_str());
            assert!(error.is_some_and(|error| !error.is_empty()), "{method} {address}: {status}");
        }
        (status, value.unwrap_or_default())
    }

    fn get(&mut self, address: &str) -> Value {
        let (status, value) = self.ask("GET", address, b"");
        assert_eq!(status, 200, "{address}: {value}");
        value
    }

    /// The game of now: the position and how it came about.
    fn state(&mut self) -> Value {
        let address = self.game.clone();
        if address.is_empty() { Value::Null } else { self.get(&address) }
    }

    /// Sends a line: method, address and body, where `ID` is the last game.
    fn send(&mut self, line: &str) {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (method, address, body) = (word(), word(), word());
        if LEFT_OUT.iter().any(|left_out| address.contains(left_out)) {
            return;
        }
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
        let pgn = self.server.ask("GET", &format!("{}/pgn", self.game), b"");
        let (status, pgn) = pgn.expect("an address");
        assert_eq!(status, 200, "{state}");
        let (status, games) = self.ask("POST", "/api/pgn", &pgn);
        let text = String::from_utf8_lossy(&pgn);
        assert_eq!((status, &games["skipped"]), (200, &Value::Array(Vec::new())), "{text}");
        let id = games["games"][0]["id"].as_str().unwrap_or_else(|| panic!("{games}\n{text}"));
        let again = self.get(&format!("/api/games/{id}"));
        assert_same(&state, &again, &text);
    }
}

/// Whether two states are of the same game.
fn assert_same(one: &Value, other: &Value, why: &str) {
    let is_engine = |side| one["players"][side]["kind"] == "engine";
    if is_engine("white") || is_engine("black") {
        return; // It may have moved meanwhile.
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
    let folder = aleator_fuzz::folder();
    let open = || Direct::open(folder.path()).expect("a folder of our own");
    let mut client = Client { server: open(), game: String::new() };
    text.lines().for_each(|line| client.send(line));
    client.look_back();
    let before = client.state();
    client.server.close();
    let mut client = Client { server: open(), ..client };
    assert_same(&before, &client.state(), text);
    client.server.close();
});
