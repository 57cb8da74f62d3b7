//! `aleator match` with the real binary: every variant, faults of every kind, and runs that are
//! killed.
//!
//! Engines that misbehave are this very test program, started to run one of the ignored tests at
//! the end of the file.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

const ALEATOR: &str = env!("CARGO_BIN_EXE_aleator");

/// A folder of its own for each test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("aleator-match-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `aleator match` between two engines of this name.
fn run_match(engines: &[(&str, String)], arguments: &[&str]) -> Command {
    let mut command = Command::new(ALEATOR);
    command.arg("match").stdin(Stdio::null());
    for (name, engine) in engines {
        command.args(["--engine", &format!("{name}={engine}")]);
    }
    command.args(arguments);
    command
}

fn ourselves() -> String {
    format!("'{ALEATOR}'")
}

/// This program, as an engine that does what an ignored test does.
fn misbehaving(test: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!("'{}' --ignored --exact --nocapture arena::{test}", program.display())
}

/// Runs it, and gives what it printed; it must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

/// What it complains of; it must fail.
fn complaint(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn games(json: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(json).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|entry| entry.get("game").cloned()).collect()
}

/// Which games there are; none twice.
fn keys(games: &[Value]) -> BTreeSet<(u64, u64)> {
    let key = |game: &Value| (game["pair"].as_u64().unwrap(), game["game"].as_u64().unwrap());
    let keys: BTreeSet<_> = games.iter().map(key).collect();
    assert_eq!(keys.len(), games.len());
    keys
}

#[test]
fn every_variant_is_played() {
    let folder = Folder::new("variants");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let mut variants =
        vec!["chess", "chess960", "fischerbenko", "transcendental", "jepps", "placement"];
    if cfg!(feature = "board10x10") {
        variants.push("ifrc");
    }
    for variant in variants {
        let (json, pgn) = (folder.file(&format!("{variant}.jsonl")), folder.file(variant));
        let has_setup = ["fischerbenko", "transcendental", "jepps", "placement"].contains(&variant);
        let openings = if has_setup { "random:0" } else { "random:4" };
        let text = output(&mut run_match(
            &pair,
            &[
                "--variant",
                variant,
                "--openings",
                openings,
                "--nodes",
                "60",
                "--games",
                "4",
                "--concurrency",
                "2",
                "--json",
                &json,
                "--pgn",
                &pgn,
            ],
        ));
        assert!(text.contains("Faults none"), "{variant}: {text}");
        assert!(text.contains("Games  4: "), "{text}");
        let games = games(&json);
        assert_eq!(keys(&games), [(0, 0), (0, 1), (1, 0), (1, 1)].into());
        for game in &games {
            assert_eq!(game["placements"].is_array(), has_setup, "{game}");
            // Both games of a pair begin alike, with colours reversed.
            let twin = games
                .iter()
                .find(|other| other["pair"] == game["pair"] && other["game"] != game["game"])
                .unwrap();
            assert_eq!(game["opening"], twin["opening"]);
            assert_eq!(game["white"], twin["black"]);
        }
        let pgn = std::fs::read_to_string(&pgn).unwrap();
        assert_eq!(pgn.matches("[Result ").count(), 4);
        assert_eq!(pgn.contains("[Placements "), has_setup);
    }
}

/// With nodes for a limit and one game at a time the games follow from the seed.
#[test]
fn the_same_seed_gives_the_same_games() {
    let folder = Folder::new("seed");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let moves = |name: &str, seed: &str| -> Vec<Vec<String>> {
        let json = folder.file(name);
        output(&mut run_match(
            &pair,
            &[
                "--nodes",
                "50",
                "--games",
                "2",
                "--max-plies",
                "60",
                "--seed",
                seed,
                "--json",
                &json,
            ],
        ));
        let text = |turn: &Value| turn["uci"].as_str().unwrap().to_owned();
        let games = games(&json);
        games.iter().map(|g| g["moves"].as_array().unwrap().iter().map(text).collect()).collect()
    };
    let first = moves("one", "7");
    assert_eq!(first, moves("two", "7"));
    assert_ne!(first, moves("three", "8"));
}

#[test]
fn more_than_two_engines_get_a_table() {
    let engines = [("a", ourselves()), ("b", ourselves()), ("c", ourselves())];
    let limits = ["--nodes", "30", "--games", "2", "--max-plies", "40"];
    let text = output(&mut run_match(&engines, &limits));
    assert!(text.contains("engine  games    won"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("      4 ")).count(), 3, "{text}");
    let gauntlet = [limits.as_slice(), &["--form", "gauntlet"]].concat();
    let text = output(&mut run_match(&engines, &gauntlet));
    assert_eq!(text.lines().filter(|line| line.contains("      2 ")).count(), 2, "{text}");
}

#[test]
fn faults_lose_the_game_and_are_named() {
    let kinds = [
        ("engine_that_crashes", "crash"),
        ("engine_that_cheats", "illegal move"),
        ("engine_that_is_late", "time loss"),
    ];
    for (test, kind) in kinds {
        let engines = [("good", ourselves()), ("bad", misbehaving(test))];
        let text = output(&mut run_match(
            &engines,
            &["--movetime", "20", "--margin", "400", "--games", "2", "--openings", "random:2"],
        ));
        assert!(text.contains("Games  2: +2 =0 -0"), "{test}: {text}");
        assert!(text.contains(&format!("Faults bad 2 {kind}")), "{test}: {text}");
        assert!(text.contains("engine 'bad'"), "{test}: {text}");
    }
}

#[test]
fn an_engine_that_hangs_is_not_waited_for_and_started_again() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_hangs"))];
    let text = output(&mut run_match(
        &engines,
        &["--nodes", "10", "--patience", "1", "--games", "2", "--openings", "random:2"],
    ));
    assert!(text.contains("Faults bad 2 hang"), "{text}");
}

#[test]
fn ten_faults_on_end_end_the_run() {
    let folder = Folder::new("faults");
    let json = folder.file("games");
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_cheats"))];
    let text = complaint(&mut run_match(
        &engines,
        &["--nodes", "10", "--games", "100", "--openings", "random:2", "--json", &json],
    ));
    assert!(text.contains("10 games on end were lost by a fault"), "{text}");
    assert!(text.contains("'bad' answered 'e2e5', which is illegal"), "{text}");
    assert_eq!(games(&json).len(), 10);
}

#[test]
fn what_cannot_work_is_said_before_the_first_game() {
    let us = ("us", ourselves());
    let nodes = ["--nodes", "10"];
    let said = |engines: &[(&str, String)], arguments: &[&str]| {
        complaint(&mut run_match(engines, &[&nodes, arguments].concat()))
    };
    let nobody = ("nobody", "/no/such/engine".to_owned());
    assert!(said(&[us.clone(), nobody], &[]).contains("'/no/such/engine' cannot be started"));
    assert!(said(std::slice::from_ref(&us), &[]).contains("two engines or more"));
    assert!(said(&[us.clone(), us.clone()], &[]).contains("two engines have the name 'us'"));
    let other = ("other", ourselves());
    let pair = [us, other];
    assert!(said(&pair, &["--option", "us.Hsah=3"]).contains("has no option 'Hsah'; it has: "));
    assert!(said(&pair, &["--openings", "/no/such/file"]).contains("/no/such/file"));
    assert!(said(&pair, &["--resume"]).contains("--json or --pgn"));
    assert!(said(&pair, &["--variant", "shogi"]).contains("shogi"));
    let chess_only = ("plain", misbehaving("engine_that_cheats"));
    let said = said(&[pair[0].clone(), chess_only], &["--variant", "jepps"]);
    assert!(said.contains("'plain' does not play jepps"), "{said}");
}

/// Killed at some instant, again and again, and resumed: every game once.
#[test]
fn a_killed_run_goes_on() {
    let folder = Folder::new("killed");
    let (json, pgn) = (folder.file("games.jsonl"), folder.file("games.pgn"));
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = [
        "--nodes",
        "40",
        "--games",
        "24",
        "--max-plies",
        "60",
        "--concurrency",
        "2",
        "--resume",
        "--json",
        &json,
        "--pgn",
        &pgn,
    ];
    let mut done = 0;
    for _ in 0..3 {
        let mut child = run_match(&pair, &arguments).stdout(Stdio::null()).spawn().unwrap();
        // As soon as there are some more games: in the midst of the next.
        while count(&json) < done + 3 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        done = count(&json);
    }
    // A half-written game.
    let mut file = std::fs::OpenOptions::new().append(true).open(&json).unwrap();
    file.write_all(b"{\"game\":{\"pair\":").unwrap();
    let text = output(&mut run_match(&pair, &arguments));
    assert!(text.contains(&format!("resumed with {done} games")), "{text}");
    let games = games(&json);
    let expected = (0..12).flat_map(|pair| [(pair, 0), (pair, 1)]).collect();
    assert_eq!(keys(&games), expected);
    let pgn = std::fs::read_to_string(&pgn).unwrap();
    let rounds: BTreeSet<&str> = pgn.lines().filter(|line| line.starts_with("[Round ")).collect();
    assert_eq!((rounds.len(), pgn.matches("[Round ").count()), (24, 24));
    // Another match does not go on from there.
    let other = [arguments.as_slice(), &["--seed", "2"]].concat();
    assert!(complaint(&mut run_match(&pair, &other)).contains("its seed is '1', here it is '2'"));
}

/// Whole games in a file.
fn count(json: &str) -> usize {
    let text = std::fs::read_to_string(Path::new(json)).unwrap_or_default();
    text.split_inclusive('\n')
        .filter(|line| line.starts_with("{\"game\"") && line.ends_with('\n'))
        .count()
}

#[test]
fn a_test_stops_the_match_when_it_is_decided() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_cheats"))];
    let text = output(&mut run_match(
        &engines,
        &[
            "--nodes",
            "10",
            "--games",
            "8",
            "--openings",
            "random:2",
            "--model",
            "logistic",
            "--sprt",
            "-400",
            "400",
        ],
    ));
    // By hand: of two pairs won, each is 10/11 likely with +400 Elo and 1/11 with -400: 2 ln 10.
    assert!(text.contains("LLR +4.6"), "{text}");
    assert!(text.contains("accepted"), "{text}");
    assert!(text.contains("Games  4: +4 =0 -0"), "{text}");
    let swapped = complaint(&mut run_match(&engines, &["--nodes", "10", "--sprt", "5", "0"]));
    assert!(swapped.contains("--sprt 5 0"), "{swapped}");
}

/// Plays UCI on this program's input and output: `on_go` is called for each `go`.
fn play_uci(mut on_go: impl FnMut() -> Option<String>) {
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let answer = match line.unwrap().split_whitespace().next() {
            Some("uci") => "id name bad\nuciok".to_owned(),
            Some("isready") => "readyok".to_owned(),
            Some("go") => match on_go() {
                Some(answer) => answer,
                None => continue,
            },
            Some("quit") => std::process::exit(0),
            _ => continue,
        };
        // The arena may be gone.
        let _ = writeln!(output, "{answer}").and_then(|()| output.flush());
    }
}

#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_crashes() {
    play_uci(|| {
        eprintln!("out of wits");
        std::process::exit(3)
    });
}

#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_cheats() {
    play_uci(|| Some("bestmove e2e5".to_owned()));
}

#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_hangs() {
    play_uci(|| None);
}

#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_is_late() {
    play_uci(|| {
        std::thread::sleep(std::time::Duration::from_millis(700));
        Some("bestmove e2e5".to_owned())
    });
}
