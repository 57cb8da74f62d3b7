//! Training positions on disk, read in random order for each epoch.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::packed::Packed;
use crate::files::FileError;
use crate::random::Rng;

/// The name of a game: the hash of the set that it was made for, and its index there.
pub(super) type GameName = (u32, u32);

/// The number of buckets; each gets a small random part of each set.
const BUCKETS: usize = 256;
/// Bytes of a bucket that are written at once.
const BUFFER: usize = 64 << 10;
/// The header of a game in a bucket: the hash of its set, its index there, its number of positions.
const HEADER: usize = 12;

/// Training positions on disk, for data larger than memory.
///
/// The name of a game selects its bucket. An epoch reads the buckets in random order, as many at a time
/// as memory allows, and shuffles the positions of those. So positions of all sets and games are mixed,
/// and their order does not depend on the order of games in their files. The file is anonymous and
/// vanishes when the program ends.
#[derive(Debug)]
pub struct Buckets {
    /// Where the file is, for errors.
    folder: PathBuf,
    file: File,
    length: u64,
    buckets: Vec<Bucket>,
}

#[derive(Clone, Default, Debug)]
struct Bucket {
    positions: usize,
    /// Offsets and lengths of the parts in the file.
    written: Vec<(u64, usize)>,
    /// What is not written yet.
    rest: Vec<u8>,
}

/// Encodes a game for a bucket.
pub(super) fn record((set, index): GameName, positions: &[Packed]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + positions.len() * Packed::BYTES);
    for number in [set, index, positions.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(positions.iter().flat_map(|packed| packed.to_bytes()));
    bytes
}

/// Decodes the games of a bucket: their names, and the bytes of their positions.
fn records(mut bytes: &[u8]) -> impl Iterator<Item = (GameName, &[u8])> {
    std::iter::from_fn(move || {
        let header = bytes.split_off(..HEADER)?.as_chunks().0;
        let [set, index, count] = [0, 1, 2].map(|number| u32::from_le_bytes(header[number]));
        Some(((set, index), bytes.split_off(..count as usize * Packed::BYTES)?))
    })
}

impl Buckets {
    /// Creates empty buckets with their file in this folder.
    pub fn new(folder: &Path) -> Result<Buckets, FileError> {
        let folder = folder.to_owned();
        match tempfile::tempfile_in(&folder) {
            Ok(file) => {
                Ok(Buckets { folder, file, length: 0, buckets: vec![Bucket::default(); BUCKETS] })
            }
            Err(error) => Err(FileError::Write { path: folder, error }),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.buckets.iter().map(|bucket| bucket.positions).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the [`record`] of a game with this number of positions.
    pub(super) fn push(
        &mut self,
        (set, index): GameName,
        positions: usize,
        record: &[u8],
    ) -> Result<(), FileError> {
        let name = u64::from(set) << 32 | u64::from(index);
        let number = Rng::new(name).below(BUCKETS as u64) as usize;
        let bucket = &mut self.buckets[number];
        bucket.positions += positions;
        bucket.rest.extend(record);
        if bucket.rest.len() >= BUFFER {
            let written = self.file.write_all(&bucket.rest);
            written.map_err(|error| FileError::Write { path: self.folder.clone(), error })?;
            bucket.written.push((self.length, bucket.rest.len()));
            self.length += bucket.rest.len() as u64;
            bucket.rest.clear();
        }
        Ok(())
    }

    /// Appends the positions of a bucket, ordered by the names of their games.
    fn load(&self, bucket: &Bucket, to: &mut Vec<Packed>) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(bucket.positions * (Packed::BYTES + 1));
        let mut file = &self.file;
        for (place, length) in &bucket.written {
            file.seek(SeekFrom::Start(*place))?;
            let begin = bytes.len();
            bytes.resize(begin + length, 0);
            file.read_exact(&mut bytes[begin..])?;
        }
        bytes.extend(&bucket.rest);
        let mut games: Vec<(GameName, &[u8])> = records(&bytes).collect();
        games.sort_unstable_by_key(|(name, _)| *name);
        let positions = games.iter().flat_map(|(_, positions)| positions.as_chunks().0);
        to.extend(positions.map(Packed::from_bytes));
        Ok(())
    }

    /// The number of positions that a pass shows.
    pub(super) fn met(&self, skip: f32) -> usize {
        kept(self.len(), skip)
    }

    /// Shows every position once, except for a random share, in an order that the seed determines. They
    /// come in parts of about `wanted` positions, and all parts but the last are whole batches. Stops
    /// when `show` returns false.
    pub(super) fn pass(
        &self,
        seed: u64,
        skip: f32,
        [wanted, batch]: [usize; 2],
        show: &mut dyn FnMut(Vec<Packed>) -> bool,
    ) -> io::Result<()> {
        let mut rng = Rng::new(seed);
        let mut order: Vec<&Bucket> = self.buckets.iter().collect();
        rng.shuffle(&mut order);
        let groups = groups(&order, wanted);
        let mut rest = Vec::new();
        let mut read = 0;
        for (number, group) in groups.iter().enumerate() {
            let positions: usize = group.iter().map(|bucket| bucket.positions).sum();
            let mut held = Vec::with_capacity(rest.len() + positions);
            let met = rest.len() + kept(read + positions, skip) - kept(read, skip);
            read += positions;
            held.append(&mut rest);
            for bucket in *group {
                self.load(bucket, &mut held)?;
            }
            rng.shuffle(&mut held);
            held.truncate(met);
            if number + 1 < groups.len() {
                rest = held.split_off(held.len() / batch * batch);
            }
            if !show(held) {
                break;
            }
        }
        Ok(())
    }

    /// The folder of the file, for error messages.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// How many positions remain when a share is skipped.
fn kept(positions: usize, skip: f32) -> usize {
    (positions as f64 * (1.0 - f64::from(skip))).ceil() as usize
}

/// Groups consecutive buckets into at most `wanted` positions, or a single larger bucket.
fn groups<'a, 'b>(order: &'a [&'b Bucket], wanted: usize) -> Vec<&'a [&'b Bucket]> {
    let mut groups = Vec::new();
    let (mut begin, mut held) = (0, 0);
    for (number, bucket) in order.iter().enumerate() {
        if number > begin && held + bucket.positions > wanted {
            groups.push(&order[begin..number]);
            (begin, held) = (number, 0);
        }
        held += bucket.positions;
    }
    groups.push(&order[begin..]);
    groups
}
