//! WebAssembly for pages and for node: a module with the page's engine and logic (feature
//! `wasm-page`), or one with a UCI engine (`wasm-uci`), so that a page loads only what it needs.
//! Each worker has its own instance (`host.js`).
//!
//! The host writes a text to [`input_buffer`] and calls a function, which answers through `say`.
//!
//! | function | takes | says |
//! | --- | --- | --- |
//! | `give` | the file of a network | |
//! | `search` (page) | an `EngineCommand::Search` | messages for `app` |
//! | `app` (page) | a `Message` | the list of its `Effect`s |
//! | `uci`, `end` (UCI) | a line of UCI, nothing | lines |
//!
//! | folder or file | contains |
//! | --- | --- |
//! | `build.sh` | the builds of `make site` and `make npm` |
//! | `site/` | the page without a server: its transport and backend |
//! | `npm/` | the package: UCI for programs in JavaScript |

#[cfg(feature = "wasm-page")]
mod page;
#[cfg(feature = "wasm-uci")]
mod uci;

use std::cell::RefCell;

use crate::eval::nets;
use crate::rules::BoardSize;

// SAFETY: `src/wasm/host.js` provides functions of these types. They only read the text, and a text that
// reaches beyond the end of memory ends the program.
#[link(wasm_import_module = "aleator")]
unsafe extern "C" {
    /// Passes a text of this length to the host.
    safe fn say(text: *const u8, length: usize);
    /// Passes an error message to the host, which ends the program.
    safe fn fail(text: *const u8, length: usize) -> !;
}

/// A function's return value when its work is done.
const DONE: i32 = -1;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn take_input() -> Vec<u8> {
    INPUT.take()
}

/// Returns a buffer of this length for the input of the next function.
#[unsafe(no_mangle)]
extern "C" fn input_buffer(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Uses the given file as a board's network.
#[unsafe(no_mangle)]
extern "C" fn give(board: usize) {
    let file = take_input();
    let given = BoardSize::ALL.get(board).map(|&board| nets::give(board, file));
    if let Some(Err(error)) = given {
        fail_with(&format!("a network cannot be used: {error}"));
    }
}

/// Returns the first board whose network is missing.
fn missing(boards: impl IntoIterator<Item = BoardSize>) -> Option<i32> {
    let missing = boards.into_iter().find(|&board| nets::embedded(board).is_empty());
    missing.map(|board| board as i32)
}

fn fail_with(sentence: &str) -> ! {
    fail(sentence.as_ptr(), sentence.len())
}
