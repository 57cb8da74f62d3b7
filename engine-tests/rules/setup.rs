//! Tests of placement phases: perft counts of independent programs (see `data/README.md`), edge cases, the
//! inventors' examples, and errors in FENs.

use std::fs;
use std::sync::atomic::AtomicBool;

use aleator::geometry::Board8x8;
use aleator::position::{FenStyle, FieldError, Position, perft as game};
use aleator::rules::Variant;
use aleator::setup::{PlacementError, Setup, SetupFenError, SetupOrGame, completions, perft};
use aleator::types::Color;
use serde_json::Value;

/// The maximum number of leaves of a tree that is also counted leaf by leaf. Larger trees are counted only
/// with the library's perft.
const MOST_WALKED: u64 = 300_000;

/// Returns the rows of a data file whose FENs have pieces in hand.
fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/engine-tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.filter(|row: &Value| fen(row).contains('[')).collect()
}

fn fen(row: &Value) -> &str {
    row["fen"].as_str().unwrap()
}

/// Returns the variant of a row. The data files write `fischer-benko` instead of `fischerbenko`.
fn variant(row: &Value) -> Variant {
    row["variant"].as_str().unwrap().replace('-', "").parse().unwrap()
}

fn state(row: &Value) -> Setup {
    let fen = fen(row);
    read(fen, variant(row)).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Reads a FEN of a placement phase. Returns an error if the state has a defect.
fn read(fen: &str, variant: Variant) -> Result<Setup, SetupFenError> {
    let state = Setup::from_fen(fen, variant)?;
    state.defect().map_or(Ok(state), Err)
}

fn counts(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect()
}

fn legal_texts(state: &Setup) -> Vec<String> {
    let mut texts: Vec<_> = state.legal_placements().iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

fn expected_texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Counts the leaves of the tree one by one by making each placement.
fn walk(state: &Setup, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let leaves = |phase| match phase {
        SetupOrGame::Setup(state) => walk(&state, depth - 1),
        SetupOrGame::Game(position) => game::perft(&position, depth - 1),
    };
    state.legal_placements().into_iter().map(|placement| leaves(state.after(placement))).sum()
}

fn assert_counts(state: &Setup, expected: &[u64]) {
    for (depth, &expected) in (1..).zip(expected) {
        let fen = state.fen();
        assert_eq!(perft::perft(state, depth), expected, "{fen} at depth {depth}");
        let divided = perft::divide(state, depth, &AtomicBool::new(false)).unwrap();
        let divided: u64 = divided.iter().map(|(_, leaves)| leaves).sum();
        assert_eq!(divided, expected, "{fen} divided at depth {depth}");
        if expected <= MOST_WALKED {
            assert_eq!(walk(state, depth), expected, "{fen} walked to depth {depth}");
        }
    }
}

#[test]
fn setup_perft() {
    let rows = rows("setup/setup-perft.jsonl");
    assert_eq!(rows.len(), 15);
    for row in rows {
        let state = state(&row);
        assert_eq!(state.fen(), fen(&row));
        assert_eq!(legal_texts(&state), expected_texts(&row["moves"]), "{}", fen(&row));
        let expected = counts(&row["setup_perft"]);
        assert_eq!(expected.len() as u64, row["plies"].as_u64().unwrap());
        assert_counts(&state, &expected);
        let back_ranks = |color| completions(state.kind(), state.rank(color)).len() as u64;
        let games: u64 = Color::ALL.into_iter().map(back_ranks).product();
        assert_eq!(games, row["distinct_finals"].as_u64().unwrap());
    }
}

#[test]
fn perft_from_the_setup_into_the_game() {
    let rows = rows("setup/setup-to-main.jsonl");
    assert_eq!(rows.len(), 8);
    for row in rows {
        assert_counts(&state(&row), &counts(&row["perft"]));
    }
}

#[test]
fn pre_chess_perft_agrees_with_fairy_stockfish() {
    let rows = rows("setup/placement-perft.jsonl");
    assert_eq!(rows.len(), 20);
    for row in rows {
        let state = state(&row);
        // Fairy-Stockfish counts placements in the halfmove clock, so ignore this field.
        let fields: Vec<_> = fen(&row).split(' ').collect();
        let [board, side, castling, en_passant, _, number] = fields[..] else {
            panic!("{}", fen(&row))
        };
        assert_eq!(state.fen(), [board, side, castling, en_passant, "0", number].join(" "));
        assert_eq!(legal_texts(&state), expected_texts(&row["moves"]), "{}", fen(&row));
        assert_counts(&state, &counts(&row["perft"]));
    }
}

#[test]
fn edge_cases() {
    let rows = rows("perft/edge-cases.jsonl");
    assert_eq!(rows.len(), 15);
    for row in rows {
        let text = row["move"].as_str().unwrap();
        let state = Setup::from_fen(fen(&row), variant(&row)).unwrap();
        let expected = expected_texts(&row["legal_moves"]);
        assert_eq!(legal_texts(&state), expected, "{}", fen(&row));
        assert_eq!(expected.contains(&text.to_owned()), row["legal"] == true, "{text}");
        assert_counts(&state, &counts(&row["perft"]));
        // In the rows with these hands White has placed more pieces than Black. One of these rows is also a
        // dead end.
        let odd = ["[KQRkqrnn]", "[KRkqn]"].iter().any(|hand| fen(&row).contains(hand));
        assert_eq!(state.defect().is_some(), odd, "{}", fen(&row));
        if row["legal"] == true {
            let placement = state.read_placement(text).unwrap();
            assert!(state.is_legal(placement));
            let after = match state.after(placement) {
                SetupOrGame::Setup(state) => state.fen(),
                SetupOrGame::Game(position) => position.fen(FenStyle::XFen),
            };
            assert_eq!(after, row["fen_after"].as_str().unwrap(), "{} {text}", fen(&row));
        }
    }
}

/// Checks the error messages for the illegal placements among the edge cases.
#[test]
fn illegal_placements_of_edge_cases_are_explained() {
    let mut explained = 0;
    for row in rows("perft/edge-cases.jsonl").iter().filter(|row| row["legal"] == false) {
        let state = Setup::from_fen(fen(row), variant(row)).unwrap();
        let text = row["move"].as_str().unwrap();
        let said = match state.read_placement(text) {
            // Two placements are accepted, but written differently: one is incomplete, the other has the
            // pieces in the wrong order.
            Ok(placement) => placement.to_string(),
            Err(error) => error.to_string(),
        };
        let expected = match text {
            "K@a1" | "K@h1" | "R@d1" | "R@h1" | "Q@a1" | "Q@d1" | "R@a1+K@g1" => {
                format!("{text} is illegal, because then the king cannot end up between the rooks")
            }
            "N@e1" => "N@e1: there is already a rook on e1".to_owned(),
            "N@a2" => {
                "N@a2: it is White's turn, and White places pieces on rank 1, not on a2".to_owned()
            }
            "B@a1" => {
                "B@a1: White has no bishop in hand; the pieces in hand are K, Q, R, 2 N".to_owned()
            }
            "Q@g1+K@f1" => {
                format!(
                    "{text} places two pieces, but a turn places only one piece; only the last two pieces are placed together"
                )
            }
            "K@f1" => "Q@g1+K@f1".to_owned(),
            "N@g1+N@f1" => "N@f1+N@g1".to_owned(),
            other => panic!("{other}: {said}"),
        };
        assert_eq!(said, expected, "{}", fen(row));
        explained += 1;
    }
    assert!(explained >= 10, "{explained}");
}

/// Makes placements from a FEN. Fails if the game begins before the last placement.
fn play(fen: &str, variant: Variant, placements: &str) -> SetupOrGame {
    let mut phase = SetupOrGame::from_fen(fen, variant).unwrap();
    for text in placements.split_ascii_whitespace() {
        let SetupOrGame::Setup(state) = &phase else { panic!("the game began before {text}") };
        let state = state.decided_by(text);
        let placement = state.read_placement(text).unwrap_or_else(|error| panic!("{error}"));
        phase = state.after(placement);
    }
    phase
}

fn game_of(phase: SetupOrGame) -> Position<Board8x8> {
    match phase {
        SetupOrGame::Game(position) => position,
        SetupOrGame::Setup(state) => panic!("the placement phase is not over: {}", state.fen()),
    }
}

#[test]
fn the_inventors_examples() {
    let root = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    let turns = "R@h1 N@e8 N@d1 R@a8 N@a1 N@h8 Q@g1+K@f1 Q@b8+K@d8";
    let position = game_of(play(root, Variant::FischerBenko, turns));
    assert_eq!(
        position.fen(FenStyle::Shredder),
        "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w HEga - 0 5"
    );
    let root = "b2br3/pppppppp/8/8/8/8/PPPPPPPP/B2R1B2[KQRNNkqrnn] w - - 0 1";
    let turns = "R@e1 N@f8 N@h1 N@c8 N@c1 R@h8 Q@b1 Q@g8 K@g1 K@b8";
    let position = game_of(play(root, Variant::Transcendental, turns));
    assert_eq!(
        position.fen(FenStyle::XFen),
        "bknbrnqr/pppppppp/8/8/8/8/PPPPPPPP/BQNRRBKN w - - 0 6"
    );
}

#[test]
fn jepps_in_both_orders() {
    let empty = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
    let white = "N@a1 B@b1 K@c1 R@d1 Q@e1 R@f1 B@g1 N@h1";
    let black = "R@a8 N@b8 B@c8 Q@d8 K@e8 B@f8 N@g8 R@h8";
    let position = game_of(play(empty, Variant::Jepps, &format!("{white} {black}")));
    assert_eq!(
        position.fen(FenStyle::XFen),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NBKRQRBN w Kk - 0 9"
    );
    // Black's first placement on h8 makes it Free Play.
    let turns: Vec<_> =
        white.split(' ').zip(black.split(' ').rev()).flat_map(|(w, b)| [w, b]).collect();
    assert_eq!(turns[1], "R@h8");
    assert_eq!(game_of(play(empty, Variant::Jepps, &turns.join(" "))), position);
    let SetupOrGame::Setup(state) = play(empty, Variant::Jepps, "N@a1 K@h8 B@b1") else { panic!() };
    assert_eq!(state.fen(), "7k/pppppppp/8/8/8/8/PPPPPPPP/NB6[KQRRBNqrrbbnn] b - - 0 2");
    assert_eq!(Setup::from_fen(&state.fen(), Variant::Jepps), Ok(state));
    assert_eq!(
        state.read_placement("R@a8").unwrap_err(),
        PlacementError::Order { found: "R@a8".to_owned(), square: "g8".to_owned() }
    );
}

#[test]
fn bad_fens_are_explained() {
    const ROOT: &str = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    assert!(read(ROOT, Variant::FischerBenko).is_ok());
    for (from, to, expected) in [
        (
            "[KQRNNkqrnn]",
            "",
            "pieces in hand: expected pieces in brackets after the board, such as [KQRNNkqrnn], found 'nothing'",
        ),
        (
            "nn]",
            "nn",
            "pieces in hand: expected pieces in brackets after the board, such as [KQRNNkqrnn], found '[KQRNNkqrnn'",
        ),
        (
            "nn]",
            "nn]]",
            "pieces in hand: expected pieces in brackets after the board, such as [KQRNNkqrnn], found '[KQRNNkqrnn]]'",
        ),
        (
            "nn]",
            "nn]/8",
            "pieces in hand: expected pieces in brackets after the board, such as [KQRNNkqrnn], found '[KQRNNkqrnn]/8'",
        ),
        ("/8/8/8/8/", "/8/8/8/", "pieces: expected 8 ranks separated by '/', found 7"),
        (
            "PPPPPPPP",
            "PPPP1PPP",
            "pieces: in the placement phase, rank 2 must be 'PPPPPPPP', White's eight pawns; found 'PPPP1PPP'",
        ),
        (
            "pppppppp",
            "PPPPPPPP",
            "pieces: in the placement phase, rank 7 must be 'pppppppp', Black's eight pawns; found 'PPPPPPPP'",
        ),
        (
            "/8/8/8/8/",
            "/8/8/4N3/8/",
            "pieces: in the placement phase, rank 4 must be '8', an empty rank; found '4N3'",
        ),
        (
            "1BB1R3",
            "1BB1r3",
            "pieces: 'r' on rank 1 is not one of White's pieces; in the placement phase, only White's pieces can be on this rank",
        ),
        ("1BB1R3", "1BB1R4", "pieces: rank 1: the back rank describes 9 squares instead of 8"),
        (
            "1BB1R3",
            "1BBBR3",
            "pieces: rank 1: there is no bishop left to place; the maximum in a back rank is 2",
        ),
        (
            "1BB1R3",
            "1BB1P3",
            "pieces: rank 1: the back rank contains 'P', which is neither a piece (K, Q, R, B, N) nor a number of empty squares (1 to 8)",
        ),
        (
            "KQRNN",
            "KQRNNN",
            "pieces: White has 3 N instead of 2, counted on the board and in hand; each side has one K, one Q, and two each of R, B and N",
        ),
        (
            "kqrnn",
            "qrnn",
            "pieces: Black has 0 K instead of 1, counted on the board and in hand; each side has one K, one Q, and two each of R, B and N",
        ),
        (
            "KQRNN",
            "KQRNX",
            "pieces in hand: 'X' is not a piece that can be placed; expected K, Q, R, B, N or k, q, r, b, n",
        ),
        (
            "KQRNN",
            "KQRNP",
            "pieces in hand: 'P' is not a piece that can be placed; expected K, Q, R, B, N or k, q, r, b, n",
        ),
        (
            "1BB1R3[KQR",
            "1B3R2[BKQR",
            "pieces in hand: White has too many bishops in hand; in fischerbenko, dice place both bishops and one rook before the first turn",
        ),
        (
            "1BB1R3[KQR",
            "1BB5[KQRR",
            "pieces in hand: White has too many rooks in hand; in fischerbenko, dice place both bishops and one rook before the first turn",
        ),
        (
            "1BB1R3",
            "B1B1R3",
            "White's back rank cannot be finished: both bishops stand on squares of the same colour",
        ),
        (
            " w ",
            " b ",
            "side to move: with 5 white and 5 black pieces in hand, it is White's turn, not Black's",
        ),
        (
            "1BB1R3[KQRNN",
            "1BBNRN2[KQR",
            "pieces in hand: White has 3 and Black has 5 pieces in hand, which is impossible after legal turns of fischerbenko",
        ),
        (" w ", " x ", "side to move: expected 'w' or 'b', found 'x'"),
        (" w - - 0 1", "", "side to move: the second field is missing; expected 'w' or 'b'"),
        (
            " w - ",
            " w KQkq ",
            "castling: in this placement phase, the field must be '-', but is 'KQkq'",
        ),
        (
            " - 0 1",
            " e3 0 1",
            "en passant: in the placement phase, the field must be '-', but is 'e3'",
        ),
        (" 0 1", " x 1", "halfmove clock: expected a number from 0 to 9999, found 'x'"),
        (" 0 1", " +0 1", "halfmove clock: expected a number from 0 to 9999, found '+0'"),
        (" 0 1", " 0 -1", "move number: expected a number from 1 to 999999, found '-1'"),
        (" 0 1", " 0 1 2", "the FEN has more than six fields; the seventh field is '2'"),
    ] {
        assert!(ROOT.contains(from), "{from}");
        let fen = ROOT.replacen(from, to, 1);
        match read(&fen, Variant::FischerBenko) {
            Err(error) => assert_eq!(error.to_string(), expected, "{fen}"),
            Ok(_) => panic!("{fen} was accepted"),
        }
    }
    let error = |fen: &str, variant| read(fen, variant).unwrap_err();
    assert_eq!(error("  ", Variant::Placement), SetupFenError::Field(FieldError::Empty));
    assert_eq!(
        error(ROOT, Variant::Chess960),
        SetupFenError::NoSetup { variant: Variant::Chess960 }
    );
    for (fen, variant, expected) in [
        (
            "7k/pppppppp/8/8/8/8/PPPPPPPP/RR6[KQBBNNqrrbbnn] w - - 0 1",
            Variant::Jepps,
            "side to move: with 6 white and 7 black pieces in hand, it is Black's turn, not White's",
        ),
        (
            "8/pppppppp/8/8/8/8/PPPPPPPP/1R6[KQRBBNNkqrrbbnn] w - - 0 1",
            Variant::Jepps,
            "pieces: White's pieces are not on the squares that White must fill first. White fills the squares in order from a1 to h1. Black fills the squares after White in order from a8 to h8 or, in Free Play, alternates with White and fills them from h8 to a8",
        ),
        (
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/R7[KQRBBNNqrrbbnn] w - - 0 1",
            Variant::Jepps,
            "pieces: Black's pieces are not on the squares that Black must fill first. White fills the squares in order from a1 to h1. Black fills the squares after White in order from a8 to h8 or, in Free Play, alternates with White and fills them from h8 to a8",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 1",
            Variant::Jepps,
            "the FEN has no pieces in hand, so the placement phase is over; a FEN of the placement phase lists the pieces in hand in brackets after the board",
        ),
        (
            "8/pppppppp/8/8/8/8/PPPPPPPP/NRNR1R1R[KQBBkqrrbbnn] w - - 0 1",
            Variant::Placement,
            "pieces: rank 1: there is no rook left to place; the maximum in a back rank is 2",
        ),
        (
            "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/NBB1R2R[KQNkqrnn] b - - 0 1",
            Variant::Transcendental,
            "pieces in hand: White has 3 and Black has 5 pieces in hand, which is impossible after legal turns of transcendental",
        ),
        (
            "2b2brr/pppppppp/8/8/8/8/PPPPPPPP/1BB1RNRN[KQkqnn] b - - 0 1",
            Variant::FischerBenko,
            "pieces in hand: White has 2 and Black has 4 pieces in hand, which is impossible after legal turns of fischerbenko",
        ),
        (
            "2b2bkr/pppppppp/8/8/8/8/PPPPPPPP/1BB1RNRN[KQqrnn] w - - 0 1",
            Variant::FischerBenko,
            "pieces in hand: White has 2 and Black has 4 pieces in hand, which is impossible after legal turns of fischerbenko",
        ),
        (
            "2b2bkr/pppppppp/8/8/8/8/PPPPPPPP/NBB1RK2[QRNqrnn] w - - 0 1",
            Variant::FischerBenko,
            "side to move: with 3 white and 4 black pieces in hand, it is Black's turn, not White's",
        ),
    ] {
        assert_eq!(error(fen, variant).to_string(), expected, "{fen}");
    }
}
