//! Start arrays: their numbers, uniform draws, and the dice of the games that roll them.
//!
//! Everything here is plain data and pure functions, with no position and no output:
//!
//! - [`Array`]: eight pieces of a back rank; [`PartialArray`] and [`Pocket`]: some of them, and
//!   those still in hand;
//! - [`Start`]: what both sides have in a variant, and its FEN;
//! - [`Numbering`] and [`ArrayKind`]: starts by number, both ways, and drawn uniformly with [`Rng`];
//! - [`SetupStart`] and [`SetupRoot`]: what a game with a set-up phase begins from;
//! - [`fischer_benko`]: the root that one [`die`] makes; [`jepps`]: the two dice of Jepps Random
//!   Chess.
//!
//! Files of an array count from 0 at the lowest file on which pieces start, a on 8x8 and b on
//! 10x10. Neighbouring squares differ in colour, so that the bishops stand on opposite colours
//! when the parities of their files differ, on both boards.

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

/// Both sides' arrays in a variant, as its rules allow them (but see [`Numbering::independent`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    variant: Variant,
    white: Array,
    black: Array,
}

/// Why two arrays are no start of a variant, or a text is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    #[error("{color}: {source}")]
    Array { color: Color, source: ArrayError },
    #[error("{color}: chess starts from RNBQKBNR, not from {array}; chess960 knows other arrays")]
    NotClassical { color: Color, array: Array },
    #[error("{color}: in {variant} the bishops stand on opposite colours, but not in {array}")]
    BishopsOnOneColor { variant: Variant, color: Color, array: Array },
    #[error("{color}: in {variant} the king stands between the rooks, but not in {array}")]
    KingNotBetweenRooks { variant: Variant, color: Color, array: Array },
    #[error("in {variant} Black's array mirrors White's; {black} differs from {white}")]
    NotMirrored { variant: Variant, white: Array, black: Array },
    #[error(
        "'{extra}' is too much: a start is White's array, then '/' and Black's if it has its own"
    )]
    TooManyArrays { extra: String },
}

impl Start {
    /// The start with these arrays, if the variant has it. Chess960 takes two different ones
    /// (double Fischer random).
    pub fn new(variant: Variant, white: Array, black: Array) -> Result<Start, StartError> {
        for (color, array) in Color::ALL.into_iter().zip([white, black]) {
            numbering::check_array(variant, color, array)?;
        }
        if numbering::always_mirrored(variant) && white != black {
            return Err(StartError::NotMirrored { variant, white, black });
        }
        Ok(Start { variant, white, black })
    }

    /// The start in which both sides have this array.
    pub fn mirrored(variant: Variant, array: Array) -> Result<Start, StartError> {
        Start::new(variant, array, array)
    }

    /// The variant's well-known start, which `position startpos` means.
    pub fn standard(variant: Variant) -> Start {
        // The rules hold constants, every one of which a test reads.
        let [white, black] = variant
            .rules()
            .start_array
            .map(|text| text.parse().expect("the rules hold arrays of eight pieces"));
        Start { variant, white, black }
    }

    /// Reads what [`Display`](fmt::Display) writes: White's array, then, if Black does not mirror
    /// it, a slash and Black's; in either case of letters.
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

    /// The game it starts.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// A side's array.
    pub const fn array(&self, color: Color) -> Array {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// How Black's array follows from White's. An array, having one king, is never its own reverse.
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
    /// White's array; then, if Black does not mirror it, a slash and Black's in lower case.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = self.white.to_string();
        if self.black != self.white {
            text += "/";
            text += &self.black.to_string().to_ascii_lowercase();
        }
        f.pad(&text)
    }
}
