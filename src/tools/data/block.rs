//! Blocks of games: how they are encoded, and how damage is detected.

use std::fmt;

use super::game::{GameRecordFault, StoredGame};
use super::packed;
use crate::rules::BoardSize;

/// The first bytes of each block. They are not valid text, so a text file is never mistaken for a file of
/// games.
pub const MAGIC: [u8; 8] = *b"\x8bAleData";
/// The current version of the format, in which games are packed.
pub const VERSION: u8 = 2;
/// The previous version of the format, in which games are encoded as [`StoredGame`]. Readers still accept
/// this version.
pub const UNPACKED: u8 = 1;
/// The length in bytes of a block's header, which precedes the payload.
pub const HEADER: usize = 24;
/// The maximum length of a payload in bytes. This limit bounds the memory of a reader and the work that a
/// wrong length can cause.
pub const MAX_PAYLOAD: usize = 4 << 20;
/// The maximum total length in bytes of a block's games after unpacking.
pub(super) const MAX_UNPACKED: usize = 16 * MAX_PAYLOAD;

/// The offset of the checksum in the header. The checksum covers the header between magic and checksum, and
/// the payload.
const CHECKSUM: usize = 20;

/// The contents of the header of a valid block.
#[derive(Clone, Copy)]
pub(super) struct Header {
    board: BoardSize,
    set: u32,
    is_packed: bool,
}

impl Header {
    /// Checks a whole block and reads its header. `bytes` should have [`Block::length`] bytes; fewer bytes
    /// mean that the block is cut off. Packed games are unpacked into `unpacked`: all games, or only games
    /// with the index `wanted` if it is given. `unpacked` stays empty if the block is not packed.
    pub(super) fn check(
        bytes: &[u8],
        wanted: Option<u32>,
        unpacked: &mut Vec<u8>,
    ) -> Result<Header, BlockFault> {
        let length = Block::length(bytes)?;
        if bytes.len() < length {
            return Err(BlockFault::Cut { missing: length - bytes.len() });
        }
        let (stored, computed) = (word(bytes, CHECKSUM), checksum(bytes));
        if stored != computed {
            return Err(BlockFault::Checksum { stored, computed });
        }
        let board = board_of_code(bytes[9])?;
        let games = u16::from_le_bytes([bytes[10], bytes[11]]);
        unpacked.clear();
        let is_packed = bytes[8] != UNPACKED;
        if is_packed {
            unpack_games(&bytes[HEADER..], games.into(), board, wanted, unpacked)?;
        } else {
            check_games(&bytes[HEADER..], games.into(), board)?;
        }
        Ok(Header { board, set: word(bytes, 16), is_packed })
    }
}

/// Checks that a payload consists of exactly `games` valid games on `board`.
fn check_games(payload: &[u8], games: usize, board: BoardSize) -> Result<(), BlockFault> {
    let mut rest = payload;
    for number in 1..=games {
        let fault = |fault| BlockFault::Record { number, fault };
        let (game, after) = StoredGame::split(rest).map_err(fault)?;
        if game.component.board() != board {
            return Err(fault(GameRecordFault::Component(game.component.code())));
        }
        rest = after;
    }
    let fault = GameRecordFault::Surplus { bytes: rest.len() };
    if rest.is_empty() { Ok(()) } else { Err(BlockFault::Record { number: games, fault }) }
}

/// Unpacks a payload, which must consist of exactly `games` packed games on `board`. If `wanted` is given,
/// skips games with another index.
fn unpack_games(
    mut payload: &[u8],
    games: usize,
    board: BoardSize,
    wanted: Option<u32>,
    unpacked: &mut Vec<u8>,
) -> Result<(), BlockFault> {
    for number in 1..=games {
        let fault = |fault| BlockFault::Record { number, fault };
        if let Some(wanted) = wanted {
            let mut behind = payload;
            if packed::skip(&mut behind).map_err(fault)? != u64::from(wanted) {
                payload = behind;
                continue;
            }
        }
        let record = packed::unpack(&mut payload).map_err(fault)?;
        if record.component.board() != board {
            return Err(fault(GameRecordFault::Component(record.component.code())));
        }
        unpacked.extend(record.to_bytes());
        if unpacked.len() > MAX_UNPACKED {
            return Err(BlockFault::Unpacked);
        }
    }
    let fault = GameRecordFault::Surplus { bytes: payload.len() };
    if payload.is_empty() { Ok(()) } else { Err(BlockFault::Record { number: games, fault }) }
}

/// A block of games that belong to one data set. The block and its games have been checked completely.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The offset in bytes of the block in its file.
    pub offset: u64,
    pub board: BoardSize,
    /// The hash of the data set that the games belong to.
    pub set: u32,
    /// The length in bytes of the block in its file.
    length: usize,
    /// The games in the encoding of [`StoredGame`].
    games: &'a [u8],
}

/// Why the bytes at an offset in a file are not a valid block.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BlockFault {
    #[error("no block of games starts here")]
    Magic,
    #[error("the block of games is truncated; {missing} bytes are missing at its end")]
    Cut { missing: usize },
    #[error(
        "the block of games has format version {0}, but this program reads only versions {UNPACKED} and {VERSION}"
    )]
    Version(u8),
    #[error("the block of games has the unknown board code {0}; this build knows the codes {known}", known = boards())]
    Board(u8),
    #[error(
        "the header of the block says that its games take {0} bytes; the maximum is {MAX_PAYLOAD} bytes"
    )]
    Length(usize),
    #[error(
        "the games of the block take more than {MAX_UNPACKED} bytes when unpacked, which is the maximum"
    )]
    Unpacked,
    #[error(
        "the checksum of the block is {computed:08x}, but its header says {stored:08x}, so bytes of the block have changed"
    )]
    Checksum { stored: u32, computed: u32 },
    #[error("game {number} of the block is invalid: {fault}")]
    Record { number: usize, fault: GameRecordFault },
}

/// A part of a file that contains no valid block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The offset in bytes of the part in the file.
    pub offset: u64,
    pub fault: BlockFault,
    /// The number of bytes up to the next block or the end of the file.
    pub skipped: u64,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Damage { offset, fault, skipped } = self;
        write!(f, "damage at byte {offset}: {fault}; {skipped} bytes skipped")
    }
}

impl std::error::Error for Damage {}

/// Returns the board that a byte in a block stands for, or an error if this build does not know the byte.
fn board_of_code(code: u8) -> Result<BoardSize, BlockFault> {
    BoardSize::ALL.get(usize::from(code)).copied().ok_or(BlockFault::Board(code))
}

/// Lists the codes and names of the boards that this build can read.
fn boards() -> String {
    let named = |board: &BoardSize| format!("{} ({board})", *board as u8);
    BoardSize::ALL.iter().map(named).collect::<Vec<_>>().join(" and ")
}

impl<'a> Block<'a> {
    /// Appends a block to `out`. `payload` must consist of `games` games encoded in `version`.
    pub(super) fn write(
        out: &mut Vec<u8>,
        version: u8,
        board: BoardSize,
        set: u32,
        games: u16,
        payload: &[u8],
    ) {
        let start = out.len();
        out.extend(MAGIC);
        out.extend([version, board as u8]);
        out.extend(games.to_le_bytes());
        out.extend((payload.len() as u32).to_le_bytes());
        out.extend(set.to_le_bytes());
        out.extend([0; 4]);
        out.extend(payload);
        let checksum = checksum(&out[start..]);
        out[start + CHECKSUM..start + HEADER].copy_from_slice(&checksum.to_le_bytes());
    }

    /// Returns the length of the block at the start of `bytes`, or why no block starts there. If `bytes` is
    /// shorter than [`HEADER`], the block counts as cut off.
    pub(super) fn length(bytes: &[u8]) -> Result<usize, BlockFault> {
        let begin = &bytes[..bytes.len().min(MAGIC.len())];
        if *begin != MAGIC[..begin.len()] {
            return Err(BlockFault::Magic);
        }
        let Some((header, _)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(BlockFault::Cut { missing: HEADER - bytes.len() });
        };
        if !(UNPACKED..=VERSION).contains(&header[8]) {
            return Err(BlockFault::Version(header[8]));
        }
        board_of_code(header[9])?;
        let payload = word(bytes, 12) as usize;
        if payload > MAX_PAYLOAD { Err(BlockFault::Length(payload)) } else { Ok(HEADER + payload) }
    }

    /// Creates a block from its checked bytes. `unpacked` contains the games of the block if the block is
    /// packed.
    pub(super) fn new(
        header: Header,
        offset: u64,
        bytes: &'a [u8],
        unpacked: &'a [u8],
    ) -> Block<'a> {
        let games = if header.is_packed { unpacked } else { &bytes[HEADER..] };
        Block { offset, board: header.board, set: header.set, length: bytes.len(), games }
    }

    /// Returns the offset in the file at which the block ends.
    pub fn end(&self) -> u64 {
        self.offset + self.length as u64
    }

    /// Iterates over the games of the block.
    #[inline]
    pub fn games(&self) -> impl Iterator<Item = StoredGame<'a>> + use<'a> {
        let mut rest = self.games;
        std::iter::from_fn(move || {
            // The games were checked before, so splitting fails only at the end of the block.
            let (game, after) = StoredGame::split(rest).ok()?;
            rest = after;
            Some(game)
        })
    }
}

/// Returns the checksum that the header of the block should contain.
fn checksum(block: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block[MAGIC.len()..CHECKSUM]);
    hasher.update(&block[HEADER..]);
    hasher.finalize()
}

/// Returns the little-endian 32-bit number at an offset in bytes.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
