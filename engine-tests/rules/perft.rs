//! Tests of move generation against perft counts of independent programs (see `data/README.md`).

use aleator::geometry::{Board, Board8x8};
use aleator::position::{Position, perft::perft};
use aleator::rules::KingRight;

/// The maximum number of leaves. Larger trees are skipped to keep the tests short in debug builds.
const MOST_LEAVES: u64 = 60_000_000;

/// Checks the perft counts of every line of a file. A line has the form `FEN ;D1 n ;D2 n ...`.
fn run_suite<G: Board>(file: &str, right: KingRight) {
    let path = format!("{}/engine-tests/data/perft/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut counted = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap().trim();
        let position = Position::<G>::from_fen(fen, right).unwrap_or_else(|e| panic!("{fen}: {e}"));
        for part in parts {
            let (depth, nodes) = part.trim().trim_start_matches('D').split_once(' ').unwrap();
            let (depth, nodes): (u32, u64) =
                (depth.parse().unwrap(), nodes.trim().parse().unwrap());
            if nodes <= MOST_LEAVES {
                assert_eq!(perft(&position, depth), nodes, "{file}: {fen} at depth {depth}");
                counted += 1;
            }
        }
    }
    assert!(counted > 50, "{file}: only {counted} counts");
}

#[test]
fn chess960_and_double_fischer_random() {
    run_suite::<Board8x8>("frc.epd", KingRight::Castling);
}

#[test]
fn jepps() {
    run_suite::<Board8x8>("jepps.epd", KingRight::Relocation);
}

#[test]
fn transcendental() {
    run_suite::<Board8x8>("transcendental.epd", KingRight::None);
}

#[test]
fn ifrc() {
    use aleator::geometry::Board10x10;
    run_suite::<Board10x10>("ifrc.epd", KingRight::Castling);
}
