//! Numbers of back ranks and starts: from number to start, from start to number, and uniform draws.

use std::fmt;
use std::str::FromStr;

use super::back_rank::BackRank;
use super::{Start, StartError};
use crate::random::Rng;
use crate::rules::{self, Variant, VariantError};
use crate::types::{Color, Role};

/// Which back ranks a side may have in a variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BackRankKind {
    /// Only RNBQKBNR.
    Classical,
    /// Bishops on opposite colours, king between the rooks: the 960 of Chess960, by their Scharnagl
    /// numbers.
    KingBetweenRooks,
    /// Bishops on opposite colours, no other constraint: the 2,880 of Jepps Random Chess and
    /// Half-Random Transcendental Chess, numbered in a continuation of Scharnagl's method.
    ///
    /// The king may stand on the middle, the first or the last of the three squares occupied by
    /// king and rooks. With the king in the middle the number is the Scharnagl number. With the
    /// king first (towards the a-file) it is 960 plus the number after moving the king to the
    /// middle; with the king last it is 1,920 plus that number. So 518 is the classical back rank,
    /// 518 + 960 is KNBQRBNR and 518 + 1,920 is RNBQRBNK.
    OppositeBishops,
}

/// The number of back ranks in Chess960.
const SCHARNAGL_COUNT: u64 = 960;

/// The pairs of five squares that the knights can occupy, in Scharnagl's order.
const KNIGHT_PAIRS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// For each third of the 2,880 back ranks, the index of the king among the last three squares.
const KING_PLACES: [usize; 3] = [1, 0, 2];

impl BackRankKind {
    /// Returns the kind of back rank that a variant allows.
    pub const fn of(variant: Variant) -> BackRankKind {
        match variant {
            Variant::Chess => BackRankKind::Classical,
            Variant::Transcendental | Variant::Jepps | Variant::Placement => {
                BackRankKind::OppositeBishops
            }
            // Chess960, Fischer-Benko, IFRC.
            _ => BackRankKind::KingBetweenRooks,
        }
    }

    /// Returns the number of back ranks, which are numbered from 0.
    pub const fn count(self) -> u64 {
        match self {
            BackRankKind::Classical => 1,
            BackRankKind::KingBetweenRooks => SCHARNAGL_COUNT,
            BackRankKind::OppositeBishops => 3 * SCHARNAGL_COUNT,
        }
    }

    /// Returns the back rank with this number, or `None` if the number is too large.
    pub fn back_rank(self, number: u64) -> Option<BackRank> {
        (number < self.count()).then(|| self.back_rank_at(number))
    }

    /// Returns the back rank with this number, which must be below the count.
    fn back_rank_at(self, number: u64) -> BackRank {
        debug_assert!(number < self.count());
        match self {
            BackRankKind::Classical => BackRank::CLASSICAL,
            _ => back_rank_of_number(number as usize),
        }
    }

    /// Returns the number of a back rank, or `None` if it is not of this kind.
    pub fn number(self, back_rank: BackRank) -> Option<u64> {
        match self {
            BackRankKind::Classical => (back_rank == BackRank::CLASSICAL).then_some(0),
            _ if !back_rank.bishops_on_opposite_colors() => None,
            _ => Some(number_of_back_rank(back_rank)).filter(|number| *number < self.count()),
        }
    }
}

/// Decodes a number by Scharnagl's method, with the place of the king as the leading digit. Each
/// step fills the n-th free square.
fn back_rank_of_number(number: usize) -> BackRank {
    let (third, number) = (number / 960, number % 960);
    let mut squares = [None; 8];
    squares[number % 4 * 2 + 1] = Some(Role::Bishop);
    squares[number / 4 % 4 * 2] = Some(Role::Bishop);
    fill_free(&mut squares, number / 16 % 6, Role::Queen);
    let [first, second] = KNIGHT_PAIRS[number / 96];
    // The second knight goes first, because placing the first would shift it.
    fill_free(&mut squares, second, Role::Knight);
    fill_free(&mut squares, first, Role::Knight);
    fill_free(&mut squares, KING_PLACES[third], Role::King);
    BackRank::of_roles(squares.map(|square| square.unwrap_or(Role::Rook)))
}

fn fill_free(squares: &mut [Option<Role>; 8], n: usize, role: Role) {
    if let Some(square) = squares.iter_mut().filter(|square| square.is_none()).nth(n) {
        *square = Some(role);
    }
}

/// Encodes a back rank whose bishops stand on opposite colours: the index of each piece among the
/// squares left free by the previous ones.
fn number_of_back_rank(back_rank: BackRank) -> u64 {
    let bishop = |parity| back_rank.files_of(Role::Bishop).find(|file| file % 2 == parity);
    let (dark, light) = (bishop(0).unwrap_or(0) / 2, bishop(1).unwrap_or(1) / 2);
    let among = |wanted: Role, before: &[Role]| {
        let left = back_rank.roles().into_iter().filter(|role| !before.contains(role));
        left.enumerate().filter(|(_, role)| *role == wanted).map(|(n, _)| n).collect::<Vec<_>>()
    };
    let queen = among(Role::Queen, &[Role::Bishop])[0];
    let pair = among(Role::Knight, &[Role::Bishop, Role::Queen]);
    let knights = KNIGHT_PAIRS.iter().position(|known| known[..] == pair).unwrap_or(0);
    let king = among(Role::King, &[Role::Bishop, Role::Queen, Role::Knight])[0];
    let third = KING_PLACES.iter().position(|place| *place == king).unwrap_or(0);
    ((((third * 10 + knights) * 6 + queen) * 4 + dark) * 4 + light) as u64
}

/// How Black's back rank follows from White's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BlackBackRank {
    /// The same piece on the same file.
    Mirror,
    /// White's pieces in the opposite order: the piece on White's a-file is on Black's h-file, and
    /// so on.
    Reverse,
    /// Any back rank.
    Own,
}

impl BlackBackRank {
    /// All variants of this enum.
    pub const ALL: [BlackBackRank; 3] =
        [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own];

    /// Returns the name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            BlackBackRank::Mirror => "mirror",
            BlackBackRank::Reverse => "reverse",
            BlackBackRank::Own => "own",
        }
    }

    /// Returns the value with this name.
    pub fn named(name: &str) -> Option<BlackBackRank> {
        BlackBackRank::ALL.into_iter().find(|black| black.name() == name)
    }

    /// Returns Black's back rank, or `None` if White's does not determine it.
    pub fn of_white(self, white: BackRank) -> Option<BackRank> {
        match self {
            BlackBackRank::Mirror => Some(white),
            BlackBackRank::Reverse => Some(white.reversed()),
            BlackBackRank::Own => None,
        }
    }
}

impl fmt::Display for BlackBackRank {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A numbered list of starts of a variant.
///
/// If Black's back rank follows from White's, the number of a start is that of White's back rank.
/// Otherwise it is `white * n + black`, with `n` back ranks per side.
///
/// | variant | [`Numbering::of`] | also |
/// | --- | --- | --- |
/// | `chess` | 1 | |
/// | `chess960` | 960, mirrored | 921,600 with Black's own (double Fischer random) |
/// | `ifrc` | 960, mirrored | |
/// | `fischerbenko` | 921,600 = 960 x 960 | |
/// | `transcendental`, `placement` | 8,294,400 = 2,880 x 2,880 | |
/// | `jepps` | 2,880, mirrored | 2,880 reversed; 8,294,400 with Black's own |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Numbering {
    variant: Variant,
    black: BlackBackRank,
}

/// Why a list, or a start in it, does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumberError {
    #[error("in {variant} Black's back rank always mirrors White's, so '{black}' does not apply")]
    Mirrored { variant: Variant, black: BlackBackRank },
    #[error("{variant} has no start number {number}; the numbers go from 0 to {}", count - 1)]
    TooLarge { variant: Variant, number: u64, count: u64 },
}

impl FromStr for Numbering {
    type Err = VariantError;

    /// Parses the name of a variant; `dfrc` is [`Numbering::DOUBLE_FISCHER_RANDOM`].
    fn from_str(name: &str) -> Result<Numbering, VariantError> {
        let variant = name.parse()?;
        let is_double = name.trim().eq_ignore_ascii_case(rules::DOUBLE_FISCHER_RANDOM);
        Ok(if is_double { Numbering::DOUBLE_FISCHER_RANDOM } else { Numbering::of(variant) })
    }
}

impl Numbering {
    /// Double Fischer random: Chess960 with independent back ranks.
    pub const DOUBLE_FISCHER_RANDOM: Numbering =
        Numbering { variant: Variant::Chess960, black: BlackBackRank::Own };

    /// Returns the list in which Black's back rank follows from White's in this way.
    pub fn new(variant: Variant, black: BlackBackRank) -> Result<Numbering, NumberError> {
        if always_mirrored(variant) && black != BlackBackRank::Mirror {
            return Err(NumberError::Mirrored { variant, black });
        }
        Ok(Numbering { variant, black })
    }

    /// Returns the list that numbers the variant's starts by default.
    pub const fn of(variant: Variant) -> Numbering {
        let black = match variant {
            Variant::FischerBenko | Variant::Transcendental | Variant::Placement => {
                BlackBackRank::Own
            }
            _ => BlackBackRank::Mirror,
        };
        Numbering { variant, black }
    }

    /// Returns the list from which random starts are drawn. It is this one, except for Jepps Random
    /// Chess: its rules lead to all 8,294,400 pairs, of which [`Numbering::of`] lists the mirrored ones.
    pub const fn drawn(self) -> Numbering {
        match self.variant {
            Variant::Jepps => Numbering::independent(self.variant),
            _ => self,
        }
    }

    /// Returns the list of all pairs of the variant's back ranks, even if its rules allow only
    /// mirrored starts: training positions rather than games. [`Start::new`] would reject some of
    /// those of IFRC.
    pub const fn independent(variant: Variant) -> Numbering {
        Numbering { variant, black: BlackBackRank::Own }
    }

    /// Returns the variant's name, or that of double Fischer random.
    pub fn name(self) -> &'static str {
        if self == Numbering::DOUBLE_FISCHER_RANDOM {
            rules::DOUBLE_FISCHER_RANDOM
        } else {
            self.variant.name()
        }
    }

    /// Returns the variant of the starts.
    pub const fn variant(self) -> Variant {
        self.variant
    }

    /// Returns how Black's back rank follows from White's.
    pub const fn black(self) -> BlackBackRank {
        self.black
    }

    /// Returns the number of starts, which are numbered from 0.
    pub const fn count(self) -> u64 {
        let back_ranks = BackRankKind::of(self.variant).count();
        match self.black {
            BlackBackRank::Own => back_ranks * back_ranks,
            _ => back_ranks,
        }
    }

    /// Returns the start with this number.
    pub fn start(self, number: u64) -> Result<Start, NumberError> {
        let Numbering { variant, .. } = self;
        if number >= self.count() {
            return Err(NumberError::TooLarge { variant, number, count: self.count() });
        }
        Ok(self.start_at(number))
    }

    /// Returns the start with this number, which must be below the count.
    fn start_at(self, number: u64) -> Start {
        let Numbering { variant, black } = self;
        let kind = BackRankKind::of(variant);
        let (white, black) = match black {
            BlackBackRank::Own => {
                (kind.back_rank_at(number / kind.count()), kind.back_rank_at(number % kind.count()))
            }
            BlackBackRank::Mirror => (kind.back_rank_at(number), kind.back_rank_at(number)),
            BlackBackRank::Reverse => {
                (kind.back_rank_at(number), kind.back_rank_at(number).reversed())
            }
        };
        Start { variant, white, black }
    }

    /// Returns the number of a start, or `None` if its back ranks are not in the list. The variant
    /// of the start is ignored.
    pub fn number(self, start: &Start) -> Option<u64> {
        let kind = BackRankKind::of(self.variant);
        let white = kind.number(start.white)?;
        let black = kind.number(start.black)?;
        match self.black.of_white(start.white) {
            None => Some(white * kind.count() + black),
            Some(expected) => (expected == start.black).then_some(white),
        }
    }

    /// Returns a uniformly random start of the list.
    pub fn random(self, rng: &mut Rng) -> Start {
        self.start_at(rng.below(self.count()))
    }

    /// Returns every start of the list, in order.
    pub fn all(self) -> impl Iterator<Item = Start> {
        (0..self.count()).map(move |number| self.start_at(number))
    }
}

/// Whether a variant's rules allow only mirrored starts.
pub(super) const fn always_mirrored(variant: Variant) -> bool {
    // The other variants are chess and IFRC.
    !matches!(
        variant,
        Variant::Chess960
            | Variant::FischerBenko
            | Variant::Transcendental
            | Variant::Jepps
            | Variant::Placement
    )
}

/// Checks one side's back rank against the rules of the variant.
pub(super) fn check_back_rank(
    variant: Variant,
    color: Color,
    back_rank: BackRank,
) -> Result<(), StartError> {
    let kind = BackRankKind::of(variant);
    if kind.number(back_rank).is_some() {
        Ok(())
    } else if kind == BackRankKind::Classical {
        Err(StartError::NotClassical { color, back_rank })
    } else if !back_rank.bishops_on_opposite_colors() {
        Err(StartError::BishopsOnOneColor { variant, color, back_rank })
    } else {
        Err(StartError::KingNotBetweenRooks { variant, color, back_rank })
    }
}
