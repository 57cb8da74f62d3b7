//! Starting positions: their numbers, random draws, and the dice of some variants.
//!
//! This module contains only plain data and pure functions:
//!
//! - [`BackRank`]: the eight pieces of a back rank.
//! - [`PartialBackRank`] and [`Pocket`]: a partly filled back rank, and the pieces in hand.
//! - [`Start`]: a starting position: a variant and both sides' back ranks.
//! - [`Numbering`] and [`BackRankKind`]: numbered lists of starting positions and back ranks, and uniformly
//!   random starting positions drawn with [`Rng`].
//! - [`SetupStart`] and [`SetupRoot`]: the state of a setup game before the first placement by a player, and
//!   the *root* of a side: the three pieces that dice place in some setup games.
//! - [`fischer_benko`]: rolling a root with one [`die`].
//! - [`jepps`]: the two dice of Jepps Random Chess.
//!
//! The files of a back rank are counted from 0. File 0 is the lowest file on which pieces start: the a-file
//! on 8x8, the b-file on 10x10. Neighbouring squares differ in colour, so on both boards the bishops stand on
//! squares of different colours exactly if one bishop's file is even and the other's odd.

mod back_rank;
#[cfg(test)]
pub(crate) mod chi_square;
pub mod die;
mod fen;
pub mod fischer_benko;
pub mod jepps;
#[cfg(test)]
mod jepps_tests;
mod numbering;
#[cfg(test)]
mod numbering_tests;
mod partial;
mod root;

use std::fmt;

pub use back_rank::{BackRank, BackRankError};
pub use numbering::{BackRankKind, BlackBackRank, NumberError, Numbering};
pub use partial::{PartialBackRank, PartialError, Pocket};
pub use root::{SetupRoot, SetupStart, SetupStartError};

pub use crate::random::Rng;

use crate::rules::Variant;
use crate::types::Color;

/// A starting position: the variant and both sides' back ranks. The variant allows the back ranks, except in
/// a starting position from [`Numbering::independent`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    variant: Variant,
    white: BackRank,
    black: BackRank,
}

/// Why a variant does not allow two back ranks, or why a text does not describe a starting position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum StartError {
    #[error("{color}: {source}")]
    BackRank { color: Color, source: BackRankError },
    #[error(
        "{color}: the back rank of chess is RNBQKBNR, not {back_rank}; for other back ranks, choose chess960"
    )]
    NotClassical { color: Color, back_rank: BackRank },
    #[error(
        "{color}: in {variant} the bishops must stand on squares of opposite colours, but in {back_rank} they do not"
    )]
    BishopsOnOneColor { variant: Variant, color: Color, back_rank: BackRank },
    #[error(
        "{color}: in {variant} the king must stand between the rooks, but in {back_rank} it does not"
    )]
    KingNotBetweenRooks { variant: Variant, color: Color, back_rank: BackRank },
    #[error(
        "in {variant} both back ranks must be the same, but White's is {white} and Black's is {black}"
    )]
    NotMirrored { variant: Variant, white: BackRank, black: BackRank },
    #[error(
        "unexpected '{extra}': write White's back rank and, if Black's is different, '/' and Black's back rank"
    )]
    TooManyBackRanks { extra: String },
}

impl Start {
    /// Returns the starting position with the given back ranks. Fails if the variant does not allow these
    /// back ranks. Chess960 allows two different back ranks (double Fischer random).
    pub fn new(variant: Variant, white: BackRank, black: BackRank) -> Result<Start, StartError> {
        for (color, back_rank) in Color::ALL.into_iter().zip([white, black]) {
            numbering::check_back_rank(variant, color, back_rank)?;
        }
        if numbering::always_mirrored(variant) && white != black {
            return Err(StartError::NotMirrored { variant, white, black });
        }
        Ok(Start { variant, white, black })
    }

    /// Returns the starting position in which both sides have the given back rank.
    pub fn mirrored(variant: Variant, back_rank: BackRank) -> Result<Start, StartError> {
        Start::new(variant, back_rank, back_rank)
    }

    /// Returns the variant's standard starting position, which UCI calls `position startpos`.
    pub fn standard(variant: Variant) -> Start {
        // The texts are constants, and a test parses all of them, so parsing never fails here.
        let [white, black] = variant
            .rules()
            .standard_back_ranks
            .map(|text| text.parse().expect("the rules hold back ranks of eight pieces"));
        Start { variant, white, black }
    }

    /// Parses White's back rank and optionally a slash and Black's back rank, in upper or lower case.
    /// Without a slash Black's back rank equals White's.
    pub fn parse(variant: Variant, text: &str) -> Result<Start, StartError> {
        let mut parts = text.split('/');
        let read = |color, part: &str| {
            part.parse().map_err(|source| StartError::BackRank { color, source })
        };
        let white = read(Color::White, parts.next().unwrap_or_default())?;
        let black = parts.next().map_or(Ok(white), |part| read(Color::Black, part))?;
        if let Some(extra) = parts.next() {
            return Err(StartError::TooManyBackRanks { extra: crate::text::shorten(extra) });
        }
        Start::new(variant, white, black)
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns a side's back rank.
    pub const fn back_rank(&self, color: Color) -> BackRank {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Returns how Black's back rank follows from White's. No back rank equals its own reverse, because there
    /// is only one king, so the answer is unique.
    pub fn black_back_rank(&self) -> BlackBackRank {
        if self.black == self.white {
            BlackBackRank::Mirror
        } else if self.black == self.white.reversed() {
            BlackBackRank::Reverse
        } else {
            BlackBackRank::Own
        }
    }
}

impl fmt::Display for Start {
    /// Writes White's back rank. If Black's back rank differs, writes a slash and Black's back rank
    /// in lower case.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = self.white.to_string();
        if self.black != self.white {
            text += "/";
            text += &self.black.to_string().to_ascii_lowercase();
        }
        f.pad(&text)
    }
}
