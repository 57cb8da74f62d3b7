//! Tests of the app with a transport in memory, whose engine always plays the first legal turn.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::{Game, Turn};
use crate::types::{Bound, Score};

mod games;
mod pgn;
mod puzzles;

/// Returns a line of an engine. The chances to win, draw and lose follow from the sign of the score.
fn report(score: Score, line: Vec<Turn>) -> SearchInfo {
    let (pv, san) = line.into_iter().map(|turn| (turn.uci, turn.san)).unzip();
    SearchInfo {
        depth: 1,
        selective_depth: 1,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        wdl: match score {
            Score::Centipawns(100..) => [950, 50, 0],
            Score::Centipawns(..=-100) => [0, 50, 950],
            _ => [400, 300, 300],
        },
        nodes: 1,
        time: Duration::from_millis(1),
        hash_full: 0,
        tablebase_hits: 0,
        pv,
        san,
    }
}

struct Client {
    app: App,
    time: Time,
    files: BTreeMap<String, String>,
    responses: HashMap<Ticket, Response>,
    last_ticket: Ticket,
    /// The published events, each with the listener that does not receive the event.
    events: Vec<(Option<u32>, &'static str, Value)>,
    /// The running searches, with their engines.
    searches: VecDeque<(usize, u64, Game, SearchRequest)>,
    stopped: Vec<usize>,
    /// The result that every attempt to save a game gets.
    disk: Result<(), String>,
}

impl Client {
    fn new(files: BTreeMap<String, String>) -> Client {
        let time = Time { now: Instant::now(), date: 1_000_000 };
        let mut app = App::new(7, time);
        for (id, text) in &files {
            app.add_saved(id, text, 900_000).unwrap();
        }
        Client {
            app,
            time,
            files,
            responses: HashMap::new(),
            last_ticket: 0,
            events: Vec::new(),
            searches: VecDeque::new(),
            stopped: Vec::new(),
            disk: Ok(()),
        }
    }

    fn handle(&mut self, input: Input) {
        for effect in self.app.handle(input, self.time) {
            match effect {
                Effect::Respond { ticket, response } => {
                    assert!(self.responses.insert(ticket, response).is_none(), "answered twice");
                }
                Effect::Stream { first, .. } => self.event(None, &first),
                Effect::Publish { except, event, .. } => self.event(except, &event),
                Effect::Save { game, text } => {
                    let result = self.disk.clone();
                    if result.is_ok() {
                        self.files.insert(game.clone(), text);
                    }
                    self.handle(Input::Saved { game, result });
                }
                Effect::Remove { game } => {
                    assert!(self.files.remove(&game).is_some(), "there is no file");
                }
                Effect::Load { game } => {
                    let text = self.files.get(&game).cloned().ok_or("no file".to_owned());
                    self.handle(Input::Loaded { game, text });
                }
                Effect::Engine(EngineCommand::Search { engine, search, game, request, .. }) => {
                    let is_free = self.searches.iter().all(|(other, ..)| *other != engine);
                    assert!(is_free, "engine {engine} searches");
                    self.searches.push_back((engine, search, *game, *request));
                }
                Effect::Engine(EngineCommand::Stop { engine }) => self.stopped.push(engine),
            }
        }
    }

    fn event(&mut self, except: Option<u32>, event: &AppEvent) {
        self.events.push((except, event.name, serde_json::from_str(&event.data).unwrap()));
    }

    /// Sends a request. Returns the response, if the app has already answered.
    fn send(&mut self, method: &str, target: &str, body: &Value) -> Option<(u16, Value)> {
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        match AppRequest::parse(method, target, body.to_string().as_bytes()) {
            Ok(request) => self.handle(Input::Request { ticket, request }),
            Err(refusal) => drop(self.responses.insert(ticket, refusal)),
        }
        self.answer(ticket)
    }

    fn answer(&mut self, ticket: Ticket) -> Option<(u16, Value)> {
        let Response { status, body, .. } = self.responses.remove(&ticket)?;
        let value = serde_json::from_str(&body).unwrap_or(Value::String(body));
        Some((status, value))
    }

    fn get(&mut self, target: &str) -> Value {
        let (status, value) = self.send("GET", target, &Value::Null).unwrap();
        assert_eq!(status, 200, "{target}: {value}");
        value
    }

    fn post(&mut self, target: &str, body: Value) -> Value {
        let (status, value) = self.send("POST", target, &body).unwrap();
        assert!(status < 300, "{target} {body}: {value}");
        value
    }

    /// Starts a game. Returns the path and the state of the game.
    fn game(&mut self, order: Value) -> (String, Value) {
        let state = self.post("/api/games", order);
        (format!("/api/games/{}", state["id"].as_str().unwrap()), state)
    }

    fn import(&mut self, target: &str, text: &str) -> Value {
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        let request = AppRequest::parse("POST", target, text.as_bytes()).unwrap();
        self.handle(Input::Request { ticket, request });
        self.answer(ticket).unwrap().1
    }

    fn list(&mut self) -> Vec<Value> {
        self.get("/api/games")["games"].as_array().unwrap().clone()
    }

    fn listen(&mut self, game: &str, listener: u32) {
        self.send("GET", &format!("{game}/events?listener={listener}"), &Value::Null);
    }

    fn pass(&mut self, time: Duration) {
        self.time.now += time;
        self.handle(Input::Tick);
    }

    /// Ends the oldest search: the engine reports one line, and plays the first legal turn.
    fn think(&mut self) {
        let (_, search, game, request) = self.searches.pop_front().expect("a search");
        let offered = request.search_moves.into_iter();
        let Some(best) = offered.chain(game.legal_turns()).next() else {
            return self.end(search, None, Vec::new());
        };
        let word = || Turn { uci: best.clone(), san: best.clone(), placement: false };
        let turn = game.read(&best).unwrap_or_else(|_| word());
        let line = report(Score::Centipawns(10), vec![turn]);
        self.handle(Input::EngineEvent { search, event: EngineEvent::Line(line.clone()) });
        self.end(search, Some(best), vec![line]);
    }

    fn end(&mut self, search: u64, best: Option<String>, lines: Vec<SearchInfo>) {
        let event = EngineEvent::Done(SearchResult { best, ponder: None, nodes: 1, lines });
        self.handle(Input::EngineEvent { search, event });
    }

    /// Takes the step that the state asks for. A person's step is random, with a preference for captures.
    /// Returns false if the game is over.
    fn step(&mut self, game: &str, state: &mut Value, rng: &mut Rng) -> bool {
        let before = state["version"].as_u64();
        let mut die = |_| json!(rng.below(6) + 1);
        *state = match (&state["phase"], &state["awaits"]["kind"]) {
            (phase, _) if phase == "over" => return false,
            (_, kind) if kind == "engine" => {
                self.think();
                self.get(game)
            }
            _ if state["dice"]["needed"] == true => {
                let count = state["dice"]["count"].as_u64().unwrap();
                let own = json!({ "values": (0..count).map(&mut die).collect::<Vec<Value>>() });
                let wish = if state["dice"]["own"] == true { own } else { json!({}) };
                self.post(&format!("{game}/dice"), wish)
            }
            _ if state["mediator"] != Value::Null => {
                let choice = ["keep", "again"][rng.below(2) as usize];
                self.post(&format!("{game}/mediator"), json!({ "choice": choice }))
            }
            _ => {
                let legal = state["legal"].as_array().unwrap();
                let takes = |turn: &&Value| turn["san"].as_str().unwrap().contains('x');
                let captures: Vec<&Value> = legal.iter().filter(takes).collect();
                let choices = if captures.is_empty() { legal.iter().collect() } else { captures };
                let turn = choices[rng.below(choices.len() as u64) as usize];
                self.post(&format!("{game}/turn"), json!({ "text": turn["text"] }))
            }
        };
        assert!(state["version"].as_u64() > before, "{state}");
        true
    }
}

/// Removes the version from a state, because a restart changes the version.
fn lasting(mut state: Value) -> Value {
    state["version"] = Value::Null;
    state
}

/// Plays a game to the end, and checks the earlier positions that the app returns.
fn play_out(client: &mut Client, order: &Value, rng: &mut Rng) -> (String, Value) {
    let (game, mut state) = client.game(order.clone());
    let mut fens = Vec::new();
    while client.step(&game, &mut state, rng) {
        let turns = state["turns"].as_array().unwrap().len();
        fens.truncate(turns);
        // Forced placements are made at once, so the test has not seen the positions before them.
        fens.resize(turns, Value::Null);
        fens.push(state["fen"].clone());
    }
    assert!(state["ending"]["sentence"].as_str().unwrap().ends_with('.'), "{order}: {state}");
    assert_eq!((&state["legal"], &state["awaits"]["kind"]), (&json!([]), &json!("nobody")));
    let is_mate = matches!(state["ending"]["reason"].as_str(), Some("mate" | "stalemate"));
    for ply in (0..fens.len()).step_by(7).filter(|ply| fens[*ply] != Value::Null) {
        let past = client.get(&format!("{game}/at/{ply}"));
        assert_eq!((&past["ply"], &past["fen"]), (&json!(ply), &fens[ply]), "{order}");
        let is_last = ply + 1 == fens.len();
        assert_eq!(past["legal"].as_array().unwrap().is_empty(), is_last && is_mate);
    }
    let turn = client.send("POST", &format!("{game}/turn"), &json!({ "text": "e4" })).unwrap();
    assert_eq!(turn.0, 409);
    (game, state)
}

/// Analyses a position of a game, and then reviews the whole game.
fn study(client: &mut Client, game: &str) {
    client.listen(game, 1);
    client.events.clear();
    let analysis = client.post(&format!("{game}/analysis"), json!({ "lines": 2 }));
    let stopped = client.post(&format!("{game}/analysis"), json!({ "ply": 0 }));
    assert_ne!(analysis, stopped);
    // The second analysis ends the first, so that no line of the first analysis arrives.
    client.think();
    client.think();
    let lines: Vec<&Value> =
        client.events.iter().filter(|event| event.1 == "line").map(|event| &event.2).collect();
    let is_newer = |line: &&Value| line["analysis"] == stopped["analysis"];
    assert!(!lines.is_empty() && lines.iter().all(is_newer), "{lines:?}");
    client.post(&format!("{game}/review"), json!({}));
    while !client.searches.is_empty() {
        client.think();
    }
    let last = |name| {
        let found = client.events.iter().rfind(|event| event.1 == name);
        found.map(|event| event.2.clone()).unwrap_or_default()
    };
    let (progress, state) = (last("progress"), last("state"));
    assert_eq!(progress["done"], progress["total"]);
    assert_eq!((&state["reviewing"], &state["analysing"]), (&json!(false), &json!(false)));
    let turns = state["turns"].as_array().unwrap();
    assert!(turns.iter().all(|turn| turn["placement"] == true || turn["score"]["cp"].is_i64()));
    let accuracy = state["accuracy"]["white"].as_f64().unwrap();
    assert!((50.0..=100.0).contains(&accuracy), "{accuracy}");
    let is_explained =
        |turn: &Value| turn["mark"] == Value::Null || turn["variations"][0][0]["uci"].is_string();
    assert!(turns.iter().all(is_explained), "mistakes have a better line");
    let game = game.rsplit('/').next().unwrap().to_owned();
    client.handle(Input::Left { game });
}

/// Returns the parts of a game's state that a copy of the game must have too.
fn course(state: &Value) -> Vec<Value> {
    let turns = state["turns"].as_array().unwrap().iter().map(|turn| turn["uci"].clone());
    let rest = ["fen", "squares", "rolls", "variant", "number"].map(|name| state[name].clone());
    turns.chain(rest).collect()
}
