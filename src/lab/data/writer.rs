use std::io::{self, Write};

use super::block::{Block, HEADER, MAX_PAYLOAD};
use crate::rules::BoardSize;

/// Gathers games into blocks. Nothing may be missing at the end: call [`Writer::finish`].
pub struct Writer<W> {
    sink: W,
    board: BoardSize,
    games_per_block: u16,
    /// The set, the number and the records of the games that wait for more.
    set: u32,
    games: u16,
    payload: Vec<u8>,
    block: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Writes games of a board, at most so many in a block. One game a block loses the least to
    /// damage; each game more saves [`HEADER`] bytes.
    pub fn new(sink: W, board: BoardSize, games_per_block: u16) -> Writer<W> {
        let games_per_block = games_per_block.max(1);
        let (payload, block) = (Vec::new(), Vec::new());
        Writer { sink, board, games_per_block, set: 0, games: 0, payload, block }
    }

    /// Adds a game of a set, as [`super::GameRecord::to_bytes`] or [`super::Game::bytes`] has it.
    pub fn push(&mut self, set: u32, record: &[u8]) -> io::Result<()> {
        let is_full = self.games == self.games_per_block
            || self.payload.len() + record.len() > MAX_PAYLOAD - HEADER;
        if is_full || self.set != set {
            self.flush_block()?;
        }
        self.set = set;
        self.games += 1;
        self.payload.extend(record);
        // A block for each game is written at once, not with the game after it.
        if self.games == self.games_per_block { self.flush_block() } else { Ok(()) }
    }

    /// Hands out the block so far, in one call of the sink's `write_all`.
    fn flush_block(&mut self) -> io::Result<()> {
        if self.games == 0 {
            return Ok(());
        }
        self.block.clear();
        Block::write(&mut self.block, self.board, self.set, self.games, &self.payload);
        self.games = 0;
        self.payload.clear();
        self.sink.write_all(&self.block)
    }

    /// Writes what is left and gives back the sink, flushed.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush_block()?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    /// Where it writes to.
    pub fn sink(&mut self) -> &mut W {
        &mut self.sink
    }
}
