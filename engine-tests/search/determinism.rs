//! Tests that a search with one thread depends only on the position, the limits and the hash size: not on the
//! run, the process, or the searches before `ucinewgame`.

use std::process::Command;

use crate::harness::info::Search;
use crate::harness::{Engine, has_10x10};

const POSITIONS: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/8/1p1k2p1/p1p2p1p/P1P2P1P/1P1K2P1/8/8 w - - 0 50",
];

const LARGE_POSITIONS: &[&str] = &[
    "position startpos",
    "position fen 5bn3/2r2k1r2/2n1p2p2/3p1p1qp1/1pp1b1P3/1B2P3P1/1P1P1BQ2N/2P2PP3/2R2K1R2/5N4 w KQkq - 1 20",
];

/// Returns the parts of the output of a search that do not depend on time.
fn essence(search: &Search) -> Vec<String> {
    let lines = search.infos.iter().map(|info| {
        let (seldepth, full) = (info.seldepth, info.hashfull);
        format!(
            "{} {seldepth:?} {:?} {:?} {full:?} {:?}",
            info.depth, info.score, info.nodes, info.pv
        )
    });
    lines.chain([format!("{} {:?}", search.best, search.ponder)]).collect()
}

/// Runs searches of several positions, without `ucinewgame` between them.
fn game(engine: &mut Engine, positions: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for position in positions {
        engine.tell(position);
        for go in ["go depth 7", "go nodes 7777", "go depth 8"] {
            found.push(essence(&engine.go(go)));
        }
    }
    found
}

/// Runs searches of every kind to fill all tables. Stops some of the searches early.
fn disturb(engine: &mut Engine) {
    engine.tell("position startpos moves d2d4 d7d5");
    engine.go("go movetime 30");
    engine.tell("setoption name MultiPV value 3");
    engine.go("go nodes 5000 searchmoves c2c4 g1f3 b1c3");
    engine.tell("setoption name MultiPV value 1");
    engine.send("go infinite");
    engine.stop_at_depth(5);
    engine.send("go ponder wtime 1000 btime 1000");
    engine.stop_at_depth(3);
    engine.send("go perft 3");
    engine.lines_until(|line| line.starts_with("Nodes searched"));
    engine.sync();
    engine.send("bench 1");
    engine.lines_until(|line| line.ends_with(" nps") && !line.contains(':'));
    engine.tell("setoption name Threads value 2");
    engine.go("go nodes 20000");
    engine.tell("setoption name Threads value 1");
}

#[test]
fn deterministic_after_ucinewgame() {
    for hash in [1, 16] {
        let mut engine = Engine::start();
        engine.tell(&format!("setoption name Hash value {hash}"));
        let first = game(&mut engine, POSITIONS);
        for _ in 0..3 {
            disturb(&mut engine);
            engine.tell("ucinewgame");
            assert_eq!(game(&mut engine, POSITIONS), first, "hash {hash}");
        }
    }
}

#[test]
fn deterministic_across_processes() {
    let first = game(&mut Engine::start(), POSITIONS);
    assert_eq!(game(&mut Engine::start(), POSITIONS), first);
}

#[test]
fn deterministic_on_10x10() {
    if !has_10x10() {
        return;
    }
    let mut engine = Engine::with(&["setoption name UCI_Variant value ifrc"]);
    let first = game(&mut engine, LARGE_POSITIONS);
    engine.tell("ucinewgame");
    assert_eq!(game(&mut engine, LARGE_POSITIONS), first);
    // Searches on the 8x8 board must not change the result on the 10x10 board.
    engine.tell("setoption name UCI_Variant value chess");
    disturb(&mut engine);
    engine.tell("setoption name UCI_Variant value ifrc");
    assert_eq!(game(&mut engine, LARGE_POSITIONS), first);
}

/// Returns the lines of a bench without the speeds.
fn signature(lines: &[String]) -> Vec<String> {
    lines
        .iter()
        .map(|line| line.split(" nps").next().unwrap_or(line))
        .map(|line| {
            let (head, _) = line.rsplit_once(" nodes ").unwrap_or((line, ""));
            if line.contains('/') { line.to_owned() } else { head.to_owned() }
        })
        .collect()
}

#[test]
fn bench_signature_is_deterministic() {
    let bench = || {
        let output = Command::new(crate::harness::BINARY).args(["bench", "5"]).output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        signature(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let first = bench();
    assert!(first.last().unwrap().parse::<u64>().is_ok_and(|nodes| nodes > 1_000), "{first:#?}");
    assert_eq!(bench(), first);
    // A bench in the UCI loop must have the same result, whatever the engine did before.
    let mut engine = Engine::with(&["setoption name Hash value 3"]);
    disturb(&mut engine);
    engine.send("bench 5");
    let lines = engine.lines_until(|line| line.ends_with(" nps") && !line.contains(':'));
    assert_eq!(signature(&lines), first);
}
