//! The functions of the WebAssembly module for the page: the logic of the page, and an engine.

use std::cell::RefCell;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{DONE, fail_with, missing, say, take_input};
use crate::host::Instant;
use crate::play::app::{App, AppRequest, Effect, EngineCommand, Input, Time};
use crate::play::{EngineEvent, EngineQueue};
use crate::random;

// SAFETY: `src/wasm/host.js` provides a function of this type, which does not access memory of this module.
#[link(wasm_import_module = "aleator")]
unsafe extern "C" {
    /// Returns the current time in seconds since 1970.
    safe fn date() -> f64;
}

thread_local! {
    static ENGINE: RefCell<Option<EngineQueue>> = const { RefCell::new(None) };
    static APP: RefCell<Option<App>> = const { RefCell::new(None) };
}

/// The size of each engine's transposition table, in MiB.
const HASH: usize = 16;

/// Runs an [`EngineCommand::Search`]. If a network is missing, returns the board of the network instead.
///
/// A search without a limit sends no final event, because the host stops such a search by ending its worker.
#[unsafe(no_mangle)]
extern "C" fn search() -> i32 {
    let EngineCommand::Search { search, game, request, is_new_game, .. } = read(&take_input())
    else {
        return DONE;
    };
    if let Some(board) = missing([game.variant().rules().board]) {
        return board;
    }
    let is_limited = request.limits.is_limited();
    let tell = move |event| {
        if is_limited || !matches!(event, EngineEvent::Done(_)) {
            say_text(&text_of(&Message::Engine { search, event }));
        }
    };
    ENGINE.with_borrow_mut(|engine| {
        let engine = engine.get_or_insert_with(|| EngineQueue::in_place(HASH));
        if is_new_game {
            engine.new_game();
        }
        engine.ask(*game, *request, tell);
        DONE
    })
}

/// A message from the host to the app. Most messages become an [`Input`].
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Message {
    /// The first message, with all saved games.
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
    /// The time of the last change, in seconds since 1970.
    date: u64,
}

/// Passes a [`Message`] to the app. Returns the number of milliseconds until the next [`Message::Tick`].
#[unsafe(no_mangle)]
extern "C" fn app() -> u32 {
    APP.with_borrow_mut(|app| {
        let time = Time { now: Instant::now(), date: date() as u64 };
        let app = app.get_or_insert_with(|| App::new(random::fresh_seed(), time));
        let effects = match input(app, read(&take_input())) {
            Ok(Some(input)) => app.handle(input, time),
            Ok(None) => Vec::new(),
            Err(refused) => vec![refused],
        };
        say_text(&text_of(&effects));
        app.tick_interval().as_millis() as u32
    })
}

/// Converts a message to an input. If the message is an invalid request, returns the error response as an
/// effect.
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

/// Parses JSON that Aleator's JavaScript has written. Invalid JSON ends the program.
fn read<T: DeserializeOwned>(text: &[u8]) -> T {
    serde_json::from_slice(text).unwrap_or_else(|error| fail_with(&error.to_string()))
}

fn text_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| fail_with(&error.to_string()))
}

fn say_text(text: &str) {
    say(text.as_ptr(), text.len());
}
