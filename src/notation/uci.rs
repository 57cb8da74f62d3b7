//! The notation of the UCI protocol.

use super::{MoveError, castling, castling_side, excerpt, would_reach};
use crate::attacks::Board;
use crate::geometry::Geometry;
use crate::position::Position;
use crate::types::{Move, Role, Square};

/// A legal move as UCI text.
///
/// Castling is written as king takes rook if `chess960` is set, on boards other than 8x8, and
/// wherever king and rook do not stand on the squares of orthodox chess; else as the king's two
/// steps (`e1g1`).
pub fn uci<G: Board>(position: &Position<G>, mv: Move, chess960: bool) -> String {
    let (from, mut to) = (mv.from::<G>(), mv.to::<G>());
    if position.is_castling(mv) && !chess960 && is_orthodox(from, to) {
        to = Position::castling_targets(from, to).0;
    }
    let mut text = format!("{from}{to}");
    if position.is_promotion(mv) {
        text.push(mv.promoted().letter().to_ascii_lowercase());
    }
    text
}

/// Whether king and rook stand where they do in orthodox chess.
fn is_orthodox<G: Geometry>(king: Square<G>, rook: Square<G>) -> bool {
    G::FILES == 8 && king.file() == 4 && (rook.file() == 0 || rook.file() == 7)
}

/// Reads a move. Besides what [`uci`] writes, castling may be written as the king's way to its
/// target, if that is not also an ordinary move of the king, or as `O-O`, `O-O-O`, `0-0`, `0-0-0`.
pub fn parse_uci<G: Board>(position: &Position<G>, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    if let Some(short) = castling_side(text) {
        return castling(position, short)
            .ok_or_else(|| MoveError::Castling { text: excerpt(text) });
    }
    let not_uci = || MoveError::NotUci { text: excerpt(text) };
    let lower = text.to_ascii_lowercase();
    let (from, rest) = Square::<G>::parse_prefix(&lower).ok_or_else(not_uci)?;
    let (to, rest) = Square::<G>::parse_prefix(rest).ok_or_else(not_uci)?;
    let promotion = match rest.as_bytes() {
        [] => None,
        [letter] => match Role::from_letter(char::from(*letter)) {
            Some(role) if Role::PROMOTIONS.contains(&role) => Some(role),
            _ => return Err(not_uci()),
        },
        _ => return Err(not_uci()),
    };
    find(position, from, to, promotion).ok_or_else(|| explain(position, text, from, to, promotion))
}

fn find<G: Board>(
    position: &Position<G>,
    from: Square<G>,
    to: Square<G>,
    promotion: Option<Role>,
) -> Option<Move> {
    if from == to {
        return None;
    }
    let mv = promotion.map_or_else(|| Move::new(from, to), |role| Move::promotion(from, to, role));
    if position.is_legal(mv) && position.is_promotion(mv) == promotion.is_some() {
        return Some(mv);
    }
    let us = position.side_to_move();
    if from != position.king(us) || promotion.is_some() {
        return None;
    }
    // The king's target instead of the rook.
    let mut to_target = position.legal_moves().into_iter().filter(|&mv| {
        position.is_castling(mv) && Position::castling_targets(from, mv.to()).0 == to
    });
    to_target.next()
}

/// Says why there is no such move.
fn explain<G: Board>(
    position: &Position<G>,
    text: &str,
    from: Square<G>,
    to: Square<G>,
    promotion: Option<Role>,
) -> MoveError {
    let text = excerpt(text);
    let us = position.side_to_move();
    let square = from.to_string();
    let Some(piece) = position.piece_at(from) else {
        return MoveError::NoPiece { text, square };
    };
    if piece.color() != us {
        return MoveError::NotYours { text, square };
    }
    if piece.role() == Role::King && position.pieces(us, Role::Rook).contains(to) {
        return MoveError::Castling { text };
    }
    if !would_reach(position, from, to) {
        return MoveError::Illegal { text };
    }
    let promotes = piece.role() == Role::Pawn && to.rank() == G::PROMOTION_RANK[us.index()];
    match promotion {
        None if promotes => MoveError::PromotionMissing { text },
        Some(_) if !promotes => MoveError::PromotionNeedless { text },
        _ => MoveError::LeavesCheck { text },
    }
}
