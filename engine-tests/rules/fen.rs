//! Tests of reading and writing FENs: round trips, a specific error for every defect, and no panic for any
//! text.

mod errors;
mod oracle;

use crate::common::{self, Random};
use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::position::{FenStyle, Position};
use aleator::rules::KingRight;
use aleator::types::Role;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const STYLES: [FenStyle; 2] = [FenStyle::XFen, FenStyle::Shredder];
const KINDS: [KingRight; 3] = [KingRight::Castling, KingRight::Relocation, KingRight::None];
const CLASSICAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn read<G: Board>(fen: &str, right: KingRight) -> Position<G> {
    Position::from_fen(fen, right).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Checks that the FEN of a position, in both styles, is read as the same position, and that flipping the
/// position twice gives the same position.
fn assert_round_trip<G: Board>(position: &Position<G>, right: KingRight) {
    for style in STYLES {
        let fen = position.fen(style);
        let again = read::<G>(&fen, right);
        assert_eq!(&again, position, "{fen}");
        assert_eq!(again.key(), position.key(), "{fen}");
        assert_eq!(again.fen(style), fen);
    }
    let flipped = position.flipped_fen();
    let mirror = read::<G>(&flipped, right);
    assert_eq!(mirror.count_legal_moves(), position.count_legal_moves(), "{flipped}");
    // Flipping keeps the clocks, so flipping twice restores the whole position.
    assert_eq!(&read::<G>(&mirror.flipped_fen(), right), position, "{flipped}");
}

/// Whether an en passant capture is legal: a pawn move to an empty square of another file.
fn has_en_passant_capture<G: Board>(position: &Position<G>) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        position.moved_piece(mv).role() == Role::Pawn
            && from.file() != to.file()
            && position.piece_at(to).is_none()
    })
}

/// Reads a FEN of the data files, writes the FEN of the position, and compares both FENs.
fn check_data_fen<G: Board>(fen: &str, right: KingRight) {
    let position = read::<G>(fen, right);
    assert_round_trip(&position, right);
    assert_eq!(position.en_passant().is_some(), has_en_passant_capture(&position), "{fen}");
    let fields: Vec<&str> = fen.split(' ').collect();
    let [x_fen, shredder] = STYLES.map(|style| position.fen(style));
    let x_fields: Vec<&str> = x_fen.split(' ').collect();
    for field in [0, 1, 4, 5] {
        assert_eq!(x_fields[field], fields[field], "{fen}");
    }
    let rights = [x_fields[2], shredder.split(' ').nth(2).unwrap()];
    assert!(rights.contains(&fields[2]), "{fen}: {rights:?}");
    if position.en_passant().is_some() {
        assert_eq!(x_fields[3], fields[3], "{fen}");
    } else {
        assert_eq!(x_fields[3], "-", "{fen}");
    }
}

#[test]
fn every_fen_of_the_data_files_round_trips() {
    let mut eight = 0;
    let mut ten = 0;
    for (variant, fen) in common::data_fens() {
        match common::variant(&variant) {
            (right, false) => {
                check_data_fen::<Board8x8>(&fen, right);
                eight += 1;
            }
            (right, true) => {
                check_data_fen::<Board10x10>(&fen, right);
                ten += 1;
            }
        }
    }
    assert!(eight > 200 && ten > 90, "{eight} and {ten}");
}

/// Checks that the positions of random games and random placements survive a round trip through FEN.
fn random_round_trips<G: Board>(seed: u64) {
    let mut random = Random::new(seed);
    let mut with_en_passant = 0;
    for kind in KINDS {
        for game in 0..20 {
            let start = common::random_start::<G>(&mut random, kind, 30 * (game % 3));
            common::play(&mut random, start, 60, |position, _| assert_round_trip(position, kind));
            for _ in 0..50 {
                let position = common::random_position::<G>(&mut random, kind);
                assert_eq!(position.en_passant().is_some(), has_en_passant_capture(&position));
                with_en_passant += usize::from(position.en_passant().is_some());
                assert_round_trip(&position, kind);
            }
        }
    }
    assert!(with_en_passant > 100, "{with_en_passant}");
}

#[test]
fn random_positions_round_trip_8x8() {
    random_round_trips::<Board8x8>(1);
}

#[test]
fn random_positions_round_trip_10x10() {
    random_round_trips::<Board10x10>(2);
}

#[test]
fn missing_fields_and_loose_formatting_are_accepted() {
    let castling = |fen: &str| read::<Board8x8>(fen, KingRight::Castling);
    let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(castling(&format!("{pieces} w")).fen(FenStyle::XFen), format!("{pieces} w - - 0 1"));
    assert_eq!(castling(&format!("{pieces} b KQkq")), castling(&format!("{pieces} b KQkq - 0 1")));
    assert_eq!(castling(&format!("{pieces} w KQkq -")), castling(CLASSICAL));
    assert_eq!(castling(&format!("{pieces} w KQkq - 7")).halfmove_clock(), 7);
    assert_eq!(castling(&format!("{pieces} w KQkq - - -")), castling(CLASSICAL));
    // Some programs write a move number of 0.
    assert_eq!(castling(&format!("{pieces} w KQkq - 0 0")), castling(CLASSICAL));
    // Any amount and any kind of white space may separate the fields.
    assert_eq!(castling(&format!("  {pieces}\tw   KQkq -  0 1 \r\n")), castling(CLASSICAL));
    // Castling rights may be in any order, and may mix both styles.
    for rights in ["qkQK", "HAha", "ahAH", "KAhq"] {
        assert_eq!(castling(&format!("{pieces} w {rights} - 0 1")), castling(CLASSICAL));
    }
    assert_eq!(
        read::<Board8x8>(&format!("{pieces} w kK - 0 1"), KingRight::Relocation)
            .fen_rights(FenStyle::Shredder),
        "Kk"
    );
    // The largest clocks that a FEN may contain.
    let far = castling(&format!("{pieces} w KQkq - 9999 999999"));
    assert_eq!((far.halfmove_clock(), far.fullmove_number()), (9_999, 999_999));
}

#[test]
fn x_fen_writes_files_only_for_inner_rooks() {
    let rights =
        |fen: &str, style| read::<Board8x8>(fen, KingRight::Castling).fen_rights(style).to_owned();
    let inner = "8/k7/8/8/8/8/8/4K1RR w G - 0 1";
    assert_eq!(rights(inner, FenStyle::XFen), "G");
    assert_eq!(rights(inner, FenStyle::Shredder), "G");
    let outer = "8/k7/8/8/8/8/8/4K1RR w H - 0 1";
    assert_eq!(rights(outer, FenStyle::XFen), "K");
    assert_eq!(rights(outer, FenStyle::Shredder), "H");
    assert_eq!(rights("8/k7/8/8/8/8/8/4K1RR w K - 0 1", FenStyle::Shredder), "H");
    // `Q` means any rook to the left of the king, even one on the f-file.
    assert_eq!(rights("8/k7/8/8/8/8/8/5RKR w KQ - 0 1", FenStyle::Shredder), "HF");
    assert_eq!(rights("8/k7/8/8/8/8/8/1RR3KR w C - 0 1", FenStyle::XFen), "C");
    // A rook on the other side of the king does not count.
    assert_eq!(rights("8/k7/8/8/8/8/8/1RK2R1R w KQ - 0 1", FenStyle::Shredder), "HB");
}

#[test]
fn an_en_passant_square_is_kept_only_if_a_capture_is_legal() {
    let square = |fen: &str| read::<Board8x8>(fen, KingRight::Castling).en_passant();
    let none = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", // no pawn can capture
        "8/8/8/K2pP2q/8/8/8/7k w - d6 0 1",                            // rules.md, row 33
        "4b2k/8/8/3pP3/K7/8/8/8 w - d6 0 1",                           // row 36
        "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",                          // row 37
        "6bk/8/8/3pP3/8/8/K7/8 w - d6 0 1",                            // row 38
    ];
    for fen in none {
        assert_eq!(square(fen), None, "{fen}");
    }
    let some = [
        ("7k/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1", "f6"), // row 34
        ("7k/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "d6"),   // row 35
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "e3"),
    ];
    for (fen, name) in some {
        assert_eq!(square(fen).map(|square| square.to_string()).as_deref(), Some(name), "{fen}");
    }
}

/// Reads any text as a FEN for both boards and every kind of right. An accepted position must be
/// consistent.
fn assert_harmless(text: &str) -> Result<(), TestCaseError> {
    for right in KINDS {
        assert_sound::<Board8x8>(text, right)?;
        assert_sound::<Board10x10>(text, right)?;
    }
    Ok(())
}

fn assert_sound<G: Board>(text: &str, right: KingRight) -> Result<(), TestCaseError> {
    match Position::<G>::from_fen(text, right) {
        Err(error) => prop_assert!(!error.to_string().is_empty()),
        Ok(position) => {
            assert_round_trip(&position, right);
            for mv in position.legal_moves() {
                let next = position.after(mv);
                let king = next.king(!next.side_to_move());
                let attacked = next.is_attacked(next.side_to_move(), king, next.occupied());
                prop_assert!(!attacked, "{mv:?} in {text}");
                assert_round_trip(&next, right);
            }
        }
    }
    Ok(())
}

/// Returns a proptest strategy: FENs of the data files with a few characters replaced, removed, inserted or
/// swapped.
fn mutated_fen() -> impl Strategy<Value = String> {
    let fens: Vec<String> = common::data_fens().into_iter().map(|(_, fen)| fen).collect();
    let letter = prop::sample::select(
        "pnbrqkPNBRQK0123456789/ -wbabcdefghijABCDEFGHIJ+é".chars().collect::<Vec<_>>(),
    );
    let edit = (0..4_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>(), letter);
    (prop::sample::select(fens), prop::collection::vec(edit, 1..4)).prop_map(|(fen, edits)| {
        let mut text: Vec<char> = fen.chars().collect();
        for (kind, at, other, letter) in edits {
            if text.is_empty() {
                break;
            }
            let (at, other) = (at.index(text.len()), other.index(text.len()));
            match kind {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                2 => drop(text.remove(at)),
                _ => text.swap(at, other),
            }
        }
        text.into_iter().collect()
    })
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn any_text_is_harmless(text in "\\PC{0,60}|[ -~\\n\\t]{0,90}") {
        assert_harmless(&text)?;
    }

    #[test]
    fn text_that_looks_like_a_fen_is_harmless(
        text in "([1-8pnbrqkPNBRQK]{1,8}/){7}[1-8pnbrqkPNBRQK]{1,8} [wb] [KQkqA-Ja-j-]{1,4} ([a-j][0-9]{1,2}|-) [0-9]{0,5} [0-9]{0,7}"
    ) {
        assert_harmless(&text)?;
    }

    #[test]
    fn mutated_fens_are_harmless(text in mutated_fen()) {
        assert_harmless(&text)?;
    }
}

/// Tests random placements, many of which are illegal positions.
#[test]
fn random_placements_are_harmless() {
    let mut random = Random::new(3);
    let mut accepted = 0;
    for round in 0..6_000 {
        let kind = KINDS[round % 3];
        let text = common::random_placement::<Board8x8>(&mut random, kind);
        accepted += usize::from(Position::<Board8x8>::from_fen(&text, kind).is_ok());
        assert_harmless(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    assert!((500..5_500).contains(&accepted), "{accepted}");
}
