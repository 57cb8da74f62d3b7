//! What must hold of every evaluation, on either board.

use super::*;
use crate::geometry::Board8x8;
use crate::rules::KingRight;

fn position<G: Board>(fen: &str) -> Position<G> {
    Position::from_fen(fen, KingRight::Castling).unwrap()
}

#[test]
fn start_is_even_but_for_the_move() {
    let start = position::<Board8x8>("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((0..50).contains(&evaluate(&start)));
}
