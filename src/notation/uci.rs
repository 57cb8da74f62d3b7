//! The move notation of the UCI protocol: the origin square, the target square and, for a promotion, the
//! letter of the new piece, as in `e2e4` and `e7e8q`.

use super::{CastlingSide, MoveError, castle, castling_rook, illegal, last_square};
use crate::geometry::{Board, Board8x8};
use crate::position::Position;
use crate::text::shorten;
use crate::types::{Move, Role, Square};

/// The king's file in the starting position of standard chess.
const ORTHODOX_KING_FILE: u8 = 4;

/// Writes a legal move in UCI notation.
///
/// Castling of standard chess is written with the king's target square (`e1g1`), unless the GUI has set
/// `UCI_Chess960`. In standard castling the king is on the e-file and the rook in the corner of the 8x8
/// board. All other castling is written as the king capturing its rook (`f1h1`), which cannot be mistaken
/// for a normal king move.
pub fn uci<G: Board>(position: &Position<G>, mv: Move, chess960: bool) -> String {
    let (from, to) = (mv.from::<G>(), mv.to::<G>());
    if position.is_castling(mv) && !chess960 && is_orthodox_castling(from, to) {
        let (king_to, _) = Position::castling_targets(from, to);
        return format!("{from}{king_to}");
    }
    if position.is_promotion(mv) {
        return format!("{from}{to}{}", mv.promoted().letter().to_ascii_lowercase());
    }
    format!("{from}{to}")
}

fn is_orthodox_castling<G: Board>(king: Square<G>, rook: Square<G>) -> bool {
    G::FILES == Board8x8::FILES
        && king.file() == ORTHODOX_KING_FILE
        && (rook.file() == 0 || rook.file() == G::FILES - 1)
}

/// Parses a move in UCI notation, in upper or lower case.
///
/// Castling may be written as the king capturing its rook (`e1h1`), with the king's target square (`e1g1`)
/// unless `e1g1` is also a normal king move, or as `O-O` and `O-O-O`.
pub fn parse_uci<G: Board>(position: &Position<G>, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    if let Some(side) = CastlingSide::parse(text) {
        return castle(position, side, text);
    }
    let Some((from, to, letter)) = read_squares::<G>(text) else {
        return Err(MoveError::Unreadable { text: shorten(text), expected: expected::<G>() });
    };
    let us = position.side_to_move();
    match position.piece_at(from) {
        None => {
            let square = from.to_string();
            return Err(MoveError::EmptySquare { text: shorten(text), square });
        }
        Some(piece) if piece.color() != us => {
            let (role, square) = (piece.role(), from.to_string());
            return Err(MoveError::WrongSide { text: shorten(text), role, square, to_move: us });
        }
        Some(_) => {}
    }
    let side = side_by_target(position, from, to).filter(|_| letter.is_none());
    match side {
        None if from == to => {
            Err(MoveError::Unreadable { text: shorten(text), expected: expected::<G>() })
        }
        Some(side) if from == to || !position.is_legal(Move::new(from, to)) => {
            castle(position, side, text)
        }
        _ => illegal::legal_move(position, from, to, letter)
            .map_err(|reason| MoveError::Illegal { text: shorten(text), reason }),
    }
}

/// Returns the side to which the king castles, if `to` is the king's target square and the side to move has
/// the castling right. Returns `None` if a rook that may castle stands on `to`, because the text then means
/// castling with this rook.
fn side_by_target<G: Board>(
    position: &Position<G>,
    from: Square<G>,
    to: Square<G>,
) -> Option<CastlingSide> {
    let king = position.king(position.side_to_move());
    if from != king || to.rank() != king.rank() || position.rights().contains(to) {
        return None;
    }
    [CastlingSide::Long, CastlingSide::Short].into_iter().find(|side| {
        castling_rook(position, *side)
            .is_some_and(|rook| Position::castling_targets(king, rook).0 == to)
    })
}

/// Returns whether a text looks like UCI notation. The text begins with a square and the file of another
/// square, as in `e2e9`, or contains the `@` of a placement, as in `N@a1`.
pub(super) fn looks_like<G: Board>(text: &str) -> bool {
    let rest = Square::<G>::parse_prefix(text).map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.starts_with(|file| ('a'..='j').contains(&file)))
        || text.contains('@')
}

/// Parses the two squares and the promotion letter of a text.
fn read_squares<G: Board>(text: &str) -> Option<(Square<G>, Square<G>, Option<char>)> {
    // The longest text has two squares of three characters and a promotion letter.
    const LONGEST: usize = 7;
    if text.len() > LONGEST {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let (from, rest) = Square::parse_prefix(&lower)?;
    let (to, rest) = Square::parse_prefix(rest)?;
    let mut letters = rest.chars();
    let letter = letters.next();
    let known = letter.is_none_or(|letter| Role::from_letter(letter).is_some());
    (known && letters.next().is_none()).then_some((from, to, letter))
}

fn expected<G: Board>() -> String {
    format!(
        "expected the square the piece leaves and the square it goes to (a1 to {}), such as g1f3, \
         followed by q, r, b or n for a promotion; or O-O, O-O-O",
        last_square::<G>()
    )
}
