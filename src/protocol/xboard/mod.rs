//! The Chess Engine Communication Protocol, version 2 (T. Mann, H. G. Muller), by which XBoard and
//! WinBoard speak: chess, Chess960 and Pre-Chess.
//!
//! Other than in UCI the engine keeps the game here: it hears the moves one by one, refuses what is
//! illegal, knows whom it plays and claims the end.
//!
//! | file | holds |
//! | --- | --- |
//! | `command` | the table of commands, and how they are read |
//! | `feature` | what is told of the engine, its options and variants |
//! | `clock` | time controls |
//! | `driver` | the game, the sides, and what each command does; when the engine thinks |
//! | `searches` | the searches that were asked of the session, and what becomes of their answers |
//! | `habits` | whether the engine resigns or offers a draw |
//! | `highlight` | where a piece that was picked up may go |
//! | `wording` | thinking output, results, refusals |
//!
//! Lines of input and what the session says come to the driver by one queue, so that it is never
//! asked two things at once.

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
use crate::engine::{Answer, EngineError, Line, LineListener};
use crate::game::Game;
use crate::rules::Variant;
use crate::session::{self, Event, Frontend, SessionError};
use crate::text::{LineError, LineReader};

/// The word with which a GUI begins to speak this protocol.
pub(super) const GREETING: &str = "xboard";

/// Lines of input that may wait for the driver; then the sender waits.
const BACKLOG: usize = 64;

/// What comes to the driver.
enum Message {
    Line(Result<String, LineError>),
    EndOfInput,
    Session(SessionOutput),
}

/// What the session says, as far as it matters here.
enum SessionOutput {
    Ready,
    Line(Line),
    CurrentMove {
        text: String,
        number: usize,
    },
    BestMove(Answer),
    /// Where a move comes from, if not from a search; what was found in a folder.
    Remark(String),
    Error(String),
}

/// Passes on what the session says.
struct XboardFrontend(Sender<Message>);

impl XboardFrontend {
    fn send(&self, heard: SessionOutput) {
        // When the driver has gone, nobody listens any more.
        let _ = self.0.send(Message::Session(heard));
    }
}

impl LineListener for XboardFrontend {
    fn line(&self, line: &Line) {
        self.send(SessionOutput::Line(line.clone()));
    }

    fn current_move(&self, _: i32, mv: &str, number: usize) {
        self.send(SessionOutput::CurrentMove { text: mv.to_owned(), number });
    }

    fn wants_san(&self) -> bool {
        true
    }
}

impl Frontend for XboardFrontend {
    fn hear(&self, event: Event) {
        self.send(match event {
            Event::Ready => SessionOutput::Ready,
            Event::BestMove(answer) => SessionOutput::BestMove(answer.clone()),
            Event::Remark(text) => SessionOutput::Remark(text.to_owned()),
            // A search may end by itself before it hears that it shall.
            Event::Error(SessionError::Idle(_)) => return,
            Event::Error(error) => SessionOutput::Error(error.to_string()),
            Event::Perft { .. } | Event::Text(_) | Event::Variant(_) | Event::ShowWdl(_) => return,
        });
    }
}

/// Carries out the commands of the input until `quit` or its end.
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

/// Sends the lines of the input, no more than the driver keeps up with.
fn read(input: impl BufRead, messages: &Sender<Message>, permits: &SyncSender<()>) {
    for line in LineReader::new(input) {
        if permits.send(()).is_err() || messages.send(Message::Line(line)).is_err() {
            return;
        }
    }
    let _ = messages.send(Message::EndOfInput);
}
