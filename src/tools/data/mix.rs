//! Mixes of several kinds of starting positions, with weights.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::component::Component;
use crate::random::Rng;
use crate::rules::{BoardSize, VariantError};
use crate::text::shorten;

/// Several kinds of starting positions, all on one board, with the weights that determine how often each is
/// drawn.
///
/// The text form is `chess960:35,dfrc:35,chess:10`, with any positive weights, or a single name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mix(Vec<(Component, u32)>);

/// Why a text does not describe a mix.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MixError {
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(
        "'{part}' has no valid weight; write NAME:WEIGHT with a whole number from 1 to {}, such as chess960:70",
        Mix::MAX_WEIGHT
    )]
    Weight { part: String },
    #[error("'{0}' occurs twice in the mix; name it once, with the sum of both weights")]
    Twice(Component),
    #[error(
        "{first} and {other} are played on different boards; each board has its own network, \
         so make a data set for each"
    )]
    Boards { first: Component, other: Component },
}

impl Mix {
    /// The largest weight. The sum of all weights stays far below `u64::MAX`.
    const MAX_WEIGHT: u32 = 1_000_000;

    /// The mix on which the network of each board is trained. The mix of 8x8 is mostly Chess960 and double
    /// Fischer random, with a few percent of some other variants. The mix of 10x10 is IFRC. Half of its
    /// positions have different back ranks, so that the network learns asymmetric starting positions.
    const OF_BOARDS: [(&str, &str); 2] = [
        ("8x8", "chess960:40,dfrc:40,chess:8,transcendental:6,jepps:6"),
        ("10x10", "ifrc:50,ifrc-double:50"),
    ];

    /// Returns the mix that the network of a board is trained on.
    pub fn of_board(board: BoardSize) -> Mix {
        // This build knows the name of the board, so parsing the name does not fail.
        board.name().parse().unwrap_or(Mix(Vec::new()))
    }

    /// Returns the board of all starting positions in the mix.
    pub fn board(&self) -> BoardSize {
        self.0.first().map_or(BoardSize::Eight, |(component, _)| component.board())
    }

    /// Draws a kind of starting position at random, according to the weights.
    pub fn draw(&self, rng: &mut Rng) -> Component {
        let sum = self.0.iter().map(|(_, weight)| u64::from(*weight)).sum();
        let mut rest = rng.below(sum);
        for (component, weight) in &self.0 {
            match rest.checked_sub(u64::from(*weight)) {
                None => return *component,
                Some(less) => rest = less,
            }
        }
        Component::ALL[0] // unreachable, because the drawn number is below the sum of all weights
    }
}

impl FromStr for Mix {
    type Err = MixError;

    /// Parses a mix. `8x8` and `10x10` stand for [`Mix::of_board`].
    fn from_str(text: &str) -> Result<Mix, MixError> {
        let text = text.trim();
        let of_board = Mix::OF_BOARDS.iter().find(|(board, _)| *board == text);
        let text = of_board.map_or(text, |(_, mix)| mix);
        if !text.contains([',', ':']) {
            return Ok(Mix(vec![(text.parse()?, 1)]));
        }
        let mut parts: Vec<(Component, u32)> = Vec::new();
        for part in text.split(',') {
            let (component, weight) = read_part(part)?;
            if let Some((first, _)) = parts.first()
                && first.board() != component.board()
            {
                return Err(MixError::Boards { first: *first, other: component });
            }
            if parts.iter().any(|(known, _)| *known == component) {
                return Err(MixError::Twice(component));
            }
            parts.push((component, weight));
        }
        Ok(Mix(parts))
    }
}

fn read_part(part: &str) -> Result<(Component, u32), MixError> {
    let missing = || MixError::Weight { part: shorten(part.trim()) };
    let (name, weight) = part.split_once(':').unwrap_or((part, ""));
    let component = name.parse()?;
    let weight: u32 = weight.trim().parse().map_err(|_| missing())?;
    if (1..=Mix::MAX_WEIGHT).contains(&weight) { Ok((component, weight)) } else { Err(missing()) }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let [(component, 1)] = self.0[..] {
            return f.pad(component.name());
        }
        let parts: Vec<String> =
            self.0.iter().map(|(component, weight)| format!("{component}:{weight}")).collect();
        f.pad(&parts.join(","))
    }
}

impl TryFrom<String> for Mix {
    type Error = MixError;

    fn try_from(text: String) -> Result<Mix, MixError> {
        text.parse()
    }
}

impl From<Mix> for String {
    fn from(mix: Mix) -> String {
        mix.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn read(text: &str) -> Result<Mix, MixError> {
        text.parse()
    }

    #[test]
    fn mixes_round_trip_through_text() {
        for text in ["chess", "dfrc", "chess960:70,chess:10,transcendental:10,jepps:10"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        let chess960 = "chess960".parse().unwrap();
        assert_eq!(read(" Chess960:2 , FISCHERANDOM:3"), Err(MixError::Twice(chess960)));
        assert_eq!(read("8x8").unwrap(), Mix::of_board(BoardSize::Eight));
        for component in Component::ALL {
            assert_eq!(Component::from_code(component.code()), Some(*component));
            assert_eq!(component.name().parse(), Ok(*component));
        }
    }

    #[test]
    fn invalid_mixes_are_explained() {
        assert!(matches!(read(""), Err(MixError::Variant(_))));
        assert!(read("checkers").unwrap_err().to_string().contains("dfrc"));
        for text in ["chess960,dfrc", "chess:0", "chess:x", "chess:1,dfrc:", "chess:1000001"] {
            assert!(matches!(read(text), Err(MixError::Weight { .. })), "{text}");
        }
    }

    #[test]
    fn boards_cannot_be_mixed_and_a_missing_board_is_named() {
        if let Ok(mix) = read("10x10") {
            assert_eq!(mix.to_string(), "ifrc:50,ifrc-double:50");
            let error = read("chess960:1,ifrc:1").unwrap_err();
            assert!(error.to_string().contains("chess960 and ifrc"), "{error}");
            return;
        }
        for text in ["ifrc", "ifrc-double:2"] {
            assert!(read(text).unwrap_err().to_string().contains("board10x10"));
        }
    }

    #[test]
    fn kinds_of_starts_are_drawn_by_weight() {
        let mix = Mix::of_board(BoardSize::Eight);
        let mut rng = Rng::new(5);
        let mut seen = HashMap::new();
        for _ in 0..10_000 {
            *seen.entry(mix.draw(&mut rng)).or_insert(0) += 1;
        }
        for (component, weight) in &mix.0 {
            let expected = 100 * *weight as i32;
            // Allows four standard deviations, which are at most 4 * sqrt(10,000 / 4) = 200.
            assert!((seen[component] - expected).abs() < 200, "{component}: {}", seen[component]);
        }
    }
}
