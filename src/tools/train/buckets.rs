//! Stores training positions on disk and reads them in random order for each epoch.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::packed::Packed;
use crate::files::FileError;
use crate::random::Rng;

/// Identifies a game: the hash of the data set that the game was generated for, and the index of the game in
/// that data set.
pub(super) type GameName = (u32, u32);

/// The number of buckets. Each bucket gets a small, randomly chosen share of each data set.
const BUCKETS: usize = 256;
/// The number of consecutive positions that are shuffled as a whole. Most of them are from the same game, which
/// makes training faster (see `passes`).
const FRAGMENT: usize = 8;
/// The number of bytes that a bucket collects before writing them to the file.
const BUFFER: usize = 64 << 10;
/// The length in bytes of a game's header in a bucket: the hash of the data set, the index of the game, and
/// the number of positions.
const HEADER: usize = 12;

/// Training positions on disk. The positions need not fit into memory.
///
/// The data set and the index of a game select the bucket of its positions. An epoch loads the buckets in
/// random order, as many at a time as memory allows, and shuffles fragments of the loaded positions. So all
/// data sets and games are mixed, and the result does not depend on the order of games in the data sets. The
/// buckets are stored in one anonymous file, which vanishes when the program ends.
#[derive(Debug)]
pub struct Buckets {
    /// The folder that contains the file, for error messages.
    folder: PathBuf,
    file: File,
    length: u64,
    buckets: Vec<Bucket>,
}

#[derive(Clone, Default, Debug)]
struct Bucket {
    positions: usize,
    /// The offset and length of each part of the bucket in the file.
    written: Vec<(u64, usize)>,
    /// The last bytes of the bucket, which have not been written to the file yet.
    rest: Vec<u8>,
}

/// Encodes the positions of a game for a bucket.
pub(super) fn record((set, index): GameName, positions: &[Packed]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + positions.len() * Packed::BYTES);
    for number in [set, index, positions.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(positions.iter().flat_map(|packed| packed.to_bytes()));
    bytes
}

/// Decodes the games of a bucket. Yields the data set and index of each game, and the bytes of its positions.
fn records(mut bytes: &[u8]) -> impl Iterator<Item = (GameName, &[u8])> {
    std::iter::from_fn(move || {
        let header = bytes.split_off(..HEADER)?.as_chunks().0;
        let [set, index, count] = [0, 1, 2].map(|number| u32::from_le_bytes(header[number]));
        Some(((set, index), bytes.split_off(..count as usize * Packed::BYTES)?))
    })
}

impl Buckets {
    /// Creates empty buckets, with their file in `folder`.
    pub fn new(folder: &Path) -> Result<Buckets, FileError> {
        let folder = folder.to_owned();
        match tempfile::tempfile_in(&folder) {
            Ok(file) => {
                Ok(Buckets { folder, file, length: 0, buckets: vec![Bucket::default(); BUCKETS] })
            }
            Err(error) => Err(FileError::Write { path: folder, error }),
        }
    }

    /// Returns the number of positions in all buckets.
    pub fn len(&self) -> usize {
        self.buckets.iter().map(|bucket| bucket.positions).sum()
    }

    /// Returns whether there are no positions in the buckets.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a game. `record` is the game's record, made by the function [`record`], and `positions` is the
    /// number of its positions.
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

    /// Appends the positions of a bucket to `to`, ordered by the data sets and indices of their games.
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

    /// Passes each position to `show` once, in an order that the seed determines. Each call of `show` gets about
    /// `wanted` positions. All calls but the last get whole batches. Stops when `show` returns false.
    pub(super) fn pass(
        &self,
        seed: u64,
        [wanted, batch]: [usize; 2],
        show: &mut dyn FnMut(Vec<Packed>) -> bool,
    ) -> io::Result<()> {
        let mut rng = Rng::new(seed);
        let mut order: Vec<&Bucket> = self.buckets.iter().collect();
        rng.shuffle(&mut order);
        let groups = groups(&order, wanted);
        let mut rest = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let positions: usize = group.iter().map(|bucket| bucket.positions).sum();
            let mut held = Vec::with_capacity(rest.len() + positions);
            held.append(&mut rest);
            for bucket in *group {
                self.load(bucket, &mut held)?;
            }
            rng.shuffle(held.as_chunks_mut::<FRAGMENT>().0);
            if number + 1 < groups.len() {
                rest = held.split_off(held.len() / batch * batch);
            }
            if !show(held) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the folder of the file, for error messages.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Divides the buckets, in order, into groups of at most `wanted` positions. A larger bucket is a group of
/// its own.
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
