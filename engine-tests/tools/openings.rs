//! Tests that the opening suites in `book/openings` are as `book/README.md` describes them: legal, balanced,
//! without duplicates, and made from the starts, plies and seeds given there.

use std::collections::HashSet;
use std::process::{Command, Output};

use crate::harness::BINARY;
use crate::harness::command::{folder, output};
use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::position::{FenStyle, Position};
use aleator::rules::Variant;
use aleator::start::Numbering;
use aleator::tools::opening::{Suite, read_openings};

fn text(name: &str) -> String {
    let path = format!("{}/book/openings/{name}.epd", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn suite(starts: Numbering, plies: usize, seed: u64) -> Suite {
    Suite { starts, book: Vec::new(), count: 500, plies, seed, nodes: 10_000, max_score: 60 }
}

/// Returns the FEN and the score of a line of EPD with the operations `hmvc`, `fmvn` and `ce`.
fn parts(line: &str) -> (String, i32) {
    let words: Vec<&str> = line.split(' ').collect();
    let [board, side, rights, en_passant, "hmvc", clock, "fmvn", number, "ce", score] = words[..]
    else {
        panic!("{line}")
    };
    let number_of = |operand: &str| -> i32 {
        operand.strip_suffix(';').and_then(|text| text.parse().ok()).expect(line)
    };
    let (clock, number) = (number_of(clock), number_of(number));
    (format!("{board} {side} {rights} {en_passant} {clock} {number}"), number_of(score))
}

/// Checks a suite. Every line must be a candidate, and the lines must be in the order of the candidates.
/// Which candidates are accepted is not checked, because the search may have changed since the suite was
/// made.
fn check<G: Board>(name: &str, suite: Suite) {
    let text = text(name);
    let variant = suite.starts.variant();
    let read = read_openings(&text, variant).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((read.len(), text.lines().count()), (suite.count, suite.count), "{name}");

    let mut keys = HashSet::new();
    let mut candidates = (0..20_000)
        .filter_map(|number| suite.candidate::<G>(number).unwrap())
        .map(|position| position.fen(FenStyle::XFen));
    for (line, fen) in text.lines().zip(&read) {
        let (written, score) = parts(line);
        assert_eq!(written, *fen, "{name}");
        assert!(score.abs() <= suite.max_score, "{name}: {line}");
        let position = Position::<G>::from_fen(fen, variant.rules().right).unwrap();
        assert!(!position.in_check(), "{name}: {line}");
        assert!(keys.insert(position.key()), "{name}: {line} twice");
        assert!(candidates.any(|candidate| candidate == *fen), "{name}: {line} is not a candidate");
    }
}

#[test]
fn chess() {
    check::<Board8x8>("chess", suite(Numbering::of(Variant::Chess), 8, 1));
}

#[test]
fn chess960() {
    check::<Board8x8>("chess960", suite(Numbering::of(Variant::Chess960), 4, 1));
}

#[test]
fn double_fischer_random() {
    check::<Board8x8>("dfrc", suite(Numbering::DOUBLE_FISCHER_RANDOM, 4, 1));
}

#[test]
fn ifrc() {
    let Ok(ifrc) = "ifrc".parse() else { return };
    check::<Board10x10>("ifrc", suite(Numbering::of(ifrc), 6, 1));
}

#[test]
fn setup_games() {
    for (variant, seed) in [
        (Variant::FischerBenko, 2),
        (Variant::Transcendental, 1),
        (Variant::Jepps, 2),
        (Variant::Placement, 3),
    ] {
        check::<Board8x8>(variant.name(), suite(Numbering::of(variant).drawn(), 4, seed));
    }
}

fn openings(arguments: &[&str]) -> Output {
    let fixed = ["book", "openings", "--count", "4", "--plies", "3", "--nodes", "300"];
    Command::new(BINARY).args(fixed).args(arguments).output().unwrap()
}

#[test]
fn the_reader_accepts_what_the_command_writes() {
    for name in ["chess", "dfrc", "jepps", "fischerbenko"] {
        let output = openings(&["--variant", name]);
        assert!(output.status.success() && output.stderr.is_empty(), "{name}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let fens = read_openings(&text, name.parse().unwrap()).unwrap();
        assert_eq!(fens.len(), 4, "{text}");
        let written: Vec<_> = text.lines().map(|line| parts(line).0).collect();
        assert_eq!(written, fens);
    }
}

#[test]
fn suites_depend_on_the_seed_but_not_on_threads() {
    let of = |arguments: &[&str]| openings(&[&["--variant", "dfrc"], arguments].concat()).stdout;
    let first = of(&["--seed", "7"]);
    assert!(!first.is_empty());
    assert_eq!(of(&["--seed", "7", "--threads", "3"]), first);
    assert_ne!(of(&["--seed", "8"]), first);
}

#[test]
fn a_file_gets_the_same_lines_as_standard_output() {
    let path = std::env::temp_dir().join(format!("aleator-openings-{}.epd", std::process::id()));
    let output = openings(&["--variant", "chess960", "--output", path.to_str().unwrap()]);
    let text = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(text, openings(&["--variant", "chess960"]).stdout);
}

/// In addition to EPD, the reader must accept complete FENs followed by a comment.
#[test]
fn both_formats_of_lines_are_read() {
    let text = text("chess");
    let fens = read_openings(&text, Variant::Chess).unwrap();
    let old: String =
        text.lines().map(parts).map(|(fen, score)| format!("{fen} ; ce {score};\n")).collect();
    assert_eq!(read_openings(&old, Variant::Chess).unwrap(), fens);
}

/// An existing file must be replaced only with --force, and only by a complete suite.
#[test]
fn an_existing_suite_is_kept() {
    let folder = folder("openings/kept");
    let file = folder.join("suite.epd");
    let words = "book openings --variant chess --nodes 1 --max-score 30000 --output suite.epd";
    let make = |more: &str| output(&format!("{words} {more}"), &folder);
    let complaint = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    std::fs::write(&file, "precious").unwrap();
    let refused = make("--count 2 --plies 3");
    assert_eq!(refused.status.code(), Some(1));
    assert!(complaint(&refused).contains("'suite.epd' already exists"), "{refused:?}");
    // Chess has only twenty first moves, so a suite of thirty openings with one ply is impossible.
    let failed = make("--count 30 --plies 1 --force");
    assert!(complaint(&failed).contains("only 20 of 30 openings"), "{failed:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    assert!(make("--count 2 --plies 3 --force").status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(read_openings(&text, Variant::Chess).unwrap().len(), 2);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn double_fischer_random_is_listed_with_the_variants() {
    let output = openings(&["--variant", "checkers"]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("chess960, dfrc, "), "{complaint}");
}

#[test]
fn impossible_requests_are_explained() {
    for (arguments, words) in [
        (&["--variant", "checkers"][..], "there is no variant 'checkers'"),
        (&["--variant", "chess", "--output", "/no/such/folder/x.epd"], "cannot write"),
        (&["--variant", "chess", "--max-score=-1"], "'--max-score"),
    ] {
        let output = openings(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(complaint.contains(words) && !complaint.contains("panicked"), "{complaint}");
    }
    let few = ["book", "openings", "--variant", "chess", "--count", "30", "--plies", "1"];
    let output = Command::new(BINARY).args(few).args(["--nodes", "1"]).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("of 30 openings were found: "), "{complaint}");
}
