//! FEN: what is written is read again, every defect has its error, and no text does harm.

mod common;

use std::collections::BTreeSet;

use aleator::attacks::Board;
use aleator::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use aleator::geometry::Board10x10;
use aleator::position::{FenError, FenStyle, Position};
use aleator::rules::KingRight;
use aleator::types::{Color, Role};
use common::Random;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const STYLES: [FenStyle; 2] = [FenStyle::XFen, FenStyle::Shredder];
const KINDS: [KingRight; 3] = [KingRight::Castling, KingRight::Relocation, KingRight::None];
const CLASSICAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn read<G: Board>(fen: &str, right: KingRight) -> Position<G> {
    Position::from_fen(fen, right).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Writes a position in both styles and reads it again.
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
    // The flip gives White's number of the move to Black; apart from that it is its own inverse.
    assert_eq!(&read::<G>(&mirror.flipped_fen(), right), position, "{flipped}");
}

/// Whether a pawn can really take on the en-passant square: it lands there on an empty square.
fn has_en_passant_capture<G: Board>(position: &Position<G>) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        position.moved_piece(mv).role() == Role::Pawn
            && from.file() != to.file()
            && position.piece_at(to).is_none()
    })
}

/// Reads a FEN of the data files and compares what is written with the text itself.
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
            #[cfg(feature = "board10x10")]
            (right, true) => {
                check_data_fen::<Board10x10>(&fen, right);
                ten += 1;
            }
            #[cfg(not(feature = "board10x10"))]
            _ => ten += 1,
        }
    }
    assert!(eight > 200 && ten > 90, "{eight} and {ten}");
}

/// Round trips through random games and random placements.
fn random_round_trips<G: Board>(seed: u64) {
    let mut random = Random(seed);
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

#[cfg(feature = "board10x10")]
#[test]
fn random_positions_round_trip_10x10() {
    random_round_trips::<Board10x10>(2);
}

#[test]
fn what_is_left_out_is_understood() {
    let castling = |fen: &str| read::<Board8x8>(fen, KingRight::Castling);
    let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(castling(&format!("{pieces} w")).fen(FenStyle::XFen), format!("{pieces} w - - 0 1"));
    assert_eq!(castling(&format!("{pieces} b KQkq")), castling(&format!("{pieces} b KQkq - 0 1")));
    assert_eq!(castling(&format!("{pieces} w KQkq -")), castling(CLASSICAL));
    assert_eq!(castling(&format!("{pieces} w KQkq - 7")).halfmove_clock(), 7);
    assert_eq!(castling(&format!("{pieces} w KQkq - - -")), castling(CLASSICAL));
    // Move number 0 is common in the wild.
    assert_eq!(castling(&format!("{pieces} w KQkq - 0 0")), castling(CLASSICAL));
    // White space of any kind and amount.
    assert_eq!(castling(&format!("  {pieces}\tw   KQkq -  0 1 \r\n")), castling(CLASSICAL));
    // The order of rights is free, and both styles are read.
    for rights in ["qkQK", "HAha", "ahAH", "KAhq"] {
        assert_eq!(castling(&format!("{pieces} w {rights} - 0 1")), castling(CLASSICAL));
    }
    assert_eq!(
        read::<Board8x8>(&format!("{pieces} w kK - 0 1"), KingRight::Relocation)
            .fen_rights(FenStyle::Shredder),
        "Kk"
    );
    // The largest clocks.
    let far = castling(&format!("{pieces} w KQkq - 9999 999999"));
    assert_eq!((far.halfmove_clock(), far.fullmove_number()), (9_999, 999_999));
}

#[test]
fn x_fen_names_the_file_of_an_inner_rook_only() {
    let rights =
        |fen: &str, style| read::<Board8x8>(fen, KingRight::Castling).fen_rights(style).to_owned();
    let inner = "8/k7/8/8/8/8/8/4K1RR w G - 0 1";
    assert_eq!(rights(inner, FenStyle::XFen), "G");
    assert_eq!(rights(inner, FenStyle::Shredder), "G");
    let outer = "8/k7/8/8/8/8/8/4K1RR w H - 0 1";
    assert_eq!(rights(outer, FenStyle::XFen), "K");
    assert_eq!(rights(outer, FenStyle::Shredder), "H");
    assert_eq!(rights("8/k7/8/8/8/8/8/4K1RR w K - 0 1", FenStyle::Shredder), "H");
    // `Q` may be a rook beside the h-file if the king stands there.
    assert_eq!(rights("8/k7/8/8/8/8/8/5RKR w KQ - 0 1", FenStyle::Shredder), "HF");
    assert_eq!(rights("8/k7/8/8/8/8/8/1RR3KR w C - 0 1", FenStyle::XFen), "C");
    // A rook beyond the king is no rival.
    assert_eq!(rights("8/k7/8/8/8/8/8/1RK2R1R w KQ - 0 1", FenStyle::Shredder), "HB");
}

#[test]
fn an_en_passant_square_is_written_only_if_a_capture_is_legal() {
    let square = |fen: &str| read::<Board8x8>(fen, KingRight::Castling).en_passant();
    let none = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", // no pawn there
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

/// The name of each error. No wildcard: a new one must be added here, and to [`DEFECTS`].
fn name(error: &FenError) -> &'static str {
    match error {
        FenError::Empty => "Empty",
        FenError::TooManyFields { .. } => "TooManyFields",
        FenError::RankCount { .. } => "RankCount",
        FenError::RankWidth { .. } => "RankWidth",
        FenError::PieceLetter { .. } => "PieceLetter",
        FenError::EmptyRun { .. } => "EmptyRun",
        FenError::KingCount { .. } => "KingCount",
        FenError::PawnOnLastRank { .. } => "PawnOnLastRank",
        FenError::TooManyPieces { .. } => "TooManyPieces",
        FenError::MissingSide => "MissingSide",
        FenError::Side { .. } => "Side",
        FenError::OpponentInCheck { .. } => "OpponentInCheck",
        FenError::CastlingLetter { .. } => "CastlingLetter",
        FenError::CastlingKing { .. } => "CastlingKing",
        FenError::CastlingRook { .. } => "CastlingRook",
        FenError::CastlingTwice { .. } => "CastlingTwice",
        FenError::RelocationLetter { .. } => "RelocationLetter",
        FenError::RelocationKing { .. } => "RelocationKing",
        FenError::NoRights { .. } => "NoRights",
        FenError::EnPassantSquare { .. } => "EnPassantSquare",
        FenError::EnPassantRank { .. } => "EnPassantRank",
        FenError::EnPassantPawn { .. } => "EnPassantPawn",
        FenError::EnPassantBlocked { .. } => "EnPassantBlocked",
        FenError::HalfmoveClock { .. } => "HalfmoveClock",
        FenError::FullmoveNumber { .. } => "FullmoveNumber",
    }
}

const ERRORS: usize = 25;

/// A defect: the FEN, the error in full, and what its message must say for the reader to find it.
type Defect = (&'static str, KingRight, FenError, &'static [&'static str]);

fn defects_of_pieces() -> Vec<Defect> {
    use FenError::*;
    use KingRight::Castling;
    vec![
        ("", Castling, Empty, &["empty"]),
        (" \t ", Castling, Empty, &["empty"]),
        ("8/8/8/8/8/8/8 w - - 0 1", Castling, RankCount { expected: 8, found: 7 }, &["8", "7"]),
        ("k7/8/8/8/8/8/8/8/K7 w", Castling, RankCount { expected: 8, found: 9 }, &["8", "9"]),
        ("k7/8/8/8/8/8/8/K7/ w", Castling, RankCount { expected: 8, found: 9 }, &["9"]),
        (
            "k7/8/8/8/7/8/8/K7 w",
            Castling,
            RankWidth { rank: 4, expected: 8, found: 7 },
            &["rank 4", "7", "8"],
        ),
        (
            "k7/8/8/8/8/8/ppp6/K7 w",
            Castling,
            RankWidth { rank: 2, expected: 8, found: 9 },
            &["rank 2", "9"],
        ),
        ("k7//8/8/8/8/8/K7 w", Castling, RankWidth { rank: 7, expected: 8, found: 0 }, &["rank 7"]),
        (
            "k7/8/3x4/8/8/8/8/K7 w",
            Castling,
            PieceLetter { letter: 'x', rank: 6 },
            &["'x'", "rank 6"],
        ),
        ("k7/8/8/8/8/8/8/K6♔ w", Castling, PieceLetter { letter: '♔', rank: 1 }, &["♔", "rank 1"]),
        (
            "k7/8/8/9/8/8/8/K7 w",
            Castling,
            EmptyRun { text: "9".into(), rank: 5, width: 8 },
            &["'9'", "rank 5", "8"],
        ),
        (
            "k7/8/8/0p7/8/8/8/K7 w",
            Castling,
            EmptyRun { text: "0".into(), rank: 5, width: 8 },
            &["'0'", "rank 5"],
        ),
        (
            "k7/8/8/8/99999999999999999999/8/8/K7 w",
            Castling,
            EmptyRun { text: "99999999999999999999".into(), rank: 4, width: 8 },
            &["'99999999999999999999'"],
        ),
        (
            "8/8/8/8/8/8/8/K7 w - - 0 1",
            Castling,
            KingCount { color: Color::Black, found: 0 },
            &["Black", "0"],
        ),
        (
            "k7/8/8/8/8/8/8/K6K w - - 0 1",
            Castling,
            KingCount { color: Color::White, found: 2 },
            &["White", "2"],
        ),
        (
            "k3P3/8/8/8/8/8/8/K7 w - - 0 1",
            Castling,
            PawnOnLastRank { square: "e8".into() },
            &["e8"],
        ),
        (
            "k7/8/8/8/8/8/8/K2p4 w - - 0 1",
            Castling,
            PawnOnLastRank { square: "d1".into() },
            &["d1"],
        ),
        (
            "k7/8/8/8/8/P7/PPPPPPPP/KNNNNNNN w - - 0 1",
            Castling,
            TooManyPieces { color: Color::White, found: 17 },
            &["White", "17", "16"],
        ),
    ]
}

fn defects_of_side_and_clocks() -> Vec<Defect> {
    use FenError::*;
    use KingRight::Castling;
    vec![
        ("k7/8/8/8/8/8/8/K7", Castling, MissingSide, &["side to move"]),
        ("k7/8/8/8/8/8/8/K7 W - - 0 1", Castling, Side { found: "W".into() }, &["'W'"]),
        ("k7/8/8/8/8/8/8/K7 white", Castling, Side { found: "white".into() }, &["'white'"]),
        (
            "k7/8/8/8/8/8/8/K6r b - - 0 1",
            Castling,
            OpponentInCheck { to_move: Color::Black },
            &["White", "Black"],
        ),
        (
            "8/8/8/3kK3/8/8/8/8 w - - 0 1",
            Castling,
            OpponentInCheck { to_move: Color::White },
            &["Black", "White"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - x 1",
            Castling,
            HalfmoveClock { found: "x".into() },
            &["half-move", "'x'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - -1 1",
            Castling,
            HalfmoveClock { found: "-1".into() },
            &["half-move", "'-1'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 10000 1",
            Castling,
            HalfmoveClock { found: "10000".into() },
            &["'10000'", "9999"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1.5",
            Castling,
            FullmoveNumber { found: "1.5".into() },
            &["move number", "'1.5'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 99999999999999",
            Castling,
            FullmoveNumber { found: "99999999999999".into() },
            &["'99999999999999'", "999999"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1 e2e4",
            Castling,
            TooManyFields { extra: "e2e4".into() },
            &["'e2e4'"],
        ),
    ]
}

fn defects_of_rights() -> Vec<Defect> {
    use FenError::*;
    use KingRight::{Castling, None as NoRight, Relocation};
    let (white, black) = (Color::White, Color::Black);
    vec![
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQx - 0 1",
            Castling,
            CastlingLetter { letter: 'x' },
            &["'x'", "KQkq"],
        ),
        ("r3k2r/8/8/8/8/8/8/R3K2R w I - 0 1", Castling, CastlingLetter { letter: 'I' }, &["'I'"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w -K - 0 1", Castling, CastlingLetter { letter: '-' }, &["'-'"]),
        (
            "r3k2r/8/8/8/8/8/4K3/R6R w K - 0 1",
            Castling,
            CastlingKing { letter: 'K', color: white, king: "e2".into() },
            &["'K'", "White", "e2"],
        ),
        (
            "r6r/8/4k3/8/8/8/8/R3K2R w a - 0 1",
            Castling,
            CastlingKing { letter: 'a', color: black, king: "e6".into() },
            &["'a'", "Black", "e6"],
        ),
        (
            "r3k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            Castling,
            CastlingRook {
                letter: 'k',
                color: black,
                place: "on the far side of the king on e8".into(),
            },
            &["'k'", "Black", "e8"],
        ),
        (
            "r3k3/8/8/8/8/8/8/4K2R w Q - 0 1",
            Castling,
            CastlingRook {
                letter: 'Q',
                color: white,
                place: "on the a-side of the king on e1".into(),
            },
            &["'Q'", "White", "e1"],
        ),
        (
            "r3k3/8/8/8/8/8/8/R3K2R w G - 0 1",
            Castling,
            CastlingRook { letter: 'G', color: white, place: "on g1".into() },
            &["'G'", "White", "g1"],
        ),
        // The king's own file, and a rook that is the enemy's.
        (
            "r3k3/8/8/8/8/8/8/R3K2R w E - 0 1",
            Castling,
            CastlingRook { letter: 'E', color: white, place: "on e1".into() },
            &["'E'", "e1"],
        ),
        (
            "r3k2R/8/8/8/8/8/8/4K3 b h - 0 1",
            Castling,
            CastlingRook { letter: 'h', color: black, place: "on h8".into() },
            &["'h'", "Black", "h8"],
        ),
        (
            "4k3/8/8/8/8/8/8/R3K1RR w KG - 0 1",
            Castling,
            CastlingTwice { letter: 'G', color: white },
            &["'G'", "White"],
        ),
        (
            "r3k3/8/8/8/8/8/8/R3K2R w qq - 0 1",
            Castling,
            CastlingTwice { letter: 'q', color: black },
            &["'q'", "Black"],
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            Relocation,
            RelocationLetter { letter: 'Q' },
            &["'Q'", "'K'"],
        ),
        (
            "8/4k3/8/8/8/8/8/R3K2R w Kk - 0 1",
            Relocation,
            RelocationKing { letter: 'k', color: black, king: "e7".into() },
            &["'k'", "Black", "e7"],
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            NoRight,
            NoRights { found: "KQkq".into() },
            &["'KQkq'", "'-'"],
        ),
    ]
}

fn defects_of_en_passant() -> Vec<Defect> {
    use FenError::*;
    use KingRight::Castling;
    vec![
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e9 0 1",
            Castling,
            EnPassantSquare { found: "e9".into() },
            &["'e9'"],
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1",
            Castling,
            EnPassantSquare { found: "E3".into() },
            &["'E3'"],
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1",
            Castling,
            EnPassantRank { square: "e4".into(), to_move: Color::Black, rank: 3 },
            &["e4", "Black", "rank 3"],
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1",
            Castling,
            EnPassantRank { square: "e3".into(), to_move: Color::White, rank: 6 },
            &["e3", "White", "rank 6"],
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - c3 0 1",
            Castling,
            EnPassantPawn { square: "c3".into(), color: Color::White, pawn: "c4".into() },
            &["c3", "White", "c4"],
        ),
        (
            "4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1",
            Castling,
            EnPassantBlocked { square: "e3".into(), blocked: "e3".into() },
            &["e3"],
        ),
        (
            "4k3/8/8/8/3pP3/8/4B3/4K3 b - e3 0 1",
            Castling,
            EnPassantBlocked { square: "e3".into(), blocked: "e2".into() },
            &["e3", "e2"],
        ),
    ]
}

/// Reads a defective FEN and checks error and message.
fn assert_rejected<G: Board>((fen, right, error, says): &Defect) {
    let found = Position::<G>::from_fen(fen, *right).expect_err(fen);
    assert_eq!(&found, error, "{fen}");
    let message = found.to_string();
    for part in *says {
        assert!(message.contains(part), "{fen}: '{message}' does not say {part}");
    }
}

#[test]
fn every_defect_has_its_own_error() {
    let mut seen = BTreeSet::new();
    let defects = [
        defects_of_pieces(),
        defects_of_side_and_clocks(),
        defects_of_rights(),
        defects_of_en_passant(),
    ];
    for defect in defects.iter().flatten() {
        assert_rejected::<Board8x8>(defect);
        seen.insert(name(&defect.2));
    }
    assert_eq!(seen.len(), ERRORS, "{seen:?}");
}

#[cfg(feature = "board10x10")]
#[test]
fn the_ten_by_ten_board_has_limits_of_its_own() {
    use FenError::*;
    use KingRight::Castling;
    let defects: Vec<Defect> = vec![
        (CLASSICAL, Castling, RankCount { expected: 10, found: 8 }, &["10", "8"]),
        (
            "k9/10/10/10/11/10/10/10/10/K9 w",
            Castling,
            EmptyRun { text: "11".into(), rank: 6, width: 10 },
            &["'11'", "rank 6", "10"],
        ),
        (
            "k9/10/10/10/9/10/10/10/10/K9 w",
            Castling,
            RankWidth { rank: 6, expected: 10, found: 9 },
            &["rank 6", "9", "10"],
        ),
        (
            "kP8/10/10/10/10/10/10/10/10/K9 w",
            Castling,
            PawnOnLastRank { square: "b10".into() },
            &["b10"],
        ),
        (
            "k9/10/10/10/10/10/10/10/5K2R1/10 w J - 0 1",
            Castling,
            CastlingRook { letter: 'J', color: Color::White, place: "on j2".into() },
            &["'J'", "j2"],
        ),
        (
            "k9/10/10/10/10/10/10/10/10/1R3K2R1 w K - 0 1",
            Castling,
            CastlingKing { letter: 'K', color: Color::White, king: "f1".into() },
            &["f1"],
        ),
        (
            "9k/10/10/10/Pp8/10/10/10/5K4/10 w - b6 0 1",
            Castling,
            EnPassantRank { square: "b6".into(), to_move: Color::White, rank: 7 },
            &["b6", "rank 7"],
        ),
        (
            "9k/10/10/10/Pp8/10/10/10/5K4/10 w - k7 0 1",
            Castling,
            EnPassantSquare { found: "k7".into() },
            &["'k7'"],
        ),
    ];
    for defect in &defects {
        assert_rejected::<Board10x10>(defect);
    }
    // Pawns may stand on ranks 2 and 9, and the pieces' home rank is not the first.
    read::<Board10x10>("k9/9P/10/10/10/10/10/10/9p/K9 w - - 0 1", Castling);
    read::<Board10x10>("k9/10/10/10/10/10/10/10/5K2R1/10 w I - 0 1", Castling);
}

#[test]
fn errors_stay_short_whatever_was_written() {
    let long = "é".repeat(100_000);
    for fen in [
        format!("{long} w"),
        format!("k7/8/8/8/8/8/8/K7 {long}"),
        format!("k7/8/8/8/8/8/8/K7 w {long}"),
        format!("k7/8/8/8/8/8/8/K7 w - {long}"),
        format!("k7/8/8/8/8/8/8/K7 w - - {long}"),
        format!("k7/8/8/8/8/8/8/K7 w - - 0 {long}"),
        format!("k7/8/8/8/8/8/8/K7 w - - 0 1 {long}"),
        format!("{}/8/8/8/8/8/8/K7 w", "9".repeat(100_000)),
        format!("{}/8/8/8/8/8/8/K7 w", "p".repeat(100_000)),
        "/".repeat(1_000_000),
    ] {
        let error = Position::<Board8x8>::from_fen(&fen, KingRight::Castling).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }
}

/// Reads any text as a FEN of either board and every kind of right. What is accepted must be a
/// position that works.
fn assert_harmless(text: &str) -> Result<(), TestCaseError> {
    for right in KINDS {
        assert_sound::<Board8x8>(text, right)?;
        #[cfg(feature = "board10x10")]
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
                let taken = next.is_attacked(next.side_to_move(), king, next.occupied());
                prop_assert!(!taken, "{mv:?} in {text}");
                assert_round_trip(&next, right);
            }
        }
    }
    Ok(())
}

/// A FEN of the data files with a few characters replaced, taken out, put in or exchanged.
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

/// Positions thrown together, nearly all of which break some rule.
#[test]
fn random_placements_are_accepted_or_refused_but_never_harmful() {
    let mut random = Random(3);
    let mut accepted = 0;
    for round in 0..6_000 {
        let kind = KINDS[round % 3];
        let text = common::random_placement::<Board8x8>(&mut random, kind);
        accepted += usize::from(Position::<Board8x8>::from_fen(&text, kind).is_ok());
        assert_harmless(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    assert!((500..5_500).contains(&accepted), "{accepted}");
}
