//! Tests of infinite and ponder searches, and of commands during a search.

use crate::harness::Engine;

const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
const MATED: &str = "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// Starts an engine in debug mode, so that the engine reports a `stop` or `ponderhit` that comes too late.
fn debugging(lines: &[&str]) -> Engine {
    let mut engine = Engine::with(lines);
    engine.tell("debug on");
    engine
}

/// A position with only two kings. Every line is a draw, so the search reaches the maximum depth immediately.
const BARE: &str = "position fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1";

#[test]
fn infinite_ignores_all_limits() {
    let mut engine = debugging(&["position startpos"]);
    for go in [
        "go infinite",
        "go",
        "go infinite depth 2",
        "go nodes 100 infinite",
        "go infinite movetime 10",
        "go infinite wtime 20 btime 20",
        "go infinite mate 1 nodes 3000",
    ] {
        engine.send(go);
        engine.assert_no_best_move(go);
        engine.send("stop");
        engine.lines_until(|line| line.starts_with("bestmove"));
        assert_eq!(engine.sync(), [""; 0], "{go}");
    }
    engine.quit();
}

#[test]
fn an_infinite_search_with_nothing_left_to_search_is_answered() {
    for threads in ["1", "8"] {
        let mut engine = debugging(&[&format!("setoption name Threads value {threads}")]);
        for (position, best) in [(MATED, false), (STALEMATE, false), (BARE, true)] {
            engine.tell(position);
            for go in ["go", "go infinite", "go infinite depth 3", "go searchmoves e2e4"] {
                let search = engine.go(go);
                assert_eq!(search.best != "(none)", best, "{go}");
                assert_eq!(engine.sync(), [""; 0], "{go}");
            }
        }
        // Without a legal move, even an infinite search ends by itself, so the commands after it wait.
        engine.send_bytes(format!("{MATED}\ngo infinite\nposition startpos\n").as_bytes());
        assert_eq!(engine.best_move().best, "(none)");
        assert_ne!(engine.go("go depth 2").best, "(none)");
        engine.quit();
    }
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    let mut engine = debugging(&[]);
    for (position, go) in [
        ("position startpos", "go ponder wtime 50 btime 50"),
        ("position startpos", "go ponder depth 2"),
        ("position startpos", "go nodes 100 ponder"),
        ("position startpos", "go ponder movetime 10"),
        (MATE_IN_ONE, "go ponder mate 1"),
        (MATED, "go ponder wtime 50 btime 50"),
    ] {
        for end in ["ponderhit", "stop"] {
            engine.tell(position);
            engine.send(go);
            engine.assert_no_best_move(go);
            engine.send(end);
            engine.lines_until(|line| line.starts_with("bestmove"));
            assert_eq!(engine.sync(), [""; 0], "{go}");
        }
    }
}

#[test]
fn a_weak_player_waits_too() {
    let mut engine = debugging(&["setoption name UCI_LimitStrength value true"]);
    engine.tell("setoption name UCI_Elo value 800");
    for go in ["go infinite", "go ponder wtime 100 btime 100"] {
        engine.send(go);
        engine.assert_no_best_move(go);
        engine.send("stop");
        engine.best_move();
        assert_eq!(engine.sync(), [""; 0], "{go}");
    }
}

#[test]
fn several_threads_wait_too() {
    let mut engine = debugging(&["setoption name Threads value 3"]);
    for go in ["go infinite depth 1", "go infinite nodes 50", "go ponder depth 3"] {
        engine.send(go);
        engine.assert_no_best_move(go);
        engine.send("stop");
        engine.best_move();
        assert_eq!(engine.sync(), [""; 0], "{go}");
    }
}

#[test]
fn the_clock_runs_after_ponderhit() {
    let mut engine = Engine::start();
    engine.send("go ponder wtime 2000 btime 2000");
    engine.wait_for_depth(4);
    engine.send("ponderhit");
    assert_ne!(engine.best_move().best, "(none)");
    // If a ponder search is also infinite, it waits for `stop` even after `ponderhit`.
    engine.send("go ponder infinite");
    engine.send("ponderhit");
    engine.assert_no_best_move("go ponder infinite");
    engine.send("stop");
    engine.best_move();
}

#[test]
fn an_immediate_stop_gives_a_move() {
    let mut engine = Engine::start();
    for threads in ["1", "4"] {
        engine.tell(&format!("setoption name Threads value {threads}"));
        for _ in 0..20 {
            engine.send_bytes(b"go infinite\nstop\n");
            let search = engine.best_move();
            assert_eq!(search.last().pv[0], search.best, "{search:#?}");
        }
    }
}

#[test]
fn commands_that_need_the_engine_are_rejected_during_a_search() {
    let mut engine = Engine::start();
    engine.tell("position startpos moves e2e4");
    let before = engine.ask("d");
    engine.send("go infinite");
    engine.wait_for_depth(2);
    for (command, name) in [
        ("go depth 3", "search"),
        ("go perft 2", "search"),
        ("go", "search"),
        ("position startpos", "position"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "position"),
        ("setoption name Hash value 32", "option"),
        ("setoption name MultiPV value 3", "option"),
        ("setoption name UCI_Variant value chess960", "option"),
        ("setoption name Clear Hash", "option"),
        ("ucinewgame", "new game"),
        ("bench 1", "bench"),
        ("flip", "flip"),
        ("d", "display"),
        ("eval", "evaluation"),
    ] {
        let lines = engine.ask(command);
        let remarks: Vec<&String> =
            lines.iter().filter(|line| line.starts_with("info string ")).collect();
        assert!(
            remarks.len() == 1
                && remarks[0].contains("a search is running")
                && remarks[0].starts_with(&format!("info string {name}: ")),
            "{command}: {remarks:?}"
        );
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{command}: {lines:?}");
    }
    // Commands that do not need the engine are answered.
    for command in ["uci", "compiler", "help"] {
        assert!(engine.ask(command).iter().any(|line| !line.starts_with("info ")), "{command}");
    }
    // The search continues until it is stopped.
    engine.wait_for_depth(5);
    engine.send("stop");
    let search = engine.best_move();
    assert!(search.infos.iter().all(|info| info.multipv == Some(1)));
    // The `position` command during the search was rejected, so nothing is searched until the next position.
    assert_eq!(engine.go("go depth 2").best, "(none)");
    engine.tell("position startpos moves e2e4");
    assert_eq!(engine.ask("d"), before);
}

#[test]
fn perft_and_bench_can_be_stopped() {
    let mut engine = Engine::start();
    for command in ["go perft 13", "bench 200"] {
        engine.send(command);
        engine.sync();
        engine.send("stop");
        engine.lines_until(|line| line.starts_with("info string") && line.contains("stopped"));
        assert_eq!(engine.go("go depth 2").last().depth, 2, "after {command}");
    }
}
