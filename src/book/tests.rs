//! Tests of opening books: keys, moves, weights, and errors in files.

use std::fs;

use proptest::prelude::{any, prop, prop_assert, proptest};

use super::*;
use crate::start::Start;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn game(variant: Variant, fen: &str) -> Game {
    Game::new(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn chess(fen: &str) -> Game {
    game(Variant::Chess, fen)
}

/// Returns the bytes of a Polyglot book with the given positions, moves and weights.
fn polyglot(entries: &[(&str, &str, u16)]) -> Vec<u8> {
    let entry = |&(fen, uci, weight): &(&str, &str, u16)| {
        PolyglotEntry::new(&game(Variant::Chess960, fen), uci, weight).unwrap()
    };
    let mut entries: Vec<PolyglotEntry> = entries.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.key);
    entries.into_iter().flat_map(PolyglotEntry::to_bytes).collect()
}

/// Writes bytes to a file and opens the file as a book.
fn open(name: &str, bytes: &[u8], variant: Variant) -> Result<Book, BookError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    Book::open(&path, variant)
}

fn known(book: &Book, game: &Game) -> Vec<(String, u32)> {
    book.moves(game).into_iter().map(|mv| (mv.uci, mv.weight)).collect()
}

/// Compares keys of positions with the examples in the description of the Polyglot format.
#[test]
fn keys_match_the_format_description() {
    for (key, fen) in [
        (0x463b_9618_1691_fc9c, START),
        (0x823c_9b50_fd11_4196, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        (0x0756_b944_61c5_0fb0, "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2"),
        (0x662f_afb9_65db_29d4, "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"),
        (0x22a4_8b5a_8e47_ff78, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
        (0x652a_607c_a3f2_42c1, "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3"),
        (0x00fd_d303_c946_bdd9, "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4"),
        (0x3c81_23ea_7b06_7637, "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3"),
        (0x5c3f_9b82_9b27_9560, "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4"),
    ] {
        let game = chess(fen);
        let uci = &game.legal_turns()[0];
        assert_eq!(PolyglotEntry::new(&game, uci, 1).unwrap().key, key, "{fen}");
    }
}

/// Compares keys of positions with the keys that python-chess computes. The positions have illegal en passant
/// captures or too many queens.
#[test]
fn keys_match_python_chess() {
    for (key, fen) in [
        (0x7ddd_0eef_bfc8_435a, "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
        (0x6144_d03c_8370_d3fb, "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2"),
        (0xe51a_f365_da04_15d8, "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"),
        (0x3195_eec0_13b1_9bee, "3k4/8/8/8/2pP4/8/8/3RK3 b - d3 0 1"),
        (0xd509_9bed_3662_93b0, "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"),
        (0x4d71_546e_eb1a_bb57, "QQQQ4/QQQ5/8/7k/8/8/PPPPPP2/4K3 w - - 0 1"),
    ] {
        let game = chess(fen);
        let entry = PolyglotEntry::new(&game, &game.legal_turns()[0], 1);
        assert_eq!(entry.unwrap().key, key, "{fen}");
    }
}

#[test]
fn keys_include_a_pinned_en_passant_capture_after_moves_and_in_books() {
    let mut game = chess("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    game.play("d7d5").unwrap();
    assert!(game.fen().contains(" w - - "), "the FEN contains an illegal en passant capture");
    let after = "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    let key = |game: &Game| PolyglotEntry::new(game, "e1d1", 1).unwrap().key;
    assert_eq!(key(&game), key(&chess(after)));
    assert_ne!(key(&game), key(&chess(&after.replace("d6", "-"))));
    let line = BookLine {
        game: game.clone(),
        moves: vec![BookMove { uci: "e1d1".to_owned(), weight: 1 }],
        score: None,
    };
    let read = BookLine::parse(&line.to_string(), Variant::Chess).unwrap();
    assert_eq!(key(&read.game), key(&game));
    // A text book does not distinguish the positions with and without the en passant square.
    assert_eq!(key_of(&read.game), key_of(&chess(&after.replace("d6", "-"))));
    // After another move, the en passant square is no longer part of the key.
    game.play("e1d1").unwrap();
    let later = |game: &Game| PolyglotEntry::new(game, "g8g7", 1).unwrap().key;
    assert_eq!(later(&game), later(&chess(&game.fen())));
}

#[test]
fn polyglot_books_contain_castling_promotions_and_weights() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let shuffled = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1";
    let bytes = polyglot(&[
        (START, "e2e4", 3),
        (START, "d2d4", 0),
        (castling, "e1h1", 7),
        (castling, "e1a1", 1),
        (promotion, "a7a8n", 2),
        (shuffled, "c1g1", 65535),
    ]);
    let book = open("some.BIN", &bytes, Variant::Chess960).unwrap();
    let pairs = |pairs: &[(&str, u32)]| -> Vec<(String, u32)> {
        pairs.iter().map(|(uci, weight)| ((*uci).to_owned(), *weight)).collect()
    };
    assert_eq!(known(&book, &chess(START)), pairs(&[("e2e4", 3), ("d2d4", 0)]));
    assert_eq!(known(&book, &chess(castling)), pairs(&[("e1h1", 7), ("e1a1", 1)]));
    assert_eq!(known(&book, &chess(promotion)), pairs(&[("a7a8n", 2)]));
    assert_eq!(known(&book, &game(Variant::Chess960, shuffled)), pairs(&[("c1g1", 65535)]));
    assert_eq!(known(&book, &chess("7k/8/8/8/8/8/8/K7 w - - 0 1")), []);
    // Polyglot writes castling as king takes rook. A GUI may expect the king's target square instead.
    assert_eq!(spelt(&chess(castling), "e1h1", false).as_deref(), Some("e1g1"));
}

#[test]
fn illegal_moves_are_skipped() {
    let mut entry = PolyglotEntry::new(&chess(START), "e2e4", 1).unwrap();
    let bytes: Vec<u8> = (0..=u16::MAX)
        .flat_map(|mv| {
            entry.mv = mv;
            entry.to_bytes()
        })
        .collect();
    let book = open("all.bin", &bytes, Variant::Chess).unwrap();
    assert_eq!(book.moves(&chess(START)).len(), 20);
}

#[test]
fn castling_with_an_inner_rook_has_no_entry() {
    let outer = game(Variant::Chess960, "1rk3r1/8/8/8/8/8/8/RRK3R1 w GBgb - 0 1");
    assert_eq!(PolyglotEntry::new(&outer, "c1d1", 1), None);
    let without = game(Variant::Chess960, "1rk3r1/8/8/8/8/8/8/RRK3R1 w Ggb - 0 1");
    assert!(PolyglotEntry::new(&without, "c1d1", 1).is_some());
}

#[test]
fn files_that_are_not_polyglot_books_are_rejected() {
    let whole = polyglot(&[(START, "e2e4", 3), ("8/8/8/8/8/k7/8/K6R w - - 0 1", "h1h2", 1)]);
    let error = |bytes: &[u8], variant| open("x.bin", bytes, variant).unwrap_err().to_string();
    for length in (1..32).filter(|length| *length != ENTRY) {
        assert!(error(&whole[..length], Variant::Chess).contains("is truncated"), "{length}");
    }
    let swapped = [&whole[16..], &whole[..16]].concat();
    assert!(error(&swapped, Variant::Chess).contains("entry 2 has a smaller key"));
    assert!(error(&[], Variant::Chess).contains("is empty"));
    assert!(error(&whole, Variant::Jepps).contains("jepps takes a text book"));
    let no_text = open("x.epd", &whole, Variant::Chess).unwrap_err().to_string();
    assert!(no_text.contains("is not a text file"), "{no_text}");
}

#[test]
fn every_variant_has_text_books() {
    for &variant in Variant::ALL {
        let game = game(variant, &Start::standard(variant).fen());
        let turns: Vec<String> = game.legal_turns().into_iter().take(3).collect();
        let moves = turns.iter().zip([3, 0, 1]);
        let moves = moves.map(|(uci, weight)| BookMove { uci: uci.clone(), weight }).collect();
        let line = BookLine { game: game.clone(), moves, score: Some(-7) };
        let text = line.to_string();
        assert!(text.ends_with("weights \"3 0 1\"; ce -7;"), "{text}");
        let read = BookLine::parse(&text, variant).unwrap();
        assert_eq!((read.moves, read.score), (line.moves.clone(), line.score), "{text}");
        let book = open("x.epd", format!("# {variant}\n\n{text}\r\n").as_bytes(), variant).unwrap();
        assert_eq!(book.moves(&game), line.moves);
        let mut later = game;
        later.play(&turns[0]).unwrap();
        assert_eq!(book.moves(&later), []);
    }
}

#[test]
fn text_books_contain_placements() {
    let fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    let text = format!("{} bm R@h1;", fen.trim_end_matches(" 0 1"));
    let book = open("x.epd", text.as_bytes(), Variant::FischerBenko).unwrap();
    assert_eq!(known(&book, &game(Variant::FischerBenko, fen)), [("R@h1".to_owned(), 1)]);
}

#[test]
fn errors_in_lines_are_explained() {
    let board = START.trim_end_matches(" 0 1");
    let error = |line: &str| {
        let text = format!("{board} bm e4;\n{line}\n");
        open("x.epd", text.as_bytes(), Variant::Chess).unwrap_err().to_string()
    };
    let other = board.replace(" w ", " b ");
    for (line, wrong) in [
        ("nonsense".to_owned(), "line 2: the line does not start with a valid position of chess"),
        (other.clone(), "the line has no moves"),
        (format!("{other} bm ;"), "the line has no moves"),
        (format!("{other} bm e4;"), "the move e4 after 'bm' cannot be played: "),
        (format!("{other} bm e5 e7e5;"), "the move e7e5 appears twice after 'bm'"),
        (format!("{other} bm e5; weights \"1 2\";"), "moves after 'bm': 1, weights: 2"),
        (format!("{other} bm e5; weights \"-1\";"), "'-1' is not the weight of a move"),
        (
            format!("{other} bm e5; weights \"4294967296\";"),
            "'4294967296' is not the weight of a move",
        ),
        (format!("{board} bm d4;"), "the position is already on an earlier line of the book"),
        (format!("{board}\u{0} bm d4;"), "line 2"),
        (format!("{other} bm {};", "e5".repeat(100_000)), "the move e5e5"),
    ] {
        let error = error(&line);
        assert!(error.contains(wrong) && error.len() < 500, "{line}: {error}");
    }
    assert!(
        open("x.epd", b"\n# nothing\n", Variant::Chess).unwrap_err().to_string().contains("empty")
    );
}

#[test]
fn weights_decide_how_often_a_move_is_played() {
    let moves: Vec<BookMove> = [("a", 1), ("b", 0), ("c", 3)]
        .map(|(uci, weight)| BookMove { uci: uci.to_owned(), weight })
        .into();
    let mut rng = Rng::new(5);
    let mut counts = [0; 3];
    for _ in 0..4_000 {
        let chosen = choose(&moves, &mut rng).unwrap();
        counts[moves.iter().position(|mv| *mv == chosen).unwrap()] += 1;
    }
    assert_eq!(counts[1], 0);
    assert!((800..1200).contains(&counts[0]), "{counts:?}");
    assert_eq!(choose(&moves[1..2], &mut rng), None);
    assert_eq!(choose(&[], &mut rng), None);
}

proptest! {
    #[test]
    fn no_input_panics(bytes in prop::collection::vec(any::<u8>(), 0..80), text in "\\PC{0,120}") {
        if let Ok(book) = Polyglot::from_bytes(bytes) {
            prop_assert!(Book::Polyglot(book).moves(&chess(START)).is_empty());
        }
        for &variant in Variant::ALL {
            let _ = TextBook::read(&text, variant);
        }
    }

    /// Changes one letter of a valid line and parses the line.
    #[test]
    fn damaged_lines_do_not_panic(
        place in 0..90_usize,
        letter in prop::sample::select("KQkq/9w-;#\"bm4e \n".chars().collect::<Vec<_>>()),
    ) {
        let line = format!("{} bm e4 d4; weights \"1 2\";", START.trim_end_matches(" 0 1"));
        let mut letters: Vec<char> = line.chars().collect();
        if let Some(old) = letters.get_mut(place) {
            *old = letter;
        }
        let text: String = letters.into_iter().collect();
        if let Ok(book) = TextBook::read(&text, Variant::Chess) {
            prop_assert!(book.count() <= 2);
        }
    }
}
