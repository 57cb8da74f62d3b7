//! The squares that pieces attack, on either board.

use crate::geometry::Board;
use crate::types::{Bitboard, Color, Role, Square};

/// The squares a king attacks.
#[inline(always)]
pub fn king<G: Board>(square: Square<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::tables().king[square.index()])
}

/// The squares a knight attacks.
#[inline(always)]
pub fn knight<G: Board>(square: Square<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::tables().knight[square.index()])
}

/// The squares a pawn of this colour attacks.
#[inline(always)]
pub fn pawn<G: Board>(color: Color, square: Square<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::tables().pawn[color.index()][square.index()])
}

/// The squares that any of these pawns of one colour attacks.
#[inline(always)]
pub fn pawns<G: Board>(color: Color, pawns: Bitboard<G>) -> Bitboard<G> {
    let ahead = pawns.forward(color);
    ahead.left() | ahead.right()
}

/// The squares a bishop attacks.
#[inline(always)]
pub fn bishop<G: Board>(square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::bishop(square.index(), occupied.raw()))
}

/// The squares a rook attacks.
#[inline(always)]
pub fn rook<G: Board>(square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::rook(square.index(), occupied.raw()))
}

/// The squares a queen attacks.
#[inline(always)]
pub fn queen<G: Board>(square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares a piece attacks; none for a pawn, whose attacks depend on its colour.
#[inline(always)]
pub fn piece<G: Board>(role: Role, square: Square<G>, occupied: Bitboard<G>) -> Bitboard<G> {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// The squares strictly between two squares on a line; empty for pairs not on a line.
#[inline(always)]
pub fn between<G: Board>(a: Square<G>, b: Square<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::tables().between[a.index()][b.index()])
}

/// The whole line through two squares, edge to edge; empty for pairs not on a line.
#[inline(always)]
pub fn line<G: Board>(a: Square<G>, b: Square<G>) -> Bitboard<G> {
    Bitboard::from_raw(G::tables().line[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Board8x8, Board10x10, obstructed};

    /// Reference implementation: walks over the board one square at a time.
    fn walk<G: Board>(
        square: Square<G>,
        occupied: Bitboard<G>,
        directions: &[(i8, i8)],
    ) -> Bitboard<G> {
        let mut attacks = Bitboard::EMPTY;
        for &(df, dr) in directions {
            let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
            while file >= 0 && rank >= 0 {
                let Some(target) = Square::at(file as u8, rank as u8) else { break };
                attacks |= target.bitboard();
                if occupied.contains(target) {
                    break;
                }
                (file, rank) = (file + df, rank + dr);
            }
        }
        attacks
    }

    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

    /// Random occupancies from a fixed seed (xorshift).
    fn occupancies<G: Board>() -> impl Iterator<Item = Bitboard<G>> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        std::iter::repeat_with(move || {
            Square::all().filter(|_| next() % 3 == 0).collect::<Bitboard<G>>()
        })
    }

    fn sliders_agree_with_walking<G: Board>() {
        for occupied in occupancies::<G>().take(500).chain([Bitboard::EMPTY, Bitboard::FULL]) {
            for square in Square::<G>::all() {
                assert_eq!(bishop(square, occupied), walk(square, occupied, &DIAGONAL));
                assert_eq!(rook(square, occupied), walk(square, occupied, &STRAIGHT));
                let portable = |lines| obstructed::<G>(lines, square.index(), occupied.raw());
                assert_eq!(portable([0, 1]), rook(square, occupied).raw());
                assert_eq!(portable([2, 3]), bishop(square, occupied).raw());
            }
        }
    }

    fn lines_are_symmetric<G: Board>() {
        for a in Square::<G>::all() {
            assert_eq!(pawns(Color::White, a.bitboard()), pawn(Color::White, a));
            assert_eq!(pawns(Color::Black, a.bitboard()), pawn(Color::Black, a));
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                let aligned = queen(a, Bitboard::EMPTY).contains(b);
                assert_eq!(line(a, b).any(), aligned);
                if aligned {
                    assert!(line(a, b).contains(a) && line(a, b).contains(b));
                    let seen = queen(a, b.bitboard()) & queen(b, a.bitboard()) & line(a, b);
                    assert_eq!(between(a, b), seen - a.bitboard() - b.bitboard());
                }
            }
        }
    }

    #[test]
    fn sliders_8x8() {
        sliders_agree_with_walking::<Board8x8>();
        lines_are_symmetric::<Board8x8>();
    }

    #[test]
    fn sliders_10x10() {
        sliders_agree_with_walking::<Board10x10>();
        lines_are_symmetric::<Board10x10>();
    }

    #[test]
    fn leapers() {
        let e4 = Square::<Board8x8>::parse("e4").unwrap();
        assert_eq!(king(e4).count(), 8);
        assert_eq!(knight(e4).count(), 8);
        let a1 = Square::<Board8x8>::parse("a1").unwrap();
        assert_eq!(king(a1).count(), 3);
        assert_eq!(knight(a1).count(), 2);
        assert_eq!(pawn(Color::White, a1).count(), 1);
        assert_eq!(pawn(Color::Black, a1).count(), 0);
    }
}
