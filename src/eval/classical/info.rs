//! Evaluation info: the position and what both sides attack, which all terms look at.

use super::pawns::Entry;
use super::tables::Weights;
use crate::attacks::{self, Board};
use crate::position::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// What the terms know of one side.
#[derive(Clone, Copy)]
pub struct Side<G: Board> {
    pub king: Square<G>,
    pub pawns: Bitboard<G>,
    /// Pawns with something on the next square.
    pub blocked_pawns: Bitboard<G>,
    /// What its pieces of each role attack; sliders look through their own sliding kin.
    pub attacks: [Bitboard<G>; 6],
    /// What it attacks at all.
    pub all: Bitboard<G>,
    /// What it attacks at least twice.
    pub twice: Bitboard<G>,
    /// The squares that count as mobility: not those of its king and blocked pawns, nor those
    /// that enemy pawns attack.
    pub area: Bitboard<G>,
}

/// A position, the numbers, and what both sides attack as far as it is known.
pub struct EvalInfo<'a, G: Board> {
    pub position: &'a Position<G>,
    pub weights: &'a Weights<G>,
    pub pawns: &'a Entry<G>,
    pub occupied: Bitboard<G>,
    /// By colour.
    pub sides: [Side<G>; 2],
}

impl<'a, G: Board> EvalInfo<'a, G> {
    /// The info with the attacks of pawns and kings.
    #[inline(always)]
    pub fn new(position: &'a Position<G>, weights: &'a Weights<G>, pawns: &'a Entry<G>) -> Self {
        let occupied = position.occupied();
        let mut white = side(position, Color::White, occupied);
        let mut black = side(position, Color::Black, occupied);
        white.area -= black.attacks[Role::Pawn.index()];
        black.area -= white.attacks[Role::Pawn.index()];
        EvalInfo { position, weights, pawns, occupied, sides: [white, black] }
    }

    #[inline(always)]
    pub fn side(&self, color: Color) -> &Side<G> {
        &self.sides[color.index()]
    }

    /// The pieces of a side of one role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard<G> {
        self.position.pieces(color, role)
    }
}

#[inline(always)]
fn side<G: Board>(position: &Position<G>, us: Color, occupied: Bitboard<G>) -> Side<G> {
    let king = position.king(us);
    let pawns = position.pieces(us, Role::Pawn);
    let ahead = pawns.forward(us);
    let (left, right) = (ahead.left(), ahead.right());
    let pawn_attacks = left | right;
    let king_attacks = attacks::king(king);
    let mut attacks = [Bitboard::EMPTY; 6];
    attacks[Role::Pawn.index()] = pawn_attacks;
    attacks[Role::King.index()] = king_attacks;
    let blocked_pawns = pawns & occupied.forward(!us);
    Side {
        king,
        pawns,
        blocked_pawns,
        attacks,
        all: pawn_attacks | king_attacks,
        twice: (left & right) | (pawn_attacks & king_attacks),
        area: !(blocked_pawns | king.bitboard()),
    }
}
