//! Attempts at a puzzle: checks the solver's moves and replies to them.
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::response::{AppResult, Response};
use super::view;
use crate::analysis::Puzzle;
use crate::game::{Game, Termination, Turn};

/// An attempt at a puzzle: the puzzle as a line of EPD, and the solver's moves so far.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    epd: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// The state of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Standing {
    /// The solver has to find another move.
    Open,
    /// The last move was wrong.
    Wrong,
    Solved,
}

impl PuzzleAttempt {
    /// Returns the position after the solver's moves and the opponent's replies, with the state of the
    /// attempt.
    pub(super) fn answer(&self) -> AppResult {
        let puzzle = Puzzle::read(&self.epd).map_err(|error| Response::unfit(error.to_string()))?;
        let mut game = puzzle.game.clone();
        let mut line: Vec<Turn> = Vec::new();
        let mut standing = Standing::Open;
        for (number, text) in self.moves.iter().enumerate() {
            if standing != Standing::Open {
                return Err(Response::conflict("this puzzle is over and expects no further move"));
            }
            game.play(text).map_err(Response::unfit)?;
            line.extend(game.last_turn());
            standing = judge(&puzzle, number, &game);
            if let (Standing::Open, Some(answer)) = (standing, puzzle.solution.get(2 * number + 1))
            {
                game.play(&answer.uci).map_err(Response::unfit)?;
                line.extend(game.last_turn());
            }
        }
        let rest = puzzle.solution.get(line.len()..).unwrap_or_default();
        let next = rest.first().filter(|_| standing == Standing::Open);
        let solution: Vec<&str> = puzzle.solution.iter().map(|turn| &*turn.san).collect();
        let told = json!({
            "name": puzzle.name,
            "themes": puzzle.themes,
            "moves": puzzle.moves(),
            "standing": standing,
            "next": next.map_or(Value::Null, |turn| json!({ "uci": turn.uci, "san": turn.san })),
            "solution": solution,
        });
        Ok(Response::ok(&view::joined(view::past(0, &game, &line), json!({ "puzzle": told }))))
    }
}

/// Judges the solver's move number `number`, counted from 0, which led to the current position of `game`. Any
/// mate solves a puzzle.
fn judge(puzzle: &Puzzle, number: usize, game: &Game) -> Standing {
    let is_mate = matches!(game.termination(), Some(Termination::Mate(_)));
    let played = game.last_turn().map(|turn| turn.uci);
    let is_right = played.as_deref() == puzzle.solution.get(2 * number).map(|turn| &*turn.uci);
    match (is_mate, is_right) {
        (true, _) => Standing::Solved,
        (false, false) => Standing::Wrong,
        (false, true) if 2 * number + 1 >= puzzle.solution.len() => Standing::Solved,
        (false, true) => Standing::Open,
    }
}
