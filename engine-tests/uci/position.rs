//! Tests of `position` in all forms, also with invalid FENs and moves.

use crate::harness::Engine;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn all_forms_of_position() {
    let mut engine = Engine::start();
    assert_eq!(engine.fen(), START);
    for (command, fen) in [
        (
            "position startpos moves e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        ("position startpos", START),
        ("position startpos moves", START),
        (
            "position startpos moves e2e4 e7e5 g1f3",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ),
        (&format!("position fen {KIWIPETE}"), KIWIPETE),
        (&format!("position fen {KIWIPETE} moves"), KIWIPETE),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R b", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 7", "4k3/8/8/8/8/8/8/4K2R w K - 7 1"),
        (
            "position fen 4k3/8/8/8/8/8/8/4K2R w H - 7 9 moves e1g1 e8e7",
            "8/4k3/8/8/8/8/8/5RK1 w - - 9 10",
        ),
        // The en passant square is written only if an en passant capture is legal.
        (
            "position fen 4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1 moves a2a4",
            "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1",
        ),
        (
            "position fen 4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1 moves a2a4",
            "4k3/8/8/8/P1p5/8/8/4K3 b - - 0 1",
        ),
        ("position fen 4k3/8/8/8/P1p5/8/8/4K3 b - a3 0 1", "4k3/8/8/8/P1p5/8/8/4K3 b - - 0 1"),
    ] {
        engine.tell(command);
        assert_eq!(engine.fen(), fen, "{command}");
    }
    engine.quit();
}

#[test]
fn nothing_is_searched_after_a_rejected_position() {
    let mut engine = Engine::start();
    engine.tell(&format!("position fen {KIWIPETE} moves e1g1"));
    let before = engine.ask("d");
    for (command, hint) in [
        ("position", "startpos"),
        ("position startpo", "'startpo'"),
        ("position startpos e2e4", "'e2e4'"),
        ("position fen", "FEN"),
        ("position fen moves e2e4", "FEN"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "ranks"),
        ("position fen rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7"),
        ("position fen rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7"),
        ("position fen rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x'"),
        ("position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'9'"),
        ("position fen k3k3/8/8/8/8/8/8/4K3 w - - 0 1", "kings"),
        ("position fen 4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "h8"),
        ("position fen 4k3/8/8/8/8/8/8/4K2p w - - 0 1", "h1"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", "'x'"),
        ("position fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "check"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w Z - 0 1", "'Z'"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - zz 0 1", "'zz'"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - x 1", "'x'"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "move number"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2", "fields"),
        // If a move is invalid, the moves before it are not played either.
        ("position startpos moves e2e5", "move 1"),
        ("position startpos moves e2e4 e7e5 e1e3", "move 3"),
        ("position startpos moves e2e4 e2e4", "move 2"),
        ("position startpos moves e2e4 e7e5 xyzzy", "'xyzzy'"),
        ("position startpos moves e2e4 0000", "'0000'"),
        ("position startpos moves e2e4q", "'e2e4q'"),
        ("position startpos moves e1g1", "illegal"),
        ("position startpos moves O-O", "castling"),
        ("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8", "promotes"),
        ("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8k", "'a7a8k'"),
        ("position fen 4k3/8/8/8/8/8/4r3/4KR2 w - - 0 1 moves f1f2", "check"),
    ] {
        let remark = engine.refusal(command);
        assert!(remark.contains(hint), "{command}: {remark}");
        assert_eq!(engine.ask("d"), before, "{command}");
    }
    for threads in ["1", "8"] {
        engine.tell(&format!("setoption name Threads value {threads}"));
        for go in ["go depth 3", "go infinite", "go ponder wtime 1000", "go searchmoves e2e4"] {
            engine.send(go);
            let lines = engine.lines_until(|line| line.starts_with("bestmove"));
            assert!(lines[0].contains("the last position was rejected"), "{go}: {lines:?}");
            assert_eq!(lines[1..], ["bestmove (none)"], "{go}");
        }
        for command in ["go perft 2", "eval", "flip"] {
            assert!(engine.refusal(command).contains("was rejected"), "{command}");
        }
        engine.tell("ucinewgame");
        assert_eq!(
            engine.go("go depth 1").best,
            "(none)",
            "'ucinewgame' does not set up a position"
        );
        engine.tell("position startpos");
        assert_ne!(engine.go("go depth 3").best, "(none)");
        engine.refusal("position startpos moves e2e5");
    }
    engine.quit();
}

#[test]
fn a_position_that_comes_during_a_search_is_not_forgotten() {
    let mut engine = Engine::with(&["position startpos", "go infinite"]);
    let answer = engine.ask("position startpos moves e2e4");
    assert!(answer.iter().any(|line| line.contains("position: a search is running")), "{answer:?}");
    engine.send("stop");
    engine.best_move();
    assert_eq!(engine.go("go depth 2").best, "(none)");
}

#[test]
fn parts_of_a_fen_that_contradict_the_board_are_ignored() {
    let mut engine = Engine::start();
    for (command, fen, hints) in [
        (
            "position fen 4k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1 moves e1g1",
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
            &[
                "castling: the right 'Q'",
                "castling: the right 'k'",
                "castling: the right 'q'",
                "en passant: e6",
            ][..],
        ),
        (
            "position fen 4k3/8/8/8/8/8/8/4K3 w - - -1 99999999999999999999",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            &["halfmove clock: ", "move number: "],
        ),
        ("position fen 4k3/8/8/8/8/8/8/4K3 w - - 120 0", "4k3/8/8/8/8/8/8/4K3 w - - 120 1", &[]),
    ] {
        let said = engine.ask(command);
        assert_eq!(said.len(), hints.len(), "{command}: {said:?}");
        for (line, hint) in said.iter().zip(hints) {
            let fits = line.starts_with(&format!("info string position: {hint}"));
            assert!(fits && line.ends_with("; ignored"), "{command}: {line}");
        }
        assert_eq!(engine.fen(), fen, "{command}");
    }
    engine.quit();
}

#[test]
fn moves_are_read_in_every_notation() {
    let mut engine = Engine::start();
    for (command, fen) in [
        (
            "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8N",
            "N3k3/8/8/8/8/8/8/4K3 b - - 0 1",
        ),
        (
            "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves A7A8q",
            "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1",
        ),
        (
            "position fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 moves e5d6",
            "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1",
        ),
    ] {
        engine.tell(command);
        assert_eq!(engine.fen(), fen, "{command}");
    }
}

#[test]
fn a_game_of_many_moves_is_read() {
    let round = " g1f3 g8f6 f3g1 f6g8";
    let mut engine = Engine::with(&[&format!("position startpos moves{}", round.repeat(20_000))]);
    assert_eq!(engine.fen(), START.replace("0 1", "65535 40001"));
    assert_ne!(engine.go("go depth 3").best, "(none)");
}
