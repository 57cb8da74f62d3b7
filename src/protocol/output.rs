//! Where the engine's lines go.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// How long lines that nobody is waiting for may be held back, to be written together.
///
/// Each write wakes up the reader and costs the search some microseconds; at 10,000 nodes a move
/// that is a dozen lines of analysis within four milliseconds.
const HELD_BACK: Duration = Duration::from_millis(10);

/// How often [`Output::watch_reader`] looks.
const WATCH: Duration = Duration::from_millis(100);

/// A stream of lines that several threads write to. Lines on which the reader acts are flushed at
/// once, with all before them. When a line cannot be written, the program is told, once.
#[derive(Clone)]
pub struct Output {
    stream: Arc<Mutex<Stream>>,
    /// Wakes the thread that writes what was held back.
    alarm: Option<SyncSender<()>>,
}

struct Stream {
    writer: Box<dyn Write + Send>,
    held: Vec<u8>,
    /// The first failure, after which nothing is written any more.
    failure: Option<io::Error>,
    /// What is to be done when that happens.
    on_failure: Option<Box<dyn FnOnce() + Send>>,
    /// Whether the reader has closed its end, where the system can tell.
    is_closed: fn() -> bool,
}

impl Stream {
    fn push(&mut self, text: impl Display) {
        // A vector takes everything.
        let _ = writeln!(self.held, "{text}");
    }

    /// Writes what was held back.
    fn flush(&mut self) {
        if !self.held.is_empty() && self.failure.is_none() {
            let written = self.writer.write_all(&self.held).and_then(|()| self.writer.flush());
            if let Err(error) = written {
                self.fail(error);
            }
        }
        self.held.clear();
    }

    /// Notes a failure to write. Nothing is written any more.
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
    /// Writes to this.
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
        // Without the thread nothing is held back.
        Output { stream, alarm: thread.ok().map(|_| alarm) }
    }

    /// Writes to the standard output.
    pub fn stdout() -> Output {
        let output = Output::new(std::io::stdout());
        output.stream().is_closed = is_stdout_closed;
        output
    }

    /// Returns when the reader has closed its end, having called what [`Output::on_failure`] set.
    /// While a long search writes nothing, nothing else would notice.
    pub fn watch_reader(&self) {
        while !(self.stream().is_closed)() {
            std::thread::sleep(WATCH);
        }
        self.stream().fail(io::ErrorKind::BrokenPipe.into());
    }

    fn stream(&self) -> MutexGuard<'_, Stream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line, or several with line feeds between them, never mixed with others.
    pub fn line(&self, text: impl Display) {
        let mut stream = self.stream();
        stream.push(text);
        stream.flush();
    }

    /// The same for lines that can wait for some milliseconds, such as analysis. They stay in
    /// order with all others.
    pub fn line_soon(&self, text: impl Display) {
        let Some(alarm) = &self.alarm else { return self.line(text) };
        let mut stream = self.stream();
        let first = stream.held.is_empty();
        stream.push(text);
        if first {
            // A full channel means that the thread will come anyway, and no thread that the
            // program ends.
            let _ = alarm.try_send(());
        }
    }

    /// What to do when a line cannot be written: the reader has gone, or the disk is full.
    pub fn on_failure(&self, tell: impl FnOnce() + Send + 'static) {
        self.stream().on_failure = Some(Box::new(tell));
    }

    /// Writes what was held back, and says why a line could not be written. A reader that has gone
    /// needs no message.
    pub fn finish(&self) -> io::Result<()> {
        let mut stream = self.stream();
        stream.flush();
        let failure = stream.failure.take();
        failure.filter(|error| error.kind() != io::ErrorKind::BrokenPipe).map_or(Ok(()), Err)
    }
}

/// Whether nobody can read the standard output any more.
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

/// A remark that GUIs show to the user: `info string`, on one line.
pub fn remark(text: &impl Display) -> String {
    format!("info string {}", text.to_string().replace('\n', " "))
}

/// Writes what is held back, some time after each alarm, until nobody can give one any more.
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

    /// Passes on each write.
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
    fn lines_that_can_wait_come_with_the_next_that_cannot() {
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
    fn lines_that_can_wait_come_by_themselves() {
        let (sender, writes) = channel();
        let output = Output::new(Writes(sender));
        for _ in 0..3 {
            output.line_soon("something");
            assert_eq!(writes.recv().unwrap(), "something\n");
        }
    }

    #[test]
    fn nothing_is_lost_at_the_end() {
        let (sender, writes) = channel();
        let output = Output::new(Writes(sender));
        output.line_soon("last words");
        drop(output);
        let all: String = writes.iter().collect();
        assert_eq!(all, "last words\n");
    }
}
