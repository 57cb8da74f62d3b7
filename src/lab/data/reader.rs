use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::DataError;
use super::block::{Block, Damage, Fault, HEADER, Header, MAGIC};

/// How much is read at once. Small enough to stay in the second-level cache.
const CHUNK: usize = 256 << 10;

/// Reads blocks, one after the other, and goes on behind damage.
///
/// ```
/// use aleator::lab::data::{Filter, Reader};
///
/// let mut kept = 0;
/// let mut reader = Reader::new(&[][..]);
/// while let Some(block) = reader.next_block()? {
///     for game in block.games() {
///         kept += game.kept(Filter::default()).count();
///     }
/// }
/// assert_eq!(kept, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<R> {
    source: R,
    /// What was read; what stands before `begin` is done with.
    buffer: Vec<u8>,
    begin: usize,
    /// The place of `begin` in the source.
    offset: u64,
    ended: bool,
}

/// Why there is no next block.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The next call goes on behind it.
    #[error("{0}")]
    Damage(#[from] Damage),
}

impl<R: Read> Reader<R> {
    /// Reads from here; it need not be buffered.
    pub fn new(source: R) -> Reader<R> {
        Reader { source, buffer: Vec::new(), begin: 0, offset: 0, ended: false }
    }

    /// The next block, none at the end. After an error the next call goes on behind it.
    pub fn next_block(&mut self) -> Result<Option<Block<'_>>, ReadError> {
        self.fill(HEADER)?;
        if self.ahead().is_empty() {
            return Ok(None);
        }
        // What cannot be a block has no length; then it is judged by what there is.
        let length = Block::length(self.ahead()).unwrap_or(HEADER);
        self.fill(length)?;
        let length = length.min(self.ahead().len());
        match Header::check(&self.ahead()[..length]) {
            Err(fault) => Err(self.skip_damage(fault)?.into()),
            Ok(header) => {
                let (begin, offset) = (self.begin, self.offset);
                self.consume(length);
                Ok(Some(Block::new(header, offset, &self.buffer[begin..begin + length])))
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
        let missing = wanted.max(CHUNK) - self.buffer.len();
        let read = self.source.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        self.ended = read < missing;
        Ok(())
    }

    /// Goes to where the next block may begin.
    fn skip_damage(&mut self, fault: Fault) -> std::io::Result<Damage> {
        let offset = self.offset;
        self.consume(1);
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
pub type Found<'a> = Result<Block<'a>, Damage>;

/// Reads a file to its end: every sound block, and the damage between them.
pub fn scan(
    path: &Path,
    visit: &mut dyn FnMut(Found) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let failed = |error| DataError::Read { path: path.to_owned(), error };
    let mut reader = Reader::new(File::open(path).map_err(failed)?);
    loop {
        match reader.next_block() {
            Ok(None) => return Ok(()),
            Ok(Some(block)) => visit(Ok(block))?,
            Err(ReadError::Damage(damage)) => visit(Err(damage))?,
            Err(ReadError::Io(error)) => return Err(failed(error)),
        }
    }
}
