//! Ctrl-C: the first asks a command to come to an end, the second ends the program.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Once, PoisonError};

use crate::search::Control;

use super::shell;

type Hook = Box<dyn FnOnce() + Send>;

/// What the next Ctrl-C does; without it, the program ends.
static HOOK: Mutex<Option<Hook>> = Mutex::new(None);
static INSTALLED: Once = Once::new();

/// As shells report a program that Ctrl-C ended.
const STATUS: i32 = 130;

/// Lets the next Ctrl-C do this, on a thread of its own, instead of ending the program. The one
/// after it ends the program, unless there is another hook by then.
pub(super) fn on_next(hook: impl FnOnce() + Send + 'static) {
    *HOOK.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(hook));
    INSTALLED.call_once(|| {
        // Where no handler is to be had, Ctrl-C ends the program as it always does.
        let _ = ctrlc::set_handler(|| {
            let hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner).take();
            match hook {
                Some(hook) => hook(),
                None => std::process::exit(STATUS),
            }
        });
    });
}

/// What the next Ctrl-C stops.
pub(super) fn control() -> Arc<Control> {
    let control = Arc::new(Control::default());
    let held = Arc::clone(&control);
    on_next(move || held.stop.store(true, Relaxed));
    control
}

/// What to type to go on with work that was interrupted: this command with `--resume`, if there is
/// a file to go on from, which `--json` names.
pub(super) fn how_to_go_on(resumed: bool, is_kept: bool) -> String {
    if !is_kept {
        return "Nothing was kept; with --json FILE the work could go on.".to_owned();
    }
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.chain((!resumed).then(|| "--resume".to_owned())).collect();
    format!("To go on:\n{}", shell::join(&words))
}
