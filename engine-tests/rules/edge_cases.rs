//! Tests of edge cases of the rules (see `data/README.md`), of position keys for repetitions, and of draws
//! that do not depend on earlier positions.

use crate::common;
use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::notation::uci;
use aleator::position::{FenStyle, Position, perft::perft};
use aleator::rules::KingRight;

/// Returns the legal moves in UCI notation, sorted. Castling is written as king takes rook.
fn moves<G: Board>(position: &Position<G>) -> Vec<String> {
    let mut texts: Vec<String> =
        position.legal_moves().into_iter().map(|mv| uci(position, mv, true)).collect();
    texts.sort();
    texts
}

/// Returns the position after the move with the given text, or `None` if the move is illegal.
fn after<G: Board>(position: &Position<G>, text: &str) -> Option<Position<G>> {
    let moves = position.legal_moves();
    moves.into_iter().find(|&mv| uci(position, mv, true) == text).map(|mv| position.after(mv))
}

fn read<G: Board>(fen: &str, right: KingRight) -> Position<G> {
    Position::from_fen(fen, right).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Checks the legal moves, the move and the perft counts in a row of `edge-cases.jsonl`.
fn check_json<G: Board>(row: &serde_json::Value, right: KingRight) {
    let text = |key: &str| row[key].as_str().unwrap();
    let (fen, mv) = (text("fen"), text("move"));
    let what = format!("{mv} in {fen}: {}", text("why"));
    let position = read::<G>(fen, right);
    let mut expected: Vec<&str> =
        row["legal_moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    expected.sort_unstable();
    assert_eq!(moves(&position), expected, "{what}");

    let legal = row["legal"].as_bool().unwrap();
    let next = after(&position, mv);
    assert_eq!(next.is_some(), legal, "{what}");
    // Only a row whose move is legal can have a FEN after the move, and not every such row has one.
    assert!(legal || row["fen_after"].is_null(), "{what}");
    if let (Some(next), Some(fen_after)) = (next, row["fen_after"].as_str()) {
        assert_eq!(next.fen(FenStyle::XFen), fen_after, "{what}");
        assert_eq!(next, read(fen_after, right), "{what}");
    }
    let counts = row["perft"].as_array().unwrap();
    assert!(counts.len() >= 3, "{what}");
    for (depth, nodes) in (1..).zip(counts) {
        assert_eq!(perft(&position, depth), nodes.as_u64().unwrap(), "perft {depth}: {what}");
    }
}

#[test]
fn edge_cases_of_the_jsonl_file() {
    let mut rows = 0;
    for line in common::read("perft/edge-cases.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        if row["fen"].as_str().unwrap().contains('[') {
            continue; // a placement phase, tested in `setup.rs`
        }
        match common::variant(row["variant"].as_str().unwrap()) {
            (right, false) => check_json::<Board8x8>(&row, right),
            (right, true) => check_json::<Board10x10>(&row, right),
        }
        rows += 1;
    }
    assert_eq!(rows, 44);
}

/// Checks whether a move is legal or illegal as expected. The FEN of the position after a legal move must
/// round-trip.
fn check_legality<G: Board>(fen: &str, right: KingRight, mv: &str, legal: bool, what: &str) {
    let position = read::<G>(fen, right);
    let next = after(&position, mv);
    assert_eq!(next.is_some(), legal, "{what}\nlegal are {:?}", moves(&position));
    if let Some(next) = next {
        for style in [FenStyle::XFen, FenStyle::Shredder] {
            assert_eq!(read::<G>(&next.fen(style), right), next, "{what}");
        }
    }
}

#[test]
fn edge_cases_of_the_table() {
    let mut checked = 0;
    let mut rows = std::collections::BTreeSet::new();
    for line in common::read("edge-cases.tsv").lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [number, variant, fen, mv, expected, why] = columns[..] else {
            panic!("six columns expected: {line}");
        };
        let what = format!("row {number}: {mv} should be {expected} in {fen}: {why}");
        let legal = match expected {
            "legal" => true,
            "illegal" => false,
            _ => panic!("{what}"),
        };
        match common::variant(variant) {
            (right, false) => check_legality::<Board8x8>(fen, right, mv, legal, &what),
            (right, true) => check_legality::<Board10x10>(fen, right, mv, legal, &what),
        }
        checked += 1;
        rows.insert(number.parse::<u32>().unwrap());
    }
    assert_eq!(checked, 92);
    assert!(rows.into_iter().eq(1..=83));
}

/// Plays moves in UCI notation from a FEN. Returns the final position.
fn game<G: Board>(fen: &str, right: KingRight, moves: &str) -> Position<G> {
    moves.split_whitespace().fold(read(fen, right), |position, mv| {
        after(&position, mv).unwrap_or_else(|| panic!("{mv} is illegal in {position:?}"))
    })
}

const CLASSICAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn moves_remove_rights() {
    let rights = |fen: &str, moves: &str| {
        game::<Board8x8>(fen, KingRight::Castling, moves).fen_rights(FenStyle::Shredder)
    };
    let open = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1";
    assert_eq!(rights(open, ""), "HAha");
    assert_eq!(rights(open, "e1h1"), "ha");
    assert_eq!(rights(open, "e1a1"), "ha");
    assert_eq!(rights(open, "e1e2"), "ha");
    assert_eq!(rights(open, "a1b1"), "Hha");
    assert_eq!(rights(open, "h1h8"), "Aa"); // rook captures rook: each side loses a right
    assert_eq!(rights(open, "a1a2 e8h8"), "H");
    // A rook that returns to its square has still moved.
    assert_eq!(rights(open, "a1a2 h8h7 a2a1 h7h8"), "Ha");
    // Rows 31, 32 and 65 of the table.
    assert_eq!(rights("r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "b7a8n"), "-");
    assert_eq!(rights("8/k7/8/8/8/8/8/3RK2R w KQ - 0 1", "d1d2"), "H");
    // Castling does not reset the halfmove clock.
    let castled = game::<Board8x8>(open, KingRight::Castling, "e1h1 e8a8");
    assert_eq!((castled.halfmove_clock(), castled.fullmove_number()), (2, 2));

    let jepps = |moves: &str| {
        let position =
            game::<Board8x8>("4k3/8/8/8/8/8/8/R3K2R w Kk - 0 1", KingRight::Relocation, moves);
        position.fen_rights(FenStyle::XFen)
    };
    assert_eq!(jepps("a1a5"), "Kk"); // row 82
    assert_eq!(jepps("e1f1"), "k"); // row 74
    assert_eq!(jepps("e1g1 e8c8"), "-");
}

#[test]
fn keys_are_equal_for_positions_that_count_as_repetitions() {
    let key = |moves: &str| game::<Board8x8>(CLASSICAL, KingRight::Castling, moves).key();
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    assert_eq!(key(""), key(shuffle));
    assert_eq!(key(""), key(&format!("{shuffle} {shuffle}")));
    assert_ne!(key(""), key("g1f3 g8f6 f3g1"), "the other side is to move");
    // Transpositions have the same key.
    assert_eq!(key("e2e3 e7e6 d2d3 d7d6"), key("d2d3 d7d6 e2e3 e7e6"));
    // If castling rights are lost, the position is different.
    let king_walk = "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8";
    assert_ne!(key("e2e4 e7e5"), key(king_walk));
    assert_eq!(key(king_walk), key(&format!("{king_walk} {shuffle}")));
    // If an en passant capture is possible, the position is different.
    let possible = "e2e4 a7a6 e4e5 d7d5";
    assert_ne!(key(possible), key(&format!("{possible} {shuffle}")));
    // After a double step without a possible en passant capture, the position is the same.
    let impossible = "e2e4 a7a6 e4e5 b7b5";
    assert_eq!(key(impossible), key(&format!("{impossible} {shuffle}")));
    // The position is also the same if a pin forbids the capture (row 33 of the table, one ply earlier).
    let pinned = |moves: &str| {
        let fen = "8/3p4/8/K3P2q/8/8/8/7k b - - 0 1";
        game::<Board8x8>(fen, KingRight::Castling, moves)
    };
    assert_eq!(pinned("d7d5").en_passant(), None);
    assert_eq!(pinned("d7d5").key(), pinned("d7d5 a5a4 h1g1 a4a5 g1h1").key());
}

#[test]
fn fifty_moves() {
    fn is_draw<G: Board>(fen: &str, moves: &str) -> bool {
        game::<G>(fen, KingRight::Castling, moves).is_fifty_moves()
    }
    let before = "7k/8/5K2/8/8/8/8/R7 w - - 98 80";
    assert!(!is_draw::<Board8x8>(before, ""));
    assert!(!is_draw::<Board8x8>(before, "a1b1"));
    assert!(is_draw::<Board8x8>(before, "a1b1 h8h7"));
    // Captures and pawn moves reset the clock.
    assert!(!is_draw::<Board8x8>("7k/8/5K2/8/8/8/P7/R7 w - - 99 80", "a2a3"));
    assert!(is_draw::<Board8x8>("7k/8/5K2/8/8/8/P7/R7 w - - 99 80", "a1b1"));
    assert!(!is_draw::<Board8x8>("7k/8/5K2/8/n7/8/8/R7 w - - 99 80", "a1a4"));
    // Castling does not reset the clock.
    assert!(is_draw::<Board8x8>("7k/8/8/8/8/8/8/R3K3 w Q - 99 80", "e1a1"));
    // Mate on the hundredth ply takes precedence over the draw. A check that is not mate does not.
    let mate = game::<Board8x8>("7k/8/6K1/8/8/8/8/R7 w - - 99 80", KingRight::Castling, "a1a8");
    assert!(mate.in_check() && !mate.has_legal_move() && mate.halfmove_clock() == 100);
    assert!(!mate.is_fifty_moves());
    assert!(is_draw::<Board8x8>("7k/8/5K2/8/8/8/8/R7 w - - 99 80", "a1a8"));
    let ten = "9k/10/7K2/10/10/10/10/10/R9/10 w - - 99 80";
    assert!(!is_draw::<Board10x10>(ten, ""));
    assert!(is_draw::<Board10x10>(ten, "a2a3"));
    assert!(!is_draw::<Board10x10>("9k/10/7K2/10/10/10/10/P9/R9/10 w - - 99 80", "a3a5"));
}

#[test]
fn insufficient_material() {
    fn is_draw<G: Board>(fen: &str) -> bool {
        read::<G>(&format!("{fen} w - - 0 1"), KingRight::Castling).is_insufficient_material()
    }
    let drawn = [
        "k7/8/8/8/8/8/8/7K",
        "k7/8/8/8/8/8/8/6NK",
        "k7/8/8/8/8/8/8/6BK",
        "kn6/8/8/8/8/8/8/7K",
        "kb6/8/8/8/8/8/8/7K",
        "kb6/8/8/8/8/8/8/2B4K",      // both on dark squares
        "k1b1b3/8/8/8/8/8/8/1B1B3K", // all four on light squares
    ];
    for fen in drawn {
        assert!(is_draw::<Board8x8>(fen), "{fen}");
    }
    let open = [
        "k7/8/8/8/8/8/P7/7K",
        "k7/8/8/8/8/8/8/6RK",
        "k7/8/8/8/8/8/8/6QK",
        "k7/8/8/8/8/8/8/5NNK", // a helpmate is possible
        "kn6/8/8/8/8/8/8/6NK",
        "kn6/8/8/8/8/8/8/6BK",
        "kb6/8/8/8/8/8/8/6NK",
        "kb6/8/8/8/8/8/8/1B5K", // bishops on different colours
        "k7/8/8/8/8/8/8/5BBK",
    ];
    for fen in open {
        assert!(!is_draw::<Board8x8>(fen), "{fen}");
    }
    let ranks = "10/10/10/10/10/10/10/10";
    for (first, last, drawn) in [
        ("k9", "9K", true),
        ("k9", "8NK", true),
        ("k9", "8BK", true),
        ("kb8", "B8K", true), // b10 and a1 are both dark
        ("kb8", "1B7K", false),
        ("k9", "7NNK", false),
        ("k9", "8RK", false),
    ] {
        let fen = format!("{first}/{ranks}/{last}");
        assert_eq!(is_draw::<Board10x10>(&fen), drawn, "{fen}");
    }
}
