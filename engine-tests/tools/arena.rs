//! `aleator match` with the real binary: every variant, faults of every kind, and runs that are
//! killed.
//!
//! Engines that misbehave are this very test program, started to run one of the ignored tests at
//! the end of the file.

use crate::harness::{has_10x10, syzygy_path};
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
    if has_10x10() {
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
        assert_eq!(pgn.matches(&format!("[Game \"{variant}\"]")).count(), 4);
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
    let played = |text: &str, games: &str| {
        let row = |line: &&str| {
            let mut words = line.split_whitespace();
            words.next().is_some_and(|name| name.len() == 1) && words.next() == Some(games)
        };
        text.lines().filter(row).count()
    };
    let text = output(&mut run_match(&engines, &limits));
    assert!(text.contains("engine  games    won"), "{text}");
    assert_eq!(played(&text, "4"), 3, "{text}");
    let gauntlet = [limits.as_slice(), &["--form", "gauntlet"]].concat();
    let text = output(&mut run_match(&engines, &gauntlet));
    assert_eq!(played(&text, "2"), 2, "{text}");
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
    assert!(complaint(&mut run_match(&pair, &other)).contains("its seed is 1, here it is 2"));
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

/// What the user has is left as it is, and the PGN file alone is enough to go on.
#[test]
fn a_match_goes_on_from_the_journal_of_its_pgn_file() {
    let folder = Folder::new("pgn");
    let pgn = folder.file("games.pgn");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let play = |games: &str, more: &[&str]| {
        let words = ["--nodes", "20", "--max-plies", "10", "--games", games, "--pgn", &pgn];
        run_match(&pair, &[&words, more].concat())
    };
    std::fs::write(&pgn, "precious").unwrap();
    for resume in [[].as_slice(), &["--resume"]] {
        let text = complaint(&mut play("2", resume));
        assert!(text.contains(&format!("'{pgn}' holds")), "{text}");
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), "precious");
    }
    std::fs::remove_file(&pgn).unwrap();
    output(&mut play("2", &["--resume"]));
    let first = std::fs::read_to_string(&pgn).unwrap();
    let text = output(&mut play("4", &["--resume"]));
    assert!(text.contains("resumed with 2 games"), "{text}");
    let both = std::fs::read_to_string(&pgn).unwrap();
    assert!(both.starts_with(&first) && both.matches("[Round ").count() == 4, "{both}");
    assert_eq!(keys(&games(&format!("{pgn}.jsonl"))).len(), 4);
    // With CRLF it is no longer what the match has written.
    let crlf = both.replace('\n', "\r\n");
    std::fs::write(&pgn, &crlf).unwrap();
    complaint(&mut play("6", &["--resume"]));
    assert_eq!(std::fs::read_to_string(&pgn).unwrap(), crlf);
    let same = complaint(&mut play("6", &["--resume", "--json", &pgn]));
    assert!(same.contains("no journal") || same.contains("the same file"), "{same}");
}

/// The journal is for programs: numbers are numbers, and nothing is as Rust prints it.
#[test]
fn a_journal_is_plain_json() {
    let folder = Folder::new("header");
    let json = folder.file("games");
    let engines = [("a", ourselves()), ("bad", misbehaving("engine_that_is_late"))];
    let arguments = ["--nodes", "20", "--limit", "bad.movetime=20", "--games", "2"];
    let rules = ["--resign", "3,600", "--openings", "random:2", "--json", &json];
    let text = output(&mut run_match(&engines, &[arguments.as_slice(), &rules].concat()));
    assert!(text.contains("a (20 nodes a move) against bad (0.02 s a move)"), "{text}");
    let text = std::fs::read_to_string(&json).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let header = &header["match"];
    assert_eq!((&header["margin_ms"], &header["form"]), (&20.into(), &"round-robin".into()));
    assert_eq!(header["adjudication"]["win"]["score"], 600);
    assert_eq!(header["adjudication"]["draw"], Value::Null);
    assert_eq!(header["engines"]["a"]["limit"]["nodes"], 20);
    assert_eq!(header["engines"]["bad"]["limit"]["movetime_ms"], 20);
    let game = &games(&json)[0];
    assert!(game["fault"]["over_ms"].is_u64(), "{game}");
    assert_eq!(game["date"].as_str().unwrap().len(), "2026-11-22".len());
}

#[test]
fn openings_of_a_file_come_in_its_order_or_as_the_seed_shuffles_them() {
    let folder = Folder::new("order");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings/chess.epd");
    let arguments = ["--depth", "1", "--games", "16", "--max-plies", "2", "--openings", suite];
    let begun = |name: &str, words: &[&str]| -> Vec<String> {
        let json = folder.file(name);
        let words = [arguments.as_slice(), &["--json", &json], words].concat();
        output(&mut run_match(&pair, &words));
        games(&json).iter().map(|game| game["opening"].as_str().unwrap().to_owned()).collect()
    };
    let in_order = begun("first", &[]);
    assert_eq!(begun("second", &["--seed", "2"]), in_order);
    let shuffled = begun("third", &["--order", "random"]);
    assert_eq!(begun("fourth", &["--order", "random", "--seed", "1"]), shuffled);
    let other = begun("fifth", &["--order", "random", "--seed", "2"]);
    assert!(shuffled != in_order && other != shuffled && other != in_order);
    // A match does not go on in another order.
    let third = folder.file("third");
    let words = [arguments.as_slice(), &["--json", &third, "--resume"]].concat();
    let refused = complaint(&mut run_match(&pair, &words));
    assert!(refused.contains("its order is"), "{refused}");
}

#[test]
fn tables_decide_games() {
    let folder = Folder::new("syzygy");
    let (openings, json) = (folder.file("endings.epd"), folder.file("games"));
    // Whoever is White takes the rook: four men.
    std::fs::write(&openings, "4k3/8/8/8/8/3r4/3RP3/4K3 w - - 0 1\n").unwrap();
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = ["--depth", "3", "--games", "2", "--openings", &openings, "--json", &json];
    let nowhere = [arguments.as_slice(), &["--syzygy", "/nowhere"]].concat();
    let refused = complaint(&mut run_match(&pair, &nowhere));
    assert!(refused.contains("cannot read the folder '/nowhere'"), "{refused}");
    let Some(tables) = syzygy_path() else { return };
    let with_tables = [arguments.as_slice(), &["--syzygy", tables]].concat();
    let text = output(&mut run_match(&pair, &with_tables));
    assert!(text.contains("2 win by tablebase") && text.contains("White  +2 =0 -0"), "{text}");
    assert!(games(&json).iter().all(|game| game["moves"].as_array().unwrap().len() == 1), "{text}");
}

#[test]
fn absurd_numbers_are_refused_or_bounded() {
    let pair = [("a", ourselves()), ("b", misbehaving("engine_that_cheats"))];
    let nodes = ["--nodes", "10", "--openings", "random:2"];
    for (name, number) in [
        ("--patience", "18446744073709551615"),
        ("--patience", "0"),
        ("--games", "18446744073709551614"),
        ("--games", "0"),
        ("--margin", "18446744073709551615"),
        ("--max-plies", "0"),
    ] {
        let text = complaint(&mut run_match(&pair, &[nodes.as_slice(), &[name, number]].concat()));
        assert!(text.contains(name) && text.contains("is not in"), "{text}");
    }
    // Nobody lists the pairs of a match that will not be played to its end.
    let many = ["--games", "1000000000000", "--model", "logistic", "--sprt", "-400", "400"];
    let text = output(&mut run_match(&pair, &[nodes.as_slice(), &many].concat()));
    assert!(text.contains("Games  4: +4 =0 -0"), "{text}");
}

#[test]
fn an_engine_that_never_stops_talking_is_not_listened_to_for_ever() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_floods"))];
    let text = output(&mut run_match(
        &engines,
        &["--nodes", "10", "--patience", "1", "--games", "2", "--openings", "random:2"],
    ));
    assert!(text.contains("Faults bad 2 hang"), "{text}");
}

#[test]
fn what_engines_say_does_nothing_to_the_terminal() {
    let engines = [("good", ourselves()), ("bad", misbehaving("engine_that_paints"))];
    let arguments = ["--nodes", "10", "--games", "2", "--openings", "random:2"];
    let text = output(&mut run_match(&engines, &arguments));
    assert!(text.contains("'bad' crashed") && text.contains("\\u{1b}]0;mine"), "{text}");
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text}");
    let text =
        complaint(&mut run_match(&engines, &[&arguments[..], &["--option", "bad.x=y"]].concat()));
    assert!(text.contains("it has: Colour\\u{1b}[31m") && !text.contains('\x1b'), "{text}");
}

/// The program that was started ends, and so does the engine behind it.
#[cfg(unix)]
#[test]
fn a_wrapper_takes_its_engine_along() {
    let folder = Folder::new("wrapper");
    let held = folder.file("held");
    std::fs::write(&held, "").unwrap();
    let bad = misbehaving("engine_that_stays");
    let script = folder.file("wrapper.sh");
    // The second command keeps the shell from becoming the engine.
    std::fs::write(&script, format!("HELD='{held}' {bad}\ntrue\n")).unwrap();
    let engines = [("good", ourselves()), ("bad", format!("sh '{script}'"))];
    output(&mut run_match(
        &engines,
        &["--nodes", "10", "--patience", "1", "--games", "2", "--openings", "random:2"],
    ));
    let file = std::fs::File::open(&held).unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while file.try_lock().is_err() {
        assert!(std::time::Instant::now() < until, "the engine goes on");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_tells_how_it_stands_and_how_to_go_on() {
    use nix::sys::signal::{Signal, kill};

    let folder = Folder::new("ctrl-c");
    let json = folder.file("a journal");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = ["--nodes", "50", "--max-plies", "20", "--games", "100000", "--json", &json];
    let child = run_match(&pair, &arguments).stdout(Stdio::piped()).spawn().unwrap();
    while count(&json) < 3 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let done = count(&json);
    assert!(text.contains(&format!("Games  {done}: ")), "{text}");
    let command = text.split("To go on:\n").nth(1).unwrap();
    let mut words = shlex::split(command).unwrap();
    assert_eq!(words[words.len() - 1], "--resume");
    // A little further.
    let games = words.iter().position(|word| word == "100000").unwrap();
    words[games] = (done + 2).to_string();
    let text = self::output(Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()));
    assert!(text.contains(&format!("resumed with {done} games")), "{text}");
    assert!(keys(&self::games(&json)).len() >= done + 2);
}

/// A disk that is full for a while: the journal holds whole games, and the match goes on later.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_games() {
    let folder = Folder::new("full");
    let json = folder.file("games");
    let pair = [("a", ourselves()), ("b", ourselves())];
    let arguments = ["--nodes", "20", "--max-plies", "20", "--games", "20", "--json", &json];
    let whole = run_match(&pair, &arguments);
    // Files of at most eight blocks, and an error instead of a signal.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]);
    command.arg(whole.get_program()).args(whole.get_args()).stdin(Stdio::null());
    let text = complaint(&mut command);
    assert_eq!((text.lines().count(), text.contains(&json)), (1, true), "{text}");
    let bytes = std::fs::read(&json).unwrap();
    assert_eq!(bytes.last(), Some(&b'\n'));
    let done = games(&json).len();
    assert!(done > 0);
    let text = output(&mut run_match(&pair, &[arguments.as_slice(), &["--resume"]].concat()));
    assert!(text.contains(&format!("resumed with {done} games")), "{text}");
    assert_eq!(keys(&games(&json)).len(), 20);
}

/// A match whose output is lost goes on for its journal; without one there is nothing to go on for.
#[cfg(target_os = "linux")]
#[test]
fn a_match_survives_its_standard_output() {
    let folder = Folder::new("stdout");
    let json = folder.file("games");
    let pair = [("good", ourselves()), ("bad", misbehaving("engine_that_cheats"))];
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    // Each fault is printed.
    let arguments = ["--nodes", "10", "--openings", "random:2", "--games"];
    let kept = [arguments.as_slice(), &["8", "--json", &json]].concat();
    let output = run_match(&pair, &kept).stdout(full()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(1), 1), "{text}");
    assert!(text.contains("No space left"), "{text}");
    assert_eq!(keys(&games(&json)).len(), 8);
    let unkept = [arguments.as_slice(), &["1000000"]].concat();
    let output = run_match(&pair, &unkept).stdout(full()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("No space left") && !text.contains("on end"), "{text}");
}

/// engine-tests/ladder/ladder.sh, with games too few and too short to say anything.
#[cfg(unix)]
#[test]
fn the_ladder_has_a_line_for_each_step() {
    let folder = Folder::new("ladder");
    let climb = || {
        let mut script = Command::new("sh");
        script.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/ladder/ladder.sh"));
        script.args(["10", "20"]).current_dir(&folder.0).stdin(Stdio::null());
        script.env("ENGINE", ALEATOR).env("RIVAL", ourselves()).env("GAMES", "2");
        output(&mut script)
    };
    let text = climb();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    for (line, nodes) in lines[1..].iter().zip(["10", "20"]) {
        assert!(line.trim_start().starts_with(nodes) && line.matches("+/-").count() == 2, "{text}");
    }
    let journal = folder.file("ladder/doubling-10.jsonl");
    let header = std::fs::read_to_string(&journal).unwrap();
    assert!(header.contains(r#""limit":{"nodes":20}"#), "{header}");
    assert_eq!(climb(), text);
    assert_eq!(games(&journal).len(), 2);
}

/// Plays UCI on this program's input and output: `on_go` is called for each `go`.
fn play_uci(on_go: impl FnMut() -> Option<String>) {
    play_uci_with("", "quit", on_go);
}

/// The same with lines that declare options, and another word that ends it.
pub fn play_uci_with(options: &str, end: &str, mut on_go: impl FnMut() -> Option<String>) {
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        if line == end {
            std::process::exit(0);
        }
        let answer = match line.split_whitespace().next() {
            Some("uci") => format!("id name bad\n{options}uciok"),
            Some("isready") => "readyok".to_owned(),
            Some("go") => match on_go() {
                Some(answer) => answer,
                None => continue,
            },
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

#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_floods() {
    play_uci(|| {
        let mut output = std::io::stdout().lock();
        // Until nobody listens any more.
        while output.write_all(b"readyok\nbestmov\ninfo score cp 1\nwhatever\n").is_ok() {}
        None
    });
}

#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_paints() {
    play_uci_with("option name Colour\x1b[31m type button\n", "quit", || {
        eprintln!("\x1b]0;mine\x07");
        std::process::exit(3)
    });
}

/// It neither moves nor leaves, and holds a file as long as it lives.
#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_stays() {
    let Some(path) = std::env::var_os("HELD") else { return };
    let file = std::fs::File::open(path).unwrap();
    file.lock_shared().unwrap();
    std::thread::spawn(|| play_uci_with("", "never", || None));
    std::thread::sleep(std::time::Duration::from_secs(120));
}
