//! WebAssembly modules for web pages and for Node.js.
//!
//! There are two modules, so that a page loads only the code that it needs. The feature `wasm-page` builds
//! the logic of the page with an engine; the feature `wasm-uci` builds a UCI engine. Each worker has its own
//! instance of a module (`host.js`).
//!
//! The host (the JavaScript around the module) writes a text to [`input_buffer`], and then calls a function.
//! The function sends its output to the host by calling `say`.
//!
//! | function | input | output |
//! | --- | --- | --- |
//! | `give` | the file of a network | |
//! | `search` (page) | an `EngineCommand::Search` | messages for `app` |
//! | `app` (page) | a `Message` | the list of the resulting `Effect`s |
//! | `uci`, `end` (UCI) | a line of UCI, nothing | lines |
//!
//! | folder or file | contains |
//! | --- | --- |
//! | `build.sh` | the builds of `make site` and `make npm` |
//! | `site/` | transport and backend of the page without a server |
//! | `npm/` | the npm package: UCI for programs in JavaScript |

#[cfg(feature = "wasm-page")]
mod page;
#[cfg(feature = "wasm-uci")]
mod uci;

use std::cell::RefCell;

use crate::eval::nets;
use crate::rules::BoardSize;

// SAFETY: `src/wasm/host.js` provides functions of these types. These functions only read the text. If the
// text reaches beyond the end of memory, the program ends.
#[link(wasm_import_module = "aleator")]
unsafe extern "C" {
    /// Passes a text of this length to the host.
    safe fn say(text: *const u8, length: usize);
    /// Passes an error message to the host. The host then ends the program.
    safe fn fail(text: *const u8, length: usize) -> !;
}

/// The return value of a function that has finished its work.
const DONE: i32 = -1;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn take_input() -> Vec<u8> {
    INPUT.take()
}

/// Returns a buffer of `length` bytes for the input of the next function call.
#[unsafe(no_mangle)]
extern "C" fn input_buffer(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Uses the input, a network file, as the network of a board.
#[unsafe(no_mangle)]
extern "C" fn give(board: usize) {
    let file = take_input();
    let given = BoardSize::ALL.get(board).map(|&board| nets::give(board, file));
    if let Some(Err(error)) = given {
        fail_with(&format!("the network file cannot be used: {error}"));
    }
}

/// Returns the first board whose network has not been loaded yet.
fn missing(boards: impl IntoIterator<Item = BoardSize>) -> Option<i32> {
    let missing = boards.into_iter().find(|&board| nets::embedded(board).is_empty());
    missing.map(|board| board as i32)
}

fn fail_with(sentence: &str) -> ! {
    fail(sentence.as_ptr(), sentence.len())
}
