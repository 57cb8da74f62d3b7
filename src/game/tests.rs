//! Tests of games of every variant: play, undo, outcomes and dice.

use super::*;
use crate::rules::HAS_BOARD_10X10;
use crate::start::{Rng, SetupStart};

fn played(variant: Variant, fen: &str, moves: &str) -> Game {
    let mut game = Game::new(variant, fen).unwrap();
    for text in moves.split_whitespace() {
        assert_eq!(game.termination(), None, "before {text}");
        game.play(text).unwrap();
    }
    game
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn games_end_by_the_rules() {
    let ends = |fen: &str, moves: &str| played(Variant::Chess, fen, moves).termination();
    assert_eq!(ends(START, "f2f3 e7e5 g2g4 d8h4"), Some(Termination::Mate(Color::Black)));
    assert_eq!(
        ends(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
        Some(Termination::Repetition)
    );
    assert_eq!(ends("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "f6e6"), Some(Termination::Stalemate));
    assert_eq!(ends("7k/8/8/8/8/8/2K5/1Q6 w - - 99 80", "b1b3"), Some(Termination::FiftyMoves));
    assert_eq!(ends("7k/7p/8/8/8/8/8/K6B w - - 0 1", "h1e4"), None);
    assert_eq!(ends("7k/7p/8/4B3/8/8/7K/8 b - - 0 1", "h8g8"), None);
    assert_eq!(
        ends("8/6kp/8/3B4/8/8/7K/8 b - - 0 1", "g7h8 d5e4 h8g7 e4h7"),
        Some(Termination::Material)
    );
}

#[test]
fn repetitions_count_only_since_the_last_irreversible_move() {
    let moves = "g1f3 g8f6 f3g1 f6g8 e2e4 g8f6 g1f3 f6g8 f3g1";
    assert_eq!(played(Variant::Chess, START, moves).termination(), None);
    let again = format!("{moves} g8f6 g1f3 f6g8 f3g1");
    assert_eq!(played(Variant::Chess, START, &again).termination(), Some(Termination::Repetition));
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = Game::new(Variant::Chess, START).unwrap();
    for text in ["e2e5", "", "R@a1", "e2e4e6", "0000"] {
        assert!(game.play(text).is_err(), "{text}");
        assert_eq!((game.fen().as_str(), game.command()), (START, format!("position fen {START}")));
    }
}

#[test]
fn castling_notation_depends_on_the_variant() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (variant, expected) in [(Variant::Chess, "e1g1"), (Variant::Chess960, "e1h1")] {
        for text in ["e1g1", "e1h1"] {
            if variant == Variant::Chess960 && text == "e1g1" {
                continue;
            }
            let turn = Game::new(variant, fen).unwrap().read(text).unwrap();
            assert_eq!((turn.uci.as_str(), turn.san.as_str()), (expected, "O-O"));
        }
    }
}

/// Returns the game that a `position` command describes.
fn game_of_command(variant: Variant, command: &str) -> Game {
    let text = &command["position fen ".len()..];
    let (root, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut game = Game::new(variant, root).unwrap();
    for text in moves.split_whitespace() {
        game.decide_order(text);
        game.play(text).unwrap();
    }
    game
}

/// Returns the state before the first placement for every variant with a placement phase, and for Free Play.
fn beginnings(rng: &mut Rng) -> Vec<Setup> {
    let with_setup = Variant::ALL.iter().filter(|variant| variant.rules().setup.is_some());
    let starts = with_setup.map(|variant| SetupStart::random(*variant, rng).unwrap());
    starts.map(|start| Setup::new(&start)).chain([Setup::empty(SetupKind::JeppsFreePlay)]).collect()
}

/// Plays random games with a placement phase. After every turn, the `position` command must lead to the same
/// position. At the end, `undo` must restore every earlier position.
#[test]
fn placements_and_moves_can_be_undone() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        for beginning in beginnings(&mut rng) {
            let variant = beginning.kind().variant();
            let mut game = Game::from(beginning);
            let mut before = Vec::new();
            let mut turns = 0;
            while before.len() < turns + 6 {
                game.roll_dice(&mut rng);
                while game.accept().is_some() {
                    game.roll_dice(&mut rng);
                }
                assert_eq!(
                    game_of_command(variant, &game.command()).fen(),
                    game.fen(),
                    "{}",
                    game.command()
                );
                before.push((game.fen(), game.dice().clone(), game.turns()));
                turns += usize::from(game.is_setup());
                let mut offered = game.offered();
                let again = offered.pop_if(|last| last == AGAIN).is_some();
                assert_eq!(again, game.may_roll_again());
                let legal = game.legal_turns();
                assert!(offered.is_empty() || offered == legal);
                let turn = game.read(&legal[rng.below(legal.len() as u64) as usize]).unwrap();
                game.play(&turn.uci).unwrap();
                assert_eq!(game.turns().last(), Some(&turn));
            }
            let expected: &[usize] = match variant {
                Variant::FischerBenko => &[8],
                Variant::Transcendental => &[10],
                Variant::Placement => &[16],
                _ => &[8, 16],
            };
            assert!(expected.contains(&turns), "{variant} {turns}");
            let record = game.record().unwrap();
            assert_eq!(record.game().map(|game| game.fen(FenStyle::XFen)), Some(game.start_fen()));
            while let Some((fen, dice, earlier)) = before.pop() {
                let turn = game.undo().unwrap();
                assert_eq!((game.fen(), game.dice(), game.turns()), (fen, &dice, earlier));
                assert!(game.clone().play(&turn.uci).is_ok());
                assert_eq!(game_of_command(variant, &game.command()).fen(), game.fen());
            }
            assert_eq!(game.undo(), None);
        }
    }
}

#[test]
fn rejects_pieces_that_the_dice_do_not_offer() {
    let mut game = Game::from(Setup::empty(SetupKind::Jepps));
    let Some(Rolled::Offer(offer)) = game.roll("1 2".parse().unwrap()) else { panic!() };
    assert!(!offer.may_roll_again && !game.wants_roll() && !game.roll_again());
    assert_eq!(game.offered(), ["K@a1", "N@a1"]);
    assert_eq!(
        game.play("Q@a1").unwrap_err().to_string(),
        "the dice show 1 2: they do not offer a queen, but a king or a knight"
    );
    game.play("N@a1").unwrap();
    assert!(game.wants_roll());
}

#[test]
fn answer_dice_accepts_or_rerolls() {
    let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
    let mut game = Game::new(Variant::Jepps, fen).unwrap();
    assert!(game.offered().is_empty() && !game.answer_dice(AGAIN));
    game.roll("5 5".parse().unwrap());
    assert_eq!(game.offered(), ["reverse", AGAIN]);
    assert!(!game.answer_dice("mirror") && !game.answer_dice("K@a8"));
    assert!(game.answer_dice(AGAIN) && game.wants_roll());
    game.roll("2 2".parse().unwrap());
    assert!(game.answer_dice("mirror") && !game.is_setup());
    assert!(game.fen().starts_with("nbkrbqnr/"));
    let mut game = Game::from(Setup::empty(SetupKind::Jepps));
    game.roll("4 4".parse().unwrap());
    assert_eq!(game.offered(), ["R@a1", AGAIN]);
    assert!(game.answer_dice(AGAIN) && game.wants_roll());
}

/// If the caller has not said whether the game is Free Play, Black's first placement shows it.
#[test]
fn free_play_is_chosen_or_identified_by_blacks_answer() {
    let empty = Setup::empty(SetupKind::Jepps).fen();
    assert!(Game::new(Variant::Jepps, &empty).unwrap().play("K@h8").is_err());
    let mut game = Game::new(Variant::Jepps, &empty).unwrap();
    game.play("R@a1").unwrap();
    assert_eq!(game.side_to_move(), Color::White);
    assert!(game.play("R@h8").is_err());
    game.decide_order("R@h8");
    game.play("R@h8").unwrap();
    game.play("N@b1").unwrap();
    assert_eq!(game.side_to_move(), Color::Black);
    let mut chosen = Game::from(Setup::empty(SetupKind::JeppsFreePlay));
    for turn in ["R@a1", "R@h8", "N@b1"] {
        chosen.play(turn).unwrap();
    }
    assert_eq!(chosen.fen(), game.fen());
    assert_eq!(chosen.record(), game.record());
}

#[test]
fn parts_of_a_fen_that_contradict_its_board_are_ignored() {
    let read = |variant: &str, fen: &str| {
        let variant: Variant = variant.parse().unwrap();
        let (game, ignored) = Game::new_lenient(variant, fen).unwrap();
        // The strict parser accepts the FEN without the ignored parts, and rejects the original FEN.
        assert_eq!(Game::new(variant, fen).is_ok(), ignored.is_empty(), "{fen}");
        assert_eq!(Game::new(variant, &game.fen()).unwrap().fen(), game.fen());
        let fen = game.fen();
        (fen.split_once(' ').unwrap().1.to_owned(), ignored.len())
    };
    for (variant, fen, rest, count) in [
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "w KQ - 0 1", 2),
        ("chess", "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "w - - 0 1", 2),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KKQQ - 0 1", "w KQ - 0 1", 2),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w HAK - 0 1", "w KQ - 0 1", 1),
        ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ e3 0 1", "w KQ - 0 1", 1),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "w - d6 0 1", 0),
        ("chess", "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "w - - 0 1", 1),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 b - d3 0 1", "b - - 0 1", 1),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 10000 1000000", "w - - 0 1", 2),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - - 0", "w - - 0 1", 0),
        ("chess960", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBhb - 0 1", "w KQq - 0 1", 1),
        ("chess960", "1r2k1r1/8/8/8/8/8/8/1R2KR1R w FBbc - 0 1", "w FQq - 0 1", 1),
        ("jepps", "4k3/8/8/8/8/8/4K3/8 w Kk - 0 1", "w k - 0 1", 1),
        (
            "placement",
            "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w KQkq e3 0 -3",
            "w - - 0 1",
            3,
        ),
    ] {
        assert_eq!(read(variant, fen), (rest.to_owned(), count), "{fen}");
    }
    if HAS_BOARD_10X10 {
        let ten = "10/1r3k2r1/10/10/3pP5/10/10/10/1R3K4/10";
        assert_eq!(read("ifrc", &format!("{ten} w KQkq d8 0 1")), ("w Qkq - 0 1".to_owned(), 2));
        assert_eq!(read("ifrc", &format!("{ten} w Qkq d7 0 1")), ("w Qkq d7 0 1".to_owned(), 0));
        assert_eq!(read("ifrc", &format!("{ten} w BIib - 0 1")), ("w Qkq - 0 1".to_owned(), 1));
    }
    let error = Game::new_lenient(Variant::Chess, "4k3/8/8/8/8/8/8/4K2R w K! e6 0 1").unwrap_err();
    assert!(error.to_string().contains("'!' is not a castling right"), "{error}");
    for (variant, fen) in [
        ("chess", "4k3/8/8/8/8/8/8/4K2R w K e66 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w K - x 1"),
        ("transcendental", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("jepps", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"),
    ] {
        assert!(Game::new_lenient(variant.parse().unwrap(), fen).is_err(), "{fen}");
    }
    let long = format!("4k3/8/8/8/8/8/8/4K3 w {}é - 0 1", "KQkqABCDEFGH".repeat(100_000));
    assert!(Game::new_lenient(Variant::Chess, &long).is_err());
}
