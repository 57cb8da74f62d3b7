use super::partial::PartialArray;
use crate::random::Rng;
use crate::rules::{SetupKind, Variant};
use crate::types::{Color, Role};

/// What one side of Fischer-Benko and Half-Random Transcendental Chess is given: two bishops on
/// opposite colours and a rook.
///
/// The files count from 0, the a-file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetupRoot {
    /// The bishop on a, c, e or g, then the one on b, d, f or h.
    bishops: [usize; 2],
    rook: usize,
}

impl SetupRoot {
    /// How many roots a side may have: 4 x 4 pairs of bishops, and six squares for the rook.
    pub const COUNT: u64 = 96;

    /// The root with this number, 0 to 95: `24 b + 6 a + r` for the b-th square (from 0) of b, d,
    /// f, h, the a-th of a, c, e, g, and the r-th square that the bishops leave free. These are
    /// the three rolls for White's root, each less one, as digits.
    pub fn numbered(number: u64) -> Option<SetupRoot> {
        (number < Self::COUNT).then(|| Self::at(number as usize))
    }

    /// The root with this number, which is below the count.
    fn at(number: usize) -> SetupRoot {
        let bishops = [number / 6 % 4 * 2, number / 24 * 2 + 1];
        // The rook's file, counted over the bishops, lower one first.
        let mut rook = number % 6;
        for bishop in [bishops[0].min(bishops[1]), bishops[0].max(bishops[1])] {
            rook += usize::from(rook >= bishop);
        }
        SetupRoot { bishops, rook }
    }

    /// The number of the root.
    pub fn number(&self) -> u64 {
        let [even, odd] = self.bishops;
        let passed = self.bishops.iter().filter(|bishop| **bishop < self.rook).count();
        (odd / 2 * 24 + even / 2 * 6 + self.rook - passed) as u64
    }

    /// A root, each as likely as the others.
    pub fn random(rng: &mut Rng) -> SetupRoot {
        Self::at(rng.below(Self::COUNT) as usize)
    }

    /// The root that a back rank shows, if nothing but the three pieces stands there and the
    /// bishops are on opposite colours.
    pub fn of_rank(rank: &PartialArray) -> Option<SetupRoot> {
        let file_of = |wanted, parity: usize| {
            let stands = |file: &usize| rank.get(*file) == Some(wanted) && file % 2 == parity;
            (0..8).find(stands)
        };
        let bishops = [file_of(Role::Bishop, 0)?, file_of(Role::Bishop, 1)?];
        let rook = file_of(Role::Rook, 0).or(file_of(Role::Rook, 1))?;
        let root = SetupRoot { bishops, rook };
        (root.rank() == *rank).then_some(root)
    }

    /// The back rank with the three pieces on it.
    pub fn rank(&self) -> PartialArray {
        let mut squares = [None; 8];
        squares[self.rook] = Some(Role::Rook);
        squares[self.bishops[0]] = Some(Role::Bishop);
        squares[self.bishops[1]] = Some(Role::Bishop);
        PartialArray::of_squares(squares)
    }
}

/// What the set-up phase of a game begins from: back ranks on which some or no pieces stand, and
/// the rest in hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SetupStart {
    kind: SetupKind,
    ranks: [PartialArray; 2],
}

/// Why there is no such beginning of a set-up.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupStartError {
    #[error("{variant} has no set-up phase; {} have one", variants_with_setup())]
    NoSetup { variant: Variant },
    #[error("the set-up of {variant} begins with empty back ranks; no piece is given")]
    NoRoot { variant: Variant },
    #[error(
        "there is no beginning number {number} of a set-up of {variant}; they go from 0 to {}",
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
    /// The set-up with these roots, White's first.
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

    /// How many beginnings a variant's set-up has: 96 x 96, or the one with empty ranks.
    pub fn count(variant: Variant) -> Result<u64, SetupStartError> {
        Ok(count_of(kind_of(variant)?))
    }

    /// The beginning with this number: 96 times the number of White's root plus that of Black's;
    /// 0 where the ranks are empty.
    pub fn numbered(variant: Variant, number: u64) -> Result<SetupStart, SetupStartError> {
        let kind = kind_of(variant)?;
        let count = count_of(kind);
        if number >= count {
            return Err(SetupStartError::TooLarge { variant, number, count });
        }
        Ok(Self::at(kind, number))
    }

    /// A beginning, each as likely as the others.
    pub fn random(variant: Variant, rng: &mut Rng) -> Result<SetupStart, SetupStartError> {
        let kind = kind_of(variant)?;
        Ok(Self::at(kind, rng.below(count_of(kind))))
    }

    /// The beginning with this number, which is below the count.
    fn at(kind: SetupKind, number: u64) -> SetupStart {
        let root = |number| SetupRoot::at(number as usize).rank();
        let ranks = if kind.has_random_part() {
            [root(number / SetupRoot::COUNT), root(number % SetupRoot::COUNT)]
        } else {
            [PartialArray::EMPTY; 2]
        };
        SetupStart { kind, ranks }
    }

    /// The number of the beginning.
    pub fn number(&self) -> u64 {
        let [white, black] =
            self.ranks.map(|rank| SetupRoot::of_rank(&rank).map(|root| root.number()));
        white.unwrap_or(0) * SetupRoot::COUNT + black.unwrap_or(0)
    }

    /// The game it begins.
    pub const fn kind(&self) -> SetupKind {
        self.kind
    }

    /// What stands on a side's back rank.
    pub const fn rank(&self, color: Color) -> PartialArray {
        self.ranks[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::chi_square::{Evenness, judge};
    use super::*;

    #[test]
    fn roots_are_numbered_both_ways() {
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
        // b1 (1), c1 (2) and the third free square, e1: digits 0, 1, 2.
        let example: PartialArray = "1BB1R3".parse().unwrap();
        assert_eq!(SetupRoot::of_rank(&example).map(|root| root.number()), Some(8));
    }

    #[test]
    fn other_ranks_are_no_roots() {
        for text in ["8", "B1B1R3", "1BB5", "1BBNR3", "1BBRR3", "B3R3", "RNBQKBNR"] {
            assert_eq!(SetupRoot::of_rank(&text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn setups_are_numbered_both_ways() {
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
            assert_eq!(setup.rank(Color::Black), PartialArray::EMPTY);
        }
    }

    #[test]
    fn refusals() {
        let variant = Variant::Chess960;
        let error = SetupStart::random(variant, &mut Rng::new(3)).unwrap_err();
        assert_eq!(error, SetupStartError::NoSetup { variant });
        assert_eq!(
            error.to_string(),
            "chess960 has no set-up phase; fischerbenko, transcendental, jepps, placement have one"
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
