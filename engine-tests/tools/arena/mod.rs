//! Tests of `aleator match` with the real binary.
//!
//! | file | contents |
//! | --- | --- |
//! | `games` | every variant, openings, tables, SPRT, the ladder |
//! | `failures` | engines that misbehave |
//! | `journal` | runs that are killed, interrupted or out of disk space, and resumed |
//! | `engines` | the misbehaving engines, which are ignored tests of this test program |

pub mod engines;
mod failures;
mod games;
mod journal;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const ALEATOR: &str = env!("CARGO_BIN_EXE_aleator");

/// A temporary folder for a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// Returns the command `aleator match` with the given engines and arguments.
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

/// Returns the command that starts a function of [`engines`] as an engine.
fn misbehaving(test: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!("'{}' --ignored --exact --nocapture arena::engines::{test}", program.display())
}

/// Returns the output of a command that succeeds.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

/// Returns the error output of a command that fails.
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

/// Returns the pair number and the game number of each game. Fails if a game is duplicate.
fn keys(games: &[Value]) -> BTreeSet<(u64, u64)> {
    let key = |game: &Value| (game["pair"].as_u64().unwrap(), game["game"].as_u64().unwrap());
    let keys: BTreeSet<_> = games.iter().map(key).collect();
    assert_eq!(keys.len(), games.len());
    keys
}

/// Returns the number of complete games in a journal.
fn count(json: &str) -> usize {
    let text = std::fs::read_to_string(Path::new(json)).unwrap_or_default();
    text.split_inclusive('\n')
        .filter(|line| line.starts_with("{\"game\"") && line.ends_with('\n'))
        .count()
}
