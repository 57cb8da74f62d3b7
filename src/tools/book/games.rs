//! Makes a book from the moves of games.

use std::collections::BTreeMap;

use crate::book::{BookLine, BookMove, key_of, spelt};
use crate::game::{Game, GameError, Step};
use crate::pgn::PgnGame;
use crate::rules::Variant;

/// The moves played in games, collected by position.
pub struct PlayedMoves {
    variant: Variant,
    plies: usize,
    /// The FEN and the moves of each position. The keys are the results of [`key_of`]. The moves are sorted
    /// by UCI notation.
    positions: BTreeMap<String, (String, BTreeMap<String, Tally>)>,
}

/// The results of all games in which a move was played.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u32,
    /// The half points of the side that played the move: 2 for a win, 1 for a draw or an unknown result.
    half_points: u32,
}

impl PlayedMoves {
    /// Creates an empty collection of moves. Only the first `plies` plies of each game will be collected, and
    /// only games of this variant.
    pub const fn new(variant: Variant, plies: usize) -> PlayedMoves {
        PlayedMoves { variant, plies, positions: BTreeMap::new() }
    }

    /// Adds a game of the variant and returns true. Returns false and does not add the game if the game has
    /// another variant.
    pub fn add(&mut self, pgn: &PgnGame) -> Result<bool, GameError> {
        if pgn.start.variant() != self.variant {
            return Ok(false);
        }
        let mut game = pgn.start.clone();
        for node in pgn.line.turns.iter().take(self.plies) {
            if let Step::Turn(turn) = &node.step {
                let side = game.side_to_move();
                let half_points = pgn.result.map_or(1, |result| match result.winner() {
                    Some(winner) => 2 * u32::from(winner == side),
                    None => 1,
                });
                let uci = spelt(&game, &turn.uci, true).unwrap_or_else(|| turn.uci.clone());
                let known = self.positions.entry(key_of(&game));
                let (_, moves) =
                    known.or_insert_with(|| (game.pseudo_legal_fen(), BTreeMap::new()));
                let tally = moves.entry(uci).or_default();
                tally.games = tally.games.saturating_add(1);
                tally.half_points = tally.half_points.saturating_add(half_points);
            }
            game.follow(&node.step, node.notes.dice)?;
        }
        Ok(true)
    }

    /// Returns the book of all moves played in at least `least` games. The weight of a move is the number of
    /// half points that the side playing the move has scored. The moves of a position are ordered by weight,
    /// the largest first.
    pub fn lines(&self, least: u32) -> Result<Vec<BookLine>, GameError> {
        let mut lines = Vec::new();
        for (fen, moves) in self.positions.values() {
            let often = moves.iter().filter(|(_, tally)| tally.games >= least);
            let book_move = |(uci, tally): (&String, &Tally)| BookMove {
                uci: uci.clone(),
                weight: tally.half_points,
            };
            let mut moves: Vec<BookMove> = often.map(book_move).collect();
            moves.sort_by_key(|mv| u32::MAX - mv.weight);
            if !moves.is_empty() {
                lines.push(BookLine { game: Game::new(self.variant, fen)?, moves, score: None });
            }
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    fn played(text: &str, variant: Variant, plies: usize) -> PlayedMoves {
        let mut played = PlayedMoves::new(variant, plies);
        for game in PgnReader::new(text.as_bytes()) {
            played.add(&game.unwrap()).unwrap();
        }
        played
    }

    #[test]
    fn winning_moves_get_larger_weights() {
        let text = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n\
                    [Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n\n[Result \"*\"]\n\n1. c4 *\n\n\
                    [Game \"jepps\"]\n\n*\n\n";
        let lines = |least, plies| -> Vec<String> {
            let lines = played(text, Variant::Chess, plies).lines(least).unwrap();
            lines.iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            lines(1, 2),
            [
                "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - bm d5; weights \"2\";",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm c5 e5; weights \"1 0\";",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 c4 d4; \
                 weights \"3 1 0\";",
            ]
        );
        assert_eq!(lines(2, 2).len(), 1);
        assert_eq!(lines(1, 3).len(), 4);
        assert!(lines(3, 3).is_empty());
    }
}
