//! Tests of games: links, events for each page, engines, saved and deleted games.

use super::*;

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
    let shows = state["rolls"].as_array().unwrap().last().unwrap()["shows"].clone();
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
    let told: Vec<&str> = state["rolls"]
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
        let roll = &state["rolls"][index];
        (roll["purpose"].clone(), roll["again"].clone(), roll["short"].clone())
    };
    assert_eq!(verdict(0), (json!("mediation"), json!(true), json!("reverse")));
    assert_eq!(verdict(1), (json!("mediation"), json!(false), json!("mirror")));
    assert_eq!(state["rolls"][1]["sentence"], "2 6: both even: Black mirrors White's array");
    assert_eq!(state["phase"], "board");
}
