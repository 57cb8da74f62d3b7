//! Tests that every defect of a FEN has a specific error that says where the defect is.

use std::collections::BTreeSet;

use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::position::{FenError, FieldError, Position};
use aleator::rules::KingRight;
use aleator::types::Color;

/// Returns the name of an error. The match has no wildcard, so a new error must be added here. Then also
/// change [`ERRORS`], and add an example to a list of defects.
fn name(error: &FenError) -> &'static str {
    match error {
        FenError::Field(FieldError::Empty) => "Empty",
        FenError::Field(FieldError::TooManyFields { .. }) => "TooManyFields",
        FenError::Field(FieldError::RankCount { .. }) => "RankCount",
        FenError::RankWidth { .. } => "RankWidth",
        FenError::PieceLetter { .. } => "PieceLetter",
        FenError::EmptyRun { .. } => "EmptyRun",
        FenError::KingCount { .. } => "KingCount",
        FenError::PawnOnLastRank { .. } => "PawnOnLastRank",
        FenError::TooManyPieces { .. } => "TooManyPieces",
        FenError::Field(FieldError::MissingSide) => "MissingSide",
        FenError::Field(FieldError::Side { .. }) => "Side",
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
        FenError::Field(FieldError::HalfmoveClock { .. }) => "HalfmoveClock",
        FenError::Field(FieldError::FullmoveNumber { .. }) => "FullmoveNumber",
    }
}

/// The number of different errors.
const ERRORS: usize = 25;

/// A defect: a FEN, the kind of right, the expected error, and parts that the error message must contain.
type Defect = (&'static str, KingRight, FenError, &'static [&'static str]);

fn defects_of_pieces() -> Vec<Defect> {
    use FenError::*;
    use FieldError::*;
    use KingRight::Castling;
    vec![
        ("", Castling, Field(Empty), &["empty"]),
        (" \t ", Castling, Field(Empty), &["empty"]),
        (
            "8/8/8/8/8/8/8 w - - 0 1",
            Castling,
            Field(RankCount { expected: 8, found: 7 }),
            &["8", "7"],
        ),
        (
            "k7/8/8/8/8/8/8/8/K7 w",
            Castling,
            Field(RankCount { expected: 8, found: 9 }),
            &["8", "9"],
        ),
        ("k7/8/8/8/8/8/8/K7/ w", Castling, Field(RankCount { expected: 8, found: 9 }), &["9"]),
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
    use FieldError::*;
    use KingRight::Castling;
    vec![
        ("k7/8/8/8/8/8/8/K7", Castling, Field(MissingSide), &["side to move"]),
        ("k7/8/8/8/8/8/8/K7 W - - 0 1", Castling, Field(Side { found: "W".into() }), &["'W'"]),
        ("k7/8/8/8/8/8/8/K7 white", Castling, Field(Side { found: "white".into() }), &["'white'"]),
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
            Field(HalfmoveClock { found: "x".into() }),
            &["halfmove clock", "'x'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - -1 1",
            Castling,
            Field(HalfmoveClock { found: "-1".into() }),
            &["halfmove clock", "'-1'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - +5 1",
            Castling,
            Field(HalfmoveClock { found: "+5".into() }),
            &["halfmove clock", "'+5'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 10000 1",
            Castling,
            Field(HalfmoveClock { found: "10000".into() }),
            &["'10000'", "9999"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1.5",
            Castling,
            Field(FullmoveNumber { found: "1.5".into() }),
            &["move number", "'1.5'"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 +1",
            Castling,
            Field(FullmoveNumber { found: "+1".into() }),
            &["move number", "'+1'", "1 to 999999"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 99999999999999",
            Castling,
            Field(FullmoveNumber { found: "99999999999999".into() }),
            &["'99999999999999'", "999999"],
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - 0 1 e2e4",
            Castling,
            Field(TooManyFields { extra: "e2e4".into() }),
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
                place: "on the h-side of the king on e8".into(),
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
        // A file on which the king stands, and a file with an enemy rook.
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

/// Reads a defective FEN and checks the error and its message.
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

#[test]
fn errors_on_the_10x10_board() {
    use FenError::*;
    use FieldError::*;
    use KingRight::Castling;
    let defects: Vec<Defect> = vec![
        (super::CLASSICAL, Castling, Field(RankCount { expected: 10, found: 8 }), &["10", "8"]),
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
    // Pawns may stand on ranks 2 and 9, and the home rank is the second.
    super::read::<Board10x10>("k9/9P/10/10/10/10/10/10/9p/K9 w - - 0 1", Castling);
    super::read::<Board10x10>("k9/10/10/10/10/10/10/10/5K2R1/10 w I - 0 1", Castling);
}

#[test]
fn errors_for_long_inputs_are_short() {
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
