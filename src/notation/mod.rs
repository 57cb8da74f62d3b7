//! Moves and boards as text. The only place where a move becomes text or text a move.
//!
//! | file | notation |
//! | --- | --- |
//! | `uci` | `e2e4`, `e7e8q`, castling as king takes rook or as the king's two steps |
//! | `san` | `Nf3`, `exd8=Q+`, `O-O`, on either board |
//! | `diagram` | a board for people |
//!
//! Both readers find the move among the legal ones, so what they return is always legal.

mod diagram;
mod san;
mod uci;

pub use diagram::board;
pub use san::{parse_san, san};
pub use uci::{parse_uci, uci};

use crate::attacks::Board;
use crate::position::Position;
use crate::types::{Move, Role, Square};

/// Why a text is not a legal move of the position. `text` is what was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    #[error(
        "'{text}' is not a move; write the two squares, as in e2e4, and q, r, b or n after a promotion"
    )]
    NotUci { text: String },
    #[error("'{text}' is not a move in algebraic notation, such as Nf3, exd5, e8=Q or O-O")]
    NotSan { text: String },
    #[error("'{text}' is illegal: there is no piece on {square}")]
    NoPiece { text: String, square: String },
    #[error("'{text}' is illegal: the piece on {square} belongs to the side that is not to move")]
    NotYours { text: String, square: String },
    #[error("'{text}' is illegal: the pawn promotes; add q, r, b or n")]
    PromotionMissing { text: String },
    #[error("'{text}' is illegal: this move promotes nothing; leave the last letter away")]
    PromotionNeedless { text: String },
    #[error("'{text}' is illegal: castling there is not possible now")]
    Castling { text: String },
    #[error("'{text}' is illegal: it leaves the king in check")]
    LeavesCheck { text: String },
    #[error("'{text}' is illegal: no such move from here")]
    Illegal { text: String },
    #[error("'{text}' can mean {candidates}; say which by file or rank")]
    Ambiguous { text: String, candidates: String },
}

/// At most this much of a text is repeated in an error.
const EXCERPT: usize = 30;

/// A text fit for an error message.
fn excerpt(text: &str) -> String {
    text.chars().flat_map(char::escape_debug).take(EXCERPT).collect()
}

/// The castling move towards the h-file or the a-file, if it is legal.
fn castling<G: Board>(position: &Position<G>, short: bool) -> Option<Move> {
    let king = position.king(position.side_to_move());
    position
        .legal_moves()
        .into_iter()
        .find(|&mv| position.is_castling(mv) && (mv.to::<G>().file() > king.file()) == short)
}

/// Which side `O-O` and its kin castle to: `Some(true)` for the short one.
fn castling_side(text: &str) -> Option<bool> {
    match text.trim_end_matches(['+', '#', '!', '?']) {
        "O-O" | "0-0" | "o-o" => Some(true),
        "O-O-O" | "0-0-0" | "o-o-o" => Some(false),
        _ => None,
    }
}

/// Whether a piece could go from one square to another if its own king's safety were no matter.
/// For error messages only.
fn would_reach<G: Board>(position: &Position<G>, from: Square<G>, to: Square<G>) -> bool {
    use crate::attacks;
    let us = position.side_to_move();
    let Some(piece) = position.piece_at(from) else { return false };
    if position.color(us).contains(to) {
        return false;
    }
    let occupied = position.occupied();
    if piece.role() != Role::Pawn {
        return attacks::piece(piece.role(), from, occupied).contains(to);
    }
    let takes = position.color(!us).contains(to) || position.en_passant() == Some(to);
    let step = from.bitboard().forward(us) - occupied;
    let from_start = from.rank() == G::PAWN_RANK[us.index()];
    takes && attacks::pawn(us, from).contains(to)
        || step.contains(to)
        || from_start && (step.forward(us) - occupied).contains(to)
}

#[cfg(test)]
mod tests;
