//! Reviews of games: the evaluation of each position, and the turns that were mistakes.
//!
//! The *points* of a side are its expected result: the engine's probability of a win, plus half the
//! probability of a draw. A turn loses points if the side has fewer points after the turn than before. The
//! *accuracy* of a turn is 100 if it loses no points, and falls towards 0 the more points it loses.

use crate::engine::SearchInfo;
use crate::game::{Outcome, Turn};
use crate::types::{Color, Score};

/// The severity of a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All marks in ascending order of severity.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// Returns the minimum of points that a turn with this mark loses.
    const fn least_lost(self) -> f64 {
        match self {
            Mark::Inaccuracy => 0.1,
            Mark::Mistake => 0.2,
            Mark::Blunder => 0.3,
        }
    }

    /// Returns the numeric annotation glyph (NAG) of the mark in PGN.
    pub const fn nag(self) -> u16 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// Returns the mark for a turn that lost `lost` points, or `None` if it was not a mistake.
    fn of_loss(lost: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rfind(|mark| lost >= mark.least_lost())
    }
}

/// The rate at which accuracy falls with the points lost. A turn that loses 0.2 points has an accuracy
/// of 41.
const DECAY: f64 = 4.5;

/// The maximum number of turns that are stored of a better line.
pub const LONGEST_LINE: usize = 8;

/// Returns the accuracy, from 0 to 100, of a turn that lost `lost` points.
pub fn accuracy(lost: f64) -> f64 {
    100.0 * (-DECAY * lost.max(0.0)).exp()
}

/// The evaluation of a position in a review.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The score from White's point of view; `None` if the game is over.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    /// White's points, from 0 to 1.
    points: f64,
    /// The engine's best line.
    pub line: Vec<Turn>,
}

impl Judgement {
    /// Returns the evaluation of a position, given the side to move and the engine's best line. Without a
    /// line the position counts as equal.
    pub fn new(side: Color, line: Option<&SearchInfo>) -> Judgement {
        let Some(line) = line else {
            return Judgement { score: None, depth: None, points: 0.5, line: Vec::new() };
        };
        let points = line.points();
        let turn = |(uci, san): (&String, &String)| Turn {
            uci: uci.clone(),
            san: san.clone(),
            placement: false,
        };
        Judgement {
            score: Some(line.score.for_white(side)),
            depth: u32::try_from(line.depth).ok(),
            points: if side == Color::White { points } else { 1.0 - points },
            line: line.pv.iter().zip(&line.san).map(turn).collect(),
        }
    }

    /// Returns the evaluation of the final position of a game.
    pub fn of_outcome(outcome: Outcome) -> Judgement {
        let points = match outcome.winner() {
            Some(Color::White) => 1.0,
            Some(Color::Black) => 0.0,
            None => 0.5,
        };
        Judgement { points, ..Judgement::new(Color::White, None) }
    }

    fn points_of(&self, color: Color) -> f64 {
        if color == Color::White { self.points } else { 1.0 - self.points }
    }

    /// Returns the points that a side lost by a turn, and the mark of the turn. `after` is the evaluation of
    /// the position after the turn. The engine's best turn loses no points.
    pub fn loss(&self, color: Color, turn: &str, after: &Judgement) -> (f64, Option<Mark>) {
        if self.line.first().is_some_and(|best| best.uci == turn) {
            return (0.0, None);
        }
        let lost = self.points_of(color) - after.points_of(color);
        (lost, Mark::of_loss(lost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(points: f64, best: &str) -> Judgement {
        let turn = Turn { uci: best.to_owned(), san: best.to_owned(), placement: false };
        Judgement { points, line: vec![turn], ..Judgement::new(Color::White, None) }
    }

    #[test]
    fn a_turn_is_marked_by_the_points_it_loses() {
        let before = judged(0.6, "e2e4");
        let mark = |color, turn, points| before.loss(color, turn, &judged(points, "")).1;
        assert_eq!(mark(Color::White, "a2a3", 0.55), None);
        assert_eq!(mark(Color::White, "a2a3", 0.45), Some(Mark::Inaccuracy));
        assert_eq!(mark(Color::White, "a2a3", 0.35), Some(Mark::Mistake));
        assert_eq!(mark(Color::White, "a2a3", 0.1), Some(Mark::Blunder));
        assert_eq!(mark(Color::White, "e2e4", 0.1), None, "the engine would have played it");
        assert_eq!(mark(Color::Black, "a7a6", 0.95), Some(Mark::Blunder));
        assert_eq!(mark(Color::Black, "a7a6", 0.1), None);
    }
}
