//! Tests of games: starts, placement phases, dice, clocks, PGN, and what players may do when.
use serde_json::{Value, json};

use super::client::Server;

const PEOPLE: (&str, &str) = ("white", "black");

fn people(mut order: Value) -> Value {
    order[PEOPLE.0] = json!("human");
    order[PEOPLE.1] = json!("human");
    order
}

fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap()).collect()
}

#[test]
fn the_engine_replies_and_plays_against_itself() {
    let server = Server::start("engine");
    let (game, state) = server.game(json!({ "variant": "chess960", "start": 518, "level": 1 }));
    assert_eq!(state["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let mut events = server.listen(&game);
    assert_eq!(events.next().0, "state", "the current state comes first");
    let state = server.play(&game, "e4");
    assert_eq!((&state["thinking"], &state["awaits"]["kind"]), (&json!(true), &json!("engine")));
    let state = events.until("state", |state| state["turns"].as_array().unwrap().len() == 2);
    assert_eq!(state["awaits"], json!({ "kind": "human", "color": "white" }));
    assert_eq!(state["turns"][1]["score"], Value::Null, "a limited engine reports no score");

    // Level 1 plays against itself from the placement phase on. The server rolls the dice.
    let order = json!({ "variant": "jepps", "white": "engine", "black": "engine", "level": 1 });
    let (game, _) = server.game(order);
    let mut events = server.listen(&game);
    let state = events.until("state", |state| state["turns"].as_array().unwrap().len() > 17);
    assert_eq!(state["dice"], Value::Null);
    let answer = server.post(&format!("{game}/turn"), json!({ "text": "e4" }));
    assert_eq!(answer.status, 409, "{}", answer.text);
    assert!(server.post(&format!("{game}/resign"), json!({})).status == 200);
}

#[test]
fn starts_are_chosen_in_many_ways() {
    let server = Server::start("starts");
    let fen = |order: Value| server.game(order).1["fen"].as_str().unwrap_or("").to_owned();
    assert!(fen(json!({ "variant": "chess960", "start": 0 })).starts_with("bbqnnrkr/"));
    assert!(fen(json!({ "variant": "chess960", "start": "0" })).starts_with("bbqnnrkr/"));
    let array = json!({ "variant": "dfrc", "start": "BBQNNRKR/rnbqkbnr" });
    assert!(fen(array).starts_with("rnbqkbnr/"));
    let ours = "k7/8/8/8/8/8/8/5K1R w K - 0 1";
    assert_eq!(fen(json!({ "variant": "chess960", "fen": ours })), ours);
    let record = "Na1, Bb1, Kc1, Rd1, Be1, Qf1, Ng1, Rh1\nMirror";
    assert!(fen(json!({ "variant": "jepps", "record": record })).starts_with("nbkrbqnr/"));
    // If the start has a number, the game begins without a placement phase.
    let (_, state) = server.game(json!({ "variant": "fischerbenko", "start": 518 }));
    assert_eq!(state["phase"], "board");
    for (order, words) in [
        (json!({ "variant": "chess960", "start": 960 }), "from 0 to 959"),
        (json!({ "variant": "checkers" }), "there is no variant 'checkers'"),
        (json!({ "variant": "chess", "fen": "8/8" }), "8 ranks"),
        (json!({ "variant": "chess", "start": "die" }), "no placement phase"),
        (json!({ "variant": "chess", "order": "free" }), "Free Play"),
        (json!({ "variant": "chess", "start": 0, "fen": "8/8" }), "give only one of"),
        (json!({ "variant": "chess", "level": 13 }), "from 1 to 12"),
        (json!({ "variant": "chess", "level": 1, "elo": 900 }), "either"),
        (json!({ "variant": "chess", "clock": { "base_ms": 0 } }), "a clock"),
    ] {
        let answer = server.post("/api/games", order);
        assert_eq!(answer.status, 422, "{}", answer.text);
        assert!(answer.error().contains(words), "{}", answer.text);
    }
}

#[test]
fn starts_and_variations_can_be_previewed() {
    let server = Server::start("preview");
    let start = server.ask("/api/start", json!({ "variant": "chess960", "start": 518 }));
    assert_eq!((&start["start"], &start["number"]), (&json!("RNBQKBNR"), &json!(518)));
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(start["fen"], fen);
    let answer = server.post("/api/start", json!({ "variant": "chess960", "start": "KRBBQNNR" }));
    assert_eq!(answer.status, 422, "{}", answer.text);
    assert_eq!(server.get("/api/games").json()["games"], json!([]), "no game was started");
    let (game, _) = server.game(people(json!({ "variant": "chess", "fen": fen })));
    server.play(&game, "e4");
    let at = format!("{game}/at/1");
    let there = server.ask(&at, json!({ "moves": ["e7e5", "Nf3"] }));
    assert_eq!((&there["san"], &there["uci"]), (&json!(["e5", "Nf3"]), &json!(["e7e5", "g1f3"])));
    assert_eq!((&there["last"], &there["turn"]), (&json!(["g1", "f3"]), &json!("black")));
    let answer = server.post(&at, json!({ "moves": ["e4"] }));
    assert_eq!(answer.status, 422, "{}", answer.text);
    assert_eq!(server.get(&game).json()["turns"].as_array().unwrap().len(), 1);
}

#[test]
fn illegal_turns_are_explained_and_change_nothing() {
    let server = Server::start("illegal");
    let fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    let (game, before) = server.game(people(json!({ "variant": "fischerbenko", "fen": fen })));
    assert_eq!(before["hands"]["white"], json!(["K", "Q", "R", "N", "N"]));
    assert_eq!(before["squares"]["e1"], "wR");
    for (text, words) in [
        ("K@a1", "a1"),
        ("N@e1", "there is already a rook"),
        ("B@a1", "no bishop in hand"),
        ("e4", "pieces are still being placed"),
        ("", "placement"),
    ] {
        let answer = server.post(&format!("{game}/turn"), json!({ "text": text }));
        assert_eq!(answer.status, 422, "{text}");
        assert!(answer.error().contains(words), "{text}: {}", answer.text);
    }
    assert_eq!(server.get(&game).json(), before);
    // The last two pieces are placed together even if the text names only one of them.
    let state = server.play(&game, "R@h1 N@e8 N@d1 R@a8 N@a1 N@h8 Q@g1 Q@b8+K@d8");
    assert_eq!(texts(&state["turns"], "san")[6], "Q@g1+K@f1");
    assert_eq!(state["phase"], "board");
    let record = server.get(&format!("{game}/record"));
    assert!(record.text.contains("4. Q@g1+K@f1 Q@b8+K@d8"), "{}", record.text);
    let answer = server.post(&format!("{game}/turn"), json!({ "text": "a1a3" }));
    assert!(answer.error().contains("a knight does not move from a1 to a3"), "{}", answer.text);
    let answer = server.post(&format!("{game}/dice"), json!({}));
    assert_eq!((answer.status, &*answer.error()), (409, "no dice are needed now"));
}

#[test]
fn players_may_enter_their_own_dice() {
    let server = Server::start("dice");
    let order = people(json!({ "variant": "jepps", "order": "free", "dice": "own" }));
    let (game, state) = server.game(order);
    assert_eq!((&state["dice"]["needed"], &state["next"]), (&json!(true), &json!("a1")));
    let dice = format!("{game}/dice");
    for (values, words) in [
        (json!([1]), "two dice are needed, but 1 were given"),
        (json!([0, 7]), "a die shows 1, 2, 3, 4, 5 or 6"),
        (json!([]), "two dice are needed"),
    ] {
        let answer = server.post(&dice, json!({ "values": values }));
        assert_eq!(answer.status, 422);
        assert!(answer.error().contains(words), "{}", answer.text);
    }
    let answer = server.post(&format!("{game}/turn"), json!({ "text": "K@a1" }));
    assert_eq!(answer.status, 409);
    assert!(answer.error().starts_with("dice come first"), "{}", answer.text);
    let state = server.ask(&dice, json!({ "values": [2, 2] }));
    assert_eq!(state["dice"]["offered"], json!(["N"]));
    assert_eq!((&state["dice"]["again"], &state["dice"]["shows"]), (&json!(true), &json!([2, 2])));
    // A reroll must have valid values.
    assert_eq!(server.post(&dice, json!({ "again": true, "values": [9, 9] })).status, 422);
    let state = server.ask(&dice, json!({ "again": true, "values": [1, 2] }));
    assert_eq!(state["dice"]["offered"], json!(["K", "N"]));
    assert_eq!(server.post(&dice, json!({ "again": true })).status, 422);
    let state = server.play(&game, "K");
    assert_eq!((&state["turn"], &state["next"]), (&json!("black"), &json!("h8")));
}

#[test]
fn players_can_take_back_offer_draws_and_resign() {
    let server = Server::start("rights");
    let (game, _) = server.game(people(json!({ "variant": "chess" })));
    let at = |action: &str| format!("{game}/{action}");
    assert_eq!(server.post(&at("undo"), json!({})).status, 409);
    assert_eq!(server.post(&at("draw"), json!({})).status, 409);
    let state = server.play(&game, "e4 e5 Ke2");
    assert_eq!(state["last"], json!(["e1", "e2"]));
    let state = server.ask(&at("undo"), json!({}));
    assert_eq!(texts(&state["turns"], "san"), ["e4", "e5"]);
    let offered = server.ask(&at("draw"), json!({}));
    assert_eq!((&offered["answer"], &offered["state"]["offer"]), (&json!("made"), &json!("white")));
    let agreed = server.ask(&at("draw"), json!({ "color": "black" }));
    assert_eq!(agreed["answer"], "agreed");
    assert_eq!(agreed["state"]["ending"]["reason"], "agreement");
    let next = server.ask(&at("rematch"), json!({ "swap": true, "start": "same" }));
    assert_ne!(next["id"], agreed["state"]["id"]);
    let state = server.ask(&at("undo"), json!({}));
    assert_eq!(state["ending"], Value::Null, "the game continues");
    let state = server.ask(&at("resign"), json!({ "color": "black" }));
    assert_eq!(state["ending"]["sentence"], "White wins: Black has resigned.");
    // The engine must decline a draw if its position is better.
    let (game, _) = server.game(json!({ "variant": "chess", "level": 1 }));
    let mut events = server.listen(&game);
    server.play(&game, "e4");
    events.until("state", |state| state["turns"].as_array().unwrap().len() == 2);
    let answer = server.ask(&format!("{game}/draw"), json!({}));
    assert_eq!((&answer["answer"], &answer["state"]["ending"]), (&json!("declined"), &Value::Null));
}

#[test]
fn clocks_decide_games() {
    let server = Server::start("clocks");
    let clock = json!({ "base_ms": 300, "increment_ms": 0 });
    let (game, state) = server.game(people(json!({ "variant": "chess", "clock": clock })));
    assert_eq!(state["clocks"]["running"], Value::Null, "no clock runs before the first move");
    let mut events = server.listen(&game);
    let state = server.play(&game, "e4");
    assert_eq!(state["clocks"]["running"], "black");
    let state = events.until("state", |state| state["phase"] == "over");
    assert_eq!(state["ending"]["sentence"], "White wins: Black's time has run out.");
    assert_eq!(state["clocks"]["black_ms"], 0);
}

#[test]
fn games_are_exported_and_imported_as_pgn() {
    let server = Server::start("pgn");
    let (game, _) = server.game(people(json!({ "variant": "chess960", "start": 518 })));
    server.play(&game, "f3 e5 g4 Qh4#");
    let pgn = server.get(&format!("{game}/pgn"));
    assert!(pgn.headers.contains("application/x-chess-pgn"), "{}", pgn.headers);
    assert!(pgn.text.contains("[Result \"0-1\"]") && pgn.text.contains("Qh4#"), "{}", pgn.text);
    let broken = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    let resigned = "[White \"B\"]\n[Result \"1-0\"]\n\n1. d4! {by test} d5 1-0\n";
    let file = format!("{}\n{broken}{resigned}", pgn.text);
    let taken = server.request("POST", "/api/pgn", &file).json();
    // In the broken game, the moves before the illegal move are kept.
    assert_eq!(taken["games"].as_array().unwrap().len(), 3, "{taken}");
    assert_eq!(
        (&taken["games"][0]["result"], &taken["games"][1]["turns"]),
        (&json!("0-1"), &json!(2))
    );
    assert!(taken["warnings"][0]["error"].as_str().unwrap().contains("Ke3"), "{taken}");
    assert!(taken["warnings"][0]["line"].as_u64() > Some(10), "{taken}");
    let id = taken["games"][2]["id"].as_str().unwrap();
    let state = server.get(&format!("/api/games/{id}")).json();
    assert_eq!(texts(&state["turns"], "san"), ["d4", "d5"]);
    assert_eq!(state["turns"][0]["mark"], "!");
    assert_eq!(state["turns"][0]["comment"], "by test");
    let pgn = server.get(&format!("/api/games/{id}/pgn")).text;
    assert!(pgn.contains("1. d4 $1 {by test}"), "{pgn}");
    assert_eq!(state["ending"]["sentence"], "White wins, according to the record of the game.");
    let state = server.ask(&format!("/api/games/{id}/undo"), json!({}));
    assert_eq!(state["phase"], "board", "it can be continued");
    assert_eq!(server.request("POST", "/api/pgn", "").status, 422);
    let (game, _) = server.game(json!({ "variant": "fischerbenko", "start": "die" }));
    assert_eq!(server.get(&format!("{game}/pgn")).status, 409);
}
