//! Tests of placements, turns, FENs and verdicts.

use proptest::prelude::*;

use super::*;
use crate::position::FenStyle;
use crate::rules::Variant;
use crate::start::{Rng, Start};

const VARIANTS: [Variant; 4] =
    [Variant::FischerBenko, Variant::Transcendental, Variant::Placement, Variant::Jepps];

/// Returns the state of a setup game before the first placement by a player, after random rolls if dice place
/// pieces before. A `game` from 0 to 3 is an index into `VARIANTS`; any other number means Free Play.
fn beginning(game: usize, rng: &mut Rng) -> Setup {
    match VARIANTS.get(game) {
        Some(variant) => Setup::new(&SetupStart::random(*variant, rng).unwrap()),
        None => Setup::empty(SetupKind::JeppsFreePlay),
    }
}

fn random_turn(state: &Setup, rng: &mut Rng) -> Placement {
    let legal = state.legal_placements();
    legal[rng.below(legal.len() as u64) as usize]
}

/// Returns the state after `turns` random turns, or after fewer turns if the placement phase would end.
fn random_state(game: usize, turns: usize, rng: &mut Rng) -> Setup {
    let mut state = beginning(game, rng);
    for _ in 0..turns {
        match state.after(random_turn(&state, rng)) {
            SetupOrGame::Setup(next) => state = next,
            SetupOrGame::Game(_) => break,
        }
    }
    state
}

/// Plays random turns to the end of the placement phase and returns the number of turns and the
/// game. Returns `None` if a state without legal placements is reached.
fn finish(mut state: Setup, rng: &mut Rng) -> Option<(usize, Position<Board8x8>)> {
    for turns in 1.. {
        let legal = state.legal_placements();
        if legal.is_empty() {
            return None;
        }
        match state.after(random_turn(&state, rng)) {
            SetupOrGame::Setup(next) => state = next,
            SetupOrGame::Game(position) => return Some((turns, position)),
        }
    }
    None
}

fn state(fen: &str, variant: Variant) -> Setup {
    Setup::from_fen(fen, variant).unwrap()
}

#[test]
fn double_placements_are_written_in_one_order() {
    let fen = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNR2R[KQkq] w - - 0 4";
    let state = state(fen, Variant::FischerBenko);
    for text in ["Q@g1+K@f1", "K@f1+Q@g1", "Q@g1", "K@f1", "k@f1+q@g1", " K@f1 "] {
        let placement = state.read_placement(text).unwrap();
        assert_eq!(placement.to_string(), "Q@g1+K@f1", "{text}");
        assert!(placement.is_repeated_by("K@f1") && placement.is_repeated_by("Q@g1"));
        assert!(!placement.is_repeated_by("K@g1") && !placement.is_repeated_by("Q@g8"));
    }
    assert!(
        !Placement::single(Color::White, SingleDrop { role: Role::King, file: 5 })
            .is_repeated_by("K@f1")
    );
}

/// Double placements are written in the order queen, rook, knight, king. Of two equal pieces, the piece
/// nearer to the a-file comes first.
#[test]
fn double_placements_name_the_heavier_piece_first() {
    let drop = |role, file| SingleDrop { role, file };
    let text = |one, other| {
        let text = Placement::double(Color::White, one, other).to_string();
        assert_eq!(Placement::double(Color::White, other, one).to_string(), text);
        text
    };
    assert_eq!(text(drop(Role::King, 0), drop(Role::Rook, 7)), "R@h1+K@a1");
    assert_eq!(text(drop(Role::Rook, 7), drop(Role::Knight, 0)), "R@h1+N@a1");
    assert_eq!(text(drop(Role::Knight, 7), drop(Role::King, 0)), "N@h1+K@a1");
    assert_eq!(text(drop(Role::Knight, 7), drop(Role::Knight, 0)), "N@a1+N@h1");
    assert_eq!(text(drop(Role::Rook, 0), drop(Role::Queen, 7)), "Q@h1+R@a1");
}

#[test]
fn a_turn_is_legal_only_for_the_side_to_place() {
    let state = Setup::empty(SetupKind::Placement);
    let king = |color| Placement::single(color, SingleDrop { role: Role::King, file: 4 });
    assert!(state.is_legal(king(Color::White)) && !state.is_legal(king(Color::Black)));
    let SetupOrGame::Setup(next) = state.after(king(Color::White)) else {
        panic!("the placement phase has ended")
    };
    assert!(!next.is_legal(king(Color::White)) && next.is_legal(king(Color::Black)));
    let SetupOrGame::Setup(next) = next.after(king(Color::Black)) else {
        panic!("the placement phase has ended")
    };
    assert!(!next.is_legal(king(Color::White)), "the king has already been placed");
}

#[test]
fn the_side_to_place_follows_from_the_numbers_in_hand() {
    let (white, black) = (Some(Color::White), Some(Color::Black));
    for (kind, hands, expected) in [
        (SetupKind::Jepps, [8, 8], white),
        (SetupKind::Jepps, [1, 8], white),
        (SetupKind::Jepps, [1, 7], None),
        (SetupKind::Jepps, [0, 8], black),
        (SetupKind::Jepps, [0, 1], black),
        (SetupKind::Jepps, [0, 0], None),
        (SetupKind::FischerBenko, [5, 5], white),
        (SetupKind::FischerBenko, [4, 5], black),
        (SetupKind::FischerBenko, [2, 2], white),
        (SetupKind::FischerBenko, [0, 2], black),
        (SetupKind::FischerBenko, [1, 1], None),
        (SetupKind::FischerBenko, [1, 2], None),
        (SetupKind::FischerBenko, [0, 0], None),
        (SetupKind::Placement, [8, 8], white),
        (SetupKind::Placement, [7, 8], black),
        (SetupKind::Placement, [0, 1], black),
        (SetupKind::Placement, [8, 7], None),
        (SetupKind::Placement, [6, 8], None),
        (SetupKind::Placement, [0, 0], None),
    ] {
        assert_eq!(turn(kind, hands), expected, "{kind:?} {hands:?}");
    }
}

#[test]
fn illegal_placements_are_explained() {
    let fen = "r1b1nbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNR2R[KQkq] w - - 0 4";
    let last = state(fen, Variant::FischerBenko);
    let fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    let first = state(fen, Variant::Transcendental);
    let jepps = Setup::new(&SetupStart::numbered(Variant::Jepps, 0).unwrap());
    for (state, text, expected) in [
        (
            last,
            "",
            "'' is not a placement; pieces are still being placed, so write a piece, '@' and a square, such as Q@g1+K@f1",
        ),
        (
            last,
            "e2e4",
            "'e2e4' is not a placement; pieces are still being placed, so write a piece, '@' and a square, such as Q@g1+K@f1",
        ),
        (
            last,
            "Q@g1+",
            "'Q@g1+' is not a placement; pieces are still being placed, so write a piece, '@' and a square, such as Q@g1+K@f1",
        ),
        (last, "X@g1", "'X@g1': 'X' is not a piece that can be placed; expected K, Q, R, B or N"),
        (last, "P@g1", "'P@g1': 'P' is not a piece that can be placed; expected K, Q, R, B or N"),
        (last, "@g1", "'@g1': '' is not a piece that can be placed; expected K, Q, R, B or N"),
        (
            last,
            "Q@g9",
            "'Q@g9': 'g9' is not a square of the board; expected a square from a1 to h8",
        ),
        (
            last,
            "Q@g1+K@f1+Q@g1",
            "'Q@g1+K@f1+Q@g1' places 3 pieces; at most two are placed in one turn",
        ),
        (last, "Q@g1+K@g1", "Q@g1+K@g1 places two pieces on g1; place them on different squares"),
        (last, "Q@g1+Q@f1", "Q@g1+Q@f1: White has no queen in hand; the pieces in hand are K, Q"),
        (last, "Q@e1", "Q@e1: there is already a rook on e1"),
        (
            last,
            "Q@g8+K@f8",
            "Q@g8+K@f8: it is White's turn, and White places pieces on rank 1, not on g8",
        ),
        (last, "N@g1", "N@g1: White has no knight in hand; the pieces in hand are K, Q"),
        (first, "Q@g1+K@f1", "Q@g1+K@f1 places two pieces, but a turn places only one piece"),
        (jepps, "N@b1", "N@b1: the next piece must be placed on a1"),
        (jepps, "N@h8", "N@h8: it is White's turn, and White places pieces on rank 1, not on h8"),
    ] {
        assert_eq!(state.read_placement(text).unwrap_err().to_string(), expected);
    }
    // B@g1 puts both bishops on squares of one colour. N@h1 takes the square that the bishop needs.
    let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/BNRQKR2[BNkqrrbbnn] w - - 0 6";
    let late = state(fen, Variant::Placement);
    let said = |text: &str| late.read_placement(text).unwrap_err().to_string();
    assert_eq!(
        said("B@g1"),
        "B@g1 is illegal, because then both bishops stand on squares of the same colour"
    );
    assert_eq!(
        said("N@h1"),
        "N@h1 is illegal, because then there is no free square of the other colour for the second bishop"
    );
}

#[test]
fn fens_distinguish_placement_phase_and_game() {
    let setup = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
    assert!(matches!(SetupOrGame::from_fen(setup, Variant::Placement), Ok(SetupOrGame::Setup(_))));
    let game = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9";
    let plain = SetupOrGame::from_fen(game, Variant::Placement).unwrap();
    assert!(matches!(plain, SetupOrGame::Game(_)));
    for empty in ["[]", "[-]"] {
        let fen = game.replacen(' ', &format!("{empty} "), 1);
        assert_eq!(SetupOrGame::from_fen(&fen, Variant::Placement).as_ref(), Ok(&plain));
    }
    for fen in ["", "[", "]", "[]", "[-] w", "8[]8 w"] {
        assert!(SetupOrGame::from_fen(fen, Variant::Placement).is_err(), "{fen}");
    }
}

#[test]
fn applies_the_mediators_verdicts() {
    let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRQRBN[kqrrbbnn] b - - 0 1";
    let black_to_place = state(fen, Variant::Jepps);
    let after = |verdict| match black_to_place.after_verdict(verdict) {
        Some(SetupOrGame::Game(position)) => position.fen(FenStyle::XFen),
        Some(SetupOrGame::Setup(state)) => state.fen(),
        None => panic!("no verdict"),
    };
    assert_eq!(
        after(BlackBackRank::Mirror),
        "nbkrqrbn/pppppppp/8/8/8/8/PPPPPPPP/NBKRQRBN w Kk - 0 9"
    );
    assert_eq!(
        after(BlackBackRank::Reverse),
        "nbrqrkbn/pppppppp/8/8/8/8/PPPPPPPP/NBKRQRBN w Kk - 0 9"
    );
    assert_eq!(after(BlackBackRank::Own), fen);
    assert_eq!(Setup::empty(SetupKind::JeppsFreePlay).after_verdict(BlackBackRank::Mirror), None);
}

proptest! {
    #[test]
    fn random_placements_lead_to_a_legal_start(game in 0..5_usize, seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let state = beginning(game, &mut rng);
        prop_assert_eq!(state.defect(), None);
        let variant = state.kind().variant();
        let (turns, position) = finish(state, &mut rng).unwrap();
        let expected = match variant {
            Variant::FischerBenko => 8,
            Variant::Transcendental => 10,
            _ => 16,
        };
        prop_assert_eq!(turns, expected);
        let fen = position.fen(FenStyle::XFen);
        let ranks: Vec<_> = fen.split([' ', '/']).collect();
        let start = Start::parse(variant, &[ranks[7], ranks[0]].join("/")).unwrap();
        // The start module derives the castling rights independently.
        prop_assert_eq!(fen, format!("{} 0 {}", start.epd(), turns / 2 + 1));
        let read = Position::from_fen(&position.fen(FenStyle::XFen), variant.rules().right).unwrap();
        prop_assert_eq!(read.key(), position.key());
        prop_assert_eq!(read, position);
    }

    #[test]
    fn fens_and_placements_round_trip(game in 0..5_usize, turns in 0..16_usize, seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let state = random_state(game, turns, &mut rng);
        prop_assert_eq!(state.defect(), None);
        // A FEN of the empty board does not show that the game is Free Play, so it is read as ordinary Jepps
        // Random Chess.
        let same = if game == 4 && turns == 0 { Setup { kind: SetupKind::Jepps, ..state } } else { state };
        prop_assert_eq!(Setup::from_fen(&state.fen(), state.kind().variant()), Ok(same));
        prop_assert_eq!(
            SetupOrGame::from_fen(&state.fen(), state.kind().variant()),
            Ok(SetupOrGame::Setup(same))
        );
        for placement in state.legal_placements() {
            prop_assert!(state.is_legal(placement));
            prop_assert_eq!(state.read_placement(&placement.to_string()), Ok(placement));
        }
    }

    /// Checks that the parser and the generator agree on every placement of one piece.
    #[test]
    fn the_parser_accepts_exactly_the_legal_placements(game in 0..5_usize, turns in 0..16_usize, seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let state = random_state(game, turns, &mut rng);
        for role in Role::ALL {
            for square in Square::<Board8x8>::all() {
                let text = format!("{}@{square}", role.letter());
                match state.read_placement(&text) {
                    Ok(placement) => {
                        prop_assert!(state.is_legal(placement), "{text}");
                        let whole = placement.to_string();
                        prop_assert!(whole == text || placement.is_repeated_by(&text), "{text}");
                    }
                    Err(_) => {
                        let texts = state.legal_placements().into_iter().map(|p| p.to_string());
                        prop_assert!(!texts.into_iter().any(|legal| legal == text), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn legal_turns_never_lead_to_dead_ends(game in 0..5_usize, turns in 0..16_usize, seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let state = random_state(game, turns, &mut rng);
        let side = state.side_to_place();
        let all = completions(state.kind(), state.rank(side));
        for placement in state.legal_placements() {
            let rank = placement.applied_to(state.rank(side));
            let rest = completions(state.kind(), &rank);
            prop_assert!(!rest.is_empty());
            prop_assert!(rest.iter().all(|back_rank| all.contains(back_rank)));
        }
    }

    #[test]
    fn parsing_a_fen_never_panics(game in 0..4_usize, fen in ".*|[KQRBNkqrbnPp1-8/]{0,80}\\[[KQRBNkqrbn]{0,16}\\] [wb] - - 0 1") {
        let _ = SetupOrGame::from_fen(&fen, VARIANTS[game]);
    }

    /// Changes a few letters of a FEN. If the changed FEN is accepted, writing and reading it must not change
    /// the state, and random placements must complete the back ranks unless the state has a defect.
    #[test]
    fn damaged_fens_are_rejected_or_playable(
        game in 0..5_usize,
        turns in 0..16_usize,
        seed in any::<u64>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), "[KQRBNkqrbnPp1-8/\\[\\] wb-]|é"), 0..4),
    ) {
        let mut rng = Rng::new(seed);
        let state = random_state(game, turns, &mut rng);
        let mut letters: Vec<String> = state.fen().chars().map(String::from).collect();
        for (place, letter) in &changes {
            let place = place.index(letters.len());
            letters[place] = letter.clone();
        }
        let variant = state.kind().variant();
        if let Ok(read) = Setup::from_fen(&letters.concat(), variant) {
            prop_assert_eq!(Setup::from_fen(&read.fen(), variant), Ok(read));
            let finished = finish(read, &mut rng);
            prop_assert!(finished.is_some() || read.defect().is_some());
        }
    }

    #[test]
    fn parsing_a_placement_never_panics(
        game in 0..5_usize,
        turns in 0..16_usize,
        seed in any::<u64>(),
        text in ".*|[KQRBNPkqrbnx]@[a-i][0-9](\\+[KQRBN]@[a-h][1-8]){0,2}",
    ) {
        let mut rng = Rng::new(seed);
        let state = random_state(game, turns, &mut rng);
        if let Ok(placement) = state.read_placement(&text) {
            prop_assert!(state.is_legal(placement));
            let _ = state.after(placement);
        }
    }
}

#[test]
fn pieces_in_hand_may_be_written_as_a_ninth_rank() {
    let read = |fen: &str| SetupOrGame::from_fen(fen, Variant::Placement);
    for fen in [
        "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[QRRBBNNqrrbbnn] w - - 0 2",
    ] {
        let ninth = fen.replace('[', "/").replace(']', "");
        assert_eq!(read(&ninth), read(fen));
        assert!(matches!(read(&ninth), Ok(SetupOrGame::Setup(_))), "{ninth}");
    }
    let game = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for end in ["", "/", "[]", "[-]"] {
        assert!(
            matches!(read(&format!("{game}{end} w KQkq - 0 1")), Ok(SetupOrGame::Game(_))),
            "{end}"
        );
    }
    // A ninth rank that contains anything but pieces in hand is an error.
    let error = read(&format!("{game}/8 w - - 0 1")).unwrap_err().to_string();
    assert!(error.contains("8 ranks"), "{error}");
}
