//! The XBoard protocol for chess, Chess960 and Pre-Chess: version 2 of the Chess Engine Communication
//! Protocol (T. Mann, H. G. Muller), which XBoard and WinBoard use.
//!
//! Unlike in UCI, the engine keeps the game. The engine receives the moves one by one, rejects illegal
//! moves, plays one of the sides and claims the result when the game has ended.
//!
//! | file | contents |
//! | --- | --- |
//! | `command` | the table of commands, and the parser for commands |
//! | `feature` | the features, options and variants that are declared to the GUI |
//! | `clock` | time controls |
//! | `driver` | keeps the game, executes the commands and decides when the engine thinks |
//! | `searches` | the searches that the session runs |
//! | `habits` | decides whether the engine resigns or offers a draw |
//! | `highlight` | marks the target squares of a piece that was picked up |
//! | `wording` | formats thinking output, results and errors |
//!
//! Lines of input and events of the session reach the driver through the same queue, so the driver handles
//! them one at a time.

mod clock;
mod command;
mod driver;
mod feature;
mod habits;
mod highlight;
mod searches;
mod wording;

use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::thread;

use driver::Driver;

use super::{Output, ProtocolError};
use crate::engine::{EngineError, SearchInfo, SearchListener, SearchResult};
use crate::game::Game;
use crate::rules::Variant;
use crate::session::{self, Event, Frontend, SessionError};
use crate::text::{LineError, LineReader};

/// The word with which a GUI selects this protocol.
pub(super) const GREETING: &str = "xboard";

/// The number of lines that may wait for the driver before the input reader blocks.
const BACKLOG: usize = 64;

/// A message to the driver.
enum Message {
    Line(Result<String, LineError>),
    EndOfInput,
    Session(SessionOutput),
}

/// The events of the session to which the driver reacts.
enum SessionOutput {
    Ready,
    Line(SearchInfo),
    CurrentMove {
        text: String,
        number: usize,
    },
    BestMove(SearchResult),
    /// Additional information: a move that comes from the book, or the tablebases found in a folder.
    Remark(String),
    Error(String),
}

/// The frontend of the session. Sends the session's events to the driver.
struct XboardFrontend(Sender<Message>);

impl XboardFrontend {
    fn send(&self, heard: SessionOutput) {
        // Sending fails if the driver has ended. The event is not needed then.
        let _ = self.0.send(Message::Session(heard));
    }
}

impl SearchListener for XboardFrontend {
    fn info(&self, info: &SearchInfo) {
        self.send(SessionOutput::Line(info.clone()));
    }

    fn current_move(&self, _: i32, mv: &str, number: usize) {
        self.send(SessionOutput::CurrentMove { text: mv.to_owned(), number });
    }
}

impl Frontend for XboardFrontend {
    fn hear(&self, event: Event) {
        self.send(match event {
            Event::Ready => SessionOutput::Ready,
            Event::BestMove(result) => SessionOutput::BestMove(result.clone()),
            Event::Remark(text) => SessionOutput::Remark(text.to_owned()),
            // A search may end by itself just before the driver stops it.
            Event::Error(SessionError::Idle(_)) => return,
            Event::Error(error) => SessionOutput::Error(error.to_string()),
            Event::Perft { .. } | Event::Text(_) | Event::Variant(_) | Event::ShowWdl(_) => return,
        });
    }
}

/// Executes XBoard commands from the input until `quit` or the end of the input.
pub fn run_xboard(
    input: impl BufRead + Send + 'static,
    output: Output,
) -> Result<(), ProtocolError> {
    let game = Game::standard(Variant::Chess).map_err(EngineError::from);
    let game = game.map_err(SessionError::from)?;
    let (sender, messages) = channel();
    let (permits, taken) = sync_channel(BACKLOG);
    session::run(Arc::new(XboardFrontend(sender.clone())), |session| {
        let abandoned = session.clone();
        output.on_failure(move || abandoned.abandon());
        let driver = Driver::new(game, output.clone(), session);
        let driving = thread::Builder::new().name("driver".to_owned());
        driving.spawn(move || driver.run(&messages, &taken))?;
        let reading = thread::Builder::new().name("input".to_owned());
        let watched = output.clone();
        let read_all = move || {
            read(input, &sender, &permits);
            watched.watch_reader();
        };
        reading.spawn(read_all).map(drop)
    })?;
    Ok(output.finish()?)
}

/// Sends the lines of the input to the driver. Waits for a permit before sending each line.
fn read(input: impl BufRead, messages: &Sender<Message>, permits: &SyncSender<()>) {
    for line in LineReader::new(input) {
        if permits.send(()).is_err() || messages.send(Message::Line(line)).is_err() {
            return;
        }
    }
    let _ = messages.send(Message::EndOfInput);
}
