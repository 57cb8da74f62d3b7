//! Attempts at a puzzle: checks the solver's moves, replies to them, and explains what they win or lose.
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::response::{AppResult, Response};
use super::{study, view};
use crate::analysis::Puzzle;
use crate::analysis::gain::Gain;
use crate::engine::{SearchInfo, SearchRequest, SearchResult};
use crate::game::{Game, Termination, Turn};
use crate::types::{Color, Score};

/// The number of plies of the engine's line that an explanation considers and shows.
const LINE: usize = 8;

/// An attempt at a puzzle: the puzzle as a line of EPD, and the solver's moves so far.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    epd: String,
    #[serde(default)]
    moves: Vec<String>,
    /// Asks for an explanation of a wrong move or of the solution, for which an engine searches.
    #[serde(default)]
    explain: bool,
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

/// An attempt at a puzzle whose moves were checked.
pub(super) struct JudgedAttempt {
    puzzle: Puzzle,
    /// The game after the solver's moves and the opponent's replies.
    game: Game,
    /// These moves and replies.
    line: Vec<Turn>,
    standing: Standing,
    explains: bool,
}

impl PuzzleAttempt {
    /// Checks the solver's moves.
    pub(super) fn judge(&self) -> Result<JudgedAttempt, Response> {
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
        let explains = self.explain && standing != Standing::Open;
        Ok(JudgedAttempt { puzzle, game, line, standing, explains })
    }
}

impl JudgedAttempt {
    /// Returns the name of the puzzle.
    pub fn name(&self) -> &str {
        &self.puzzle.name
    }

    /// Returns the search that an explanation needs.
    pub fn search(&self) -> Option<(Game, SearchRequest)> {
        let is_needed = self.explains && self.game.termination().is_none();
        is_needed.then(|| (self.game.clone(), study::hint_request(&self.game, 1)))
    }

    /// Returns the position with the state of the attempt. `reply` is the result of the search. In the
    /// explanation of a wrong move, the opponent has replied.
    pub fn answer(mut self, reply: Option<&SearchResult>) -> AppResult {
        let best = reply.and_then(|reply| reply.lines.first());
        let mut told = Value::Null;
        if self.explains {
            let mut rest = Vec::new();
            let mut game = self.game.clone();
            for uci in best.map_or(&[][..], |best| &best.pv).iter().take(LINE) {
                game.play(uci).map_err(Response::unfit)?;
                rest.extend(game.last_turn());
            }
            let sentence = match self.standing {
                Standing::Wrong => self.refutation(best, &rest)?,
                _ => self.result(best, &rest)?,
            };
            told = json!({ "sentence": sentence, "line": numbered(&self.game, &rest) });
            if let (Standing::Wrong, Some(reply)) = (self.standing, rest.into_iter().next()) {
                self.game.play(&reply.uci).map_err(Response::unfit)?;
                self.line.push(reply);
            }
        }
        let JudgedAttempt { puzzle, game, line, standing, .. } = &self;
        let rest = puzzle.solution.get(line.len()..).unwrap_or_default();
        let next = rest.first().filter(|_| *standing == Standing::Open);
        let told = json!({
            "name": puzzle.name,
            "themes": puzzle.themes,
            "moves": puzzle.moves(),
            "standing": standing,
            "next": next.map_or(Value::Null, |turn| json!({ "uci": turn.uci, "san": turn.san })),
            "solution": numbered(&puzzle.game, &puzzle.solution),
            "explanation": told,
        });
        Ok(Response::ok(&view::joined(view::past(0, game, line), json!({ "puzzle": told }))))
    }

    /// Returns the material that changes from the start of the puzzle to the end of the engine's line.
    fn gain(&self, rest: &[Turn]) -> Result<Gain, Response> {
        let turns = [&self.line[..], rest].concat();
        Gain::of(&self.puzzle.game, &turns).map_err(Response::unfit)
    }

    /// Returns a sentence that says what the solution wins, such as `The solution wins a rook.` `best` and
    /// `rest` are the opponent's best line.
    fn result(&self, best: Option<&SearchInfo>, rest: &[Turn]) -> Result<String, Response> {
        let mate = match (best.map(|best| best.score), self.game.termination()) {
            (_, Some(Termination::Mate(_))) => Some(0),
            (Some(Score::Mate(moves)), _) if moves < 0 => Some(moves.unsigned_abs() as usize),
            _ => None,
        };
        if let Some(more) = mate {
            let moves = self.line.len().div_ceil(2) + more;
            return Ok(match moves {
                1 => "The move mates.".to_owned(),
                _ => format!("The solution mates in {moves} moves."),
            });
        }
        Ok(match self.gain(rest)?.wins() {
            Some(wins) => format!("The solution {wins}."),
            None => format!("After the solution {} is winning.", self.solver()),
        })
    }

    /// Returns a sentence that says why the last move is wrong, such as `22.Qd4? loses the queen to Rxd4.`
    /// `best` and `rest` are the opponent's best line.
    fn refutation(&self, best: Option<&SearchInfo>, rest: &[Turn]) -> Result<String, Response> {
        let mut before = self.game.clone();
        before.undo();
        let played = format!("{}?", numbered(&before, &self.line[self.line.len() - 1..]));
        if let Some(end) = self.game.termination() {
            return Ok(format!("{played} {}", end.sentence()));
        }
        let Some((best, reply)) = best.zip(rest.first()) else {
            return Ok(format!("{played} is wrong."));
        };
        let reply = &reply.san;
        if let Score::Mate(moves @ 1..) = best.score {
            return Ok(match moves {
                1 => format!("{played} allows {reply}, which is mate."),
                _ => format!("{played} allows mate in {moves} moves, beginning with {reply}."),
            });
        }
        let (solver, points) = (self.solver(), 1.0 - best.points());
        let stands = match points {
            0.9.. => format!("{solver} is still better, but wins more with the solution"),
            0.65.. => format!("{solver} is better, but not winning"),
            0.35.. => "the position is about equal".to_owned(),
            0.1.. => format!("{} is better", !solver),
            _ => format!("{} is winning", !solver),
        };
        let loses = self.gain(rest)?.loses().filter(|_| points < 0.65);
        let to = if reply.contains('x') { "to" } else { "after" };
        Ok(match loses {
            Some(loses) => format!("{played} {loses} {to} {reply}: {stands}."),
            None => format!("{played} does not win: after {reply} {stands}."),
        })
    }

    fn solver(&self) -> Color {
        self.puzzle.game.side_to_move()
    }
}

/// Returns moves with their numbers: `22...Rxd4 23.cxd4`.
fn numbered(start: &Game, turns: &[Turn]) -> String {
    let (mut number, mut side) = (start.number(), start.side_to_move());
    let mut parts = Vec::with_capacity(turns.len());
    for (index, turn) in turns.iter().enumerate() {
        parts.push(match side {
            Color::White => format!("{number}.{}", turn.san),
            Color::Black if index == 0 => format!("{number}...{}", turn.san),
            Color::Black => turn.san.clone(),
        });
        number += u32::from(side == Color::Black);
        side = !side;
    }
    parts.join(" ")
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
