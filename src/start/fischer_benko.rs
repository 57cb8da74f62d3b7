//! Rolls of one die in Fischer-Benko and Half-Random Transcendental Chess (D. Vujacic and O. Sassersson,
//! 2020), which place three pieces of each side before the players place the others.
//!
//! The die places a bishop on a light square, then a bishop on a dark square, then a rook. These three pieces
//! are the *root* of a side. White and Black roll in turn. For a bishop, the rolls 1 to 4 stand for the four
//! squares of the bishop's colour, counted from the a-file; 5 and 6 are rerolled. For the rook, the rolls 1
//! to 6 stand for the six free squares, counted from the a-file. All 96 roots of a side are therefore equally
//! likely.

use std::fmt;

use arrayvec::ArrayVec;

use super::die::Die;
use super::partial::PartialBackRank;
use super::root::SetupRoot;
use crate::geometry::{Board, Board8x8};
use crate::types::{Color, Role, Square};

/// Returns the name of the square on a file of a side's back rank. File 0 is the a-file.
fn home_square(color: Color, file: usize) -> String {
    let rank = Board8x8::HOME_RANK[color.index()];
    let square = u8::try_from(file).ok().and_then(|file| Square::<Board8x8>::at(file, rank));
    square.map_or_else(|| format!("file {file}"), |square| square.to_string())
}

/// A piece of the root: one of the three pieces of a side that a die places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RootPiece {
    /// The bishop on a light square.
    LightBishop,
    /// The bishop on a dark square.
    DarkBishop,
    /// The rook.
    Rook,
}

impl RootPiece {
    /// All pieces of a side that the die places, in the order of the rolls.
    pub const ALL: [RootPiece; 3] =
        [RootPiece::LightBishop, RootPiece::DarkBishop, RootPiece::Rook];

    /// Returns the role of the piece.
    pub const fn role(self) -> Role {
        match self {
            RootPiece::LightBishop | RootPiece::DarkBishop => Role::Bishop,
            RootPiece::Rook => Role::Rook,
        }
    }
}

impl fmt::Display for RootPiece {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            RootPiece::LightBishop => "light-square bishop",
            RootPiece::DarkBishop => "dark-square bishop",
            RootPiece::Rook => "rook",
        })
    }
}

/// The piece that the next roll of the die places, and the square that each number stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DieRequest {
    /// The side whose piece is placed.
    pub color: Color,
    /// The piece to place.
    pub piece: RootPiece,
    /// The four or six files that the rolls 1, 2 and so on stand for. File 0 is the a-file. A roll above the
    /// number of files is rerolled.
    pub files: ArrayVec<usize, 6>,
}

impl fmt::Display for DieRequest {
    /// Writes, for example, `White's rook: 1 = a1, 2 = d1, ...`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}'s {}:", self.color, self.piece)?;
        for (i, file) in self.files.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma} {} = {}", i + 1, home_square(self.color, *file))?;
        }
        if self.files.len() < 6 { f.write_str("; 5 and 6 are rerolled") } else { Ok(()) }
    }
}

/// The result of a roll of one die.
#[expect(missing_docs, reason = "the fields are named after their types")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The piece is placed on this file. File 0 is the a-file.
    Placed { die: Die, color: Color, piece: RootPiece, file: usize },
    /// The number stands for no square, so the die must be rerolled.
    RollAgain { die: Die, color: Color, piece: RootPiece },
}

impl Meaning {
    /// Returns a short description of the roll, such as `2: bishop c1` or `5: reroll`.
    pub fn short(&self) -> String {
        match *self {
            Meaning::Placed { die, color, piece, file } => {
                format!("{die}: {} {}", piece.role(), home_square(color, file))
            }
            Meaning::RollAgain { die, .. } => format!("{die}: reroll"),
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Meaning::Placed { die, color, piece, file } => {
                write!(f, "{die}: {color}'s {piece} goes to {}", home_square(color, file))
            }
            Meaning::RollAgain { die, color, piece } => {
                write!(f, "{die}: {color}'s {piece} has only four squares; reroll")
            }
        }
    }
}

/// The error for a roll after the die has placed three pieces of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the dice have already placed all six pieces; no further roll is needed")]
pub struct AllPlaced;

/// The pieces of both sides that the die has placed so far. To be able to undo a roll, keep a copy of this
/// value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RootByDie {
    ranks: [PartialBackRank; 2],
    /// The number of pieces that the die has placed for both sides together, 0 to 6.
    placed: usize,
}

impl RootByDie {
    /// Returns the state before the first roll.
    pub const fn new() -> RootByDie {
        RootByDie { ranks: [PartialBackRank::EMPTY; 2], placed: 0 }
    }

    /// Returns the piece and the squares of the next roll, or `None` if the die has placed all six pieces.
    pub fn request(&self) -> Option<DieRequest> {
        let piece = *RootPiece::ALL.get(self.placed / 2)?;
        let color = Color::ALL[self.placed % 2];
        let rank = Board8x8::HOME_RANK[color.index()];
        let is_light = |file: usize| Square::<Board8x8>::on(file as u8, rank).is_light();
        let free = self.ranks[color.index()].free_files();
        let files = free
            .filter(|file| match piece {
                RootPiece::LightBishop => is_light(*file),
                RootPiece::DarkBishop => !is_light(*file),
                RootPiece::Rook => true,
            })
            .collect();
        Some(DieRequest { color, piece, files })
    }

    /// Applies a roll of the die and returns its result.
    pub fn roll(&mut self, die: Die) -> Result<Meaning, AllPlaced> {
        let DieRequest { color, piece, files } = self.request().ok_or(AllPlaced)?;
        let Some(file) = files.get(die.value() as usize - 1).copied() else {
            return Ok(Meaning::RollAgain { die, color, piece });
        };
        let rank = &mut self.ranks[color.index()];
        let mut squares = rank.squares();
        squares[file] = Some(piece.role());
        *rank = PartialBackRank::of_squares(squares);
        self.placed += 1;
        Ok(Meaning::Placed { die, color, piece, file })
    }

    /// Returns a side's back rank with the pieces placed so far.
    pub const fn rank(&self, color: Color) -> PartialBackRank {
        self.ranks[color.index()]
    }

    /// Returns White's and Black's roots, or `None` if the die has not placed all six pieces.
    pub fn roots(&self) -> Option<[SetupRoot; 2]> {
        let [white, black] = self.ranks;
        Some([SetupRoot::of_rank(&white)?, SetupRoot::of_rank(&black)?])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::chi_square::{Evenness, judge};
    use super::super::{Rng, SetupRoot, SetupStart};
    use super::*;
    use crate::rules::Variant;

    fn die(value: u8) -> Die {
        Die::new(value).unwrap()
    }

    /// Rolls the inventor's example with two additional rerolls.
    #[test]
    fn rolls_the_inventors_example() {
        let mut setup = RootByDie::new();
        let mut said = Vec::new();
        for value in [1, 6, 2, 2, 5, 3, 3, 5] {
            said.push(setup.request().unwrap().to_string());
            said.push(setup.roll(die(value)).unwrap().to_string());
        }
        let expected = [
            "White's light-square bishop: 1 = b1, 2 = d1, 3 = f1, 4 = h1; 5 and 6 are rerolled",
            "1: White's light-square bishop goes to b1",
            "Black's light-square bishop: 1 = a8, 2 = c8, 3 = e8, 4 = g8; 5 and 6 are rerolled",
            "6: Black's light-square bishop has only four squares; reroll",
            "Black's light-square bishop: 1 = a8, 2 = c8, 3 = e8, 4 = g8; 5 and 6 are rerolled",
            "2: Black's light-square bishop goes to c8",
            "White's dark-square bishop: 1 = a1, 2 = c1, 3 = e1, 4 = g1; 5 and 6 are rerolled",
            "2: White's dark-square bishop goes to c1",
            "Black's dark-square bishop: 1 = b8, 2 = d8, 3 = f8, 4 = h8; 5 and 6 are rerolled",
            "5: Black's dark-square bishop has only four squares; reroll",
            "Black's dark-square bishop: 1 = b8, 2 = d8, 3 = f8, 4 = h8; 5 and 6 are rerolled",
            "3: Black's dark-square bishop goes to f8",
            "White's rook: 1 = a1, 2 = d1, 3 = e1, 4 = f1, 5 = g1, 6 = h1",
            "3: White's rook goes to e1",
            "Black's rook: 1 = a8, 2 = b8, 3 = d8, 4 = e8, 5 = g8, 6 = h8",
            "5: Black's rook goes to g8",
        ];
        assert_eq!(said, expected);
        assert_eq!(setup.request(), None);
        assert_eq!(setup.roll(die(1)), Err(AllPlaced));
        let roots = setup.roots().unwrap();
        assert_eq!(
            SetupStart::of_roots(Variant::FischerBenko, roots).unwrap().fen(),
            "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"
        );
    }

    /// Checks that the rolls of White's root, each minus one, are the digits of the root's number.
    #[test]
    fn rolls_are_the_digits_of_the_root_number() {
        for number in 0..SetupRoot::COUNT as u8 {
            let mut setup = RootByDie::new();
            for value in [number / 24 + 1, number / 6 % 4 + 1, number % 6 + 1] {
                setup.roll(die(value)).unwrap();
                setup.roll(die(1)).unwrap();
            }
            assert_eq!(setup.roots().unwrap()[0].number(), u64::from(number));
        }
    }

    #[test]
    fn roots_by_die_are_uniform() {
        let mut rng = Rng::new(6);
        let mut counts = [[0; 96]; 2];
        for _ in 0..96_000 {
            let mut setup = RootByDie::new();
            while setup.request().is_some() {
                setup.roll(Die::roll(&mut rng)).unwrap();
            }
            for (counts, root) in counts.iter_mut().zip(setup.roots().unwrap()) {
                counts[root.number() as usize] += 1;
            }
        }
        assert_eq!(judge(&counts[0]), Evenness::Uniform);
        assert_eq!(judge(&counts[1]), Evenness::Uniform);
    }

    proptest! {
        #[test]
        fn parsing_a_die_never_panics(text in any::<String>()) {
            if let Ok(read) = text.parse::<Die>() {
                prop_assert_eq!(read.to_string(), text.trim());
            }
        }

        #[test]
        fn any_sequence_of_rolls_leads_to_roots(values in prop::collection::vec(1_u8..=6, 0..40)) {
            let mut setup = RootByDie::new();
            let mut counted = 0;
            for value in values {
                match setup.roll(die(value)) {
                    Ok(Meaning::Placed { .. }) => counted += 1,
                    Ok(Meaning::RollAgain { die, piece, .. }) => {
                        prop_assert!(die.value() > 4 && piece.role() == Role::Bishop);
                    }
                    Err(AllPlaced) => break,
                }
            }
            prop_assert!(counted <= 6);
            prop_assert_eq!(setup.roots().is_some(), counted == 6);
        }
    }
}
