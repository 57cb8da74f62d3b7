//! Tests of PGN: imported games, comments and variations.

use super::*;

const FILE: &str = "[Event \"Casual\"]\n[Site \"Wien\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n\
    [WhiteElo \"1800\"]\n[Opening \"Scholar\"]\n[Date \"1999.01.02\"]\n[Result \"1-0\"]\n\
    [Termination \"rules infraction\"]\n\n{Once.} 1. e4 e5 1-0\n\n";

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
