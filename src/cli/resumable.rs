//! The input and output of commands that work unit by unit and can be resumed.

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

/// The arguments that these commands share: `#[command(flatten)]`.
#[derive(Args, Debug)]
pub(super) struct ResumableArgs {
    /// Write the results to this file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume an interrupted run. Finished results are not changed.
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Results that are being written.
pub(super) struct Results {
    /// The file, unless they are printed.
    file: Option<ResumableOutput>,
    /// The indices of the units that are left.
    pub left: Range<u64>,
    pub bar: ProgressBar,
    how_to_go_on: String,
}

impl ResumableArgs {
    /// The file, unless the results are printed.
    pub fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| *out != Path::new("-"))
    }

    /// Opens the results of a shard of `units` units, with a header, which may be empty. `words`, and this
    /// program's evaluation and search on `boards`, determine them. `each` gets the notes of existing
    /// units. Returns `None`, and reports it, if the results are complete already.
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
                eprintln!("'{}' is already complete; it is not changed", path.display());
                return Ok(None);
            };
            (Some(file), interrupt::how_to_go_on(self.resume, true))
        } else {
            ensure!(!self.resume, "only a file can be resumed: --out FILE");
            if shard.is_first() {
                output::print(format_args!("{header}"));
            }
            (None, "With --out FILE the work could be resumed.".to_owned())
        };
        let Range { start, end } = shard.range(units);
        let (done, all) = (file.as_ref().map_or(0, ResumableOutput::done), end - start);
        ensure!(
            done <= all,
            "the unfinished results have {done} units, but there are {all} to do; --force starts again"
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

    /// Adds the results of the next unit.
    pub fn add(&mut self, text: &str, note: &impl Serialize) -> anyhow::Result<()> {
        match &mut self.file {
            Some(file) => file.add(text, note)?,
            None => {
                self.bar.suspend(|| output::print(format_args!("{text}")));
                // The reader is gone; `main` reports this if necessary.
                ensure!(!output::failed(), io::Error::from(ErrorKind::BrokenPipe));
            }
        }
        self.left.start += 1;
        self.bar.inc(1);
        Ok(())
    }

    /// The error for work that was interrupted by Ctrl-C.
    pub fn interrupted(&self) -> anyhow::Error {
        anyhow!("interrupted after {} units. {}", self.bar.position(), self.how_to_go_on)
    }

    /// Completes the results after the last unit.
    pub fn finish(self) -> anyhow::Result<()> {
        self.bar.finish_and_clear();
        Ok(self.file.map_or(Ok(()), ResumableOutput::finish)?)
    }
}

/// Returns the identity of this program's evaluation and search on these boards.
fn engine(boards: &[BoardSize]) -> anyhow::Result<Value> {
    let of = |board: &BoardSize| {
        let identity = identity(*board, nets::embedded(*board))?;
        anyhow::Ok((board.name().to_owned(), serde_json::to_value(identity)?))
    };
    // On its own thread, because searches need a larger stack than this one may have.
    search_threads(1)?.install(|| boards.iter().map(of).collect())
}

/// Reads a file, or standard input if it is `-`. Returns its bytes, and their length and checksum, by which
/// [`ResumableArgs::open`] recognises them.
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
