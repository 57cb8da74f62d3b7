//! `aleator match` with the real binary.
//!
//! | file | about |
//! | --- | --- |
//! | `games` | every variant, openings, tables, tests of a hypothesis, the ladder |
//! | `faults` | engines that misbehave |
//! | `journal` | runs that are killed, interrupted, out of room, and go on |
//! | `engines` | the engines that misbehave: this very test program, started to run an ignored test |

pub mod engines;
mod faults;
mod games;
mod journal;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const ALEATOR: &str = env!("CARGO_BIN_EXE_aleator");

/// A folder of its own for each test, gone at its end.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// `aleator match` between two engines of this name.
fn run_match(engines: &[(&str, String)], arguments: &[&str]) -> Command {
    let mut command = Command::new(ALEATOR);
    command.arg("match").stdin(Stdio::null());
    for (name, engine) in engines {
        command.args(["--engine", &format!("{name}={engine}")]);
    }
    command.args(arguments);
    command
}

fn ourselves() -> String {
    format!("'{ALEATOR}'")
}

/// This program, as an engine that does what an ignored test does.
fn misbehaving(test: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!("'{}' --ignored --exact --nocapture arena::engines::{test}", program.display())
}

/// Runs it, and gives what it printed; it must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

/// What it complains of; it must fail.
fn complaint(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn games(json: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(json).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|entry| entry.get("game").cloned()).collect()
}

/// Which games there are; none twice.
fn keys(games: &[Value]) -> BTreeSet<(u64, u64)> {
    let key = |game: &Value| (game["pair"].as_u64().unwrap(), game["game"].as_u64().unwrap());
    let keys: BTreeSet<_> = games.iter().map(key).collect();
    assert_eq!(keys.len(), games.len());
    keys
}

/// Whole games in a file.
fn count(json: &str) -> usize {
    let text = std::fs::read_to_string(Path::new(json)).unwrap_or_default();
    text.split_inclusive('\n')
        .filter(|line| line.starts_with("{\"game\"") && line.ends_with('\n'))
        .count()
}
