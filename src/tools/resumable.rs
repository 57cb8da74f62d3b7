//! Output that can be resumed after an interruption and divided into [shards](super::shard).
//!
//! Commands that use this module process their work in units, such as starting positions or games. During
//! the work the results are in `FILE.unfinished`. The first line is JSON that describes the work, and each
//! further line is JSON with the results of one unit. If the process is killed, only the last line can be
//! incomplete. When all units are complete, the concatenated texts of the units are written to `FILE`. Each
//! shard also has a manifest, `FILE.manifest.json`. [`join`] compares the manifests to check that all shards
//! belong to the same work.
//!
//! ```
//! use aleator::tools::shard::Shard;
//! use aleator::tools::resumable::{Begin, OutputTarget, ResumableOutput, join};
//!
//! let folder = tempfile::tempdir()?;
//! let out = folder.path().join("squares.csv");
//! let work = serde_json::json!({"power": 2}); // all parameters that affect the results
//! for shard in "1/3".parse::<Shard>()?.all() {
//!     let target = OutputTarget { out: &out, shard, begin: Begin::Resume };
//!     let mut notes = 0;
//!     // Here the note of a unit is a number. `open` returns `None` if the shard is already complete.
//!     let Some(mut units) = ResumableOutput::open(&target, &work, "n,n^2\n", &mut |note: u64| notes += note)?
//!     else { continue };
//!     let range = shard.range(10);
//!     for n in range.start + units.done()..range.end {
//!         units.add(&format!("{n},{}\n", n * n), &n)?;
//!     }
//!     units.finish()?;
//! }
//! join(&out, false)?;
//! assert!(std::fs::read_to_string(&out)?.starts_with("n,n^2\n0,0\n1,1\n2,4\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::log::{Log, LogError, difference};
use super::shard::Shard;
use crate::files::{self, FileError, IfExists, NewFile};

/// Errors of writing, resuming or joining results.
#[derive(Debug, thiserror::Error)]
pub enum ResumableError {
    #[error("{0}")]
    File(#[from] FileError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("cannot read '{}': {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error(
        "'{}' is from an interrupted run: continue it with --resume, or start again with --force",
        path.display()
    )]
    Unfinished { path: PathBuf },
    #[error("'{}' does not contain unfinished results of this program and was not changed; --force replaces the file", path.display())]
    Foreign { path: PathBuf },
    #[error("line {line} of '{}' cannot be read: {error}; the file was not changed; --force starts again", path.display())]
    Line { path: PathBuf, line: u64, error: serde_json::Error },
    #[error(
        "'{}' is from a run with other settings: its {name} is {theirs}, but {ours} is expected; --force starts again",
        path.display()
    )]
    Other { path: PathBuf, name: String, theirs: Value, ours: Value },
    #[error("there are no shards of '{}'; expected files with names such as '{}'", out.display(), example.display())]
    NoParts { out: PathBuf, example: PathBuf },
    #[error("there are shards of '{}' from divisions into {} and into {} parts; remove the shards of the wrong division",
        out.display(), counts[0], counts[1])]
    Counts { out: PathBuf, counts: Vec<u64> },
    #[error("the shards of '{}' cannot be joined: {}", out.display(), missing.join(", "))]
    Missing { out: PathBuf, missing: Vec<String> },
}

/// What to do with existing results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// Fails if there are results already, and does not change them.
    New,
    /// Continues unfinished results, and keeps finished results.
    Resume,
    /// Replaces existing results as soon as the new results are complete.
    Anew,
}

/// The place to which results are written.
#[derive(Clone, Copy, Debug)]
pub struct OutputTarget<'a> {
    /// The file for the results of the whole work. A shard's results are written to [`Shard::path`].
    pub out: &'a Path,
    pub shard: Shard,
    pub begin: Begin,
}

/// The results of a shard while they are being written.
#[derive(Debug)]
pub struct ResumableOutput {
    log: Log,
    head: Head,
    path: PathBuf,
    shard: Shard,
    done: u64,
}

/// The first line of a file of unfinished results.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Head {
    work: Value,
    /// The text before the results of the first unit.
    header: String,
    /// Whether an existing file of finished results may be replaced.
    replace: bool,
}

/// A line with the results of one unit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unit<T, N> {
    text: T,
    note: N,
}

/// Returns the path with a suffix appended.
fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

fn unfinished(path: &Path) -> PathBuf {
    with_suffix(path, ".unfinished")
}

fn manifest(part: &Path) -> PathBuf {
    with_suffix(part, ".manifest.json")
}

impl ResumableOutput {
    /// Opens the results of a shard. `work` must contain all parameters that affect the results. `header` is
    /// written before the first unit of the first shard. `each` is called with the note of each unit that
    /// an earlier run has finished. Returns `None` if the results are already complete.
    pub fn open<N: DeserializeOwned>(
        target: &OutputTarget,
        work: &Value,
        header: &str,
        each: &mut dyn FnMut(N),
    ) -> Result<Option<ResumableOutput>, ResumableError> {
        let OutputTarget { out, shard, begin } = *target;
        let path = shard.path(out);
        let (growing, replace) = (unfinished(&path), begin == Begin::Anew);
        let (is_whole, is_begun) = (path.exists(), growing.exists());
        match begin {
            Begin::Resume if is_whole && !is_begun => {
                check_manifest(&path, shard, work)?;
                return Ok(None);
            }
            Begin::New if is_begun => return Err(ResumableError::Unfinished { path: growing }),
            // Fails before the work starts if the file cannot be written.
            Begin::New | Begin::Anew => drop(NewFile::create(&path, IfExists::forced(replace))?),
            Begin::Resume => {}
        }
        let log = Log::open(&growing)?;
        let header = if shard.is_first() { header.to_owned() } else { String::new() };
        let head = Head { work: work.clone(), header, replace };
        let mut resumable = ResumableOutput { log, head, path, shard, done: 0 };
        if begin != Begin::Resume || !is_begun {
            resumable.log.cut(0)?;
            resumable.append(&resumable.head.clone())?;
            return Ok(Some(resumable));
        }
        let length = resumable.read(each)?;
        // If the output file has its full length, the process was killed in `finish` just before the cleanup.
        let size = fs::metadata(&resumable.path).map(|metadata| metadata.len());
        if size.is_ok_and(|size| size == length as u64) {
            resumable.clean_up();
            return Ok(None);
        }
        Ok(Some(resumable))
    }

    /// Returns the number of completed units.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Adds the results of the next unit, and a note that [`ResumableOutput::open`] reads if the run is
    /// resumed.
    pub fn add(&mut self, text: &str, note: &impl Serialize) -> Result<(), ResumableError> {
        self.append(&Unit { text, note })?;
        self.done += 1;
        Ok(())
    }

    /// Writes the output file from the results of all units. Must be called after the last unit.
    pub fn finish(self) -> Result<(), ResumableError> {
        if !self.shard.is_whole() {
            let text = format!("{:#}\n", self.head.work);
            files::write(&manifest(&self.path), text.as_bytes(), IfExists::Replace)?;
        }
        let mut text = self.head.header.clone();
        for line in self.log.reader()?.lines().skip(1) {
            // Cannot fail to parse, because this program has read or written the line before.
            let unit =
                line.and_then(|line| Ok(serde_json::from_str::<Unit<String, Value>>(&line)?));
            text += &unit.map_err(|error| self.log.failed(error))?.text;
        }
        files::write(&self.path, text.as_bytes(), IfExists::forced(self.head.replace))?;
        self.clean_up();
        Ok(())
    }

    /// Removes the file of unfinished results. If that fails, the next run removes the file.
    fn clean_up(self) {
        let _ = fs::remove_file(unfinished(&self.path));
    }

    fn append(&mut self, entry: &impl Serialize) -> Result<(), ResumableError> {
        let line = serde_json::to_string(entry).map_err(|error| self.log.failed(error.into()))?;
        Ok(self.log.append((line + "\n").as_bytes())?)
    }

    /// Reads the results of an earlier run, and removes an incomplete last line. Returns the total length of
    /// the header and the units' texts.
    fn read<N: DeserializeOwned>(
        &mut self,
        each: &mut dyn FnMut(N),
    ) -> Result<usize, ResumableError> {
        let path = unfinished(&self.path);
        let bytes = self.log.bytes()?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let foreign = || ResumableError::Foreign { path: path.clone() };
        match lines.next() {
            Some(line) => {
                let theirs: Head = serde_json::from_slice(line).map_err(|_| foreign())?;
                check(&path, &theirs.work, &self.head.work)?;
                self.head = theirs;
            }
            // The process was killed while it wrote the first line.
            None if b"{\"work\":".starts_with(&bytes[..bytes.len().min(8)]) => {}
            None => return Err(foreign()),
        }
        let mut length = self.head.header.len();
        for (line, text) in (2..).zip(lines) {
            let unit: Unit<String, N> = serde_json::from_slice(text)
                .map_err(|error| ResumableError::Line { path: path.clone(), line, error })?;
            length += unit.text.len();
            each(unit.note);
            self.done += 1;
        }
        self.log.cut(whole as u64)?;
        if whole == 0 {
            self.append(&self.head.clone())?;
        }
        Ok(length)
    }
}

/// Checks that two descriptions of work are equal. `path` is the file with the description `theirs`.
fn check(path: &Path, theirs: &Value, ours: &Value) -> Result<(), ResumableError> {
    match difference("", theirs, ours) {
        None => Ok(()),
        Some((name, theirs, ours)) => {
            Err(ResumableError::Other { path: path.to_owned(), name, theirs, ours })
        }
    }
}

/// Checks that a finished shard belongs to this work. A single shard for the whole work has no manifest, so
/// there is nothing to check.
fn check_manifest(path: &Path, shard: Shard, work: &Value) -> Result<(), ResumableError> {
    if shard.is_whole() { Ok(()) } else { check(path, &read_manifest(path)?, work) }
}

fn read_manifest(part: &Path) -> Result<Value, ResumableError> {
    let path = manifest(part);
    let failed = |error| ResumableError::Read { path: path.clone(), error };
    serde_json::from_str(&fs::read_to_string(&path).map_err(failed)?)
        .map_err(|error| failed(error.into()))
}

/// Returns every N for which the folder of `out` has a finished or unfinished shard `K-of-N` of `out`.
fn part_counts(out: &Path) -> Result<Vec<u64>, ResumableError> {
    let folder = files::folder_of(out);
    let failed = |error| ResumableError::Read { path: folder.to_owned(), error };
    let [stem, extension] =
        [out.file_stem(), out.extension()].map(|text| text.unwrap_or_default().to_string_lossy());
    let ending = if extension.is_empty() { String::new() } else { format!(".{extension}") };
    let count_of = |name: &str| {
        let name = name.strip_suffix(".unfinished").unwrap_or(name);
        let rest = name.strip_prefix(&*stem)?.strip_prefix('.')?.strip_suffix(&ending)?;
        let (number, count) = rest.split_once("-of-")?;
        let shard: Shard = format!("{number}/{count}").parse().ok()?;
        Some(shard.count())
    };
    let mut counts = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        counts.extend(count_of(&entry.map_err(failed)?.file_name().to_string_lossy()));
    }
    Ok(counts.into_iter().collect())
}

/// Joins the shards of `out`, which must be complete and belong to the same work. Returns the number of
/// shards.
pub fn join(out: &Path, force: bool) -> Result<u64, ResumableError> {
    let counts = part_counts(out)?;
    let name = || out.to_owned();
    let first = |count| format!("1/{count}").parse::<Shard>().unwrap_or(Shard::WHOLE);
    let count = match counts[..] {
        [count] => count,
        [] => return Err(ResumableError::NoParts { out: name(), example: first(8).path(out) }),
        _ => return Err(ResumableError::Counts { out: name(), counts }),
    };
    let parts: Vec<(Shard, PathBuf)> =
        first(count).all().map(|shard| (shard, shard.path(out))).collect();
    let fault = |(shard, path): &(Shard, PathBuf)| match path.exists() {
        _ if unfinished(path).exists() => Some(format!("shard {shard} is unfinished")),
        true => None,
        false => Some(format!("shard {shard} is missing")),
    };
    let missing: Vec<String> = parts.iter().filter_map(fault).collect();
    if !missing.is_empty() {
        return Err(ResumableError::Missing { out: name(), missing });
    }
    let work = read_manifest(&parts[0].1)?;
    parts[1..].iter().try_for_each(|(_, path)| check(path, &read_manifest(path)?, &work))?;
    let mut whole = Vec::new();
    for (_, path) in parts {
        whole.extend(fs::read(&path).map_err(|error| ResumableError::Read { path, error })?);
    }
    files::write(out, &whole, IfExists::forced(force))?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "header\n0\n10\n20\n30\n40\n";

    fn work(nodes: u64) -> Value {
        serde_json::json!({"words": {"nodes": nodes}})
    }

    fn open(
        out: &Path,
        shard: &str,
        begin: Begin,
    ) -> Result<Option<ResumableOutput>, ResumableError> {
        let target = OutputTarget { out, shard: shard.parse().unwrap(), begin };
        ResumableOutput::open(&target, &work(1), "header\n", &mut |()| {})
    }

    /// Adds units until the shard has `most` units.
    fn add(resumable: &mut ResumableOutput, shard: &str, most: u64) {
        let range = shard.parse::<Shard>().unwrap().range(5);
        for n in range.skip(resumable.done() as usize).take((most - resumable.done()) as usize) {
            resumable.add(&format!("{}\n", 10 * n), &()).unwrap();
        }
    }

    fn make(out: &Path, shard: &str, begin: Begin) {
        let mut resumable = open(out, shard, begin).unwrap().unwrap();
        add(&mut resumable, shard, 5);
        resumable.finish().unwrap();
    }

    #[test]
    fn results_are_the_same_wherever_the_work_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.csv");
        let mut resumable = open(&out, "1/1", Begin::New).unwrap().unwrap();
        add(&mut resumable, "1/1", 3);
        drop(resumable);
        let growing = unfinished(&out);
        let bytes = fs::read(&growing).unwrap();
        for length in 0..=bytes.len() {
            fs::write(&growing, &bytes[..length]).unwrap();
            let mut resumable = open(&out, "1/1", Begin::Resume).unwrap().unwrap();
            let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(resumable.done(), lines.saturating_sub(1), "{length}");
            add(&mut resumable, "1/1", 5);
            resumable.finish().unwrap();
            assert_eq!(fs::read_to_string(&out).unwrap(), WHOLE, "{length}");
            assert!(
                open(&out, "1/1", Begin::Resume).unwrap().is_none(),
                "resuming again changes nothing"
            );
            fs::remove_file(&out).unwrap();
        }
        // The process was killed after it wrote the results, but before it removed the unfinished file.
        fs::write(&growing, &bytes).unwrap();
        make(&out, "1/1", Begin::Resume);
        fs::write(&growing, &bytes).unwrap();
        let mut resumable = open(&out, "1/1", Begin::Resume).unwrap().unwrap();
        add(&mut resumable, "1/1", 5);
        drop(resumable);
        assert!(open(&out, "1/1", Begin::Resume).unwrap().is_none());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn shards_are_joined_and_missing_shards_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.csv");
        let error = || join(&out, false).unwrap_err().to_string();
        assert!(error().contains("there are no shards of"), "{}", error());
        for shard in ["1/7", "2/7", "3/7", "5/7", "7/7"] {
            make(&out, shard, Begin::New);
        }
        drop(open(&out, "4/7", Begin::New).unwrap());
        assert!(error().ends_with("shard 4/7 is unfinished, shard 6/7 is missing"), "{}", error());
        make(&out, "4/7", Begin::Resume);
        make(&out, "6/7", Begin::New);
        assert_eq!(join(&out, false).unwrap(), 7);
        assert_eq!(fs::read_to_string(&out).unwrap(), WHOLE);
        assert!(error().contains("already exists"), "{}", error());
        assert_eq!(join(&out, true).unwrap(), 7);
        // A shard of different work is rejected.
        let shard = "6/7".parse().unwrap();
        let target = OutputTarget { out: &out, shard, begin: Begin::Anew };
        let resumable =
            ResumableOutput::open(&target, &work(2), "", &mut |()| {}).unwrap().unwrap();
        resumable.finish().unwrap();
        let error = join(&out, true).unwrap_err().to_string();
        assert!(error.contains("its words nodes is 2, but 1 is expected"), "{error}");
        assert!(open(&out, "6/7", Begin::Resume).is_err());
        drop(open(&out, "1/2", Begin::New).unwrap());
        let error = join(&out, true).unwrap_err().to_string();
        assert!(error.contains("into 2 and into 7 parts"), "{error}");
    }

    #[test]
    fn nothing_is_overwritten_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("x.csv");
        drop(open(&out, "1/1", Begin::New).unwrap());
        let error = open(&out, "1/1", Begin::New).unwrap_err().to_string();
        assert!(error.contains("continue it with --resume"), "{error}");
        let busy = open(&out, "1/1", Begin::Resume).unwrap();
        assert!(matches!(
            open(&out, "1/1", Begin::Anew),
            Err(ResumableError::Log(LogError::Busy { .. }))
        ));
        drop(busy);
        let target = OutputTarget { out: &out, shard: Shard::WHOLE, begin: Begin::Resume };
        let error =
            ResumableOutput::open(&target, &work(2), "", &mut |()| {}).unwrap_err().to_string();
        assert!(error.contains("its words nodes is 1, but 2 is expected"), "{error}");
        make(&out, "1/1", Begin::Resume);
        assert!(matches!(
            open(&out, "1/1", Begin::New),
            Err(ResumableError::File(FileError::Exists { .. }))
        ));
        // With --force, the old results are kept until the new results are complete.
        fs::write(&out, "old").unwrap();
        drop(open(&out, "1/1", Begin::Anew).unwrap());
        assert_eq!(fs::read_to_string(&out).unwrap(), "old");
        make(&out, "1/1", Begin::Resume);
        assert_eq!(fs::read_to_string(&out).unwrap(), WHOLE);
        fs::remove_file(&out).unwrap();
        for text in ["precious", "precious\n", "{\"work\":{}}\n", "\n"] {
            fs::write(unfinished(&out), text).unwrap();
            let error = open(&out, "1/1", Begin::Resume).unwrap_err();
            assert!(matches!(error, ResumableError::Foreign { .. }), "{text}: {error}");
            assert_eq!(fs::read_to_string(unfinished(&out)).unwrap(), text);
        }
    }
}
