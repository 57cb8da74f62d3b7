//! Tests of `book make` and `book verify`, and of the books in `book/`.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use aleator::book::{Book, key_of};
use aleator::game::Game;
use aleator::rules::Variant;

use crate::harness::command::{failure, folder, output, printed};
use crate::harness::has_10x10;

/// A Polyglot book that the tests of python-chess use.
const PERFORMANCE: &str = "engine-tests/data/syzygy/performance.bin";

const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                     [Result \"0-1\"]\n\n1. e4 c5 0-1\n\n[Result \"*\"]\n\n1. d5 *\n\n";

/// Returns the output of a run, which must succeed. The run may write warnings to stderr.
fn run(words: &str, folder: &Path) -> String {
    let output = output(words, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_book_of_games_can_be_used_in_both_formats() {
    let folder = folder("book/games");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let make = "book make --variant chess --games games.pgn --min-games 1";
    let text = run(make, &folder);
    assert!(text.contains(" bm e4; weights \"2\";\n") && text.lines().count() == 3, "{text}");
    run(&format!("{make} --out book.epd"), &folder);
    assert_eq!(fs::read_to_string(folder.join("book.epd")).unwrap(), text);
    run(&format!("{make} --out book.bin"), &folder);
    run("book make --variant chess --text book.epd --out again.bin", &folder);
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!((bytes("book.bin").len(), bytes("book.bin")), (4 * 16, bytes("again.bin")));
    let open = |name: &str| Book::open(&folder.join(name), Variant::Chess).unwrap();
    let mut game = Game::standard(Variant::Chess).unwrap();
    for uci in ["e2e4", "e7e5"] {
        for book in [open("book.epd"), open("book.bin")] {
            assert!(book.moves(&game).iter().any(|mv| mv.uci == uci), "{book:?}");
        }
        game.play(uci).unwrap();
    }
    printed("book verify book.epd book.bin", &folder);
    for (words, wrong) in [
        (make.replace("games.pgn", "none.pgn"), "cannot read 'none.pgn'"),
        (make.replace(" --min-games 1", " --min-games 9"), "the book would contain no moves"),
        (format!("{make} --out book.epd"), "already exists"),
        (make.replace("chess", "jepps"), "the book would contain no moves"),
        ("book make --variant chess --text games.pgn".to_owned(), "line 1: "),
    ] {
        let errors = failure(&words, &folder);
        assert!(errors.contains(wrong), "{words}: {errors}");
    }
}

#[test]
fn parts_of_a_book_of_searches_join_to_the_whole() {
    let folder = folder("book/searches");
    let fens = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/book/starts/chess960.epd"));
    let few: String = fens.unwrap().lines().take(5).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("few.epd"), few).unwrap();
    let make = "book make --variant chess960 --from few.epd --plies 2 --breadth 2 --margin 50 \
                --nodes 200 --hash 1";
    let whole = run(make, &folder);
    assert!(whole.lines().count() >= 10, "{whole}");
    for shard in ["1/2", "2/2", "2/2"] {
        run(&format!("{make} --out book.epd --resume --shard {shard}"), &folder);
    }
    run("join book.epd", &folder);
    assert_eq!(fs::read_to_string(folder.join("book.epd")).unwrap(), whole);
    printed("book verify book.epd --variant chess960", &folder);
    run("book make --variant chess960 --text book.epd --out book.bin", &folder);
    for (words, wrong) in [
        (format!("{make} --out x.bin"), "--text FILE --out FILE.bin"),
        ("book make --variant fischerbenko".to_owned(), "select some with --from FILE"),
        (make.replace("few", "none"), "cannot read 'none.epd'"),
    ] {
        let errors = failure(&words, &folder);
        assert!(errors.contains(wrong), "{words}: {errors}");
    }
}

#[test]
fn verify_names_the_line_and_fails() {
    let folder = folder("book/verify");
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - bm e4;\n";
    fs::write(folder.join("bad.epd"), line).unwrap();
    let errors = failure("book verify bad.epd", &folder);
    assert!(errors.contains("bad.epd: line 1: the FEN is not a position of chess"), "{errors}");
    assert!(errors.contains("1 position, 1 error, 0 notes"), "{errors}");
    fs::write(folder.join("empty.epd"), "").unwrap();
    failure("book verify empty.epd", &folder);
    for wrong in ["book verify none.epd", "book verify ."] {
        failure(wrong, &folder);
    }
}

/// Checks that `book verify` finds no error in the files that come with Aleator: the starts, the openings and
/// the books.
#[test]
fn our_own_files_have_no_defects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("book");
    for directory in ["starts", "openings", "books"] {
        for entry in fs::read_dir(root.join(directory)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let variant = if name == "dfrc" { "chess960" } else { name };
            let Ok(variant) = variant.parse::<Variant>() else {
                assert!(name == "ifrc" && !has_10x10(), "{name} is not a variant");
                continue;
            };
            let report = aleator::tools::book::verify(&fs::read(&path).unwrap(), variant);
            assert!(report.defects.is_empty() && report.positions > 0, "{name}: {report}");
            assert!(directory != "books" || Book::open(&path, variant).is_ok(), "{name}");
        }
    }
}

/// Reading a book that is truncated or has a changed byte must give a book or an error, but no panic.
#[test]
fn damaged_books_are_read_or_rejected() {
    let folder = folder("book/broken");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let make = "book make --variant chess --games games.pgn --min-games 1 --out";
    for name in ["book.epd", "book.bin"] {
        run(&format!("{make} {name}"), &folder);
        let whole = fs::read(folder.join(name)).unwrap();
        let path = folder.join(format!("broken-{name}"));
        let (mut books, mut errors) = (0, 0);
        for number in 0..100 {
            let place = number * whole.len() / 100;
            for broken in [whole[..place].to_vec(), {
                let mut changed = whole.clone();
                changed[place] ^= 0xff;
                changed
            }] {
                fs::write(&path, broken).unwrap();
                match Book::open(&path, Variant::Chess) {
                    Ok(_) => books += 1,
                    Err(error) => {
                        errors += 1;
                        let text = error.to_string();
                        assert!(text.contains("broken-book") && text.len() < 600, "{text}");
                    }
                }
            }
        }
        assert_eq!(books + errors, 200);
        assert!(errors >= 60, "{name}: {errors} errors");
    }
}

/// Compares the moves that Aleator and python-chess find in the book, up to twenty plies from the start.
/// `make syzygy-tables` downloads the book.
#[test]
fn a_foreign_polyglot_book_is_read_as_by_python_chess() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PERFORMANCE);
    if !path.exists() {
        println!("skipped: there is no {PERFORMANCE}");
        return;
    }
    let book = Book::open(&path, Variant::Chess).unwrap();
    let mut level = vec![Game::standard(Variant::Chess).unwrap()];
    let (mut seen, mut moves, mut weight) = (HashSet::new(), 0, 0);
    for _ in 0..20 {
        let mut next = Vec::new();
        for game in level.into_iter().filter(|game| seen.insert(key_of(game))) {
            for mv in book.moves(&game) {
                (moves, weight) = (moves + 1, weight + mv.weight);
                let mut after = Game::new(Variant::Chess, &game.fen()).unwrap();
                after.play(&mv.uci).unwrap();
                next.push(after);
            }
        }
        level = next;
    }
    assert_eq!((seen.len(), moves, weight), (3_550, 3_980, 202_873));
}
