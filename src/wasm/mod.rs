//! WebAssembly for pages and for node: a module with the engine of the page and the page's logic (feature
//! `wasm-page`), or one with the engine as a UCI engine (`wasm-uci`), so that a page loads what it needs.
//! Each worker has an instance of its own (`host.js`).
//!
//! The host writes a text to [`input_buffer`] and calls a function. The function answers through `say`.
//!
//! | function | takes | says |
//! | --- | --- | --- |
//! | `give` | the file of a network | |
//! | `search` (page) | an `EngineCommand::Search` | messages for `app` |
//! | `app` (page) | a `Message` | all `Effect`s of it, as one list |
//! | `uci`, `end` (UCI) | a line of UCI, nothing | lines |
//!
//! | elsewhere | is |
//! | --- | --- |
//! | `build.sh` | what `make site` and `make npm` do |
//! | `site/` | the page without a server: its transport, and what stands behind that |
//! | `npm/` | the package: UCI for programs in JavaScript |

#[cfg(feature = "wasm-page")]
mod page;
#[cfg(feature = "wasm-uci")]
mod uci;

use std::cell::RefCell;

use crate::eval::nets;
use crate::rules::BoardSize;

// SAFETY: `src/wasm/host.js` gives functions of these types. They read the text and write no memory of
// ours; a text beyond the memory there is ends the program.
#[link(wasm_import_module = "aleator")]
unsafe extern "C" {
    /// Takes a text of this length.
    safe fn say(text: *const u8, length: usize);
    /// The same, and ends the program.
    safe fn fail(text: *const u8, length: usize) -> !;
}

/// What a function says when its work is done.
const DONE: i32 = -1;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn take_input() -> Vec<u8> {
    INPUT.take()
}

/// A buffer of this many bytes, for the input of the function that is called next.
#[unsafe(no_mangle)]
extern "C" fn input_buffer(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Puts the file of a board's network in force.
#[unsafe(no_mangle)]
extern "C" fn give(board: usize) {
    let file = take_input();
    let given = BoardSize::ALL.get(board).map(|&board| nets::give(board, file));
    if let Some(Err(error)) = given {
        fail_with(&format!("a network cannot be used: {error}"));
    }
}

/// The board whose network is missing.
fn missing(boards: impl IntoIterator<Item = BoardSize>) -> Option<i32> {
    let missing = boards.into_iter().find(|&board| nets::embedded(board).is_empty());
    missing.map(|board| board as i32)
}

fn fail_with(sentence: &str) -> ! {
    fail(sentence.as_ptr(), sentence.len())
}
