use arrayvec::ArrayVec;

use super::features::{Perspective, Rights};
use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Color, Move, Piece, Role, Square};

/// Most inputs that a move sets or unsets: it takes two pieces off their squares and ends three
/// rights (its king's two, and that of a rook it captures).
pub(super) const MOST: usize = 5;

/// What a move changes on the board.
#[derive(Clone, Debug)]
pub struct Delta<G: Board> {
    put: ArrayVec<(Piece, Square<G>), 2>,
    taken: ArrayVec<(Piece, Square<G>), 2>,
    lost: Rights,
    /// Whose king changed between the halves of the board, so that all its inputs are others.
    pub(super) crossed: Option<Color>,
    /// The views after the move, White's and Black's.
    pub(super) views: [Perspective; 2],
}

impl<G: Board> Delta<G> {
    /// Nothing changes; the views are those of this position.
    pub fn none(position: &Position<G>) -> Delta<G> {
        Delta {
            put: ArrayVec::new(),
            taken: ArrayVec::new(),
            lost: Rights::NONE,
            crossed: None,
            views: views(position),
        }
    }

    /// What a legal move changes, from the positions before and after it.
    #[inline]
    pub fn of(before: &Position<G>, mv: Move, after: &Position<G>) -> Delta<G> {
        let us = before.side_to_move();
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let piece = before.moved_piece(mv);
        let mut delta = Delta::none(after);
        delta.taken.push((piece, from));
        match before.piece_at(to) {
            Some(rook) if rook.color() == us => {
                let (king_to, rook_to) = Position::castling_targets(from, to);
                delta.taken.push((rook, to));
                delta.put.extend([(piece, king_to), (rook, rook_to)]);
            }
            captured => {
                // What stands there now: the piece itself or what a pawn became.
                delta.put.extend(after.piece_at(to).map(|piece| (piece, to)));
                delta.taken.extend(captured.map(|captured| (captured, to)));
                if before.is_en_passant(mv) {
                    delta.taken.extend(to.forward(!us).map(|square| (Role::Pawn.of(!us), square)));
                }
            }
        }
        if before.rights() != after.rights() {
            delta.lost = Rights::of(before).without(Rights::of(after));
        }
        let turned = views(before)[us.index()] != delta.views[us.index()];
        delta.crossed = turned.then_some(us);
        delta
    }

    /// The inputs of a side's view that are set and unset.
    #[inline]
    pub(super) fn features(&self, color: Color) -> (ArrayVec<u16, 2>, ArrayVec<u16, MOST>) {
        let view = self.views[color.index()];
        let input = |&(piece, square): &(Piece, Square<G>)| view.piece(piece, square);
        let mut unset: ArrayVec<u16, MOST> = self.taken.iter().map(input).collect();
        if self.lost != Rights::NONE {
            unset.extend(self.lost.each().map(|bit| view.right::<G>(bit)));
        }
        (self.put.iter().map(input).collect(), unset)
    }
}

fn views<G: Board>(position: &Position<G>) -> [Perspective; 2] {
    Color::ALL.map(|color| Perspective::new(color, position.king(color)))
}
