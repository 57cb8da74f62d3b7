use std::fmt;
use std::str::FromStr;

use super::array::Array;
use super::{Start, StartError};
use crate::random::Rng;
use crate::rules::{Variant, VariantError};
use crate::types::{Color, Role};

/// Which arrays one side of a variant may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayKind {
    /// RNBQKBNR alone.
    Classical,
    /// Bishops on opposite colours, king between the rooks: the 960 of Chess960, by their
    /// Scharnagl numbers.
    KingBetweenRooks,
    /// Bishops on opposite colours, all else free: the 2,880 of Jepps Random Chess and Half-Random
    /// Transcendental Chess, by a number that continues Scharnagl's.
    ///
    /// Of the three squares that king and rooks occupy the king may have the middle one, the first
    /// or the last. With the king in the middle the number is the Scharnagl number; with the king
    /// first (towards the a-file) it is 960 plus the number of the array with the king moved to the
    /// middle, and with the king last 1,920 plus that number. So 518 is the classical array,
    /// 518 + 960 is KNBQRBNR and 518 + 1,920 is RNBQRBNK.
    OppositeBishops,
}

/// How many arrays Chess960 has.
const SCHARNAGL_COUNT: u64 = 960;

/// The pairs of five squares on which the knights may stand, in Scharnagl's order.
const KNIGHT_PAIRS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// For each third of the 2,880 arrays, which of the last three squares the king has.
const KING_PLACES: [usize; 3] = [1, 0, 2];

impl ArrayKind {
    /// What the arrays of a variant are.
    pub const fn of(variant: Variant) -> ArrayKind {
        match variant {
            Variant::Chess => ArrayKind::Classical,
            Variant::Transcendental | Variant::Jepps | Variant::Placement => {
                ArrayKind::OppositeBishops
            }
            // Chess960, Fischer-Benko, IFRC.
            _ => ArrayKind::KingBetweenRooks,
        }
    }

    /// How many arrays there are; their numbers are 0 to one less.
    pub const fn count(self) -> u64 {
        match self {
            ArrayKind::Classical => 1,
            ArrayKind::KingBetweenRooks => SCHARNAGL_COUNT,
            ArrayKind::OppositeBishops => 3 * SCHARNAGL_COUNT,
        }
    }

    /// The array with this number, if there is one.
    pub fn array(self, number: u64) -> Option<Array> {
        (number < self.count()).then(|| self.array_at(number))
    }

    /// The array with this number, which is below the count.
    fn array_at(self, number: u64) -> Array {
        debug_assert!(number < self.count());
        match self {
            ArrayKind::Classical => Array::CLASSICAL,
            _ => array_of_number(number as usize),
        }
    }

    /// The number of an array, if it is one of these.
    pub fn number(self, array: Array) -> Option<u64> {
        match self {
            ArrayKind::Classical => (array == Array::CLASSICAL).then_some(0),
            _ if !array.bishops_on_opposite_colors() => None,
            _ => Some(number_of_array(array)).filter(|number| *number < self.count()),
        }
    }
}

/// Scharnagl's method, with the place of the king as the leading digit. Every step fills the
/// n-th square still free.
fn array_of_number(number: usize) -> Array {
    let (third, number) = (number / 960, number % 960);
    let mut squares = [None; 8];
    squares[number % 4 * 2 + 1] = Some(Role::Bishop);
    squares[number / 4 % 4 * 2] = Some(Role::Bishop);
    fill_free(&mut squares, number / 16 % 6, Role::Queen);
    let [first, second] = KNIGHT_PAIRS[number / 96];
    // The second before the first, which would shift it.
    fill_free(&mut squares, second, Role::Knight);
    fill_free(&mut squares, first, Role::Knight);
    fill_free(&mut squares, KING_PLACES[third], Role::King);
    Array::of_roles(squares.map(|square| square.unwrap_or(Role::Rook)))
}

fn fill_free(squares: &mut [Option<Role>; 8], n: usize, role: Role) {
    if let Some(square) = squares.iter_mut().filter(|square| square.is_none()).nth(n) {
        *square = Some(role);
    }
}

/// The way back: where each piece stands among the squares that those before it left free. The
/// bishops stand on squares of different colours.
fn number_of_array(array: Array) -> u64 {
    let bishop = |parity| array.files_of(Role::Bishop).find(|file| file % 2 == parity);
    let (dark, light) = (bishop(0).unwrap_or(0) / 2, bishop(1).unwrap_or(1) / 2);
    let among = |wanted: Role, before: &[Role]| {
        let left = array.roles().into_iter().filter(|role| !before.contains(role));
        left.enumerate().filter(|(_, role)| *role == wanted).map(|(n, _)| n).collect::<Vec<_>>()
    };
    let queen = among(Role::Queen, &[Role::Bishop])[0];
    let pair = among(Role::Knight, &[Role::Bishop, Role::Queen]);
    let knights = KNIGHT_PAIRS.iter().position(|known| known[..] == pair).unwrap_or(0);
    let king = among(Role::King, &[Role::Bishop, Role::Queen, Role::Knight])[0];
    let third = KING_PLACES.iter().position(|place| *place == king).unwrap_or(0);
    ((((third * 10 + knights) * 6 + queen) * 4 + dark) * 4 + light) as u64
}

/// How Black's array follows from White's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlackArray {
    /// The same piece on the same file.
    Mirror,
    /// What White has on the a-file, Black has on the h-file, and so on.
    Reverse,
    /// Any array.
    Own,
}

impl BlackArray {
    /// All of them.
    pub const ALL: [BlackArray; 3] = [BlackArray::Mirror, BlackArray::Reverse, BlackArray::Own];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            BlackArray::Mirror => "mirror",
            BlackArray::Reverse => "reverse",
            BlackArray::Own => "own",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<BlackArray> {
        BlackArray::ALL.into_iter().find(|black| black.name() == name)
    }

    /// Black's array where White's decides it.
    pub fn of_white(self, white: Array) -> Option<Array> {
        match self {
            BlackArray::Mirror => Some(white),
            BlackArray::Reverse => Some(white.reversed()),
            BlackArray::Own => None,
        }
    }
}

impl fmt::Display for BlackArray {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A numbered list of starts of a variant.
///
/// Where Black's array follows from White's, a start has the number of White's array; where Black
/// has its own, it has `white * n + black`, with `n` arrays a side.
///
/// | variant | [`Numbering::of`] | also |
/// | --- | --- | --- |
/// | `chess` | 1 | |
/// | `chess960` | 960, mirrored | 921,600 with Black's own (double Fischer random) |
/// | `ifrc` | 960, mirrored | |
/// | `fischerbenko` | 921,600 = 960 x 960 | |
/// | `transcendental`, `placement` | 8,294,400 = 2,880 x 2,880 | |
/// | `jepps` | 2,880, mirrored | 2,880 reversed; 8,294,400 with Black's own |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbering {
    variant: Variant,
    black: BlackArray,
}

/// Why there is no such list, or no such start in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumberError {
    #[error("in {variant} Black's array always mirrors White's, so that '{black}' has no meaning")]
    Mirrored { variant: Variant, black: BlackArray },
    #[error("there is no start number {number} of {variant}; they go from 0 to {}", count - 1)]
    TooLarge { variant: Variant, number: u64, count: u64 },
}

impl FromStr for Numbering {
    type Err = VariantError;

    /// The list of a game by its name; `dfrc` is Chess960 with an array of its own for each side.
    fn from_str(name: &str) -> Result<Numbering, VariantError> {
        let variant = name.parse()?;
        let is_double = name.trim().eq_ignore_ascii_case("dfrc");
        Ok(if is_double { Numbering::DOUBLE_FISCHER_RANDOM } else { Numbering::of(variant) })
    }
}

impl Numbering {
    /// Double Fischer random: Chess960 with an array of its own for each side.
    pub const DOUBLE_FISCHER_RANDOM: Numbering =
        Numbering { variant: Variant::Chess960, black: BlackArray::Own };

    /// The list with this relation of the two arrays.
    pub fn new(variant: Variant, black: BlackArray) -> Result<Numbering, NumberError> {
        if always_mirrored(variant) && black != BlackArray::Mirror {
            return Err(NumberError::Mirrored { variant, black });
        }
        Ok(Numbering { variant, black })
    }

    /// The list by which the variant's starts are called.
    pub const fn of(variant: Variant) -> Numbering {
        let black = match variant {
            Variant::FischerBenko | Variant::Transcendental | Variant::Placement => BlackArray::Own,
            _ => BlackArray::Mirror,
        };
        Numbering { variant, black }
    }

    /// The list from which a start of the variant is drawn: all that its rules can lead to. For
    /// Jepps Random Chess these are the 8,294,400 pairs, for Chess960 the 960 mirrored starts.
    pub const fn drawn(variant: Variant) -> Numbering {
        match variant {
            Variant::Jepps => Numbering { variant, black: BlackArray::Own },
            _ => Numbering::of(variant),
        }
    }

    /// Every pair of the variant's arrays, also where its rules know mirrored starts only: positions
    /// to learn from, if not games of the variant. [`Start::new`] would refuse what IFRC gets here.
    pub const fn independent(variant: Variant) -> Numbering {
        Numbering { variant, black: BlackArray::Own }
    }

    /// The game that the starts are of.
    pub const fn variant(self) -> Variant {
        self.variant
    }

    /// How Black's array follows from White's.
    pub const fn black(self) -> BlackArray {
        self.black
    }

    /// How many starts there are; their numbers are 0 to one less.
    pub const fn count(self) -> u64 {
        let arrays = ArrayKind::of(self.variant).count();
        match self.black {
            BlackArray::Own => arrays * arrays,
            _ => arrays,
        }
    }

    /// The start with this number.
    pub fn start(self, number: u64) -> Result<Start, NumberError> {
        let Numbering { variant, .. } = self;
        if number >= self.count() {
            return Err(NumberError::TooLarge { variant, number, count: self.count() });
        }
        Ok(self.start_at(number))
    }

    /// The start with this number, which is below the count.
    fn start_at(self, number: u64) -> Start {
        let Numbering { variant, black } = self;
        let kind = ArrayKind::of(variant);
        let (white, black) = match black {
            BlackArray::Own => {
                (kind.array_at(number / kind.count()), kind.array_at(number % kind.count()))
            }
            BlackArray::Mirror => (kind.array_at(number), kind.array_at(number)),
            BlackArray::Reverse => (kind.array_at(number), kind.array_at(number).reversed()),
        };
        Start { variant, white, black }
    }

    /// The number of a start, if its arrays are in the list; of which variant it was made is not
    /// asked.
    pub fn number(self, start: &Start) -> Option<u64> {
        let kind = ArrayKind::of(self.variant);
        let white = kind.number(start.white)?;
        let black = kind.number(start.black)?;
        match self.black.of_white(start.white) {
            None => Some(white * kind.count() + black),
            Some(expected) => (expected == start.black).then_some(white),
        }
    }

    /// A start of the list, each as likely as the others.
    pub fn random(self, rng: &mut Rng) -> Start {
        self.start_at(rng.below(self.count()))
    }

    /// Every start of the list, in order.
    pub fn all(self) -> impl Iterator<Item = Start> {
        (0..self.count()).map(move |number| self.start_at(number))
    }
}

/// Whether the rules of a variant know only starts in which Black mirrors White.
pub(super) const fn always_mirrored(variant: Variant) -> bool {
    // The others are Chess and IFRC.
    !matches!(
        variant,
        Variant::Chess960
            | Variant::FischerBenko
            | Variant::Transcendental
            | Variant::Jepps
            | Variant::Placement
    )
}

/// Checks one side's array against the rules of the variant.
pub(super) fn check_array(variant: Variant, color: Color, array: Array) -> Result<(), StartError> {
    let kind = ArrayKind::of(variant);
    if kind.number(array).is_some() {
        Ok(())
    } else if kind == ArrayKind::Classical {
        Err(StartError::NotClassical { color, array })
    } else if !array.bishops_on_opposite_colors() {
        Err(StartError::BishopsOnOneColor { variant, color, array })
    } else {
        Err(StartError::KingNotBetweenRooks { variant, color, array })
    }
}
