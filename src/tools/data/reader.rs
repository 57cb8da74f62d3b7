//! Reads blocks of games and continues after damage.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::DataError;
use super::block::{Block, BlockFault, Damage, HEADER, Header, MAGIC, MAX_PAYLOAD};
use super::game::StoredGame;
use crate::rules::BoardSize;

/// The number of bytes that are read at once. A chunk fits into the L2 cache.
const CHUNK: usize = 256 << 10;

/// The number of bytes of invalid blocks that may be checked again, in addition to the bytes read so far.
/// After an invalid block, the reader usually searches its bytes for another block. Beyond this limit, the
/// reader skips the whole invalid block. Real damage stays far below the limit. Without the limit, a file of
/// forged headers, each claiming a long block, would take quadratic time.
pub(super) const MAX_RECHECKED: u64 = 8 * MAX_PAYLOAD as u64;

/// Reads the blocks of a source one after the other, and continues after damaged bytes.
///
/// ```
/// use aleator::tools::data::{Filter, BlockReader};
///
/// let mut kept = 0;
/// let mut reader = BlockReader::new(&[][..]);
/// while let Some(block) = reader.next_block()? {
///     for game in block.games() {
///         kept += game.kept(Filter::default()).count();
///     }
/// }
/// assert_eq!(kept, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BlockReader<R> {
    source: R,
    /// The bytes read from the source. The bytes before the index `begin` have been used.
    buffer: Vec<u8>,
    begin: usize,
    /// The offset in the source of the byte at the index `begin`.
    offset: u64,
    ended: bool,
    /// The games of the last block after unpacking. Empty if the block was not packed.
    unpacked: Vec<u8>,
    /// The index of the games to unpack from packed blocks. `None` unpacks all games.
    wanted: Option<u32>,
    /// The total length of blocks that had a valid header but turned out to be invalid.
    pub(super) rejected_bytes: u64,
}

/// Why the next block could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BlockReadError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The source is damaged here. The next call continues after the damage.
    #[error(transparent)]
    Damage(#[from] Damage),
}

impl<R: Read> BlockReader<R> {
    /// Creates a reader. The source need not be buffered.
    pub fn new(source: R) -> BlockReader<R> {
        let (buffer, unpacked, begin, offset) = (Vec::new(), Vec::new(), 0, 0);
        let (ended, wanted, rejected_bytes) = (false, None, 0);
        BlockReader { source, buffer, begin, offset, ended, unpacked, wanted, rejected_bytes }
    }

    /// Reads the next block. Returns `None` at the end of the source. After an error, the next call continues
    /// after the damage.
    pub fn next_block(&mut self) -> Result<Option<Block<'_>>, BlockReadError> {
        self.fill(HEADER)?;
        if self.ahead().is_empty() {
            return Ok(None);
        }
        // Without a valid header, the length of the block is unknown, and only the header is read for the
        // error.
        let claimed = Block::length(self.ahead()).ok();
        let length = claimed.unwrap_or(HEADER);
        self.fill(length)?;
        let length = length.min(self.ahead().len());
        let bytes = &self.buffer[self.begin..][..length];
        match Header::check(bytes, self.wanted, &mut self.unpacked) {
            Err(fault) => {
                self.rejected_bytes += claimed.map_or(0, |_| length as u64);
                let may_recheck = self.rejected_bytes <= self.offset + MAX_RECHECKED;
                Err(self.skip_damage(fault, if may_recheck { 1 } else { length })?.into())
            }
            Ok(header) => {
                let (begin, offset) = (self.begin, self.offset);
                self.consume(length);
                let bytes = &self.buffer[begin..begin + length];
                Ok(Some(Block::new(header, offset, bytes, &self.unpacked)))
            }
        }
    }

    /// Returns the bytes that were read but not used yet.
    fn ahead(&self) -> &[u8] {
        &self.buffer[self.begin..]
    }

    fn consume(&mut self, bytes: usize) {
        self.begin += bytes;
        self.offset += bytes as u64;
    }

    /// Reads until `wanted` bytes are in the buffer, or up to the end of the source.
    fn fill(&mut self, wanted: usize) -> std::io::Result<()> {
        if self.ahead().len() >= wanted || self.ended {
            return Ok(());
        }
        self.buffer.drain(..self.begin);
        self.begin = 0;
        // Reads at least a chunk, because every call moves the unused bytes.
        let missing = (wanted - self.buffer.len()).max(CHUNK);
        let read = self.source.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < missing;
        Ok(())
    }

    /// Skips at least `least` bytes and everything up to the next magic bytes, where a block may start.
    /// Returns the skipped part as damage.
    fn skip_damage(&mut self, fault: BlockFault, least: usize) -> std::io::Result<Damage> {
        let offset = self.offset;
        self.consume(least);
        loop {
            self.fill(MAGIC.len())?;
            let ahead = self.ahead();
            match find_magic(ahead) {
                Some(place) => {
                    self.consume(place);
                    break;
                }
                // The magic bytes of a block may begin at the end of the buffer and continue in the next
                // chunk.
                None if self.ended => {
                    self.consume(ahead.len());
                    break;
                }
                None => self.consume(ahead.len() - (MAGIC.len() - 1)),
            }
        }
        Ok(Damage { offset, fault, skipped: self.offset - offset })
    }
}

fn find_magic(bytes: &[u8]) -> Option<usize> {
    bytes.windows(MAGIC.len()).position(|window| window == MAGIC)
}

/// A valid block, or a damaged part of the file.
pub type BlockOrDamage<'a> = Result<Block<'a>, Damage>;

/// Reads a whole file. Passes every valid block and every damaged part to `visit`.
pub fn scan(
    path: &Path,
    visit: &mut dyn FnMut(BlockOrDamage) -> Result<(), DataError>,
) -> Result<(), DataError> {
    scan_from(open(path)?, path, visit)
}

/// Visits the games with the given index, which is the index in the data set to which a game belongs. A file
/// with games of several data sets can contain several such games. Other games are not decoded.
pub fn scan_game(
    path: &Path,
    index: u32,
    visit: &mut dyn FnMut(&Block, &StoredGame) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut reader = BlockReader::new(open(path)?);
    reader.wanted = Some(index);
    scan_reader(reader, path, &mut |found| {
        let Ok(block) = found else { return Ok(()) };
        let mut games = block.games().filter(|game| game.index == index);
        games.try_for_each(|game| visit(&block, &game))
    })
}

/// Reads a whole source. `path` appears only in errors.
pub(super) fn scan_from(
    source: impl Read,
    path: &Path,
    visit: &mut dyn FnMut(BlockOrDamage) -> Result<(), DataError>,
) -> Result<(), DataError> {
    scan_reader(BlockReader::new(source), path, visit)
}

fn scan_reader(
    mut reader: BlockReader<impl Read>,
    path: &Path,
    visit: &mut dyn FnMut(BlockOrDamage) -> Result<(), DataError>,
) -> Result<(), DataError> {
    loop {
        match reader.next_block() {
            Ok(None) => return Ok(()),
            Ok(Some(block)) => visit(Ok(block))?,
            Err(BlockReadError::Damage(damage)) => visit(Err(damage))?,
            Err(BlockReadError::Io(error)) => {
                return Err(DataError::Read { path: path.to_owned(), error });
            }
        }
    }
}

/// Returns the board of the first valid block in some files.
pub fn board_of(files: &[PathBuf]) -> Result<BoardSize, DataError> {
    for path in files {
        let mut reader = BlockReader::new(open(path)?);
        loop {
            match reader.next_block() {
                Ok(Some(block)) => return Ok(block.board),
                Ok(None) => break,
                Err(BlockReadError::Damage(_)) => {}
                Err(BlockReadError::Io(error)) => {
                    return Err(DataError::Read { path: path.clone(), error });
                }
            }
        }
    }
    let names: Vec<String> = files.iter().map(|path| format!("'{}'", path.display())).collect();
    Err(DataError::Empty { files: names.join(", ") })
}

pub(super) fn open(path: &Path) -> Result<File, DataError> {
    File::open(path).map_err(|error| DataError::Read { path: path.to_owned(), error })
}

/// Locks a file until it is closed. Other processes cannot add games to the locked file.
pub(in crate::tools) fn lock(file: &File, path: &Path) -> Result<(), DataError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => DataError::Busy { path: path.to_owned() },
        TryLockError::Error(error) => DataError::Read { path: path.to_owned(), error },
    })
}
