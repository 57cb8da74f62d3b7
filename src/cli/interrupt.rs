//! Handles Ctrl-C: the first Ctrl-C asks the command to stop, the second ends the program.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Once, PoisonError};

use crate::search::Control;

use super::shell;

type Hook = Box<dyn FnOnce() + Send>;

/// The function that the next Ctrl-C calls. `None` means that the next Ctrl-C ends the program.
static HOOK: Mutex<Option<Hook>> = Mutex::new(None);
static INSTALLED: Once = Once::new();

/// The exit status with which shells report that Ctrl-C ended a program.
const STATUS: i32 = 130;

/// Makes the next Ctrl-C call `hook` on another thread instead of ending the program. The following
/// Ctrl-C ends the program, unless another hook has been set by then.
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

/// Returns a control for a search. The next Ctrl-C stops the search.
pub(super) fn control() -> Arc<Control> {
    let control = Arc::new(Control::default());
    let held = Arc::clone(&control);
    on_next(move || held.stop.store(true, Relaxed));
    control
}

/// Returns a message that tells the user how to resume interrupted work: with the same command and
/// `--resume`. If nothing was saved (`is_kept` is false), the message suggests `--json`.
pub(super) fn how_to_go_on(resumed: bool, is_kept: bool) -> String {
    if !is_kept {
        return "Nothing was saved. With --json FILE, an interrupted run can be resumed."
            .to_owned();
    }
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.chain((!resumed).then(|| "--resume".to_owned())).collect();
    format!("To continue:\n{}", shell::join(&words))
}
