//! Tests of the numbers of back ranks and starting positions, of uniform draws, and of which starting
//! positions are legal.

use std::collections::HashSet;

use proptest::prelude::*;

use super::chi_square::{Evenness, judge};
use super::{
    BackRank, BackRankKind, BlackBackRank, NumberError, Numbering, Rng, Start, StartError,
};
use crate::rules::Variant;
use crate::types::{Color, Role};

fn back_rank(text: &str) -> BackRank {
    text.parse().unwrap()
}

/// Returns all 5,040 orders of the eight pieces.
fn all_back_ranks() -> Vec<BackRank> {
    fn extend(roles: &mut Vec<Role>, found: &mut Vec<BackRank>) {
        if let Ok(full) = <[Role; 8]>::try_from(roles.as_slice()) {
            found.extend(BackRank::new(full));
            return;
        }
        for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            roles.push(role);
            extend(roles, found);
            roles.pop();
        }
    }
    let mut found = Vec::new();
    extend(&mut Vec::new(), &mut found);
    assert_eq!(found.len(), 5_040);
    found
}

#[test]
fn scharnagl_numbers_match_the_published_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/start/scharnagl.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("sp,rank"));
    let mut read = 0;
    for line in lines {
        let (number, letters) = line.split_once(',').unwrap();
        let (number, expected) = (number.parse().unwrap(), back_rank(letters));
        for kind in [BackRankKind::KingBetweenRooks, BackRankKind::OppositeBishops] {
            assert_eq!(kind.back_rank(number), Some(expected), "{line}");
            assert_eq!(kind.number(expected), Some(number), "{line}");
        }
        read += 1;
    }
    assert_eq!(read, 960);
}

#[test]
fn exactly_the_back_ranks_of_a_kind_have_numbers() {
    let back_ranks = all_back_ranks();
    for kind in
        [BackRankKind::Classical, BackRankKind::KingBetweenRooks, BackRankKind::OppositeBishops]
    {
        let mut numbers = HashSet::new();
        for back_rank in &back_ranks {
            let of_kind = match kind {
                BackRankKind::Classical => *back_rank == BackRank::CLASSICAL,
                BackRankKind::KingBetweenRooks => {
                    back_rank.bishops_on_opposite_colors() && back_rank.king_between_rooks()
                }
                BackRankKind::OppositeBishops => back_rank.bishops_on_opposite_colors(),
            };
            let number = kind.number(*back_rank);
            assert_eq!(number.is_some(), of_kind, "{back_rank} {kind:?}");
            if let Some(number) = number {
                assert_eq!(kind.back_rank(number), Some(*back_rank));
                assert!(numbers.insert(number));
            }
        }
        assert_eq!(numbers.len() as u64, kind.count());
        assert_eq!(numbers.into_iter().max(), Some(kind.count() - 1));
        assert_eq!(kind.back_rank(kind.count()), None);
        assert_eq!(kind.back_rank(u64::MAX), None);
    }
}

#[test]
fn the_2880_back_ranks_are_numbered_as_documented() {
    let number = |text| BackRankKind::OppositeBishops.number(back_rank(text));
    assert_eq!(number("RNBQKBNR"), Some(518));
    assert_eq!(number("KNBQRBNR"), Some(518 + 960));
    assert_eq!(number("RNBQRBNK"), Some(518 + 1_920));
    // Exchanging the king with a rook, so that it stands on the middle of their three squares, does not
    // change the number modulo 960.
    for sp in 0..960 {
        let kind = BackRankKind::OppositeBishops;
        let [middle, first, last] =
            [0, 960, 1_920].map(|third| kind.back_rank(sp + third).unwrap());
        let mut squares =
            middle.files_of(Role::Rook).chain(middle.files_of(Role::King)).collect::<Vec<_>>();
        squares.sort_unstable();
        assert!(middle.files_of(Role::King).eq([squares[1]]));
        assert!(first.files_of(Role::King).eq([squares[0]]));
        assert!(last.files_of(Role::King).eq([squares[2]]));
        for role in [Role::Queen, Role::Bishop, Role::Knight] {
            assert!(middle.files_of(role).eq(first.files_of(role)));
            assert!(middle.files_of(role).eq(last.files_of(role)));
        }
    }
}

#[test]
fn counts_by_variant() {
    let counts: Vec<_> = Variant::ALL
        .iter()
        .map(|variant| {
            (
                variant.name(),
                Numbering::of(*variant).count(),
                Numbering::of(*variant).drawn().count(),
            )
        })
        .collect();
    let expected = [
        ("chess", 1, 1),
        ("chess960", 960, 960),
        #[cfg(feature = "board10x10")]
        ("ifrc", 960, 960),
        ("fischerbenko", 921_600, 921_600),
        ("transcendental", 8_294_400, 8_294_400),
        ("jepps", 2_880, 8_294_400),
        ("placement", 8_294_400, 8_294_400),
    ];
    assert_eq!(counts, expected);
    let double = Numbering::new(Variant::Chess960, BlackBackRank::Own).unwrap();
    assert_eq!(double.count(), 921_600);
}

/// Tests every number of the short lists, and a random sample of the long lists.
#[test]
fn numbers_and_starts_round_trip() {
    let mut rng = Rng::new(11);
    for variant in Variant::ALL {
        for black in [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own] {
            let Ok(numbering) = Numbering::new(*variant, black) else { continue };
            let count = numbering.count();
            let numbers: Vec<u64> = if count <= 2_880 {
                (0..count).collect()
            } else {
                (0..20_000).map(|_| rng.below(count)).chain([0, count - 1]).collect()
            };
            for number in numbers {
                let start = numbering.start(number).unwrap();
                assert_eq!(numbering.number(&start), Some(number));
                let [white, own] = Color::ALL.map(|color| start.back_rank(color));
                assert_eq!(Start::new(*variant, white, own), Ok(start));
                assert_eq!(Start::parse(*variant, &start.to_string()), Ok(start));
                if black != BlackBackRank::Own {
                    assert_eq!(start.black_back_rank(), black);
                    assert_eq!(black.of_white(white), Some(own));
                }
            }
            let variant = *variant;
            for number in [count, count + 1, u64::MAX] {
                let error = NumberError::TooLarge { variant, number, count };
                assert_eq!(numbering.start(number), Err(error));
            }
        }
    }
}

#[test]
fn the_number_of_whites_back_rank_is_the_leading_digit() {
    let numbering = Numbering::of(Variant::FischerBenko);
    let start = numbering.start(518 * 960 + 959).unwrap();
    assert_eq!(start.to_string(), "RNBQKBNR/rkrnnqbb");
    assert_eq!(numbering.number(&Start::standard(Variant::FischerBenko)).map(|n| n / 960), {
        BackRankKind::KingBetweenRooks.number(back_rank("NBBNRKQR"))
    });
    let numbering = Numbering::of(Variant::Transcendental);
    let start = numbering.start((518 + 960) * 2_880 + 518).unwrap();
    assert_eq!(start.to_string(), "KNBQRBNR/rnbqkbnr");
    let reversed = Numbering::new(Variant::Jepps, BlackBackRank::Reverse).unwrap();
    assert_eq!(reversed.start(518).unwrap().to_string(), "RNBQKBNR/rnbkqbnr");
    // A starting position that the list does not contain has no number.
    let own = Start::parse(Variant::Chess960, "RNBQKBNR/RKRNNQBB").unwrap();
    assert_eq!(Numbering::of(Variant::Chess960).number(&own), None);
    assert_eq!(Numbering::of(Variant::Chess).number(&own), None);
    assert_eq!(reversed.number(&own), None);
}

#[test]
fn all_yields_every_start_in_order() {
    let numbering = Numbering::new(Variant::Chess960, BlackBackRank::Own).unwrap();
    let mut last = None;
    let mut yielded = 0_u64;
    for start in numbering.all() {
        if yielded.is_multiple_of(1_009) {
            assert_eq!(numbering.number(&start), Some(yielded));
        }
        assert_ne!(last, Some(start));
        last = Some(start);
        yielded += 1;
    }
    assert_eq!(yielded, 921_600);
}

#[test]
fn standard_starts_are_legal() {
    for variant in Variant::ALL {
        let start = Start::standard(*variant);
        let [white, black] = Color::ALL.map(|color| start.back_rank(color));
        assert_eq!(Start::new(*variant, white, black), Ok(start));
        assert!(Numbering::of(*variant).drawn().number(&start).is_some());
        assert_eq!(start.variant(), *variant);
    }
    assert_eq!(Start::standard(Variant::FischerBenko).to_string(), "NBBNRKQR/rqbknbrn");
}

#[test]
fn errors_state_the_reason() {
    let rejected = |variant, text: &str| Start::parse(variant, text).unwrap_err();
    let (color, classical) = (Color::Black, BackRank::CLASSICAL);
    assert_eq!(
        rejected(Variant::Chess, "RNBQKBNR/BBQNNRKR"),
        StartError::NotClassical { color, back_rank: back_rank("BBQNNRKR") }
    );
    let (variant, swapped) = (Variant::Chess960, back_rank("RNBKQBNR"));
    assert!(Start::new(variant, classical, swapped).is_ok());
    assert_eq!(
        rejected(variant, "RNBQKBNR/KRBQRBNN"),
        StartError::KingNotBetweenRooks { variant, color, back_rank: back_rank("KRBQRBNN") }
    );
    let variant = Variant::Jepps;
    assert!(Start::parse(variant, "RNBQKBNR/KRBQRBNN").is_ok());
    let error = rejected(variant, "RNBQKBNR/bkbqrrnn");
    assert_eq!(
        error,
        StartError::BishopsOnOneColor { variant, color, back_rank: back_rank("BKBQRRNN") }
    );
    assert_eq!(
        error.to_string(),
        "Black: in jepps the bishops must stand on squares of opposite colours, but in BKBQRRNN they do not"
    );
    assert!(matches!(rejected(variant, ""), StartError::BackRank { color: Color::White, .. }));
    let error = rejected(variant, "RNBQKBNR/");
    assert_eq!(
        error.to_string(),
        "Black: the back rank has 0 letters instead of eight; write eight letters, such as RNBQKBNR"
    );
    let error = rejected(variant, "RNBQKBNR/RNBQKBNR/8");
    assert_eq!(error, StartError::TooManyBackRanks { extra: "8".into() });
    let error = Numbering::new(Variant::Chess, BlackBackRank::Own).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Black's back rank cannot be 'own' in chess, where both back ranks are always the same ('mirror')"
    );
    let error = Numbering::of(Variant::Chess960).start(960).unwrap_err();
    assert_eq!(
        error.to_string(),
        "chess960 has no starting position with the number 960; the numbers go from 0 to 959"
    );
    if let Ok(variant) = "ifrc".parse() {
        let error = rejected(variant, "RNBQKBNR/RNBKQBNR");
        assert_eq!(error, StartError::NotMirrored { variant, white: classical, black: swapped });
    }
}

/// Checks on both boards and for both sides that neighbouring squares of the back rank differ in colour, and
/// that every back rank of Chess960 has exactly one bishop on a light square.
#[test]
fn file_parity_gives_the_square_colour() {
    use crate::geometry::{Board, Board8x8};
    use crate::types::Square;
    fn check<G: Board>() {
        for rank in G::HOME_RANK {
            let lights: Vec<bool> = (0..8)
                .map(|file| Square::<G>::at(G::FIRST_START_FILE + file, rank).unwrap().is_light())
                .collect();
            assert!(lights.windows(2).all(|pair| pair[0] != pair[1]));
            for start in Numbering::of(Variant::Chess960).all() {
                let bishops = start.back_rank(Color::White).files_of(Role::Bishop);
                assert_eq!(bishops.filter(|file| lights[*file]).count(), 1);
            }
        }
    }
    check::<Board8x8>();
    check::<crate::geometry::Board10x10>();
}

/// Draws random starting positions and counts how often each class occurs. `kind_of` returns the number of a
/// starting position's class.
fn tally(
    numbering: Numbering,
    seed: u64,
    draws: u64,
    kinds: u64,
    kind_of: impl Fn(&Start) -> u64,
) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    let mut counts = vec![0; kinds as usize];
    for _ in 0..draws {
        counts[kind_of(&numbering.random(&mut rng)) as usize] += 1;
    }
    counts
}

#[test]
fn draws_are_uniform() {
    for variant in Variant::ALL {
        let numbering = Numbering::of(*variant).drawn();
        let kind = BackRankKind::of(*variant);
        for color in Color::ALL {
            let counts = tally(numbering, 1, kind.count() * 100, kind.count(), |start| {
                kind.number(start.back_rank(color)).unwrap()
            });
            assert_eq!(judge(&counts), Evenness::Uniform, "{variant} {color}");
        }
    }
}

/// Checks that the two sides' back ranks are drawn independently: with thirty classes of back ranks
/// per side, every pair of classes must be equally likely.
#[test]
fn sides_are_independent() {
    for variant in [Variant::FischerBenko, Variant::Transcendental, Variant::Jepps] {
        let numbering = Numbering::of(variant).drawn();
        let kind = BackRankKind::of(variant);
        let counts = tally(numbering, 2, 90_000, 900, |start| {
            let [white, black] =
                Color::ALL.map(|color| kind.number(start.back_rank(color)).unwrap());
            white * 30 / kind.count() * 30 + black % 30
        });
        assert_eq!(judge(&counts), Evenness::Uniform, "{variant}");
    }
}

/// Checks that a seed always gives the same starting positions. The expected ones come from an independent
/// calculation with big integers and the published table of the 960 back ranks.
#[test]
fn seeds_are_reproducible() {
    let mut rng = Rng::new(2026);
    let drawn: Vec<_> = [Variant::Chess960, Variant::FischerBenko, Variant::Jepps]
        .map(|variant| Numbering::of(variant).drawn().random(&mut rng).to_string())
        .into();
    assert_eq!(drawn, ["RKBNQRNB", "RBBNNKQR/rknqbnrb", "BQNBNRRK/rrnbbqkn"]);
}

proptest! {
    #[test]
    fn parsing_a_start_never_panics(text in "[KQRBNkqrbn/ ]{0,20}|[KQRBN]{8}/[kqrbn]{8}|.*") {
        for variant in Variant::ALL {
            if let Ok(start) = Start::parse(*variant, &text) {
                prop_assert_eq!(Start::parse(*variant, &start.to_string()), Ok(start));
                prop_assert!(Numbering::of(Variant::Jepps).drawn().number(&start).is_some());
            }
        }
    }

    #[test]
    fn legal_pairs_of_shuffles_have_a_number(
        white in Just("RNBQKBNR".chars().collect::<Vec<_>>()).prop_shuffle(),
        black in Just("RNBQKBNR".chars().collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let [white, black]: [String; 2] = [white, black].map(|side| side.into_iter().collect());
        let both_opposite = [&white, &black].map(|text| back_rank(text).bishops_on_opposite_colors());
        let start = Start::parse(Variant::Jepps, &format!("{white}/{black}"));
        prop_assert_eq!(start.is_ok(), both_opposite == [true; 2]);
        if let Ok(start) = start {
            let number = Numbering::of(Variant::Jepps).drawn().number(&start).unwrap();
            prop_assert_eq!(Numbering::of(Variant::Jepps).drawn().start(number), Ok(start));
        }
    }
}
