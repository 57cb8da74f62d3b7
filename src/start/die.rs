//! A six-sided die.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::random::Rng;

/// A number that a die can show: 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8")]
pub struct Die(u8);

/// The error for a value or text that is not the number of a face, 1 to 6.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{found}' is not a die roll: a die shows 1, 2, 3, 4, 5 or 6")]
pub struct DieError {
    /// The value or text that is not a die roll.
    pub found: String,
}

impl Die {
    /// The six faces.
    pub const ALL: [Die; 6] = [Die(1), Die(2), Die(3), Die(4), Die(5), Die(6)];

    /// Returns the face with the given number.
    pub fn new(value: u8) -> Result<Die, DieError> {
        match value {
            1..=6 => Ok(Die(value)),
            _ => Err(DieError { found: value.to_string() }),
        }
    }

    /// Returns the number, 1 to 6.
    pub const fn value(self) -> u8 {
        self.0
    }

    /// Whether the number is odd.
    pub const fn is_odd(self) -> bool {
        self.0 % 2 == 1
    }

    /// Rolls a die and returns the face.
    pub const fn roll(rng: &mut Rng) -> Die {
        Die(rng.below(6) as u8 + 1)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl TryFrom<u8> for Die {
    type Error = DieError;

    fn try_from(value: u8) -> Result<Die, DieError> {
        Die::new(value)
    }
}

impl FromStr for Die {
    type Err = DieError;

    /// Parses one digit from 1 to 6, ignoring surrounding white space.
    fn from_str(text: &str) -> Result<Die, DieError> {
        match text.trim().as_bytes() {
            [digit @ b'1'..=b'6'] => Ok(Die(digit - b'0')),
            _ => Err(DieError { found: crate::text::shorten(text.trim()) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_have_six_faces() {
        assert_eq!(Die::ALL.map(Die::value), [1, 2, 3, 4, 5, 6]);
        assert_eq!(" 4 ".parse(), Die::new(4));
        for text in ["0", "7", "", "12", "-1", "four", "4.0", "٣"] {
            let error = text.parse::<Die>().unwrap_err();
            assert_eq!(error.found, text);
        }
        assert_eq!(Die::new(0), Err(DieError { found: "0".into() }));
        assert_eq!(
            Die::new(7).unwrap_err().to_string(),
            "'7' is not a die roll: a die shows 1, 2, 3, 4, 5 or 6"
        );
    }
}
