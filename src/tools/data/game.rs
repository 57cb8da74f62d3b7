//! Records of games, encoded in version 1 of the format.

use super::component::Component;
use super::filter::Filter;
use super::ply::Ply;
use crate::game::{Outcome, Termination};

/// The length in bytes of the part of a record before the FEN.
const FIXED: usize = 10;

/// A game in the encoding of version 1, borrowed from the bytes of a file or a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredGame<'a> {
    /// The index of the game in the data set to which it belongs.
    pub index: u32,
    /// The kind of starting position of the game.
    pub component: Component,
    pub termination: Termination,
    /// The number of random plies at the start of the game.
    pub random_plies: usize,
    /// The position before the first ply.
    pub fen: &'a str,
    plies: &'a [[u8; Ply::BYTES]],
    /// The bytes of the whole record.
    bytes: &'a [u8],
}

/// Why a record of a game is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameRecordFault {
    #[error("the record of the game is truncated: it goes beyond the end of its block")]
    Cut,
    #[error(
        "the record gives number {0} as the kind of starting position, which is unknown to this build or belongs to another board"
    )]
    Component(u8),
    #[error(
        "the byte that stands for the result of the game is {0:#04x}, which is not the code of a result"
    )]
    Termination(u8),
    #[error(
        "the FEN of the starting position is invalid: it is not ASCII text, or the position is illegal"
    )]
    Fen,
    #[error("the game has {random} random plies, but only {plies} plies in total")]
    RandomPlies { random: u8, plies: u16 },
    #[error("the number {0} in the record of the game is too large for its field")]
    Number(u64),
    #[error(
        "the code of the moves is too short: {words} words of 16 bits cannot contain {plies} plies"
    )]
    Plies { plies: u16, words: usize },
    #[error("the code of the moves is invalid at ply {number}")]
    Code { number: usize },
    #[error("{bytes} bytes follow the last game of the block; a block must end with its last game")]
    Surplus { bytes: usize },
}

impl<'a> StoredGame<'a> {
    /// Splits the first game off `bytes`. Returns the game and the remaining bytes.
    pub(super) fn split(bytes: &'a [u8]) -> Result<(StoredGame<'a>, &'a [u8]), GameRecordFault> {
        let (fixed, rest) = bytes.split_first_chunk::<FIXED>().ok_or(GameRecordFault::Cut)?;
        let [i0, i1, i2, i3, component, termination, random, fen_length, p0, p1] = *fixed;
        let plies = u16::from_le_bytes([p0, p1]);
        let (fen, rest) = rest.split_at_checked(fen_length.into()).ok_or(GameRecordFault::Cut)?;
        let (moves, rest) =
            rest.split_at_checked(usize::from(plies) * Ply::BYTES).ok_or(GameRecordFault::Cut)?;
        if u16::from(random) > plies {
            return Err(GameRecordFault::RandomPlies { random, plies });
        }
        let fen = std::str::from_utf8(fen).ok().filter(|fen| fen.is_ascii());
        let game = StoredGame {
            index: u32::from_le_bytes([i0, i1, i2, i3]),
            component: Component::from_code(component)
                .ok_or(GameRecordFault::Component(component))?,
            termination: Termination::from_byte(termination)
                .ok_or(GameRecordFault::Termination(termination))?,
            random_plies: random.into(),
            fen: fen.ok_or(GameRecordFault::Fen)?,
            plies: moves.as_chunks().0,
            bytes: &bytes[..bytes.len() - rest.len()],
        };
        Ok((game, rest))
    }

    /// Decodes a record. Returns `None` if `bytes` are not exactly one valid record.
    pub fn read(bytes: &'a [u8]) -> Option<StoredGame<'a>> {
        StoredGame::split(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(game, _)| game)
    }

    /// Returns the encoded game, which can be passed to [`super::BlockWriter`].
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn ply_bytes(&self) -> &'a [[u8; Ply::BYTES]] {
        self.plies
    }

    /// Returns the outcome of the game.
    pub fn outcome(&self) -> Outcome {
        self.termination.outcome()
    }

    /// Iterates over all plies. The random plies come first.
    #[inline]
    pub fn plies(
        &self,
    ) -> impl DoubleEndedIterator<Item = Ply> + ExactSizeIterator + Clone + use<'a> {
        self.plies.iter().map(|bytes| Ply::from_bytes(*bytes))
    }

    /// Iterates over the plies that a filter keeps, each with its index in the game, counted from 0.
    #[inline]
    pub fn kept(&self, filter: Filter) -> impl Iterator<Item = (usize, Ply)> + Clone + use<'a> {
        self.plies().enumerate().filter(move |(number, ply)| filter.keeps(*number, *ply))
    }
}

/// A game that is to be written to a file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrainingGame {
    pub index: u32,
    pub component: Component,
    pub termination: Termination,
    /// The number of random plies at the start of the game.
    pub random_plies: u8,
    /// The position before the first ply, as a FEN of at most 255 ASCII characters.
    pub fen: String,
    /// All plies of the game, at most 65,535.
    pub plies: Vec<Ply>,
}

impl TrainingGame {
    /// Encodes the game. Its termination must be one of [`super::TERMINATIONS`]. A FEN or a list of plies
    /// that is too long for the format is cut off, and [`super::verify()`] reports the resulting defect.
    /// Games from datagen are far below these limits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let fen = &self.fen.as_bytes()[..self.fen.len().min(u8::MAX.into())];
        let plies = &self.plies[..self.plies.len().min(u16::MAX.into())];
        let mut bytes = Vec::with_capacity(FIXED + fen.len() + plies.len() * Ply::BYTES);
        bytes.extend(self.index.to_le_bytes());
        bytes.extend([self.component.code(), self.termination.to_byte(), self.random_plies]);
        bytes.push(fen.len() as u8);
        bytes.extend((plies.len() as u16).to_le_bytes());
        bytes.extend(fen);
        plies.iter().for_each(|ply| bytes.extend(ply.to_bytes()));
        bytes
    }
}
