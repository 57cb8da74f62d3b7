//! Tests of writing and parsing moves.

use shakmaty::{CastlingMode, Chess, FromSetup, fen::Fen, san::SanPlus, uci::UciMove};

use super::*;
use crate::geometry::{Board8x8, Board10x10};
use crate::position::FenStyle;
use crate::random::Rng;
use crate::rules::KingRight;

/// A generator with a fixed seed, so that every run plays the same games.
struct Random(Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// Returns a random back rank with bishops on squares of opposite colours and the king between the
    /// rooks.
    fn back_rank(&mut self) -> String {
        loop {
            let mut pieces = *b"RNBQKBNR";
            for last in (1..8).rev() {
                pieces.swap(last, self.below(last + 1));
            }
            let text: String = pieces.iter().map(|piece| *piece as char).collect();
            let places = |letter: char| (text.find(letter).unwrap(), text.rfind(letter).unwrap());
            let (bishops, rooks) = (places('B'), places('R'));
            if (bishops.0 + bishops.1) % 2 == 1 && (rooks.0..rooks.1).contains(&places('K').0) {
                return text;
            }
        }
    }

    fn start<G: Board>(&mut self, right: KingRight) -> Position<G> {
        let (white, black) = (self.back_rank(), self.back_rank().to_lowercase());
        let rights = match right {
            KingRight::Castling => "KQkq",
            KingRight::Relocation => "Kk",
            KingRight::None => "-",
        };
        let fen = if G::FILES == 8 {
            format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights} - 0 1")
        } else {
            format!("10/1{black}1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1{white}1/10 w {rights} - 0 1")
        };
        Position::from_fen(&fen, right).unwrap()
    }
}

/// Plays random games, every fourth game from the position `open`, and calls `visit` with each position.
fn playouts<G: Board>(
    games: usize,
    open: &str,
    right: KingRight,
    mut visit: impl FnMut(&Position<G>),
) {
    let mut random = Random(Rng::new(0x0a1e_a704));
    for game in 0..games {
        let mut position: Position<G> = match game % 4 {
            0 => Position::from_fen(open, right).unwrap(),
            _ => random.start(right),
        };
        for _ in 0..160 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.below(moves.len())]);
        }
    }
}

pub(super) fn on8(fen: &str) -> Position<Board8x8> {
    Position::from_fen(fen, KingRight::Castling).unwrap()
}

pub(super) fn jepps(fen: &str) -> Position<Board8x8> {
    Position::from_fen(fen, KingRight::Relocation).unwrap()
}

// Open positions in which promotions, castling and ambiguous moves are possible at once.
const OPEN: &str = "r3k2r/1P4P1/8/3NN3/3nn3/8/1p4p1/R3K2R w KQkq - 0 1";
const OPEN_10X10: &str = "10/1r2k3r1/P8P/10/Q3q3Q1/10/10/p8p/1R2K3R1/10 w KQkq - 0 1";

/// Parses a move and writes it again in Chess960 style.
fn read<G: Board>(position: &Position<G>, text: &str) -> Result<String, MoveError> {
    parse_uci(position, text).map(|mv| uci(position, mv, true))
}

/// Checks that every move is parsed back from UCI of both styles and from SAN, and that no two moves of
/// a position have the same SAN.
fn round_trips<G: Board>(games: usize, open: &str, right: KingRight) {
    let mut castlings = 0;
    playouts::<G>(games, open, right, |position| {
        let moves = position.legal_moves();
        let mut texts: Vec<String> = Vec::new();
        for mv in &moves {
            castlings += usize::from(position.is_castling(*mv));
            for chess960 in [false, true] {
                let text = uci(position, *mv, chess960);
                assert_eq!(parse_uci(position, &text), Ok(*mv), "{text} in {position:?}");
                let upper = text.to_uppercase();
                assert_eq!(parse_uci(position, &upper), Ok(*mv), "{upper} in {position:?}");
            }
            let text = san(position, *mv);
            assert_eq!(parse_san(position, &text), Ok(*mv), "{text} in {position:?}");
            texts.push(text);
        }
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), moves.len(), "{position:?}");
    });
    assert_eq!(castlings > 0, right == KingRight::Castling, "{castlings} castlings");
}

#[test]
fn round_trips_of_double_fischer_random() {
    round_trips::<Board8x8>(60, OPEN, KingRight::Castling);
}

#[test]
fn round_trips_of_jepps() {
    round_trips::<Board8x8>(60, &OPEN.replace("KQkq", "Kk"), KingRight::Relocation);
}

#[test]
fn round_trips_without_rights() {
    round_trips::<Board8x8>(60, &OPEN.replace("KQkq", "-"), KingRight::None);
}

#[test]
fn round_trips_of_ifrc() {
    round_trips::<Board10x10>(60, OPEN_10X10, KingRight::Castling);
}

#[test]
fn uci_and_san_agree_with_shakmaty() {
    let mut texts = 0;
    playouts::<Board8x8>(60, OPEN, KingRight::Castling, |position| {
        let fen: Fen = position.fen(FenStyle::Shredder).parse().unwrap();
        let theirs = Chess::from_setup(fen.into(), CastlingMode::Chess960).unwrap();
        for mv in position.legal_moves() {
            let in_uci = uci(position, mv, true);
            let their_move = in_uci.parse::<UciMove>().unwrap().to_move(&theirs).unwrap();
            assert_eq!(in_uci, their_move.to_uci(CastlingMode::Chess960).to_string());
            let in_san = SanPlus::from_move(theirs.clone(), their_move).to_string();
            assert_eq!(san(position, mv), in_san, "{in_uci} in {position:?}");
            assert_eq!(parse_san(position, &in_san), Ok(mv));
            texts += 1;
        }
    });
    assert!(texts > 100_000, "only {texts} moves");
}

#[test]
fn standard_castling_is_written_by_the_target_of_the_king() {
    let position = on8("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (text, walk) in [("e1h1", "e1g1"), ("e1a1", "e1c1")] {
        let mv = parse_uci(&position, text).unwrap();
        assert_eq!(parse_uci(&position, walk), Ok(mv));
        assert_eq!(uci(&position, mv, false), walk);
        assert_eq!(uci(&position, mv, true), text);
    }
    for (text, rook) in [("O-O", "e1h1"), ("0-0+", "e1h1"), ("o-o-o", "e1a1"), ("O-O-O#!", "e1a1")]
    {
        assert_eq!(read(&position, text).unwrap(), rook);
        assert_eq!(parse_san(&position, text), parse_uci(&position, rook));
    }
    let black = on8("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    assert_eq!(uci(&black, parse_uci(&black, "O-O-O").unwrap(), false), "e8c8");
}

#[test]
fn other_castling_is_written_as_the_king_capturing_its_rook() {
    for (fen, text) in [
        ("8/k7/8/8/8/8/8/5K1R w H - 0 1", "f1h1"), // king not on the e-file
        ("7k/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1"), // rook not in the corner
        ("7k/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1"),
        ("8/k7/8/8/8/8/8/6KR w H - 0 1", "g1h1"), // the king does not move
    ] {
        let position = on8(fen);
        let mv = parse_uci(&position, text).unwrap();
        assert!(position.is_castling(mv));
        assert_eq!(uci(&position, mv, false), text);
        assert_eq!(uci(&position, mv, true), text);
    }
}

#[test]
fn a_normal_king_move_takes_precedence_over_castling_to_the_same_square() {
    let near = on8("8/k7/8/8/8/8/8/5K1R w H - 0 1");
    assert_eq!(read(&near, "f1g1").unwrap(), "f1g1");
    let far = on8("7k/8/8/8/8/8/8/R2K4 w A - 0 1");
    assert_eq!(read(&far, "d1c1").unwrap(), "d1c1");
    let unambiguous = on8("8/k7/8/8/8/8/8/1K5R w H - 0 1");
    assert_eq!(read(&unambiguous, "b1g1").unwrap(), "b1h1");
    let stays = on8("8/k7/8/8/8/8/8/6KR w H - 0 1");
    assert_eq!(read(&stays, "g1g1").unwrap(), "g1h1");
    // Long castling goes to the c-file, but the rook of short castling stands there.
    let rook_on_target = on8("7k/8/8/8/8/8/8/RKR5 w AC - 0 1");
    assert_eq!(read(&rook_on_target, "b1c1").unwrap(), "b1c1");
    // Castling to the square of a normal king move can still be written as king captures rook.
    assert_eq!(san(&near, parse_uci(&near, "f1g1").unwrap()), "Kg1");
    assert_eq!(san(&near, parse_uci(&near, "f1h1").unwrap()), "O-O");
}

#[test]
fn uci_and_san_on_10x10() {
    let position = |fen| Position::<Board10x10>::from_fen(fen, KingRight::Castling).unwrap();
    let promotes = position("9k/1P8/10/10/10/10/10/10/5K4/10 w - - 0 1");
    let knight = parse_uci(&promotes, "b9b10n").unwrap();
    assert_eq!(parse_uci(&promotes, "B9B10N"), Ok(knight));
    assert_eq!(uci(&promotes, knight, false), "b9b10n");
    assert_eq!(san(&promotes, knight), "b10=N");
    assert_eq!(san(&promotes, parse_uci(&promotes, "b9b10q").unwrap()), "b10=Q+");
    assert_eq!(parse_san(&promotes, "b10N"), Ok(knight));
    // On 10x10, castling is always written as the king capturing its rook.
    let castles = position("5k4/10/10/10/10/10/10/10/1R3K2R1/10 w BI - 0 1");
    for (text, walk, chess960) in [("f2i2", "f2h2", false), ("f2b2", "f2d2", true)] {
        let mv = parse_uci(&castles, walk).unwrap();
        assert_eq!(uci(&castles, mv, chess960), text);
        assert_eq!(parse_uci(&castles, text), Ok(mv));
    }
    let rooks = position("R9/10/5k4/10/10/10/10/10/8K1/R9 w - - 0 1");
    assert_eq!(san(&rooks, parse_uci(&rooks, "a1a5").unwrap()), "R1a5");
    assert_eq!(san(&rooks, parse_uci(&rooks, "a10a5").unwrap()), "R10a5");
    assert_eq!(parse_san(&rooks, "R1a5"), parse_uci(&rooks, "a1a5"));
    assert_eq!(parse_san(&rooks, "Ra10xa5"), parse_uci(&rooks, "a10a5"));
    let text = parse_uci(&rooks, "k1k2").unwrap_err().to_string();
    assert!(text.contains("a1 to j10"), "{text}");
}

#[test]
fn relocation_is_written_as_a_king_move() {
    let position = jepps("7k/8/8/8/8/8/8/4K3 w K - 0 1");
    let mv = parse_uci(&position, "e1g1").unwrap();
    assert_eq!((uci(&position, mv, false), san(&position, mv)), ("e1g1".into(), "Kg1".into()));
    assert_eq!(parse_san(&position, "Kg1"), Ok(mv));
}

#[test]
fn san_parser_accepts_sloppy_notation() {
    let knights = on8("7k/8/8/8/8/5N2/8/KN6 w - - 0 1");
    for text in ["Nbd2", "Nb1d2", "Nb1-d2", "Nbxd2!?", "N1d2", "Nbd2+ ?"] {
        assert_eq!(parse_san(&knights, text), parse_uci(&knights, "b1d2"), "{text}");
    }
    let pawns = on8("3r3k/4P3/8/3pP3/8/8/8/K7 w - d6 0 1");
    for text in ["exd6", "exd6 e.p.", "exd6e.p.", "ed6", "e5d6", "e5xd6 ep!", "Pexd6"] {
        assert_eq!(parse_san(&pawns, text), parse_uci(&pawns, "e5d6"), "{text}");
    }
    for text in ["e8=N", "e8N", "e8=n", "e8(N)", "e8/N", "e8n", "e7-e8=N"] {
        assert_eq!(parse_san(&pawns, text), parse_uci(&pawns, "e7e8n"), "{text}");
    }
    assert_eq!(parse_san(&pawns, "exd8=Q"), parse_uci(&pawns, "e7d8q"));
    // A pawn move without a file cannot be a capture.
    assert!(parse_san(&pawns, "d6").is_err());
    let rooks = on8("7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
    for text in ["Rh7", "Rh7ch", "rh7", "Rh7 dis ch", "Rh7dbl.ch.", "Rh7mate", "Rh7,"] {
        assert_eq!(parse_move(&rooks, text), parse_uci(&rooks, "a7h7"), "{text}");
    }
    let castling = on8("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for text in ["O-O", "0-0", "OO", "O-O+ ch"] {
        assert_eq!(parse_san(&castling, text), parse_uci(&castling, "e1g1"), "{text}");
    }
    // `B4c5` moves the bishop on the fourth rank, not the pawn on b4. A lower-case `b` stands for a file,
    // not for a bishop.
    let bishops = on8("8/8/3B4/8/1p1B4/8/k6K/8 w - - 0 1");
    assert_eq!(parse_move(&bishops, "B4c5"), parse_uci(&bishops, "d4c5"));
    assert_eq!(parse_move(&bishops, "D4C5"), parse_uci(&bishops, "d4c5"));
    assert!(parse_move(&bishops, "bc5").is_err());
}

#[test]
fn san_marks_checks_and_mates() {
    let mates = on8("7k/R7/1R6/8/8/8/8/K7 w - - 0 1");
    assert_eq!(san(&mates, parse_uci(&mates, "b6b8").unwrap()), "Rb8#");
    assert_eq!(san(&mates, parse_uci(&mates, "a7h7").unwrap()), "Rh7+");
}

#[test]
fn draws_a_diagram() {
    let text = board(&on8("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert_eq!(text.lines().count(), 18);
    assert!(text.contains(" 1 | R | N | B | Q | K | B | N | R |"));
}

#[test]
fn parse_move_accepts_both_notations() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
    for text in ["e1g1", "e1h1", "O-O", "0-0"] {
        assert_eq!(parse_move(&position, text), parse_uci(&position, "e1h1"), "{text}");
    }
    for (san, uci) in [("Ra7", "a1a7"), ("Rxh8+", "h1h8"), ("Kd2", "e1d2")] {
        assert_eq!(parse_move(&position, san), parse_uci(&position, uci), "{san}");
    }
    let error = |text| parse_move(&position, text).unwrap_err().to_string();
    for (text, words) in [
        ("Ra9", "'Ra9' is not a move; expected a piece"),
        ("Nf", "expected a piece"),
        ("e1e9", "expected the square the piece leaves"),
        ("N@a1", "expected the square the piece leaves"),
    ] {
        assert!(error(text).contains(words), "{}", error(text));
    }
    assert!(error("Kd3").contains("illegal"), "{}", error("Kd3"));
    assert!(error("a1b2").contains("illegal"), "{}", error("a1b2"));
}
