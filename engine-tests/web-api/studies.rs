//! Tests of analysis, reviews, hints and assessments of placements.
use serde_json::{Value, json};

use super::client::Server;

fn order(variant: &str, fen: &str) -> Value {
    json!({ "variant": variant, "fen": fen, "white": "human", "black": "human" })
}

const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K b - - 0 1";

#[test]
fn analysis_is_streamed_from_whites_point_of_view() {
    let server = Server::start("analysis");
    let (game, _) = server.game(order("chess", MATE_IN_TWO));
    let mut events = server.listen(&game);
    let analysis = format!("{game}/analysis");
    let number = server.ask(&analysis, json!({ "lines": 2 }))["analysis"].clone();
    assert!(events.until("state", |state| state["analysing"] == true)["thinking"] == false);
    let line =
        events.until("line", |line| line["multipv"] == 2 && line["depth"].as_u64() > Some(3));
    assert_eq!(line["analysis"], number);
    assert!(line["score"]["cp"].as_i64() > Some(300) || line["score"]["mate"].as_i64() > Some(0));
    assert!(line["san"][0].as_str().unwrap().starts_with('K'), "{line}");
    // An analysis of another position must replace the first analysis.
    let second = server.ask(&analysis, json!({ "ply": 0, "moves": ["Kg7", "Rg2+"] }));
    assert_ne!(second["analysis"], number);
    events.until("line", |line| line["analysis"] == second["analysis"]);
    let request = |body: Value| server.post(&analysis, body);
    assert_eq!(request(json!({ "lines": 6 })).status, 422);
    assert_eq!(request(json!({ "ply": 1 })).status, 422);
    let answer = request(json!({ "moves": ["Kg1"] }));
    assert!(answer.error().contains("Kg1"), "{}", answer.text);
    assert_eq!(server.request("DELETE", &analysis, "").status, 200);
    events.until("state", |state| state["analysing"] == false);
}

#[test]
fn too_many_analyses_end_the_oldest() {
    let server = Server::start("many-analyses");
    let games: Vec<String> = (0..3).map(|_| server.game(order("chess", MATE_IN_TWO)).0).collect();
    // Listen to the games, because an analysis without a listener would end by itself.
    let [mut first, _second, mut last] = [0, 1, 2].map(|index| server.listen(&games[index]));
    for game in &games {
        server.ask(&format!("{game}/analysis"), json!({}));
    }
    first.until("notice", |notice| notice["error"].as_str().unwrap().contains("was stopped"));
    last.until("line", |_| true);
}

#[test]
fn a_review_marks_mistakes() {
    let server = Server::start("review");
    let (game, _) = server.game(json!({ "variant": "chess", "black": "human" }));
    let review = format!("{game}/review");
    assert_eq!(server.post(&review, json!({})).status, 409, "there is no move yet");
    server.play(&game, "e4 e5 f3 Qh4+ Ke2 a6 Qe1 Qxe4+");
    let mut events = server.listen(&game);
    let answer = server.post(&review, json!({ "nodes": 5_000 }));
    assert_eq!(answer.status, 202);
    let blunder = events.until("score", |score| score["ply"] == 8);
    assert_eq!(blunder["mark"], "??", "{blunder}");
    assert!(blunder["best"].is_string());
    let done = |progress: &Value| progress["done"] == progress["total"];
    assert_eq!(events.until("progress", done)["total"], 9);
    let state = events.until("state", |state| state["reviewing"] == false);
    assert_eq!(state["turns"][7]["mark"], "??");
}

#[test]
fn hints_and_assessments_are_given() {
    let server = Server::start("hints");
    let (game, _) = server.game(order("chess", "7k/8/8/8/8/8/R7/1R5K w - - 0 1"));
    let hint = server.ask(&format!("{game}/hint"), json!({}));
    assert!(hint["score"]["mate"].as_i64() > Some(0), "{hint}");
    assert_eq!(hint["line"][0], hint["san"]);
    let assessment = format!("{game}/assessment");
    assert_eq!(server.post(&assessment, json!({})).status, 409);
    let fen = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNR2R[KQkq] w - - 0 4";
    let (game, _) = server.game(order("fischerbenko", fen));
    let assessment = server.ask(&format!("{game}/assessment"), json!({}));
    let placements = assessment["placements"].as_array().unwrap();
    let texts: Vec<&str> = placements.iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 2, "{assessment}");
    assert!(texts.contains(&"Q@g1+K@f1"), "{assessment}");
    let sentence = assessment["sentence"].as_str().unwrap();
    assert!(sentence.contains(texts[0]) && sentence.contains("for White"), "{sentence}");
}
