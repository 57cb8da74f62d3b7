//! Input and output of commands that can be resumed. Such a command processes units, such as positions or
//! games, one by one.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{interrupt, output};
use crate::eval::nets;
use crate::rules::BoardSize;
use crate::search::search_threads;
use crate::tools::datagen::identity;
use crate::tools::resumable::{Begin, OutputTarget, ResumableOutput};
use crate::tools::shard::Shard;

/// The arguments that all commands with resumable output share.
#[derive(Args, Debug)]
pub(super) struct ResumableArgs {
    /// Output file for the results. `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume an interrupted run. Results that are already complete are not changed.
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the output file if it exists.
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// The results of a run while it is in progress.
pub(super) struct Results {
    /// The output file, or `None` if the results are printed to standard output.
    file: Option<ResumableOutput>,
    /// The indices of the units of work, such as positions or games, that are still to be processed.
    pub left: Range<u64>,
    pub bar: ProgressBar,
    how_to_go_on: String,
}

impl ResumableArgs {
    /// Returns the output file, or `None` if the results are printed.
    pub fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| *out != Path::new("-"))
    }

    /// Opens the output for a shard of the work. The whole work consists of `units` units. The output begins
    /// with `header`, which may be empty. The results must depend only on `words` and on this program's
    /// evaluation and search on `boards`. When a run is resumed, `each` is called with the note that
    /// [`Results::add`] stored for each finished unit. If all results are already complete, prints a message
    /// and returns `None`.
    pub fn open<N: DeserializeOwned>(
        &self,
        boards: &[BoardSize],
        words: Value,
        header: &str,
        (shard, units): (Shard, u64),
        each: &mut dyn FnMut(N),
    ) -> anyhow::Result<Option<Results>> {
        let (file, how_to_go_on) = if let Some(out) = self.file() {
            let begin = match (self.resume, self.force) {
                (true, _) => Begin::Resume,
                (false, true) => Begin::Anew,
                (false, false) => Begin::New,
            };
            let work = json!({"words": words, "engine": engine(boards)?});
            let target = OutputTarget { out, shard, begin };
            let Some(file) = ResumableOutput::open(&target, &work, header, each)? else {
                let path = shard.path(out);
                eprintln!("'{}' is already complete and is not changed", path.display());
                return Ok(None);
            };
            (Some(file), interrupt::how_to_go_on(self.resume, true))
        } else {
            ensure!(!self.resume, "only a file can be resumed: add --out FILE");
            if shard.is_first() {
                output::print(format_args!("{header}"));
            }
            (None, "Use --out FILE to make a run resumable.".to_owned())
        };
        let Range { start, end } = shard.range(units);
        let (done, all) = (file.as_ref().map_or(0, ResumableOutput::done), end - start);
        ensure!(
            done <= all,
            "the unfinished results have {done} units, but there are only {all} to do; --force starts again"
        );
        let (left, bar) = (start + done..end, output::progress(all, done));
        Ok(Some(Results { file, left, bar, how_to_go_on }))
    }
}

impl Results {
    /// Returns the index of the next unit.
    pub fn next_unit(&self) -> Option<u64> {
        self.left.clone().next()
    }

    /// Writes the results of the next unit, and a note that [`ResumableArgs::open`] reads if the run is
    /// resumed.
    pub fn add(&mut self, text: &str, note: &impl Serialize) -> anyhow::Result<()> {
        match &mut self.file {
            Some(file) => file.add(text, note)?,
            None => {
                self.bar.suspend(|| output::print(format_args!("{text}")));
                // Stops after a failed write to standard output. `main` reports the cause, unless the reader
                // of a pipe has closed the pipe.
                ensure!(!output::failed(), io::Error::from(ErrorKind::BrokenPipe));
            }
        }
        self.left.start += 1;
        self.bar.inc(1);
        Ok(())
    }

    /// Returns the error for a run that was interrupted by Ctrl-C.
    pub fn interrupted(&self) -> anyhow::Error {
        anyhow!("interrupted after {} units. {}", self.bar.position(), self.how_to_go_on)
    }

    /// Completes the output after the last unit.
    pub fn finish(self) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        Ok(self.file.map_or(Ok(()), ResumableOutput::finish)?)
    }
}

/// Returns fingerprints of this program's evaluation and search, one for each of these boards.
fn engine(boards: &[BoardSize]) -> anyhow::Result<Value> {
    let of = |board: &BoardSize| {
        let identity = identity(*board, nets::embedded(*board))?;
        anyhow::Ok((board.name().to_owned(), serde_json::to_value(identity)?))
    };
    // Runs on a search thread, because a search may need a larger stack than the current thread has.
    search_threads(1)?.install(|| boards.iter().map(of).collect())
}

/// Reads a file, or standard input if the path is `-`. Returns the bytes, and a JSON value with their length
/// and checksum. [`ResumableArgs::open`] uses this value to check that a resumed run has the same input.
pub(super) fn read_input(path: &Path) -> anyhow::Result<(Vec<u8>, Value)> {
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().lock().read_to_end(&mut bytes),
        _ => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.with_context(|| format!("cannot read '{}'", path.display()))?;
    let input = json!({"bytes": bytes.len(), "checksum": crc32fast::hash(&bytes)});
    Ok((bytes, input))
}
