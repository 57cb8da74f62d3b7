//! The network's value of each piece, in a diagram for people.

use std::fmt::Write;

use super::features::{Attacked, Perspective, PlacedPiece, Rights, pieces};
use super::network::Network;
use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Role, Square, Value};

/// Returns the network's value for the side to move, optionally with one piece left out. The value is
/// computed from scratch, which is slow. For tests and tools.
pub fn evaluate<G: Board>(
    network: &Network<G>,
    position: &Position<G>,
    left_out: Option<Square<G>>,
) -> Value {
    let side = position.side_to_move();
    let kept = pieces(position).filter(|(_, square)| Some(*square) != left_out);
    let attacked = Attacked::among(kept.clone());
    let pieces = kept.map(|(piece, square)| PlacedPiece::new(piece, square, &attacked));
    let rights = Rights::without_piece(position, left_out);
    let [own, theirs] = [side, !side].map(|color| {
        Perspective::new(color, position.king(color)).features(pieces.clone(), rights)
    });
    network.evaluate([&own, &theirs], pieces.count())
}

/// Draws the board with the value of each piece for White, in pawns. The value of a piece is the position's
/// value minus the value of the position without the piece. Kings have no value. `pawns` converts values to
/// displayed pawns.
pub fn explain<G: Board>(
    network: &Network<G>,
    position: &Position<G>,
    pawns: impl Fn(Value) -> f64,
) -> String {
    let for_white =
        |left_out| evaluate(network, position, left_out) * position.side_to_move().sign();
    let whole = for_white(None);
    let mut text = format!("Network {} ({:08x})\n", network.name(), network.hash());
    for rank in (0..G::RANKS).rev() {
        let line = "+-------".repeat(G::FILES.into());
        let _ = write!(text, "{line}+\n|");
        let squares = || (0..G::FILES).map(|file| Square::on(file, rank));
        for square in squares() {
            let letter = position.piece_at(square).map_or(' ', |piece| piece.letter());
            let _ = write!(text, "   {letter}   |");
        }
        text.push_str("\n|");
        for square in squares() {
            let piece = position.piece_at(square).filter(|piece| piece.role() != Role::King);
            let value = piece.map_or_else(String::new, |_| {
                let without = for_white(Some(square));
                format!("{:+.2}", pawns(whole - without))
            });
            let _ = write!(text, "{value:^7}|");
        }
        text.push('\n');
    }
    let line = "+-------".repeat(G::FILES.into());
    let _ = write!(text, "{line}+\nThe network's value: {:+.2} pawns for White", pawns(whole));
    text
}
