//! Every number of the evaluation that could be tuned, and what it means.
//!
//! The numbers are our own: chosen by reasoning, then fitted to games of ours, for each board apart
//! (Texel's method, `aleator fit`; `benches/RESULTS.md` has the data and what came of it). The sum
//! of all terms is linear in [`Params`], apart from rounding when tables are derived, and from the
//! shelter of a king, which also lessens its [`DANGER`]. So a fit finds the coefficient of a
//! parameter in a position by evaluating with it alone (`super::linear`). The squares of the king
//! are not fitted.
//!
//! Values are in centipawns, middle game first; a pawn is some 105 in the end game.

use crate::geometry::{BOARDS, Geometry};
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

    /// Piece-square values: the factors of the functions in `tables::bases`.
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

    /// Each pawn with another of its own behind it on the file.
    doubled,
    /// Each pawn with none of its own on the files beside it.
    isolated,
    /// What is added if no enemy pawn stands before it, so that rooks attack it.
    isolated_open,
    /// Each pawn that neighbours can no longer defend and that cannot step without being taken.
    backward,
    /// As for the isolated pawn.
    backward_open,
    /// Each pawn with another beside it.
    phalanx[STEPS],
    /// Each pawn defended by another.
    supported[STEPS],

    /// Each passed pawn: none of the enemy's stands before it or guards its way.
    passed[STEPS],
    /// A passed pawn with a piece on the next square.
    passed_blocked[STEPS],
    /// A passed pawn with no enemy piece and no attacked square on its way.
    passed_free[STEPS],
    /// A passed pawn whose next square, at least, is neither occupied nor attacked.
    passed_safe_step[STEPS],
    /// A passed pawn that its own side defends on the next, empty, square.
    passed_helped[STEPS],
    /// For each step of the enemy king to the square before a passed pawn.
    passed_their_king[STEPS],
    /// For each step of the own king to the square before a passed pawn.
    passed_own_king[STEPS],
    /// A rook behind its own passed pawn.
    passed_rook_behind,
    /// A passed pawn that the bare enemy king cannot catch.
    passed_unstoppable,

    /// A knight, a bishop, defended by a pawn where no enemy pawn can ever chase it away.
    outpost[2],
    /// Such a square that a knight could go to.
    outpost_reachable,
    /// A minor piece with a pawn of its own right before it.
    minor_behind_pawn,
    /// For each bishop and each own pawn on squares of its colour.
    bishop_pawn,
    /// What is added if the pawn is blocked.
    bishop_blocked_pawn,
    /// A rook on a file without pawns.
    rook_open,
    /// A rook on a file without pawns of its own.
    rook_half_open,
    /// A rook on the rank from which the enemy's pawns start, with a pawn there or the king
    /// behind it.
    rook_on_pawn_rank,

    /// On each of the three files at the king, the own pawn 0, 1, 2, 3 or more ranks before it;
    /// last: none.
    shield[5],
    /// The enemy pawn 0 .. 4 ranks before it; last: farther or none.
    storm[6],
    /// Instead of the above, an enemy pawn that the shield blocks.
    storm_blocked,
    /// For 64ths of the square of the danger to the king (see [`DANGER`]).
    danger_square,
    /// For the danger to the king.
    danger,

    /// Each enemy piece attacked by a pawn.
    pawn_threat,
    /// Each enemy piece that a pawn could attack by a safe step.
    pawn_step_threat,
    /// Each weakly defended enemy pawn or piece that a minor piece attacks.
    minor_threat,
    /// Each enemy rook, each enemy queen that a minor piece attacks.
    minor_threat_on[2],
    /// Each weakly defended enemy pawn or piece that a rook attacks.
    rook_threat,
    /// Each enemy queen that a rook attacks.
    rook_threat_on_queen,
    /// A weakly defended enemy pawn or piece that the king attacks.
    king_threat,
    /// Each attacked enemy pawn or piece that is not defended, or each piece attacked twice and
    /// weakly defended.
    hanging,
}

/// The numbers of a board.
pub type Params = Terms<Score>;

/// How many units of danger to a king each sign of an attack on it counts.
pub struct Danger {
    /// Knights, bishops, rooks, queens that attack squares around the king.
    pub attacker: [i32; 4],
    /// With fewer units of attackers, such as a lone minor piece or rook, there is no danger.
    pub least: i32,
    /// Each square around the king that is attacked; once more if it is attacked twice.
    pub attacked_square: i32,
    /// Each of these squares that only king and queen defend, if at all.
    pub weak_square: i32,
    /// A knight, bishop, rook, queen that could give check on a safe square.
    pub safe_check: [i32; 4],
    /// The attacker has no queen.
    pub no_queen: i32,
    /// So many centipawns of shelter make a unit less.
    pub shelter_divisor: i32,
    /// Danger is never more than this.
    pub most: i32,
}

/// The units of danger on either board.
pub const DANGER: Danger = Danger {
    attacker: [6, 5, 6, 8],
    least: 7,
    attacked_square: 1,
    weak_square: 3,
    safe_check: [10, 7, 11, 9],
    no_queen: -18,
    shelter_divisor: 5,
    most: 80,
};

/// The phase of the start: how many pieces there are, by weight.
pub const FULL_PHASE: i32 = 24;

/// The scale of an end game that is worth what its terms say.
pub const FULL_SCALE: i32 = 64;

/// How much an end game counts, of [`FULL_SCALE`].
pub struct Scales {
    /// No pawns left and at most a minor piece more.
    pub no_pawns: i32,
    /// Bishops on opposite colours and pawns, for each pawn of the stronger side and without any.
    pub opposite_bishops: [i32; 2],
    /// Bishops on opposite colours among other pieces.
    pub opposite_bishops_and_pieces: i32,
    /// For each pawn of the stronger side, and without any: the fewer, the more drawish.
    pub pawns: [i32; 2],
}

/// The scales of end games on either board.
pub const SCALES: Scales = Scales {
    no_pawns: 12,
    opposite_bishops: [4, 18],
    opposite_bishops_and_pieces: 48,
    pawns: [6, 40],
};

const fn s(mg: i32, eg: i32) -> Score {
    Score::new(mg, eg)
}

/// Values by the distance from promotion.
const fn both(mg: [i32; STEPS], eg: [i32; STEPS]) -> [Score; STEPS] {
    let mut scores = [Score::ZERO; STEPS];
    let mut step = 0;
    while step < STEPS {
        scores[step] = Score::new(mg[step], eg[step]);
        step += 1;
    }
    scores
}

impl Params {
    /// The numbers for this board.
    pub fn of<G: Geometry>() -> Params {
        const OF_BOARDS: [Params; BOARDS] = [BOARD8X8, BOARD10X10];
        OF_BOARDS[G::INDEX]
    }

    /// The name of each parameter, with its index in arrays; in the order of [`Terms::for_each`],
    /// in which parameters are numbered.
    pub fn names(&self) -> Vec<(&'static str, usize)> {
        let mut names = Vec::new();
        { *self }.for_each(|name, index, _| names.push((name, index)));
        names
    }

    /// The value of each parameter.
    pub fn values(&self) -> Vec<Score> {
        let mut values = Vec::new();
        { *self }.for_each(|_, _, value| values.push(*value));
        values
    }

    /// With these values, as [`Params::values`] gives them; those beyond its end stay.
    pub fn with_values(&self, values: &[Score]) -> Params {
        let (mut params, mut values) = (*self, values.iter());
        params.for_each(|_, _, value| *value = values.next().copied().unwrap_or(*value));
        params
    }
}

/// Chess and its shuffled relatives on 64 squares.
pub const BOARD8X8: Params = Params {
    material: [s(77, 103), s(326, 310), s(346, 333), s(469, 545), s(961, 1011)],
    bishop_pair: s(27, 49),
    tempo: s(22, 12),
    king_right: s(11, 0),

    // In order: file, rank, centre, advance, advance squared, file * advance, edge, home.
    pawn_square: [s(-8, 0), s(-2, 0), s(17, -4), s(-1, 9), s(20, 44), s(-1, -5), s(-3, 3), s(0, 0)],
    knight_square: [
        s(6, 6),
        s(2, 9),
        s(16, 18),
        s(8, 7),
        s(-7, 1),
        s(-5, 2),
        s(-12, -13),
        s(-7, -2),
    ],
    bishop_square: [s(5, 3), s(5, 5), s(13, 6), s(0, 8), s(-24, 6), s(-5, 2), s(-2, -2), s(-6, -1)],
    rook_square: [s(12, 4), s(-4, 10), s(-5, 7), s(-1, 24), s(8, 8), s(-1, 5), s(1, 3), s(2, 1)],
    queen_square: [s(8, 6), s(0, 10), s(2, 15), s(5, 19), s(2, 6), s(-3, 5), s(0, -6), s(1, -7)],
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

    mobility: [s(3, 4), s(3, 3), s(2, 4), s(1, 3)],
    mobility_root: [s(10, 10), s(16, 17), s(10, 17), s(12, 13)],

    doubled: s(-5, -22),
    isolated: s(-4, -8),
    isolated_open: s(-7, -6),
    backward: s(-4, -8),
    backward_open: s(-10, -8),

    phalanx: both([0, 60, 45, 24, 12, 8, 4, 0, 0], [0, 70, 50, 22, 9, 4, 0, 0, 0]),
    supported: both([0, 50, 38, 22, 13, 10, 0, 0, 0], [0, 50, 36, 15, 7, 7, 0, 0, 0]),

    passed: both([0, 95, 58, 28, 8, 1, 0, 0, 0], [0, 111, 72, 41, 22, 14, 9, 0, 0]),
    passed_blocked: both([0, -30, -20, -10, -5, 0, 0, 0, 0], [0, -55, -35, -19, -9, -5, -3, 0, 0]),
    passed_free: both([0, 40, 28, 14, 6, 2, 0, 0, 0], [0, 91, 61, 35, 19, 9, 5, 0, 0]),
    passed_safe_step: both([0, 16, 12, 6, 2, 0, 0, 0, 0], [0, 34, 22, 12, 7, 4, 1, 0, 0]),
    passed_helped: both([0, 20, 14, 7, 3, 0, 0, 0, 0], [0, 27, 19, 10, 6, 3, 1, 0, 0]),
    passed_their_king: both([0, 0, 0, -1, 0, 0, 0, 0, 0], [0, 28, 25, 16, 9, 4, 2, 0, 0]),
    passed_own_king: both([0, 0, -1, -1, -1, 0, 0, 0, 0], [0, -10, -11, -9, -6, -2, -1, 0, 0]),
    passed_rook_behind: s(3, 16),
    passed_unstoppable: s(0, 420),

    outpost: [s(29, 18), s(17, 12)],
    outpost_reachable: s(11, 7),
    minor_behind_pawn: s(5, 2),
    bishop_pawn: s(-1, -3),
    bishop_blocked_pawn: s(-4, -5),
    rook_open: s(26, 10),
    rook_half_open: s(12, 7),
    rook_on_pawn_rank: s(8, 22),

    shield: [s(6, 3), s(15, -2), s(5, -2), s(1, -2), s(-14, 1)],
    storm: [s(2, 1), s(-5, -1), s(-20, -1), s(-13, -1), s(-6, 0), s(-1, 0)],
    storm_blocked: s(-2, -6),
    danger_square: s(-6, 0),
    danger: s(0, -1),

    pawn_threat: s(56, 38),
    pawn_step_threat: s(17, 13),
    minor_threat: s(11, 17),
    minor_threat_on: [s(40, 24), s(36, 36)],
    rook_threat: s(11, 21),
    rook_threat_on_queen: s(38, 20),
    king_threat: s(8, 34),
    hanging: s(25, 19),
};

/// International Fischer Random Chess on 100 squares: longer lines make sliders stronger, a
/// knight crosses the board in more moves.
pub const BOARD10X10: Params = Params {
    material: [s(80, 103), s(307, 279), s(355, 341), s(500, 562), s(1012, 1071)],
    bishop_pair: s(26, 49),
    tempo: s(26, 13),
    king_right: s(12, 0),

    // In order: file, rank, centre, advance, advance squared, file * advance, edge, home.
    pawn_square: [s(-7, 0), s(-4, 2), s(13, -2), s(-5, 11), s(11, 50), s(-5, -4), s(0, 0), s(0, 0)],
    knight_square: [
        s(9, 6),
        s(1, 8),
        s(17, 18),
        s(8, 7),
        s(-13, -1),
        s(-8, 2),
        s(-11, -13),
        s(-7, -3),
    ],
    bishop_square: [s(2, 3), s(2, 5), s(12, 8), s(6, 7), s(-9, 7), s(0, 5), s(-5, -4), s(-9, -2)],
    rook_square: [s(7, 1), s(-4, 5), s(-7, 4), s(1, 18), s(9, 4), s(0, 4), s(1, 0), s(2, 0)],
    queen_square: [
        s(-2, 6),
        s(-4, 10),
        s(-1, 15),
        s(1, 17),
        s(-2, 4),
        s(-1, 6),
        s(-1, -5),
        s(2, -7),
    ],
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

    mobility: [s(4, 4), s(3, 3), s(1, 4), s(1, 3)],
    mobility_root: [s(9, 10), s(12, 14), s(5, 15), s(9, 12)],

    doubled: s(-6, -23),
    isolated: s(-5, -9),
    isolated_open: s(-8, -6),
    backward: s(-5, -7),
    backward_open: s(-9, -7),

    phalanx: both([0, 60, 48, 30, 18, 10, 7, 3, 0], [0, 70, 54, 30, 15, 8, 4, 0, 0]),
    supported: both([0, 50, 40, 27, 16, 10, 10, 0, 0], [0, 50, 38, 21, 11, 6, 6, 0, 0]),

    passed: both([0, 95, 69, 41, 19, 8, 1, 0, 0], [0, 115, 85, 55, 33, 21, 13, 9, 4]),
    passed_blocked: both(
        [0, -30, -21, -15, -8, -4, 0, 0, 0],
        [0, -55, -41, -26, -16, -9, -5, -3, 0],
    ),
    passed_free: both([0, 40, 32, 20, 10, 5, 2, 0, 0], [0, 90, 68, 44, 27, 16, 8, 4, 0]),
    passed_safe_step: both([0, 16, 13, 9, 5, 2, 0, 0, 0], [0, 34, 26, 17, 10, 7, 3, 0, 0]),
    passed_helped: both([0, 20, 16, 11, 7, 3, -1, 0, 0], [0, 26, 21, 15, 10, 6, 2, 0, 0]),
    passed_their_king: both([0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 26, 23, 17, 11, 6, 3, 2, 0]),
    passed_own_king: both([0, 0, 0, 0, 0, 0, 0, 0, 0], [0, -9, -10, -9, -7, -5, -2, -1, 0]),
    passed_rook_behind: s(4, 16),
    passed_unstoppable: s(0, 420),

    outpost: [s(28, 18), s(16, 10)],
    outpost_reachable: s(10, 6),
    minor_behind_pawn: s(5, 2),
    bishop_pawn: s(-2, -3),
    bishop_blocked_pawn: s(-4, -5),
    rook_open: s(27, 7),
    rook_half_open: s(11, 7),
    rook_on_pawn_rank: s(8, 22),

    shield: [s(6, 2), s(15, -2), s(10, 0), s(-2, -1), s(-14, 0)],
    storm: [s(2, 0), s(-6, 0), s(-21, -2), s(-11, 0), s(-3, 0), s(-2, 0)],
    storm_blocked: s(-3, -5),
    danger_square: s(-7, 0),
    danger: s(0, -1),

    pawn_threat: s(55, 38),
    pawn_step_threat: s(16, 12),
    minor_threat: s(12, 18),
    minor_threat_on: [s(38, 24), s(36, 36)],
    rook_threat: s(10, 20),
    rook_threat_on_queen: s(38, 20),
    king_threat: s(8, 34),
    hanging: s(26, 18),
};
