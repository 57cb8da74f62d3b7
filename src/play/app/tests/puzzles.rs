//! Tests of puzzles.

use super::*;

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
