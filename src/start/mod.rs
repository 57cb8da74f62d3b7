//! Starting positions: their numbers, uniform draws, and the dice of the games that roll them.
//!
//! Everything here is plain data and pure functions. Nothing depends on a position or prints:
//!
//! - [`Array`]: the eight pieces of a back rank; [`PartialArray`] and [`Pocket`]: a back rank that
//!   is partly filled, and the pieces in hand;
//! - [`Start`]: both sides' back ranks in a variant, and the FEN;
//! - [`Numbering`] and [`ArrayKind`]: starts by number, numbers by start, and uniform draws with
//!   [`Rng`];
//! - [`SetupStart`] and [`SetupRoot`]: what a setup game begins from;
//! - [`fischer_benko`]: the root rolled with one [`die`]; [`jepps`]: the two dice of Jepps Random
//!   Chess.
//!
//! Files of a back rank count from 0 at the lowest file on which pieces start: a on 8x8, b on
//! 10x10. Neighbouring squares differ in colour, so on both boards the bishops stand on opposite
//! colours exactly when the parities of their files differ.

mod array;
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

pub use array::{Array, ArrayError};
pub use numbering::{ArrayKind, BlackArray, NumberError, Numbering};
pub use partial::{PartialArray, PartialError, Pocket};
pub use root::{SetupRoot, SetupStart, SetupStartError};

pub use crate::random::Rng;

use crate::rules::Variant;
use crate::types::Color;

/// Both sides' back ranks, legal in the variant (but see [`Numbering::independent`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    variant: Variant,
    white: Array,
    black: Array,
}

/// Why two back ranks are not a start of a variant, or a text does not describe one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    #[error("{color}: {source}")]
    Array { color: Color, source: ArrayError },
    #[error("{color}: chess starts from RNBQKBNR, not from {array}; chess960 has other back ranks")]
    NotClassical { color: Color, array: Array },
    #[error("{color}: in {variant} the bishops stand on opposite colours, unlike in {array}")]
    BishopsOnOneColor { variant: Variant, color: Color, array: Array },
    #[error("{color}: in {variant} the king stands between the rooks, unlike in {array}")]
    KingNotBetweenRooks { variant: Variant, color: Color, array: Array },
    #[error("in {variant} Black's back rank mirrors White's, but {black} differs from {white}")]
    NotMirrored { variant: Variant, white: Array, black: Array },
    #[error(
        "unexpected '{extra}': a start is White's back rank, then '/' and Black's if they differ"
    )]
    TooManyArrays { extra: String },
}

impl Start {
    /// Returns the start with these back ranks, or an error if the variant does not allow it.
    /// Chess960 accepts two different back ranks (double Fischer random).
    pub fn new(variant: Variant, white: Array, black: Array) -> Result<Start, StartError> {
        for (color, array) in Color::ALL.into_iter().zip([white, black]) {
            numbering::check_array(variant, color, array)?;
        }
        if numbering::always_mirrored(variant) && white != black {
            return Err(StartError::NotMirrored { variant, white, black });
        }
        Ok(Start { variant, white, black })
    }

    /// Returns the start in which both sides have this back rank.
    pub fn mirrored(variant: Variant, array: Array) -> Result<Start, StartError> {
        Start::new(variant, array, array)
    }

    /// Returns the variant's standard start, which UCI calls `position startpos`.
    pub fn standard(variant: Variant) -> Start {
        // The rules are constants, all of which a test parses.
        let [white, black] = variant
            .rules()
            .start_array
            .map(|text| text.parse().expect("the rules hold back ranks of eight pieces"));
        Start { variant, white, black }
    }

    /// Parses what [`Display`](fmt::Display) writes, in upper or lower case: White's back rank,
    /// then, unless Black mirrors it, a slash and Black's.
    pub fn parse(variant: Variant, text: &str) -> Result<Start, StartError> {
        let mut parts = text.split('/');
        let read =
            |color, part: &str| part.parse().map_err(|source| StartError::Array { color, source });
        let white = read(Color::White, parts.next().unwrap_or_default())?;
        let black = parts.next().map_or(Ok(white), |part| read(Color::Black, part))?;
        if let Some(extra) = parts.next() {
            return Err(StartError::TooManyArrays { extra: crate::text::shorten(extra) });
        }
        Start::new(variant, white, black)
    }

    /// Returns the variant it belongs to.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns a side's back rank.
    pub const fn array(&self, color: Color) -> Array {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Returns how Black's back rank follows from White's. With a single king, no back rank is its
    /// own reverse.
    pub fn black_array(&self) -> BlackArray {
        if self.black == self.white {
            BlackArray::Mirror
        } else if self.black == self.white.reversed() {
            BlackArray::Reverse
        } else {
            BlackArray::Own
        }
    }
}

impl fmt::Display for Start {
    /// Writes White's back rank and, unless Black mirrors it, a slash and Black's in lower case.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = self.white.to_string();
        if self.black != self.white {
            text += "/";
            text += &self.black.to_string().to_ascii_lowercase();
        }
        f.pad(&text)
    }
}
