use serde::Deserialize;
use serde_json::{Value, json};

use super::response::{AppResult, Response};
use super::view;
use crate::game::{Game, Outcome, Turn};
use crate::play::Puzzle;

/// A puzzle that somebody solves: its line of EPD, and what the solver has played so far.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    epd: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// How an attempt stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Another move is to be found.
    Open,
    /// The last move is not the one.
    Wrong,
    Solved,
}

impl PuzzleAttempt {
    /// The position that the moves lead to, with the opponent's answers, and what is to be said.
    pub(super) fn answer(&self) -> AppResult {
        let puzzle = Puzzle::read(&self.epd).map_err(|error| Response::unfit(error.to_string()))?;
        let mut game = puzzle.game.clone();
        let mut line: Vec<Turn> = Vec::new();
        let mut standing = Standing::Open;
        for (number, text) in self.moves.iter().enumerate() {
            if standing != Standing::Open {
                return Err(Response::conflict("this puzzle waits for no move"));
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
            "standing": match standing {
                Standing::Open => "open",
                Standing::Wrong => "wrong",
                Standing::Solved => "solved",
            },
            "next": next.map_or(Value::Null, |turn| json!({ "uci": turn.uci, "san": turn.san })),
            "solution": solution,
        });
        Ok(Response::ok(&view::joined(view::past(0, &game, &line), json!({ "puzzle": told }))))
    }
}

/// What becomes of the puzzle by the solver's move of this number, counted from 0, after which the
/// game stands like this. Whoever mates has solved it, by whatever move.
fn judge(puzzle: &Puzzle, number: usize, game: &Game) -> Standing {
    let is_mate = game.outcome() == Some(Outcome::Mate);
    let played = game.last_turn().map(|turn| turn.uci);
    let is_right = played.as_deref() == puzzle.solution.get(2 * number).map(|turn| &*turn.uci);
    match (is_mate, is_right) {
        (true, _) => Standing::Solved,
        (false, false) => Standing::Wrong,
        (false, true) if 2 * number + 1 >= puzzle.solution.len() => Standing::Solved,
        (false, true) => Standing::Open,
    }
}
