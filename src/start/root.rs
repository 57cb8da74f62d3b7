//! The state of a setup game before the first placement by a player, and the *roots*: the pieces that dice
//! place before.

use super::partial::PartialBackRank;
use crate::random::Rng;
use crate::rules::{SetupKind, Variant};
use crate::types::{Color, Role};

/// The *root* of a side in Fischer-Benko or Half-Random Transcendental Chess: the three pieces that dice
/// place before the players place the others. A root consists of two bishops on squares of different colours
/// and a rook.
///
/// File 0 is the a-file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetupRoot {
    /// The files of the bishops: first the bishop on a, c, e or g, then the bishop on b, d, f or h.
    bishops: [usize; 2],
    rook: usize,
}

impl SetupRoot {
    /// The number of different roots of a side: 4 x 4 pairs of squares for the bishops, times six squares for
    /// the rook.
    pub const COUNT: u64 = 96;

    /// Returns the root with the given number, or `None` if the number is above 95.
    ///
    /// The number is `24 b + 6 a + r`. One bishop stands on the square with index `b` of the list b, d, f, h,
    /// the other on the square with index `a` of the list a, c, e, g. The rook stands on the square with
    /// index `r` of the squares still free. Indices count from 0. For White's root, `b`, `a` and `r` are the
    /// three rolls of the die, each minus one.
    pub fn numbered(number: u64) -> Option<SetupRoot> {
        (number < Self::COUNT).then(|| Self::at(number as usize))
    }

    /// Returns the root with the given number, which must be below [`Self::COUNT`].
    fn at(number: usize) -> SetupRoot {
        let bishops = [number / 6 % 4 * 2, number / 24 * 2 + 1];
        // The rook's index counts only free squares. Each bishop that does not stand after the rook moves the
        // rook one file up, the lower bishop first.
        let mut rook = number % 6;
        for bishop in [bishops[0].min(bishops[1]), bishops[0].max(bishops[1])] {
            rook += usize::from(rook >= bishop);
        }
        SetupRoot { bishops, rook }
    }

    /// Returns the number of the root.
    pub fn number(&self) -> u64 {
        let [even, odd] = self.bishops;
        let below = self.bishops.iter().filter(|bishop| **bishop < self.rook).count();
        (odd / 2 * 24 + even / 2 * 6 + self.rook - below) as u64
    }

    /// Returns a uniformly random root.
    pub fn random(rng: &mut Rng) -> SetupRoot {
        Self::at(rng.below(Self::COUNT) as usize)
    }

    /// Returns the root whose pieces stand on a back rank. Returns `None` unless the back rank holds exactly
    /// two bishops on squares of different colours and a rook.
    pub fn of_rank(rank: &PartialBackRank) -> Option<SetupRoot> {
        let file_of = |wanted, parity: usize| {
            let stands = |file: &usize| rank.get(*file) == Some(wanted) && file % 2 == parity;
            (0..8).find(stands)
        };
        let bishops = [file_of(Role::Bishop, 0)?, file_of(Role::Bishop, 1)?];
        let rook = file_of(Role::Rook, 0).or(file_of(Role::Rook, 1))?;
        let root = SetupRoot { bishops, rook };
        (root.rank() == *rank).then_some(root)
    }

    /// Returns a back rank that holds only the three pieces of the root.
    pub fn rank(&self) -> PartialBackRank {
        let mut squares = [None; 8];
        squares[self.rook] = Some(Role::Rook);
        squares[self.bishops[0]] = Some(Role::Bishop);
        squares[self.bishops[1]] = Some(Role::Bishop);
        PartialBackRank::of_squares(squares)
    }
}

/// The state of a setup game before the first placement by a player: the kind of game and both back ranks,
/// which are empty or hold the pieces that dice placed. All other pieces are in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetupStart {
    kind: SetupKind,
    ranks: [PartialBackRank; 2],
}

/// Why the requested state of a setup game before the first placement does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages describe the variants")]
pub enum SetupStartError {
    #[error(
        "{variant} has no placement phase; the variants with a placement phase are {}",
        variants_with_setup()
    )]
    NoSetup { variant: Variant },
    #[error(
        "{variant} starts with empty back ranks; only in fischerbenko and transcendental, dice place pieces before the first turn"
    )]
    NoRoot { variant: Variant },
    #[error(
        "{variant} has no starting position of a setup game with the number {number}; the numbers go from 0 to {}",
        count - 1
    )]
    TooLarge { variant: Variant, number: u64, count: u64 },
}

fn variants_with_setup() -> String {
    let names: Vec<_> = Variant::ALL
        .iter()
        .filter(|variant| variant.rules().setup.is_some())
        .map(|variant| variant.name())
        .collect();
    names.join(", ")
}

fn kind_of(variant: Variant) -> Result<SetupKind, SetupStartError> {
    variant.rules().setup.ok_or(SetupStartError::NoSetup { variant })
}

const fn count_of(kind: SetupKind) -> u64 {
    if kind.has_random_part() { SetupRoot::COUNT * SetupRoot::COUNT } else { 1 }
}

impl SetupStart {
    /// Returns the state of a setup game in which dice have placed White's and Black's `roots`.
    pub fn of_roots(
        variant: Variant,
        roots: [SetupRoot; 2],
    ) -> Result<SetupStart, SetupStartError> {
        let kind = kind_of(variant)?;
        if !kind.has_random_part() {
            return Err(SetupStartError::NoRoot { variant });
        }
        Ok(SetupStart { kind, ranks: roots.map(|root| root.rank()) })
    }

    /// Returns how many different states a setup game can have before the first placement by a player: 96 x
    /// 96 if dice place pieces, otherwise 1.
    pub fn count(variant: Variant) -> Result<u64, SetupStartError> {
        Ok(count_of(kind_of(variant)?))
    }

    /// Returns the state of a setup game before the first placement by a player, given the number of the
    /// state. The number is 96 times the number of White's root plus the number of Black's root. In games in
    /// which dice place no pieces, the only number is 0.
    pub fn numbered(variant: Variant, number: u64) -> Result<SetupStart, SetupStartError> {
        let kind = kind_of(variant)?;
        let count = count_of(kind);
        if number >= count {
            return Err(SetupStartError::TooLarge { variant, number, count });
        }
        Ok(Self::at(kind, number))
    }

    /// Returns the state of a setup game after uniformly random die rolls, before the first placement by a
    /// player.
    pub fn random(variant: Variant, rng: &mut Rng) -> Result<SetupStart, SetupStartError> {
        let kind = kind_of(variant)?;
        Ok(Self::at(kind, rng.below(count_of(kind))))
    }

    /// Returns the state with the given number, which must be below the result of [`Self::count`].
    fn at(kind: SetupKind, number: u64) -> SetupStart {
        let root = |number| SetupRoot::at(number as usize).rank();
        let ranks = if kind.has_random_part() {
            [root(number / SetupRoot::COUNT), root(number % SetupRoot::COUNT)]
        } else {
            [PartialBackRank::EMPTY; 2]
        };
        SetupStart { kind, ranks }
    }

    /// Returns the number of this state; see [`Self::numbered`].
    pub fn number(&self) -> u64 {
        let [white, black] =
            self.ranks.map(|rank| SetupRoot::of_rank(&rank).map(|root| root.number()));
        white.unwrap_or(0) * SetupRoot::COUNT + black.unwrap_or(0)
    }

    /// Returns the kind of setup game.
    pub const fn kind(&self) -> SetupKind {
        self.kind
    }

    /// Returns a side's back rank.
    pub const fn rank(&self, color: Color) -> PartialBackRank {
        self.ranks[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::chi_square::{Evenness, judge};
    use super::*;

    #[test]
    fn root_numbers_round_trip() {
        let mut seen = HashSet::new();
        for number in 0..SetupRoot::COUNT {
            let root = SetupRoot::numbered(number).unwrap();
            let rank = root.rank();
            assert_eq!(root.number(), number);
            assert_eq!(SetupRoot::of_rank(&rank), Some(root));
            assert_eq!((rank.count(Role::Bishop), rank.count(Role::Rook)), (2, 1));
            assert_eq!(rank.free_files().count(), 5);
            assert!(seen.insert(rank));
        }
        assert_eq!(seen.len(), 96);
        assert_eq!(SetupRoot::numbered(96), None);
        // b1 has index 0 in b, d, f, h; c1 has index 1 in a, c, e, g; e1 has index 2 among the free squares.
        // The number is 24 * 0 + 6 * 1 + 2 = 8.
        let example: PartialBackRank = "1BB1R3".parse().unwrap();
        assert_eq!(SetupRoot::of_rank(&example).map(|root| root.number()), Some(8));
    }

    #[test]
    fn of_rank_rejects_other_ranks() {
        for text in ["8", "B1B1R3", "1BB5", "1BBNR3", "1BBRR3", "B3R3", "RNBQKBNR"] {
            assert_eq!(SetupRoot::of_rank(&text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn setup_start_numbers_round_trip() {
        for variant in [Variant::FischerBenko, Variant::Transcendental] {
            assert_eq!(SetupStart::count(variant), Ok(9_216));
            for number in 0..9_216 {
                let setup = SetupStart::numbered(variant, number).unwrap();
                assert_eq!(setup.number(), number);
                let roots = Color::ALL.map(|color| SetupRoot::of_rank(&setup.rank(color)).unwrap());
                assert_eq!(SetupStart::of_roots(variant, roots), Ok(setup));
            }
        }
        for variant in [Variant::Jepps, Variant::Placement] {
            assert_eq!(SetupStart::count(variant), Ok(1));
            let setup = SetupStart::random(variant, &mut Rng::new(3)).unwrap();
            assert_eq!(setup.number(), 0);
            assert_eq!(setup.rank(Color::Black), PartialBackRank::EMPTY);
        }
    }

    #[test]
    fn errors_state_the_reason() {
        let variant = Variant::Chess960;
        let error = SetupStart::random(variant, &mut Rng::new(3)).unwrap_err();
        assert_eq!(error, SetupStartError::NoSetup { variant });
        assert_eq!(
            error.to_string(),
            "chess960 has no placement phase; the variants with a placement phase are \
             fischerbenko, transcendental, jepps, placement"
        );
        let variant = Variant::Jepps;
        let root = SetupRoot::at(0);
        let error = SetupStart::of_roots(variant, [root; 2]).unwrap_err();
        assert_eq!(error, SetupStartError::NoRoot { variant });
        let variant = Variant::FischerBenko;
        let error = SetupStart::numbered(variant, 9_216).unwrap_err();
        assert_eq!(error, SetupStartError::TooLarge { variant, number: 9_216, count: 9_216 });
        assert!(error.to_string().ends_with("from 0 to 9215"), "{error}");
    }

    #[test]
    fn draws_are_uniform() {
        let mut rng = Rng::new(96);
        let mut roots = [0; 96];
        for _ in 0..96_000 {
            roots[SetupRoot::random(&mut rng).number() as usize] += 1;
        }
        assert_eq!(judge(&roots), Evenness::Uniform);
        let mut pairs = vec![0; 9_216];
        for _ in 0..9_216 * 20 {
            let setup = SetupStart::random(Variant::FischerBenko, &mut rng).unwrap();
            pairs[setup.number() as usize] += 1;
        }
        assert_eq!(judge(&pairs), Evenness::Uniform);
    }
}
