//! A bare king is mated before fifty moves are over, from wherever it stands, with few nodes a
//! move: the evaluation shows the way.

use crate::common::{Random, random_against_king};
use aleator::attacks::Board;
use aleator::geometry::Board8x8;
use aleator::geometry::Board10x10;
use aleator::search::{Limits, Searcher};

/// How many of twelve such positions are mated, if both sides have 10,000 nodes for each move.
fn mated<G: Board>(pieces: &str) -> usize {
    let mut random = Random::new(0xba4e);
    let mut players = [(); 2].map(|()| Searcher::<G>::new(2).unwrap());
    let mut mates = 0;
    for _ in 0..12 {
        players.iter_mut().for_each(Searcher::clear);
        let mut position = random_against_king::<G>(&mut random, pieces);
        let mut keys = Vec::new();
        while !position.is_fifty_moves() && !position.is_insufficient_material() {
            let player = &mut players[keys.len() % 2];
            let Some(mv) = player.search(&position, &keys, &Limits::nodes(10_000)).best else {
                mates += usize::from(position.in_check());
                break;
            };
            keys.push(position.key());
            position = position.after(mv);
        }
    }
    mates
}

#[test]
fn on_eight_ranks() {
    for pieces in ["Q", "R", "QR", "QP"] {
        assert_eq!(mated::<Board8x8>(pieces), 12, "{pieces}");
    }
}

#[test]
fn on_ten_ranks() {
    assert_eq!(mated::<Board10x10>("Q"), 12);
    // The way to a mate by the rook is long there.
    assert!(mated::<Board10x10>("R") >= 11);
}
