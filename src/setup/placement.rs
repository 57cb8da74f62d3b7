//! A turn of the placement phase and the notation for turns.

use std::fmt;

use arrayvec::ArrayVec;

use crate::geometry::{Board, Board8x8};
use crate::start::PartialBackRank;
use crate::types::{Color, Role, Square};

/// A piece and the file of the back rank on which it is placed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SingleDrop {
    /// The piece.
    pub role: Role,
    /// 0 for the a-file.
    pub file: u8,
}

impl SingleDrop {
    /// Returns the sort key of one of the two pieces placed in one turn: Q R B N K, equal pieces by file.
    const fn order(self) -> (u8, u8) {
        let order = match self.role {
            Role::Queen => 0,
            Role::Rook => 1,
            Role::Bishop => 2,
            Role::Knight => 3,
            _ => 4,
        };
        (order, self.file)
    }
}

/// The pieces that a side places in one turn: one piece, or the last two pieces together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    pub(super) color: Color,
    pub(super) first: SingleDrop,
    pub(super) second: Option<SingleDrop>,
}

/// The legal placements in a state. There are at most 40: five kinds of pieces on eight squares.
pub type PlacementList = ArrayVec<Placement, 40>;

/// Returns the square on a file of a side's back rank.
pub(super) const fn home(color: Color, file: u8) -> Square<Board8x8> {
    Square::on(file, Board8x8::HOME_RANK[color.index()])
}

impl Placement {
    /// Returns the placement of one piece.
    pub const fn single(color: Color, drop: SingleDrop) -> Placement {
        Placement { color, first: drop, second: None }
    }

    /// Returns the placement of two pieces on different files. The order of the arguments does not
    /// matter.
    pub fn double(color: Color, one: SingleDrop, other: SingleDrop) -> Placement {
        let (first, second) =
            if one.order() <= other.order() { (one, other) } else { (other, one) };
        Placement { color, first, second: Some(second) }
    }

    /// Returns the side that places.
    pub const fn color(self) -> Color {
        self.color
    }

    /// Returns the pieces placed in this turn with their files, in the order in which the notation names
    /// them.
    pub fn drops(self) -> impl Iterator<Item = SingleDrop> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// Returns the back rank after this turn. Pieces that cannot be added are left out, which never happens
    /// in a legal turn.
    pub(super) fn applied_to(self, rank: &PartialBackRank) -> PartialBackRank {
        self.drops()
            .fold(*rank, |rank, drop| rank.with(drop.file as usize, drop.role).unwrap_or(rank))
    }
}

impl fmt::Display for Placement {
    /// Writes one piece as `R@h1` and two pieces as `Q@g1+K@f1`, in the order Q R N K.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = String::new();
        for drop in self.drops() {
            if !text.is_empty() {
                text.push('+');
            }
            text += &format!("{}@{}", drop.role.letter(), home(self.color, drop.file));
        }
        f.pad(&text)
    }
}
