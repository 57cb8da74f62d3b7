//! Finds puzzles in games: positions in which exactly one move wins.
//!
//! Each position after the setup is first searched with few nodes. If the position seems to be a puzzle, it
//! is confirmed by searches with many nodes: of the position, and of each later position of the solution in
//! which the solver is to move. The solution ends when a second move also wins, or when the game is over.

use std::fmt;
use std::sync::atomic::Ordering::Relaxed;

use serde::{Deserialize, Serialize};

use super::position_searcher::PositionSearcher;
use crate::analysis::Puzzle;
use crate::analysis::gain::{balance, letters};
use crate::engine::{EngineError, SearchInfo};
use crate::game::{Game, GameError, Step, Turn};
use crate::pgn::PgnGame;
use crate::search::{Control, Limits};
use crate::types::{Color, Score};

/// The solver's move must have at least these expected points. A win is 1 point.
const WINNING: f64 = 0.9;
/// Every other move must have at most these expected points.
const NOT_WINNING: f64 = 0.6;
/// The largest number of solver's moves in a solution.
const LONGEST: usize = 8;
/// The smallest amount of material that counts as a sacrifice, in pawns.
const SACRIFICE: i32 = 2;
/// The smallest number of plies between the end of a puzzle and the next puzzle from the same game.
const APART: usize = 10;
/// A position with fewer pieces than this is an endgame. Pawns and kings are not counted.
const ENDGAME: usize = 5;

/// The reason why a candidate is dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flaw {
    Recapture,
    NotWinning,
    SecondMove,
    PlainCapture,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Flaw::Recapture => "the best move only takes back",
            Flaw::NotWinning => "the best move does not win after a longer search",
            Flaw::SecondMove => "a second move is too good after a longer search",
            Flaw::PlainCapture => "the solution is a single capture",
        })
    }
}

/// The results of searching a game.
#[derive(Default, Debug)]
pub struct Found {
    pub puzzles: Vec<Puzzle>,
    /// The candidates that were dropped, with their move numbers: `12.`, or `12...` for Black.
    pub dropped: Vec<(String, Flaw)>,
}

/// Finds puzzles in games, one game at a time.
pub struct PuzzleFinder {
    first_look: PositionSearcher,
    confirmation: PositionSearcher,
}

impl PuzzleFinder {
    /// Creates a finder that searches each position with `first_look` nodes, and candidates with
    /// `confirmation` nodes. Two engines do these searches, each with `hash` MiB of transposition table.
    pub fn new(first_look: u64, confirmation: u64, hash: usize) -> PuzzleFinder {
        let searcher = |nodes| {
            let limits = Limits { multi_pv: 2, ..Limits::nodes(nodes) };
            PositionSearcher::new(limits, hash, 1)
        };
        PuzzleFinder { first_look: searcher(first_look), confirmation: searcher(confirmation) }
    }

    /// Returns the puzzles of a game and the candidates that were dropped, or `None` if `control` stops the
    /// search. The name of a puzzle contains `number`, the number of the game, and the move number.
    pub fn find(
        &mut self,
        pgn: &PgnGame,
        number: u64,
        control: &Control,
    ) -> Result<Option<Found>, EngineError> {
        let mut found = Found::default();
        let mut game = pgn.start.clone();
        self.first_look.begin(&game)?;
        let mut before: Option<Turn> = None;
        // The plies still to skip after a puzzle, so that puzzles do not reveal each other's solutions.
        let mut skipped_plies = 0_usize;
        for node in &pgn.line.turns {
            // A side in check has few legal moves, so finding the best move is rarely hard.
            let is_candidate = !game.is_setup() && !game.in_check() && skipped_plies == 0;
            if is_candidate && game.termination().is_none() {
                let lines = self.first_look.search(&game, control, &())?.lines;
                if is_puzzle(&lines) {
                    let result = if takes_back(before.as_ref(), &lines[0]) {
                        Err(Flaw::Recapture)
                    } else {
                        let name = format!("{} {number}.{}", game.variant().name(), game.number());
                        self.confirm(&game, name, control)?
                    };
                    match result {
                        Ok(puzzle) => {
                            skipped_plies = puzzle.solution.len() + APART;
                            found.puzzles.push(puzzle);
                        }
                        Err(flaw) => {
                            let (number, side) = (game.number(), game.side_to_move());
                            let dots = if side == Color::White { "." } else { "..." };
                            found.dropped.push((format!("{number}{dots}"), flaw));
                        }
                    }
                }
                if control.stop.load(Relaxed) {
                    return Ok(None);
                }
            }
            game.follow(&node.step, node.notes.dice)?;
            before = match &node.step {
                Step::Turn(turn) => Some(turn.clone()),
                Step::Verdict(_) => None,
            };
            skipped_plies = skipped_plies.saturating_sub(1);
        }
        Ok(Some(found))
    }

    /// Returns the puzzle that begins in the position `start`, if searches with more nodes confirm it, or
    /// else the reason why it is dropped.
    fn confirm(
        &mut self,
        start: &Game,
        name: String,
        control: &Control,
    ) -> Result<Result<Puzzle, Flaw>, EngineError> {
        self.confirmation.begin(start)?;
        let mut game = start.clone();
        let mut solution: Vec<Turn> = Vec::new();
        let mut first_score = None;
        let mut answer: Option<Turn> = None;
        while solution.len() < 2 * LONGEST - 1 && game.termination().is_none() {
            let lines = self.confirmation.search(&game, control, &())?.lines;
            if let Some(flaw) = flaw(&lines) {
                if solution.is_empty() {
                    return Ok(Err(flaw));
                }
                break;
            }
            solution.extend(answer.take());
            let best = &lines[0];
            first_score.get_or_insert(best.score);
            game.play(&best.pv[0])?;
            solution.extend(game.last_turn());
            let Some(reply) = best.pv.get(1) else { break };
            game.play(reply)?;
            answer = game.last_turn();
        }
        let Some(score) = first_score.filter(|_| !is_plain_capture(&solution)) else {
            return Ok(Err(Flaw::PlainCapture));
        };
        let start = Game::new(start.variant(), &start.fen())?;
        let themes = themes(&start, &solution, score)?;
        Ok(Ok(Puzzle { name, game: start, solution, themes }))
    }
}

/// Returns whether the best move wins and the second-best move does not.
fn is_puzzle(lines: &[SearchInfo]) -> bool {
    flaw(lines).is_none()
}

/// Returns why a position is not a puzzle, given the best two lines.
fn flaw(lines: &[SearchInfo]) -> Option<Flaw> {
    match lines {
        [best, second] if best.points() >= WINNING => {
            (second.points() > NOT_WINNING).then_some(Flaw::SecondMove)
        }
        _ => Some(Flaw::NotWinning),
    }
}

/// Returns whether the solution is a single capture without mate. Such a puzzle would be too easy.
fn is_plain_capture(solution: &[Turn]) -> bool {
    matches!(solution, [only] if only.san.contains('x') && !only.san.ends_with('#'))
}

/// Returns whether the best move recaptures on the square of the previous move.
fn takes_back(before: Option<&Turn>, best: &SearchInfo) -> bool {
    let capture = before.filter(|before| before.san.contains('x'));
    capture.is_some_and(|capture| {
        let square = destination(&capture.uci);
        square.is_some() && best.pv.first().and_then(|uci| destination(uci)) == square
    })
}

/// Returns the target square of a move in UCI notation: d5 for `e4d5`, b8 for `a7b8q`.
fn destination(uci: &str) -> Option<&str> {
    let uci = uci.trim_end_matches(char::is_alphabetic);
    Some(&uci[uci.rfind(char::is_alphabetic)?..])
}

/// Returns the themes of a solution.
fn themes(start: &Game, solution: &[Turn], score: Score) -> Result<Vec<String>, GameError> {
    let mut themes = Vec::new();
    let mates = solution.last().is_some_and(|turn| turn.san.ends_with('#'));
    match score {
        _ if mates => themes.push(format!("mate in {}", solution.len().div_ceil(2))),
        // The solution ends before the mate if several moves force mate.
        Score::Mate(_) => themes.push("mating attack".to_owned()),
        Score::Centipawns(_) => {}
    }
    let mut own = solution.iter().step_by(2);
    if own.clone().any(|turn| turn.san.contains('=')) {
        themes.push("promotion".to_owned());
    }
    if own.clone().any(|turn| turn.san.starts_with("O-O")) {
        themes.push("castling".to_owned());
    }
    if gives_up_material(start, solution)? {
        themes.push("sacrifice".to_owned());
    }
    let is_forcing = |turn: &Turn| turn.san.contains(['x', '+', '#', '=']);
    if own.next().is_some_and(|turn| !is_forcing(turn)) {
        themes.push("quiet move".to_owned());
    }
    if letters(start).iter().filter(|letter| !"PpKk".contains(**letter)).count() < ENDGAME {
        themes.push("endgame".to_owned());
    }
    if themes.is_empty() {
        themes.push("winning material".to_owned());
    }
    Ok(themes)
}

/// Returns whether the solver has lost material of at least [`SACRIFICE`] pawns after one of the opponent's
/// replies.
fn gives_up_material(start: &Game, solution: &[Turn]) -> Result<bool, GameError> {
    let side = start.side_to_move();
    let mut game = start.clone();
    let before = balance(&game, side);
    for (number, turn) in solution.iter().enumerate() {
        game.play(&turn.uci)?;
        if number % 2 == 1 && balance(&game, side) <= before - SACRIFICE {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::pgn::PgnReader;

    /// Searches a game with few nodes.
    fn find(pgn: &str) -> Found {
        let game = PgnReader::new(Cursor::new(pgn)).next().unwrap().unwrap();
        let mut finder = PuzzleFinder::new(2_000, 20_000, 1);
        finder.find(&game, 7, &Control::default()).unwrap().unwrap()
    }

    fn from(fen: &str, moves: &str) -> String {
        format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n{moves} *\n")
    }

    #[test]
    fn a_mate_on_the_back_rank_is_found() {
        // Black is ahead, and all other moves of White lose.
        let puzzles =
            find(&from("6k1/1q3ppp/8/8/8/8/5PPP/R5K1 b - - 0 30", "30... Qb2 31. h3")).puzzles;
        let [puzzle] = &puzzles[..] else { panic!("{puzzles:?}") };
        assert_eq!((&*puzzle.name, puzzle.moves()), ("chess 7.31", 2));
        assert_eq!(puzzle.solution[0].san, "Ra8+");
        assert_eq!(puzzle.themes[0], "mate in 2");
        assert_eq!(Puzzle::read(&puzzle.to_string()).unwrap().solution, puzzle.solution);
    }

    #[test]
    fn dropped_candidates_have_reasons() {
        for (fen, moves, place, flaw) in [
            (
                "6k1/5ppp/8/8/q2Q4/8/5PPP/3R2K1 b - - 0 29",
                "29... Qxd4 30. Rxd4",
                "30.",
                Flaw::Recapture,
            ),
            (
                "1r1q2k1/5pp1/7p/8/3R4/8/Q4PPP/6K1 b - - 0 30",
                "30... Qxd4 31. h3",
                "30...",
                Flaw::PlainCapture,
            ),
        ] {
            let found = find(&from(fen, moves));
            assert!(found.puzzles.is_empty(), "{found:?}");
            assert_eq!(found.dropped, [(place.to_owned(), flaw)]);
        }
    }

    #[test]
    fn target_squares_are_read_from_uci_moves() {
        for (uci, square) in [("e4d5", "d5"), ("a7b8q", "b8"), ("i9j10", "j10")] {
            assert_eq!(destination(uci), Some(square));
        }
    }

    #[test]
    fn themes_describe_the_solution() {
        let game = Game::new(crate::rules::Variant::Chess, "r6k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1");
        let mut line = game.clone().unwrap();
        let mut solution = Vec::new();
        for text in ["Qg8+", "Rxg8", "Nf7#"] {
            line.play(text).unwrap();
            solution.extend(line.last_turn());
        }
        let themes = themes(&game.unwrap(), &solution, Score::Mate(2)).unwrap();
        assert_eq!(themes, ["mate in 2", "sacrifice", "endgame"]);
    }
}
