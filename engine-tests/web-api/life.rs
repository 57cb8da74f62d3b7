//! Tests of restarts, and of listeners that disappear.
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Server, wait_for};
use crate::harness::command::{aleator, folder};

fn people(variant: &str) -> Value {
    json!({ "variant": variant, "white": "human", "black": "human" })
}

/// Returns a state without the version, which changes when the server is restarted.
fn lasting(mut state: Value) -> Value {
    state["version"] = Value::Null;
    state
}

#[cfg(unix)]
#[test]
fn games_survive_a_restart() {
    let folder = folder("web/restart");
    let server = Server::start_in(&folder);
    let clock = json!({ "base_ms": 600_000, "increment_ms": 1_000 });
    let mut order = people("ifrc");
    order["variant"] = server.get("/api/variants").json()[3]["id"].clone();
    order["clock"] = clock;
    let (timed, state) = server.game(order);
    let first = state["legal"][0]["text"].as_str().unwrap_or("die").to_owned();
    if state["phase"] == "board" {
        server.play(&timed, &first);
    }
    let (over, _) = server.game(people("chess"));
    server.play(&over, "f3 e5 g4 Qh4#");
    let (dice, _) = server.game(people("jepps"));
    let (drawn, _) = server.game(people("chess"));
    server.play(&drawn, "e4");
    server.ask(&format!("{drawn}/draw"), json!({}));
    let roll = || {
        let mut state = server.ask(&format!("{dice}/dice"), json!({}));
        while state["dice"]["needed"] == true {
            state = server.ask(&format!("{dice}/dice"), json!({}));
        }
        state["legal"][0]["text"].as_str().unwrap().to_owned()
    };
    server.play(&dice, &roll());
    roll();
    // A game without a turn is not kept.
    let (empty, _) = server.game(people("jepps"));
    let games = [&over, &dice, &drawn];
    let before = games.map(|game| lasting(server.get(game).json()));
    let times = server.get(&timed).json()["clocks"]["black_ms"].as_u64();
    assert_eq!(server.interrupt(), "");

    let server = Server::start_in(&folder);
    assert_eq!(server.get("/api/games").json()["games"].as_array().unwrap().len(), 4);
    assert_eq!(server.get(&empty).status, 404);
    for (game, before) in games.into_iter().zip(before) {
        assert_eq!(lasting(server.get(game).json()), before);
    }
    let after = server.get(&timed).json()["clocks"]["black_ms"].as_u64();
    assert!(after <= times && after > Some(0), "{times:?} {after:?}");
    // The first server is using the folder, so a second server with the same folder must fail.
    let second = aleator("serve --port 0 --folder games", &folder).output().unwrap();
    let errors = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(1));
    assert!(errors.contains("another `aleator serve`"), "{errors}");
    // The first server is also using the port.
    let words = format!("serve --port {} --folder other", server.port);
    let second = aleator(&words, &folder).output().unwrap();
    let errors = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(errors.contains("--port 0"), "{errors}");
}

#[test]
fn a_killed_server_has_saved_its_games() {
    let folder = folder("web/killed");
    let mut server = Server::start_in(&folder);
    let (game, _) = server.game(people("chess"));
    server.play(&game, "e4 e5");
    let file = folder.join("games").join(game.rsplit('/').next().unwrap()).with_extension("json");
    let is_written = || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("e7e5"));
    wait_for("the game is written", Duration::from_millis(10), is_written);
    server.child.kill().unwrap();
    drop(server);
    // Files that are not games must be skipped and left unchanged.
    std::fs::write(folder.join("games/aaaaaaaaaa.json"), "{").unwrap();
    std::fs::write(folder.join("games/notes.txt"), "mine").unwrap();
    let server = Server::start_in(&folder);
    assert_eq!(server.get(&game).json()["turns"].as_array().unwrap().len(), 2);
    assert_eq!(server.get("/api/games/aaaaaaaaaa").status, 404);
    let unreadable = &server.get("/api/games").json()["unreadable"];
    assert!(unreadable[0]["file"].as_str().unwrap().ends_with("aaaaaaaaaa.json"), "{unreadable}");
    assert_eq!(std::fs::read_to_string(folder.join("games/notes.txt")).unwrap(), "mine");
}

/// An interval between requests so long that the server considers the game abandoned.
const SELDOM: Duration = Duration::from_secs(5);

#[test]
fn no_search_outlives_its_listeners() {
    let server = Server::start("vanish");
    let (game, _) = server.game(people("chess"));
    let mut events = server.listen(&game);
    server.ask(&format!("{game}/analysis"), json!({ "lines": 3 }));
    events.until("line", |line| line["depth"].as_u64() > Some(4));
    assert_eq!(server.get(&game).json()["analysing"], true);
    drop(events);
    wait_for("the analysis ends", SELDOM, || server.get(&game).json()["analysing"] == false);
    #[cfg(target_os = "linux")]
    wait_for("the engine stops", Duration::from_secs(1), || {
        let before = ticks(&server);
        std::thread::sleep(Duration::from_millis(500));
        ticks(&server) - before < 10
    });
}

/// Returns the CPU time that the server has used, in hundredths of a second.
#[cfg(target_os = "linux")]
fn ticks(server: &Server) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", server.child.id())).unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
fn the_engine_plays_only_while_somebody_listens() {
    let server = Server::start("pause");
    let clock = json!({ "base_ms": 30_000, "increment_ms": 1_000 });
    let order = json!({
        "variant": "chess", "white": "engine", "black": "engine", "level": 10, "clock": clock,
    });
    let (game, _) = server.game(order);
    let mut events = server.listen(&game);
    events.until("state", |state| state["clocks"]["running"] != Value::Null);
    drop(events);
    // Without listeners, neither the clocks nor the moves may go on.
    let turns = || {
        let list = server.get("/api/games").json();
        list["games"][0]["turns"].as_u64()
    };
    let mut before = turns();
    wait_for("the game stops", SELDOM, || {
        let now = turns();
        std::mem::replace(&mut before, now) == now
    });
    let mut events = server.listen(&game);
    events
        .until("state", |state| state["turns"].as_array().unwrap().len() as u64 > before.unwrap());
}
