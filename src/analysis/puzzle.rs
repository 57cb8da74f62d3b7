//! Puzzles: positions in which only one move wins, with the whole winning line.
//!
//! A puzzle is written as a line of EPD. `bm` is the first move, `pv` the whole solution including the
//! opponent's replies, `id` the name, `c0` the themes and `variant` the variant. Because of `bm`, a
//! file of puzzles can also be used as an EPD test suite.
//!
//! ```text
//! 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1; variant chess; bm Ra8#; pv Ra8#; id "chess 1"; c0 "mate in 1";
//! ```

use std::fmt;

use crate::game::{Game, GameError, Turn};
use crate::notation::EpdRecord;
use crate::rules::{Variant, VariantError};
use crate::text::Excerpt;

/// A position and its only winning line.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The name, such as `ifrc 17`.
    pub name: String,
    /// The position, with the solver to move.
    pub game: Game,
    /// The solution: moves of the solver and replies of the opponent alternately. The first and the last
    /// move are the solver's.
    pub solution: Vec<Turn>,
    /// The themes, such as `mate in 2` or `sacrifice`.
    pub themes: Vec<String>,
}

/// Why a line of EPD is not a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleError {
    #[error("'{0}' is missing")]
    Missing(&'static str),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Position(GameError),
    #[error("the solution: {0}")]
    Move(GameError),
    #[error("a solution must end with the solver's move, not with the opponent's reply: {0}")]
    Even(Excerpt),
}

impl Puzzle {
    /// Parses a puzzle from a line of EPD.
    pub fn read(line: &str) -> Result<Puzzle, PuzzleError> {
        let record = EpdRecord::parse(line);
        let operand = |code| record.operand(code).ok_or(PuzzleError::Missing(code));
        let variant: Variant = operand("variant")?.parse()?;
        let game = Game::new(variant, &record.fen).map_err(PuzzleError::Position)?;
        let moves = record.operands("pv").ok_or(PuzzleError::Missing("pv"))?;
        if moves.len() % 2 == 0 {
            return Err(PuzzleError::Even(Excerpt::new(&moves.join(" "))));
        }
        let mut line = game.clone();
        let mut solution = Vec::with_capacity(moves.len());
        for text in moves {
            line.play(text).map_err(PuzzleError::Move)?;
            solution.extend(line.last_turn());
        }
        let themes = operand("c0")?.split(", ").map(str::to_owned).collect();
        Ok(Puzzle { name: operand("id")?.to_owned(), game, solution, themes })
    }

    /// Returns the number of moves that the solver has to find.
    pub const fn moves(&self) -> usize {
        self.solution.len().div_ceil(2)
    }
}

impl fmt::Display for Puzzle {
    /// Writes the puzzle as a line of EPD, without a line break.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Puzzle { name, game, solution, themes } = self;
        let moves: Vec<&str> = solution.iter().map(|turn| &*turn.san).collect();
        write!(
            f,
            "{}; variant {}; bm {}; pv {}; id \"{name}\"; c0 \"{}\";",
            game.fen(),
            game.variant().name(),
            moves.first().unwrap_or(&""),
            moves.join(" "),
            themes.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 4 30; variant chess960; \
        bm Ra8+; pv Ra8+ Rb8 Rxb8#; id \"chess960 3\"; c0 \"mate in 2, endgame\";";

    #[test]
    fn writing_and_reading_round_trips() {
        let puzzle = Puzzle::read(LINE).unwrap();
        assert_eq!((puzzle.moves(), &*puzzle.themes[1]), (2, "endgame"));
        assert_eq!(puzzle.solution[2].uci, "a8b8");
        assert_eq!(puzzle.to_string(), LINE);
    }

    #[test]
    fn invalid_lines_are_explained() {
        let wrong =
            |from: &str, to: &str| Puzzle::read(&LINE.replace(from, to)).unwrap_err().to_string();
        assert_eq!(wrong("id ", "x "), "'id' is missing");
        assert!(wrong("chess960;", "draughts;").contains("draughts"));
        assert!(wrong("Rb8 Rxb8#", "Rb7 Rxb8#").starts_with("the solution: "));
        assert_eq!(
            wrong("Rb8 Rxb8#", "Rb8"),
            "a solution must end with the solver's move, not with the opponent's reply: 'Ra8+ Rb8'"
        );
    }
}
