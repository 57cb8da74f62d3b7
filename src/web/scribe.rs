use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use crate::files::{self, IfExists};

/// Takes what is to be written.
#[derive(Clone, Debug)]
pub(super) struct Letters(Sender<(PathBuf, String)>);

impl Letters {
    /// Has a file replaced, soon.
    pub fn write(&self, path: PathBuf, text: String) {
        // The scribe listens as long as there is anybody to tell it something.
        let _ = self.0.send((path, text));
    }
}

/// Writes files on a thread of its own, so that nobody waits for a disk. Of several texts for a
/// file that wait, it writes the last.
pub(super) struct Scribe(JoinHandle<()>);

impl Scribe {
    pub fn start() -> std::io::Result<(Letters, Scribe)> {
        let (sender, letters) = channel::<(PathBuf, String)>();
        let work = move || {
            while let Ok(first) = letters.recv() {
                let all: HashMap<PathBuf, String> =
                    [first].into_iter().chain(letters.try_iter()).collect();
                for (path, text) in all {
                    if let Err(error) = files::write(&path, text.as_bytes(), IfExists::Replace) {
                        eprintln!("aleator: a game is not saved: {error}");
                    }
                }
            }
        };
        let thread = thread::Builder::new().name("scribe".to_owned()).spawn(work)?;
        Ok((Letters(sender), Scribe(thread)))
    }

    /// Waits until all is written; all [`Letters`] must be gone.
    pub fn finish(self) {
        let _ = self.0.join();
    }
}
