use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use crate::files::{self, IfExists};

/// Takes what is to be written.
#[derive(Clone, Debug)]
pub(super) struct SaveQueue(Sender<(PathBuf, String)>);

impl SaveQueue {
    /// Has a file replaced, soon.
    pub fn write(&self, path: PathBuf, text: String) {
        // The saver's thread ends only after its last queue.
        let _ = self.0.send((path, text));
    }
}

/// Writes files on a thread of its own, so that no request waits for a disk. Of several texts for a
/// file that wait, it writes the last.
pub(super) struct Saver(JoinHandle<()>);

impl Saver {
    pub fn start() -> std::io::Result<(SaveQueue, Saver)> {
        let (sender, save_queue) = channel::<(PathBuf, String)>();
        let work = move || {
            while let Ok(first) = save_queue.recv() {
                let all: HashMap<PathBuf, String> =
                    [first].into_iter().chain(save_queue.try_iter()).collect();
                for (path, text) in all {
                    if let Err(error) = files::write(&path, text.as_bytes(), IfExists::Replace) {
                        eprintln!("aleator: a game is not saved: {error}");
                    }
                }
            }
        };
        let thread = thread::Builder::new().name("saver".to_owned()).spawn(work)?;
        Ok((SaveQueue(sender), Saver(thread)))
    }

    /// Waits until all is written; all [`SaveQueue`] must be gone.
    pub fn finish(self) {
        let _ = self.0.join();
    }
}
