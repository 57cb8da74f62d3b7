//! Misbehaving engines.

use std::io::{BufRead, Write};

/// Speaks UCI on standard input and output; calls `on_go` for each `go`.
fn play_uci(on_go: impl FnMut() -> Option<String>) {
    play_uci_with("", "quit", on_go);
}

/// Likewise, with declared options and another command that ends it.
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
        // The arena may have exited.
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
        // Until the arena closes the pipe.
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

/// Neither moves nor exits, and locks a file as long as it lives.
#[test]
#[ignore = "an engine for the tests above"]
fn engine_that_stays() {
    let Some(path) = std::env::var_os("HELD") else { return };
    let file = std::fs::File::open(path).unwrap();
    file.lock_shared().unwrap();
    std::thread::spawn(|| play_uci_with("", "never", || None));
    std::thread::sleep(std::time::Duration::from_secs(120));
}
