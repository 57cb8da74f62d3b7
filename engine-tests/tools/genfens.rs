//! Tests of `genfens`, as the clients of OpenBench call it.
//!
//! `ALEATOR_OPENINGS` sets the number of openings that shakmaty checks (default 40).

use std::collections::HashSet;
use std::fs;
use std::process::Command;

use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::harness::BINARY;
use crate::harness::command::folder;

/// Returns the text after `info string` in each line.
fn genfens(words: &str) -> Vec<String> {
    let output = Command::new(BINARY).args([words, "quit"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |line: &str| line.strip_prefix("info string ").expect(line).to_owned();
    text.lines().map(line).collect()
}

fn fens(words: &str) -> Vec<String> {
    let fen = |line: &String| line.strip_prefix("genfens ").expect(line).to_owned();
    genfens(words).iter().map(fen).collect()
}

#[test]
fn openings_are_different_reproducible_and_as_many_as_requested() {
    let count = std::env::var("ALEATOR_OPENINGS").map_or(40, |text| text.parse().unwrap());
    for (words, mode) in [
        ("seed 7 book None ", CastlingMode::Standard),
        ("seed 7 book None variant dfrc plies 5", CastlingMode::Chess960),
    ] {
        let found = fens(&format!("genfens {count} {words}"));
        let places = found.iter().map(|fen| fen.split(' ').take(4).collect::<Vec<_>>());
        assert_eq!(places.collect::<HashSet<_>>().len(), count, "{words}");
        for fen in &found {
            assert_eq!(fen.split(' ').count(), 6, "{fen}");
            let read: Fen = fen.parse().unwrap();
            let position: Result<Chess, _> = read.into_position(mode);
            assert!(position.is_ok(), "{fen}");
        }
        assert_eq!(fens(&format!("genfens 10 {words}")), found[..10]);
        let other = fens(&format!("genfens 10 {words}").replace("seed 7", "seed 8"));
        assert!(other.iter().all(|fen| !found[..10].contains(fen)));
    }
}

#[test]
fn openings_can_start_from_a_book() {
    let book = folder("genfens/book").join("book.epd");
    fs::write(&book, "4k3/p7/8/8/8/8/P7/4K3 w - - hmvc 0; fmvn 9; id \"one\";\n").unwrap();
    let found = fens(&format!("genfens 3 seed 1 book {} plies 2", book.display()));
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|fen| fen.ends_with(" 10")), "{found:?}");
}

#[test]
fn errors_are_explained() {
    let folder = folder("genfens/wrong");
    let path = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let setup = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1\n";
    for (words, wrong) in [
        ("book /no/such/file".to_owned(), "cannot read"),
        (format!("book {}", folder.display()), "is not a regular file"),
        (format!("book {}", path("binary", b"\xff\x00")), "is not a text file"),
        (format!("book {}", path("empty", b"\n")), "contains no position"),
        (format!("book {}", path("cut", b"4k3/8/8/8/8/8/8/4K3 w\nrnbq")), "line 2: "),
        (format!("book {} variant fischerbenko", path("setup", setup.as_bytes())), "setups"),
        ("book None variant draughts".to_owned(), "there is no variant 'draughts'"),
    ] {
        let lines = genfens(&format!("genfens 2 seed 1 {words}"));
        assert!(lines.len() == 1 && lines[0].contains(wrong), "{words}: {lines:?}");
    }
    let lines = genfens("genfens 21 seed 1 book None plies 1");
    // Chess has only twenty first moves, so there are only twenty openings of one ply.
    assert!(lines.last().unwrap().contains("of 21 openings were found"), "{lines:?}");
}
