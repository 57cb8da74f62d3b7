//! Tests of the usual extra commands: `go perft`, `d`, `eval`, `flip`, `bench`, `compiler`, `help`.

use crate::harness::{Engine, has_10x10};

/// Runs `go perft`. Returns the number of leaves of each move, and the total from the last line.
fn perft(engine: &mut Engine, depth: u32) -> (Vec<(String, u64)>, u64) {
    engine.send(&format!("go perft {depth}"));
    let lines = engine.lines_until(|line| line.starts_with("Nodes searched: "));
    let (last, lines) = lines.split_last().unwrap();
    let total = last.strip_prefix("Nodes searched: ").unwrap().parse().unwrap();
    let counts = lines.iter().filter(|line| !line.is_empty()).map(|line| {
        let (mv, count) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        (mv.to_owned(), count.parse().unwrap_or_else(|_| panic!("{line}")))
    });
    let counts = counts.collect();
    assert!(engine.sync().iter().all(|line| line.is_empty()), "nothing after the total");
    (counts, total)
}

#[test]
fn perft_lists_moves_and_then_the_total() {
    let mut engine = Engine::start();
    for (depth, total) in [(1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
        let (counts, sum) = perft(&mut engine, depth);
        assert_eq!((counts.len(), sum), (20, total));
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), total);
    }
    // At depth 0 no move is made, so no move is listed.
    assert_eq!(perft(&mut engine, 0), (vec![], 1));
    engine.tell("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert_eq!(perft(&mut engine, 3), (vec![], 0));
    engine.quit();
}

#[test]
fn a_perft_too_deep_to_finish_is_rejected() {
    let mut engine = Engine::start();
    for depth in ["1000000", "4294967295", "99999999999999999999"] {
        let remark = engine.refusal(&format!("go perft {depth}"));
        assert!(remark.contains("perft"), "{remark}");
    }
    assert_eq!(perft(&mut engine, 1).1, 20);
}

/// Checks every position of a suite at the largest depth that has at most 100,000 leaves.
fn suite(file: &str, variant: &str) {
    let path = format!("{}/engine-tests/data/perft/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut engine = Engine::with(&["setoption name UCI_Chess960 value true"]);
    engine.tell(&format!("setoption name UCI_Variant value {variant}"));
    let mut positions = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (fen, counts) = line.split_once(';').unwrap();
        let counts = counts.split(';').map(|count| {
            let (depth, leaves) = count.trim().trim_start_matches('D').split_once(' ').unwrap();
            (depth.parse::<u32>().unwrap(), leaves.trim().parse::<u64>().unwrap())
        });
        let mut affordable = counts.filter(|&(_, leaves)| leaves <= 100_000);
        let Some((depth, leaves)) = affordable.next_back() else { continue };
        engine.tell(&format!("position fen {}", fen.trim()));
        assert_eq!(perft(&mut engine, depth).1, leaves, "{fen} at depth {depth}");
        positions += 1;
    }
    assert!(positions >= 20, "{file}: only {positions} positions");
}

#[test]
fn perft_suite_of_chess960() {
    suite("frc.epd", "chess960");
}

#[test]
fn perft_suite_of_jepps() {
    suite("jepps.epd", "jepps");
}

#[test]
fn perft_suite_of_transcendental() {
    suite("transcendental.epd", "transcendental");
}

#[test]
fn perft_suite_of_ifrc() {
    if has_10x10() {
        suite("ifrc.epd", "ifrc");
    }
}

#[test]
fn d_shows_board_fen_key_and_checkers() {
    let mut engine = Engine::start();
    let start = engine.ask("d");
    let find = |lines: &[String], start: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(start));
        line.unwrap_or_else(|| panic!("no '{start}' in {lines:#?}")).trim().to_owned()
    };
    assert!(start.iter().any(|line| line.contains("| r | n | b | q | k | b | n | r |")));
    assert_eq!(find(&start, "Fen: "), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(find(&start, "Checkers:"), "");
    let key = find(&start, "Key: ");
    assert!(key.len() == 16 && key.chars().all(|c| c.is_ascii_hexdigit()), "{key}");
    engine.tell("position startpos moves g1f3 g8f6 f3g1 f6g8");
    assert_eq!(find(&engine.ask("d"), "Key: "), key, "the same position again");
    engine.tell("position startpos moves e2e4");
    assert_ne!(find(&engine.ask("d"), "Key: "), key);
    engine.tell("position startpos moves f2f3 e7e5 g2g4 d8h4");
    assert_eq!(find(&engine.ask("d"), "Checkers:"), "h4");
    engine.tell("position fen 4k3/8/8/8/8/3n4/8/r3K3 w - - 0 1");
    let checkers = find(&engine.ask("d"), "Checkers:");
    assert!(checkers.contains("a1") && checkers.contains("d3"), "{checkers}");
}

#[test]
fn eval_explains_the_evaluation() {
    let mut engine = Engine::start();
    assert!(engine.ask("eval").len() > 1);
    engine.tell("position fen 4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
    assert!(engine.ask("eval").join(" ").contains("check"));
}

#[test]
fn flip_swaps_the_colours() {
    let mut engine = Engine::start();
    engine.tell("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQ - 3 7");
    let before = engine.fen();
    engine.tell("flip");
    assert_eq!(engine.fen(), "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b kq - 3 7");
    engine.tell("flip");
    assert_eq!(engine.fen(), before);
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let mut engine = Engine::start();
    engine.bench(2);
    assert!(engine.refusal("bench deep").contains("'deep'"));
    assert_eq!(engine.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn compiler_and_help_are_complete() {
    let mut engine = Engine::start();
    assert!(engine.ask("compiler").join(" ").contains("rustc"));
    let help = engine.ask("help").join("\n");
    for command in [
        "uci",
        "isready",
        "ucinewgame",
        "setoption",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
        "debug",
        "d",
        "eval",
        "bench",
        "flip",
        "compiler",
        "help",
    ] {
        assert!(help.lines().any(|line| line.split(' ').next() == Some(command)), "{command}");
    }
}
