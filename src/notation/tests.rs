use super::*;
use crate::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use crate::geometry::Board10x10;
use crate::position::FenStyle;
use crate::rules::KingRight;

fn position(fen: &str) -> Position<Board8x8> {
    Position::from_fen(fen, KingRight::Castling).unwrap()
}

/// A xorshift generator: tests must not depend on a random seed.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Every legal move of some random games is written and read back in every notation.
fn round_trips<G: Board>(fen: &str, right: KingRight, seed: u64) {
    let mut state = seed;
    for _ in 0..20 {
        let mut position = Position::<G>::from_fen(fen, right).unwrap();
        for _ in 0..120 {
            let moves = position.legal_moves();
            let mut names = std::collections::HashSet::new();
            for &mv in &moves {
                for chess960 in [false, true] {
                    let text = uci(&position, mv, chess960);
                    let read = parse_uci(&position, &text);
                    assert_eq!(read, Ok(mv), "{text} in {}", position.fen(FenStyle::Shredder));
                }
                let text = san(&position, mv);
                let read = parse_san(&position, &text);
                assert_eq!(read, Ok(mv), "{text} in {}", position.fen(FenStyle::Shredder));
                assert!(names.insert(text.clone()), "{text} twice");
            }
            if moves.is_empty() {
                break;
            }
            position.make(moves[random(&mut state) as usize % moves.len()]);
        }
    }
}

#[test]
fn moves_of_random_games_are_read_as_written() {
    use KingRight::{Castling, None, Relocation};
    let classical = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    round_trips::<Board8x8>(classical, Castling, 1);
    round_trips::<Board8x8>(&classical.replace("KQkq", "-"), None, 2);
    round_trips::<Board8x8>(&classical.replace("KQkq", "Kk"), Relocation, 3);
    let shuffled = "brkbnrnq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNQRN w GCfb - 0 1";
    round_trips::<Board8x8>(shuffled, Castling, 4);
    let open = "r3k2r/1P4P1/8/3NN3/3nn3/8/1p4p1/R3K2R w KQkq - 0 1";
    round_trips::<Board8x8>(open, Castling, 5);
    #[cfg(feature = "board10x10")]
    {
        let ifrc = "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1";
        round_trips::<Board10x10>(ifrc, Castling, 6);
        let open = "10/1r2k3r1/P8P/10/Q3q3Q1/10/10/p8p/1R2K3R1/10 w KQkq - 0 1";
        round_trips::<Board10x10>(open, Castling, 7);
    }
}

#[test]
fn castling_is_spelt_as_the_gui_wants() {
    let classical = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let short = parse_uci(&classical, "e1h1").unwrap();
    assert_eq!(uci(&classical, short, false), "e1g1");
    assert_eq!(uci(&classical, short, true), "e1h1");
    for text in ["e1g1", "O-O", "0-0", "E1G1", "o-o"] {
        assert_eq!(parse_uci(&classical, text), Ok(short), "{text}");
    }
    let long = parse_uci(&classical, "O-O-O").unwrap();
    assert_eq!(uci(&classical, long, false), "e1c1");
    // Off the orthodox squares there is only one way to write it.
    let shuffled = position("8/k7/8/8/8/8/8/1R1K2R1 w GB - 0 1");
    let short = parse_uci(&shuffled, "d1g1").unwrap();
    assert_eq!(uci(&shuffled, short, false), "d1g1");
    assert_eq!(parse_uci(&shuffled, "O-O-O").map(|mv| uci(&shuffled, mv, false)).unwrap(), "d1b1");
}

#[test]
fn an_ordinary_step_of_the_king_is_no_castling() {
    // rules.md, row 25: f1g1 is also where castling with h1 would take the king.
    let position = position("8/k7/8/8/8/8/8/5K1R w H - 0 1");
    let step = parse_uci(&position, "f1g1").unwrap();
    assert!(!position.is_castling(step));
    let castle = parse_uci(&position, "f1h1").unwrap();
    assert!(position.is_castling(castle));
}

#[test]
fn errors_say_why() {
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let error = |text: &str| parse_uci(&start, text).unwrap_err();
    assert!(matches!(error("hello"), MoveError::NotUci { .. }));
    assert!(matches!(error(""), MoveError::NotUci { .. }));
    assert!(matches!(error("e2e4x"), MoveError::NotUci { .. }));
    assert!(matches!(error("e2e9"), MoveError::NotUci { .. }));
    assert!(matches!(error("e4e5"), MoveError::NoPiece { .. }));
    assert!(matches!(error("e7e5"), MoveError::NotYours { .. }));
    assert!(matches!(error("e2e5"), MoveError::Illegal { .. }));
    assert!(matches!(error("e2e4q"), MoveError::PromotionNeedless { .. }));
    assert!(matches!(error("e1h1"), MoveError::Castling { .. }));
    assert!(matches!(error("O-O"), MoveError::Castling { .. }));
    assert!(error(&"é\u{0}".repeat(1000)).to_string().len() < 300);
    let pinned = position("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1");
    assert!(matches!(parse_uci(&pinned, "e2c3"), Err(MoveError::LeavesCheck { .. })));
    let promotion = position("7k/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert!(matches!(parse_uci(&promotion, "a7a8"), Err(MoveError::PromotionMissing { .. })));
    assert!(parse_uci(&promotion, "a7a8Q").is_ok());
    assert!(matches!(parse_uci(&promotion, "a7a8k"), Err(MoveError::NotUci { .. })));
}

#[test]
fn san_is_read_generously() {
    let start = position("r3k2r/1P4P1/8/3NN3/3nn3/8/1p4p1/R3K2R w KQkq - 0 1");
    for text in ["bxa8=Q", "bxa8=Q+", "ba8Q", "bxa8(Q)", "b7xa8=Q!?"] {
        let mv = parse_san(&start, text).unwrap();
        assert_eq!(san(&start, mv), "bxa8=Q#", "{text}");
    }
    assert!(matches!(parse_san(&start, "bxa8"), Err(MoveError::PromotionMissing { .. })));
    let twins = position("8/6k1/8/8/4K3/8/8/R6R w - - 0 1");
    let error = parse_san(&twins, "Rd2").unwrap_err();
    assert!(matches!(error, MoveError::Illegal { .. }), "{error}");
    let error = parse_san(&twins, "Rd1").unwrap_err();
    assert!(error.to_string().contains("Rad1 or Rhd1"), "{error}");
    assert_eq!(parse_san(&twins, "Rhd1").map(|mv| san(&twins, mv)).unwrap(), "Rhd1");
    for text in ["", "x", "Zf3", "Nf9", "e", "=Q", "O-O-O-O", "Né3"] {
        assert!(matches!(parse_san(&twins, text), Err(MoveError::NotSan { .. })), "{text}");
    }
}

#[test]
fn the_board_is_drawn() {
    let text = board(&position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert_eq!(text.lines().count(), 18);
    assert!(text.contains(" 1 | R | N | B | Q | K | B | N | R |"));
}
