//! The openings from which the games of a match start.

use std::fmt;
use std::str::FromStr;

use crate::game::{Game, GameError};
use crate::rules::Variant;
use crate::setup::Setup;
use crate::start::{Numbering, Rng, SetupStart, SetupStartError};

/// How random openings are generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomOpenings {
    /// The number of random turns played from the random starting position or setup.
    pub plies: usize,
    /// Whether games of variants with a setup start from a random finished setup, so that the engines do not
    /// play the setup.
    pub skip_setup: bool,
}

/// Where the openings of a match come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// Random starting positions of the list `starts`, or random setups of its variant, followed by random
    /// turns. The openings depend only on the seed.
    Random { starts: Numbering, openings: RandomOpenings, seed: u64 },
    /// A list of FENs, used in order. After the last FEN the list starts over.
    List { variant: Variant, fens: Vec<String> },
}

/// Why an opening could not be generated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SourceError {
    #[error("the list of openings is empty; it must contain at least one position")]
    Empty,
    #[error("no game can start from the opening '{fen}': {error}")]
    Game { fen: String, error: Box<GameError> },
    #[error("{0}")]
    Setup(#[from] SetupStartError),
    #[error(
        "found no random opening of {plies} plies, because the game ended earlier in every attempt; choose fewer plies"
    )]
    TooLong { plies: usize },
}

/// The error for a value of `--openings` that starts with `random:` but has no valid number of turns.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{found}' does not describe random openings; expected random:PLIES with at most 200 plies, such as random:4"
)]
pub struct RandomSyntaxError {
    found: String,
}

/// The value of `--openings`: a file of openings, or a number of random turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningArgument {
    File(String),
    Random { plies: usize },
}

impl FromStr for OpeningArgument {
    type Err = RandomSyntaxError;

    fn from_str(text: &str) -> Result<OpeningArgument, RandomSyntaxError> {
        let Some(plies) = text.strip_prefix("random:") else {
            return Ok(OpeningArgument::File(text.to_owned()));
        };
        match plies.parse() {
            Ok(plies) if plies <= 200 => Ok(OpeningArgument::Random { plies }),
            _ => Err(RandomSyntaxError { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for OpeningArgument {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            OpeningArgument::File(file) => f.write_str(file),
            OpeningArgument::Random { plies } => write!(f, "random:{plies}"),
        }
    }
}

impl OpeningSource {
    /// Returns the opening of a round, as a game that the engines continue.
    pub fn game(&self, round: usize) -> Result<Game, SourceError> {
        match self {
            OpeningSource::List { variant, fens } => {
                let fen = fens.get(round % fens.len().max(1)).ok_or(SourceError::Empty)?;
                game(*variant, fen)
            }
            OpeningSource::Random { starts, openings, seed } => {
                let mut rng = Rng::new(Rng::new(*seed).next_u64().wrapping_add(round as u64));
                random_game(*starts, openings, &mut rng)
            }
        }
    }
}

fn game(variant: Variant, fen: &str) -> Result<Game, SourceError> {
    Game::new(variant, fen)
        .map_err(|error| SourceError::Game { fen: fen.to_owned(), error: Box::new(error) })
}

fn random_game(
    starts: Numbering,
    openings: &RandomOpenings,
    rng: &mut Rng,
) -> Result<Game, SourceError> {
    let variant = starts.variant();
    let with_setup = variant.rules().setup.is_some() && !openings.skip_setup;
    // A new attempt is needed if the random moves end the game, which is rare.
    for _ in 0..1_000 {
        let fen = if with_setup {
            Setup::new(&SetupStart::random(variant, rng)?).fen()
        } else {
            starts.drawn().random(rng).fen()
        };
        let mut game = game(variant, &fen)?;
        if (0..openings.plies).all(|_| game.play_at_random(rng)) && game.termination().is_none() {
            // Keeps only the resulting position, because the engines do not get the random moves.
            return self::game(variant, &game.fen());
        }
    }
    Err(SourceError::TooLong { plies: openings.plies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        for &variant in Variant::ALL {
            for skip_setup in [false, true] {
                let openings = RandomOpenings { plies: 4, skip_setup };
                let starts = Numbering::of(variant);
                let source = |seed| OpeningSource::Random { starts, openings, seed };
                let fens = |seed| -> Vec<String> {
                    (0..20).map(|round| source(seed).game(round).unwrap().fen()).collect()
                };
                assert_eq!(fens(1), fens(1));
                assert_ne!(fens(1), fens(2));
                let with_setup = variant.rules().setup.is_some() && !skip_setup;
                for fen in fens(3) {
                    let game = Game::new(variant, &fen).unwrap();
                    assert_eq!(game.is_setup(), with_setup, "{variant}: {fen}");
                    assert_eq!(game.fen(), fen);
                }
            }
        }
    }

    #[test]
    fn only_double_fischer_random_has_different_back_ranks() {
        let openings = RandomOpenings { plies: 0, skip_setup: false };
        for (name, expected) in [("chess960", 20), ("dfrc", 0)] {
            let starts = name.parse().unwrap();
            let is_mirrored = |round: &usize| {
                let source = OpeningSource::Random { starts, openings, seed: 1 };
                let fen = source.game(*round).unwrap().fen().to_ascii_lowercase();
                let board = fen.split(' ').next().unwrap();
                board.split('/').next() == board.split('/').next_back()
            };
            assert_eq!((0..20).filter(is_mirrored).count(), expected, "{name}");
        }
    }

    #[test]
    fn lists_are_used_in_order() {
        let fens: Vec<String> =
            ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
                .map(str::to_owned)
                .to_vec();
        let source = OpeningSource::List { variant: Variant::Chess, fens: fens.clone() };
        for round in 0..4 {
            assert_eq!(source.game(round).unwrap().fen(), fens[round % 2]);
        }
        let empty = OpeningSource::List { variant: Variant::Chess, fens: vec![] };
        assert_eq!(empty.game(0).unwrap_err(), SourceError::Empty);
    }

    #[test]
    fn arguments_name_a_file_or_random_plies() {
        let read = |text: &str| text.parse::<OpeningArgument>();
        assert_eq!(read("random:4"), Ok(OpeningArgument::Random { plies: 4 }));
        assert_eq!(read("book/x.epd"), Ok(OpeningArgument::File("book/x.epd".to_owned())));
        for text in ["random:", "random:x", "random:-1", "random:1000"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
