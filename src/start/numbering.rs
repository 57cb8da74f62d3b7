//! Numbered lists of back ranks and starting positions, with random draws.

use std::fmt;
use std::str::FromStr;

use super::back_rank::BackRank;
use super::{Start, StartError};
use crate::random::Rng;
use crate::rules::{self, Variant, VariantError};
use crate::types::{Color, Role};

/// The set of back ranks that a side may have in a variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BackRankKind {
    /// Only RNBQKBNR.
    Classical,
    /// The 960 back ranks of Chess960: bishops on opposite colours and the king between the rooks.
    /// They are numbered by Scharnagl's method.
    KingBetweenRooks,
    /// The 2,880 back ranks of Jepps Random Chess and Half-Random Transcendental Chess: bishops on
    /// opposite colours, no other constraint. They are numbered by an extension of Scharnagl's method.
    ///
    /// The king and the rooks occupy three squares. If the king stands on the middle square, the
    /// number of the back rank is its Scharnagl number. Otherwise exchange the king with the rook on
    /// the middle square and take the Scharnagl number of that back rank. Add 960 if the king stood
    /// on the first square (towards the a-file), and 1,920 if it stood on the last square. For
    /// example, 518 is the classical back rank, 518 + 960 is KNBQRBNR and 518 + 1,920 is RNBQRBNK.
    OppositeBishops,
}

/// The number of back ranks in Chess960.
const SCHARNAGL_COUNT: u64 = 960;

/// The ten pairs of squares that the knights can occupy among five free squares, in Scharnagl's
/// order.
const KNIGHT_PAIRS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The place of the king among the three squares of king and rooks; 0 is the first square. The entries belong
/// to the back ranks numbered 0 to 959, 960 to 1,919 and 1,920 to 2,879.
const KING_PLACES: [usize; 3] = [1, 0, 2];

impl BackRankKind {
    /// Returns the set of back ranks that a variant allows.
    pub const fn of(variant: Variant) -> BackRankKind {
        match variant {
            Variant::Chess => BackRankKind::Classical,
            Variant::Transcendental | Variant::Jepps | Variant::Placement => {
                BackRankKind::OppositeBishops
            }
            Variant::Chess960 | Variant::FischerBenko | Variant::Ifrc => {
                BackRankKind::KingBetweenRooks
            }
        }
    }

    /// Returns the number of back ranks in the set. The back ranks are numbered from 0.
    pub const fn count(self) -> u64 {
        match self {
            BackRankKind::Classical => 1,
            BackRankKind::KingBetweenRooks => SCHARNAGL_COUNT,
            BackRankKind::OppositeBishops => 3 * SCHARNAGL_COUNT,
        }
    }

    /// Returns the back rank with the given number, or `None` if the number is too large.
    pub fn back_rank(self, number: u64) -> Option<BackRank> {
        (number < self.count()).then(|| self.back_rank_at(number))
    }

    /// Returns the back rank with the given number, which must be below [`Self::count`].
    fn back_rank_at(self, number: u64) -> BackRank {
        debug_assert!(number < self.count());
        match self {
            BackRankKind::Classical => BackRank::CLASSICAL,
            _ => back_rank_of_number(number as usize),
        }
    }

    /// Returns the number of a back rank, or `None` if the back rank is not in the set.
    pub fn number(self, back_rank: BackRank) -> Option<u64> {
        match self {
            BackRankKind::Classical => (back_rank == BackRank::CLASSICAL).then_some(0),
            _ if !back_rank.bishops_on_opposite_colors() => None,
            _ => Some(number_of_back_rank(back_rank)).filter(|number| *number < self.count()),
        }
    }
}

/// Returns the back rank with the given number by Scharnagl's method, extended by the place of the king as
/// the leading digit. The other digits of the number stand for the squares of the bishops, the queen and the
/// pair of knights.
fn back_rank_of_number(number: usize) -> BackRank {
    let (third, number) = (number / 960, number % 960);
    let mut squares = [None; 8];
    squares[number % 4 * 2 + 1] = Some(Role::Bishop);
    squares[number / 4 % 4 * 2] = Some(Role::Bishop);
    fill_free(&mut squares, number / 16 % 6, Role::Queen);
    let [first, second] = KNIGHT_PAIRS[number / 96];
    // The second knight is placed first, because placing the first would change the indices of the free
    // squares.
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

/// Returns the number of a back rank whose bishops stand on squares of different colours. The digits of the
/// number stand for the squares of the king, the knights, the queen and the bishops. Each digit counts only
/// squares that the pieces with lower digits leave free.
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
    /// Black has the same pieces on the same files as White.
    Mirror,
    /// Black has White's pieces in the opposite order: White's piece on the a-file is Black's piece on
    /// the h-file, and so on.
    Reverse,
    /// Black's back rank does not depend on White's.
    Own,
}

impl BlackBackRank {
    /// All variants of this enum.
    pub const ALL: [BlackBackRank; 3] =
        [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own];

    /// Returns the name of this value in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            BlackBackRank::Mirror => "mirror",
            BlackBackRank::Reverse => "reverse",
            BlackBackRank::Own => "own",
        }
    }

    /// Returns the value whose name in commands and files is `name`.
    pub fn named(name: &str) -> Option<BlackBackRank> {
        BlackBackRank::ALL.into_iter().find(|black| black.name() == name)
    }

    /// Returns Black's back rank, given White's, or `None` if White's does not determine Black's.
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

/// A numbered list of starting positions of a variant.
///
/// If Black's back rank follows from White's, the number of a starting position is the number of White's back
/// rank. Otherwise the number is `white * n + black`, where `white` and `black` are the numbers of the back
/// ranks and `n` is the number of back ranks per side.
///
/// | variant | starting positions in [`Numbering::of`] | other lists |
/// | --- | --- | --- |
/// | `chess` | 1 | |
/// | `chess960` | 960, mirrored | 921,600 with independent back ranks (double Fischer random) |
/// | `ifrc` | 960, mirrored | |
/// | `fischerbenko` | 921,600 = 960 x 960 | |
/// | `transcendental`, `placement` | 8,294,400 = 2,880 x 2,880 | |
/// | `jepps` | 2,880, mirrored | 2,880 reversed; 8,294,400 with independent back ranks |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Numbering {
    variant: Variant,
    black: BlackBackRank,
}

/// Why a list of starting positions, or a starting position with a certain number, does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum NumberError {
    #[error(
        "Black's back rank cannot be '{black}' in {variant}, where both back ranks are always the same ('mirror')"
    )]
    Mirrored { variant: Variant, black: BlackBackRank },
    #[error("{variant} has no starting position with the number {number}; the numbers go from 0 to {}", count - 1)]
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
    /// The list of all starting positions of double Fischer random, which is Chess960 with independent back
    /// ranks.
    pub const DOUBLE_FISCHER_RANDOM: Numbering =
        Numbering { variant: Variant::Chess960, black: BlackBackRank::Own };

    /// Returns the list in which Black's back rank follows from White's in the given way.
    pub fn new(variant: Variant, black: BlackBackRank) -> Result<Numbering, NumberError> {
        if always_mirrored(variant) && black != BlackBackRank::Mirror {
            return Err(NumberError::Mirrored { variant, black });
        }
        Ok(Numbering { variant, black })
    }

    /// Returns the default list of a variant.
    pub const fn of(variant: Variant) -> Numbering {
        let black = match variant {
            Variant::FischerBenko | Variant::Transcendental | Variant::Placement => {
                BlackBackRank::Own
            }
            _ => BlackBackRank::Mirror,
        };
        Numbering { variant, black }
    }

    /// Returns the list from which random starting positions are drawn. In Jepps Random Chess it contains all
    /// 8,294,400 pairs of back ranks, because the rules allow every pair, although [`Numbering::of`] lists
    /// only mirrored positions. In other variants it is the list `self`.
    pub const fn drawn(self) -> Numbering {
        match self.variant {
            Variant::Jepps => Numbering::independent(self.variant),
            _ => self,
        }
    }

    /// Returns the list of all pairs of back ranks of a variant, even if the rules of the variant allow only
    /// mirrored starting positions. The list is meant for training positions and not for games.
    /// [`Start::new`] rejects pairs that the rules do not allow, for example in IFRC.
    pub const fn independent(variant: Variant) -> Numbering {
        Numbering { variant, black: BlackBackRank::Own }
    }

    /// Returns the name of the list: the name of the variant, or `dfrc` for double Fischer random.
    pub fn name(self) -> &'static str {
        if self == Numbering::DOUBLE_FISCHER_RANDOM {
            rules::DOUBLE_FISCHER_RANDOM
        } else {
            self.variant.name()
        }
    }

    /// Returns the variant of the starting positions.
    pub const fn variant(self) -> Variant {
        self.variant
    }

    /// Returns how Black's back rank follows from White's.
    pub const fn black(self) -> BlackBackRank {
        self.black
    }

    /// Returns the number of starting positions in the list. They are numbered from 0.
    pub const fn count(self) -> u64 {
        let back_ranks = BackRankKind::of(self.variant).count();
        match self.black {
            BlackBackRank::Own => back_ranks * back_ranks,
            _ => back_ranks,
        }
    }

    /// Returns the starting position with the given number.
    pub fn start(self, number: u64) -> Result<Start, NumberError> {
        let Numbering { variant, .. } = self;
        if number >= self.count() {
            return Err(NumberError::TooLarge { variant, number, count: self.count() });
        }
        Ok(self.start_at(number))
    }

    /// Returns the starting position with the given number, which must be below [`Self::count`].
    fn start_at(self, number: u64) -> Start {
        let Numbering { variant, black } = self;
        let kind = BackRankKind::of(variant);
        let is_own = black == BlackBackRank::Own;
        let white = kind.back_rank_at(if is_own { number / kind.count() } else { number });
        let own = || kind.back_rank_at(number % kind.count());
        let black = black.of_white(white).unwrap_or_else(own);
        Start { variant, white, black }
    }

    /// Returns the number of a starting position, or `None` if the list does not contain its two back ranks.
    /// The variant of the starting position is ignored.
    pub fn number(self, start: &Start) -> Option<u64> {
        let kind = BackRankKind::of(self.variant);
        let white = kind.number(start.white)?;
        let black = kind.number(start.black)?;
        match self.black.of_white(start.white) {
            None => Some(white * kind.count() + black),
            Some(expected) => (expected == start.black).then_some(white),
        }
    }

    /// Returns a uniformly random starting position of the list.
    pub fn random(self, rng: &mut Rng) -> Start {
        self.start_at(rng.below(self.count()))
    }

    /// Returns every starting position of the list, in order.
    pub fn all(self) -> impl Iterator<Item = Start> {
        (0..self.count()).map(move |number| self.start_at(number))
    }
}

/// Returns whether a variant's rules allow only mirrored starting positions.
pub(super) const fn always_mirrored(variant: Variant) -> bool {
    matches!(variant, Variant::Chess | Variant::Ifrc)
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
