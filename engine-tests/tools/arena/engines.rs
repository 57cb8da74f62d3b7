//! Misbehaving engines for the tests of `match`: ignored tests that other tests start as engines.

use std::io::{BufRead, Write};

/// Speaks UCI on standard input and output. Calls `on_go` for each `go`, and writes the answer if there is an
/// answer.
fn play_uci(on_go: impl FnMut() -> Option<String>) {
    play_uci_with("", "quit", on_go);
}

/// Speaks UCI like [`play_uci`], but declares the given options and ends after the command `end`.
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
        // Writing fails if the match has ended.
        let _ = writeln!(output, "{answer}").and_then(|()| output.flush());
    }
}

#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_crashes() {
    play_uci(|| {
        eprintln!("out of wits");
        std::process::exit(3)
    });
}

#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_cheats() {
    play_uci(|| Some("bestmove e2e5".to_owned()));
}

#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_hangs() {
    play_uci(|| None);
}

#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_is_late() {
    play_uci(|| {
        std::thread::sleep(std::time::Duration::from_millis(700));
        Some("bestmove e2e5".to_owned())
    });
}

#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_floods() {
    play_uci(|| {
        let mut output = std::io::stdout().lock();
        // Write until `match` closes the pipe.
        while output.write_all(b"readyok\nbestmov\ninfo score cp 1\nwhatever\n").is_ok() {}
        None
    });
}

#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_paints() {
    play_uci_with("option name Colour\x1b[31m type button\n", "quit", || {
        eprintln!("\x1b]0;mine\x07");
        std::process::exit(3)
    });
}

/// An engine that neither moves nor exits. It holds a lock on a file as long as it runs.
#[test]
#[ignore = "not a test: other tests start this function as an engine"]
fn engine_that_stays() {
    let Some(path) = std::env::var_os("HELD") else { return };
    let file = std::fs::File::open(path).unwrap();
    file.lock_shared().unwrap();
    std::thread::spawn(|| play_uci_with("", "never", || None));
    std::thread::sleep(std::time::Duration::from_secs(120));
}
