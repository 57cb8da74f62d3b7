//! Tests of the handshake, of line endings, of the end of the input, and of `debug`.

use std::time::{Duration, Instant};

use crate::harness::Engine;

#[test]
fn uci_names_the_engine_and_ends_with_uciok() {
    let mut engine = Engine::with(&["uci"]);
    let lines = engine.lines_until(|line| line == "uciok");
    assert!(lines[0].starts_with("id name Aleator "), "{lines:#?}");
    assert!(lines[1].starts_with("id author "), "{lines:#?}");
    let rest = lines[2..lines.len() - 1].iter().filter(|line| !line.is_empty());
    for line in rest {
        assert!(line.starts_with("option name "), "{line}");
        assert!(line.contains(" type "), "{line}");
    }
    assert_eq!(engine.sync(), [""; 0]);
    assert_eq!(engine.quit(), [""; 0]);
}

#[test]
fn there_is_no_unsolicited_output() {
    let mut engine = Engine::start();
    assert_eq!(engine.sync(), [""; 0]);
    assert_eq!(engine.ask("ucinewgame"), [""; 0]);
    assert_eq!(engine.ask(""), [""; 0]);
}

#[test]
fn lines_may_end_with_crlf_and_contain_extra_blanks() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\r\n");
    engine.lines_until(|line| line == "uciok");
    engine.send_bytes(b"\r\n \t position \t startpos  moves\te2e4 \r\n\tisready\r\n");
    assert_eq!(engine.lines_until(|line| line == "readyok").len(), 1);
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
    engine.send_bytes(b"go depth 2\r\n");
    assert_eq!(engine.best_move().last().depth, 2);
    engine.send_bytes(b"quit\r\n");
    engine.end_input();
}

#[test]
fn end_of_input_ends_the_program() {
    assert_eq!(Engine::start().end_input(), [""; 0]);
    // A last line without a line ending is still executed.
    let mut engine = Engine::start();
    engine.send_bytes(b"isready");
    assert_eq!(engine.end_input(), ["readyok"]);
}

#[test]
fn end_of_input_and_quit_end_a_search() {
    for command in ["go infinite", "go ponder wtime 1000", "go"] {
        for quit in [false, true] {
            let mut engine = Engine::with(&[command]);
            engine.sync();
            let lines = if quit { engine.quit() } else { engine.end_input() };
            let moves = lines.iter().filter(|line| line.starts_with("bestmove")).count();
            assert_eq!(moves, 1, "{command}: {lines:?}");
        }
    }
}

#[test]
fn isready_is_answered_while_the_search_continues() {
    let mut engine = Engine::with(&["setoption name Threads value 2", "go infinite"]);
    engine.wait_for_depth(3);
    for _ in 0..3 {
        let lines = engine.sync();
        assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:#?}");
    }
    let depth =
        crate::harness::info::Info::parse(&engine.line()).expect("a line of analysis").depth;
    engine.wait_for_depth(depth + 1);
    engine.send("stop");
    assert_ne!(engine.best_move().best, "(none)");
}

#[test]
fn stop_without_a_search_is_mentioned_in_debug_mode_only() {
    let mut engine = Engine::start();
    for command in ["stop", "ponderhit"] {
        engine.tell(command);
        engine.tell("debug on");
        assert!(engine.refusal(command).contains("no search is running"));
        engine.tell("debug off");
        engine.tell(command);
    }
    assert!(engine.refusal("debug").contains("debug on"));
    assert!(engine.refusal("debug perhaps").contains("'perhaps'"));
}

/// A release build on an idle machine should start within 50 ms and stop within 20 ms. This test only
/// requires that the best of several attempts is not slow.
#[test]
fn start_and_stop_are_prompt() {
    let starts = (0..5).map(|_| {
        let began = Instant::now();
        Engine::with(&["uci"]).lines_until(|line| line == "uciok");
        began.elapsed()
    });
    let start = starts.min().unwrap_or_default();
    assert!(start < Duration::from_millis(500), "uciok after {start:?}");

    let mut engine =
        Engine::with(&["setoption name Threads value 4", "setoption name Hash value 256"]);
    let stops = (0..5).map(|_| {
        engine.send("go infinite");
        engine.wait_for_depth(6);
        let began = Instant::now();
        engine.send("stop");
        engine.best_move();
        began.elapsed()
    });
    let stop = stops.min().unwrap_or_default();
    assert!(stop < Duration::from_millis(200), "bestmove {stop:?} after stop");
}
