//! Runs python-chess as an independent reference.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs a Python program with the text `input` as standard input and returns the output. If there is no
/// `python3` with the package `chess`, prints a message and returns `None`.
pub fn python(program: &str, input: &str) -> Option<String> {
    let has_chess = Command::new("python3").args(["-c", "import chess.pgn"]).output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no python3 with the package chess");
        return None;
    }
    let mut child = Command::new("python3")
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}
