//! Tests of `go` with all combinations of limits. The engine must obey the limits exactly.

use std::time::{Duration, Instant};

use crate::harness::Engine;
use crate::harness::info::Score;

const KIWIPETE: &str =
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

#[test]
fn depth_is_exact_and_every_iteration_is_reported() {
    for position in ["position startpos", KIWIPETE] {
        let mut engine = Engine::with(&[position]);
        for depth in [1, 2, 3, 7, 4] {
            let search = engine.go(&format!("go depth {depth}"));
            let mut depths: Vec<u32> = search.infos.iter().map(|info| info.depth).collect();
            depths.dedup();
            assert_eq!(depths, (1..=depth).collect::<Vec<_>>(), "{search:#?}");
        }
    }
}

#[test]
fn nodes_are_exact_with_one_thread() {
    for position in ["position startpos", KIWIPETE] {
        let mut engine = Engine::with(&[position]);
        for nodes in [500, 1_000, 12_345, 54_321] {
            let search = engine.go(&format!("go nodes {nodes}"));
            assert_eq!(search.nodes(), nodes, "{search:#?}");
        }
    }
}

#[test]
fn tiny_limits_still_give_a_move_and_a_line() {
    let mut engine = Engine::start();
    let search = engine.go("go depth 0");
    assert_eq!((search.last().depth, &search.last().pv[0]), (1, &search.best));
    // This position has a huge number of captures, so even the first iteration takes long.
    let queens = "position fen qqqqkqqq/qqqq1qqq/8/8/8/8/QQQQ1QQQ/QQQQKQQQ w - - 0 1";
    for position in ["position startpos", KIWIPETE, queens] {
        engine.tell(position);
        for go in [
            "go nodes 0",
            "go nodes 1",
            "go movetime 0",
            "go movetime 1",
            "go wtime 1 btime 1",
            "go wtime 0 btime 0",
            "go wtime -500 btime -500",
        ] {
            let search = engine.go(go);
            assert_ne!(search.best, "(none)", "{go}");
            assert_eq!(search.last().pv[0], search.best, "{go}");
            assert!(search.nodes() < 100_000, "{go}: {search:#?}");
        }
    }
}

#[test]
fn huge_numbers_mean_no_limit() {
    let huge = "99999999999999999999999999";
    let mut engine = Engine::start();
    for word in ["depth", "nodes", "movetime", "wtime", "btime", "mate", "winc"] {
        engine.send(&format!("go {word} {huge}"));
        engine.stop_at_depth(4);
    }
    let all = ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate"];
    engine.send(&format!("go {}", all.map(|word| format!("{word} {huge}")).join(" ")));
    engine.stop_at_depth(4);
    engine.quit();
}

#[test]
fn a_search_with_invalid_parameters_ends_soon() {
    let mut engine = Engine::start();
    for (go, hint) in [
        ("go depth", "'depth' needs"),
        ("go depth x", "found 'x'"),
        ("go depth -1", "at least 0"),
        ("go nodes 1e6", "'1e6'"),
        ("go wtime", "'wtime' needs"),
        ("go searchmoves", "searchmoves"),
        ("go deepth 5", "'deepth'"),
        ("go perft", "'perft' needs"),
        ("go mate x", "found 'x'"),
        ("go mate 0", "at least 1"),
        ("go movetime infinite", "'movetime' needs"),
        ("go infinite depth", "'depth' needs"),
    ] {
        let search = engine.go(go);
        assert!(search.remarks[0].contains(hint) && search.best != "(none)", "{go}: {search:#?}");
    }
    let search = engine.go("go depth 2 quickly");
    assert_eq!(search.last().depth, 2);
    assert!(search.remarks[0].contains("quickly"), "{search:#?}");
}

#[test]
fn every_combination_of_limits_ends() {
    let parts = [
        "depth 3",
        "wtime 14",
        "btime 14",
        "winc 1",
        "binc 1",
        "movestogo 3",
        "nodes 400",
        "movetime 3",
        "mate 1",
        "searchmoves a1a8 g1f1",
    ];
    let mut engine = Engine::with(&[MATE_IN_ONE]);
    for set in 1_usize..1 << parts.len() {
        let chosen: Vec<&str> =
            (0..parts.len()).filter(|bit| set >> bit & 1 == 1).map(|bit| parts[bit]).collect();
        let ends = chosen.iter().any(|part| {
            ["depth", "wtime", "btime", "nodes", "movetime", "mate"]
                .iter()
                .any(|word| part.starts_with(word))
        });
        let go = format!("go {}", chosen.join(" "));
        engine.send(&go);
        let search = if ends { engine.best_move() } else { engine.stop_at_depth(2) };
        assert!(search.remarks.is_empty(), "{go}: {search:#?}");
        assert_eq!(search.last().pv[0], search.best, "{go}");
        if chosen.contains(&"depth 3") {
            assert!(search.last().depth <= 3, "{go}: {search:#?}");
        }
        if chosen.contains(&"nodes 400") {
            assert!(search.nodes() <= 400, "{go}: {search:#?}");
        }
    }
    engine.quit();
}

#[test]
fn limits_apply_to_one_search_only() {
    let mut engine = Engine::with(&[KIWIPETE]);
    for first in ["depth 1", "nodes 100", "movetime 5", "mate 1 nodes 50", "wtime 5 btime 5"] {
        engine.go(&format!("go {first}"));
        assert_eq!(engine.go("go depth 6").last().depth, 6, "after {first}");
    }
    engine.go("go depth 2 searchmoves a2a3");
    assert_ne!(engine.go("go depth 4").best, "a2a3");
    engine.send("go perft 1");
    engine.lines_until(|line| line == "Nodes searched: 48");
    engine.sync();
    assert_eq!(engine.go("go depth 6").last().depth, 6, "after perft");
}

#[test]
fn searchmoves_are_the_only_moves() {
    let mut engine = Engine::with(&[KIWIPETE, "setoption name MultiPV value 5"]);
    let wanted = ["a2a3", "e1g1", "g2h3"];
    let search = engine.go("go searchmoves a2a3 e1g1 g2h3 a2a3 depth 6");
    let mut firsts: Vec<&str> = search.last_lines().iter().map(|info| &*info.pv[0]).collect();
    firsts.sort_unstable();
    assert_eq!(firsts, wanted);
    for info in &search.infos {
        assert!(wanted.contains(&&*info.pv[0]), "{info:?}");
    }
    assert!(wanted.contains(&&*search.best));
    // Castling may be written in either UCI notation or in SAN.
    for text in ["e1g1", "e1h1", "O-O", "0-0", "O-O?!"] {
        assert_eq!(engine.go(&format!("go depth 2 searchmoves {text}")).best, "e1g1");
    }
}

#[test]
fn searchmoves_may_be_san() {
    let mut engine = Engine::with(&[KIWIPETE]);
    for (san, uci) in [("Nxf7", "e5f7"), ("Qxf6", "f3f6"), ("dxe6", "d5e6"), ("a4", "a2a4")] {
        let search = engine.go(&format!("go depth 2 searchmoves {san}"));
        assert_eq!((&*search.best, search.remarks.len()), (uci, 0), "{san}");
    }
}

#[test]
fn invalid_searchmoves_are_named_and_skipped() {
    let mut engine = Engine::start();
    for wrong in ["e2e5", "e7e5", "xyzzy", "Qd4"] {
        for moves in [format!("{wrong} e2e4"), format!("e2e4 {wrong}")] {
            let search = engine.go(&format!("go depth 4 searchmoves {moves}"));
            assert_eq!((&*search.best, search.last().depth), ("e2e4", 4), "{moves}");
            assert_eq!(search.remarks.len(), 1, "{search:#?}");
            assert!(search.remarks[0].contains(&format!("'{wrong}'")), "{search:#?}");
        }
    }
    // If no move of `searchmoves` is valid, all moves are searched.
    engine.tell("ucinewgame");
    let all = engine.go("go depth 4");
    engine.tell("ucinewgame");
    let search = engine.go("go depth 4 searchmoves e2e5 e7e5");
    assert_eq!((search.remarks.len(), search.best), (2, all.best));
}

#[test]
fn mate_ends_when_the_mate_is_found() {
    let mut engine = Engine::with(&[MATE_IN_ONE]);
    let search = engine.go("go mate 1");
    assert_eq!((search.last().score, &*search.best), (Score::Mate(1), "a1a8"));
    // This position is a mate in two with two rooks.
    engine.tell("position fen 6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    for moves in [2, 5] {
        let search = engine.go(&format!("go mate {moves}"));
        assert!(matches!(search.last().score, Score::Mate(1..=5)), "{search:#?}");
    }
    // The side to move is mated soon. This ends `go mate` too.
    engine.tell("position fen 6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1 moves a2a7");
    let search = engine.go("go mate 3");
    assert!(matches!(search.last().score, Score::Mate(-3..=-1)), "{search:#?}");
}

#[test]
fn one_clock_is_enough() {
    let mut engine = Engine::start();
    for moves in ["", " moves e2e4"] {
        engine.tell(&format!("position startpos{moves}"));
        for go in ["wtime 200", "btime 200", "wtime 200 binc 5", "btime 200 winc 5 movestogo 4"] {
            let search = engine.go(&format!("go {go}"));
            assert!(search.last().time.unwrap() < 2_000, "{go}: {search:#?}");
        }
    }
}

#[test]
fn movetime_is_used_up() {
    let mut engine = Engine::with(&[KIWIPETE, "setoption name Move Overhead value 10"]);
    engine.sync();
    let began = Instant::now();
    let search = engine.go("go movetime 400");
    // The test has no upper bound, because the machine may be busy. The tests of `search::time` check the
    // upper bound.
    assert!(began.elapsed() >= Duration::from_millis(390), "{:?}: {search:#?}", began.elapsed());
}

#[test]
fn a_forced_move_takes_hardly_any_time() {
    let mut engine = Engine::with(&["position fen 6k1/8/8/8/8/8/6q1/7K w - - 0 1"]);
    assert_eq!(engine.go("go depth 5").last().depth, 5, "a depth limit is still searched");
    engine.tell("position fen kr6/8/8/8/8/8/7q/7K w - - 0 1");
    let search = engine.go("go wtime 600000 btime 600000");
    assert_eq!(search.best, "h1h2");
    assert!(search.last().time.unwrap() < 5_000, "{search:#?}");
}
