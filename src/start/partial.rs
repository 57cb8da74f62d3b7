//! A partly filled back rank, and the pieces in hand.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::back_rank::{BackRank, in_back_rank};
use crate::position::fields::rank_text;
use crate::types::{Color, Role};

/// The order in which pieces in hand are written, as in Fairy-Stockfish.
const POCKET_ORDER: [Role; 5] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A partly filled back rank.
///
/// The back rank never has more pieces of a role than a complete back rank, and never a pawn. File 0 is the
/// lowest file: the a-file on 8x8, the b-file on 10x10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PartialBackRank([Option<Role>; 8]);

/// Why a piece cannot be placed, or why a text is not a partly filled back rank.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum PartialError {
    #[error("a back rank has no file number {file}; its files are numbered from 0 to 7")]
    NoSuchFile { file: usize },
    #[error("file number {file} of the back rank (counted from 0) already has a {standing}")]
    Occupied { file: usize, standing: Role },
    #[error("there is no {role} left to place; the maximum in a back rank is {most}")]
    NoneLeft { role: Role, most: usize },
    #[error(
        "the back rank contains '{letter}', which is neither a piece (K, Q, R, B, N) nor a number of empty squares (1 to 8)"
    )]
    Letter { letter: char },
    #[error("the back rank describes {found} squares instead of 8")]
    Width { found: usize },
}

impl PartialBackRank {
    /// The empty back rank.
    pub const EMPTY: PartialBackRank = PartialBackRank([None; 8]);

    /// Returns the back rank with the given pieces. Fails if a piece does not belong on a back rank or occurs
    /// too often.
    pub fn new(squares: [Option<Role>; 8]) -> Result<PartialBackRank, PartialError> {
        let mut rank = PartialBackRank::EMPTY;
        for (file, role) in squares.into_iter().enumerate() {
            if let Some(role) = role {
                rank = rank.with(file, role)?;
            }
        }
        Ok(rank)
    }

    /// Returns this back rank with one more piece.
    pub fn with(mut self, file: usize, role: Role) -> Result<PartialBackRank, PartialError> {
        let most = in_back_rank(role);
        if self.count(role) >= most {
            return Err(PartialError::NoneLeft { role, most });
        }
        match self.0.get_mut(file) {
            None => return Err(PartialError::NoSuchFile { file }),
            Some(Some(standing)) => {
                return Err(PartialError::Occupied { file, standing: *standing });
            }
            Some(free) => *free = Some(role),
        }
        Ok(self)
    }

    /// Returns the back rank with the given pieces. The caller must ensure that the pieces are allowed on a
    /// back rank.
    pub(super) fn of_squares(squares: [Option<Role>; 8]) -> PartialBackRank {
        debug_assert!(PartialBackRank::new(squares).is_ok(), "{squares:?}");
        PartialBackRank(squares)
    }

    /// Returns the piece on a file, or `None` if the square is empty or the file does not exist.
    pub fn get(&self, file: usize) -> Option<Role> {
        self.0.get(file).copied().flatten()
    }

    /// Returns the piece on each file, or `None` for an empty square.
    pub const fn squares(&self) -> [Option<Role>; 8] {
        self.0
    }

    /// Returns the number of pieces of a role that have been placed.
    pub fn count(&self, role: Role) -> usize {
        self.0.iter().filter(|square| **square == Some(role)).count()
    }

    /// Returns the files without a piece, in ascending order.
    pub fn free_files(&self) -> impl Iterator<Item = usize> + use<> {
        self.0.into_iter().enumerate().filter(|(_, role)| role.is_none()).map(|(file, _)| file)
    }

    /// Returns the pieces in hand: those that are missing from the back rank.
    pub fn pocket(&self) -> Pocket {
        let mut pocket = Pocket::FULL;
        for role in self.0.into_iter().flatten() {
            pocket.0[role.index()] -= 1;
        }
        pocket
    }

    /// Returns the complete back rank, or `None` if a square is still empty.
    pub fn complete(&self) -> Option<BackRank> {
        let mut roles = [Role::Pawn; 8];
        for (role, square) in roles.iter_mut().zip(self.0) {
            *role = square?;
        }
        Some(BackRank::of_roles(roles))
    }
}

impl From<BackRank> for PartialBackRank {
    fn from(back_rank: BackRank) -> PartialBackRank {
        PartialBackRank(back_rank.roles().map(Some))
    }
}

impl fmt::Display for PartialBackRank {
    /// Writes the rank as in FEN with White's letters, such as `1BB1R3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&rank_text(self.0.into_iter().map(|square| square.map(Role::letter))))
    }
}

impl FromStr for PartialBackRank {
    type Err = PartialError;

    /// Parses a rank as in FEN, with letters in either case.
    fn from_str(text: &str) -> Result<PartialBackRank, PartialError> {
        let mut rank = PartialBackRank::EMPTY;
        let mut found = 0_usize;
        for letter in text.trim().chars() {
            match (letter.to_digit(9), Role::from_letter(letter)) {
                (Some(run @ 1..), _) => found += run as usize,
                (_, Some(role)) if role != Role::Pawn => {
                    // Pieces after the eighth square count for the error message, but are not stored.
                    if found < 8 {
                        rank = rank.with(found, role)?;
                    }
                    found += 1;
                }
                _ => return Err(PartialError::Letter { letter }),
            }
        }
        if found != 8 {
            return Err(PartialError::Width { found });
        }
        Ok(rank)
    }
}

/// The pieces in hand: those that a side still has to place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pocket([u8; Role::ALL.len()]);

impl Pocket {
    /// No pieces.
    pub const EMPTY: Pocket = Pocket([0; Role::ALL.len()]);

    /// All eight pieces, by role: no pawn, two knights, two bishops, two rooks, one queen and one king.
    pub const FULL: Pocket = Pocket([0, 2, 2, 2, 1, 1]);

    /// Returns the number of pieces of a role in hand.
    pub const fn count(self, role: Role) -> usize {
        self.0[role.index()] as usize
    }

    /// Returns the number of pieces in hand.
    pub fn len(self) -> usize {
        self.0.iter().map(|count| *count as usize).sum()
    }

    /// Whether no pieces are in hand.
    pub fn is_empty(self) -> bool {
        self == Pocket::EMPTY
    }

    /// Returns the roles of the pieces in hand, each role once, in the order K Q R B N.
    pub fn roles(self) -> ArrayVec<Role, 5> {
        POCKET_ORDER.into_iter().filter(|role| self.count(*role) > 0).collect()
    }

    /// Returns the letters of the pieces in hand as in a FEN, in the order K Q R B N.
    pub fn letters(self, color: Color) -> String {
        POCKET_ORDER
            .into_iter()
            .flat_map(|role| std::iter::repeat_n(role.of(color).letter(), self.count(role)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rank(text: &str) -> PartialBackRank {
        text.parse().unwrap()
    }

    #[test]
    fn parses_and_displays_as_in_fen() {
        for text in ["8", "1BB1R3", "RNBQKBNR", "7K", "K7", "N1B1N1B1"] {
            assert_eq!(rank(text).to_string(), text);
        }
        assert_eq!(rank("2b2br1"), rank("11B2BR1"));
        let error = |text: &str| text.parse::<PartialBackRank>().unwrap_err();
        assert_eq!(error("1BB1R4"), PartialError::Width { found: 9 });
        assert_eq!(error("RNBQKBNRR"), PartialError::Width { found: 9 });
        assert_eq!(error(""), PartialError::Width { found: 0 });
        assert_eq!(error("1BBP4"), PartialError::Letter { letter: 'P' });
        assert_eq!(error("0BB5"), PartialError::Letter { letter: '0' });
        assert_eq!(error("9"), PartialError::Letter { letter: '9' });
        assert_eq!(error("BBB5"), PartialError::NoneLeft { role: Role::Bishop, most: 2 });
    }

    #[test]
    fn places_pieces() {
        let start = rank("1BB1R3");
        assert_eq!(start.with(7, Role::Rook).unwrap().to_string(), "1BB1R2R");
        let occupied = PartialError::Occupied { file: 4, standing: Role::Rook };
        assert_eq!(start.with(4, Role::King), Err(occupied));
        assert_eq!(start.with(8, Role::King), Err(PartialError::NoSuchFile { file: 8 }));
        let none_left = PartialError::NoneLeft { role: Role::Bishop, most: 2 };
        assert_eq!(start.with(0, Role::Bishop), Err(none_left));
        let no_pawns = PartialError::NoneLeft { role: Role::Pawn, most: 0 };
        assert_eq!(start.with(0, Role::Pawn), Err(no_pawns.clone()));
        assert_eq!(PartialBackRank::new([Some(Role::Pawn); 8]), Err(no_pawns));
        assert_eq!(start.complete(), None);
        assert_eq!(
            PartialBackRank::from(BackRank::CLASSICAL).complete(),
            Some(BackRank::CLASSICAL)
        );
    }

    #[test]
    fn pocket_holds_the_pieces_not_placed() {
        let pocket = rank("1BB1R3").pocket();
        assert_eq!(pocket.letters(Color::White), "KQRNN");
        assert_eq!(pocket.letters(Color::Black), "kqrnn");
        assert_eq!(pocket.len(), 5);
        assert_eq!(pocket.count(Role::Knight), 2);
        assert_eq!(pocket.roles()[..], [Role::King, Role::Queen, Role::Rook, Role::Knight]);
        assert_eq!(PartialBackRank::EMPTY.pocket(), Pocket::FULL);
        assert_eq!(Pocket::FULL.letters(Color::White), "KQRRBBNN");
        assert!(PartialBackRank::from(BackRank::CLASSICAL).pocket().is_empty());
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in "[KQRBNkqrbnPp0-9x]{0,10}|.*") {
            if let Ok(read) = text.parse::<PartialBackRank>() {
                prop_assert_eq!(read.to_string().parse(), Ok(read));
                prop_assert_eq!(read.pocket().len(), read.free_files().count());
            }
        }
    }
}
