//! What distinguishes the variants, as plain data.
//!
//! Neither position nor search asks which variant is played. A position holds *rights* (see
//! [`crate::position`]); this file says which rights a start has, on which board it stands and
//! how its arrays come about. Who else asks is who counts or names: [`crate::start`] knows the
//! arrays of each variant and their numbers, and protocols and records write its name.
//!
//! The cargo feature `board10x10` acts here: code for the 10x10 board is generic and always there,
//! but only a build with the feature has a variant and a [`BoardSize`] that lead to it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::geometry::Geometry;

/// The games Aleator plays, by their UCI names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Variant {
    /// Orthodox chess.
    Chess,
    /// Chess960 and double Fischer random: chess from shuffled arrays.
    Chess960,
    /// International Fischer Random Chess on ten files and ten ranks (J. M. Carrillo, 2008).
    #[cfg(feature = "board10x10")]
    Ifrc,
    /// Fischer-Benko: half the array by dice, half placed in turn, then Chess960.
    FischerBenko,
    /// Half-Random Transcendental Chess (Benko-Lawrence): the same without castling.
    Transcendental,
    /// Jepps Random Chess: arrays by dice, a king relocation instead of castling.
    Jepps,
    /// Pal Benko's Pre-Chess: all eight pieces placed in turn.
    Placement,
}

/// The boards there are. The numbers are those of the data files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BoardSize {
    Eight = 0,
    #[cfg(feature = "board10x10")]
    Ten = 1,
}

/// Runs code on the board of a [`BoardSize`]: the one place where a size becomes a type.
#[macro_export]
macro_rules! on_board {
    ($size:expr, |$G:ident| $body:expr) => {
        match $size {
            $crate::rules::BoardSize::Eight => {
                type $G = $crate::geometry::Board8x8;
                $body
            }
            #[cfg(feature = "board10x10")]
            $crate::rules::BoardSize::Ten => {
                type $G = $crate::geometry::Board10x10;
                $body
            }
        }
    };
}
pub use on_board;

impl BoardSize {
    /// Every board of this build, in the order of their numbers.
    pub const ALL: &'static [BoardSize] = &[
        BoardSize::Eight,
        #[cfg(feature = "board10x10")]
        BoardSize::Ten,
    ];

    /// `8x8` or `10x10`.
    pub const fn name(self) -> &'static str {
        on_board!(self, |G| <G as Geometry>::NAME)
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What an unmoved king may do besides a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KingRight {
    /// Castle with an unmoved rook, as in Chess960.
    Castling,
    /// Relocate along its home rank, as in Jepps Random Chess.
    Relocation,
    /// Nothing.
    None,
}

/// A game of placing: how pieces come onto the back ranks before the first move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SetupKind {
    /// Two bishops and a rook by dice, the rest in turn, the king between the rooks.
    FischerBenko,
    /// Two bishops and a rook by dice, the rest in turn.
    Transcendental,
    /// Pal Benko's Pre-Chess: all eight pieces in turn.
    Placement,
    /// Jepps Random Chess: every piece by dice, White's rank, then Black's.
    Jepps,
    /// Jepps Random Chess, Free Play: every piece by dice, in turn from opposite corners.
    JeppsFreePlay,
}

impl SetupKind {
    /// The variant whose set-up this is.
    pub const fn variant(self) -> Variant {
        match self {
            SetupKind::FischerBenko => Variant::FischerBenko,
            SetupKind::Transcendental => Variant::Transcendental,
            SetupKind::Placement => Variant::Placement,
            SetupKind::Jepps | SetupKind::JeppsFreePlay => Variant::Jepps,
        }
    }

    /// Whether the king must come to stand between the rooks.
    pub const fn wants_king_between_rooks(self) -> bool {
        matches!(self, SetupKind::FischerBenko)
    }

    /// Whether a side places its last two pieces in one turn.
    pub const fn ends_with_two(self) -> bool {
        matches!(self, SetupKind::FischerBenko)
    }

    /// Whether chance has placed two bishops and a rook before the first turn.
    pub const fn has_random_part(self) -> bool {
        matches!(self, SetupKind::FischerBenko | SetupKind::Transcendental)
    }

    /// Whether `position startpos` is the beginning of the set-up, as GUIs have it in Pre-Chess, and
    /// not an array past it.
    pub const fn is_startpos(self) -> bool {
        matches!(self, SetupKind::Placement)
    }

    /// Whether the next square is prescribed, and dice offer the pieces for it.
    pub const fn fills_in_order(self) -> bool {
        matches!(self, SetupKind::Jepps | SetupKind::JeppsFreePlay)
    }
}

/// The properties of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub variant: Variant,
    pub board: BoardSize,
    pub right: KingRight,
    /// The game of placing before the first move, if there is one. The dice of Jepps Random Chess
    /// begin in the normal order.
    pub setup: Option<SetupKind>,
    /// White's and Black's classical array, a..h (b..i on 10x10): what `position startpos` is, save where
    /// [`SetupKind::is_startpos`].
    pub start_array: [&'static str; 2],
}

impl Variant {
    /// Every variant of this build, in the order they are listed.
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
            #[cfg(feature = "board10x10")]
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
        let (board, right, setup, start_array) = match self {
            Variant::Chess | Variant::Chess960 => {
                (BoardSize::Eight, KingRight::Castling, None, CLASSICAL)
            }
            #[cfg(feature = "board10x10")]
            Variant::Ifrc => (BoardSize::Ten, KingRight::Castling, None, CLASSICAL),
            // The inventor's own example of a whole set-up.
            Variant::FischerBenko => (
                BoardSize::Eight,
                KingRight::Castling,
                Some(SetupKind::FischerBenko),
                ["NBBNRKQR", "RQBKNBRN"],
            ),
            // The array of the inventors' published game.
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
        Rules { variant: self, board, right, setup, start_array }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no variant of this build.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariantError {
    #[error("there is no variant '{name}'{}; there are {}", guess(name), variant_names())]
    Unknown { name: String },
    #[error(
        "variant '{name}' needs the 10x10 board: build with the cargo feature `board10x10` \
         (it is on by default, `--no-default-features` turned it off)"
    )]
    NeedsBoard10x10 { name: String },
}

/// What may have been meant: ` (did you mean jepps?)`
fn guess(name: &str) -> String {
    nearest(name).map_or_else(String::new, |nearest| format!(" (did you mean {nearest}?)"))
}

/// The variant that is spelled nearly so, or whose name has this in it.
fn nearest(name: &str) -> Option<&'static str> {
    const FARTHEST: usize = 2;
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let name: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    let known = Variant::ALL.iter().map(|variant| (variant.name(), variant.name()));
    let known: Vec<_> = known.chain([("dfrc", "dfrc"), ("prechess", "placement")]).collect();
    let distance = |spelling: &str| strsim::osa_distance(spelling, &name);
    let (closest, variant) = known.iter().min_by_key(|(spelling, _)| distance(spelling))?;
    if distance(closest) <= FARTHEST.min(name.len() / 2) {
        return Some(variant);
    }
    let has_it = |(spelling, _): &&(&str, _)| name.len() > FARTHEST && spelling.contains(&name);
    known.iter().find(has_it).map(|(_, variant)| *variant)
}

fn variant_names() -> String {
    let name = |variant: &Variant| match variant {
        Variant::Chess960 => "chess960 (also dfrc)",
        other => other.name(),
    };
    Variant::ALL.iter().map(name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Variant {
    type Err = VariantError;

    /// Reads a variant's name in any case, or one of the aliases `standard`, `normal` (chess),
    /// `fischerandom`, `dfrc` (Chess960), which GUIs use.
    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let lower = name.trim().to_ascii_lowercase();
        match lower.as_str() {
            "standard" | "normal" => return Ok(Variant::Chess),
            "fischerandom" | "fischerrandom" | "dfrc" => return Ok(Variant::Chess960),
            #[cfg(not(feature = "board10x10"))]
            "ifrc" => return Err(VariantError::NeedsBoard10x10 { name: name.to_owned() }),
            _ => {}
        }
        Variant::ALL
            .iter()
            .copied()
            .find(|variant| variant.name() == lower)
            .ok_or_else(|| VariantError::Unknown { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_that_is_misspelled_is_guessed() {
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
                format!("there is no variant '{name}' (did you mean {meant}?); there are");
            assert!(error.starts_with(&expected), "{error}");
        }
        for name in ["crazyhouse", "", "x", "10"] {
            let error = name.parse::<Variant>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{name}'; there are chess, ")), "{error}");
        }
    }
}
