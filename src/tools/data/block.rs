use std::fmt;

use super::game::{GameRecordFault, StoredGame};
use super::packed;
use crate::rules::BoardSize;

/// With what each block begins. Not text, so that a file is not taken for one.
pub const MAGIC: [u8; 8] = *b"\x8bAleData";
/// The version of the format that is written: packed games.
pub const VERSION: u8 = 2;
/// The version before, which is read as well: games in the bytes of [`StoredGame`].
pub const UNPACKED: u8 = 1;
/// Bytes of a block before its payload.
pub const HEADER: usize = 24;
/// No payload is longer. Bounds what a reader must hold, and what a wrong length can cost it.
pub const MAX_PAYLOAD: usize = 4 << 20;
/// The games of a block, unpacked, have no more bytes together.
pub(super) const MAX_UNPACKED: usize = 16 * MAX_PAYLOAD;

/// Where the checksum stands; it covers what stands between magic and checksum, and the payload.
const CHECKSUM: usize = 20;

/// What the header of a sound block says.
#[derive(Clone, Copy)]
pub(super) struct Header {
    board: BoardSize,
    set: u32,
    is_packed: bool,
}

impl Header {
    /// Reads the header of a block and checks the whole of it. The bytes are as many as
    /// [`Block::length`] says, or fewer if there are no more. Packed games are unpacked into
    /// `unpacked`: all of them, or only those with the index `wanted`.
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

/// Whether a payload is so many games of a board.
fn check_games(payload: &[u8], games: usize, board: BoardSize) -> Result<(), BlockFault> {
    let mut rest = payload;
    for number in 1..=games {
        let fault = |fault| BlockFault::Record { number, fault };
        let (game, behind) = StoredGame::split(rest).map_err(fault)?;
        if game.component.board() != board {
            return Err(fault(GameRecordFault::Component(game.component.code())));
        }
        rest = behind;
    }
    let fault = GameRecordFault::Surplus { bytes: rest.len() };
    if rest.is_empty() { Ok(()) } else { Err(BlockFault::Record { number: games, fault }) }
}

/// Unpacks a payload, if it is so many packed games of a board. If an index is wanted, games with
/// another one are skipped.
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

/// Some games of one data set, whole and checked.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The first byte's place in the file.
    pub offset: u64,
    pub board: BoardSize,
    /// The hash of the manifest of the games' data set.
    pub set: u32,
    /// Bytes in the file.
    length: usize,
    /// The games, unpacked.
    games: &'a [u8],
}

/// What is wrong at a place of a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BlockFault {
    #[error("a block should begin here, but its mark is missing")]
    Magic,
    #[error("the block is cut off; {missing} bytes are missing")]
    Cut { missing: usize },
    #[error("the block has version {0} of the format; this program reads {UNPACKED} and {VERSION}")]
    Version(u8),
    #[error("the block's board has the number {0}; this build has {known}", known = boards())]
    Board(u8),
    #[error("the block claims a payload of {0} bytes; {MAX_PAYLOAD} is the most")]
    Length(usize),
    #[error("the block claims games of more than {MAX_UNPACKED} bytes")]
    Unpacked,
    #[error(
        "the checksum is {computed:08x}, but the block says {stored:08x}: its bytes were changed"
    )]
    Checksum { stored: u32, computed: u32 },
    #[error("the block's game number {number} makes no sense: {fault}")]
    Record { number: usize, fault: GameRecordFault },
}

/// A part of a file that is no sound block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Where it begins.
    pub offset: u64,
    pub fault: BlockFault,
    /// Bytes from there to the next block, or to the end of the file.
    pub skipped: u64,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Damage { offset, fault, skipped } = self;
        write!(f, "damage at byte {offset}: {fault}; {skipped} bytes skipped")
    }
}

impl std::error::Error for Damage {}

/// The board with this number in a file.
fn board_of_code(code: u8) -> Result<BoardSize, BlockFault> {
    BoardSize::ALL.get(usize::from(code)).copied().ok_or(BlockFault::Board(code))
}

/// The boards that this build reads, with their numbers.
fn boards() -> String {
    let named = |board: &BoardSize| format!("{} ({board})", *board as u8);
    BoardSize::ALL.iter().map(named).collect::<Vec<_>>().join(" and ")
}

impl<'a> Block<'a> {
    /// Appends a block of these records in a version of the format, `games` of them, to some bytes.
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

    /// How many bytes the block takes that these bytes begin with; an error if they begin none.
    /// Fewer than [`HEADER`] bytes are taken for one that is cut off.
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

    /// A block, the bytes of which were checked, and its games, if they were packed.
    pub(super) fn new(
        header: Header,
        offset: u64,
        bytes: &'a [u8],
        unpacked: &'a [u8],
    ) -> Block<'a> {
        let games = if header.is_packed { unpacked } else { &bytes[HEADER..] };
        Block { offset, board: header.board, set: header.set, length: bytes.len(), games }
    }

    /// The place in the file of the first byte behind it.
    pub fn end(&self) -> u64 {
        self.offset + self.length as u64
    }

    /// Its games.
    #[inline]
    pub fn games(&self) -> impl Iterator<Item = StoredGame<'a>> + use<'a> {
        let mut rest = self.games;
        std::iter::from_fn(move || {
            // The records were checked, so the first that cannot be split off is the empty rest.
            let (game, behind) = StoredGame::split(rest).ok()?;
            rest = behind;
            Some(game)
        })
    }
}

/// The checksum of a block, which begins with its header.
fn checksum(block: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block[MAGIC.len()..CHECKSUM]);
    hasher.update(&block[HEADER..]);
    hasher.finalize()
}

/// Four bytes of a header as a number.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
