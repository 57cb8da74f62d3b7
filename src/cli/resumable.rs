//! The output of commands that work unit by unit and can be split into shards.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;
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
    /// Write the results to this file instead of standard output. A part is written to its own file: the
    /// third of eight of `new.pgn` is `new.3-of-8.pgn`.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Resume an interrupted run. Finished results are not changed.
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Do the K-th of N parts of the work; join them with `aleator join FILE`.
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,
}

/// Where results are written.
pub(super) enum Results {
    /// To standard output.
    Printed,
    /// To a file, from which the work can be resumed.
    Kept(Box<ResumableOutput>),
}

impl ResumableArgs {
    /// Whether --out or --shard is given.
    pub fn is_any(&self) -> bool {
        self.out.is_some() || !self.shard.is_whole()
    }

    /// Opens the results of `work`, which contains everything that determines them (see [`decided_by`]),
    /// with a header, which may be empty. `each` gets the notes of existing units. Returns `None`, and
    /// reports it, if the results are complete already.
    pub fn open<N: DeserializeOwned>(
        &self,
        work: &Value,
        header: &str,
        each: &mut dyn FnMut(N),
    ) -> anyhow::Result<Option<Results>> {
        let Some(out) = &self.out else {
            if self.shard.is_first() {
                output::print(format_args!("{header}"));
            }
            return Ok(Some(Results::Printed));
        };
        let begin = match (self.resume, self.force) {
            (true, _) => Begin::Resume,
            (false, true) => Begin::Anew,
            (false, false) => Begin::New,
        };
        let resumable = ResumableOutput::open(
            &OutputTarget { out, shard: self.shard, begin },
            work,
            header,
            each,
        )?;
        if resumable.is_none() {
            eprintln!(
                "'{}' is already complete; it is not changed",
                self.shard.path(out).display()
            );
        }
        Ok(resumable.map(|resumable| Results::Kept(Box::new(resumable))))
    }

    /// The error for work that was interrupted by Ctrl-C.
    pub fn interrupted(&self, done: u64) -> anyhow::Error {
        let how = match self.out {
            Some(_) => interrupt::how_to_go_on(self.resume, true),
            None => "With --out FILE the work could be resumed.".to_owned(),
        };
        anyhow!("interrupted after {done} units. {how}")
    }
}

impl Results {
    /// The number of existing units.
    pub fn done(&self) -> u64 {
        match self {
            Results::Printed => 0,
            Results::Kept(resumable) => resumable.done(),
        }
    }

    /// Adds the results of the next unit.
    pub fn add(&mut self, text: &str, note: &impl Serialize) -> anyhow::Result<()> {
        match self {
            Results::Printed => {
                output::print(format_args!("{text}"));
                // The reader is gone; `main` reports this if necessary.
                if output::failed() {
                    bail!(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
                }
                Ok(())
            }
            Results::Kept(resumable) => Ok(resumable.add(text, note)?),
        }
    }

    /// Completes the results after the last unit.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Results::Printed => Ok(()),
            Results::Kept(resumable) => Ok(resumable.finish()?),
        }
    }
}

/// Returns everything that determines results, for [`ResumableArgs::open`]: the command's arguments,
/// and the identity of this program's evaluation and search on these boards.
pub(super) fn decided_by(boards: &[BoardSize], words: Value) -> anyhow::Result<Value> {
    let engine = || {
        let identity = |board: &BoardSize| {
            let name = board.name().to_owned();
            anyhow::Ok((name, serde_json::to_value(identity(*board, nets::embedded(*board))?)?))
        };
        boards.iter().map(identity).collect::<Result<serde_json::Map<_, _>, _>>()
    };
    // On its own thread, because searches need a larger stack than this one may have.
    let engine = search_threads(1)?.install(engine)?;
    Ok(json!({"words": words, "engine": engine}))
}
