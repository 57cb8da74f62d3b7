use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::block::{Block, BlockFault, Damage, HEADER, Header, MAGIC, MAX_PAYLOAD};
use super::error::DataError;
use super::game::StoredGame;
use crate::rules::BoardSize;

/// How much is read at once. Small enough to stay in the second-level cache.
const CHUNK: usize = 256 << 10;

/// How many bytes of false blocks are checked beyond those that were read, before a false block is
/// passed over as long as it claims to be. Damage comes nowhere near it; headers that somebody
/// forged close to each other, each of a long block, would take quadratic time.
pub(super) const PATIENCE: u64 = 8 * MAX_PAYLOAD as u64;

/// Reads blocks, one after the other, and goes on behind damage.
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
    /// What was read; what stands before `begin` is done with.
    buffer: Vec<u8>,
    begin: usize,
    /// The place of `begin` in the source.
    offset: u64,
    ended: bool,
    /// The games of the last block, if they were packed.
    unpacked: Vec<u8>,
    /// The index of the only games that blocks are to show, if not all.
    wanted: Option<u32>,
    /// Bytes that were checked and were no blocks.
    pub(super) checked_in_vain: u64,
}

/// Why there is no next block.
#[derive(Debug, thiserror::Error)]
pub enum BlockReadError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The next call goes on behind it.
    #[error(transparent)]
    Damage(#[from] Damage),
}

impl<R: Read> BlockReader<R> {
    /// Reads from here; it need not be buffered.
    pub fn new(source: R) -> BlockReader<R> {
        let (buffer, unpacked, begin, offset) = (Vec::new(), Vec::new(), 0, 0);
        let (ended, wanted, checked_in_vain) = (false, None, 0);
        BlockReader { source, buffer, begin, offset, ended, unpacked, wanted, checked_in_vain }
    }

    /// The next block, none at the end. After an error the next call goes on behind it.
    pub fn next_block(&mut self) -> Result<Option<Block<'_>>, BlockReadError> {
        self.fill(HEADER)?;
        if self.ahead().is_empty() {
            return Ok(None);
        }
        // What cannot be a block has no length; then it is judged by what there is.
        let claimed = Block::length(self.ahead()).ok();
        let length = claimed.unwrap_or(HEADER);
        self.fill(length)?;
        let length = length.min(self.ahead().len());
        let bytes = &self.buffer[self.begin..][..length];
        match Header::check(bytes, self.wanted, &mut self.unpacked) {
            Err(fault) => {
                self.checked_in_vain += claimed.map_or(0, |_| length as u64);
                let is_patient = self.checked_in_vain <= self.offset + PATIENCE;
                Err(self.skip_damage(fault, if is_patient { 1 } else { length })?.into())
            }
            Ok(header) => {
                let (begin, offset) = (self.begin, self.offset);
                self.consume(length);
                let bytes = &self.buffer[begin..begin + length];
                Ok(Some(Block::new(header, offset, bytes, &self.unpacked)))
            }
        }
    }

    /// What was read and not yet used.
    fn ahead(&self) -> &[u8] {
        &self.buffer[self.begin..]
    }

    fn consume(&mut self, bytes: usize) {
        self.begin += bytes;
        self.offset += bytes as u64;
    }

    /// Reads on until this many bytes are ahead, or all there are.
    fn fill(&mut self, wanted: usize) -> std::io::Result<()> {
        if self.ahead().len() >= wanted || self.ended {
            return Ok(());
        }
        self.buffer.drain(..self.begin);
        self.begin = 0;
        // Never a few bytes alone: what is ahead was moved for them.
        let missing = (wanted - self.buffer.len()).max(CHUNK);
        let read = self.source.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < missing;
        Ok(())
    }

    /// Goes to where the next block may begin, this many bytes ahead or more.
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
                // The last bytes may be the first of a magic.
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

/// What stands at a place of a file.
pub type BlockOrDamage<'a> = Result<Block<'a>, Damage>;

/// Reads a file to its end and shows every sound block, and the damage between them.
pub fn scan(
    path: &Path,
    visit: &mut dyn FnMut(BlockOrDamage) -> Result<(), DataError>,
) -> Result<(), DataError> {
    scan_from(open(path)?, path, visit)
}

/// Shows the games of a file with an index, one in each set at most. The others are not decoded.
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

/// Reads a source likewise; errors name the path.
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

/// The board of the first game that there is in these files.
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

/// Makes sure that no other process adds games to a file until it is closed.
pub(in crate::tools) fn lock(file: &File, path: &Path) -> Result<(), DataError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => DataError::Busy { path: path.to_owned() },
        TryLockError::Error(error) => DataError::Read { path: path.to_owned(), error },
    })
}
