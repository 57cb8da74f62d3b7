//! WebAssembly for pages and for node: the engine as a UCI engine, the engine of the page, and the page's
//! logic. One module has all three, and each worker an instance of its own (`host.js`).
//!
//! The host writes a text to [`input_buffer`] and calls a function. The function answers through `say`.
//!
//! | function | takes | says |
//! | --- | --- | --- |
//! | [`uci`] | a line of UCI | lines |
//! | [`search`] | an [`EngineCommand::Search`] | messages for [`app`] |
//! | [`app`] | a [`Message`] | all [`Effect`]s of it, as one list |
//! | [`give`] | the file of a network | |
//!
//! | elsewhere | is |
//! | --- | --- |
//! | `build.sh` | what `make site` and `make npm` do |
//! | `site/` | the page without a server: its transport, and what stands behind that |
//! | `npm/` | the package: UCI for programs in JavaScript |

use std::cell::{OnceCell, RefCell};
use std::io::{self, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bench;
use crate::engine::Control;
use crate::eval::nets;
use crate::host::Instant;
use crate::play::app::{App, AppRequest, Effect, EngineCommand, Input, Time};
use crate::play::{EngineEvent, LocalEngine};
use crate::protocol::{CommandForm, Output, UciCommand, UciInPlace};
use crate::random;
use crate::rules::{BoardSize, Variant};
use crate::session::Command;

#[link(wasm_import_module = "aleator")]
unsafe extern "C" {
    /// Takes a text of this length.
    safe fn say(text: *const u8, length: usize);
    /// The same, and ends the program.
    safe fn fail(text: *const u8, length: usize) -> !;
    /// Seconds since 1970.
    safe fn date() -> f64;
}

/// What a function says when its work is done.
const DONE: i32 = -1;
/// The same, and that no more is wanted.
const OVER: i32 = -2;

/// What one instance has; most have only some of it.
#[derive(Default)]
struct Instance {
    input: RefCell<Vec<u8>>,
    uci: OnceCell<UciInPlace>,
    engine: RefCell<Option<LocalEngine>>,
    app: RefCell<Option<App>>,
}

thread_local! {
    static INSTANCE: Instance = Instance::default();
}

impl Instance {
    fn take_input(&self) -> Vec<u8> {
        self.input.take()
    }
}

/// A buffer of this many bytes, for the input of the function that is called next.
#[unsafe(no_mangle)]
extern "C" fn input_buffer(length: usize) -> *mut u8 {
    INSTANCE.with(|instance| {
        let mut input = instance.input.borrow_mut();
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Puts the file of a board's network in force.
#[unsafe(no_mangle)]
extern "C" fn give(board: usize) {
    INSTANCE.with(|instance| {
        let file = instance.take_input();
        let given = BoardSize::ALL.get(board).map(|&board| nets::give(board, file));
        if let Some(Err(error)) = given {
            fail_with(&format!("a network cannot be used: {error}"));
        }
    });
}

/// The board whose network is missing.
fn missing(boards: impl IntoIterator<Item = BoardSize>) -> Option<i32> {
    let missing = boards.into_iter().find(|&board| nets::embedded(board).is_empty());
    missing.map(|board| board as i32)
}

fn say_text(text: &str) {
    say(text.as_ptr(), text.len());
}

/// Where the lines of UCI go.
struct Host;

impl Write for Host {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        say(bytes.as_ptr(), bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Carries out a line of UCI. If the network of a board must be given before, says which.
#[unsafe(no_mangle)]
extern "C" fn uci() -> i32 {
    INSTANCE.with(|instance| {
        let line = String::from_utf8_lossy(&instance.take_input()).into_owned();
        if let Some(board) = missing(boards_of(&line)) {
            return board;
        }
        let uci = instance.uci.get_or_init(|| match UciInPlace::new(Output::new(Host), &EXTRA) {
            Ok(uci) => uci,
            Err(error) => fail_with(&error.to_string()),
        });
        if uci.line(&line) { DONE } else { OVER }
    })
}

/// There are no more lines of UCI.
#[unsafe(no_mangle)]
extern "C" fn end() -> i32 {
    let is_on = INSTANCE.with(|instance| instance.uci.get().is_some_and(UciInPlace::end));
    if is_on { DONE } else { OVER }
}

static EXTRA: [CommandForm; 1] = [bench::COMMAND];

/// The boards that a line of UCI needs, that of chess from the beginning.
fn boards_of(line: &str) -> Vec<BoardSize> {
    let mut boards = vec![BoardSize::Eight];
    match UciCommand::parse_with(&EXTRA, line) {
        Ok(Some(UciCommand::Session(Command::SetOption { name, value: Some(value) }))) => {
            let variant = value.parse().ok().filter(|_| name.eq_ignore_ascii_case("UCI_Variant"));
            boards.extend(variant.map(|variant: Variant| variant.rules().board));
        }
        Ok(Some(UciCommand::Session(Command::Extra(_)))) => boards.extend(BoardSize::ALL),
        _ => {}
    }
    boards
}

/// MiB of hash of the page's engines.
const HASH: usize = 16;

/// Answers the question of an [`EngineCommand::Search`]. If the network of its board must be given
/// before, says which. A search without a limit has no last word: its worker is ended.
#[unsafe(no_mangle)]
extern "C" fn search() -> i32 {
    INSTANCE.with(|instance| {
        let EngineCommand::Search { search, question, is_new_game, .. } =
            read(&instance.take_input())
        else {
            return DONE;
        };
        if let Some(board) = missing([question.game.variant().rules().board]) {
            return board;
        }
        let tell = |event| say_text(&text_of(&Message::Engine { search, event }));
        let is_limited = question.request.is_limited();
        let mut engine = instance.engine.borrow_mut();
        let engine = engine.get_or_insert_with(|| LocalEngine::new(HASH));
        if is_new_game {
            engine.new_game();
        }
        let answer = engine.answer(*question, &Control::default(), &mut |event| tell(event));
        if is_limited || answer.is_err() {
            tell(answer.map_or_else(EngineEvent::Failed, EngineEvent::Done));
        }
        DONE
    })
}

/// What the app is told, as [`Input`] has it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Message {
    /// First of all: the games that were saved.
    Open(Vec<SavedGame>),
    Request {
        ticket: u64,
        method: String,
        target: String,
        body: String,
    },
    Left {
        game: String,
    },
    Engine {
        search: u64,
        event: EngineEvent,
    },
    Loaded {
        game: String,
        text: Result<String, String>,
    },
    Saved {
        game: String,
        result: Result<(), String>,
    },
    Tick,
}

#[derive(Serialize, Deserialize)]
struct SavedGame {
    id: String,
    text: String,
    /// In seconds since 1970.
    date: u64,
}

/// Tells the app a [`Message`]; says in how many milliseconds the next [`Message::Tick`] is due.
#[unsafe(no_mangle)]
extern "C" fn app() -> u32 {
    INSTANCE.with(|instance| {
        let time = Time { now: Instant::now(), date: date() as u64 };
        let mut app = instance.app.borrow_mut();
        let app = app.get_or_insert_with(|| App::new(random::fresh_seed(), time));
        let effects = match input(app, read(&instance.take_input())) {
            Ok(Some(input)) => app.handle(input, time),
            Ok(None) => Vec::new(),
            Err(refused) => vec![refused],
        };
        say_text(&text_of(&effects));
        app.round().as_millis() as u32
    })
}

/// What a message is to the app, or the answer to a request that is none.
fn input(app: &mut App, message: Message) -> Result<Option<Input>, Effect> {
    Ok(Some(match message {
        Message::Open(games) => {
            for SavedGame { id, text, date } in games {
                if let Err(error) = app.add_saved(&id, &text, date) {
                    app.add_unreadable(id, error.to_string());
                }
            }
            return Ok(None);
        }
        Message::Request { ticket, method, target, body } => {
            match AppRequest::parse(&method, &target, body.as_bytes()) {
                Ok(request) => Input::Request { ticket, request },
                Err(response) => return Err(Effect::Respond { ticket, response }),
            }
        }
        Message::Left { game } => Input::Left { game },
        Message::Engine { search, event } => Input::EngineEvent { search, event },
        Message::Loaded { game, text } => Input::Loaded { game, text },
        Message::Saved { game, result } => Input::Saved { game, result },
        Message::Tick => Input::Tick,
    }))
}

/// Reads what our own JavaScript has put together.
fn read<T: DeserializeOwned>(text: &[u8]) -> T {
    serde_json::from_slice(text).unwrap_or_else(|error| fail_with(&error.to_string()))
}

fn text_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| fail_with(&error.to_string()))
}

fn fail_with(sentence: &str) -> ! {
    fail(sentence.as_ptr(), sentence.len())
}
