//! Tests of the dice of Jepps Random Chess against the written rules and against brute force.

use std::collections::HashSet;

use proptest::prelude::*;

use super::die::Die;
use super::jepps::{
    JeppsStep, Mediation, Offered, Roll, RollError, StepError, can_be_finished, choices, face,
    mediate, offer, step,
};
use super::{BackRank, BackRankKind, BlackBackRank, PartialBackRank, PartialError, Rng};
use crate::types::{Color, Role};

use Role::{Bishop, King, Knight, Queen, Rook};

fn rank(text: &str) -> PartialBackRank {
    text.parse().unwrap()
}

fn roll(text: &str) -> Roll {
    text.parse().unwrap()
}

/// Returns every back rank that Jepps Random Chess allows.
fn arrays() -> Vec<BackRank> {
    let kind = BackRankKind::OppositeBishops;
    (0..kind.count()).map(|number| kind.back_rank(number).unwrap()).collect()
}

#[test]
fn faces() {
    let faces = Die::ALL.map(face);
    assert_eq!(faces, [Some(King), Some(Knight), Some(Bishop), Some(Rook), Some(Queen), None]);
}

#[test]
fn parses_rolls() {
    for text in ["3 5", "3-5", "35", " 3,5 ", "3 , 5", "3+5", "3\t5"] {
        assert_eq!(roll(text).to_string(), "3 5", "{text}");
    }
    let error = |text: &str| text.parse::<Roll>().unwrap_err();
    assert_eq!(error("3"), RollError::Dice { found: 1 });
    assert_eq!(error(""), RollError::Dice { found: 0 });
    assert_eq!(error("3 5 6"), RollError::Dice { found: 3 });
    assert_eq!(error("3 7").to_string(), "'7' is not a die roll: a die shows 1, 2, 3, 4, 5 or 6");
    assert!(matches!(error("37"), RollError::Dice { found: 1 }));
    assert!(roll("4 4").is_double() && !roll("4 5").is_double());
    assert_eq!(Roll::all().collect::<HashSet<_>>().len(), 36);
}

#[test]
fn offers_the_pieces_on_the_dice() {
    let offered = |text| offer(&PartialBackRank::EMPTY, 0, roll(text)).unwrap();
    let plain = offered("3 1");
    assert_eq!(plain.roles[..], [King, Bishop]);
    assert!(!plain.may_roll_again && !plain.must_roll_again());
    assert_eq!(plain.to_string(), "3 1: a bishop; a king");
    let double = offered("5 5");
    assert_eq!(double.roles[..], [Queen]);
    assert!(double.may_roll_again && !double.must_roll_again());
    assert_eq!(double.to_string(), "5 5: a queen; a double, which may be rerolled");
    let free = offered("6 2");
    assert_eq!(free.roles[..], [King, Queen, Rook, Bishop, Knight]);
    assert_eq!(free.dice, [Offered::FreeChoice, Offered::Piece(Knight)]);
    assert!(!free.may_roll_again);
}

#[test]
fn pieces_that_cannot_be_placed_are_not_offered() {
    // The bishop stands on a1, which has the colour of c1, and the king on b1. The rolls are for c1.
    let bishop_and_king = rank("BK6");
    let none = offer(&bishop_and_king, 2, roll("3 1")).unwrap();
    assert_eq!(none.dice, [Offered::BrothersColor, Offered::NoneLeft(King)]);
    assert!(none.may_roll_again && none.must_roll_again());
    assert_eq!(
        none.to_string(),
        "3 1: a bishop is not possible, the other one stands on this colour; no king is left; reroll"
    );
    let one = offer(&bishop_and_king, 2, roll("3 4")).unwrap();
    assert_eq!(one.roles[..], [Rook]);
    assert!(!one.may_roll_again);
    // A bishop fits on d1, which has the other colour. A six on c1 offers every piece left except the bishop.
    assert_eq!(offer(&bishop_and_king, 3, roll("3 1")).unwrap().roles[..], [Bishop]);
    let free = offer(&bishop_and_king, 2, roll("6 1")).unwrap();
    assert_eq!(free.roles[..], [Queen, Rook, Knight]);
}

#[test]
fn squares_that_one_piece_fits_are_filled_without_a_roll() {
    // The last square takes the last piece.
    assert_eq!(step(&rank("RNBQKBN1"), 7), Ok(JeppsStep::Forced(Rook)));
    // A queen and a bishop are left. The square g1 has the colour of the other bishop, so the bishop must go
    // to h1.
    assert_eq!(step(&rank("BNRKRN2"), 6), Ok(JeppsStep::Forced(Queen)));
    assert_eq!(step(&rank("BNRKRN2"), 7), Ok(JeppsStep::Forced(Bishop)));
    // Both bishops are left, and g1 is the only free dark square, so a bishop must stand on g1.
    assert_eq!(step(&rank("NNRRK3"), 6), Ok(JeppsStep::Forced(Bishop)));
    let kept = offer(&rank("NNRRK3"), 6, roll("5 3")).unwrap();
    assert_eq!(kept.dice, [Offered::KeptForBishop(Queen), Offered::Piece(Bishop)]);
    assert_eq!(kept.roles[..], [Bishop]);
    assert_eq!(
        step(&rank("NNRRK3"), 5),
        Ok(JeppsStep::Roll([Queen, Bishop].into_iter().collect()))
    );
    // Only the two knights are left.
    assert_eq!(step(&rank("1RBQKB1R"), 0), Ok(JeppsStep::Forced(Knight)));
}

#[test]
fn squares_that_cannot_be_filled_give_errors() {
    let rejected = |text, file| step(&rank(text), file).unwrap_err();
    assert_eq!(
        rejected("BK6", 1),
        StepError::Square(PartialError::Occupied { file: 1, standing: King })
    );
    for text in ["BK6", "RNBQKBNR"] {
        assert_eq!(rejected(text, 8), StepError::Square(PartialError::NoSuchFile { file: 8 }));
    }
    for (text, file) in [("B1B5", 1), ("1N1N1R1R", 0)] {
        let error = rejected(text, file);
        assert_eq!(error, StepError::DeadEnd { rank: rank(text) });
        assert!(error.to_string().starts_with(&format!("the back rank {text} cannot")), "{error}");
    }
}

/// Compares the choices for random squares of partly filled back ranks with a search of all 2,880 back ranks.
/// A piece must fit on a square exactly if some back rank has this piece on the square and agrees with all
/// pieces already placed.
#[test]
fn choices_agree_with_brute_force() {
    let arrays = arrays();
    let mut rng = Rng::new(5);
    for _ in 0..3_000 {
        let model = arrays[rng.below(arrays.len() as u64) as usize].roles();
        let mask = rng.below(256);
        let squares = std::array::from_fn(|file| (mask >> file & 1 == 1).then_some(model[file]));
        let rank = PartialBackRank::new(squares).unwrap();
        let agrees = |array: &&BackRank| {
            squares.iter().zip(array.roles()).all(|(square, role)| square.is_none_or(|s| s == role))
        };
        let extensions: Vec<_> = arrays.iter().filter(agrees).collect();
        for file in rank.free_files() {
            let expected: HashSet<_> = extensions.iter().map(|array| array.roles()[file]).collect();
            let found: HashSet<_> = choices(&rank, file).unwrap().into_iter().collect();
            assert_eq!(found, expected, "{rank} file {file}");
        }
        assert!(can_be_finished(&rank));
    }
}

/// Fills the squares from a1 to h1 in all possible ways. Every back rank must occur exactly once.
#[test]
fn choices_lead_to_every_array() {
    fn fill(rank: PartialBackRank, reached: &mut Vec<BackRank>) {
        let Some(file) = rank.free_files().next() else {
            reached.extend(rank.complete());
            return;
        };
        for role in choices(&rank, file).unwrap() {
            fill(rank.with(file, role).unwrap(), reached);
        }
    }
    let mut reached = Vec::new();
    fill(PartialBackRank::EMPTY, &mut reached);
    assert_eq!(reached.len(), 2_880);
    assert_eq!(reached.into_iter().collect::<HashSet<_>>(), arrays().into_iter().collect());
}

/// Checks the offers of all 36 rolls for the next square of every partly filled back rank.
#[test]
fn every_offer_follows_the_rules() {
    let mut seen = HashSet::new();
    for array in arrays() {
        let mut rank = PartialBackRank::EMPTY;
        for (file, role) in array.roles().into_iter().enumerate() {
            if !seen.insert(rank) {
                rank = rank.with(file, role).unwrap();
                continue;
            }
            let fitting = choices(&rank, file).unwrap();
            let mut usable = 0;
            for roll in Roll::all() {
                let offer = offer(&rank, file, roll).unwrap();
                let free = roll.0.iter().any(|die| face(*die).is_none());
                let shown = roll.0.map(face);
                for role in [King, Queen, Rook, Bishop, Knight] {
                    let expected = fitting.contains(&role) && (free || shown.contains(&Some(role)));
                    assert_eq!(offer.roles.contains(&role), expected, "{rank} {roll} {role}");
                }
                assert_eq!(offer.may_roll_again, roll.is_double() || offer.roles.is_empty());
                usable += usize::from(!offer.must_roll_again());
            }
            // The 11 rolls with a six always offer a piece.
            assert!(usable >= 11);
            rank = rank.with(file, role).unwrap();
        }
    }
    assert!(seen.len() > 1_000, "{}", seen.len());
}

#[test]
fn verdicts_follow_from_the_mediators_roll() {
    let says = |text: &str| mediate(roll(text));
    let mirror =
        Mediation { roll: roll("2 6"), black: BlackBackRank::Mirror, may_roll_again: false };
    assert_eq!(says("2 6"), mirror);
    assert_eq!(says("4 4").black, BlackBackRank::Mirror);
    assert!(says("4 4").may_roll_again);
    assert_eq!(says("3 5").black, BlackBackRank::Reverse);
    assert!(!says("3 5").may_roll_again);
    assert!(says("1 1").may_roll_again);
    assert_eq!(says("2 5").black, BlackBackRank::Own);
    assert!(!says("5 2").may_roll_again);
    assert_eq!(
        says("1 1").to_string(),
        "1 1: both odd: Black reverses White's array; a double: Black may reroll"
    );
    let count = |black| Roll::all().filter(|roll| mediate(*roll).black == black).count();
    assert_eq!(
        [BlackBackRank::Mirror, BlackBackRank::Reverse, BlackBackRank::Own].map(count),
        [9, 9, 18]
    );
}

/// Fills one square by rolling dice and choosing at random among the offered pieces.
fn play_square(rank: PartialBackRank, file: usize, rng: &mut Rng) -> PartialBackRank {
    let role = match step(&rank, file).unwrap() {
        JeppsStep::Forced(role) => role,
        JeppsStep::Roll(_) => loop {
            let offer = offer(&rank, file, Roll::random(rng)).unwrap();
            let again = offer.may_roll_again && rng.below(2) == 0;
            if !offer.must_roll_again() && !again {
                break offer.roles[rng.below(offer.roles.len() as u64) as usize];
            }
        },
    };
    rank.with(file, role).unwrap()
}

proptest! {
    /// Checks that random rolls and choices lead to legal back ranks, both when one side places after the
    /// other and in Free Play.
    #[test]
    fn placement_always_finishes(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let mut ranks = [PartialBackRank::EMPTY; 4];
        // Without Free Play, White fills its whole back rank before Black. In Free Play the sides alternate.
        let sides = Color::ALL.into_iter().flat_map(|color| (0..8).map(move |file| (color, file)));
        for (color, file) in sides {
            ranks[color.index()] = play_square(ranks[color.index()], file, &mut rng);
        }
        let alternating = (0..8).flat_map(|file| [(Color::White, file), (Color::Black, 7 - file)]);
        for (color, file) in alternating {
            let index = 2 + color.index();
            ranks[index] = play_square(ranks[index], file, &mut rng);
        }
        for rank in ranks {
            let number = rank.complete().and_then(|a| BackRankKind::OppositeBishops.number(a));
            prop_assert!(number.is_some(), "{}", rank);
        }
    }

    #[test]
    fn parsing_a_roll_never_panics(text in "[0-9 ,+-]{0,6}|.*") {
        if let Ok(read) = text.parse::<Roll>() {
            prop_assert_eq!(read.to_string().parse(), Ok(read));
        }
    }

    /// Checks that every back rank and file gives choices or an error, never a panic.
    #[test]
    fn choices_and_step_agree_on_any_rank_and_file(text in "[KQRBN1]{8}", file in 0_usize..10) {
        if let Ok(rank) = text.parse::<PartialBackRank>() {
            match (choices(&rank, file), step(&rank, file)) {
                (Ok(fitting), Ok(_)) => {
                    prop_assert!(fitting.iter().all(|r| can_be_finished(&rank.with(file, *r).unwrap())));
                }
                (Err(one), Err(two)) => prop_assert_eq!(one, two),
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
