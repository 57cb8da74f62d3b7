//! Ctrl-C: the first asks a command to stop, the second ends the program.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Once, PoisonError};

use crate::search::Control;

use super::shell;

type Hook = Box<dyn FnOnce() + Send>;

/// What the next Ctrl-C does; by default it ends the program.
static HOOK: Mutex<Option<Hook>> = Mutex::new(None);
static INSTALLED: Once = Once::new();

/// The exit status by which shells report a program that was ended by Ctrl-C.
const STATUS: i32 = 130;

/// Makes the next Ctrl-C call this, on another thread, instead of ending the program. The one after it
/// ends the program, unless there is another hook by then.
pub(super) fn on_next(hook: impl FnOnce() + Send + 'static) {
    *HOOK.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
    INSTALLED.call_once(|| {
        // If the handler cannot be installed, Ctrl-C ends the program as usual.
        let _ = ctrlc::set_handler(|| {
            let hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner).take();
            match hook {
                Some(hook) => hook(),
                None => std::process::exit(STATUS),
            }
        });
    });
}

/// Returns a control that the next Ctrl-C stops.
pub(super) fn control() -> Arc<Control> {
    let control = Arc::new(Control::default());
    let held = Arc::clone(&control);
    on_next(move || held.stop.store(true, Relaxed));
    control
}

/// Says how to resume interrupted work: by this command with `--resume`, if there is a file, which
/// `--json` names.
pub(super) fn how_to_go_on(resumed: bool, is_kept: bool) -> String {
    if !is_kept {
        return "Nothing was saved; with --json FILE the work could be resumed.".to_owned();
    }
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.chain((!resumed).then(|| "--resume".to_owned())).collect();
    format!("To continue:\n{}", shell::join(&words))
}
