//! Makes opening books, and checks files of positions.
//!
//! | file | contents |
//! | --- | --- |
//! | `games` | a book of moves from games |
//! | `searches` | a book of moves found by searches |
//! | `verify` | checking books and suites |
//!
//! [`crate::book`] describes the contents of a book.

mod games;
mod searches;
mod verify;

pub use games::PlayedMoves;
pub use searches::BookSearcher;
pub use verify::{Defect, Report, verify};

use crate::book::{BookLine, PolyglotEntry};

/// The largest weight that the Polyglot format can store.
const MAX_WEIGHT: u32 = u16::MAX as u32;

/// Encodes lines as a Polyglot book. Skips Chess960 positions that the format cannot represent. If a weight
/// of a position is too large for the format, all weights of the position are scaled down.
pub fn polyglot<'a>(lines: impl IntoIterator<Item = &'a BookLine>) -> Vec<u8> {
    let mut entries = Vec::new();
    for BookLine { game, moves, .. } in lines {
        let most = moves.iter().map(|mv| mv.weight).max().unwrap_or(0).max(MAX_WEIGHT);
        entries.extend(moves.iter().filter_map(|mv| {
            let weight = u64::from(mv.weight) * u64::from(MAX_WEIGHT) / u64::from(most);
            PolyglotEntry::new(game, &mv.uci, weight as u16)
        }));
    }
    // The move with the largest weight comes first, as in books made by Polyglot.
    entries.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, entry.mv));
    entries.into_iter().flat_map(PolyglotEntry::to_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookMove, Polyglot};
    use crate::rules::Variant;

    #[test]
    fn weights_fit_a_polyglot_book() {
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4 e4 c4; \
                    weights \"1 131070 65535\";";
        let mut line = BookLine::parse(line, Variant::Chess).unwrap();
        let bytes = polyglot([&line]);
        let weights = |bytes: Vec<u8>| {
            let book = Polyglot::from_bytes(bytes).unwrap();
            book.entries(0x463b_9618_1691_fc9c).map(|entry| entry.weight).collect::<Vec<_>>()
        };
        assert_eq!(weights(bytes), [65535, 32767, 0]);
        line.moves = vec![BookMove { uci: "e2e4".to_owned(), weight: 3 }];
        assert_eq!(weights(polyglot([&line])), [3]);
    }
}
