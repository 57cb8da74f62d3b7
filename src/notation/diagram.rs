//! The board as a text diagram.

use crate::geometry::Board;
use crate::position::Position;
use crate::types::{Piece, Square};

/// Draws the board with FEN letters, upper case for White, and White at the bottom.
pub fn board<G: Board>(position: &Position<G>) -> String {
    let rule = format!("   +{}", "---+".repeat(G::FILES as usize));
    let mut lines = vec![rule.clone()];
    for rank in (0..G::RANKS).rev() {
        let cells: String = (0..G::FILES)
            .map(|file| {
                let piece = Square::at(file, rank).and_then(|square| position.piece_at(square));
                format!(" {} |", piece.map_or(' ', Piece::letter))
            })
            .collect();
        lines.push(format!("{:>2} |{cells}", rank + 1));
        lines.push(rule.clone());
    }
    let files: String =
        (0..G::FILES).map(|file| format!(" {}  ", char::from(b'a' + file))).collect();
    lines.push(format!("    {}", files.trim_end()));
    lines.join("\n")
}
