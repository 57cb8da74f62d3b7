//! Helper functions of the fuzz targets.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use aleator::rules::Variant;

/// Splits an input into a variant, given by the first byte, and the text after the first byte. Returns `None`
/// if the text is not UTF-8.
pub fn variant_and_text(data: &[u8]) -> Option<(Variant, &str)> {
    let (first, rest) = data.split_first()?;
    let number = usize::from(first.wrapping_sub(b'0')) % Variant::ALL.len();
    Some((Variant::ALL[number], std::str::from_utf8(rest).ok()?))
}

/// Creates a temporary folder. The folder is in memory if the system has `/dev/shm`, because writing to disk
/// is slow.
pub fn folder() -> tempfile::TempDir {
    let memory = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    let made = memory.map_or_else(tempfile::tempdir, tempfile::tempdir_in);
    made.expect("a temporary folder can be created")
}

/// The output of a session, shared between threads.
#[derive(Clone, Default)]
pub struct CapturedOutput(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl CapturedOutput {
    /// Returns the output so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.0.lock().expect("nobody panicked")).into_owned()
    }

    /// Waits until the output contains the given text.
    pub fn wait_for(&self, text: &str) {
        let (said, news) = &*self.0;
        let is_missing =
            |said: &mut Vec<u8>| !said.windows(text.len()).any(|window| window == text.as_bytes());
        drop(news.wait_while(said.lock().expect("nobody panicked"), is_missing));
    }
}

impl Write for CapturedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().expect("nobody panicked").extend(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the processor time that all threads of this process have used.
pub fn worked() -> std::time::Duration {
    let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
    nix::time::clock_gettime(clock).expect("the system has a clock of processor time").into()
}
