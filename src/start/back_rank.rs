//! Complete back ranks of eight pieces.

use std::fmt;
use std::str::FromStr;

use crate::types::Role;

/// The eight pieces of a complete back rank, from the lowest file to the highest: a to h on 8x8, b to i on
/// 10x10.
///
/// A back rank always consists of a king, a queen, two rooks, two bishops and two knights, in any order.
/// [`Start::new`](super::Start::new) checks whether a variant allows the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BackRank([Role; 8]);

/// Why a text or a list of pieces is not a complete back rank.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum BackRankError {
    #[error(
        "letter {place} of the back rank is '{letter}'; a back rank consists of the letters K, Q, R, B and N, such as RNBQKBNR"
    )]
    Letter { letter: char, place: usize },
    #[error(
        "the back rank has {found} letters instead of eight; write eight letters, such as RNBQKBNR"
    )]
    Length { found: usize },
    #[error(
        "the number of letters {} ({role}) in the back rank is {found} instead of {expected}; write K and Q once, and R, B and N twice",
        role.letter()
    )]
    Count { role: Role, found: usize, expected: usize },
}

/// Returns the number of pieces of a role in a complete back rank.
pub(super) const fn in_back_rank(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::King | Role::Queen => 1,
        Role::Rook | Role::Bishop | Role::Knight => 2,
    }
}

impl BackRank {
    /// The back rank of orthodox chess: RNBQKBNR.
    pub const CLASSICAL: BackRank = {
        use Role::{Bishop, King, Knight, Queen, Rook};
        BackRank([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook])
    };

    /// Returns the back rank with the given pieces. Fails unless the pieces are a king, a queen, two rooks,
    /// two bishops and two knights.
    pub fn new(roles: [Role; 8]) -> Result<BackRank, BackRankError> {
        if let Some(i) = roles.into_iter().position(|role| role == Role::Pawn) {
            return Err(BackRankError::Letter { letter: Role::Pawn.letter(), place: i + 1 });
        }
        for role in Role::ALL {
            let found = roles.into_iter().filter(|other| *other == role).count();
            let expected = in_back_rank(role);
            if found != expected {
                return Err(BackRankError::Count { role, found, expected });
            }
        }
        Ok(BackRank(roles))
    }

    /// Returns the back rank with the given pieces. The caller must ensure that the pieces form a valid back
    /// rank.
    pub(super) fn of_roles(roles: [Role; 8]) -> BackRank {
        debug_assert!(BackRank::new(roles).is_ok(), "{roles:?}");
        BackRank(roles)
    }

    /// Returns the pieces, from the lowest file to the highest.
    pub const fn roles(self) -> [Role; 8] {
        self.0
    }

    /// Returns the back rank with the pieces in the opposite order. In Jepps Random Chess, Black gets White's
    /// back rank in this order if the mediator's verdict is `Reverse`.
    pub fn reversed(mut self) -> BackRank {
        self.0.reverse();
        self
    }

    /// Returns the files of the pieces of a role in ascending order. File 0 is the a-file on 8x8 and the
    /// b-file on 10x10.
    pub fn files_of(self, role: Role) -> impl Iterator<Item = usize> {
        (0..8).filter(move |file| self.0[*file] == role)
    }

    /// Whether the bishops stand on squares of different colours. Neighbouring squares differ in
    /// colour, so this is the case if one bishop's file is even and the other's odd.
    pub fn bishops_on_opposite_colors(self) -> bool {
        self.files_of(Role::Bishop).map(|file| file % 2).sum::<usize>() == 1
    }

    /// Whether there is a rook on each side of the king.
    pub fn king_between_rooks(self) -> bool {
        let order = self.0.into_iter().filter(|role| matches!(role, Role::King | Role::Rook));
        order.eq([Role::Rook, Role::King, Role::Rook])
    }
}

impl fmt::Display for BackRank {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&self.0.iter().map(|role| role.letter()).collect::<String>())
    }
}

impl FromStr for BackRank {
    type Err = BackRankError;

    /// Parses eight letters in either case, ignoring surrounding white space.
    fn from_str(text: &str) -> Result<BackRank, BackRankError> {
        let mut roles = [Role::Pawn; 8];
        let mut found = 0;
        for letter in text.trim().chars() {
            let role = Role::from_letter(letter)
                .filter(|role| *role != Role::Pawn)
                .ok_or(BackRankError::Letter { letter, place: found + 1 })?;
            if let Some(slot) = roles.get_mut(found) {
                *slot = role;
            }
            found += 1;
        }
        if found != roles.len() {
            return Err(BackRankError::Length { found });
        }
        BackRank::new(roles)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn back_rank(text: &str) -> BackRank {
        text.parse().unwrap()
    }

    #[test]
    fn parses_and_displays_letters() {
        assert_eq!(back_rank("RNBQKBNR"), BackRank::CLASSICAL);
        assert_eq!(back_rank(" rnbqkbnr\n"), BackRank::CLASSICAL);
        assert_eq!(back_rank("NBBNRKQR").to_string(), "NBBNRKQR");
        assert_eq!(back_rank("NBBNRKQR").reversed().to_string(), "RQKRNBBN");
        assert_eq!(format!("{:>10}", BackRank::CLASSICAL), "  RNBQKBNR");
        assert!(back_rank("NBBNRKQR").files_of(Role::Rook).eq([4, 7]));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let error = |text: &str| text.parse::<BackRank>().unwrap_err();
        assert_eq!(error("RNBXKBNR"), BackRankError::Letter { letter: 'X', place: 4 });
        assert_eq!(error("RNBPKBNR"), BackRankError::Letter { letter: 'P', place: 4 });
        assert_eq!(error("RNB KBNR"), BackRankError::Letter { letter: ' ', place: 4 });
        assert_eq!(error("♖NBQKBNR"), BackRankError::Letter { letter: '♖', place: 1 });
        assert_eq!(error("RNBQKBN"), BackRankError::Length { found: 7 });
        assert_eq!(error("RNBQKBNRR"), BackRankError::Length { found: 9 });
        assert_eq!(error(""), BackRankError::Length { found: 0 });
        let count = error("RNBQQBNR");
        assert_eq!(count, BackRankError::Count { role: Role::Queen, found: 2, expected: 1 });
        assert_eq!(
            count.to_string(),
            "the number of letters Q (queen) in the back rank is 2 instead of 1; write K and Q once, and R, B and N twice"
        );
        assert_eq!(
            BackRank::new([Role::Pawn; 8]),
            Err(BackRankError::Letter { letter: 'P', place: 1 })
        );
    }

    #[test]
    fn bishop_colors_and_king_between_rooks() {
        for (text, bishops, king) in [
            ("RNBQKBNR", true, true),
            ("BBQNNRKR", true, true),
            ("BRBQKNNR", false, true),
            ("KRBQRBNN", true, false),
            ("RRBQKBNN", true, false),
            ("KRBRBQNN", false, false),
        ] {
            assert_eq!(back_rank(text).bishops_on_opposite_colors(), bishops, "{text}");
            assert_eq!(back_rank(text).king_between_rooks(), king, "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in any::<String>()) {
            if let Ok(back_rank) = text.parse::<BackRank>() {
                prop_assert_eq!(back_rank.to_string(), text.trim().to_uppercase());
            }
        }

        #[test]
        fn letters_parse_exactly_when_they_are_the_eight_pieces(text in "[KQRBNkqrbn]{7,9}") {
            let mut letters: Vec<char> = text.to_uppercase().chars().collect();
            letters.sort_unstable();
            let right = letters.into_iter().collect::<String>() == "BBKNNQRR";
            prop_assert_eq!(text.parse::<BackRank>().is_ok(), right);
        }

        #[test]
        fn every_shuffle_parses(letters in Just("RNBQKBNR".chars().collect::<Vec<_>>()).prop_shuffle()) {
            let text: String = letters.into_iter().collect();
            prop_assert_eq!(back_rank(&text).to_string(), text.clone());
            prop_assert_eq!(back_rank(&text).reversed().reversed(), back_rank(&text));
        }
    }
}
