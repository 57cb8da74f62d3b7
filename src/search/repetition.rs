//! Detects whether two positions are one reversible move apart.
//!
//! A reversible move changes the key of a position by a difference that depends only on the piece and its
//! two squares. If the keys of two positions differ by this difference, the move leads from one position to
//! the other. A search can thus detect a repetition one ply before the repetition occurs (Marcel van
//! Kervinck, "The design and implementation of the Rookie 2.0 chess engine", 2002). Van Kervinck used a
//! cuckoo hash. This module uses linear probing in a table that is at most half full.

use once_cell::sync::OnceCell;

use crate::attacks;
use crate::geometry::{BOARDS, Board};
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// The change of a position's key by a move, and the two squares of the move.
struct Shift {
    key: u64,
    squares: [u8; 2],
}

/// A hash table of the moves of all pieces except pawns on an empty board.
struct Shifts(Vec<Option<Shift>>);

/// The table of each board, built on first use.
static SHIFTS: [OnceCell<Shifts>; BOARDS] = [const { OnceCell::new() }; BOARDS];

impl Shifts {
    fn of<G: Board>() -> &'static Shifts {
        SHIFTS[G::INDEX].get_or_init(Self::build::<G>)
    }

    fn build<G: Board>() -> Shifts {
        let mut all = Vec::new();
        for color in [Color::White, Color::Black] {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                let piece = Piece::new(color, role);
                for from in Square::<G>::all() {
                    for to in attacks::piece(role, from, Bitboard::EMPTY) {
                        if from.index() < to.index() {
                            let squares = [from.index() as u8, to.index() as u8];
                            all.push(Shift {
                                key: Position::key_of_shift(piece, from, to),
                                squares,
                            });
                        }
                    }
                }
            }
        }
        let mut shifts = Shifts(Vec::new());
        shifts.0.resize_with((2 * all.len()).next_power_of_two(), || None);
        for shift in all {
            let place = shifts.place(shift.key);
            shifts.0[place] = Some(shift);
        }
        shifts
    }

    /// Returns the index of the move that changes a key by `key`, or the index of the empty entry where
    /// this move would be stored.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mask = self.0.len() - 1;
        let mut place = key as usize & mask;
        while self.0[place].as_ref().is_some_and(|shift| shift.key != key) {
            place = (place + 1) & mask;
        }
        place
    }
}

/// Returns whether a difference of two keys corresponds to a move of the side to move along an empty path.
#[inline]
pub fn is_one_move<G: Board>(position: &Position<G>, difference: u64) -> bool {
    let shifts = Shifts::of::<G>();
    shifts.0[shifts.place(difference)].as_ref().is_some_and(|shift| {
        let [a, b] = shift.squares.map(|index| Square::<G>::of_index(u32::from(index)));
        // One of the two squares is empty. The other square may hold an opponent's piece, if the opponent
        // has lost a tempo.
        let mover = position.piece_at(a).or_else(|| position.piece_at(b));
        mover.is_some_and(|piece| piece.color() == position.side_to_move())
            && (attacks::between(a, b) & position.occupied()).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Board8x8;
    use crate::rules::KingRight;

    #[test]
    fn a_move_back_is_detected_unless_it_is_blocked() {
        let position = |fen| Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
        let before = position("4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
        let after = position("4k3/8/8/8/R7/8/8/4K3 w - - 0 1");
        let back = after.key() ^ before.key();
        assert!(is_one_move(&after, back));
        // Two positions that differ by the moves of two pieces are not one move apart.
        let other = position("3k4/8/8/8/R7/8/8/4K3 w - - 0 1");
        assert!(!is_one_move(&other, other.key() ^ before.key()));
        // A move through a piece is not detected, ...
        assert!(!is_one_move(&position("4k3/8/8/8/R7/8/b7/4K3 w - - 0 1"), back));
        // ... and neither is a move by the side that has just moved.
        assert!(!is_one_move(&position("4k3/8/8/8/R7/8/8/4K3 b - - 0 1"), back));
    }

    #[test]
    fn all_moves_have_different_keys() {
        let count = Shifts::of::<Board8x8>().0.iter().flatten().count();
        assert_eq!(count, 2 * (168 + 280 + 448 + 728 + 210));
    }
}
