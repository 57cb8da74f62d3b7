//! Tests of the errors for texts that are not legal moves.

use super::tests::{jepps, on8};
use super::*;

/// Returns the reason why a move in UCI notation is illegal.
fn reason<G: Board>(position: &Position<G>, text: &str) -> Illegality {
    match parse_uci(position, text) {
        Err(MoveError::Illegal { text: named, reason }) => {
            assert_eq!(named, text);
            reason
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn texts_that_are_not_moves_are_unreadable() {
    let position = on8("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    for text in
        ["", "e2", "e2e9", "i2i4", "e2e4x", "e2e4qq", "0000", "e2-e4", "(none)", "é2e4", "O-O-O-O"]
    {
        let error = parse_uci(&position, text).unwrap_err();
        assert!(matches!(&error, MoveError::Unreadable { text: named, .. } if named == text));
        let error = error.to_string();
        assert!(error.contains(&format!("'{text}'")) && error.contains("a1 to h8"), "{error}");
    }
    for text in ["", "N", "Nf", "f9", "Xe4", "exd", "N9f3", "Ni1f3", "é4", "Kéé1", "e4=é", "=Q"]
    {
        let error = parse_san(&position, text).unwrap_err();
        assert!(
            matches!(&error, MoveError::Unreadable { text: named, .. } if named == text),
            "{text}"
        );
    }
    let long = "é".repeat(1 << 20);
    assert!(parse_uci(&position, &long).unwrap_err().to_string().len() < 300);
    assert!(parse_san(&position, &long).unwrap_err().to_string().len() < 300);
    assert!(matches!(parse_uci(&position, "e2e2"), Err(MoveError::Unreadable { .. })));
}

#[test]
fn moves_from_empty_squares_and_of_the_other_side_are_explained() {
    let position = on8("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(
        parse_uci(&position, "e3e4").unwrap_err().to_string(),
        "'e3e4' is illegal: there is no piece on e3"
    );
    assert_eq!(
        parse_uci(&position, "e8e7").unwrap_err().to_string(),
        "'e8e7' is illegal: the king on e8 is Black's, but White is to move"
    );
}

#[test]
fn reasons_of_pieces() {
    let position = on8("4r2k/8/8/3pP3/4N3/8/P3B3/R3K3 w - - 0 1");
    let (movement, blocked) = (
        Illegality::Movement { role: Role::Rook, from: "a1".into(), to: "b3".into() },
        Illegality::Blocked { role: Role::Rook, square: "a2".into() },
    );
    assert_eq!(reason(&position, "a1b3"), movement);
    assert_eq!(reason(&position, "a1a5"), blocked);
    assert_eq!(
        reason(&position, "a1a2"),
        Illegality::OwnPiece { role: Role::Pawn, square: "a2".into() }
    );
    assert_eq!(reason(&position, "a2b3"), Illegality::NothingToTake { square: "b3".into() });
    assert_eq!(reason(&position, "e5d6"), Illegality::NothingToTake { square: "d6".into() });
    assert!(matches!(reason(&position, "a2a5"), Illegality::Movement { .. }));
    assert_eq!(reason(&position, "a2a4q"), Illegality::PromotionSuperfluous { letter: 'q' });
    let pinned = on8("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1");
    assert_eq!(reason(&pinned, "e2c3"), Illegality::LeavesInCheck { king: "e1".into() });
    assert_eq!(
        reason(&pinned, "e1e3"),
        Illegality::Movement { role: Role::King, from: "e1".into(), to: "e3".into() }
    );
    let exposed = on8("3r3k/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(reason(&exposed, "e1d2"), Illegality::KingAttacked { square: "d2".into() });
    let en_passant = on8("8/8/8/K2pP2q/8/8/8/7k w - d6 0 1");
    // No en passant capture is legal, so the position does not even store the square.
    assert!(matches!(reason(&en_passant, "e5d6"), Illegality::NothingToTake { .. }));
}

#[test]
fn reasons_of_promotions() {
    let position = on8("7k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    let missing = Illegality::PromotionMissing { square: "e8".into(), example: "e7e8q".into() };
    assert_eq!(reason(&position, "e7e8"), missing);
    assert_eq!(reason(&position, "e7e8k"), Illegality::PromotionRole { letter: 'k' });
    assert_eq!(
        parse_san(&position, "e8"),
        Err(MoveError::Illegal { text: "e8".into(), reason: missing })
    );
    assert_eq!(reason(&position, "e7d8q"), Illegality::NothingToTake { square: "d8".into() });
}

#[test]
fn reasons_of_castling() {
    let blocked = |square: &str| Illegality::CastlingBlocked { square: square.into() };
    let attacked = |square: &str| Illegality::CastlingAttacked { square: square.into() };
    let on_target = |square: &str| Illegality::KingAttacked { square: square.into() };
    let cases = [
        ("k7/8/8/8/8/8/8/4K2R w - - 0 1", Illegality::NoRight { color: Color::White }),
        ("k3r3/8/8/8/8/8/8/4K2R w H - 0 1", Illegality::CastlingInCheck),
        ("k7/8/8/8/8/8/8/4K1NR w H - 0 1", blocked("g1")),
        ("k4r2/8/8/8/8/8/8/4K2R w H - 0 1", attacked("f1")),
        ("k5r1/8/8/8/8/8/8/4K2R w H - 0 1", on_target("g1")),
    ];
    for (fen, expected) in cases {
        for text in ["e1h1", "e1g1", "O-O"] {
            assert_eq!(reason(&on8(fen), text), expected, "{text} in {fen}");
        }
    }
    let uncovered = on8("7k/8/8/8/8/8/8/qRK5 w B - 0 1");
    assert_eq!(reason(&uncovered, "c1b1"), on_target("c1"));
}

#[test]
fn reasons_of_relocation() {
    let position = jepps("5r1k/8/8/8/8/8/8/n3K3 w K - 0 1");
    assert_eq!(reason(&position, "e1g1"), Illegality::CastlingAttacked { square: "f1".into() });
    assert!(matches!(reason(&position, "e1b1"), Illegality::RelocationOdd { .. }));
    assert_eq!(reason(&position, "e1a1"), Illegality::CastlingBlocked { square: "a1".into() });
    let free = jepps("6k1/8/8/8/8/8/8/R3K2R w K - 0 1");
    let relocates = |color, example| Illegality::RelocatesInstead { color, example };
    assert_eq!(reason(&free, "O-O"), relocates(Color::White, "Kg1"));
    let black = jepps("4k3/8/8/8/8/8/8/6K1 b k - 0 1");
    assert_eq!(reason(&black, "O-O-O"), relocates(Color::Black, "Kc8"));
    let target = jepps("6rk/8/8/8/8/8/8/4K3 w K - 0 1");
    assert_eq!(reason(&target, "e1g1"), Illegality::KingAttacked { square: "g1".into() });
    let check = jepps("4r2k/8/8/8/8/8/8/4K3 w K - 0 1");
    assert_eq!(reason(&check, "e1g1"), Illegality::CastlingInCheck);
    let gone = jepps("7k/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(reason(&gone, "e1g1"), Illegality::NoRight { color: Color::White });
}

#[test]
fn reasons_in_san() {
    let position = on8("4r2k/8/8/8/4N3/2N5/8/4K3 w - - 0 1");
    let say = |text| parse_san(&position, text).unwrap_err().to_string();
    assert_eq!(say("Nd6"), "'Nd6' is illegal: the move leaves the king on e1 in check");
    assert_eq!(say("Qd6"), "'Qd6' is illegal: White has no queen that can move to d6");
    assert_eq!(say("Nh8"), "'Nh8' is illegal: White has no knight that can move to h8");
    assert_eq!(say("Ncd4"), "'Ncd4' is illegal: a knight does not move from c3 to d4");
    assert_eq!(say("Ne4"), "'Ne4' is illegal: e4 is occupied by a knight of the same colour");
    let twins = on8("7k/8/8/8/8/5N2/8/KN6 w - - 0 1");
    let error = parse_san(&twins, "Nd2").unwrap_err();
    assert_eq!(error.to_string(), "'Nd2' is ambiguous; it could be Nbd2 or Nfd2");
    let pawns = on8("3n3k/2P1P3/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(
        parse_san(&pawns, "xd8").unwrap_err().to_string(),
        "'xd8' is illegal: White has no pawn that can move to d8"
    );
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,12}", near in "[a-j0-9KQRBNPqrbnkOo=x+#!?(). -]{0,10}") {
        let position = on8("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
        for text in [text, near] {
            for mv in [parse_uci(&position, &text), parse_san(&position, &text)].into_iter().flatten() {
                proptest::prop_assert!(position.is_legal(mv), "{}", text);
            }
        }
    }
}
