//! What the targets have in common.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};

use aleator::rules::Variant;

/// A variant, by the first byte, and the text behind it; nothing if that is no text.
pub fn variant_and_text(data: &[u8]) -> Option<(Variant, &str)> {
    let (first, rest) = data.split_first()?;
    let number = usize::from(first.wrapping_sub(b'0')) % Variant::ALL.len();
    Some((Variant::ALL[number], std::str::from_utf8(rest).ok()?))
}

/// A folder that vanishes, in memory where the system has such folders: files are waited for.
pub fn folder() -> tempfile::TempDir {
    let memory = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    let made = memory.map_or_else(tempfile::tempdir, tempfile::tempdir_in);
    made.expect("there is room for temporary files")
}

/// What a conversation says.
#[derive(Clone, Default)]
pub struct CapturedOutput(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl CapturedOutput {
    /// All of it so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.0.lock().expect("nobody panicked")).into_owned()
    }

    /// Waits until this is said.
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

/// The time that all threads of this process have worked.
pub fn worked() -> std::time::Duration {
    let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
    nix::time::clock_gettime(clock).expect("there is such a clock").into()
}
