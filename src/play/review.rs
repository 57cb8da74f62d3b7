//! What a review finds of a game: the worth of each position, and which turns were mistakes.
//!
//! *Points* are what a side may expect of a game: 1 for a win, 0.5 for a draw, by the chances that
//! the engine gives to win and draw. A turn loses what its side can expect less after it than
//! before. Its accuracy falls with that from 100 to 0.

use crate::engine::{Line, Score};
use crate::game::{Outcome, Turn};
use crate::types::Color;

/// A mistake, by what it costs.
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
    /// All of them, the worst last.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// From how many lost points on a turn is one.
    const fn least_lost(self) -> f64 {
        match self {
            Mark::Inaccuracy => 0.1,
            Mark::Mistake => 0.2,
            Mark::Blunder => 0.3,
        }
    }

    /// PGN's number for it.
    pub const fn nag(self) -> u16 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// What a turn deserves that lost so many points.
    fn of_loss(lost: f64) -> Option<Mark> {
        Mark::ALL.into_iter().rfind(|mark| lost >= mark.least_lost())
    }
}

/// How fast accuracy falls with the points that are lost: a mistake of 0.2 is worth 41 %.
const DECAY: f64 = 4.5;

/// The most turns of a better line that are kept.
pub const LONGEST_LINE: usize = 8;

/// How accurate a turn was that lost so many points, from 0 to 100.
pub fn accuracy(lost: f64) -> f64 {
    100.0 * (-DECAY * lost.max(0.0)).exp()
}

/// What was found of a position.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// For White; nothing where the game is over.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    /// White's.
    points: f64,
    /// What is best.
    pub line: Vec<Turn>,
}

impl Judgement {
    /// Of a position with this side to move, by the engine's best line; without one it is even.
    pub fn new(side: Color, line: Option<&Line>) -> Judgement {
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

    /// Of the end of a game.
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

    /// How many points this turn of a side lost, which led to `after`, and its mark. The best turn
    /// loses nothing.
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
    fn a_turn_is_marked_by_the_points_that_it_loses() {
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
