//! The binary as a command that works in a folder and ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::BINARY;

/// An empty folder of this name, which stays for whoever wants to see why a test failed. Names with
/// a slash keep the tests of different files apart.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The binary with these words, to be run in a folder.
pub fn aleator(words: &str, folder: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.args(words.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command
}

/// All that a run leaves.
pub fn output(words: &str, folder: &Path) -> Output {
    aleator(words, folder).output().unwrap()
}

/// What a run that succeeds prints.
pub fn printed(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{words}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// All that a run prints that ends with status 1.
pub fn failure(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    assert_eq!(output.status.code(), Some(1), "{words}");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!text.contains("panicked"), "{words}: {text}");
    text
}
