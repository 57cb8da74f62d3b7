//! Writes blocks of games.

use std::io::{self, Write};

use super::block::{Block, HEADER, MAX_PAYLOAD, MAX_UNPACKED, UNPACKED, VERSION};
use super::game::StoredGame;
use super::packed;
use crate::rules::BoardSize;

/// Collects games into blocks and writes the blocks. [`BlockWriter::finish`] must be called to write the last
/// block.
pub struct BlockWriter<W> {
    sink: W,
    board: BoardSize,
    games_per_block: u16,
    /// The version in which games are written. A game that cannot be packed is always written in version 1.
    version: u8,
    /// The hash of the data set to which the games in the current block belong.
    set: u32,
    games: u16,
    payload: Vec<u8>,
    /// The total length in bytes of the games in the current block before packing.
    unpacked: usize,
    block: Vec<u8>,
}

impl<W: Write> BlockWriter<W> {
    /// Creates a writer for games on `board`, with at most `games_per_block` games in a block. With one game
    /// per block, damage to a block loses only one game. Each further game per block saves [`HEADER`] bytes.
    pub fn new(sink: W, board: BoardSize, games_per_block: u16) -> BlockWriter<W> {
        BlockWriter {
            sink,
            board,
            games_per_block: games_per_block.max(1),
            version: VERSION,
            set: 0,
            games: 0,
            payload: Vec::new(),
            unpacked: 0,
            block: Vec::new(),
        }
    }

    /// Selects the version of the format: [`UNPACKED`] or [`VERSION`].
    pub fn in_version(mut self, version: u8) -> BlockWriter<W> {
        self.version = version.clamp(UNPACKED, VERSION);
        self
    }

    /// Adds a game. `set` is the hash of the data set to which the game belongs. `record` is the game as
    /// encoded by [`super::TrainingGame::to_bytes`] or [`super::StoredGame::bytes`]. A game that cannot be
    /// packed because it breaks the rules gets a block of its own in version 1.
    pub fn push(&mut self, set: u32, record: &[u8]) -> io::Result<()> {
        if self.version == UNPACKED {
            return self.add(set, record, record.len());
        }
        let mut packed = Vec::new();
        if StoredGame::read(record).is_some_and(|game| packed::pack(&game, &mut packed)) {
            return self.add(set, &packed, record.len());
        }
        self.flush_block()?;
        self.write_block(UNPACKED, set, 1, record)
    }

    /// Adds a game that is already encoded in the version of the current block. `unpacked` is the length of
    /// the game before packing.
    fn add(&mut self, set: u32, record: &[u8], unpacked: usize) -> io::Result<()> {
        let is_full = self.games == self.games_per_block
            || self.payload.len() + record.len() > MAX_PAYLOAD - HEADER
            || self.unpacked + unpacked > MAX_UNPACKED;
        if is_full || self.set != set {
            self.flush_block()?;
        }
        self.set = set;
        self.games += 1;
        self.unpacked += unpacked;
        self.payload.extend(record);
        // A full block is written immediately and does not wait for the next game.
        if self.games == self.games_per_block { self.flush_block() } else { Ok(()) }
    }

    /// Writes the current block, if it has games.
    fn flush_block(&mut self) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        let payload = std::mem::take(&mut self.payload);
        let written = self.write_block(self.version, self.set, self.games, &payload);
        self.payload = payload;
        self.payload.clear();
        (self.games, self.unpacked) = (0, 0);
        written
    }

    /// Writes a block with a single call of `write_all`.
    fn write_block(&mut self, version: u8, set: u32, games: u16, payload: &[u8]) -> io::Result<()> {
        self.block.clear();
        Block::write(&mut self.block, version, self.board, set, games, payload);
        self.sink.write_all(&self.block)
    }

    /// Writes the last block, flushes the sink and returns the sink.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush_block()?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    /// Returns the sink to which blocks are written.
    pub fn sink(&mut self) -> &mut W {
        &mut self.sink
    }
}
