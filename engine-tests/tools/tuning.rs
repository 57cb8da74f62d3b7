//! Tests of `aleator tune` with the real binary.

use std::fs;

use crate::harness::BINARY;
use crate::harness::command::{aleator, failure, folder, printed};

/// Returns a `tune` command with two iterations of a single pair of short games.
fn tune(more: &str) -> String {
    format!(
        "tune --engine {BINARY} --variant chess960 --nodes 100 --iterations 2 --hash 1 \
         --pairs-per-iteration 1 --parameters see_depth,reduction_base --json state.json {more}"
    )
}

#[cfg(feature = "tune")]
#[test]
fn a_tuning_is_saved_and_resumed() {
    let folder = folder("tuning/tune");
    let text = printed(&tune(""), &folder);
    assert!(text.contains("2 of 2") && text.contains("reduction_base = "), "{text}");
    let state = fs::read_to_string(folder.join("state.json")).unwrap();
    assert!(state.contains("\"iteration\": 2"), "{state}");
    let error = failure(&tune(""), &folder);
    assert!(error.contains("--resume"), "{error}");
    let text = printed(&tune("--resume"), &folder);
    assert!(text.contains("continuing after iteration 2"), "{text}");
    for other in ["--seed 9", "--option Threads=1"] {
        let error = failure(&tune(&format!("--resume {other}")), &folder);
        assert!(error.contains("settings"), "{error}");
    }
}

#[cfg(not(feature = "tune"))]
#[test]
fn an_engine_without_the_options_is_rejected() {
    let folder = folder("tuning/tune");
    let error = failure(&tune(""), &folder);
    assert!(error.contains("no option 'see_depth'"), "{error}");
    assert!(error.contains("cargo build --release --features tune"), "{error}");
    assert!(!folder.join("state.json").exists());
    let error = failure(&tune("").replace("see_depth", "see_deep"), &folder);
    assert!(error.contains("'see_deep'") && error.contains("see_depth"), "{error}");
    let wrong = [("Hash", "write OPTION=VALUE"), ("Depht=9", "no UCI option 'Depht'")];
    for (option, expected) in wrong {
        let error = failure(&tune(&format!("--option {option}")), &folder);
        assert!(error.contains(expected) && !error.contains("--features tune"), "{error}");
    }
    let text = printed("tune --list", &folder);
    assert!(text.contains("see_depth") && text.contains("SEE pruning: "), "{text}");
}

/// Games lost by engine failures do not show how good the parameters are, so `tune` must report these games.
#[test]
fn failures_in_a_tuning_run_are_reported() {
    let folder = folder("tuning/failures");
    let program = std::env::current_exe().unwrap();
    let engine =
        format!("'{}' --ignored --exact --nocapture tuning::engine_that_cheats", program.display());
    let mut command = aleator(
        "tune --variant chess --json state.json --nodes 10 --parameters see_depth",
        &folder,
    );
    command.args(["--iterations", "2", "--pairs-per-iteration", "1", "--engine", &engine]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("1 of 2") && text.contains(", failures 2"), "{text}");
    assert!(text.contains("4 games were lost by engine failures"), "{text}");
    let state = fs::read_to_string(folder.join("state.json")).unwrap();
    assert!(state.contains("\"faults\": 4"), "{state}");
}

#[test]
#[ignore = "not a test: another test starts this function as an engine"]
fn engine_that_cheats() {
    let options = "option name Hash type spin\noption name see_depth type spin\n";
    crate::arena::engines::play_uci_with(options, "quit", || Some("bestmove e2e5".to_owned()));
}
