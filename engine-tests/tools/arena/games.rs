//! Tests of matches without engine failures: games, results and output.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::*;
use crate::harness::{has_10x10, syzygy_path};

#[test]
fn every_variant_is_played() {
    let folder = Folder::new();
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
        assert!(text.contains("Failures none"), "{variant}: {text}");
        assert!(text.contains("Games  4: "), "{text}");
        let games = games(&json);
        assert_eq!(keys(&games), [(0, 0), (0, 1), (1, 0), (1, 1)].into());
        for game in &games {
            assert_eq!(game["placements"].is_array(), has_setup, "{game}");
            // The two games of a pair must have the same opening and reversed colours.
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

/// If games have a node limit, or clocks that count nodes, and are not played in parallel, they must be
/// deterministic.
#[test]
fn the_same_seed_gives_the_same_games() {
    let folder = Folder::new();
    let pair = [("a", ourselves()), ("b", ourselves())];
    let moves = |name: &str, seed: &str, limit: &[&str]| -> Vec<Vec<String>> {
        let json = folder.file(name);
        let common = ["--games", "2", "--max-plies", "60", "--seed", seed, "--json", &json];
        output(&mut run_match(&pair, &[limit, &common].concat()));
        let text = |turn: &Value| turn["uci"].as_str().unwrap().to_owned();
        let games = games(&json);
        games.iter().map(|g| g["moves"].as_array().unwrap().iter().map(text).collect()).collect()
    };
    let nodes = ["--nodes", "50"];
    let first = moves("one", "7", &nodes);
    assert_eq!(first, moves("two", "7", &nodes));
    assert_ne!(first, moves("three", "8", &nodes));
    // Two seconds for each game, which are 10,000 nodes.
    let clock = ["--tc", "2+0.01", "--option", "Nodes Time=5"];
    assert_eq!(moves("four", "7", &clock), moves("five", "7", &clock));
    // The times of the moves are those of the nodes, and the clocks run down.
    let spent = |side: usize| -> u64 {
        let games = games(&folder.file("four"));
        let turns = games[0]["moves"].as_array().unwrap();
        turns.iter().skip(side).step_by(2).map(|turn| turn["ms"].as_u64().unwrap()).sum()
    };
    for side in 0..2 {
        assert!((500..=2_300).contains(&spent(side)), "{}", spent(side));
    }
}

#[test]
fn more_than_two_engines_are_ranked_in_a_table() {
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
fn openings_of_a_file_are_used_in_order_or_shuffled_by_the_seed() {
    let folder = Folder::new();
    let pair = [("a", ourselves()), ("b", ourselves())];
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings/chess.epd");
    let arguments = ["--depth", "1", "--games", "16", "--max-plies", "2", "--openings", suite];
    let openings_of = |name: &str, words: &[&str]| -> Vec<String> {
        let json = folder.file(name);
        let words = [arguments.as_slice(), &["--json", &json], words].concat();
        output(&mut run_match(&pair, &words));
        games(&json).iter().map(|game| game["opening"].as_str().unwrap().to_owned()).collect()
    };
    let in_order = openings_of("first", &[]);
    assert_eq!(openings_of("second", &["--seed", "2"]), in_order);
    let shuffled = openings_of("third", &["--order", "random"]);
    assert_eq!(openings_of("fourth", &["--order", "random", "--seed", "1"]), shuffled);
    let other = openings_of("fifth", &["--order", "random", "--seed", "2"]);
    assert!(shuffled != in_order && other != shuffled && other != in_order);
    // A match with openings in random order cannot be resumed in the order of the file.
    let third = folder.file("third");
    let words = [arguments.as_slice(), &["--json", &third, "--resume"]].concat();
    let refused = complaint(&mut run_match(&pair, &words));
    assert!(refused.contains("order was \"random\""), "{refused}");
}

#[test]
fn tablebases_decide_games() {
    let folder = Folder::new();
    let (openings, json) = (folder.file("endings.epd"), folder.file("games"));
    // After White has taken the rook, four pieces are left.
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
fn the_match_stops_when_the_sprt_is_decided() {
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
    // The expected LLR is 2 ln 10 = 4.605: each of the two won pairs has the likelihood 10/11 for +400 Elo
    // and 1/11 for -400 Elo.
    assert!(text.contains("LLR +4.6"), "{text}");
    assert!(text.contains("accepted"), "{text}");
    assert!(text.contains("Games  4: +4 =0 -0"), "{text}");
    let swapped = complaint(&mut run_match(&engines, &["--nodes", "10", "--sprt", "5", "0"]));
    assert!(swapped.contains("--sprt 5 0"), "{swapped}");
}

#[test]
fn errors_are_reported_before_the_first_game() {
    let us = ("us", ourselves());
    let nodes = ["--nodes", "10"];
    let said = |engines: &[(&str, String)], arguments: &[&str]| {
        complaint(&mut run_match(engines, &[&nodes, arguments].concat()))
    };
    let nobody = ("nobody", "/no/such/engine".to_owned());
    assert!(said(&[us.clone(), nobody], &[]).contains("'/no/such/engine' cannot be started"));
    assert!(said(std::slice::from_ref(&us), &[]).contains("at least two engines"));
    assert!(said(&[us.clone(), us.clone()], &[]).contains("two engines have the name 'us'"));
    let other = ("other", ourselves());
    let pair = [us, other];
    assert!(
        said(&pair, &["--option", "us.Hsah=3"])
            .contains("has no UCI option 'Hsah'; its options are: ")
    );
    assert!(said(&pair, &["--openings", "/no/such/file"]).contains("/no/such/file"));
    assert!(said(&pair, &["--resume"]).contains("--json or --pgn"));
    assert!(said(&pair, &["--order", "random"]).contains("a file of openings"));
    let file = ["--openings", concat!(env!("CARGO_MANIFEST_DIR"), "/book/openings/chess.epd")];
    let skipped = said(&pair, &[&file[..], &["--skip-setup"]].concat());
    assert!(skipped.contains("--skip-setup is only for random openings"), "{skipped}");
    assert!(said(&pair, &["--variant", "shogi"]).contains("shogi"));
    let chess_only = ("plain", misbehaving("engine_that_cheats"));
    let said = said(&[pair[0].clone(), chess_only], &["--variant", "jepps"]);
    assert!(said.contains("'plain' does not play jepps"), "{said}");
}

#[test]
fn absurd_numbers_are_rejected_or_bounded() {
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
    // Even with a huge number of games, the match must not build a list of all pairs.
    let many = ["--games", "1000000000000", "--model", "logistic", "--sprt", "-400", "400"];
    let text = output(&mut run_match(&pair, &[nodes.as_slice(), &many].concat()));
    assert!(text.contains("Games  4: +4 =0 -0"), "{text}");
}

/// Runs engine-tests/ladder/ladder.sh with a few short games.
#[cfg(unix)]
#[test]
fn the_ladder_has_a_line_for_each_step() {
    let folder = Folder::new();
    let climb = || {
        let mut script = Command::new("sh");
        script.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/ladder/ladder.sh"));
        script.args(["10", "20"]).current_dir(folder.0.path()).stdin(Stdio::null());
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

/// Runs engine-tests/ladder/queue.py with four tests, and kills the queue in the middle.
#[cfg(target_os = "linux")]
#[test]
fn the_queue_resumes_after_a_kill_until_all_tests_are_decided() {
    if Command::new("python3").args(["-c", "import tomllib"]).status().is_ok_and(|it| it.success())
    {
        let folder = Folder::new();
        let test = |name: &str, more: &str| {
            let engines = format!("engines = ['new={ALEATOR}', 'old={ALEATOR}']");
            format!("[[test]]\nname = '{name}'\n{engines}\n{more}\n")
        };
        let tests = [
            test("level", "nodes = 20\ngames = 60"),
            test(
                "stronger",
                "nodes = 20\ngames = 200\nsprt = [-200, 100]\n\
                  arguments = ['--limit', 'new.nodes=400']",
            ),
            test("clock", "tc = '1+0.01'\noptions = ['Nodes Time=1']\ngames = 4"),
            test("broken", "nodes = 20\noptions = ['new.Hsah=1']"),
        ];
        std::fs::write(folder.file("tests.toml"), tests.concat()).unwrap();
        let queue = |verb: &str| {
            let mut script = Command::new("python3");
            script.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/ladder/queue.py"));
            script.arg(verb).arg(folder.0.path()).stdin(Stdio::null()).stdout(Stdio::piped());
            if verb == "match" {
                script.args(["--arena", ALEATOR]);
            }
            script
        };
        let priority = || std::fs::read_to_string("/proc/self/autogroup").ok();
        let (before, journal) = (priority(), folder.file("level.jsonl"));
        let mut first = queue("match").spawn().unwrap();
        while !std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 2) {
            assert!(first.try_wait().unwrap().is_none(), "the queue ended before the first game");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        first.kill().unwrap(); // SIGKILL, which the queue cannot catch
        first.wait().unwrap();
        output(&mut queue("match"));
        assert_eq!(games(&journal).len(), 60);
        let table = output(&mut queue("rows"));
        let row = |name: &str| {
            table.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap().to_owned()
        };
        assert!(row("level").ends_with("| played |"), "{table}");
        assert!(row("stronger").ends_with("| accepted |"), "{table}");
        assert!(
            row("clock").contains("| 1+0.01 |") && row("clock").ends_with("| played |"),
            "{table}"
        );
        assert!(row("broken").ends_with("| failed: see broken.failed |"), "{table}");
        let reason = std::fs::read_to_string(folder.file("broken.failed")).unwrap();
        assert!(reason.contains("has no UCI option 'Hsah'"), "{reason}");
        // All tests are finished, and the priority of the calling process must be unchanged.
        assert_eq!(output(&mut queue("match")), "");
        assert_eq!(priority(), before);
    } else {
        eprintln!("skipped: there is no python3 with tomllib");
    }
}
