//! Tests which commands wait and which act immediately, and how a session ends.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::info::Search;
use crate::harness::{BINARY, Engine, PATIENCE, pick};
use aleator::random::Rng;

const AFTER_E4: &str = "position startpos moves e2e4";

/// Returns the searches in the output of the engine that ended with `bestmove`.
fn searches(lines: &[String]) -> Vec<Search> {
    let is_output = |line: &&String| line.starts_with("info ") || line.starts_with("bestmove");
    let lines: Vec<String> = lines.iter().filter(is_output).cloned().collect();
    let searches = lines.split_inclusive(|line| line.starts_with("bestmove"));
    let whole = searches.filter(|lines| lines.iter().any(|line| line.starts_with("bestmove")));
    whole.map(|lines| Search::new(lines.to_vec())).collect()
}

/// Sends all lines in one write, then closes the input. Returns the whole output.
fn script(text: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_bytes(text.as_bytes());
    engine.end_input()
}

fn is_black(mv: &str) -> bool {
    mv.contains('7') || mv.contains('8')
}

#[test]
fn a_script_is_executed_in_order() {
    for end in ["quit\n", ""] {
        let lines =
            script(&format!("position startpos\ngo depth 8\n{AFTER_E4}\ngo depth 8\n{end}"));
        let searches = searches(&lines);
        assert_eq!(searches.len(), 2, "{lines:#?}");
        for search in &searches {
            assert_eq!(search.last().depth, 8, "{search:#?}");
            assert_eq!(search.last().pv[0], search.best);
        }
        assert!(!is_black(&searches[0].best) && is_black(&searches[1].best), "{lines:#?}");
    }
}

#[test]
fn end_of_input_lets_finite_work_finish() {
    assert_eq!(searches(&script("go depth 7\n"))[0].last().depth, 7);
    for end in ["", "quit\n"] {
        let perft = script(&format!("go perft 4\n{end}"));
        assert!(perft.iter().any(|line| line == "Nodes searched: 197281"), "{perft:?}");
        let bench = script(&format!("bench 1\n{end}"));
        assert!(bench.last().is_some_and(|line| line.ends_with(" nps")), "{bench:?}");
    }
    // `quit` ends a search, a deep perft and a long bench.
    let lines = script("go depth 200\nquit\n");
    assert_eq!(searches(&lines).len(), 1, "{lines:?}");
    for long in ["go perft 13", "bench 200", "bench 16 1 3600000 default movetime"] {
        let lines = script(&format!("{long}\nquit\n"));
        assert!(lines.iter().any(|line| line.contains("was stopped")), "{long}: {lines:?}");
    }
}

#[test]
fn commands_right_after_stop_are_executed() {
    let mut engine = Engine::start();
    for go in ["go infinite", "go depth 200", "go ponder wtime 1000 btime 1000"] {
        let text = format!("position startpos\n{go}\nstop\n{AFTER_E4}\ngo movetime 50\n");
        engine.send_bytes(text.as_bytes());
        assert!(!is_black(&engine.best_move().best), "{go}");
        assert!(is_black(&engine.best_move().best), "{go}");
        assert_eq!(engine.sync(), [""; 0], "{go}");
    }
    // Each `stop` must stop every search before it.
    engine.send_bytes(b"go infinite\nstop\ngo infinite\nstop\n");
    engine.best_move();
    engine.best_move();
}

#[test]
fn isready_waits_only_for_queued_commands() {
    let mut engine = Engine::start();
    engine.send("go depth 200");
    assert!(engine.sync().iter().all(|line| line.starts_with("info ")), "no command waits");
    engine.send_bytes(b"position startpos moves e2e4\nisready\nstop\n");
    assert!(!is_black(&engine.best_move().best));
    assert_eq!(engine.line(), "readyok");
    assert!(is_black(&engine.go("go depth 1").best));
}

#[test]
fn commands_wait_for_a_search_with_limits() {
    let mut engine = Engine::start();
    for (command, answer) in [
        ("d", "Fen: "),
        ("eval", "there is no static evaluation while the side to move is in check"),
        ("uci", "id name "),
        ("help", "uci"),
        ("compiler", "Aleator "),
        ("xyzzy", "info string unknown command"),
        ("setoption name Hash value 0", "info string option 'Hash'"),
    ] {
        engine.tell("position startpos");
        let check = "position startpos moves e2e4 e7e5 f2f4 d8h4";
        engine.send_bytes(format!("go depth 9\n{check}\n{command}\nisready\n").as_bytes());
        let lines = engine.lines_until(|line| line == "readyok");
        let best = lines.iter().position(|line| line.starts_with("bestmove"));
        let (search, rest) = lines.split_at(best.expect("the search ends first") + 1);
        assert_eq!(Search::new(search.to_vec()).last().depth, 9, "{command}");
        assert!(rest.iter().any(|line| line.starts_with(answer)), "{command}: {lines:#?}");
    }
}

#[test]
fn after_ponderhit_commands_wait() {
    let mut engine = Engine::start();
    engine.send("go ponder wtime 100 btime 100");
    assert!(engine.ask(AFTER_E4).iter().any(|line| line.contains("send 'stop' first")));
    engine.send_bytes(format!("ponderhit\n{AFTER_E4}\ngo depth 2\n").as_bytes());
    assert!(!is_black(&engine.best_move().best));
    assert!(is_black(&engine.best_move().best));
    // `ponderhit` must also reach a search that is still waiting.
    engine.send_bytes(b"go depth 3\ngo ponder depth 3\nponderhit\n");
    engine.best_move();
    engine.best_move();
}

#[test]
fn command_line_arguments_obey_the_same_rules() {
    let run = |arguments: &[&str]| -> Vec<String> {
        let output = Command::new(BINARY).args(arguments).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    };
    let lines = run(&["go depth 5", AFTER_E4, "go depth 5", "isready", "quit"]);
    let found = searches(&lines);
    assert_eq!(found.len(), 2, "{lines:#?}");
    assert!(found.iter().all(|search| search.last().depth == 5), "{lines:#?}");
    assert!(is_black(&found[1].best), "{lines:#?}");
    assert_eq!(searches(&run(&["go infinite"])).len(), 1);
    // As the last argument, `quit` only marks the end of the commands, so the search must finish.
    assert_eq!(searches(&run(&["go depth 5", "quit"]))[0].last().depth, 5);
    assert!(run(&["go perft 3"]).contains(&"Nodes searched: 8902".to_owned()));
}

#[test]
fn a_rejected_position_among_the_arguments_is_a_failure() {
    for position in ["position fen 8/8/8/8 w", "position startpos moves e2e5", "position here"] {
        let output = Command::new(BINARY).args([position, "go depth 3"]).output().unwrap();
        let answers = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(answers.ends_with("bestmove (none)\n"), "{position}: {answers}");
        assert!(!output.status.success() && errors.contains("position"), "{position}: {errors}");
    }
}

/// After the end of the input, a perft must end when nobody reads the output any more, even though perft
/// writes nothing before its end.
#[cfg(unix)]
#[test]
fn work_ends_when_input_and_output_are_closed() {
    let mut child = start(Stdio::piped(), "go perft 13\n");
    drop(child.stdout.take());
    drop(child.stdin.take());
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "the perft is still running");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends commands in random order and checks that every accepted `go` is answered once. The tests of the
/// library check the rules of the queue with fake searches; this test uses real searches.
#[test]
fn each_accepted_go_is_answered_once() {
    const LINES: [&str; 14] = [
        "go depth 3",
        "go nodes 500",
        "go movetime 3",
        "go infinite",
        "go ponder depth 2",
        "go searchmoves e2e4 e7e5 nodes 200",
        "stop",
        "ponderhit",
        "position startpos",
        AFTER_E4,
        "setoption name MultiPV value 2",
        "setoption name MultiPV value 1",
        "ucinewgame",
        "d",
    ];
    let mut random = Rng::new(0x0dd5);
    let mut engine = Engine::start();
    for round in 0..300 {
        let mut lines: Vec<&str> = (0..8).map(|_| *pick(&mut random, &LINES)).collect();
        let mark = format!("round{round}");
        lines.extend(["stop", &mark]);
        engine.send_bytes((lines.join("\n") + "\n").as_bytes());
        let said = engine.lines_until(|line| line.contains(&mark));
        let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
        let searches = lines.iter().filter(|line| line.starts_with("go ")).count();
        let accepted = searches - count("info string search: a search is running");
        for _ in count("bestmove ")..accepted {
            engine.lines_until(|line| line.starts_with("bestmove "));
        }
        let rest = engine.sync();
        assert!(!rest.iter().any(|line| line.starts_with("bestmove")), "{lines:?}: {rest:#?}");
    }
    engine.quit();
}

/// Waits until the program ends although its input stays open. Returns its stderr.
fn failure(mut child: Child) -> String {
    let mut input = child.stdin.take().unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < PATIENCE, "the program still runs although its output is closed");
        // Writing fails if the program has already ended.
        let _ = input.write_all(b"isready\n");
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(errors.lines().count() <= 1 && !errors.contains("panicked"), "{errors}");
    assert_eq!(status.success(), errors.is_empty(), "{errors}");
    errors
}

fn start(output: Stdio, lines: &str) -> Child {
    let mut command = Command::new(BINARY);
    let mut child =
        command.stdin(Stdio::piped()).stdout(output).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    child
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_program() {
    for lines in ["uci\n", "go infinite\n", "go perft 5\n", "go depth 3\ngo infinite\n"] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let errors = failure(start(full.into(), lines));
        assert!(errors.starts_with("aleator: cannot write"), "{lines}: {errors}");
    }
}

#[test]
fn a_closed_output_ends_the_program() {
    for lines in ["uci\n", "go infinite\n", "go perft 5\n", "go depth 3\ngo infinite\n"] {
        let mut child = start(Stdio::piped(), lines);
        drop(child.stdout.take());
        failure(child);
    }
}
