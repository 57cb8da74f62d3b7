//! Puzzles out of games: positions in which one move wins and every other does not.
//!
//! Each position past the set-up is looked at with few nodes; what seems to be a puzzle is searched
//! with many, and so is each later position of its line in which the solver has the move. The
//! solution ends where a second move would win as well, or with the game.

use std::sync::atomic::Ordering::Relaxed;

use super::position_searcher::PositionSearcher;
use crate::engine::{EngineError, Line, Score};
use crate::game::{Game, GameError, Step, Turn};
use crate::pgn::PgnGame;
use crate::play::Puzzle;
use crate::search::{Control, Limits};
use crate::types::Color;

/// What the solver's move must at least promise, and every other at most, of 1 for a win.
const WINNING: f64 = 0.9;
const NOT_WINNING: f64 = 0.6;
/// The most moves that a solver has to find.
const LONGEST: usize = 8;
/// What a sacrifice gives at least, in pawns.
const SACRIFICE: i32 = 2;
/// How many plies there are at least between a puzzle and the next one of its game.
const APART: usize = 10;
/// Fewer pieces than this beside pawns and kings make an endgame.
const ENDGAME: usize = 5;

/// Finds the puzzles of one game after the other.
pub struct PuzzleFinder {
    first_look: PositionSearcher,
    confirmation: PositionSearcher,
}

/// Why a game could not be searched for puzzles.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PuzzleFinderError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Game(#[from] GameError),
}

impl PuzzleFinder {
    /// Looks at each position with so many nodes, and confirms with so many; each engine has this
    /// many MiB of hash.
    pub fn new(first_look: u64, confirmation: u64, hash: usize) -> PuzzleFinder {
        let searcher = |nodes| {
            let limits = Limits { multi_pv: 2, ..Limits::nodes(nodes) };
            PositionSearcher::new(limits, hash)
        };
        PuzzleFinder { first_look: searcher(first_look), confirmation: searcher(confirmation) }
    }

    /// The puzzles of a game, which are named by its number and that of the move; nothing comes
    /// back if `control` stopped it.
    pub fn find(
        &mut self,
        pgn: &PgnGame,
        number: u64,
        control: &Control,
    ) -> Result<Option<Vec<Puzzle>>, PuzzleFinderError> {
        let mut puzzles = Vec::new();
        let mut game = pgn.start.clone();
        self.first_look.begin(&game)?;
        let mut before: Option<Turn> = None;
        // What follows a puzzle would tell its solution, or the other way round.
        let mut rest = 0_usize;
        for node in &pgn.line.turns {
            // Who is in check has few moves, and is rarely glad to find the one.
            let is_looked_at = !game.is_setup() && !game.in_check() && rest == 0;
            if is_looked_at && game.termination().is_none() {
                let (lines, _) = self.first_look.lines(&game, control)?;
                if is_puzzle(&lines) && !takes_back(before.as_ref(), &lines[0]) {
                    let name = format!("{} {number}.{}", game.variant().name(), game.number());
                    let puzzle = self.confirm(&game, name, control)?;
                    rest = puzzle.as_ref().map_or(0, |puzzle| puzzle.solution.len() + APART);
                    puzzles.extend(puzzle);
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
            rest = rest.saturating_sub(1);
        }
        Ok(Some(puzzles))
    }

    /// The puzzle that begins here, if more nodes say that it is one.
    fn confirm(
        &mut self,
        start: &Game,
        name: String,
        control: &Control,
    ) -> Result<Option<Puzzle>, PuzzleFinderError> {
        self.confirmation.begin(start)?;
        let mut game = start.clone();
        let mut solution: Vec<Turn> = Vec::new();
        let mut first_score = None;
        let mut answer: Option<Turn> = None;
        while solution.len() < 2 * LONGEST - 1 && game.termination().is_none() {
            let (lines, _) = self.confirmation.lines(&game, control)?;
            if !is_puzzle(&lines) {
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
            return Ok(None);
        };
        let start = Game::new(start.variant(), &start.fen())?;
        let themes = themes(&start, &solution, score)?;
        Ok(Some(Puzzle { name, game: start, solution, themes }))
    }
}

/// Whether the first move wins and the second does not.
fn is_puzzle(lines: &[Line]) -> bool {
    matches!(lines, [best, second] if best.points() >= WINNING && second.points() <= NOT_WINNING)
}

/// Whether all that the solver does is to take something: nobody needs to look far for it.
fn is_plain_capture(solution: &[Turn]) -> bool {
    matches!(solution, [only] if only.san.contains('x') && !only.san.ends_with('#'))
}

/// Whether a move only takes what has just taken.
fn takes_back(before: Option<&Turn>, best: &Line) -> bool {
    let taker = before.filter(|before| before.san.contains('x'));
    taker.is_some_and(|taker| {
        let square = destination(&taker.uci);
        square.is_some() && best.pv.first().and_then(|uci| destination(uci)) == square
    })
}

/// Where a move ends: `e4d5` on d5, `a7b8q` on b8.
fn destination(uci: &str) -> Option<&str> {
    let uci = uci.trim_end_matches(char::is_alphabetic);
    Some(&uci[uci.rfind(char::is_alphabetic)?..])
}

/// What a solution is about.
fn themes(start: &Game, solution: &[Turn], score: Score) -> Result<Vec<String>, GameError> {
    let mut themes = Vec::new();
    let mates = solution.last().is_some_and(|turn| turn.san.ends_with('#'));
    match score {
        _ if mates => themes.push(format!("mate in {}", solution.len().div_ceil(2))),
        // The solution ends where the mate can be forced in more than one way.
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
    if pieces(start).filter(|letter| !"PpKk".contains(*letter)).count() < ENDGAME {
        themes.push("endgame".to_owned());
    }
    if themes.is_empty() {
        themes.push("winning material".to_owned());
    }
    Ok(themes)
}

/// Whether the solver has less than at first after one of the opponent's answers.
fn gives_up_material(start: &Game, solution: &[Turn]) -> Result<bool, GameError> {
    let white = start.side_to_move() == Color::White;
    let mut game = start.clone();
    let before = balance(&game, white);
    for (number, turn) in solution.iter().enumerate() {
        game.play(&turn.uci)?;
        if number % 2 == 1 && balance(&game, white) <= before - SACRIFICE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a side has more than the other, in pawns.
fn balance(game: &Game, white: bool) -> i32 {
    let worth = |letter: char| match letter.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 0,
    };
    let of = |letter: char| {
        if letter.is_uppercase() == white { worth(letter) } else { -worth(letter) }
    };
    pieces(game).map(of).sum()
}

/// The letters of all men on the board.
fn pieces(game: &Game) -> impl Iterator<Item = char> {
    let fen = game.fen();
    let board = fen.split(' ').next().unwrap_or_default().to_owned();
    board.chars().filter(char::is_ascii_alphabetic).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::pgn::PgnReader;

    /// The puzzles of a game, with few nodes.
    fn find(pgn: &str) -> Vec<Puzzle> {
        let game = PgnReader::new(Cursor::new(pgn)).next().unwrap().unwrap();
        let mut finder = PuzzleFinder::new(2_000, 20_000, 1);
        finder.find(&game, 7, &Control::default()).unwrap().unwrap()
    }

    fn from(fen: &str, moves: &str) -> String {
        format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n{moves} *\n")
    }

    #[test]
    fn a_mate_on_the_back_rank_is_found() {
        // Black is ahead, and every other move of White's loses.
        let puzzles = find(&from("6k1/1q3ppp/8/8/8/8/5PPP/R5K1 b - - 0 30", "30... Qb2 31. h3"));
        let [puzzle] = &puzzles[..] else { panic!("{puzzles:?}") };
        assert_eq!((&*puzzle.name, puzzle.moves()), ("chess 7.31", 2));
        assert_eq!(puzzle.solution[0].san, "Ra8+");
        assert_eq!(puzzle.themes[0], "mate in 2");
        assert_eq!(Puzzle::read(&puzzle.to_string()).unwrap().solution, puzzle.solution);
    }

    #[test]
    fn moves_end_on_their_square() {
        for (uci, square) in [("e4d5", "d5"), ("a7b8q", "b8"), ("i9j10", "j10")] {
            assert_eq!(destination(uci), Some(square));
        }
    }

    #[test]
    fn themes_follow_the_moves() {
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
