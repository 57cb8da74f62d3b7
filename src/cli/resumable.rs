//! Where the results of units go, for every command that is given out in shards.

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

/// The arguments that such commands share: `#[command(flatten)]`.
#[derive(Args, Debug)]
pub(super) struct ResumableArgs {
    /// Where the results go; standard output if nothing is said. A part goes to a file of its own:
    /// the third of eight of `new.pgn` is `new.3-of-8.pgn`.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with what an interrupted run has left. What is finished stays as it is.
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the file if it exists.
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Do the K-th of N parts of the work; `aleator join FILE` puts them together.
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    pub shard: Shard,
}

/// Where results go.
pub(super) enum Results {
    /// To standard output, and are not kept.
    Printed,
    /// To a file.
    Kept(Box<ResumableOutput>),
}

impl ResumableArgs {
    /// Whether any of them is given.
    pub fn is_any(&self) -> bool {
        self.out.is_some() || !self.shard.is_whole()
    }

    /// Opens the results of `work`, which holds all that decides them (see [`decided_by`]), with a
    /// header, which may be empty. `each` hears the notes of the units that are there already.
    /// Nothing comes back if all are there and finished, which is told.
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
            eprintln!("'{}' is finished; it stays as it is", self.shard.path(out).display());
        }
        Ok(resumable.map(|resumable| Results::Kept(Box::new(resumable))))
    }

    /// The error of work that Ctrl-C interrupted.
    pub fn interrupted(&self, done: u64) -> anyhow::Error {
        let how = match self.out {
            Some(_) => interrupt::how_to_go_on(self.resume, true),
            None => "With --out FILE the work could go on.".to_owned(),
        };
        anyhow!("interrupted; {done} are done. {how}")
    }
}

impl Results {
    /// How many units are there already.
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
                // Nobody reads it any more; `main` says so if need be.
                if output::failed() {
                    bail!(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
                }
                Ok(())
            }
            Results::Kept(resumable) => Ok(resumable.add(text, note)?),
        }
    }

    /// All units are there.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Results::Printed => Ok(()),
            Results::Kept(resumable) => Ok(resumable.finish()?),
        }
    }
}

/// What decides results, for [`ResumableArgs::open`]: the command's own words, and what evaluation and
/// search of this program are on these boards.
pub(super) fn decided_by(boards: &[BoardSize], words: Value) -> anyhow::Result<Value> {
    let engine = || {
        let identity = |board: &BoardSize| {
            let name = board.name().to_owned();
            anyhow::Ok((name, serde_json::to_value(identity(*board, nets::embedded(*board))?)?))
        };
        boards.iter().map(identity).collect::<Result<serde_json::Map<_, _>, _>>()
    };
    // On a thread of its own, because searches want a larger stack than this one may have.
    let engine = search_threads(1)?.install(engine)?;
    Ok(json!({"words": words, "engine": engine}))
}
