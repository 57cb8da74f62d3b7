//! Tests of the app with a transport in memory, whose engine always plays the first legal turn.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::{Game, Turn};
use crate::types::{Bound, Score};

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
    let rest = ["fen", "squares", "throws", "variant", "number"].map(|name| state[name].clone());
    turns.chain(rest).collect()
}

#[test]
fn a_link_opens_the_same_game() {
    let mut client = Client::new(BTreeMap::new());
    let mut rng = Rng::new(5);
    let people = |variant: &str| json!({ "variant": variant, "black": "human" });
    let own = json!({ "variant": "jepps", "order": "free", "dice": "own", "black": "human" });
    let die = json!({ "variant": "fischerbenko", "start": "die", "black": "human" });
    for order in [people("dfrc"), people("ifrc"), people("jepps"), people("placement"), own, die] {
        let (game, state) = play_out(&mut client, &order, &mut rng);
        let link = client.post(&format!("{game}/link"), json!({ "ply": 1, "moves": [] }));
        let copy = client.post("/api/link", link["link"].clone());
        assert_eq!(course(&copy), course(&state), "{order}");
    }
    let (game, _) = client.game(people("chess"));
    for text in ["e4", "e5"] {
        client.post(&format!("{game}/turn"), json!({ "text": text }));
    }
    let link = client.post(&format!("{game}/link"), json!({ "ply": 1, "moves": ["c7c5", "g1f3"] }));
    let copy = client.post("/api/link", link["link"].clone());
    let turns = copy["turns"].as_array().unwrap();
    let san: Vec<&str> = turns.iter().map(|turn| turn["san"].as_str().unwrap()).collect();
    assert_eq!(san, ["e4", "c5", "Nf3"]);
    assert!(link["link"].to_string().contains(r#"["ply","3"]"#), "{link}");
    for (ply, moves) in [(u64::MAX, vec!["g1f3"]), (3, vec![]), (2, vec!["e2e4"])] {
        let asked = json!({ "ply": ply, "moves": moves });
        let (status, answer) = client.send("POST", &format!("{game}/link"), &asked).unwrap();
        assert_eq!(status, 422, "{answer}");
    }
}

#[test]
fn a_link_can_be_long_and_its_errors_are_explained() {
    let mut client = Client::new(BTreeMap::new());
    let link =
        |moves: &str, ply: &str| json!([["variant", "chess"], ["moves", moves], ["ply", ply]]);
    // Knights go out and back three times after each pair of pawn moves.
    let mut moves = Vec::new();
    for file in ["a", "b", "c", "d", "e", "g", "h"] {
        for (white, black) in [("2", "3"), ("3", "4")].into_iter().zip([("7", "6"), ("6", "5")]) {
            moves.extend([white, black].map(|(from, to)| format!("{file}{from}{file}{to}")));
            let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].map(str::to_owned);
            moves.extend(knights.into_iter().cycle().take(12));
        }
    }
    let state = client.post("/api/link", link(&moves.join("."), "150"));
    assert_eq!(state["turns"].as_array().unwrap().len(), moves.len());
    let long = ["g1f3.g8f6.f3g1.f6g8"; 501].join(".");
    for (moves, ply, words) in [
        (&*long, "1", "it has more than 2000 moves"),
        ("e2e4.e2e4", "1", "turn 2, 'e2e4': "),
        ("e2e4.66", "1", "turn 2, '66': no dice are needed now"),
        ("e2e4.keep", "1", "turn 2, 'keep': "),
        ("nonsense", "1", "turn 1, 'nonsense': "),
        ("e2e4", "2", "it starts after turn 2, but the number of turns is only 1"),
        ("e2e4", "-1", "'ply' must be a number, not '-1'"),
    ] {
        let (status, refusal) = client.send("POST", "/api/link", &link(moves, ply)).unwrap();
        assert_eq!(status, 422, "{moves}");
        assert!(refusal["error"].as_str().unwrap().contains(words), "{refusal}");
    }
}

/// If the review went on, a new turn would get the score of the turn that was taken back.
#[test]
fn a_review_ends_when_a_turn_is_taken_back() {
    let mut client = Client::new(BTreeMap::new());
    let (game, _) = client.game(json!({ "variant": "chess", "black": "human" }));
    client.listen(&game, 1);
    client.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    client.post(&format!("{game}/review"), json!({}));
    assert_eq!(client.get(&game)["reviewing"], true);
    client.post(&format!("{game}/undo"), json!({}));
    assert_eq!(client.get(&game)["reviewing"], false);
}

#[test]
fn every_game_is_set_up_played_to_its_end_and_studied() {
    let mut client = Client::new(BTreeMap::new());
    let variants = client.get("/api/variants");
    let ids: Vec<&str> =
        variants.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&"dfrc") && ids.contains(&"jepps"), "{ids:?}");
    let mut orders: Vec<Value> =
        ids.iter().map(|id| json!({ "variant": id, "black": "human" })).collect();
    orders.extend(ids.iter().map(|id| json!({ "variant": id })));
    let person = "human";
    orders.push(json!({ "variant": "jepps", "order": "free", "dice": "own", "black": person }));
    orders.push(json!({ "variant": "fischerbenko", "dice": "own", "black": person }));
    orders.push(json!({ "variant": "transcendental", "start": "die", "black": person }));
    orders.push(json!({ "variant": "jepps", "white": "engine", "black": person, "dice": "own" }));
    let mut rng = Rng::new(11);
    let mut ended = Vec::new();
    for order in &orders {
        let (game, state) = play_out(&mut client, order, &mut rng);
        let pgn = client.get(&format!("{game}/pgn"));
        assert!(pgn.as_str().unwrap().contains(state["ending"]["result"].as_str().unwrap()));
        study(&mut client, &game);
        ended.push((game.clone(), client.get(&game)));
    }
    let list = client.list();
    assert_eq!(list.len(), orders.len());
    assert!(list.iter().all(|game| game["result"] != Value::Null));
    client.handle(Input::Close);
    let mut again = Client::new(client.files);
    assert_eq!(again.list().len(), orders.len());
    for (game, state) in ended {
        assert_eq!(lasting(again.get(&game)), lasting(state));
    }
}

#[test]
fn a_change_reaches_each_page_once() {
    let mut client = Client::new(BTreeMap::new());
    let (game, _) = client.game(json!({ "variant": "chess" }));
    client.listen(&game, 1);
    client.listen(&game, 2);
    client.events.clear();
    let turn = format!("{game}/turn?listener=1");
    let state = client.post(&turn, json!({ "text": "e4" }));
    assert_eq!(
        client.events,
        [(Some(1), "state", state)],
        "all listeners but the first receive it"
    );
    client.events.clear();
    assert_eq!(client.send("POST", &turn, &json!({ "text": "e5" })).unwrap().0, 409);
    assert_eq!(client.events, []);
    client.think();
    let (except, name, state) = &client.events[0];
    assert_eq!((except, *name, state["turns"].as_array().unwrap().len()), (&None, "state", 2));
}

#[test]
fn a_pause_before_a_reply_delays_no_other_game() {
    let mut client = Client::new(BTreeMap::new());
    let slow = json!({ "variant": "chess", "level": 1, "pauses": true });
    let (game, _) = client.game(slow.clone());
    let (other, _) = client.game(json!({ "variant": "chess", "level": 1 }));
    client.listen(&game, 1);
    let play = |client: &mut Client, game: &str, text: &str| {
        client.post(&format!("{game}/turn"), json!({ "text": text }))
    };
    assert_eq!(play(&mut client, &game, "e4")["thinking"], true);
    assert!(client.searches.is_empty(), "it starts later");
    play(&mut client, &other, "e4");
    assert_eq!(client.searches.len(), 1, "another game does not wait");
    client.think();
    client.pass(Duration::from_millis(499));
    assert!(client.searches.is_empty());
    client.post(&format!("{game}/undo"), json!({}));
    client.pass(Duration::from_millis(1_500));
    assert!(client.searches.is_empty(), "a turn taken back gets no reply");
    play(&mut client, &game, "d4");
    client.pass(Duration::from_millis(1_500));
    assert_eq!(client.searches.len(), 1);
    client.think();
    play(&mut client, &game, "c4");
    assert_eq!(client.post(&format!("{game}/resign"), json!({}))["thinking"], false);
    client.pass(Duration::from_millis(1_500));
    assert!(client.searches.is_empty(), "nor does a resignation");
}

#[test]
fn searches_wait_for_a_free_engine() {
    let mut client = Client::new(BTreeMap::new());
    let clock = json!({ "base_ms": 60_000 });
    let order = json!({ "variant": "chess", "white": "engine", "clock": clock });
    let games: Vec<String> = (0..3).map(|_| client.game(order.clone()).0).collect();
    assert_eq!(client.searches.len(), PLAY_ENGINES);
    // A resignation stops the running search.
    client.post(&format!("{}/resign", games[0]), json!({}));
    assert_eq!((client.stopped.pop(), client.searches.len()), (Some(0), PLAY_ENGINES));
    client.think();
    assert_eq!(client.get(&games[0])["turns"], json!([]), "its reply comes too late");
    assert_eq!(client.searches.len(), PLAY_ENGINES, "the third search starts");
    client.think();
    client.think();
    for game in &games[1..] {
        assert!(!client.get(game)["turns"].as_array().unwrap().is_empty());
    }
    // Hints also wait for a free engine, and are answered later.
    let (game, _) = client.game(json!({ "variant": "chess", "black": "human" }));
    assert_eq!(client.send("POST", &format!("{game}/hint"), &json!({})), None);
    let ticket = client.last_ticket;
    while !client.responses.contains_key(&ticket) {
        client.think();
    }
    let (status, hint) = client.answer(ticket).unwrap();
    assert_eq!((status, &hint["line"][0]), (200, &hint["san"]));
}

#[test]
fn the_oldest_study_ends_when_there_are_too_many() {
    let mut client = Client::new(BTreeMap::new());
    for number in 0..=STUDY_ENGINES {
        let (game, _) = client.game(json!({ "variant": "chess", "black": "human" }));
        client.listen(&game, 1);
        let notices = |client: &Client| client.events.iter().any(|event| event.1 == "notice");
        assert!(!notices(&client));
        client.post(&format!("{game}/analysis"), json!({}));
        assert_eq!(notices(&client), number == STUDY_ENGINES);
    }
    assert_eq!(client.stopped, [PLAY_ENGINES]);
}

#[test]
fn unattended_games_are_closed_and_loaded_again() {
    let mut client = Client::new(BTreeMap::new());
    let (game, _) =
        client.game(json!({ "variant": "chess", "white": "engine", "black": "engine" }));
    assert!(client.searches.is_empty(), "the engine pauses between its turns");
    let id = game.rsplit('/').next().unwrap().to_owned();
    client.listen(&game, 1);
    client.pass(Duration::from_secs(9));
    assert_eq!((client.searches.len(), client.app.tick_interval()), (1, TICK));
    client.think();
    client.pass(Duration::from_secs(1));
    client.handle(Input::Left { game: id.clone() });
    client.pass(Duration::from_secs(2));
    assert!(client.stopped.is_empty());
    client.pass(Duration::from_secs(2));
    assert_eq!(client.stopped, [0], "the engine stops");
    client.think();
    client.pass(Duration::from_secs(900));
    // A closed game exists only as a file.
    let text = client.files.remove(&id).unwrap();
    let (status, answer) = client.send("GET", &game, &Value::Null).unwrap();
    assert_eq!(
        (status, &answer["error"]),
        (500, &json!("the file of this game cannot be read: no file"))
    );
    client.files.insert(id, text);
    assert_eq!(client.get(&game)["turns"].as_array().unwrap().len(), 1);
    client.pass(Duration::from_secs(1));
    assert_eq!(client.searches.len(), 1, "the game continues");
}
#[test]
fn versions_increase_over_a_restart() {
    // Pages ignore a state that is older than the state they show.
    let mut before = Client::new(BTreeMap::new());
    let people = json!({ "variant": "chess", "white": "human", "black": "human" });
    let (game, _) = before.game(people);
    before.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    let version = before.get(&game)["version"].as_u64();
    before.handle(Input::Close);
    let mut after = Client::new(BTreeMap::new());
    for (id, text) in &before.files {
        after.app.add_saved(id, text, before.time.date).unwrap();
    }
    after.files = before.files;
    assert!(after.get(&game)["version"].as_u64() > version);
}

#[test]
fn games_without_a_turn_are_not_kept() {
    let mut client = Client::new(BTreeMap::new());
    let (game, _) = client.game(json!({ "variant": "jepps", "black": "human" }));
    client.post(&format!("{game}/dice"), json!({}));
    assert!(client.files.is_empty() && client.list().is_empty());
    let mut state = client.get(&game);
    while state["legal"] == json!([]) {
        state = client.post(&format!("{game}/dice"), json!({}));
    }
    let turn = format!("{game}/turn");
    let state = client.post(&turn, json!({ "text": state["legal"][0]["text"] }));
    assert_eq!((client.files.len(), client.list().len()), (1, 1));
    // After a turn is taken back, the roll before the turn is shown again.
    let shows = state["throws"].as_array().unwrap().last().unwrap()["shows"].clone();
    let state = client.post(&format!("{game}/undo"), json!({}));
    assert_eq!((&state["dice"]["shows"], &state["dice"]["needed"]), (&shows, &json!(false)));
    assert!(client.files.is_empty() && client.list().is_empty());
    client.pass(Duration::from_secs(3_600));
    assert_eq!(client.get(&game)["turns"], json!([]), "it can still be played");
}

#[test]
fn deleted_games_can_be_restored_for_a_while() {
    let mut client = Client::new(BTreeMap::new());
    let (game, _) = client.game(json!({ "variant": "chess", "black": "human" }));
    client.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    client.listen(&game, 1);
    client.send("DELETE", &game, &Value::Null);
    assert_eq!(client.events.last().unwrap().1, "deleted");
    assert_eq!((client.list().len(), client.files.len()), (0, 1));
    let (status, answer) = client.send("GET", &game, &Value::Null).unwrap();
    assert_eq!((status, answer["error"].as_str().unwrap().contains("deleted")), (404, true));
    client.post(&format!("{game}/restore"), json!({}));
    client.pass(2 * UNDO_DELETE);
    assert_eq!(client.list().len(), 1);
    client.send("DELETE", &game, &Value::Null);
    client.pass(UNDO_DELETE);
    assert!(client.files.is_empty());
    assert_eq!(client.send("POST", &format!("{game}/restore"), &json!({})).unwrap().0, 404);
}

#[test]
fn a_failing_disk_is_reported_at_once() {
    let mut client = Client::new(BTreeMap::new());
    client.disk = Err("no space left".to_owned());
    let (game, state) = client.game(json!({ "variant": "chess", "black": "human" }));
    assert_eq!(state["unsaved"], Value::Null, "there is nothing to save");
    client.listen(&game, 1);
    client.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    let state = client.events.last().unwrap().2.clone();
    assert_eq!(
        (&state["unsaved"], &client.list()[0]["unsaved"]),
        (&json!("no space left"), &json!(true))
    );
    // A game that could not be saved is never closed, even if no page attends the game.
    client.handle(Input::Left { game: game.rsplit('/').next().unwrap().to_owned() });
    client.pass(Duration::from_secs(4));
    client.pass(Duration::from_secs(900));
    assert_eq!(client.get(&game)["turns"].as_array().unwrap().len(), 1);
    client.disk = Ok(());
    client.post(&format!("{game}/turn"), json!({ "text": "e5" }));
    assert_eq!(client.get(&game)["unsaved"], Value::Null);
    client.app.add_unreadable("games/x.json".to_owned(), "no saved game".to_owned());
    assert_eq!(client.get("/api/games")["unreadable"][0]["file"], "games/x.json");
}

const FILE: &str = "[Event \"Casual\"]\n[Site \"Wien\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n\
    [WhiteElo \"1800\"]\n[Opening \"Scholar\"]\n[Date \"1999.01.02\"]\n[Result \"1-0\"]\n\
    [Termination \"rules infraction\"]\n\n{Once.} 1. e4 e5 1-0\n\n";

impl Client {
    fn import(&mut self, target: &str, text: &str) -> Value {
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        let request = AppRequest::parse("POST", target, text.as_bytes()).unwrap();
        self.handle(Input::Request { ticket, request });
        self.answer(ticket).unwrap().1
    }
}

#[test]
fn imported_games_keep_their_tags_and_comments() {
    let mut client = Client::new(BTreeMap::new());
    let two = format!("{FILE}[White \"Eve\"]\n\n1. d4 *\n");
    let taken = client.import("/api/pgn?name=my%20games.pgn", &two);
    let first = taken["games"][0].clone();
    assert_eq!((&first["white"], &first["event"]), (&json!("Ada"), &json!("Casual")));
    assert_eq!(
        (&first["date"], &first["collection"]),
        (&json!("1999.01.02"), &json!("my games.pgn"))
    );
    client.handle(Input::Close);
    let mut client = Client::new(client.files);
    let game = format!("/api/games/{}", first["id"].as_str().unwrap());
    let state = client.get(&game);
    assert_eq!(state["players"]["black"]["name"], "Bob");
    assert_eq!(state["foreword"], "Once.");
    assert!(state["tags"].as_array().unwrap().contains(&json!(["WhiteElo", "1800"])), "{state}");
    let pgn = client.get(&format!("{game}/pgn"));
    let pgn = pgn.as_str().unwrap();
    for line in FILE.lines().filter(|line| !line.is_empty()) {
        assert!(pgn.contains(line), "no {line} in {pgn}");
    }
    // A single imported game is not part of a collection.
    assert_eq!(client.import("/api/pgn", FILE)["games"][0]["collection"], Value::Null);
}

/// If a move cannot be read, the moves before it are imported, and the page shows the problem.
#[test]
fn readable_games_of_a_bad_file_are_imported() {
    let mut client = Client::new(BTreeMap::new());
    let text =
        "1. Ke3 *\n\n[White \"A\"]\n\n1. e4 $1 $14 e5 (1... c5 $14 $36 {x} 2. Ke3) 2. Qa9 0-1\n";
    let taken = client.import("/api/pgn", text);
    let told = |list: &str| -> Vec<&str> {
        let problems = taken[list].as_array().unwrap();
        problems.iter().map(|problem| problem["error"].as_str().unwrap()).collect()
    };
    let ([skipped], [first, second]) = (&told("skipped")[..], &told("warnings")[..]) else {
        panic!("{taken}")
    };
    assert!(skipped.starts_with("line 1, game 1: move 1. 'Ke3' is illegal"), "{skipped}");
    assert!(first.contains("game 2 (A - ?): move 2. 'Ke3'"), "{first}");
    assert!(
        second.contains("move 2. 'Qa9'") && second.ends_with("before this place are kept"),
        "{second}"
    );
    let game = format!("/api/games/{}", taken["games"][0]["id"].as_str().unwrap());
    let pgn = client.get(&format!("{game}/pgn"));
    let moves = pgn.as_str().unwrap().trim().rsplit("\n\n").next().unwrap().replace('\n', " ");
    assert_eq!(moves, "1. e4 $1 $14 e5 {Qa9} (1... c5 $14 $36 {x Ke3}) 0-1");
}

#[test]
fn the_pgn_contains_the_persons_name() {
    let mut client = Client::new(BTreeMap::new());
    let order =
        json!({ "variant": "chess", "color": "black", "name": " Ada \n King ", "level": 2 });
    let (game, state) = client.game(order);
    assert_eq!(state["players"]["white"]["name"], "Aleator, level 2");
    assert_eq!(state["players"]["black"]["name"], "Ada King");
    let rematch = client.post(&format!("{game}/rematch"), json!({ "swap": true, "start": "new" }));
    assert_eq!(rematch["players"]["white"]["name"], "Ada King");
    client.think();
    let pgn = client.get(&format!("{game}/pgn"));
    let players = "[White \"Aleator (level 2)\"]\n[Black \"Ada King\"]";
    assert!(pgn.as_str().unwrap().contains(players), "{pgn}");
}

#[test]
fn variations_are_kept_with_the_game() {
    let mut client = Client::new(BTreeMap::new());
    let (game, _) = client.game(json!({ "variant": "chess", "black": "human" }));
    client.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    client.post(&format!("{game}/turn"), json!({ "text": "e5" }));
    let vary = |client: &mut Client, ply: usize, moves: &[&str]| {
        client.post(&format!("{game}/variation"), json!({ "ply": ply, "moves": moves }))
    };
    // Moves that were played in the game are not added as a variation.
    let answer = vary(&mut client, 0, &["e4", "c5", "Nf3"])["answer"].clone();
    assert_eq!((&answer["ply"], &answer["uci"]), (&json!(1), &json!(["c7c5", "g1f3"])));
    vary(&mut client, 1, &["c7c5", "c3"]);
    vary(&mut client, 2, &["Nf3", "Nc6"]);
    let refused = json!({ "ply": 1, "moves": ["e4"] });
    assert_eq!(client.send("POST", &format!("{game}/variation"), &refused).unwrap().0, 422);
    let moves = |client: &mut Client| {
        let pgn = client.get(&format!("{game}/pgn"));
        let moves = pgn.as_str().unwrap().rsplit("\n\n").nth(1).unwrap().replace('\n', " ");
        moves.strip_prefix("1. e4 ").unwrap().to_owned()
    };
    let all = "e5 (1... c5 2. Nf3 (2. c3)) (1... e5 2. Nf3 Nc6) *";
    assert_eq!(moves(&mut client), all);
    client.handle(Input::Close);
    let mut client = Client::new(client.files);
    assert_eq!(moves(&mut client), all);
    let line = json!({ "ply": 1, "moves": ["c7c5", "c2c3"] });
    client.post(&format!("{game}/promote"), line.clone());
    assert_eq!(moves(&mut client), "e5 (1... c5 2. c3 (2. Nf3)) (1... e5 2. Nf3 Nc6) *");
    client.post(&format!("{game}/remove"), line.clone());
    assert_eq!(client.send("POST", &format!("{game}/remove"), &line).unwrap().0, 404);
    // If the game continues with the first turn of a variation, the rest of the variation follows this turn.
    client.post(&format!("{game}/turn"), json!({ "text": "Nf3" }));
    assert_eq!(moves(&mut client), "e5 (1... c5 2. Nf3) 2. Nf3 (2. Nf3 Nc6) *");
    client.post(&format!("{game}/turn"), json!({ "text": "d6" }));
    assert_eq!(moves(&mut client), "e5 (1... c5 2. Nf3) 2. Nf3 d6 (2... Nc6) *");
    client.post(&format!("{game}/undo"), json!({}));
    assert_eq!(moves(&mut client), "e5 (1... c5 2. Nf3) 2. Nf3 (2. Nf3 Nc6) *");
    // Importing the PGN restores the variations.
    let pgn = client.get(&format!("{game}/pgn"));
    let taken = client.import("/api/pgn", pgn.as_str().unwrap());
    let again = format!("/api/games/{}", taken["games"][0]["id"].as_str().unwrap());
    assert_eq!(client.get(&again)["tail"], client.get(&game)["tail"]);
}

#[test]
fn an_analysis_has_no_players_and_keeps_comments() {
    let mut client = Client::new(BTreeMap::new());
    let (game, state) = client.game(json!({ "variant": "chess", "analysis": true }));
    assert_eq!(
        (&state["analysis"], &state["players"]["black"]["kind"]),
        (&json!(true), &json!("human"))
    );
    assert!(client.list().is_empty());
    client.pass(Duration::from_secs(2));
    let state = client.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    assert_eq!(state["turns"][0]["spent_ms"], Value::Null);
    assert_eq!(client.list().len(), 1);
    client.post(&format!("{game}/variation"), json!({ "ply": 0, "moves": ["d2d4", "d7d5"] }));
    for (ply, moves, text) in
        [(1, json!([]), "best {by test}"), (0, json!(["d2d4", "d7d5"]), "solid")]
    {
        let comment = json!({ "ply": ply, "moves": moves, "text": text });
        client.post(&format!("{game}/comment"), comment);
    }
    let before = json!({ "ply": 0, "moves": [], "text": "A lesson" });
    let state = client.post(&format!("{game}/comment"), before)["state"].clone();
    assert_eq!(
        (&state["foreword"], &state["turns"][0]["comment"]),
        (&json!("A lesson"), &json!("best (by test)"))
    );
    let pgn = client.get(&format!("{game}/pgn"));
    let moves = "{A lesson} 1. e4 {best (by test)} (1. d4 d5 {solid}) *";
    assert!(pgn.as_str().unwrap().contains(moves), "{pgn}");
    let nowhere = json!({ "ply": 9, "moves": [], "text": "?" });
    assert_eq!(client.send("POST", &format!("{game}/comment"), &nowhere).unwrap().0, 404);
    // A link opens an analysis, too.
    let link =
        client.post(&format!("{game}/link"), json!({ "ply": 1, "moves": [] }))["link"].clone();
    assert_eq!(client.post("/api/link", link)["analysis"], true);
    // So does a file, with its ratings.
    let read = client.import("/api/pgn", FILE)["games"][0]["id"].clone();
    let state = client.get(&format!("/api/games/{}", read.as_str().unwrap()));
    assert_eq!(
        (&state["analysis"], &state["players"]["white"]["rating"]),
        (&json!(true), &json!(1800))
    );
}

#[test]
fn a_watched_game_can_be_held_and_ended() {
    let mut client = Client::new(BTreeMap::new());
    let order = json!({ "variant": "chess", "white": "engine", "black": "engine", "level": 3 });
    let (game, _) = client.game(order);
    client.listen(&game, 1);
    let watch = format!("{game}/watch");
    let turns = |client: &mut Client| {
        client.pass(Duration::from_millis(900));
        if !client.searches.is_empty() {
            client.think();
        }
        client.get(&game)["turns"].as_array().unwrap().len()
    };
    assert_eq!(turns(&mut client), 1);
    let state = client.post(&watch, json!({ "choice": "hold" }));
    assert_eq!((&state["held"], &state["thinking"]), (&json!(true), &json!(false)));
    assert_eq!(turns(&mut client), 1);
    client.post(&watch, json!({ "choice": "step" }));
    assert_eq!(turns(&mut client), 2);
    assert_eq!(turns(&mut client), 2);
    client.post(&watch, json!({ "choice": "go", "pace_ms": 2_000 }));
    assert_eq!(turns(&mut client), 2, "the pause is longer");
    client.post(&watch, json!({ "pace_ms": 0 }));
    assert_eq!(turns(&mut client), 3);
    let state = client.post(&watch, json!({ "choice": "end" }));
    assert_eq!((&state["analysis"], &state["thinking"]), (&json!(true), &json!(false)));
    assert_eq!(state["players"]["white"]["name"], "Aleator (level 3)");
    assert_eq!(client.send("POST", &watch, &json!({ "choice": "go" })).unwrap().0, 409);
}

#[test]
fn two_people_can_have_names() {
    let mut client = Client::new(BTreeMap::new());
    let order = json!({ "variant": "chess", "black": "human", "names": ["  Ada ", ""] });
    let (_, state) = client.game(order);
    assert_eq!(
        (&state["players"]["white"]["name"], &state["players"]["black"]["name"]),
        (&json!("Ada"), &json!("Black"))
    );
}

#[test]
fn double_fischer_random_shows_its_name_and_both_numbers() {
    let mut client = Client::new(BTreeMap::new());
    let start = "RNBQKBNR/bbqnnrkr";
    let (game, state) = client.game(json!({ "variant": "dfrc", "start": start, "black": "human" }));
    assert_eq!(state["variant"], "dfrc");
    assert_eq!(state["start"], "White 518: RNBQKBNR; Black 0: BBQNNRKR");
    client.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    assert_eq!(client.list()[0]["variant"], "dfrc");
    let pgn = client.get(&format!("{game}/pgn"));
    let taken = client.import("/api/pgn", pgn.as_str().unwrap());
    assert_eq!(taken["games"][0]["variant"], "dfrc");
    let (_, state) = client.game(json!({ "variant": "chess960", "start": 518 }));
    assert_eq!(
        (&state["variant"], &state["start"]),
        (&json!("chess960"), &json!("Start 518: RNBQKBNR"))
    );
}

#[test]
fn all_rolls_are_reported() {
    let mut client = Client::new(BTreeMap::new());
    let people =
        json!({ "variant": "fischerbenko", "start": "die", "black": "human", "dice": "own" });
    let (game, _) = client.game(people);
    let values = json!({ "values": [1, 2, 6, 2, 3, 3, 5] });
    let state = client.post(&format!("{game}/dice"), values);
    let told: Vec<&str> = state["throws"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["short"].as_str().unwrap())
        .collect();
    assert_eq!(
        told.join(", "),
        "1: bishop b1, 2: bishop c8, 6: reroll, 2: bishop c1, 3: bishop f8, 3: rook e1, 5: rook g8"
    );
    let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
    let (game, _) = client.game(json!({
        "variant": "jepps", "fen": fen, "white": "engine", "black": "human", "dice": "own",
    }));
    client.post(&format!("{game}/dice"), json!({ "values": [3, 3] }));
    client.post(&format!("{game}/mediator"), json!({ "choice": "again" }));
    let state = client.post(&format!("{game}/dice"), json!({ "values": [2, 6] }));
    let verdict = |index: usize| {
        let roll = &state["throws"][index];
        (roll["purpose"].clone(), roll["again"].clone(), roll["short"].clone())
    };
    assert_eq!(verdict(0), (json!("mediation"), json!(true), json!("reverse")));
    assert_eq!(verdict(1), (json!("mediation"), json!(false), json!("mirror")));
    assert_eq!(state["throws"][1]["sentence"], "2 6: both even: Black mirrors White's array");
    assert_eq!(state["phase"], "board");
}

const PUZZLE: &str = "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 4 30; variant chess960; bm Ra8+; \
    pv Ra8+ Rb8 Rxb8#; id \"chess960 3.30\"; c0 \"mate in 2\";";

#[test]
fn a_puzzle_is_solved_move_by_move() {
    let mut client = Client::new(BTreeMap::new());
    let mut attempt = |moves: &[&str]| {
        let answer = client.post("/api/puzzle", json!({ "epd": PUZZLE, "moves": moves }));
        (answer["puzzle"]["standing"].clone(), answer)
    };
    let (standing, first) = attempt(&[]);
    assert_eq!((&standing, &first["turn"]), (&json!("open"), &json!("white")));
    assert_eq!(
        (&first["puzzle"]["moves"], &first["puzzle"]["next"]["uci"]),
        (&json!(2), &json!("a1a8"))
    );
    assert!(first["legal"].as_array().unwrap().iter().any(|turn| turn["text"] == "a1a8"));
    // The opponent has replied.
    let (standing, second) = attempt(&["a1a8"]);
    assert_eq!((&standing, &second["squares"]["b8"]), (&json!("open"), &json!("bR")));
    assert_eq!(second["san"], json!(["Ra8+", "Rb8"]));
    let (standing, last) = attempt(&["a1a8", "a8b8"]);
    assert_eq!((&standing, &last["puzzle"]["next"]), (&json!("solved"), &Value::Null));
    let (standing, wrong) = attempt(&["g2g3"]);
    assert_eq!((&standing, &wrong["puzzle"]["next"]), (&json!("wrong"), &Value::Null));
    for (epd, moves, status) in
        [(PUZZLE, vec!["g2g3", "a1a8"], 409), (PUZZLE, vec!["a1b9"], 422), ("8/8 w", vec![], 422)]
    {
        let asked = json!({ "epd": epd, "moves": moves });
        let (found, answer) = client.send("POST", "/api/puzzle", &asked).unwrap();
        assert_eq!((found, answer["error"].is_string()), (status, true), "{answer}");
    }
}

/// Returns the explanation of an attempt, and the position. If the app asks the engine, the engine answers
/// with the line `best`, which has this score.
fn explained(epd: &str, moves: &[&str], best: &str, score: Score) -> (Value, Value) {
    let mut client = Client::new(BTreeMap::new());
    let asked = json!({ "epd": epd, "moves": moves, "explain": true });
    let answer = client.send("POST", "/api/puzzle", &asked).unwrap_or_else(|| {
        let ticket = client.last_ticket;
        let (_, search, mut game, _) = client.searches.pop_front().unwrap();
        let mut line = Vec::new();
        for uci in best.split(' ') {
            game.play(uci).unwrap();
            line.extend(game.last_turn());
        }
        client.end(search, Some(line[0].uci.clone()), vec![report(score, line)]);
        client.answer(ticket).unwrap()
    });
    assert_eq!(answer.0, 200, "{answer:?}");
    (answer.1["puzzle"]["explanation"].clone(), answer.1)
}

#[test]
fn wrong_moves_are_refuted() {
    // The knight forks king and rook.
    let epd = "r3k3/8/8/1N6/8/8/8/Q3K3 w q - 0 22; variant chess; bm Nc7+; pv Nc7+ Kd7 Nxa8; \
        id \"chess 1.22\"; c0 \"endgame\";";
    let (told, shown) = explained(epd, &["a1a4"], "a8a4 e1d2 e8d7", Score::Centipawns(600));
    assert_eq!(told["sentence"], "22.Qa4? loses the queen to Rxa4: Black is winning.");
    assert_eq!(told["line"], "22...Rxa4 23.Kd2 Kd7");
    // The reply is on the board.
    assert_eq!((&shown["squares"]["a4"], &shown["san"]), (&json!("bR"), &json!(["Qa4", "Rxa4"])));
    let (told, _) = explained(epd, &["e1e2"], "a8a1 e2d3", Score::Mate(3));
    assert_eq!(told["sentence"], "22.Ke2? allows mate in 3 moves, beginning with Rxa1.");
    let (told, _) = explained(epd, &["b5d6"], "e8e7 a1a8 e7d6", Score::Centipawns(0));
    assert_eq!(told["sentence"], "22.Nd6+? does not win: after Ke7 the position is about equal.");
    let stalemate = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 60; variant chess; bm Qf8#; pv Qf8#; \
        id \"chess 1.60\"; c0 \"endgame\";";
    let (told, _) = explained(stalemate, &["f1f7"], "", Score::Centipawns(0));
    let sentence = told["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("60.Qf7? Draw by stalemate"), "{sentence}");
    let (told, _) = explained(stalemate, &["f1f8"], "", Score::Centipawns(0));
    assert_eq!(told["sentence"], "The move mates.");
}

#[test]
fn solutions_say_what_they_win() {
    let epd = "r3k3/8/8/1N6/8/8/4P3/4K3 w q - 0 22; variant chess; bm Nc7+; pv Nc7+ Kd7 Nxa8; \
        id \"chess 1.22\"; c0 \"endgame\";";
    let solution = ["b5c7", "c7a8"];
    let (told, shown) = explained(epd, &solution, "d7c6 a8c7", Score::Centipawns(-300));
    assert_eq!(told["sentence"], "The solution wins a rook.");
    assert_eq!(told["line"], "23...Kc6 24.Nc7");
    assert_eq!(shown["puzzle"]["solution"], "22.Nc7+ Kd7 23.Nxa8");
    let (told, _) = explained(epd, &solution, "d7c6 a8c7", Score::Mate(-4));
    assert_eq!(told["sentence"], "The solution mates in 6 moves.");
    let (told, _) = explained(PUZZLE, &["a1a8", "a8b8"], "", Score::Centipawns(0));
    assert_eq!(told["sentence"], "The solution mates in 2 moves.");
    let quiet = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 50; variant chess; bm Kd3; pv Kd3; \
        id \"chess 1.50\"; c0 \"endgame\";";
    let (told, _) = explained(quiet, &["e3d3"], "e5d5 e2e3", Score::Centipawns(-300));
    assert_eq!(told["sentence"], "After the solution White is winning.");
    // Without the wish for an explanation, the app answers at once.
    let mut client = Client::new(BTreeMap::new());
    let answer = client.post("/api/puzzle", json!({ "epd": quiet, "moves": ["e3d3"] }));
    assert_eq!(answer["puzzle"]["explanation"], Value::Null);
}

#[test]
fn any_mate_solves_a_puzzle() {
    let mut client = Client::new(BTreeMap::new());
    let epd =
        "6k1/5ppp/8/8/8/8/8/RQ4K1 w - - 0 1; variant chess; bm Ra8#; pv Ra8#; id \"x\"; c0 \"y\";";
    let answer = client.post("/api/puzzle", json!({ "epd": epd, "moves": ["b1b8"] }));
    assert_eq!(answer["puzzle"]["standing"], "solved");
}
