//! Polyglot books: entries of sixteen bytes, sorted by the keys of their positions.
//!
//! | bytes, big-endian | contents |
//! | --- | --- |
//! | 8 | key of the position |
//! | 2 | move, from the lowest bit: to file, to rank, from file, from rank and promotion (1 to 4: knight, bishop, rook, queen), three bits each; castling is king takes rook |
//! | 2 | weight |
//! | 4 | Polyglot's learning data, which is ignored |
//!
//! Keys are computed with shakmaty. A key can express castling rights only for the outermost rooks. Chess960
//! positions with a right to castle with another rook therefore have no entries. The en passant file is part
//! of the key if an en passant capture is pseudo-legal, even if the capture is illegal because of a pin.
//!
//! Source: M. Glass, "Book format" (<http://hgm.nubati.net/book_format.html>), on F. Letouzey's
//! Polyglot.

use super::{BookMove, spelt};
use crate::game::{Game, Stage};
use crate::notation::parse_move;
use crate::types::Role;

/// The size of an entry in bytes.
pub const ENTRY: usize = 16;

/// The promotion letters in UCI notation. The index is the promotion number in an entry.
const PROMOTIONS: [&str; 5] = ["", "n", "b", "r", "q"];

/// A Polyglot book in memory.
#[derive(Debug)]
pub struct Polyglot {
    bytes: Vec<u8>,
}

/// An entry of a Polyglot book, with the move encoded as in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolyglotEntry {
    pub key: u64,
    pub mv: u16,
    pub weight: u16,
}

/// Why a file is not a Polyglot book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolyglotError {
    #[error(
        "is not a complete Polyglot book: {bytes} bytes are not a multiple of {ENTRY}, the size of an \
         entry; the file is truncated or of another kind"
    )]
    Cut { bytes: usize },
    #[error(
        "is not a Polyglot book: entry {number} has a smaller key than the entry before it, but keys \
         must be sorted"
    )]
    Unsorted { number: usize },
}

impl PolyglotEntry {
    fn from_bytes(bytes: &[u8]) -> PolyglotEntry {
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte))
        };
        PolyglotEntry { key: number(0, 8), mv: number(8, 10) as u16, weight: number(10, 12) as u16 }
    }

    /// Encodes the entry as in a Polyglot file.
    pub fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }

    /// Returns the entry for a move in a position. Returns `None` if the move is illegal or the position has
    /// no key.
    pub fn new(game: &Game, uci: &str, weight: u16) -> Option<PolyglotEntry> {
        let Stage::Eight(board) = game.stage() else { return None };
        let mv = parse_move(board.position(), uci).ok()?;
        let (from, to) =
            (mv.from::<crate::geometry::Board8x8>(), mv.to::<crate::geometry::Board8x8>());
        let promotion = match board.position().is_promotion(mv) {
            false => 0,
            true => match mv.promoted() {
                Role::Knight => 1,
                Role::Bishop => 2,
                Role::Rook => 3,
                _ => 4,
            },
        };
        let square = |file: u8, rank: u8| u16::from(file) | u16::from(rank) << 3;
        let bits =
            square(to.file(), to.rank()) | square(from.file(), from.rank()) << 6 | promotion << 12;
        Some(PolyglotEntry { key: key(game)?, mv: bits, weight })
    }

    /// Returns the move in UCI notation, with castling as king takes rook. Returns `None` if the promotion
    /// number is invalid.
    fn uci(self) -> Option<String> {
        let square = |bits: u16| {
            let letter = |bits: u16, first: u8| char::from(first + (bits & 7) as u8);
            format!("{}{}", letter(bits, b'a'), letter(bits >> 3, b'1'))
        };
        let promotion = PROMOTIONS.get(usize::from(self.mv >> 12))?;
        Some(format!("{}{}{promotion}", square(self.mv >> 6), square(self.mv)))
    }
}

impl Polyglot {
    /// Parses the contents of a Polyglot file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Polyglot, PolyglotError> {
        if !bytes.len().is_multiple_of(ENTRY) {
            return Err(PolyglotError::Cut { bytes: bytes.len() });
        }
        let book = Polyglot { bytes };
        match (1..book.count()).find(|&number| book.entry(number).key < book.entry(number - 1).key)
        {
            Some(number) => Err(PolyglotError::Unsorted { number: number + 1 }),
            None => Ok(book),
        }
    }

    /// Returns the number of entries.
    pub const fn count(&self) -> usize {
        self.bytes.len() / ENTRY
    }

    fn entry(&self, number: usize) -> PolyglotEntry {
        PolyglotEntry::from_bytes(&self.bytes[number * ENTRY..][..ENTRY])
    }

    /// Returns all entries with the given key, in the order of the file.
    pub fn entries(&self, key: u64) -> impl Iterator<Item = PolyglotEntry> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.entry(middle).key < key { low = middle + 1 } else { high = middle }
        }
        (low..self.count()).map(|number| self.entry(number)).take_while(move |it| it.key == key)
    }

    /// Returns the legal moves that the book contains for a position, each move once.
    pub(super) fn moves(&self, game: &Game) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        let Some(key) = key(game) else { return moves };
        for entry in self.entries(key) {
            let spelt = entry.uci().and_then(|uci| spelt(game, &uci, true));
            if let Some(uci) = spelt.filter(|uci| moves.iter().all(|mv| mv.uci != *uci)) {
                moves.push(BookMove { uci, weight: entry.weight.into() });
            }
        }
        moves
    }
}

/// Returns the key of a position, or `None` if a Polyglot book cannot contain the position.
#[cfg(not(target_family = "wasm"))]
fn key(game: &Game) -> Option<u64> {
    use shakmaty::fen::Fen;
    use shakmaty::zobrist::{Zobrist64, ZobristValue as _};
    use shakmaty::{CastlingMode, Chess, EnPassantMode, File, Position as _, PositionError};

    use crate::position::FenStyle;
    use crate::position::fields::{EN_PASSANT, with_field};

    let Stage::Eight(board) = game.stage() else { return None };
    let position = board.position();
    let rights = position.fen_rights(FenStyle::XFen);
    if !rights.chars().all(|letter| "KQkq-".contains(letter)) {
        return None;
    }
    let fen: Fen = with_field(&position.fen(FenStyle::XFen), EN_PASSANT, "-").parse().ok()?;
    let theirs: Chess = fen
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()?;
    let Zobrist64(key) = theirs.zobrist_hash(EnPassantMode::Legal);
    let passed = position.pseudo_legal_en_passant();
    let passed = passed.map(|square| File::new(square.file().into()));
    let Zobrist64(passed) = passed.map_or(Zobrist64(0), Zobrist64::zobrist_for_en_passant_file);
    Some(key ^ passed)
}

/// Returns `None`: in WebAssembly there are no book files, so the large tables for keys are omitted.
#[cfg(target_family = "wasm")]
fn key(_: &Game) -> Option<u64> {
    None
}
