//! The output stream of the UCI and XBoard protocols.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// The time for which lines that are not urgent are buffered, so that they can be written together.
///
/// Each write wakes the reader and costs the search some microseconds. For comparison, a search of 10,000
/// nodes prints a dozen lines of analysis within four milliseconds.
const HELD_BACK: Duration = Duration::from_millis(10);

/// The interval at which [`Output::watch_reader`] checks whether the reader has closed the stream.
const WATCH: Duration = Duration::from_millis(100);

/// A stream of lines to which several threads can write. An urgent line is written immediately, after all
/// lines that are still buffered. The first failure to write calls the function set by
/// [`Output::on_failure`].
#[derive(Clone)]
pub struct Output {
    stream: Arc<Mutex<Stream>>,
    /// Wakes the thread that flushes buffered lines.
    alarm: Option<SyncSender<()>>,
}

struct Stream {
    writer: Box<dyn Write + Send>,
    held: Vec<u8>,
    /// The first failure to write. After a failure nothing more is written.
    failure: Option<io::Error>,
    /// The function to call after the first failure to write.
    on_failure: Option<Box<dyn FnOnce() + Send>>,
    /// Returns whether the reader has closed the stream. Always returns `false` on systems where this cannot
    /// be found out.
    is_closed: fn() -> bool,
}

impl Stream {
    fn push(&mut self, text: impl Display) {
        // Writing to a vector cannot fail.
        let _ = writeln!(self.held, "{text}");
    }

    /// Writes the buffered lines.
    fn flush(&mut self) {
        if !self.held.is_empty() && self.failure.is_none() {
            let written = self.writer.write_all(&self.held).and_then(|()| self.writer.flush());
            if let Err(error) = written {
                self.fail(error);
            }
        }
        self.held.clear();
    }

    /// Records a failure to write and calls the function for failures.
    fn fail(&mut self, error: io::Error) {
        self.failure = Some(error);
        if let Some(tell) = self.on_failure.take() {
            tell();
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.flush();
    }
}

impl Output {
    /// Creates an output that writes to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        let stream = Arc::new(Mutex::new(Stream {
            writer: Box::new(writer),
            held: Vec::new(),
            failure: None,
            on_failure: None,
            is_closed: || false,
        }));
        let (alarm, alarms) = sync_channel(1);
        let weak = Arc::downgrade(&stream);
        let thread = std::thread::Builder::new()
            .name("output".to_owned())
            .spawn(move || write_after_a_while(&alarms, &weak));
        // If the thread cannot be started, every line is written immediately.
        Output { stream, alarm: thread.ok().map(|_| alarm) }
    }

    /// Creates an output that writes to the standard output.
    pub fn stdout() -> Output {
        let output = Output::new(std::io::stdout());
        output.stream().is_closed = is_stdout_closed;
        output
    }

    /// Waits until the reader has closed the stream, and treats this as a failure to write. Without this
    /// check, a long search that writes nothing would continue after the reader has gone.
    pub fn watch_reader(&self) {
        while !(self.stream().is_closed)() {
            std::thread::sleep(WATCH);
        }
        self.stream().fail(io::ErrorKind::BrokenPipe.into());
    }

    fn stream(&self) -> MutexGuard<'_, Stream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line immediately. The text may also consist of several lines, which other lines cannot
    /// interrupt.
    pub fn line(&self, text: impl Display) {
        let mut stream = self.stream();
        stream.push(text);
        stream.flush();
    }

    /// Writes a line that may be buffered for some milliseconds, such as a line of analysis. The order of
    /// all lines is kept.
    pub fn line_soon(&self, text: impl Display) {
        let Some(alarm) = &self.alarm else { return self.line(text) };
        let mut stream = self.stream();
        let first = stream.held.is_empty();
        stream.push(text);
        if first {
            // If the channel is full, the thread is about to flush in any case. If the channel is closed,
            // the program is about to end.
            let _ = alarm.try_send(());
        }
    }

    /// Sets the function to call when a line cannot be written, for example because the reader has gone or
    /// the disk is full.
    pub fn on_failure(&self, tell: impl FnOnce() + Send + 'static) {
        self.stream().on_failure = Some(Box::new(tell));
    }

    /// Writes the buffered lines. Returns the first failure to write, unless writing failed because the
    /// reader has closed the stream.
    pub fn finish(&self) -> io::Result<()> {
        let mut stream = self.stream();
        stream.flush();
        let failure = stream.failure.take();
        failure.filter(|error| error.kind() != io::ErrorKind::BrokenPipe).map_or(Ok(()), Err)
    }
}

/// Returns whether the reader of the standard output has closed the stream.
fn is_stdout_closed() -> bool {
    #[cfg(all(unix, feature = "program"))]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdout = std::io::stdout();
        let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
        let polled = poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        let gone = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
        polled.is_ok() && fds[0].revents().intersects(gone)
    }
    #[cfg(not(all(unix, feature = "program")))]
    false
}

/// Formats a message to the user as a single `info string` line.
pub fn remark(text: &impl Display) -> String {
    format!("info string {}", text.to_string().replace('\n', " "))
}

/// Waits for alarms. Writes the buffered lines [`HELD_BACK`] after each alarm. Returns when the output is
/// dropped.
fn write_after_a_while(alarms: &Receiver<()>, stream: &Weak<Mutex<Stream>>) {
    while alarms.recv().is_ok() {
        std::thread::sleep(HELD_BACK);
        let Some(stream) = stream.upgrade() else { return };
        stream.lock().unwrap_or_else(PoisonError::into_inner).flush();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    /// A writer that sends the bytes of each write to a channel.
    struct Writes(Sender<String>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn urgent_lines_flush_the_lines_before_them() {
        let (sender, writes) = channel();
        let output = Output::new(Writes(sender));
        output.line("one");
        assert_eq!(writes.recv().unwrap(), "one\n");
        output.line_soon("two");
        output.line_soon("three");
        output.line("four");
        let rest: String = [writes.recv().unwrap()].into_iter().chain(writes.try_iter()).collect();
        assert_eq!(rest, "two\nthree\nfour\n");
    }

    #[test]
    fn lines_that_can_wait_are_flushed_after_a_while() {
        let (sender, writes) = channel();
        let output = Output::new(Writes(sender));
        for _ in 0..3 {
            output.line_soon("something");
            assert_eq!(writes.recv().unwrap(), "something\n");
        }
    }

    #[test]
    fn dropping_the_output_flushes_it() {
        let (sender, writes) = channel();
        let output = Output::new(Writes(sender));
        output.line_soon("last words");
        drop(output);
        let all: String = writes.iter().collect();
        assert_eq!(all, "last words\n");
    }
}
