//! Writing and parsing moves, and boards as text. No other module converts between moves and text.
//!
//! | file | holds |
//! | --- | --- |
//! | `uci` | the long algebraic notation of the UCI protocol |
//! | `san` | standard algebraic notation, for people and game records |
//! | `illegal` | explaining why a move is illegal |
//! | `epd` | extended position description |
//!
//! UCI notation and SAN work on both boards. On 10x10 the files go to `j` and the ranks to `10`, as in
//! `b9b10n`. The parsers accept the spellings that people and GUIs use, and explain why a text is rejected.

mod epd;
mod illegal;
#[cfg(test)]
mod reason_tests;
mod san;
#[cfg(test)]
mod tests;
mod uci;

pub use epd::{EpdOperation, EpdRecord, epd_lines, is_epd_line};
pub use illegal::Illegality;
pub(crate) use san::without_marks;
pub use san::{parse_san, san};
pub use uci::{parse_uci, uci};

use crate::geometry::Board;
use crate::position::Position;
use crate::text::shorten;
use crate::types::{Bitboard, Color, Move, Piece, Role, Square};

/// Why a text is not a legal move in a position. Every message quotes the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error("'{text}' is not a move; {expected}")]
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
    /// The text fits more than one legal move. Occurs only in SAN.
    #[error("'{text}' is ambiguous; it could be {candidates}")]
    Ambiguous { text: String, candidates: String },
}

/// Parses a move in UCI notation or SAN. If both parsers fail, returns the error for the notation that the
/// text resembles.
pub fn parse_move<G: Board>(position: &Position<G>, text: &str) -> Result<Move, MoveError> {
    // `B4c5` is the move of a bishop on the fourth rank, not a move from b4.
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

/// The side to which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastlingSide {
    /// Towards the a-file.
    Long,
    /// Away from the a-file.
    Short,
}

impl CastlingSide {
    /// Returns the side of the king on which a rook stands.
    fn of<G: Board>(king: Square<G>, rook: Square<G>) -> CastlingSide {
        if rook.file() > king.file() { CastlingSide::Short } else { CastlingSide::Long }
    }

    /// Parses `O-O` or `O-O-O`, with letters or zeros, followed by any check marks or annotations.
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

/// Returns the rook with which the side to move still has the right to castle to this side.
fn castling_rook<G: Board>(position: &Position<G>, side: CastlingSide) -> Option<Square<G>> {
    let us = position.side_to_move();
    let rooks: Bitboard<G> = position.rights() & position.pieces(us, Role::Rook);
    rooks.into_iter().find(|rook| CastlingSide::of(position.king(us), *rook) == side)
}

/// Returns the castling move to a side, or an error that quotes `text`.
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

/// Returns the name of the last square of the board, for messages.
fn last_square<G: Board>() -> String {
    Square::<G>::all().last().map_or_else(String::new, |square| square.to_string())
}

/// Draws the board with FEN letters, upper case for White, and White at the bottom.
pub fn board<G: Board>(position: &Position<G>) -> String {
    let rule = format!("   +{}", "---+".repeat(G::FILES as usize));
    let mut lines = vec![rule.clone()];
    for rank in (0..G::RANKS).rev() {
        let cells: String = (0..G::FILES)
            .map(|file| {
                let piece = Square::at(file, rank).and_then(|square| position.piece_at(square));
                format!(" {} |", piece.map_or(' ', Piece::letter))
            })
            .collect();
        lines.push(format!("{:>2} |{cells}", rank + 1));
        lines.push(rule.clone());
    }
    let files: String =
        (0..G::FILES).map(|file| format!(" {}  ", char::from(b'a' + file))).collect();
    lines.push(format!("    {}", files.trim_end()));
    lines.join("\n")
}
