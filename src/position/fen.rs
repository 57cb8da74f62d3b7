//! Reading and writing FEN, with castling rights as in X-FEN or Shredder-FEN, on either board.
//!
//! Ranks are listed from the last to the first. Digits form one number, so `10` is an empty rank of the
//! 10x10 board. In Jepps Random Chess, `K` and `k` in the third field mean that the king may still
//! relocate.

use super::Position;
use super::fields::{self, FieldError, Fields};
use crate::geometry::Board;
use crate::rules::KingRight;
use crate::text::shorten;
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// The style in which castling rights are written. The parser accepts both styles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenStyle {
    /// `K` for the outermost rook on a higher file than the king, `Q` for the outermost rook on a lower
    /// file, and the letter of the file for any other rook.
    XFen,
    /// The letter of the file for every rook.
    Shredder,
}

/// An error in a FEN.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum FenError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error("pieces: rank {rank} describes {found} squares instead of {expected}")]
    RankWidth { rank: u8, expected: u8, found: usize },
    #[error(
        "pieces: '{letter}' on rank {rank} is neither a piece (PNBRQK, pnbrqk) nor a number of empty squares"
    )]
    PieceLetter { letter: char, rank: u8 },
    #[error(
        "pieces: '{text}' on rank {rank} is not a valid number of empty squares; expected a number from 1 to {width}"
    )]
    EmptyRun { text: String, rank: u8, width: u8 },
    #[error("pieces: {color} has {found} kings instead of 1")]
    KingCount { color: Color, found: u32 },
    #[error("pieces: a pawn stands on {square}; pawns cannot be on the first or the last rank")]
    PawnOnLastRank { square: String },
    #[error("pieces: {color} has {found} pieces and pawns; at most 16 are allowed")]
    TooManyPieces { color: Color, found: u32 },
    #[error("pieces: {} is in check although {to_move} is to move; only the side to move may be in check", !*to_move)]
    OpponentInCheck { to_move: Color },
    #[error(
        "castling: '{letter}' is not a castling right; expected '-', letters from KQkq, or the files of the castling rooks (upper case for White)"
    )]
    CastlingLetter { letter: char },
    #[error(
        "castling: the right '{letter}' requires {color}'s king on its home rank, but the king is on {king}"
    )]
    CastlingKing { letter: char, color: Color, king: String },
    #[error("castling: the right '{letter}' requires a {color} rook {place}, but there is none")]
    CastlingRook { letter: char, color: Color, place: String },
    #[error(
        "castling: '{letter}' is {color}'s second castling right on the same side of the king; only one is allowed"
    )]
    CastlingTwice { letter: char, color: Color },
    #[error(
        "relocation: '{letter}' is not a relocation right; expected 'K' or 'k' for a king that may still relocate, or '-' if no king may relocate"
    )]
    RelocationLetter { letter: char },
    #[error(
        "relocation: the right '{letter}' requires {color}'s king on its home rank, but the king is on {king}"
    )]
    RelocationKing { letter: char, color: Color, king: String },
    #[error("castling: this variant has no castling; expected '-', found '{found}'")]
    NoRights { found: String },
    #[error(
        "en passant: '{found}' is not a square of the board; expected '-' or a square such as e3"
    )]
    EnPassantSquare { found: String },
    #[error(
        "en passant: {square} is impossible; with {to_move} to move, the square must be on rank {rank}"
    )]
    EnPassantRank { square: String, to_move: Color, rank: u8 },
    #[error(
        "en passant: {square} is impossible; {color} has no pawn on {pawn} that could just have made a double step over {square}"
    )]
    EnPassantPawn { square: String, color: Color, pawn: String },
    #[error(
        "en passant: {square} is impossible; after a double step over {square}, {blocked} would be empty, but it is occupied"
    )]
    EnPassantBlocked { square: String, blocked: String },
}

impl FenError {
    /// Returns the FEN without the impossible part that this error reports: a right whose king or rook is
    /// not in place, an en passant square without a double step, or a clock or move number out of range.
    /// Returns `None` for other errors, such as a right of another variant.
    pub(crate) fn without_impossible_part(&self, fen: &str) -> Option<String> {
        match self {
            FenError::Field(error) => error.without_number(fen),
            FenError::CastlingKing { letter, .. }
            | FenError::CastlingRook { letter, .. }
            | FenError::CastlingTwice { letter, .. }
            | FenError::RelocationKing { letter, .. } => {
                let rights = fields::field(fen, fields::RIGHTS);
                Some(fields::with_field(fen, fields::RIGHTS, &without_letter(rights, *letter)))
            }
            FenError::EnPassantRank { .. }
            | FenError::EnPassantPawn { .. }
            | FenError::EnPassantBlocked { .. } => {
                Some(fields::with_field(fen, fields::EN_PASSANT, "-"))
            }
            _ => None,
        }
    }
}

/// Removes a letter from the rights. If the letter is repeated, removes only the repetitions.
fn without_letter(rights: &str, letter: char) -> String {
    let (before, after) = rights.split_once(letter).unwrap_or((rights, ""));
    let rest = match after.contains(letter) {
        true => format!("{before}{letter}{}", after.replace(letter, "")),
        false => format!("{before}{after}"),
    };
    if rest.is_empty() { "-".to_owned() } else { rest }
}

impl<G: Board> Position<G> {
    /// Reads a FEN. Fields after the side to move may be missing and default to `- - 0 1`. An en passant
    /// square on which no capture is legal is dropped.
    pub fn from_fen(fen: &str, right: KingRight) -> Result<Self, FenError> {
        let mut fields = Fields::new(fen);
        let mut position = Self::empty();
        position.read_pieces(fields.board()?)?;
        let side = fields.side()?;
        let (rights, en_passant) = (fields.optional(), fields.optional());
        let (halfmove_clock, fullmove_number) = fields.clocks()?;
        position.check_material()?;
        position.set_turn(side, halfmove_clock, fullmove_number);
        if position.is_attacked(side, position.king(!side), position.occupied()) {
            return Err(FenError::OpponentInCheck { to_move: side });
        }
        position.read_rights(rights, right)?;
        position.read_en_passant(en_passant)?;
        Ok(position)
    }

    fn read_pieces(&mut self, text: &str) -> Result<(), FenError> {
        for (rank, line) in fields::ranks::<G>(text)? {
            self.read_rank(line, rank)?;
        }
        Ok(())
    }

    fn read_rank(&mut self, text: &str, rank: u8) -> Result<(), FenError> {
        let named = rank + 1;
        let mut file = 0_usize;
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let number = &rest[..digits];
                let run = number.parse::<u8>().unwrap_or(u8::MAX);
                if run == 0 || run > G::FILES || number.starts_with('0') {
                    let text = shorten(number);
                    return Err(FenError::EmptyRun { text, rank: named, width: G::FILES });
                }
                file += run as usize;
                rest = &rest[digits..];
            } else {
                let piece = Piece::from_letter(letter)
                    .ok_or(FenError::PieceLetter { letter, rank: named })?;
                if let Some(square) = u8::try_from(file).ok().and_then(|f| Square::at(f, rank)) {
                    self.set_piece(piece, square);
                }
                file += 1;
                rest = &rest[letter.len_utf8()..];
            }
        }
        if file != G::FILES as usize {
            return Err(FenError::RankWidth { rank: named, expected: G::FILES, found: file });
        }
        Ok(())
    }

    /// Checks that each side has one king and at most 16 pieces, and that no pawn is on the first or last
    /// rank. Does not check that extra pieces can come from promotions, because people analyse composed
    /// positions.
    fn check_material(&self) -> Result<(), FenError> {
        for color in Color::ALL {
            let kings = self.pieces(color, Role::King).count();
            if kings != 1 {
                return Err(FenError::KingCount { color, found: kings });
            }
            let last_ranks = Bitboard::rank(0) | Bitboard::rank(G::RANKS - 1);
            let misplaced = self.pieces(color, Role::Pawn) & last_ranks;
            if let Some(square) = misplaced.first() {
                return Err(FenError::PawnOnLastRank { square: square.to_string() });
            }
            let found = self.color(color).count();
            if found > 16 {
                return Err(FenError::TooManyPieces { color, found });
            }
        }
        Ok(())
    }

    fn read_rights(&mut self, text: &str, right: KingRight) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            match right {
                KingRight::Castling => self.read_castling_right(letter)?,
                KingRight::Relocation => self.read_relocation_right(letter)?,
                KingRight::None => return Err(FenError::NoRights { found: shorten(text) }),
            }
        }
        Ok(())
    }

    fn read_castling_right(&mut self, letter: char) -> Result<(), FenError> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let file = (letter.to_ascii_lowercase() as u32).wrapping_sub('a' as u32);
        let outermost = matches!(letter.to_ascii_lowercase(), 'k' | 'q');
        if !outermost && file >= G::FILES as u32 {
            return Err(FenError::CastlingLetter { letter });
        }
        let home = Self::home_rank(color);
        let king = self.king(color);
        if !home.contains(king) {
            return Err(FenError::CastlingKing { letter, color, king: king.to_string() });
        }
        let rooks = self.pieces(color, Role::Rook) & home;
        let short = match letter.to_ascii_lowercase() {
            'k' => true,
            'q' => false,
            _ => file as u8 > king.file(),
        };
        let on_that_side = |square: &Square<G>| (square.file() > king.file()) == short;
        let rook = match (outermost, short) {
            (true, true) => rooks.last().filter(on_that_side),
            (true, false) => rooks.first().filter(on_that_side),
            _ => Square::at(file as u8, king.rank()).filter(|square| rooks.contains(*square)),
        };
        let Some(rook) = rook else {
            let place = match (outermost, short) {
                (true, true) => {
                    let last = (b'a' + G::FILES - 1) as char;
                    format!("on the {last}-side of the king on {king}")
                }
                (true, false) => format!("on the a-side of the king on {king}"),
                _ => format!("on {}", Square::<G>::on(file as u8, king.rank())),
            };
            return Err(FenError::CastlingRook { letter, color, place });
        };
        if (self.rights() & home).into_iter().any(|held| on_that_side(&held)) {
            return Err(FenError::CastlingTwice { letter, color });
        }
        self.set_right(rook);
        Ok(())
    }

    fn read_relocation_right(&mut self, letter: char) -> Result<(), FenError> {
        let color = match letter {
            'K' => Color::White,
            'k' => Color::Black,
            _ => return Err(FenError::RelocationLetter { letter }),
        };
        let king = self.king(color);
        if !Self::home_rank(color).contains(king) {
            return Err(FenError::RelocationKing { letter, color, king: king.to_string() });
        }
        self.set_right(king);
        Ok(())
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let us = self.side_to_move();
        let square = Square::<G>::parse(text)
            .ok_or_else(|| FenError::EnPassantSquare { found: shorten(text) })?;
        let start_rank = G::PAWN_RANK[(!us).index()];
        let passed_rank = if us == Color::White { start_rank - 1 } else { start_rank + 1 };
        let name = square.to_string();
        if square.rank() != passed_rank {
            let rank = passed_rank + 1;
            return Err(FenError::EnPassantRank { square: name, to_move: us, rank });
        }
        // The squares in front of and behind the en passant square exist, because its rank is next to the
        // pawns' starting rank.
        let (Some(pawn), Some(start)) = (square.forward(!us), square.forward(us)) else {
            return Err(FenError::EnPassantSquare { found: name });
        };
        if !self.pieces(!us, Role::Pawn).contains(pawn) {
            let pawn = pawn.to_string();
            return Err(FenError::EnPassantPawn { square: name, color: !us, pawn });
        }
        if let Some(blocked) = [square, start].into_iter().find(|s| self.occupied().contains(*s)) {
            let blocked = blocked.to_string();
            return Err(FenError::EnPassantBlocked { square: name, blocked });
        }
        self.set_double_step(pawn);
        Ok(())
    }

    /// Writes the FEN of the position. The FEN has an en passant square only if an en passant capture is
    /// legal.
    pub fn fen(&self, style: FenStyle) -> String {
        let en_passant =
            self.en_passant().map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!(
            "{} {} {} {en_passant} {} {}",
            self.fen_pieces(),
            self.side_to_move().letter(),
            self.fen_rights(style),
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }

    /// Writes the FEN of the position with colours exchanged: the board mirrored vertically and the other
    /// side to move.
    pub fn flipped_fen(&self) -> String {
        let swap = |text: String| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect()
        };
        let pieces = swap(self.fen_pieces());
        let ranks: Vec<&str> = pieces.split('/').rev().collect();
        let en_passant =
            self.en_passant().map_or_else(|| "-".to_owned(), |square| square.flip().to_string());
        format!(
            "{} {} {} {en_passant} {} {}",
            ranks.join("/"),
            (!self.side_to_move()).letter(),
            swap(self.fen_rights(FenStyle::Shredder)),
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }

    /// Writes the first field of the FEN.
    pub fn fen_pieces(&self) -> String {
        let letter = |file, rank| self.piece_at(Square::on(file, rank)).map(Piece::letter);
        let line = |rank| fields::rank_text((0..G::FILES).map(|file| letter(file, rank)));
        (0..G::RANKS).rev().map(line).collect::<Vec<_>>().join("/")
    }

    /// Writes the castling or relocation field of the FEN.
    pub fn fen_rights(&self, style: FenStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            let held = self.rights() & self.color(color);
            // The rights of a side are written from the last file to the a-file, because the right to castle
            // short customarily comes first.
            for square in held.into_iter().collect::<Vec<_>>().into_iter().rev() {
                let letter = self.right_letter(color, square, style);
                text.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    fn right_letter(&self, color: Color, holder: Square<G>, style: FenStyle) -> char {
        let king = self.king(color);
        if holder == king {
            return 'K';
        }
        let rooks = self.pieces(color, Role::Rook) & Self::home_rank(color);
        let short = holder.file() > king.file();
        let outermost = if short { rooks.last() } else { rooks.first() };
        match (style, short) {
            (FenStyle::XFen, true) if outermost == Some(holder) => 'K',
            (FenStyle::XFen, false) if outermost == Some(holder) => 'Q',
            _ => (b'A' + holder.file()) as char,
        }
    }
}

impl<G: Board> std::fmt::Debug for Position<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Position({})", self.fen(FenStyle::Shredder))
    }
}
