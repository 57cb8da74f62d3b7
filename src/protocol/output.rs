//! Where the engine's lines go.

use std::fmt::Display;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// A stream of lines that several threads write to. Every line is flushed at once, because the
/// reader acts on it; a reader that has gone away is no error.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    /// Writes to this.
    pub fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Box::new(writer))))
    }

    /// Writes to the standard output.
    pub fn stdout() -> Output {
        Output::new(std::io::stdout())
    }

    /// Writes a line, or several with line feeds between them, never mixed with others.
    pub fn line(&self, text: impl Display) {
        let mut text = text.to_string();
        text.push('\n');
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody is left to tell if this fails; the end of the input will end the program.
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    }

    /// Writes a remark that GUIs show to the user: `info string`, on one line.
    pub fn remark(&self, text: impl Display) {
        self.line(format_args!("info string {}", text.to_string().replace('\n', " ")));
    }
}
