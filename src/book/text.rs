//! Aleator's own book format: text files for every variant.
//!
//! Each line is an EPD record with a position, its moves and their weights:
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4 Nf3; weights "3 2 1"; ce 25;
//! ```
//!
//! `bm` lists the moves in SAN or UCI notation. `weights` lists the weights of these moves in the same order.
//! Weights are whole numbers. They are quoted because an EPD operand that begins with a digit must be a
//! single number. A move of weight 0 is never played. Without `weights` all moves are equally likely. In a
//! placement phase the position has pieces in hand and the moves are placements. `ce` is the score of the
//! position from a search and has no effect on play. Other operations are ignored. A position may occur only
//! once in a book. Blank lines and lines that begin with `#` are skipped.

use std::collections::HashMap;
use std::fmt;

use super::{BookMove, spelt};
use crate::game::{Game, GameError};
use crate::notation::{EpdRecord, epd_lines};
use crate::rules::Variant;
use crate::text::shorten;

/// A text book in memory.
#[derive(Debug)]
pub struct TextBook {
    /// The moves of each position. The map's keys are the results of [`key_of`].
    positions: HashMap<String, Vec<BookMove>>,
}

/// An error in a line of a text book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct TextError {
    /// The number of the line, from 1.
    pub line: usize,
    pub fault: LineFault,
}

/// The kind of error in a line of a text book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineFault {
    #[error("the line does not start with a valid position of {variant}: {error}")]
    Position { variant: Variant, error: GameError },
    #[error(
        "the line has no moves; write 'bm' and the moves after the position, such as 'bm e4 d4;'"
    )]
    NoMoves,
    #[error("the move {text} after 'bm' cannot be played: {error}")]
    Move { text: String, error: GameError },
    #[error("the move {text} appears twice after 'bm'; remove one of the two")]
    MoveTwice { text: String },
    #[error(
        "'{found}' is not the weight of a move; write a whole number from 0 to {} after 'weights'",
        u32::MAX
    )]
    Weight { found: String },
    #[error("each move needs one weight; moves after 'bm': {moves}, weights: {weights}")]
    WeightCount { moves: usize, weights: usize },
    #[error(
        "the position is already on an earlier line of the book; put all moves of the position on one line"
    )]
    PositionTwice,
}

/// A line of a text book: a position and its moves.
#[derive(Clone, Debug)]
pub struct BookLine {
    pub game: Game,
    pub moves: Vec<BookMove>,
    /// The score of the position from a search, in centipawns for the side to move.
    pub score: Option<i32>,
}

/// Returns the key of a position in a text book: the FEN without the halfmove clock and the move number.
/// Positions that differ only in these numbers have the same moves in a book.
pub fn key_of(game: &Game) -> String {
    without_clocks(&game.fen()).to_owned()
}

fn without_clocks(fen: &str) -> &str {
    let clocks = fen.rmatch_indices(' ').nth(1).map_or(fen.len(), |(at, _)| at);
    &fen[..clocks]
}

impl BookLine {
    /// Parses a line of a text book.
    pub fn parse(line: &str, variant: Variant) -> Result<BookLine, LineFault> {
        let record = EpdRecord::parse(line);
        let game = Game::new(variant, &record.fen)
            .map_err(|error| LineFault::Position { variant, error })?;
        let texts = record.moves("bm").unwrap_or_default();
        let weights = match record.operands("weights") {
            Some(operands) => weights(operands)?,
            None => vec![1; texts.len()],
        };
        if texts.is_empty() {
            return Err(LineFault::NoMoves);
        }
        if texts.len() != weights.len() {
            return Err(LineFault::WeightCount { moves: texts.len(), weights: weights.len() });
        }
        let mut moves: Vec<BookMove> = Vec::with_capacity(texts.len());
        for (text, weight) in texts.iter().zip(weights) {
            let read = game.read(text);
            let turn = read.map_err(|error| LineFault::Move { text: shorten(text), error })?;
            let uci = spelt(&game, &turn.uci, true).unwrap_or(turn.uci);
            if moves.iter().any(|mv| mv.uci == uci) {
                return Err(LineFault::MoveTwice { text: shorten(text) });
            }
            moves.push(BookMove { uci, weight });
        }
        let score = record.operand("ce").and_then(|text| text.parse().ok());
        Ok(BookLine { game, moves, score })
    }
}

fn weights(operands: &[String]) -> Result<Vec<u32>, LineFault> {
    let words = operands.iter().flat_map(|operand| operand.split_whitespace());
    words.map(|word| word.parse().map_err(|_| LineFault::Weight { found: shorten(word) })).collect()
}

impl fmt::Display for BookLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} bm", without_clocks(&self.game.pseudo_legal_fen()))?;
        for mv in &self.moves {
            // An illegal move has no SAN, so its UCI notation is written.
            let turn = self.game.read(&mv.uci);
            write!(f, " {}", turn.as_ref().map_or(&mv.uci, |turn| &turn.san))?;
        }
        let weights: Vec<String> = self.moves.iter().map(|mv| mv.weight.to_string()).collect();
        write!(f, "; weights \"{}\";", weights.join(" "))?;
        self.score.map_or(Ok(()), |score| write!(f, " ce {score};"))
    }
}

impl TextBook {
    /// Parses the contents of a text book.
    pub fn read(text: &str, variant: Variant) -> Result<TextBook, TextError> {
        let mut positions = HashMap::new();
        for (line, content) in epd_lines(text) {
            let fail = |fault| TextError { line, fault };
            let BookLine { game, moves, .. } = BookLine::parse(content, variant).map_err(fail)?;
            if positions.insert(key_of(&game), moves).is_some() {
                return Err(fail(LineFault::PositionTwice));
            }
        }
        Ok(TextBook { positions })
    }

    /// Returns the number of positions.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// Returns the moves of a position.
    pub(super) fn moves(&self, game: &Game) -> &[BookMove] {
        self.positions.get(&key_of(game)).map_or(&[], Vec::as_slice)
    }
}
