//! Tests of the options `OwnBook`, `Book File` and `Book Depth`.

use std::fs;
use std::path::PathBuf;

use aleator::book::PolyglotEntry;
use aleator::game::Game;
use aleator::rules::Variant;

use crate::harness::command::folder;
use crate::harness::{Engine, has_10x10};

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// Writes a file into a folder for the given test. Returns the path of the file.
fn file(test: &str, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder(&format!("book/{test}")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Sends a `go`. Returns the lines before `bestmove`, and the line `bestmove`.
fn go(engine: &mut Engine, words: &str) -> (Vec<String>, String) {
    engine.send(words);
    let mut lines = engine.lines_until(|line| line.starts_with("bestmove"));
    let best = lines.pop().unwrap();
    (lines, best)
}

#[test]
fn a_polyglot_book_move_is_played_unless_the_search_only_analyses() {
    let game = Game::new(Variant::Chess, CASTLING).unwrap();
    let castling = PolyglotEntry::new(&game, "e1h1", 5).unwrap().to_bytes();
    let path = file("polyglot", "one.bin", &castling);
    let mut engine = Engine::start();
    engine.tell(&format!("setoption name Book File value {}", path.display()));
    engine.tell(&format!("position fen {CASTLING}"));
    let from_book = |engine: &mut Engine, words: &str| {
        let (lines, best) = go(engine, words);
        let told = lines.iter().any(|line| line.starts_with("info string book: "));
        assert_eq!(told, lines.iter().all(|line| !line.contains(" score ")), "{words}: {lines:?}");
        told.then_some(best)
    };
    let (short, long) = (Some("bestmove e1g1".to_owned()), Some("bestmove e1h1".to_owned()));
    assert_eq!(from_book(&mut engine, "go nodes 50"), None, "OwnBook is off");
    engine.tell("setoption name OwnBook value true");
    assert_eq!(from_book(&mut engine, "go nodes 50"), short);
    assert_eq!(from_book(&mut engine, "go wtime 1000 btime 1000"), short);
    assert_eq!(from_book(&mut engine, "go nodes 50 searchmoves e1h1 e1d1"), short);
    assert_eq!(from_book(&mut engine, "go nodes 50 searchmoves e1d1"), None);
    assert_eq!(from_book(&mut engine, "go depth 1 mate 1"), None);
    engine.send("go infinite");
    engine.assert_no_best_move("go infinite");
    engine.settle();
    engine.tell("setoption name UCI_Chess960 value true");
    assert_eq!(from_book(&mut engine, "go nodes 50"), long);
    engine.tell("setoption name UCI_AnalyseMode value true");
    assert_eq!(from_book(&mut engine, "go nodes 50"), None);
    engine.tell("setoption name UCI_AnalyseMode value false");
    engine.tell("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9");
    assert_eq!(from_book(&mut engine, "go nodes 50"), long);
    engine.tell("setoption name Book Depth value 8");
    assert_eq!(from_book(&mut engine, "go nodes 50"), None);
    engine.quit();
}

#[test]
fn a_text_book_works_for_any_variant_and_order_of_options() {
    let (variant, line, expected) = match has_10x10() {
        true => (
            "ifrc",
            "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - bm c4;",
            "bestmove c3c4",
        ),
        // The book move is a king's relocation, which does not exist in chess.
        false => ("jepps", "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w Kk - bm Kc1;", "bestmove e1c1"),
    };
    let path = file("text", "book.epd", line.as_bytes());
    let mut engine = Engine::start();
    let board: Vec<&str> = line.split(' ').take(4).collect();
    engine.tell("setoption name OwnBook value true");
    let remark = engine.refusal(&format!("setoption name Book File value {}", path.display()));
    assert!(remark.contains("line 1: ") && remark.ends_with("no book is used"), "{remark}");
    engine.tell(&format!("setoption name UCI_Variant value {variant}"));
    engine.tell(&format!("position fen {} 0 1", board.join(" ")));
    let (lines, best) = go(&mut engine, "go nodes 50");
    assert_eq!((lines.len(), &*best), (1, expected), "{lines:?}");
    for nothing in ["value <empty>", "value", "value  ", ""] {
        engine.tell(&format!("setoption name Book File {nothing}"));
        let (lines, _) = go(&mut engine, "go nodes 50");
        assert!(lines.iter().any(|line| line.contains(" score ")), "{nothing}: {lines:?}");
        engine.tell(&format!("setoption name Book File value {}", path.display()));
        assert_eq!(go(&mut engine, "go nodes 50").1, expected);
    }
    engine.quit();
}

#[test]
fn files_that_are_not_books_are_rejected_and_the_engine_searches() {
    let mut engine = Engine::with(&["setoption name OwnBook value true"]);
    let directory = folder("book/wrong");
    for (name, bytes, wrong) in [
        ("cut.bin", &[0; 17][..], "is truncated"),
        ("unsorted.bin", &[[1; 16], [0; 16]].concat()[..], "smaller key"),
        ("empty.bin", b"", "is empty"),
        ("binary.epd", b"\xff\xfe\x00", "is not a text file"),
        ("empty.epd", b"\n", "is empty"),
        (
            "cut.epd",
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\nrnbq",
            "line 2: ",
        ),
    ] {
        let path = directory.join(name);
        fs::write(&path, bytes).unwrap();
        let remark = engine.refusal(&format!("setoption name Book File value {}", path.display()));
        assert!(remark.contains(wrong) && remark.contains("no book is used"), "{remark}");
    }
    for (path, wrong) in [("/no/such.bin", "cannot read"), ("/", "is not a regular file")] {
        let remark = engine.refusal(&format!("setoption name Book File value {path}"));
        assert!(remark.contains(wrong), "{remark}");
    }
    let (lines, _) = go(&mut engine, "go nodes 50");
    assert!(lines.iter().any(|line| line.contains(" score ")), "{lines:?}");
    engine.quit();
}
