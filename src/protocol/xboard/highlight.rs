//! Highlighting of the target squares of a piece that the user has picked up.

use crate::game::{Game, on_stage};
use crate::notation;
use crate::rules::Variant;
use crate::types::Color;

/// The order in which XBoard shows the pieces in hand on a file next to the board. White's pieces begin on
/// the first rank and go upwards, Black's begin on the last rank and go downwards.
const IN_HAND: &[u8] = b"PNBRQK";
/// XBoard's name for the file with White's pieces in hand.
const WHITE_HAND: u8 = b'j';
/// XBoard's name for the file with Black's pieces in hand.
const BLACK_HAND: u8 = b'_';

/// Returns the `highlight` command that marks the target squares of a piece. `from` is the square from which
/// the user has picked up the piece. The marks have the form of a FEN in which letters are colours: yellow,
/// or magenta for promotions. XBoard accepts the marked moves as legal even if XBoard's own rules do not
/// allow them. This is necessary for placements before the king is on the board, and for castling after a
/// placement phase.
pub(super) fn targets(game: &Game, from: &str) -> String {
    let lifted = in_hand(game.side_to_move(), from)
        .map_or_else(|| from.to_owned(), |piece| format!("{piece}@"));
    // In variants other than Chess960, XBoard castles by moving the king to its target square.
    let chess960 = game.variant() == Variant::Chess960;
    let moves: Vec<String> = on_stage!(game.stage(),
    _ => game.legal_turns(),
    game => {
        let position = game.position();
        let moves = position.legal_moves().into_iter();
        moves.map(|mv| notation::uci(position, mv, chess960)).collect()
    });
    let mut marks = [[b' '; 8]; 8];
    for mv in moves.iter().filter_map(|text| text.strip_prefix(&lifted)) {
        if let [file @ b'a'..=b'h', rank @ b'1'..=b'8', promotion @ ..] = mv.as_bytes() {
            let mark = if promotion.is_empty() { b'Y' } else { b'M' };
            marks[usize::from(b'8' - rank)][usize::from(file - b'a')] = mark;
        }
    }
    format!("highlight {}", marks.map(|rank| fen_rank(&rank)).join("/"))
}

/// Formats a rank as in a FEN, with numbers for runs of empty squares.
fn fen_rank(marks: &[u8; 8]) -> String {
    let runs = marks.chunk_by(|one, other| (*one == b' ') == (*other == b' '));
    runs.map(|run| match run {
        [b' ', ..] => run.len().to_string(),
        _ => String::from_utf8_lossy(run).into_owned(),
    })
    .collect()
}

/// Returns the letter of the piece in hand that XBoard shows on a square next to the board, or `None` for
/// other squares.
fn in_hand(color: Color, square: &str) -> Option<char> {
    let [file, rank @ b'1'..=b'8'] = square.as_bytes() else { return None };
    let index = match (color, *file) {
        (Color::White, WHITE_HAND) => rank - b'1',
        (Color::Black, BLACK_HAND) => b'8' - rank,
        _ => return None,
    };
    IN_HAND.get(usize::from(index)).map(|letter| char::from(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(variant: Variant, fen: &str, from: &str) -> String {
        let text = targets(&Game::new(variant, fen).unwrap(), from);
        text.strip_prefix("highlight ").unwrap().to_owned()
    }

    #[test]
    fn pieces_in_hand_are_marked_where_they_may_be_placed() {
        let white = "8/pppppppp/8/8/8/8/PPPPPPPP/B7[KQRRBNNkqrrbbnn] b - - 0 1";
        let black = "b7/pppppppp/8/8/8/8/PPPPPPPP/B7[KQRRBNNkqrrbnn] w - - 0 2";
        let nowhere = "8/8/8/8/8/8/8/8";
        assert_eq!(marks(Variant::Placement, white, "_3"), "YYYYYYYY/8/8/8/8/8/8/8", "a king");
        assert_eq!(marks(Variant::Placement, black, "j6"), "8/8/8/8/8/8/8/1YYYYYYY", "a king");
        assert_eq!(marks(Variant::Placement, black, "j3"), "8/8/8/8/8/8/8/1Y1Y1Y1Y", "a bishop");
        assert_eq!(marks(Variant::Placement, black, "j1"), nowhere, "a pawn");
        assert_eq!(marks(Variant::Placement, black, "_3"), nowhere, "a piece of the other side");
        for nonsense in ["", "j", "j9", "_0", "e2e4", "é", "zz", "j66"] {
            assert_eq!(marks(Variant::Placement, black, nonsense), nowhere, "{nonsense:?}");
        }
    }

    #[test]
    fn kings_castle_to_their_target_square_and_pawns_promote() {
        let fen = "1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";
        let king = "8/8/8/8/8/8/3YYY2/2YY1YY1";
        assert_eq!(marks(Variant::Placement, fen, "e1"), king);
        let pawn = "MM6/8/8/8/8/8/8/8";
        assert_eq!(marks(Variant::Placement, fen, "a7"), pawn);
    }
}
