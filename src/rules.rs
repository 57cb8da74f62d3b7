//! The differences between the variants, as plain data.
//!
//! Neither position nor search knows which variant is played: a position only holds *rights* (see
//! [`crate::position`]). This file defines for each variant the board, the rights and how the starting
//! position comes about. Besides it, only [`crate::start`], which numbers the starting positions, and
//! protocols and records, which write variant names, distinguish variants.
//!
//! The cargo feature `board10x10` takes effect here: without it no name and no list leads to IFRC or to
//! [`BoardSize::Ten`], and [`HAS_BOARD_10X10`] removes the code of the 10x10 board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::geometry::Board;
use crate::text::shorten;

/// Whether this build plays on the 10x10 board.
pub const HAS_BOARD_10X10: bool = cfg!(feature = "board10x10");

/// The games Aleator plays, by their UCI names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// Standard chess.
    Chess,
    /// Chess960 and double Fischer random: chess from shuffled back ranks.
    Chess960,
    /// International Fischer Random Chess on ten files and ten ranks (J. M. Carrillo, 2008).
    Ifrc,
    /// Fischer-Benko: some pieces placed by dice, the others in turn, then Chess960.
    FischerBenko,
    /// Half-Random Transcendental Chess (Benko-Lawrence): a similar setup, no castling.
    Transcendental,
    /// Jepps Random Chess: starting positions by dice, king relocation instead of castling.
    Jepps,
    /// Pal Benko's Pre-Chess: all eight pieces placed in turn.
    Placement,
}

/// The board sizes. Data files store these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BoardSize {
    /// 8x8.
    Eight = 0,
    /// 10x10.
    Ten = 1,
}

/// Runs code with a [`BoardSize`]'s geometry as a type parameter. Sizes become types only here.
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
    /// Every board size of this build, in the order of their numbers.
    pub const ALL: &'static [BoardSize] =
        if HAS_BOARD_10X10 { &[BoardSize::Eight, BoardSize::Ten] } else { &[BoardSize::Eight] };

    /// `8x8` or `10x10`.
    pub fn name(self) -> &'static str {
        on_board!(self, |G| G::NAME)
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What an unmoved king may do besides a normal king move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KingRight {
    /// Castle with an unmoved rook, as in Chess960.
    Castling,
    /// Relocate along its home rank, as in Jepps Random Chess.
    Relocation,
    /// Nothing.
    None,
}

/// A kind of setup: how pieces get onto the back ranks before the first move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetupKind {
    /// Two bishops and a rook by dice, the rest placed in turn, the king between the rooks.
    FischerBenko,
    /// Two bishops and a rook by dice, the rest placed in turn.
    Transcendental,
    /// Pal Benko's Pre-Chess: all eight pieces placed in turn.
    Placement,
    /// Jepps Random Chess: every piece by dice, White's rank, then Black's.
    Jepps,
    /// Jepps Random Chess, Free Play: every piece by dice, in turn from opposite corners.
    JeppsFreePlay,
}

impl SetupKind {
    /// The variant with this setup.
    pub const fn variant(self) -> Variant {
        match self {
            SetupKind::FischerBenko => Variant::FischerBenko,
            SetupKind::Transcendental => Variant::Transcendental,
            SetupKind::Placement => Variant::Placement,
            SetupKind::Jepps | SetupKind::JeppsFreePlay => Variant::Jepps,
        }
    }

    /// Whether the king must be placed between the rooks.
    pub const fn wants_king_between_rooks(self) -> bool {
        matches!(self, SetupKind::FischerBenko)
    }

    /// Whether a side places its last two pieces in one turn.
    pub const fn ends_with_two(self) -> bool {
        matches!(self, SetupKind::FischerBenko)
    }

    /// Whether dice place two bishops and a rook before the first turn.
    pub const fn has_random_part(self) -> bool {
        matches!(self, SetupKind::FischerBenko | SetupKind::Transcendental)
    }

    /// Whether `position startpos` means the beginning of the setup, as GUIs expect in Pre-Chess, rather
    /// than a complete starting position.
    pub const fn is_startpos(self) -> bool {
        matches!(self, SetupKind::Placement)
    }

    /// Whether squares are filled in a fixed order with pieces offered by dice.
    pub const fn fills_in_order(self) -> bool {
        matches!(self, SetupKind::Jepps | SetupKind::JeppsFreePlay)
    }
}

/// The properties of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The variant.
    pub variant: Variant,
    /// Its board.
    pub board: BoardSize,
    /// What a king that has not moved may do.
    pub right: KingRight,
    /// The setup before the first move, if the variant has one. For Jepps Random Chess it is the normal
    /// order, not Free Play.
    pub setup: Option<SetupKind>,
    /// White's and Black's back ranks of `position startpos`, files a to h (b to i on 10x10), unless
    /// [`SetupKind::is_startpos`].
    pub standard_back_ranks: [&'static str; 2],
}

impl Variant {
    /// Every variant of this build, in the order of listings.
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

    /// The value of `UCI_Variant` and `--variant`.
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

    /// The rules of the variant.
    pub const fn rules(self) -> Rules {
        const CLASSICAL: [&str; 2] = ["RNBQKBNR", "RNBQKBNR"];
        let (board, right, setup, standard_back_ranks) = match self {
            Variant::Chess | Variant::Chess960 => {
                (BoardSize::Eight, KingRight::Castling, None, CLASSICAL)
            }
            Variant::Ifrc => (BoardSize::Ten, KingRight::Castling, None, CLASSICAL),
            // The inventor's example of a complete setup.
            Variant::FischerBenko => (
                BoardSize::Eight,
                KingRight::Castling,
                Some(SetupKind::FischerBenko),
                ["NBBNRKQR", "RQBKNBRN"],
            ),
            // The starting position of the inventors' published game.
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

/// An unknown variant name, or a variant that this build lacks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum VariantError {
    #[error("there is no variant '{name}'{}; the variants are {}", guess(name), variant_names().join(", "))]
    Unknown { name: String },
    #[error(
        "variant '{name}' needs the 10x10 board: build with the cargo feature `board10x10` \
         (it is on by default, `--no-default-features` turned it off)"
    )]
    NeedsBoard10x10 { name: String },
}

/// Suggests a variant, such as ` (did you mean jepps?)`, or returns an empty text.
fn guess(name: &str) -> String {
    nearest(name).map_or_else(String::new, |nearest| format!(" (did you mean {nearest}?)"))
}

/// Returns the variant with the most similar name if it is similar enough, else one whose name contains
/// this text.
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

/// The name of double Fischer random: as a variant it is Chess960, as a start one in which each side has
/// its own back rank.
pub const DOUBLE_FISCHER_RANDOM: &str = "dfrc";

/// Returns the names by which users choose a variant.
pub fn variant_names() -> Vec<&'static str> {
    let mut names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
    names.insert(2, DOUBLE_FISCHER_RANDOM); // after chess960
    names
}

impl FromStr for Variant {
    type Err = VariantError;

    /// Parses one of [`variant_names`] in any case, or one of the aliases that GUIs use: `standard` and
    /// `normal` for chess; `fischerandom` and `fischerrandom` for Chess960.
    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let lower = name.trim().to_ascii_lowercase();
        match lower.as_str() {
            "standard" | "normal" => return Ok(Variant::Chess),
            "fischerandom" | "fischerrandom" | "dfrc" => return Ok(Variant::Chess960),
            // The second is a name in mixes of training data.
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
    fn suggests_a_variant_for_a_misspelled_name() {
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
