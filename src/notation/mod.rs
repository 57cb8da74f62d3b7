//! Moves and boards as text. The only place where a move becomes text or text a move.
//!
//! | file | holds |
//! | --- | --- |
//! | `uci` | the long algebraic notation of the UCI protocol |
//! | `san` | standard algebraic notation, for people and for game records |
//! | `illegal` | why a move that somebody wrote is not legal |
//! | `diagram` | a board for people |
//! | `epd` | positions with something said of them |
//!
//! Both notations work on either board: on 10x10 the files go to `j` and the ranks to `10`, as in
//! `b9b10n`. Readers take what people and GUIs really send; what they refuse they explain.

mod diagram;
mod epd;
mod illegal;
#[cfg(test)]
mod reason_tests;
mod san;
#[cfg(test)]
mod tests;
mod uci;

pub use diagram::board;
pub use epd::{EpdOperation, EpdRecord};
pub use illegal::Illegality;
pub(crate) use san::without_marks;
pub use san::{parse_san, san};
pub use uci::{parse_uci, uci};

use crate::attacks::Board;
use crate::position::Position;
use crate::text::shorten;
use crate::types::{Bitboard, Color, Move, Role, Square};

/// Why a text is not a legal move of a position. Every message names the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// Not the form of a move at all.
    #[error("'{text}' is no move; {expected}")]
    Unreadable { text: String, expected: String },
    #[error("'{text}' is illegal: there is no piece on {square}")]
    EmptySquare { text: String, square: String },
    #[error(
        "'{text}' is illegal: the {role} on {square} is {}'s, but {to_move} is to move",
        !*to_move
    )]
    WrongSide { text: String, role: Role, square: String, to_move: Color },
    #[error("'{text}' is illegal: {reason}")]
    Illegal { text: String, reason: Illegality },
    /// Only in SAN: more than one legal move is written so.
    #[error("'{text}' is ambiguous; it could be {candidates}")]
    Ambiguous { text: String, candidates: String },
}

/// Reads a move in either notation: what is no move over UCI may be one in SAN. What is none in
/// either is explained in the one that it looks like.
pub fn parse_move<G: Board>(position: &Position<G>, text: &str) -> Result<Move, MoveError> {
    // `B4c5` is the move of a bishop on the fourth rank, not one from b4.
    if text.starts_with('B')
        && text.contains(|letter: char| letter.is_ascii_lowercase())
        && let Ok(mv) = parse_san(position, text)
    {
        return Ok(mv);
    }
    match parse_uci(position, text) {
        Err(unreadable @ MoveError::Unreadable { .. }) => match parse_san(position, text) {
            Err(MoveError::Unreadable { .. }) if uci::looks_like::<G>(text) => Err(unreadable),
            read => read,
        },
        read => read,
    }
}

/// To which side a king castles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the a-file.
    Long,
    /// Away from the a-file.
    Short,
}

impl CastlingSide {
    /// The side on which a rook stands, seen from its king.
    fn of<G: Board>(king: Square<G>, rook: Square<G>) -> CastlingSide {
        if rook.file() > king.file() { CastlingSide::Short } else { CastlingSide::Long }
    }

    /// Reads `O-O` or `O-O-O`, with letters or zeros and any marks behind.
    fn parse(text: &str) -> Option<CastlingSide> {
        match without_marks(text) {
            "O-O" | "0-0" | "o-o" | "OO" => Some(CastlingSide::Short),
            "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => Some(CastlingSide::Long),
            _ => None,
        }
    }

    fn san(self) -> &'static str {
        match self {
            CastlingSide::Short => "O-O",
            CastlingSide::Long => "O-O-O",
        }
    }
}

/// The rook with which the side to move still has the right to castle on a side.
fn castling_rook<G: Board>(position: &Position<G>, side: CastlingSide) -> Option<Square<G>> {
    let us = position.side_to_move();
    let rooks: Bitboard<G> = position.rights() & position.pieces(us, Role::Rook);
    rooks.into_iter().find(|rook| CastlingSide::of(position.king(us), *rook) == side)
}

/// The castling move to a side, which `text` asked for.
fn castle<G: Board>(
    position: &Position<G>,
    side: CastlingSide,
    text: &str,
) -> Result<Move, MoveError> {
    let mv = castling_rook(position, side)
        .map(|rook| Move::new(position.king(position.side_to_move()), rook))
        .filter(|mv| position.is_legal(*mv));
    mv.ok_or_else(|| MoveError::Illegal {
        text: shorten(text),
        reason: illegal::of_castling(position, side),
    })
}

/// The last square of a board, for messages.
fn last_square<G: Board>() -> String {
    Square::<G>::all().last().map_or_else(String::new, |square| square.to_string())
}
