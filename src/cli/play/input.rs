//! Typed lines, Ctrl-C and timeouts.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::cli::interrupt;
use crate::play::EngineQueue;
use crate::text::{LineError, LineReader};

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 4_096;

/// Something that the person did.
pub(super) enum InputEvent {
    Line(String),
    /// The typed line cannot be read.
    Unreadable(LineError),
    /// Nothing happened within the time.
    Nothing,
    /// The input ended, or Ctrl-C was pressed.
    End,
}

/// Standard input, read on its own thread.
pub(super) struct TerminalInput {
    lines: Receiver<Option<Result<String, LineError>>>,
    interrupted: Arc<AtomicBool>,
    /// Whether the input is not a terminal, so that typed lines must be echoed.
    pub is_script: bool,
}

impl TerminalInput {
    /// Starts to read. Ctrl-C also stops the engine.
    pub fn start(engine: Arc<EngineQueue>) -> TerminalInput {
        let (sender, lines) = sync_channel(1);
        let interrupted = Arc::new(AtomicBool::new(false));
        let (flag, end) = (interrupted.clone(), sender.clone());
        interrupt::on_next(move || {
            flag.store(true, Relaxed);
            engine.stop();
            // If the channel is full, the game checks the flag.
            let _ = end.try_send(None);
        });
        std::thread::spawn(move || {
            let lines = LineReader::with_limit(std::io::stdin().lock(), LONGEST_LINE);
            // Sending fails only when the program is about to end.
            let _ = lines.map(Some).chain([None]).try_for_each(|line| sender.send(line));
        });
        TerminalInput { lines, interrupted, is_script: !std::io::stdin().is_terminal() }
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Waits for a line, at most for `time`.
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
