//! Tests that the engine wins won endings with few nodes per move. Bare kings in random positions must be
//! mated before the fifty-move rule applies, and the engine must win almost all endings of
//! `data/won-endings.epd`.
//!
//! The 8x8 endings were made by `ladder/endings.py` with Syzygy tablebases and Stockfish, the 10x10
//! endings by `compose_endings` with deep searches of this engine.

use crate::common::{Random, random_ending};
use crate::harness::game::game;
use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::notation::EpdRecord;
use aleator::on_board;
use aleator::position::{FenStyle, Position};
use aleator::rules::Variant;
use aleator::search::{Limits, Searcher};
use rayon::prelude::*;

const NODES: u64 = 10_000;
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/won-endings.epd");

/// Whether the side to move mates within fifty moves, with [`NODES`] nodes per move for both sides.
fn is_mated<G: Board>(mut position: Position<G>) -> bool {
    let mut players = [(); 2].map(|()| Searcher::<G>::new(2).unwrap());
    let mut keys = Vec::new();
    for ply in 0..100 {
        let visits = keys.iter().filter(|key| **key == position.key()).count();
        if visits >= 2 || position.is_insufficient_material() {
            return false;
        }
        let found = players[ply % 2].search(&position, &keys, &Limits::nodes(NODES));
        let Some(mv) = found.best() else {
            return position.in_check() && ply % 2 == 1;
        };
        keys.push(position.key());
        position = position.after(mv);
    }
    false
}

/// Returns in how many of twelve random positions a king with the given pieces mates a bare king.
fn mated<G: Board>(pieces: &str) -> usize {
    let mut random = Random::new(0xba4e);
    let mut draw = |_| random_ending::<G>(&mut random, &format!("{pieces}Kk"));
    let positions: Vec<Position<G>> = (0..12).map(&mut draw).collect();
    positions.into_par_iter().filter(|position| is_mated(position.clone())).count()
}

#[test]
fn bare_kings_on_eight_ranks() {
    for pieces in ["Q", "R", "QR", "QP", "RP"] {
        assert_eq!(mated::<Board8x8>(pieces), 12, "{pieces}");
    }
}

#[test]
fn bare_kings_on_ten_ranks() {
    for pieces in ["Q", "QR", "RR"] {
        assert_eq!(mated::<Board10x10>(pieces), 12, "{pieces}");
    }
    // On ten ranks a mate with a single rook takes long, so one failure is allowed.
    assert!(mated::<Board10x10>("R") >= 11);
}

/// Returns the variant and the FEN of each ending in the data file whose board is part of this build.
fn endings() -> Vec<(Variant, String)> {
    let text = std::fs::read_to_string(DATA).unwrap();
    let read = |line: &str| {
        let record = EpdRecord::parse(line);
        let variant = record.operand("variant").unwrap_or("chess").parse().ok()?;
        Some((variant, record.fen))
    };
    text.lines().filter_map(read).collect()
}

#[test]
fn won_endings() {
    fn check<G: Board>(variant: Variant, fen: &str) -> bool {
        is_mated(game::<G>(variant, fen).position().clone())
    }
    let endings = endings();
    let failed: Vec<String> = endings
        .par_iter()
        .filter(|(variant, fen)| !on_board!(variant.rules().board, |G| check::<G>(*variant, fen)))
        .map(|(variant, fen)| format!("{variant} {fen}"))
        .collect();
    assert!(endings.len() >= 200);
    // Queen against rook and similar endings need most of the fifty moves, so a few failures are allowed.
    assert!(
        failed.len() <= endings.len() / 100,
        "{} of {} not won:\n{}",
        failed.len(),
        endings.len(),
        failed.join("\n")
    );
}

/// Regenerates the 10x10 endings: `cargo test --test search compose_endings -- --ignored`.
#[test]
#[ignore = "makes the data, takes minutes"]
fn compose_endings() {
    const PIECES: [&str; 9] =
        ["QKkr", "RKkp", "RPKkr", "PPKkp", "RPKkb", "QPKkq", "RNKknp", "BPPKkn", "RPPKkrp"];
    let mut random = Random::new(10);
    let mut searcher = Searcher::<Board10x10>::new(64).unwrap();
    let before = std::fs::read_to_string(DATA).unwrap();
    let of_chess = before.lines().filter(|line| !line.contains("variant"));
    let mut lines: Vec<String> = of_chess.map(str::to_owned).collect();
    let wanted = lines.len() + 50;
    while lines.len() < wanted {
        let pieces = random.choose(&PIECES);
        let position = random_ending::<Board10x10>(&mut random, pieces);
        let mut score = |nodes| {
            searcher.clear();
            searcher.search(&position, &[], &Limits::nodes(nodes)).score
        };
        // The scores are in the search's unit. A short search comes first, because most positions are far
        // from won.
        if score(20_000) > 500 && score(1_000_000) > 500 {
            let fen = position.fen(FenStyle::XFen);
            let fields: Vec<&str> = fen.split(' ').collect();
            lines.push(format!("{} variant ifrc;", fields[..4].join(" ")));
        }
    }
    std::fs::write(DATA, lines.join("\n") + "\n").unwrap();
}
