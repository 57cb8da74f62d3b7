//! Tests that the suites in `book/starts` are reproducible and that every line is a legal start.

use std::collections::HashSet;

use aleator::geometry::{Board, Board8x8};
use aleator::position::Position;
use aleator::rules::{KingRight, Variant};
use aleator::start::{BlackBackRank, Numbering, Rng, Start};

fn lines(file: &str) -> Vec<String> {
    let path = format!("{}/book/starts/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn check<G: Board>(file: &str, numbering: Numbering, starts: impl Iterator<Item = Start>) -> usize {
    let lines = lines(file);
    let mut seen = HashSet::new();
    let mut count = 0;
    for (line, start) in lines.iter().zip(starts) {
        let number = numbering.number(&start).unwrap();
        assert_eq!(*line, format!("{} id \"{number}\";", start.epd()), "{file}");
        let fen = line.split(" id ").next().unwrap();
        let position = Position::<G>::from_fen(fen, KingRight::Castling).unwrap();
        assert_eq!(position.rights().count(), 4, "{line}");
        assert!(seen.insert(number), "{file}: {line} twice");
        count += 1;
    }
    assert_eq!(count, lines.len());
    count
}

#[test]
fn chess960() {
    let list = Numbering::of(Variant::Chess960);
    assert_eq!(check::<Board8x8>("chess960.epd", list, list.all()), 960);
}

#[test]
fn double_fischer_random() {
    let list = Numbering::new(Variant::Chess960, BlackBackRank::Own).unwrap();
    let mut rng = Rng::new(1);
    let drawn = (0..1000).map(|_| list.random(&mut rng));
    assert_eq!(check::<Board8x8>("dfrc.epd", list, drawn), 1000);
}

#[test]
fn ifrc() {
    let Ok(ifrc) = "ifrc".parse() else { return };
    let list = Numbering::of(ifrc);
    let count = check::<aleator::geometry::Board10x10>("ifrc.epd", list, list.all());
    assert_eq!(count, 960);
}
