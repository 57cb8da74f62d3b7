//! What is derived once from the parameters and the geometry, for either board.

use super::packed::Packed;
use super::params::{BASES, Params, Terms};
use super::trace::{Term, Tracer};
use crate::attacks::{self, Board};
use crate::types::{Bitboard, Color, Piece, Role, Score, Square, SquareMap};

/// Mobility counts are below this: a queen attacks at most 27 squares on 8x8, 35 on 10x10.
const MOBILITY: usize = 64;
/// No board has more ranks or files.
const LINES: usize = 16;

/// All numbers in the form in which they are used.
pub struct Weights<G: Board> {
    pub terms: Terms<Packed>,
    /// Material and square, for its owner, by [`Piece::index`].
    piece_square: [SquareMap<G, Packed>; Piece::COUNT],
    /// By role from the knight on, then by the number of squares.
    mobility: [[Packed; MOBILITY]; 4],
    /// The light squares.
    pub light: Bitboard<G>,
    /// By colour of the king: its square and those around and before it.
    ring: [SquareMap<G, Bitboard<G>>; 2],
    /// By colour: the ranks of outposts, the three before the enemy's pawns.
    outposts: [Bitboard<G>; 2],
    /// By colour, then by rank: this rank and all before it.
    front: [[Bitboard<G>; LINES]; 2],
    files: [Bitboard<G>; LINES],
    /// By colour: the rank from which enemy pawns start, and that rank with all behind it.
    enemy_pawn_rank: [(Bitboard<G>, Bitboard<G>); 2],
}

impl<G: Board> Weights<G> {
    pub fn new(params: &Params) -> Self {
        let mut piece_square = [SquareMap::filled(Packed::ZERO); Piece::COUNT];
        for color in Color::ALL {
            for role in Role::ALL {
                piece_square[role.of(color).index()] = SquareMap::from_fn(|square: Square<G>| {
                    (square_value(params, role, square.relative(color))
                        + params.material.get(role.index()).copied().unwrap_or(Score::ZERO))
                    .into()
                });
            }
        }
        Weights {
            terms: params.map(Packed::from),
            piece_square,
            mobility: std::array::from_fn(|index| mobility_table::<G>(params, index)),
            light: Bitboard::light(),
            ring: Color::ALL.map(|color| SquareMap::from_fn(|king| ring(color, king))),
            outposts: Color::ALL.map(|us| {
                let first = Bitboard::rank(G::PAWN_RANK[(!us).index()]).forward(!us);
                let second = first.forward(!us);
                first | second | second.forward(!us)
            }),
            front: Color::ALL.map(|us| {
                std::array::from_fn(|rank| match rank as u8 {
                    rank if rank < G::RANKS => {
                        Bitboard::rank(rank) | Bitboard::rank(rank).forward_fill(us)
                    }
                    _ => Bitboard::EMPTY,
                })
            }),
            files: std::array::from_fn(|file| match file as u8 {
                file if file < G::FILES => Bitboard::file(file),
                _ => Bitboard::EMPTY,
            }),
            enemy_pawn_rank: Color::ALL.map(|us| {
                let rank = Bitboard::rank(G::PAWN_RANK[(!us).index()]);
                (rank, rank | rank.forward_fill(us))
            }),
        }
    }

    /// Material and square of a piece, for its owner.
    #[inline(always)]
    pub fn standing<T: Tracer>(
        &self,
        color: Color,
        role: Role,
        square: Square<G>,
        tracer: &mut T,
    ) -> Packed {
        let value = self.piece_square[role.of(color).index()][square];
        if T::LISTENS {
            let material = self.terms.material.get(role.index()).copied().unwrap_or_default();
            tracer.add(Term::Material, color, material);
            tracer.add(Term::Squares, color, value - material);
        }
        value
    }

    /// The squares on which an attack presses a king of this colour.
    #[inline(always)]
    pub fn ring(&self, color: Color, king: Square<G>) -> Bitboard<G> {
        self.ring[color.index()][king]
    }

    /// The ranks where a piece of this side can have an outpost.
    #[inline(always)]
    pub fn outposts(&self, us: Color) -> Bitboard<G> {
        self.outposts[us.index()]
    }

    /// A rank and all before it, as `us` looks at the board.
    #[inline(always)]
    pub fn front(&self, us: Color, rank: u8) -> Bitboard<G> {
        self.front[us.index()][rank as usize & (LINES - 1)]
    }

    /// The squares of a file.
    #[inline(always)]
    pub fn file(&self, file: u8) -> Bitboard<G> {
        self.files[file as usize & (LINES - 1)]
    }

    /// The rank from which the pawns of the other side start, and that rank with all behind it.
    #[inline(always)]
    pub fn enemy_pawn_rank(&self, us: Color) -> (Bitboard<G>, Bitboard<G>) {
        self.enemy_pawn_rank[us.index()]
    }

    /// What it is worth to a piece, knight to queen, that it may go to so many squares.
    #[inline(always)]
    pub fn mobility(&self, role: Role, squares: u32) -> Packed {
        self.mobility[(role.index() - 1) & 3][squares as usize & (MOBILITY - 1)]
    }
}

/// The king's square, those around it and three more before it; at an edge, as if the king stood
/// one square farther inside.
fn ring<G: Board>(us: Color, king: Square<G>) -> Bitboard<G> {
    let inside = |line: u8, lines: u8| line.clamp(1, lines - 2);
    let centre = Square::on(inside(king.file(), G::FILES), inside(king.rank(), G::RANKS));
    let around = attacks::king(centre) | centre.bitboard();
    let forward = attacks::king(king) | king.bitboard();
    around | forward.forward(us)
}

/// The functions of the square from which piece-square tables are made, for White, each within
/// 0..1 and the same on mirrored files:
///
/// 0. file: 0 on the flank .. 1 on the central files
/// 1. rank: 0 on the first and last rank .. 1 on the central ranks
/// 2. centre: the product of both
/// 3. advance: 0 on the home rank (or behind it) .. 1 on the promotion rank
/// 4. its square
/// 5. advance times file
/// 6. edge: 1 on the edge of the board, else 0
/// 7. home: 1 on the home rank or behind it, else 0
pub fn bases<G: Board>(square: Square<G>) -> [f64; BASES] {
    let centrality = |line: u8, lines: u8| {
        line.min(lines - 1 - line) as f64 / ((lines as f64 / 2.0).ceil() - 1.0)
    };
    let file = centrality(square.file(), G::FILES);
    let rank = centrality(square.rank(), G::RANKS);
    let (home, promotion) = (G::HOME_RANK[0], G::PROMOTION_RANK[0]);
    let advance = square.rank().saturating_sub(home) as f64 / (promotion - home) as f64;
    let is = |condition: bool| condition as u8 as f64;
    [
        file,
        rank,
        file * rank,
        advance,
        advance * advance,
        advance * file,
        is(file == 0.0 || rank == 0.0),
        is(square.rank() <= home),
    ]
}

/// The value of a square to a piece of White.
fn square_value<G: Board>(params: &Params, role: Role, square: Square<G>) -> Score {
    let factors = match role {
        Role::Pawn => &params.pawn_square,
        Role::Knight => &params.knight_square,
        Role::Bishop => &params.bishop_square,
        Role::Rook => &params.rook_square,
        Role::Queen => &params.queen_square,
        Role::King => &params.king_square,
    };
    let (mut mg, mut eg) = (0.0, 0.0);
    for (factor, base) in factors.iter().zip(bases(square)) {
        mg += factor.mg as f64 * base;
        eg += factor.eg as f64 * base;
    }
    Score::new(mg.round() as i32, eg.round() as i32)
}

/// Mobility of a role (0 = knight) by the number of squares, zero at the usual number: about half
/// of what the piece attacks, on average, from the squares of an empty board.
fn mobility_table<G: Board>(params: &Params, index: usize) -> [Packed; MOBILITY] {
    let role = Role::ALL[index + 1];
    let attacked: u32 =
        Square::<G>::all().map(|from| attacks::piece(role, from, Bitboard::EMPTY).count()).sum();
    let usual = attacked as f64 / G::SQUARES as f64 / 2.0;
    let (linear, root) = (params.mobility[index], params.mobility_root[index]);
    std::array::from_fn(|squares| {
        let squares = squares as f64;
        let value = |linear: i32, root: i32| {
            let value =
                linear as f64 * (squares - usual) + root as f64 * (squares.sqrt() - usual.sqrt());
            value.round() as i32
        };
        Score::new(value(linear.mg, root.mg), value(linear.eg, root.eg)).into()
    })
}
