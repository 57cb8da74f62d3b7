//! A bare king is mated before fifty moves are over, from wherever it stands, with few nodes a
//! move: the evaluation shows the way.

mod common;

use aleator::attacks::Board;
use aleator::geometry::Board8x8;
#[cfg(feature = "board10x10")]
use aleator::geometry::Board10x10;
use aleator::position::Position;
use aleator::rules::KingRight;
use aleator::search::{Limits, Solo};
use common::Random;

/// White with these pieces against a king, all of them anywhere; White to move.
fn anywhere<G: Board>(pieces: &str, random: &mut Random) -> Position<G> {
    let (files, ranks) = (usize::from(G::FILES), usize::from(G::RANKS));
    loop {
        let mut board = vec![None; files * ranks];
        for piece in pieces.chars().chain("Kk".chars()) {
            let square = loop {
                let square = random.below(board.len());
                if board[square].is_none() {
                    break square;
                }
            };
            board[square] = Some(piece);
        }
        let rank = |rank: &[Option<char>]| -> String {
            rank.iter().map(|piece| piece.map_or("1".to_owned(), String::from)).collect()
        };
        let rows: Vec<_> = board.chunks(files).map(rank).collect();
        // Empty squares in a row are one number, which has two digits on an empty rank of ten.
        let mut fen = rows.join("/");
        for run in (1..=files).rev() {
            fen = fen.replace(&"1".repeat(run), &format!("<{run}>"));
        }
        let fen = fen.replace(['<', '>'], "") + " w - - 0 1";
        if let Ok(position) = Position::from_fen(&fen, KingRight::Castling) {
            return position;
        }
    }
}

/// How many of twelve such positions are mated, if both sides have 10,000 nodes for each move.
fn mated<G: Board>(pieces: &str) -> usize {
    let mut random = Random(0xba4e);
    let mut players = [(); 2].map(|()| Solo::<G>::new(2).unwrap());
    let mut mates = 0;
    for _ in 0..12 {
        players.iter_mut().for_each(Solo::clear);
        let mut position = anywhere::<G>(pieces, &mut random);
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

#[cfg(feature = "board10x10")]
#[test]
fn on_ten_ranks() {
    assert_eq!(mated::<Board10x10>("Q"), 12);
    // The way to a mate by the rook is long there.
    assert!(mated::<Board10x10>("R") >= 11);
}
