//! The Chess Engine Communication Protocol, version 2 (T. Mann, H. G. Muller), which XBoard and WinBoard
//! use: chess, Chess960 and Pre-Chess.
//!
//! Unlike in UCI, the engine keeps the game. It receives moves one by one, rejects illegal ones, knows
//! which side it plays and claims the end of the game.
//!
//! | file | contents |
//! | --- | --- |
//! | `command` | the table of commands and their parser |
//! | `feature` | the features, options and variants that are declared to the GUI |
//! | `clock` | time controls |
//! | `driver` | the game, the sides, the commands, and when the engine thinks |
//! | `searches` | the searches that the session runs |
//! | `habits` | when the engine resigns or offers a draw |
//! | `highlight` | target squares of a piece that was picked up |
//! | `wording` | formats thinking output, results and errors |
//!
//! Lines of input and session events reach the driver through one queue, so that it handles one at a
//! time.

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

/// The number of lines that may wait for the driver before the reader has to wait.
const BACKLOG: usize = 64;

/// A message to the driver.
enum Message {
    Line(Result<String, LineError>),
    EndOfInput,
    Session(SessionOutput),
}

/// The session events that matter to the driver.
enum SessionOutput {
    Ready,
    Line(SearchInfo),
    CurrentMove {
        text: String,
        number: usize,
    },
    BestMove(SearchResult),
    /// The source of a move that does not come from a search, or the tablebases found in a folder.
    Remark(String),
    Error(String),
}

/// Sends the session's events to the driver.
struct XboardFrontend(Sender<Message>);

impl XboardFrontend {
    fn send(&self, heard: SessionOutput) {
        // If the driver is gone, nobody needs the event.
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

/// Executes XBoard commands from the input until `quit` or its end.
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

/// Sends the lines of the input to the driver, waiting for a permit before each.
fn read(input: impl BufRead, messages: &Sender<Message>, permits: &SyncSender<()>) {
    for line in LineReader::new(input) {
        if permits.send(()).is_err() || messages.send(Message::Line(line)).is_err() {
            return;
        }
    }
    let _ = messages.send(Message::EndOfInput);
}
