//! Waits for input in the terminal: typed lines, Ctrl-C and timeouts.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::cli::interrupt;
use crate::play::EngineQueue;
use crate::text::{LineError, LineReader};

/// The maximum length of an input line in bytes.
const LONGEST_LINE: usize = 4_096;

/// An event from the terminal: a typed line, a timeout or the end of the input.
pub(super) enum InputEvent {
    Line(String),
    /// The typed line cannot be read.
    Unreadable(LineError),
    /// No input arrived within the given time.
    Nothing,
    /// The input ended, or Ctrl-C was pressed.
    End,
}

/// A reader of standard input on a separate thread.
pub(super) struct TerminalInput {
    lines: Receiver<Option<Result<String, LineError>>>,
    interrupted: Arc<AtomicBool>,
    /// Whether the input comes from a file or a pipe. The lines are then printed as well, because no terminal
    /// shows them.
    pub is_script: bool,
}

impl TerminalInput {
    /// Starts the thread that reads standard input. Ctrl-C ends the input and stops the engine.
    pub fn start(engine: Arc<EngineQueue>) -> TerminalInput {
        let (sender, lines) = sync_channel(1);
        let interrupted = Arc::new(AtomicBool::new(false));
        let (flag, end) = (interrupted.clone(), sender.clone());
        interrupt::on_next(move || {
            flag.store(true, Relaxed);
            engine.stop();
            // If the channel is full, sending fails, but `next` also checks the flag.
            let _ = end.try_send(None);
        });
        std::thread::spawn(move || {
            let lines = LineReader::with_limit(std::io::stdin().lock(), LONGEST_LINE);
            // Sending fails only after the receiver is gone, when the program is about to end.
            let _ = lines.map(Some).chain([None]).try_for_each(|line| sender.send(line));
        });
        TerminalInput { lines, interrupted, is_script: !std::io::stdin().is_terminal() }
    }

    /// Returns whether Ctrl-C has been pressed.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Waits for the next input event, at most for `time`.
    pub fn next(&self, time: Option<Duration>) -> InputEvent {
        let heard = match time {
            Some(time) => self.lines.recv_timeout(time),
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match heard {
            _ if self.is_interrupted() => InputEvent::End,
            Ok(Some(Ok(line))) => InputEvent::Line(line),
            Ok(Some(Err(LineError::Io(_))) | None) => InputEvent::End,
            Ok(Some(Err(error))) => InputEvent::Unreadable(error),
            Err(RecvTimeoutError::Timeout) => InputEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => InputEvent::End,
        }
    }
}
