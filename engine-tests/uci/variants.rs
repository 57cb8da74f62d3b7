//! Tests of `UCI_Variant`, and of the notation of castling.

use crate::harness::{Engine, has_10x10};

#[test]
fn startpos_is_the_variants_starting_position() {
    let mut engine = Engine::start();
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut cases = vec![("chess960", chess)];
    if has_10x10() {
        let ifrc = "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1";
        cases.extend([("ifrc", ifrc), ("IFRC", ifrc)]);
    }
    cases.extend([
        ("fischerandom", chess),
        ("standard", chess),
        ("Normal", chess),
        ("CHESS960", chess),
        ("chess", chess),
    ]);
    for (name, fen) in cases {
        engine.tell(&format!("setoption name UCI_Variant value {name}"));
        engine.tell("position startpos");
        assert_eq!(engine.fen(), fen, "{name}");
        let search = engine.go("go depth 4");
        assert_ne!(search.best, "(none)", "{name}");
    }
    engine.quit();
}

/// The engine must describe a variant in the format of Fairy-Stockfish, which adapters such as uci2wb read.
#[test]
fn a_variant_is_described() {
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut engine = Engine::start();
    let mut cases = vec![
        ("chess960", "files 8 ranks 8 pocket 0 template chess", chess),
        ("Standard", "files 8 ranks 8 pocket 0 template chess", chess),
        (
            "fischerbenko",
            "files 8 ranks 8 pocket 8 template fairy",
            "rqbknbrn/pppppppp/8/8/8/8/PPPPPPPP/NBBNRKQR w KQkq - 0 1",
        ),
        ("jepps", "files 8 ranks 8 pocket 8 template fairy", "startpos"),
        ("placement", "files 8 ranks 8 pocket 8 template fairy", "startpos"),
    ];
    if has_10x10() {
        let ifrc = "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1";
        cases.push(("ifrc", "files 10 ranks 10 pocket 0 template fairy", ifrc));
    }
    for (name, form, start) in cases {
        engine.send(&format!("setoption name UCI_Variant value {name}"));
        let line = engine.line();
        engine.tell("position startpos");
        let start = if start == "startpos" { engine.fen() } else { start.to_owned() };
        let name = if name == "Standard" { "chess" } else { name };
        assert_eq!(line, format!("info string variant {name} {form} startpos {start}"));
    }
}

/// In Pre-Chess, `startpos` must be the empty placement phase, as in Cute Chess and Fairy-Stockfish.
#[test]
fn startpos_of_placement_is_the_empty_setup() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_Variant value placement");
    let empty = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1";
    assert_eq!(engine.fen(), empty);
    engine.tell("position startpos moves K@e1 K@e8");
    let after = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[QRRBBNNqrrbbnn] w - - 0 2";
    assert_eq!(engine.fen(), after);
    // PyChess writes the pieces in hand as a ninth rank.
    for fen in [empty, after] {
        let ninth_rank = fen.replace('[', "/").replace(']', "");
        engine.tell(&format!("position fen {ninth_rank}"));
        assert_eq!(engine.fen(), fen);
    }
    engine.tell("position startpos");
    assert!(engine.go("go nodes 1").best.contains('@'));
}

#[test]
fn an_unknown_variant_changes_nothing() {
    let mut engine = Engine::start();
    engine.tell("position startpos moves e2e4");
    let before = engine.fen();
    assert!(engine.refusal("setoption name UCI_Variant value crazyhouse").contains("chess960"));
    // Selecting the current variant again, by any of its names, does not change the position either.
    for name in ["chess", "standard"] {
        engine.tell(&format!("setoption name UCI_Variant value {name}"));
    }
    assert_eq!(engine.fen(), before);
}

#[test]
fn without_the_10x10_board_ifrc_is_rejected_and_the_feature_named() {
    if has_10x10() {
        return;
    }
    let mut engine = Engine::start();
    let remark = engine.refusal("setoption name UCI_Variant value ifrc");
    assert!(remark.contains("board10x10"), "{remark}");
    let uci = engine.ask("uci");
    assert!(!uci.iter().any(|line| line.contains("ifrc")), "{uci:#?}");
}

#[test]
fn positions_belong_to_their_board() {
    if !has_10x10() {
        return;
    }
    let mut engine = Engine::start();
    let small = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let large = "position fen 9k/10/10/10/10/10/10/10/5K2R1/10 w I - 0 1";
    engine.refusal(large);
    engine.tell(small);
    engine.tell("setoption name UCI_Variant value ifrc");
    engine.refusal(small);
    engine.tell(large);
    assert_eq!(engine.fen(), "9k/10/10/10/10/10/10/10/5K2R1/10 w K - 0 1");
    engine.tell("position startpos moves e3e5 i8i6");
    assert!(engine.fen().contains("/8p1/5P4/") || engine.fen().contains("10/8p1/4P5/10"));
}

/// Returns those of the candidates that `go perft 1` lists as moves.
fn listed(engine: &mut Engine, fen: &str, candidates: &[&str]) -> Vec<String> {
    engine.tell(&format!("position fen {fen}"));
    engine.send("go perft 1");
    let lines = engine.lines_until(|line| line.starts_with("Nodes searched"));
    engine.sync();
    let moves = lines.iter().filter_map(|line| line.split_once(": ")).map(|(mv, _)| mv.to_owned());
    moves.filter(|mv| candidates.contains(&&**mv)).collect()
}

#[test]
fn castling_notation_depends_on_uci_chess960_and_position() {
    let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let black = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    // If king and rook stand on other squares than in chess, castling is written as king takes rook, even
    // where e1g1 would be unambiguous.
    let shuffled = "k7/8/8/8/8/8/8/1R3K1R w KQ - 0 1";
    let inner = "k7/8/8/8/8/8/8/4KR2 w K - 0 1";
    let all = ["e1g1", "e1h1", "e1c1", "e1a1", "e8g8", "e8h8", "e8c8", "e8a8"];
    let mut engine = Engine::start();
    for (chess960, fen, candidates, expected) in [
        ("false", orthodox, &all[..], &["e1c1", "e1g1"][..]),
        ("true", orthodox, &all, &["e1a1", "e1h1"]),
        ("false", black, &all, &["e8c8", "e8g8"]),
        ("true", black, &all, &["e8a8", "e8h8"]),
        ("false", shuffled, &["f1h1", "f1b1", "f1c1"], &["f1b1", "f1h1"]),
        ("true", shuffled, &["f1h1", "f1b1", "f1c1"], &["f1b1", "f1h1"]),
        ("false", inner, &["e1f1", "e1g1"], &["e1f1"]),
    ] {
        engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
        let mut found = listed(&mut engine, fen, candidates);
        found.sort_unstable();
        assert_eq!(found, expected, "UCI_Chess960 {chess960}: {fen}");
    }
}

#[test]
fn castling_notation_in_best_moves_and_pvs() {
    let fen = "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut engine = Engine::with(&[fen]);
    for (chess960, text) in [("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")] {
        engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
        let search = engine.go("go depth 3 searchmoves O-O");
        assert_eq!(search.best, text);
        assert!(search.infos.iter().all(|info| info.pv[0] == text), "{search:#?}");
    }
}

#[test]
fn castling_is_read_in_every_notation() {
    let castled = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
    let long = "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1";
    let mut engine = Engine::start();
    for chess960 in ["false", "true"] {
        engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
        for (text, fen) in [
            ("e1g1", castled),
            ("e1h1", castled),
            ("O-O", castled),
            ("0-0", castled),
            ("e1c1", long),
            ("e1a1", long),
            ("O-O-O", long),
            ("0-0-0", long),
        ] {
            engine.tell(&format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {text}"));
            assert_eq!(engine.fen(), fen, "{text}");
        }
    }
    // f1g1 is a king move, not castling; f1c1 can only be castling.
    for (text, fen) in [
        ("f1g1", "k7/8/8/8/8/8/8/1R4KR b - - 1 1"),
        ("f1h1", "k7/8/8/8/8/8/8/1R3RK1 b - - 1 1"),
        ("f1c1", "k7/8/8/8/8/8/8/2KR3R b - - 1 1"),
        ("O-O-O", "k7/8/8/8/8/8/8/2KR3R b - - 1 1"),
    ] {
        engine.tell(&format!("position fen k7/8/8/8/8/8/8/1R3K1R w KQ - 0 1 moves {text}"));
        assert_eq!(engine.fen(), fen, "{text}");
    }
}

#[test]
fn castling_on_10x10_is_always_king_takes_rook() {
    if !has_10x10() {
        return;
    }
    let fen = "9k/10/10/10/10/10/10/10/1R3K2R1/10 w KQ - 0 1";
    let mut engine = Engine::with(&["setoption name UCI_Variant value ifrc"]);
    for chess960 in ["false", "true"] {
        engine.tell(&format!("setoption name UCI_Chess960 value {chess960}"));
        let mut found = listed(&mut engine, fen, &["f2b2", "f2i2", "f2h2", "f2d2"]);
        found.sort_unstable();
        assert_eq!(found, ["f2b2", "f2i2"]);
    }
    for (text, after) in [
        ("f2i2", "9k/10/10/10/10/10/10/10/1R4RK2/10 b - - 1 1"),
        ("f2h2", "9k/10/10/10/10/10/10/10/1R4RK2/10 b - - 1 1"),
        ("O-O", "9k/10/10/10/10/10/10/10/1R4RK2/10 b - - 1 1"),
        ("f2b2", "9k/10/10/10/10/10/10/10/3KR3R1/10 b - - 1 1"),
        ("f2d2", "9k/10/10/10/10/10/10/10/3KR3R1/10 b - - 1 1"),
        ("0-0-0", "9k/10/10/10/10/10/10/10/3KR3R1/10 b - - 1 1"),
    ] {
        engine.tell(&format!("position fen {fen} moves {text}"));
        assert_eq!(engine.fen(), after, "{text}");
    }
}
