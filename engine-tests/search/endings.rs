//! Won endings are won with few nodes a move: a bare king is mated before fifty moves are over, from
//! wherever it stands, and so is the weaker side in the endings of `data/won-endings.epd`.
//!
//! Those of the 8x8 board were made by `ladder/endings.py` with Syzygy's tables and Stockfish, those of
//! the 10x10 board by `compose_endings`, with deep searches of our own.

use crate::common::{Random, random_ending};
use crate::harness::game::game;
use aleator::attacks::Board;
use aleator::geometry::{Board8x8, Board10x10};
use aleator::notation::EpdRecord;
use aleator::on_board;
use aleator::position::{FenStyle, Position};
use aleator::rules::Variant;
use aleator::search::{Limits, Searcher};
use rayon::prelude::*;

const NODES: u64 = 10_000;
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-tests/data/won-endings.epd");

/// Whether the game ends in mate by the side to move, if both sides have few nodes for each move and
/// the stronger one fifty moves.
fn is_mated<G: Board>(mut position: Position<G>) -> bool {
    let mut players = [(); 2].map(|()| Searcher::<G>::new(2).unwrap());
    let mut keys = Vec::new();
    for ply in 0..100 {
        let visits = keys.iter().filter(|key| **key == position.key()).count();
        if visits >= 2 || position.is_insufficient_material() {
            return false;
        }
        let found = players[ply % 2].search(&position, &keys, &Limits::nodes(NODES));
        let Some(mv) = found.best else {
            return position.in_check() && ply % 2 == 1;
        };
        keys.push(position.key());
        position = position.after(mv);
    }
    false
}

/// How many of twelve positions of a bare king against these pieces are mated.
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
    // The way to a mate by the rook is long there.
    assert!(mated::<Board10x10>("R") >= 11);
}

/// Variant and FEN of each ending on the boards of this build.
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
    let lost: Vec<String> = endings
        .par_iter()
        .filter(|(variant, fen)| !on_board!(variant.rules().board, |G| check::<G>(*variant, fen)))
        .map(|(variant, fen)| format!("{variant} {fen}"))
        .collect();
    assert!(endings.len() >= 200);
    // A queen against a rook and the like need most of the fifty moves.
    assert!(
        lost.len() <= endings.len() / 100,
        "{} of {}:\n{}",
        lost.len(),
        endings.len(),
        lost.join("\n")
    );
}

/// Makes the endings of the 10x10 board anew: `cargo test --test search compose_endings -- --ignored`.
#[test]
#[ignore = "makes the data, takes minutes"]
fn compose_endings() {
    const MEN: [&str; 9] =
        ["QKkr", "RKkp", "RPKkr", "PPKkp", "RPKkb", "QPKkq", "RNKknp", "BPPKkn", "RPPKkrp"];
    let mut random = Random::new(10);
    let mut searcher = Searcher::<Board10x10>::new(64).unwrap();
    let before = std::fs::read_to_string(DATA).unwrap();
    let of_chess = before.lines().filter(|line| !line.contains("variant"));
    let mut lines: Vec<String> = of_chess.map(str::to_owned).collect();
    let wanted = lines.len() + 50;
    while lines.len() < wanted {
        let men = random.choose(&MEN);
        let position = random_ending::<Board10x10>(&mut random, men);
        let mut score = |nodes| {
            searcher.clear();
            searcher.search(&position, &[], &Limits::nodes(nodes)).score
        };
        // In the search's unit; a short look first, since most positions are far from won.
        if score(20_000) > 500 && score(1_000_000) > 500 {
            let fen = position.fen(FenStyle::XFen);
            let fields: Vec<&str> = fen.split(' ').collect();
            lines.push(format!("{} variant ifrc;", fields[..4].join(" ")));
        }
    }
    std::fs::write(DATA, lines.join("\n") + "\n").unwrap();
}
