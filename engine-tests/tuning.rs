//! `aleator fit` and `aleator tune`, with the real binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const BINARY: &str = env!("CARGO_BIN_EXE_aleator");

/// An empty folder of this name, which stays for whoever wants to see why a test failed.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tuning").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn output(words: &str, folder: &Path) -> Output {
    let mut command = Command::new(BINARY);
    command.args(words.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command.output().unwrap()
}

/// What a run that succeeds prints.
fn printed(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{words}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a run says that ends with status 1.
fn failure(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    assert_eq!(output.status.code(), Some(1), "{words}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains("panicked"), "{words}: {text}");
    text
}

#[test]
fn a_fit_is_reproducible_source() {
    let folder = folder("fit");
    for (variant, board) in [("chess960", "BOARD8X8"), ("10x10", "BOARD10X10")] {
        if variant == "10x10" && cfg!(not(feature = "board10x10")) {
            continue;
        }
        let games =
            format!("datagen --out {board} --games 60 --nodes 40 --seed 1 --variant {variant}");
        printed(&games, &folder);
        let fit = |out: &str| {
            let words = format!("fit --data {board} --epochs 2 --batch 64 --seed 5 --out {out}");
            let text = printed(&words, &folder);
            assert!(text.contains("epoch 2 of 2") && text.contains("set apart"), "{text}");
            fs::read_to_string(folder.join(out)).unwrap()
        };
        let table = fit("table.rs");
        assert!(table.starts_with(&format!("pub const {board}: Params = Params {{\n")), "{table}");
        // In a file that has the table, it is replaced and the rest is kept.
        let around = |table: &str| format!("// before\n{table}// behind\n");
        let old = format!("pub const {board}: Params = Params {{\n    ..BOARD\n}};\n");
        fs::write(folder.join("params.rs"), around(&old)).unwrap();
        assert_eq!(fit("params.rs"), around(&table));
        fs::write(folder.join("other.rs"), "fn main() {}\n").unwrap();
        let error = failure(&format!("fit --data {board} --out other.rs"), &folder);
        assert!(error.contains("no table of parameters"), "{error}");
        fs::remove_file(folder.join("table.rs")).unwrap();
    }
    let error = failure("fit --data nowhere --out x.rs", &folder);
    assert!(error.contains("nowhere"), "{error}");
}

/// A run of two iterations of a single short pair.
fn tune(more: &str) -> String {
    format!(
        "tune --engine {BINARY} --variant chess960 --nodes 100 --iterations 2 --hash 1 \
         --pairs-per-iteration 1 --parameters SEE_DEPTH,reduction_base --json state.json {more}"
    )
}

#[cfg(feature = "tune")]
#[test]
fn a_tuning_is_saved_and_resumed() {
    let folder = folder("tune");
    let text = printed(&tune(""), &folder);
    assert!(text.contains("2 of 2") && text.contains("REDUCTION_BASE = "), "{text}");
    let state = fs::read_to_string(folder.join("state.json")).unwrap();
    assert!(state.contains("\"iteration\": 2"), "{state}");
    let error = failure(&tune(""), &folder);
    assert!(error.contains("--resume"), "{error}");
    let text = printed(&tune("--resume"), &folder);
    assert!(text.contains("going on after iteration 2"), "{text}");
    let error = failure(&tune("--resume --seed 9"), &folder);
    assert!(error.contains("settings"), "{error}");
}

#[cfg(not(feature = "tune"))]
#[test]
fn an_engine_without_the_options_is_refused() {
    let folder = folder("tune");
    let error = failure(&tune(""), &folder);
    assert!(error.contains("no option 'SEE_DEPTH'"), "{error}");
    assert!(!folder.join("state.json").exists());
    let error = failure(&tune("").replace("SEE_DEPTH", "SEE_DEEP"), &folder);
    assert!(error.contains("'SEE_DEEP'") && error.contains("SEE_DEPTH"), "{error}");
    let text = printed("tune --list", &folder);
    assert!(text.contains("SEE_DEPTH") && text.contains("exchanges"), "{text}");
}
