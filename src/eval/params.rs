//! Every number of the evaluation that could be tuned, and what it means.
//!
//! The numbers are our own: chosen by reasoning, to be fitted to games later, for each board apart
//! (Texel's method). The evaluation is linear in all of [`Params`], apart from rounding when
//! tables are derived; only the units of [`DANGER`] and the scales of end games are not. So a
//! fit finds the coefficient of a parameter in a position by changing the parameter
//! ([`Terms::for_each`]) and evaluating again.
//!
//! Values are in centipawns, middle game first; a pawn is 100 in the end game.

use crate::geometry::Geometry;
use crate::types::Score;

/// How many functions of the square a piece-square table is made of.
pub const BASES: usize = 8;
/// Arrays over the distance of a pawn from promotion have this many elements; the first is unused.
pub const STEPS: usize = 9;

macro_rules! parameters {
    (@type $t:ident) => { $t };
    (@type $t:ident $count:expr) => { [$t; $count] };
    (@map $value:expr, $f:ident) => { $f($value) };
    (@map $value:expr, $f:ident $count:expr) => { $value.map(&mut $f) };
    (@each $self:ident $name:ident, $f:ident) => { $f(stringify!($name), 0, &mut $self.$name) };
    (@each $self:ident $name:ident, $f:ident $count:expr) => {
        for (index, value) in $self.$name.iter_mut().enumerate() {
            $f(stringify!($name), index, value);
        }
    };
    ($( $(#[$doc:meta])* $name:ident $([$count:expr])?, )*) => {
        /// A value for each term of the evaluation.
        pub struct Terms<T> {
            $( $(#[$doc])* pub $name: parameters!(@type T $($count)?), )*
        }

        // By hand: `derive` does not see through the macro in the types of the fields.
        impl<T: Copy> Clone for Terms<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: Copy> Copy for Terms<T> {}

        impl<T: Copy> Terms<T> {
            /// The same terms with another type of value.
            pub fn map<U>(&self, mut f: impl FnMut(T) -> U) -> Terms<U> {
                Terms { $( $name: parameters!(@map self.$name, f $($count)?), )* }
            }

            /// Shows each value, with its name and, in arrays, its index.
            pub fn for_each(&mut self, mut f: impl FnMut(&'static str, usize, &mut T)) {
                $( parameters!(@each self $name, f $($count)?); )*
            }
        }
    };
}

parameters! {
    /// A pawn, a knight, a bishop, a rook, a queen, wherever it stands.
    material[5],
    /// Two bishops on squares of both colours.
    bishop_pair,
    /// The side to move.
    tempo,
    /// Each castling right, or the right to relocate the king.
    king_right,

    /// Piece-square values: the factors of the functions in [`super::tables::bases`].
    pawn_square[BASES],
    /// As for the pawn.
    knight_square[BASES],
    /// As for the pawn.
    bishop_square[BASES],
    /// As for the pawn.
    rook_square[BASES],
    /// As for the pawn.
    queen_square[BASES],
    /// As for the pawn.
    king_square[BASES],

    /// For each square a knight, bishop, rook or queen may go to, counted from the usual number.
    mobility[4],
    /// The same for the square root of the number: the first squares are worth most.
    mobility_root[4],
}

/// The numbers of a board.
pub type Params = Terms<Score>;

const fn s(mg: i32, eg: i32) -> Score {
    Score::new(mg, eg)
}

impl Params {
    /// The numbers for this board.
    pub fn of<G: Geometry>() -> Params {
        #[cfg(feature = "board10x10")]
        if G::SQUARES == crate::geometry::Board10x10::SQUARES {
            return BOARD10X10;
        }
        BOARD8X8
    }
}

/// Chess and its shuffled relatives on 64 squares.
pub const BOARD8X8: Params = Params {
    material: [s(82, 100), s(330, 310), s(345, 330), s(470, 540), s(960, 1010)],
    bishop_pair: s(26, 48),
    tempo: s(18, 12),
    king_right: s(14, 0),

    // In order: file, rank, centre, advance, advance squared, file * advance, edge, home.
    pawn_square: [s(-2, 0), s(0, 0), s(20, 0), s(0, 6), s(16, 40), s(6, 0), s(0, 0), s(0, 0)],
    knight_square: [
        s(8, 6),
        s(6, 8),
        s(22, 18),
        s(12, 4),
        s(-10, -6),
        s(0, 0),
        s(-14, -14),
        s(-8, -2),
    ],
    bishop_square: [s(3, 2), s(2, 3), s(14, 8), s(6, 2), s(-8, -2), s(0, 0), s(-4, -4), s(-8, -2)],
    rook_square: [s(8, 0), s(0, 0), s(0, 0), s(0, 14), s(6, 0), s(2, 0), s(0, 0), s(0, 0)],
    queen_square: [s(2, 6), s(0, 8), s(6, 14), s(0, 12), s(-6, -2), s(0, 0), s(-2, -6), s(0, -6)],
    king_square: [
        s(-26, 10),
        s(0, 14),
        s(0, 16),
        s(-130, 16),
        s(30, -6),
        s(0, 0),
        s(4, -14),
        s(6, -4),
    ],

    mobility: [s(4, 4), s(3, 3), s(2, 4), s(1, 3)],
    mobility_root: [s(10, 10), s(14, 16), s(8, 16), s(10, 14)],
};

/// International Fischer Random Chess on 100 squares: longer lines make sliders stronger, a
/// knight crosses the board in more moves.
#[cfg(feature = "board10x10")]
pub const BOARD10X10: Params = Params {
    material: [s(82, 100), s(310, 280), s(355, 340), s(500, 560), s(1010, 1070)],
    ..BOARD8X8
};
