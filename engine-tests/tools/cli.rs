//! Tests of the command line, as people, scripts and OpenBench use it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::harness::command::{aleator, folder, printed};
use crate::harness::info::bench_nodes;
use crate::harness::{BINARY, PATIENCE, has_10x10};
use serde_json::Value;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn run(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Returns the standard output of a run that succeeds without errors or warnings.
fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error output of a run that fails.
fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{arguments:?} succeeded");
    assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
    assert!(!errors.trim().is_empty(), "{arguments:?} failed without a message");
    errors
}

#[test]
fn go_prints_board_and_lines_in_san() {
    let text = stdout(&["go", "depth", "6"]);
    assert!(text.contains("| r | n | b | q | k | b | n | r |"), "{text}");
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{text}");
    assert!(!text.contains('\u{1b}'), "there must be no colours in a pipe: {text:?}");
    for depth in 1..=6 {
        let row = format!("{depth}/");
        let line = text.lines().find(|line| line.trim_start().starts_with(&row));
        let line = line.unwrap_or_else(|| panic!("no depth {depth} in {text}"));
        let last = line.split_whitespace().last().unwrap();
        // The last word of the line is a move in SAN.
        assert!(last.len() <= 5 && !last.starts_with(|c: char| c.is_ascii_digit()), "{line}");
    }
    assert!(text.lines().any(|line| line.starts_with("best move ")), "{text}");
    let castling = stdout(&["go", "depth", "2", "searchmoves", "e1g1", "--fen", KIWIPETE]);
    assert!(castling.contains("O-O"), "{castling}");
    let mate = stdout(&["go", "depth", "4", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]);
    assert!(mate.contains("Ra8#") && mate.contains("#1"), "{mate}");
    assert!(mate.contains("best move Ra8#"), "{mate}");
    assert!(
        stdout(&["go", "depth", "3", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
            .contains("no legal move")
    );
}

/// The output must name the columns and number the lines of each depth.
#[test]
fn go_explains_its_columns() {
    let text = stdout(&["go", "depth", "5", "--multipv", "3", "--moves", "e4"]);
    assert!(text.contains("Black to move; positive scores are good for Black"), "{text}");
    let heading = text.lines().find(|line| line.contains("nodes/s")).unwrap();
    let names: Vec<&str> = heading.split_whitespace().collect();
    assert_eq!(names, ["depth", "#", "score", "time", "nodes", "nodes/s", "hash", "line"]);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.first().is_some_and(|word| word.starts_with("5/")))
        .collect();
    assert_eq!(rows.len(), 3, "{text}");
    for (number, row) in (1..).zip(rows) {
        let (depth, deepest) = row[0].split_once('/').unwrap();
        assert!(deepest.parse::<u32>().unwrap() >= depth.parse().unwrap(), "{row:?}");
        assert_eq!(row[1].parse(), Ok(number), "{row:?}");
        assert!(row[2].starts_with(['+', '-']), "{row:?}");
        assert!(row[7].ends_with('%'), "{row:?}"); // "0.01 s" is two words
    }
}

#[test]
fn moves_are_played_before_the_search() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    for moves in [&["e2e4", "e7e5", "g1f3"][..], &["e4", "e5", "Nf3"], &["1. e4 e5 2. Nf3"]] {
        let mut arguments = vec!["go", "depth", "1", "--json", "--moves"];
        arguments.extend(moves);
        let text = stdout(&arguments);
        assert!(text.starts_with(&format!("{{\"fen\":\"{fen}\"")), "{text}");
        arguments.splice(..4, ["perft", "1", "--moves"]);
        arguments.dedup();
        assert!(stdout(&arguments).contains("\nNodes searched: 29\n"), "{arguments:?}");
    }
    let text = stdout(&["go", "depth", "2", "searchmoves", "Nf3", "e2e4", "--json"]);
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(last["bestmove"] == "g1f3" || last["bestmove"] == "e2e4", "{last}");
    let hand = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    let variant = ["--variant", "fischerbenko", "--fen", hand, "--moves", "R@h1", "N@e8"];
    let text = stdout(&[&["go", "depth", "1", "--json"][..], &variant].concat());
    assert!(text.contains("2b1nbr1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R2R[KQNNkqrn] w"), "{text}");
    // A threefold repetition is recognised only if the earlier moves of the game are known.
    let repeated = ["--moves", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"];
    let text = stdout(&[&["go", "depth", "1"][..], &repeated].concat());
    assert!(text.contains("a draw: threefold repetition"), "{text}");
}

/// Castling must be written in the notation that GUIs expect for the variant.
#[test]
fn castling_is_written_as_the_variant_requires() {
    for (variant, castling) in [("chess", "e1g1"), ("chess960", "e1h1")] {
        let position = ["--variant", variant, "--fen", KIWIPETE];
        let go = ["go", "depth", "1", "searchmoves", "O-O", "--json"];
        let text = stdout(&[&go[..], &position].concat());
        assert!(text.contains(&format!("\"bestmove\":\"{castling}\"")), "{text}");
        assert!(text.contains(&format!("\"pv\":[\"{castling}\"")), "{text}");
        let text = stdout(&[&["perft", "1"][..], &position].concat());
        assert!(text.lines().any(|line| line == format!("{castling}: 1")), "{text}");
    }
}

#[test]
fn a_finished_game_names_the_winner() {
    for (fen, words, result) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate: White has won", "1-0"),
        ("7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1", "mate: Black has won", "0-1"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "a draw: stalemate", "1/2-1/2"),
        ("8/8/4k3/8/8/3KB3/8/8 w - - 0 1", "a draw: insufficient material", "1/2-1/2"),
    ] {
        let text = stdout(&["go", "depth", "3", "--fen", fen]);
        assert!(text.contains(words), "{fen}: {text}");
        let text = stdout(&["go", "depth", "3", "--json", "--fen", fen]);
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["result"], result, "{fen}");
        for line in text.lines().filter(|line| line.contains("\"wdl\"")) {
            let line: Value = serde_json::from_str(line).unwrap();
            let chances = match result {
                "1/2-1/2" => serde_json::json!([0, 1000, 0]),
                _ => serde_json::json!([0, 0, 1000]),
            };
            assert_eq!(line["wdl"], chances, "{fen}");
        }
    }
    let text = stdout(&["go", "depth", "1", "--json"]);
    assert!(!text.contains("\"result\""), "{text}");
}

/// If a FEN is not valid in the variant, the error must name a variant in which the FEN is valid.
#[test]
fn a_fen_of_another_variant_is_recognised() {
    let hand = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    for action in [&["go", "depth", "1"][..], &["perft", "1"]] {
        let error = complaint(&[action, &["--fen", hand]].concat());
        assert!(error.contains("add --variant fischerbenko"), "{error}");
        let relocation = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 1";
        let error =
            complaint(&[action, &["--variant", "transcendental", "--fen", relocation]].concat());
        assert!(error.contains("add --variant"), "{error}");
        if has_10x10() {
            let large =
                "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1";
            let error = complaint(&[action, &["--fen", large]].concat());
            assert!(error.contains("add --variant ifrc"), "{error}");
            let small = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
            let error = complaint(&[action, &["--variant", "ifrc", "--fen", small]].concat());
            assert!(error.contains("add --variant chess"), "{error}");
        }
    }
}

#[test]
fn go_accepts_limits_and_options() {
    for limits in
        [&["nodes", "2000"][..], &["movetime", "30"], &["mate", "1"], &["depth", "2", "nodes", "9"]]
    {
        let mut arguments = vec!["go"];
        arguments.extend(limits);
        arguments.extend(["--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]);
        arguments.extend(["--threads", "2", "--hash", "2"]);
        assert!(stdout(&arguments).contains("best move "), "{arguments:?}");
    }
    let text = stdout(&[
        "go",
        "depth",
        "3",
        "--variant",
        "chess960",
        "--fen",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    ]);
    assert!(text.contains("| b | b | q | n | n | r | k | r |"), "{text}");
}

#[test]
fn go_analyses_10x10_or_names_the_missing_feature() {
    if !has_10x10() {
        assert!(complaint(&["go", "depth", "3", "--variant", "ifrc"]).contains("board10x10"));
        return;
    }
    let text = stdout(&["go", "depth", "3", "--variant", "ifrc"]);
    assert!(text.contains("|   | r | n | b | q | k | b | n | r |   |"), "{text}");
    assert!(text.contains("best move "), "{text}");
}

#[test]
fn json_has_one_object_per_line() {
    let text = stdout(&["go", "depth", "5", "--json", "--multipv", "3"]);
    let records: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (first, rest) = records.split_first().unwrap();
    let (last, lines) = rest.split_last().unwrap();
    assert_eq!(first["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(first["variant"], "chess");
    assert_eq!(lines.len(), 5 * 3);
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["depth"], index / 3 + 1);
        assert_eq!(line["multipv"], index % 3 + 1);
        assert_eq!(line["bound"], "exact");
        assert!(line["score"]["cp"].is_i64(), "{line}");
        let wdl: i64 = line["wdl"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).sum();
        assert_eq!(wdl, 1000);
        for number in ["seldepth", "nodes", "nps", "hashfull", "time_ms"] {
            assert!(line[number].is_u64(), "{number}: {line}");
        }
        let (pv, san) = (line["pv"].as_array().unwrap(), line["san"].as_array().unwrap());
        assert!(!pv.is_empty() && pv.len() == san.len(), "{line}");
    }
    let best = lines.iter().rev().find(|line| line["multipv"] == 1).unwrap();
    assert_eq!(last["bestmove"], best["pv"][0]);
    assert_eq!(last["ponder"], best["pv"][1]);

    let mated =
        stdout(&["go", "depth", "5", "--json", "--fen", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"]);
    let last: Value = serde_json::from_str(mated.lines().last().unwrap()).unwrap();
    assert!(last["bestmove"].is_null());
}

#[test]
fn bad_arguments_are_explained() {
    for (arguments, hint) in [
        (&["go"][..], "LIMIT"),
        (&["go", "fast"], "'fast'"),
        (&["go", "depth"], "depth"),
        (&["go", "depth", "x"], "'x'"),
        (&["go", "searchmoves", "e2e4"], "a limit is missing"),
        (&["go", "depth", "3", "searchmoves", "e2e5"], "e2e5"),
        (&["go", "depth", "3", "--fen", "nonsense"], "ranks"),
        (&["go", "depth", "3", "--variant", "losers"], "chess960"),
        (&["go", "depth", "3", "--multipv", "0"], "multipv"),
        (&["go", "depth", "3", "--multipv", "257"], "multipv"),
        (&["go", "depth", "3", "--threads", "0"], "threads"),
        (&["go", "depth", "3", "--threads", "1025"], "threads"),
        (&["go", "depth", "3", "--hash", "x"], "hash"),
        (&["go", "depth", "3", "--hash", "0"], "0 is not in 1.."),
        (&["tune", "--engine", "x", "--hash", "0"], "0 is not in 1.."),
        (&["datagen", "--out", "x", "--games", "1", "--hash", "0"], "0 is not in 1.."),
        (&["go", "depth", "5", "moves", "e2e4"], "--moves"),
        (&["go", "depth", "5", "quickly"], "'quickly'"),
        (&["go", "perft", "3"], "'aleator perft 3'"),
        (&["go", "depth", "3", "--moves", "e4", "e4"], "move 2"),
        (&["go", "depth", "3", "--moves", "e4 depth"], "'depth'"),
        (&["start", "--variant", "losers"], "dfrc"),
        (&["play", "960"], "did you mean chess960?"),
        (&["setup", "jeps"], "did you mean jepps?"),
        (&["book", "openings", "--variant", "losers", "--count", "1", "--plies", "1"], "dfrc"),
        (&["go", "depth", "3", "--hash", "17592186044416"], "MiB"),
        (&["go", "depth", "3", "--hash", "18446744073709551615"], "MiB"),
        (&["perft"], "DEPTH"),
        (&["perft", "x"], "'x'"),
        (&["perft", "1000000"], "perft"),
        (&["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w"], "king"),
        (&["bench", "-1"], "-1"),
        (&["bench", "deep"], "'deep'"),
        (&["frobnicate"], "frobnicate"),
        (&["--frobnicate"], "--frobnicate"),
    ] {
        let errors = complaint(arguments);
        assert!(errors.contains(hint), "{arguments:?}: {errors}");
    }
}

#[test]
fn help_explains_each_action() {
    let text = stdout(&["--help"]);
    for action in ["go", "bench", "perft"] {
        assert!(text.contains(action), "{text}");
        assert!(stdout(&[action, "--help"]).contains("Usage: aleator"));
    }
    assert!(stdout(&["--version"]).starts_with("aleator "));
    // `help` as the first argument is the help of the command line, not the UCI command `help`.
    assert_eq!(stdout(&["help"]), stdout(&["--help"]));
    assert_eq!(stdout(&["help", "go"]), stdout(&["go", "--help"]));
    assert!(stdout(&["isready", "help"]).contains("ponderhit"));
}

#[test]
fn arguments_may_be_whole_uci_commands() {
    let text = stdout(&["position startpos moves e2e4", "d", "go depth 5", "quit"]);
    assert!(text.contains("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"), "{text}");
    assert!(text.contains("info depth 5 "), "{text}");
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    // Each command finishes before the next command begins, and no final `quit` is needed.
    let text = stdout(&["setoption name MultiPV value 2", "go nodes 3000", "go perft 1"]);
    let best = text.lines().position(|line| line.starts_with("bestmove ")).unwrap();
    assert!(text.lines().skip(best).any(|line| line == "Nodes searched: 20"), "{text}");
    assert!(stdout(&["uci"]).ends_with("uciok\n"));
    assert!(stdout(&["go infinite", "stop", "quit"]).contains("bestmove "));
    assert!(stdout(&["isready", "nonsense", "quit"]).contains("info string"));
}

/// Runs the binary on a terminal with the given width and typed input. Returns the text on the screen.
#[cfg(unix)]
fn on_terminal(words: &str, columns: u16, typed: &str) -> String {
    let size = nix::pty::Winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let nix::pty::OpenptyResult { master, slave } = nix::pty::openpty(&size, None).unwrap();
    let end = || Stdio::from(slave.try_clone().unwrap());
    let mut command = aleator(words, Path::new("."));
    let child = command.stdin(end()).stdout(end()).stderr(Stdio::null()).spawn();
    drop((command, slave));
    let mut terminal = fs::File::from(master);
    terminal.write_all(typed.as_bytes()).unwrap();
    let mut shown = Vec::new();
    // Reading fails when the program has closed the other end of the terminal.
    let _ = terminal.read_to_end(&mut shown);
    assert!(child.unwrap().wait().unwrap().success(), "{words}");
    anstream::adapter::strip_bytes(&shown)
        .into_vec()
        .escape_ascii()
        .to_string()
        .replace("\\r\\n", "\n")
}

#[cfg(unix)]
#[test]
fn lines_are_wrapped_to_the_terminal() {
    // Continued lines are indented to the column of the moves. If there is too little room, the indent is
    // small.
    for (columns, indent) in [(98, 55), (70, 4)] {
        let text = on_terminal("go depth 15", columns, "");
        assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{text}");
        let rows = text.lines().skip_while(|line| !line.contains(" 15/"));
        let row: Vec<&str> = rows.take_while(|line| !line.is_empty()).collect();
        assert!(row.len() > 1, "{text}");
        assert_eq!(row[1].len() - row[1].trim_start().len(), indent, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn people_are_greeted_but_programs_are_not() {
    let text = on_terminal("", 80, "isready\nquit\n");
    let greetings: Vec<&str> = text.lines().filter(|line| line.contains("--help")).collect();
    assert!(greetings.len() == 1 && greetings[0].contains("UCI"), "{text}");
    assert_eq!(stdout(&[]), "");
}

#[test]
fn dfrc_is_chess960_with_different_back_ranks() {
    let random = ["--random", "--count", "20", "--seed", "1"];
    let different_ranks =
        stdout(&[&["start", "--variant", "chess960", "--black", "own"][..], &random].concat());
    assert_eq!(stdout(&[&["start", "--variant", "dfrc"][..], &random].concat()), different_ranks);
    let perft = |variant| {
        let text = stdout(&["perft", "2", "--variant", variant]);
        text.split("Time: ").next().unwrap().to_owned()
    };
    assert_eq!(perft("dfrc"), perft("chess960"));
}

#[test]
fn every_command_knows_the_same_variants() {
    for command in [
        "go depth 1 --variant",
        "perft 1 --variant",
        "setup",
        "play",
        "start --variant",
        "book openings --count 1 --plies 1 --variant",
        "book make --variant",
        "book verify x.epd --variant",
        "epd x.epd --variant",
        "match --engine a=x --engine b=x --variant",
        "tune --engine x --variant",
        "datagen --out x --games 1 --variant",
    ] {
        let words: Vec<&str> = command.split(' ').chain(["dfr"]).collect();
        let error = complaint(&words);
        let expected = "there is no variant 'dfr' (did you mean dfrc?); the variants are chess, \
                        chess960, dfrc, ";
        assert!(error.contains(expected), "{command}: {error}");
    }
}

#[test]
fn a_start_is_printed_with_number_back_rank_and_evaluation() {
    const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let number = ["start", "--number", "518"];
    let with = |more: &[&str]| stdout(&[&number[..], more].concat());
    assert_eq!(with(&[]), format!("number    518\nback rank RNBQKBNR\nFEN       {FEN}\n"));
    assert_eq!(with(&["--format", "fen"]), format!("{FEN}\n"));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let start = json(&with(&["--json"]));
    assert_eq!((&start["number"], &start["array"]), (&518.into(), &"RNBQKBNR".into()));
    assert_eq!((&start["variant"], &start["fen"]), (&"chess960".into(), &FEN.into()));
    assert!(start.get("score").is_none());
    let evaluated = json(&with(&["--json", "--evaluate", "--nodes", "500"]));
    assert!(evaluated["score"]["cp"].is_i64() && evaluated["best"].is_string(), "{evaluated}");
    let text = with(&["--evaluate", "--nodes", "500"]);
    assert!(text.contains("\nscore     ") && text.contains(" for White at depth "), "{text}");
    let random = stdout(&["start", "--variant", "jepps", "--random", "--count", "3", "--json"]);
    assert!(random.lines().all(|line| json(line)["variant"] == "jepps"), "{random}");
    for arguments in [&["start", "--evaluate"][..], &["start", "--all", "--evaluate"]] {
        assert!(complaint(arguments).contains("--number N, or both --all and --out FILE"));
    }
}

#[test]
fn completions_and_man_pages_list_the_commands() {
    let script = stdout(&["completions", "bash"]);
    assert!(script.contains("annotate") && script.contains("complete -F _aleator"), "{script}");
    assert!(complaint(&["completions", "cmd"]).contains("bash"));
    let folder = folder("cli/man");
    stdout(&["man", folder.to_str().unwrap()]);
    let page = std::fs::read_to_string(folder.join("aleator-play.1")).unwrap();
    assert!(page.contains(".TH aleator-play 1") && page.contains("resume"), "{page}");
    assert!(folder.join("aleator.1").exists());
}

#[test]
fn bench_ends_with_nodes_and_nps() {
    let text = stdout(&["bench", "4"]);
    bench_nodes(text.lines().last().unwrap());
    let boards = if has_10x10() { 2 } else { 1 };
    assert_eq!(text.lines().filter(|line| line.contains("nps")).count(), boards + 1, "{text}");
}

#[test]
fn perft_divides_and_totals() {
    for threads in ["1", "2"] {
        let text = stdout(&["perft", "3", "--threads", threads]);
        let counts: Vec<u64> = text
            .lines()
            .take_while(|line| !line.is_empty())
            .map(|line| line.split_once(": ").unwrap().1.parse().unwrap())
            .collect();
        assert_eq!((counts.len(), counts.iter().sum::<u64>()), (20, 8_902));
        assert!(text.contains("\nNodes searched: 8902\n"), "{text}");
        assert!(text.lines().any(|line| line.starts_with("Nodes/second: ")), "{text}");
    }
    assert!(stdout(&["perft", "2", "--fen", KIWIPETE]).contains("Nodes searched: 2039"));
    assert!(stdout(&["perft", "0"]).contains("Nodes searched: 1\n"));
    if has_10x10() {
        assert!(stdout(&["perft", "2", "--variant", "ifrc"]).contains("Nodes searched: 1600\n"));
    }
}

/// When the reader of the output exits, every command must end without a panic.
#[test]
fn a_closed_pipe_ends_the_work() {
    for arguments in [
        &["go", "infinite"][..],
        &["go", "infinite", "--json"],
        &["go", "depth", "5", "--multipv", "4"],
        &["bench", "2"],
        &["bench", "9"],
        &["perft", "3"],
        &["start", "--all"],
        &["book", "openings", "--variant", "chess", "--count", "1", "--plies", "2"],
        &["setup", "jepps"],
        &["tune", "--list"],
        &["--help"],
        &["uci", "go depth 4"],
    ] {
        let mut child = Command::new(BINARY)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if began.elapsed() > PATIENCE {
                let _ = child.kill();
                panic!("{arguments:?} does not end although the reader has exited");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(errors.is_empty(), "{arguments:?}: {errors}");
    }
}

/// If standard output is a full disk, each command must report a single error, and its output files must be
/// complete.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_error() {
    let folder = folder("cli/full");
    printed("datagen --out games --games 50 --nodes 20 --seed 1 --variant chess", &folder);
    let games = format!(
        "match --engine a={BINARY} --engine b={BINARY} --nodes 50 --games 2 --max-plies 6 --json m"
    );
    for words in [
        "go depth 4",
        "go depth 4 --json",
        "go infinite",
        "go infinite --json",
        "bench 9",
        "perft 2",
        "start",
        "start --all",
        "start --variant jepps --random --setup",
        "setup jepps",
        "datagen --out more --games 2 --nodes 20 --variant chess",
        "data stats games",
        "data verify games",
        "data merge games --out merged",
        "data shuffle games --out shuffled",
        "data view games --game 0",
        "book openings --variant chess --count 1 --plies 2 --nodes 100",
        "tune --list",
        "--help",
        "go --help",
        "--version",
        &games,
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = aleator(words, &folder).stdout(full).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            errors.starts_with("aleator: cannot write the result: No space"),
            "{words}: {errors}"
        );
        assert_eq!(errors.lines().count(), 1, "{words}: {errors}");
        assert_eq!(output.status.code(), Some(1), "{words}");
    }
    for (file, word) in [("m", "\"games\":2"), ("more/games.bin", "")] {
        let text = fs::read(folder.join(file)).unwrap();
        assert!(String::from_utf8_lossy(&text).contains(word), "{file}");
    }
    // The exit status must be 1 even if the error message cannot be written.
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let status = aleator("go fast", &folder).stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

/// The first Ctrl-C must end the search and print the result, as text or JSON.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_with_its_best_move() {
    use nix::sys::signal::{Signal, kill};
    for (words, deep, last) in [
        ("go infinite", " 4/", "best move "),
        ("go infinite --json", "\"depth\":4", "{\"bestmove\":\""),
        ("go infinite --variant placement", " ", "best move "),
    ] {
        let mut child = aleator(words, Path::new(".")).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.by_ref().any(|line| line.contains(deep)), "{words}");
        kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        let rest: Vec<String> = lines.collect();
        assert!(rest.iter().any(|line| line.starts_with(last)), "{words}: {rest:#?}");
        assert!(child.wait().unwrap().success(), "{words}");
    }
}
