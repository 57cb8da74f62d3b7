//! Shards: parts of a task that can run in different processes or on different machines (`--shard K/N`).
//!
//! A task consists of units in a fixed order, such as starting positions or games. A shard is one of N
//! contiguous ranges of units. Units do not depend on each other, so the concatenated results of all shards
//! equal the results of the whole task.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The K-th of N parts of a task. K counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u64,
    count: u64,
}

/// The error for a text that is not a shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is not a shard; expected K/N with K from 1 to N and N up to 1000000, such as 3/8 for the third of eight parts"
)]
pub struct ShardError(String);

impl Shard {
    /// The whole task as a single shard.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// The largest allowed number of shards.
    pub const MOST: u64 = 1_000_000;

    /// Returns N, the number of shards.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Returns whether this shard is the whole task.
    pub const fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Returns whether this shard is the first of all. Only the first shard's results have a header.
    pub const fn is_first(self) -> bool {
        self.number == 1
    }

    /// Returns all N shards of the task, from first to last.
    pub fn all(self) -> impl Iterator<Item = Shard> {
        (1..=self.count).map(move |number| Shard { number, count: self.count })
    }

    /// Returns the indices of this shard's units if the task has `units` units. The sizes of two shards
    /// differ by at most one unit.
    pub fn range(self, units: u64) -> Range<u64> {
        // The product may not fit into 64 bits.
        let bound =
            |part: u64| (u128::from(units) * u128::from(part) / u128::from(self.count)) as u64;
        bound(self.number - 1)..bound(self.number)
    }

    /// Returns the file for this shard's results, given the file for the whole task: `table.csv` becomes
    /// `table.3-of-8.csv`. The numbers are padded with zeros, so that sorting the names sorts the shards.
    pub fn path(self, out: &Path) -> PathBuf {
        if self.is_whole() {
            return out.to_owned();
        }
        let width = self.count.to_string().len();
        let mut name = out.file_stem().unwrap_or_default().to_owned();
        name.push(format!(".{:0width$}-of-{}", self.number, self.count));
        if let Some(extension) = out.extension() {
            name.push(".");
            name.push(extension);
        }
        out.with_file_name(name)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let read = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let shard = read.map(|(number, count)| Shard { number, count });
        let fits = |it: &Shard| (1..=it.count).contains(&it.number) && it.count <= Shard::MOST;
        shard.filter(fits).ok_or_else(|| ShardError(crate::text::shorten(text)))
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_contiguous_and_complete() {
        for (units, count) in [(0, 3), (2, 8), (960, 7), (960, 960), (u64::MAX, 1_000_000)] {
            let ranges: Vec<_> =
                Shard { number: 1, count }.all().map(|shard| shard.range(units)).collect();
            assert_eq!(ranges.len() as u64, count);
            assert_eq!((ranges[0].start, ranges.last().unwrap().end), (0, units));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            let sizes = || ranges.iter().map(|range| range.end - range.start);
            assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1, "{units} in {count}");
        }
    }

    #[test]
    fn shards_are_parsed_and_named() {
        let shard: Shard = "3/12".parse().unwrap();
        assert_eq!(shard.to_string(), "3/12");
        assert_eq!(shard.path(Path::new("a.b/table.csv")), Path::new("a.b/table.03-of-12.csv"));
        assert_eq!(shard.path(Path::new("set")), Path::new("set.03-of-12"));
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        assert_eq!(Shard::WHOLE.path(Path::new("table.csv")), Path::new("table.csv"));
        for bad in ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/1000001", "a/b", "1/2/3"] {
            let error = bad.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("is not a shard; expected K/N"), "{error}");
        }
    }
}
