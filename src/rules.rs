//! The differences between the variants, as plain data.
//!
//! This file defines the board, the king's rights and the setup of each variant. Positions and the search do
//! not depend on the variant: a position only contains *rights* (see [`crate::position`]). Apart from this
//! file, two kinds of code distinguish variants: [`crate::start`], which numbers the starting positions, and
//! protocols and records, which write variant names.
//!
//! The cargo feature `board10x10` takes effect in this file. Without the feature, the name `ifrc` is
//! rejected, no list contains IFRC or [`BoardSize::Ten`], and [`HAS_BOARD_10X10`] lets the compiler remove
//! the code of the 10x10 board.

use std::fmt;
use std::str::FromStr;

use crate::geometry::Board;
use crate::text::shorten;

/// Whether this build supports the 10x10 board.
pub const HAS_BOARD_10X10: bool = cfg!(feature = "board10x10");

/// The variants of chess that Aleator plays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variant {
    /// Standard chess.
    Chess,
    /// Chess960 and double Fischer random, which are chess from shuffled back ranks.
    Chess960,
    /// International Fischer Random Chess on ten files and ten ranks (J. M. Carrillo, 2008).
    Ifrc,
    /// Fischer-Benko. Dice place some pieces, the players place the others in turn, and then the rules of
    /// Chess960 apply.
    FischerBenko,
    /// Half-Random Transcendental Chess (Benko-Lawrence). Dice place some pieces, the players place the
    /// others in turn, and there is no castling.
    Transcendental,
    /// Jepps Random Chess. Dice determine the starting position, and the king can relocate instead of
    /// castling.
    Jepps,
    /// Pal Benko's Pre-Chess. The players place all eight pieces in turn, and then the rules of Chess960
    /// apply.
    Placement,
}

/// The board sizes. Data files store the numbers of the sizes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BoardSize {
    /// 8x8.
    Eight = 0,
    /// 10x10.
    Ten = 1,
}

/// Evaluates an expression in which `$G` is the board type of a [`BoardSize`]. Only this macro converts a
/// board size to a type.
#[macro_export]
macro_rules! on_board {
    ($size:expr, |$G:ident| $body:expr) => {
        match $size {
            $crate::rules::BoardSize::Eight => {
                type $G = $crate::geometry::Board8x8;
                $body
            }
            $crate::rules::BoardSize::Ten if !$crate::rules::HAS_BOARD_10X10 => {
                unreachable!("this build has no 10x10 board")
            }
            $crate::rules::BoardSize::Ten => {
                type $G = $crate::geometry::Board10x10;
                $body
            }
        }
    };
}
pub use on_board;

impl BoardSize {
    /// All board sizes of this build, in the order of their numbers.
    pub const ALL: &'static [BoardSize] =
        if HAS_BOARD_10X10 { &[BoardSize::Eight, BoardSize::Ten] } else { &[BoardSize::Eight] };

    /// Returns the name of the size: `8x8` or `10x10`.
    pub fn name(self) -> &'static str {
        on_board!(self, |G| G::NAME)
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The special move that an unmoved king may make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KingRight {
    /// The king may castle with an unmoved rook, as in Chess960.
    Castling,
    /// The king may relocate along its home rank, as in Jepps Random Chess.
    Relocation,
    /// The king has no special move.
    None,
}

/// A kind of setup, in which pieces are placed on the back ranks before the first move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetupKind {
    /// Dice place two bishops and a rook, and the players place the other pieces in turn. The king must be
    /// between the rooks.
    FischerBenko,
    /// Dice place two bishops and a rook, and the players place the other pieces in turn.
    Transcendental,
    /// Pal Benko's Pre-Chess. The players place all eight pieces in turn.
    Placement,
    /// Jepps Random Chess. Dice determine every piece, first on White's back rank and then on Black's.
    Jepps,
    /// Jepps Random Chess, Free Play. Dice determine every piece, and the two sides fill their back ranks in
    /// turn from opposite corners.
    JeppsFreePlay,
}

impl SetupKind {
    /// Returns the variant with this kind of setup.
    pub const fn variant(self) -> Variant {
        match self {
            SetupKind::FischerBenko => Variant::FischerBenko,
            SetupKind::Transcendental => Variant::Transcendental,
            SetupKind::Placement => Variant::Placement,
            SetupKind::Jepps | SetupKind::JeppsFreePlay => Variant::Jepps,
        }
    }

    /// Returns whether the king must be placed between the rooks.
    pub const fn wants_king_between_rooks(self) -> bool {
        matches!(self, SetupKind::FischerBenko)
    }

    /// Returns whether a side places its last two pieces in a single turn.
    pub const fn ends_with_two(self) -> bool {
        matches!(self, SetupKind::FischerBenko)
    }

    /// Returns whether dice place two bishops and a rook before the first turn.
    pub const fn has_random_part(self) -> bool {
        matches!(self, SetupKind::FischerBenko | SetupKind::Transcendental)
    }

    /// Returns whether the UCI command `position startpos` means the setup before the first placement, as
    /// GUIs expect in Pre-Chess. For other kinds of setup, the command means a complete starting position.
    pub const fn is_startpos(self) -> bool {
        matches!(self, SetupKind::Placement)
    }

    /// Returns whether squares are filled in a fixed order with pieces that dice determine.
    pub const fn fills_in_order(self) -> bool {
        matches!(self, SetupKind::Jepps | SetupKind::JeppsFreePlay)
    }
}

/// The properties of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The variant.
    pub variant: Variant,
    /// The board of the variant.
    pub board: BoardSize,
    /// The special move of a king that has not moved.
    pub right: KingRight,
    /// The setup before the first move, if the variant has a setup. For Jepps Random Chess, this is the
    /// setup in which White fills its whole back rank before Black, and not Free Play.
    pub setup: Option<SetupKind>,
    /// White's and Black's back ranks after the UCI command `position startpos`, on files a to h, or on files
    /// b to i of the 10x10 board. If [`SetupKind::is_startpos`] is true, the command does not use these back
    /// ranks.
    pub standard_back_ranks: [&'static str; 2],
}

impl Variant {
    /// All variants of this build, in the order in which they are listed for users.
    pub const ALL: &'static [Variant] = &[
        Variant::Chess,
        Variant::Chess960,
        #[cfg(feature = "board10x10")]
        Variant::Ifrc,
        Variant::FischerBenko,
        Variant::Transcendental,
        Variant::Jepps,
        Variant::Placement,
    ];

    /// Returns the name of the variant in the UCI option `UCI_Variant` and in the command-line option
    /// `--variant`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chess => "chess",
            Variant::Chess960 => "chess960",
            Variant::Ifrc => "ifrc",
            Variant::FischerBenko => "fischerbenko",
            Variant::Transcendental => "transcendental",
            Variant::Jepps => "jepps",
            Variant::Placement => "placement",
        }
    }

    /// Returns the rules of the variant.
    pub const fn rules(self) -> Rules {
        const CLASSICAL: [&str; 2] = ["RNBQKBNR", "RNBQKBNR"];
        let (board, right, setup, standard_back_ranks) = match self {
            Variant::Chess | Variant::Chess960 => {
                (BoardSize::Eight, KingRight::Castling, None, CLASSICAL)
            }
            Variant::Ifrc => (BoardSize::Ten, KingRight::Castling, None, CLASSICAL),
            // The back ranks are the inventor's example of a complete setup.
            Variant::FischerBenko => (
                BoardSize::Eight,
                KingRight::Castling,
                Some(SetupKind::FischerBenko),
                ["NBBNRKQR", "RQBKNBRN"],
            ),
            // The back ranks are those of the game that the inventors published.
            Variant::Transcendental => (
                BoardSize::Eight,
                KingRight::None,
                Some(SetupKind::Transcendental),
                ["BQNRRBKN", "BKNBRNQR"],
            ),
            Variant::Jepps => {
                (BoardSize::Eight, KingRight::Relocation, Some(SetupKind::Jepps), CLASSICAL)
            }
            Variant::Placement => {
                (BoardSize::Eight, KingRight::Castling, Some(SetupKind::Placement), CLASSICAL)
            }
        };
        Rules { variant: self, board, right, setup, standard_back_ranks }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for an unknown variant name, or for a variant that this build does not support.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum VariantError {
    #[error("there is no variant '{name}'{}; the variants are {}", guess(name), variant_names().join(", "))]
    Unknown { name: String },
    #[error(
        "variant '{name}' needs the 10x10 board: build with the cargo feature `board10x10` \
         (the feature is on by default; `--no-default-features` turns it off)"
    )]
    NeedsBoard10x10 { name: String },
}

/// Returns a suggestion for a misspelt variant name, such as ` (did you mean jepps?)`. Returns an empty text
/// if no variant has a similar name.
fn guess(name: &str) -> String {
    nearest(name).map_or_else(String::new, |nearest| format!(" (did you mean {nearest}?)"))
}

/// Returns the name of the variant that is closest to `name`, or `None` if no name is close. If no spelling
/// is within a small edit distance, returns a variant whose name contains `name`.
fn nearest(name: &str) -> Option<&'static str> {
    const MAX_DISTANCE: usize = 2;
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    let known = variant_names().into_iter().map(|name| (name, name));
    let known: Vec<_> = known.chain([("prechess", "placement")]).collect();
    let distance = |spelling: &str| strsim::osa_distance(spelling, &name);
    let (closest, variant) = known.iter().min_by_key(|(spelling, _)| distance(spelling))?;
    if distance(closest) <= MAX_DISTANCE.min(name.len() / 2) {
        return Some(variant);
    }
    let contains_name =
        |(spelling, _): &&(&str, _)| name.len() > MAX_DISTANCE && spelling.contains(&name);
    known.iter().find(contains_name).map(|(_, variant)| *variant)
}

/// The name of double Fischer random, in which each side has its own shuffled back rank. As the name of a
/// variant, it means Chess960.
pub const DOUBLE_FISCHER_RANDOM: &str = "dfrc";

/// Returns the names of variants that users can choose.
pub fn variant_names() -> Vec<&'static str> {
    let mut names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    names.insert(2, DOUBLE_FISCHER_RANDOM); // after chess960
    names
}

impl FromStr for Variant {
    type Err = VariantError;

    /// Parses one of [`variant_names`], in upper or lower case, or one of the aliases that GUIs use.
    /// `standard` and `normal` mean chess, and `fischerandom` and `fischerrandom` mean Chess960.
    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let lower = name.trim().to_ascii_lowercase();
        match lower.as_str() {
            "standard" | "normal" => return Ok(Variant::Chess),
            "fischerandom" | "fischerrandom" | "dfrc" => return Ok(Variant::Chess960),
            // `ifrc-double` is a name in mixes of training data.
            "ifrc" | "ifrc-double" if !HAS_BOARD_10X10 => {
                return Err(VariantError::NeedsBoard10x10 { name: lower });
            }
            _ => {}
        }
        Variant::ALL
            .iter()
            .copied()
            .find(|variant| variant.name() == lower)
            .ok_or_else(|| VariantError::Unknown { name: shorten(name) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_suggested_for_a_misspelt_name() {
        for (name, meant) in [
            ("960", "chess960"),
            ("jeps", "jepps"),
            ("Chess 960", "chess960"),
            ("fischer-benko", "fischerbenko"),
            ("benko", "fischerbenko"),
            ("Pre-Chess", "placement"),
            ("dfr", "dfrc"),
        ] {
            let error = name.parse::<Variant>().unwrap_err().to_string();
            let expected =
                format!("there is no variant '{name}' (did you mean {meant}?); the variants are");
            assert!(error.starts_with(&expected), "{error}");
        }
        for name in ["crazyhouse", "", "x", "10"] {
            let error = name.parse::<Variant>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}'; the variants are chess, ")), "{error}");
        }
    }
}
