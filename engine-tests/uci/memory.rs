//! Tests that the engine reports an error and continues if memory is short or threads cannot be started.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::harness::{BINARY, has_10x10};

/// Returns the engine's answer to the given lines. The address space is limited to `kibibytes` KiB, and
/// rayon's global pool has more threads than can be started.
fn answers(kibibytes: u64, lines: &str) -> String {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\""), BINARY])
        .env("RAYON_NUM_THREADS", "60000")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("no shell");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("the engine ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{}: {errors}", output.status);
    String::from_utf8(output.stdout).expect("the engine writes UTF-8")
}

#[test]
fn too_many_threads_are_rejected() {
    let variant = if has_10x10() { "ifrc" } else { "chess" };
    let lines = format!(
        "setoption name UCI_Variant value {variant}\nsetoption name Threads value 1024\nisready\n\
         go depth 1\n"
    );
    let answer = answers(3_000_000, &lines);
    assert!(answer.contains("cannot start 1024 search threads ("), "{answer}");
    assert!(answer.contains("; the number of threads is unchanged\nreadyok\n"), "{answer}");
    assert!(answer.contains("\nbestmove "), "{answer}");
}

#[test]
fn the_table_is_cleared_without_rayons_global_pool() {
    let answer = answers(
        2_000_000,
        "ucinewgame\nsetoption name Clear Hash\nsetoption name Hash value 16\n\
         setoption name Hash value 32\nsetoption name Hash value 3000\nucinewgame\nisready\n",
    );
    let is_rejection = |line: &str| line.starts_with("info string") && line.contains("3000");
    assert!(answer.lines().any(is_rejection), "{answer}");
    assert!(answer.ends_with("readyok\n"), "{answer}");
}
