//! Whole sessions of UCI: whatever the lines, it answers in the end and ends.
#![no_main]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use aleator::protocol::{Output, run_uci};
use libfuzzer_sys::fuzz_target;

/// Words of lines that are left out: what takes long by design, much memory, or files.
const LEFT_OUT: [&str; 6] = ["bench", "genfens", "hash", "threads", "file", "path"];

#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let lines = text.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !LEFT_OUT.iter().any(|word| line.contains(word)) && !line.contains("quit")
    });
    let mut input = String::from("setoption name Hash value 1\n");
    lines.for_each(|line| input.extend([line, "\n"]));
    input += "stop\nisready\nd\nquit\n";
    let said = Said::default();
    run_uci(io::Cursor::new(input.into_bytes()), Output::new(said.clone())).expect("no failure");
    let said = said.0.lock().expect("nobody panicked");
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("readyok"), "{text}\n{said}");
});
