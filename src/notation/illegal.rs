//! Explaining why a move is illegal.

use super::{CastlingSide, castling_rook};
use crate::attacks;
use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, Role, Square};

/// Why a move is illegal, as a message for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum Illegality {
    #[error("a {role} does not move from {from} to {to}")]
    Movement { role: Role, from: String, to: String },
    #[error("the {role} is blocked by the piece on {square}")]
    Blocked { role: Role, square: String },
    #[error("{square} is occupied by a {role} of the same colour")]
    OwnPiece { role: Role, square: String },
    #[error("there is nothing for the pawn to capture on {square}")]
    NothingToTake { square: String },
    #[error("the move leaves the king on {king} in check")]
    LeavesInCheck { king: String },
    #[error("the king would be in check on {square}")]
    KingAttacked { square: String },
    #[error("a pawn that reaches {square} promotes: add q, r, b or n, as in {example}")]
    PromotionMissing { square: String, example: String },
    #[error("this move is not a promotion; remove the '{letter}'")]
    PromotionSuperfluous { letter: char },
    #[error("a pawn promotes to a queen, rook, bishop or knight (q, r, b, n), not '{letter}'")]
    PromotionRole { letter: char },
    #[error("{color}'s king has no right to castle or relocate to that side")]
    NoRight { color: Color },
    #[error(
        "{color}'s king relocates instead of castling: name the king's move, such as {example}"
    )]
    RelocatesInstead { color: Color, example: &'static str },
    #[error("a king in check may not castle or relocate")]
    CastlingInCheck,
    #[error("castling needs {square} to be empty")]
    CastlingBlocked { square: String },
    #[error("the king may not pass {square}, which is attacked")]
    CastlingAttacked { square: String },
    #[error(
        "a king relocates by an even number of files, but {to} is an odd number of files from {from}"
    )]
    RelocationOdd { from: String, to: String },
    /// No piece fits the move. Occurs only in SAN, which need not name the origin square.
    #[error("{color} has no {role} that can move to {square}")]
    NoSuchPiece { color: Color, role: Role, square: String },
}

/// Explains why a move of the side to move is illegal. Does not consider the promotion letter.
pub(super) fn of_move<G: Board>(
    position: &Position<G>,
    from: Square<G>,
    to: Square<G>,
) -> Illegality {
    let us = position.side_to_move();
    let role = position.piece_at(from).map_or(Role::Pawn, |piece| piece.role());
    let own = position.piece_at(to).filter(|piece| piece.color() == us).map(|piece| piece.role());
    match (role, own) {
        (Role::King, Some(Role::Rook)) if from.rank() == home_rank::<G>(us) => {
            of_king_takes_rook(position, from, to)
        }
        (_, Some(role)) => Illegality::OwnPiece { role, square: to.to_string() },
        (Role::King, None) => of_king_move(position, from, to),
        (Role::Pawn, None) => of_pawn_move(position, from, to),
        (_, None) => of_piece_move(position, role, from, to),
    }
}

/// Explains why the side to move cannot castle to the side `side`.
pub(super) fn of_castling<G: Board>(position: &Position<G>, side: CastlingSide) -> Illegality {
    let us = position.side_to_move();
    let king = position.king(us);
    if position.rights().contains(king) {
        let example = match (us, side) {
            (Color::White, CastlingSide::Short) => "Kg1",
            (Color::White, CastlingSide::Long) => "Kc1",
            (Color::Black, CastlingSide::Short) => "Kg8",
            (Color::Black, CastlingSide::Long) => "Kc8",
        };
        return Illegality::RelocatesInstead { color: us, example };
    }
    let Some(rook) = castling_rook(position, side) else {
        return Illegality::NoRight { color: us };
    };
    if position.in_check() {
        return Illegality::CastlingInCheck;
    }
    let (king_to, rook_to) = Position::castling_targets(king, rook);
    let king_walk = attacks::between(king, king_to) | king_to.bitboard();
    let rook_walk = attacks::between(rook, rook_to) | rook_to.bitboard();
    let occupied = position.occupied();
    let others = occupied - king.bitboard() - rook.bitboard();
    if let Some(square) = ((king_walk | rook_walk) & others).first() {
        return Illegality::CastlingBlocked { square: square.to_string() };
    }
    let attacked = |square: &Square<G>| position.is_attacked(!us, *square, occupied);
    match (king_walk - king_to.bitboard()).into_iter().find(attacked) {
        Some(square) => Illegality::CastlingAttacked { square: square.to_string() },
        // Only one reason is left: the king's target square is attacked now, or will be once the rook has
        // moved.
        None => Illegality::KingAttacked { square: king_to.to_string() },
    }
}

fn of_king_takes_rook<G: Board>(
    position: &Position<G>,
    king: Square<G>,
    rook: Square<G>,
) -> Illegality {
    let side = CastlingSide::of(king, rook);
    if castling_rook(position, side) == Some(rook) {
        of_castling(position, side)
    } else {
        Illegality::NoRight { color: position.side_to_move() }
    }
}

fn of_king_move<G: Board>(position: &Position<G>, from: Square<G>, to: Square<G>) -> Illegality {
    let us = position.side_to_move();
    let home = home_rank::<G>(us);
    if attacks::king(from).contains(to) {
        return Illegality::KingAttacked { square: to.to_string() };
    }
    if from.rank() == home && to.rank() == home {
        if position.rights().contains(from) {
            return of_relocation(position, from, to);
        }
        let side = CastlingSide::of(from, to);
        if to.file() == G::CASTLED_KING_FILE[side as usize] {
            return of_castling(position, side);
        }
    }
    Illegality::Movement { role: Role::King, from: from.to_string(), to: to.to_string() }
}

/// Explains why a king with the right to relocate cannot move to a square of its home rank.
fn of_relocation<G: Board>(position: &Position<G>, from: Square<G>, to: Square<G>) -> Illegality {
    let them = !position.side_to_move();
    let occupied = position.occupied();
    let attacked = |square: &Square<G>| position.is_attacked(them, *square, occupied);
    if position.in_check() {
        return Illegality::CastlingInCheck;
    }
    if from.file().abs_diff(to.file()) % 2 == 1 {
        return Illegality::RelocationOdd { from: from.to_string(), to: to.to_string() };
    }
    if occupied.contains(to) {
        return Illegality::CastlingBlocked { square: to.to_string() };
    }
    match (attacks::between(from, to) - occupied).into_iter().find(attacked) {
        Some(square) => Illegality::CastlingAttacked { square: square.to_string() },
        None => Illegality::KingAttacked { square: to.to_string() },
    }
}

fn of_pawn_move<G: Board>(position: &Position<G>, from: Square<G>, to: Square<G>) -> Illegality {
    let us = position.side_to_move();
    if attacks::pawn(us, from).contains(to) {
        let captures = position.piece_at(to).is_some() || position.en_passant() == Some(to);
        return if captures {
            leaves_in_check(position)
        } else {
            Illegality::NothingToTake { square: to.to_string() }
        };
    }
    let mut steps = Bitboard::EMPTY;
    let mut square = from.forward(us);
    let most = if from.rank() == G::PAWN_RANK[us.index()] { 2 } else { 1 };
    for _ in 0..most {
        let Some(step) = square else { break };
        steps |= step.bitboard();
        square = step.forward(us);
    }
    if !steps.contains(to) {
        return Illegality::Movement {
            role: Role::Pawn,
            from: from.to_string(),
            to: to.to_string(),
        };
    }
    let way = attacks::between(from, to) | to.bitboard();
    blocked_or_check(position, Role::Pawn, way)
}

fn of_piece_move<G: Board>(
    position: &Position<G>,
    role: Role,
    from: Square<G>,
    to: Square<G>,
) -> Illegality {
    if !attacks::piece(role, from, Bitboard::EMPTY).contains(to) {
        return Illegality::Movement { role, from: from.to_string(), to: to.to_string() };
    }
    // The squares of a knight move are not on a line, so nothing can block it.
    blocked_or_check(position, role, attacks::between(from, to))
}

fn blocked_or_check<G: Board>(position: &Position<G>, role: Role, way: Bitboard<G>) -> Illegality {
    match (way & position.occupied()).first() {
        Some(square) => Illegality::Blocked { role, square: square.to_string() },
        None => leaves_in_check(position),
    }
}

fn leaves_in_check<G: Board>(position: &Position<G>) -> Illegality {
    let king = position.king(position.side_to_move());
    Illegality::LeavesInCheck { king: king.to_string() }
}

fn home_rank<G: Board>(color: Color) -> u8 {
    G::HOME_RANK[color.index()]
}

/// Returns the legal move of the side to move between two squares with this promotion letter. If there is
/// no such legal move, explains why.
pub(super) fn legal_move<G: Board>(
    position: &Position<G>,
    from: Square<G>,
    to: Square<G>,
    letter: Option<char>,
) -> Result<Move, Illegality> {
    let us = position.side_to_move();
    let is_pawn = position.role(Role::Pawn).contains(from);
    let promotes = is_pawn && to.rank() == G::PROMOTION_RANK[us.index()];
    let mv = match letter {
        Some(letter) if promotes => Move::promotion(from, to, promotion_role(letter)?),
        // Check the move as a promotion to a queen. If this promotion is legal, only the letter is missing.
        None if promotes => Move::promotion(from, to, Role::Queen),
        _ => Move::new(from, to),
    };
    if !position.is_legal(mv) {
        return Err(of_move(position, from, to));
    }
    match letter {
        Some(letter) if !promotes => Err(Illegality::PromotionSuperfluous { letter }),
        None if promotes => Err(Illegality::PromotionMissing {
            square: to.to_string(),
            example: format!("{from}{to}q"),
        }),
        _ => Ok(mv),
    }
}

/// Parses a promotion letter.
pub(super) fn promotion_role(letter: char) -> Result<Role, Illegality> {
    Role::from_letter(letter)
        .filter(|role| Role::PROMOTIONS.contains(role))
        .ok_or(Illegality::PromotionRole { letter })
}
