//! Runs the binary as a command in a folder until it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::BINARY;

/// Creates an empty folder. The folder is kept after the test, so that a failure can be examined. Begin
/// `name` with the name of the test file and a slash, so that tests in different files use different folders.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Returns the command that runs the binary with the arguments `words` in a folder.
pub fn aleator(words: &str, folder: &Path) -> Command {
    let mut command = Command::new(BINARY);
    command.args(words.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs the binary. Returns the exit status and the output.
pub fn output(words: &str, folder: &Path) -> Output {
    aleator(words, folder).output().unwrap()
}

/// Runs the binary and returns its stdout. The binary must succeed and write nothing to stderr.
pub fn printed(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{words}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the binary with the text `input` as standard input and returns its stdout. The binary must succeed.
pub fn piped(words: &str, folder: &Path, input: &str) -> String {
    let path = folder.join("input");
    fs::write(&path, input).unwrap();
    let output = aleator(words, folder).stdin(fs::File::open(path).unwrap()).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the binary and returns its stdout and stderr. The binary must exit with status 1.
pub fn failure(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    assert_eq!(output.status.code(), Some(1), "{words}");
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!text.contains("panicked"), "{words}: {text}");
    text
}
