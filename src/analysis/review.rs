//! Reviews of games: the evaluation of each position, the turns that were mistakes, and the accuracy of the
//! players.
//!
//! The *points* of a side are its expected result: the engine's probability of a win, plus half the
//! probability of a draw. A turn is a mistake if the side has fewer points after the turn than before, if the
//! turn loses much material in a position that is already won or lost, or if it misses or allows a short mate.
//!
//! The *accuracy* follows the method that lichess documents (<https://lichess.org/page/accuracy>), with our
//! points in place of lichess's win percentage. The accuracy of a turn is 100 if it loses no points, and falls
//! towards 0 the more points it loses. The accuracy of a player is the mean of two means over the turns: one is
//! harmonic, and one is weighted by the volatility of the points around each turn.

use crate::engine::SearchInfo;
use crate::game::{Outcome, Turn};
use crate::types::{Color, Score};

/// The severity of a mistake, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

/// The maximum number of turns that are stored of a better line.
pub const LONGEST_LINE: usize = 8;

/// The longest mate, in moves, that a player is expected to find or to prevent.
const SHORT_MATE: i32 = 5;
/// The score, in centipawns, of a position that is won even without the mate that was missed.
const CLEAR_WIN: i32 = 1_000;

/// Returns the mark for a turn that makes the score fall from `before` to `after`, both from the point of view
/// of the side that made the turn. The mark depends on the scores alone, not on the points, which hardly change
/// in positions that are won or lost.
fn mark_of_scores(before: Score, after: Score) -> Option<Mark> {
    let softened = |is_soft| Some(if is_soft { Mark::Inaccuracy } else { Mark::Mistake });
    match (before, after) {
        (Score::Mate(1..=SHORT_MATE), Score::Centipawns(after)) => softened(after >= CLEAR_WIN),
        (Score::Centipawns(before), Score::Mate(moves @ ..=-1)) if -moves <= SHORT_MATE => {
            softened(before <= -CLEAR_WIN)
        }
        (Score::Centipawns(before), Score::Centipawns(after)) => {
            // Large scores are less reliable: a fall must be a third of the larger one.
            let fall = before - after;
            let is_large = fall >= before.abs().max(after.abs()) / 3;
            (is_large && fall >= 300).then_some(())?;
            softened(fall < 600)
        }
        _ => None,
    }
}

/// A turn of a reviewed game.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedTurn {
    pub color: Color,
    /// The points that the turn lost, at least 0.
    pub lost: f64,
    /// White's points after the turn.
    pub points: f64,
}

/// Returns the accuracy of White and of Black, from 0 to 100, given all turns of a game after the setup.
/// `None` stands for a side without turns.
pub fn accuracies(turns: &[ReviewedTurn]) -> [Option<f64>; 2] {
    let Some(first) = turns.first() else { return [None; 2] };
    let change = if first.color == Color::White { first.lost } else { -first.lost };
    let before = (first.points + change).clamp(0.0, 1.0);
    let percentages: Vec<f64> = std::iter::once(before)
        .chain(turns.iter().map(|turn| turn.points))
        .map(|points| 100.0 * points)
        .collect();
    let window = (turns.len() / 10).clamp(2, 8);
    let volatility = |turn: usize| {
        let begin = (turn + 2).saturating_sub(window);
        let end = (begin + window).min(percentages.len());
        standard_deviation(&percentages[begin..end]).clamp(0.5, 12.0)
    };
    Color::ALL.map(|color| {
        let (mut count, mut weights, mut sum, mut reciprocals) = (0.0, 0.0, 0.0, 0.0);
        for (number, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.color == color) {
            let (accuracy, weight) = (accuracy(turn.lost), volatility(number));
            count += 1.0;
            weights += weight;
            sum += weight * accuracy;
            reciprocals += 1.0 / accuracy.max(1.0);
        }
        (count > 0.0).then(|| f64::midpoint(sum / weights, count / reciprocals))
    })
}

/// Returns the accuracy, from 0 to 100, of a turn that lost `lost` points.
fn accuracy(lost: f64) -> f64 {
    (103.1668 * (-4.354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
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

    /// Returns the review of a side's turn `uci`, and its mark. `after` is the evaluation of the position after
    /// the turn. The engine's best turn loses no points.
    pub fn judge(
        &self,
        color: Color,
        uci: &str,
        after: &Judgement,
    ) -> (ReviewedTurn, Option<Mark>) {
        let reviewed = |lost| ReviewedTurn { color, lost, points: after.points };
        if self.line.first().is_some_and(|best| best.uci == uci) {
            return (reviewed(0.0), None);
        }
        let lost = self.points_of(color) - after.points_of(color);
        let scores = self.score.zip(after.score);
        let by_scores = scores.and_then(|(before, after)| {
            mark_of_scores(before.for_white(color), after.for_white(color))
        });
        let mark = Mark::of_loss(lost).max(by_scores);
        (reviewed(lost.max(0.0)), mark)
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
        let mark = |color, turn, points| before.judge(color, turn, &judged(points, "")).1;
        assert_eq!(mark(Color::White, "a2a3", 0.55), None);
        assert_eq!(mark(Color::White, "a2a3", 0.45), Some(Mark::Inaccuracy));
        assert_eq!(mark(Color::White, "a2a3", 0.35), Some(Mark::Mistake));
        assert_eq!(mark(Color::White, "a2a3", 0.1), Some(Mark::Blunder));
        assert_eq!(mark(Color::White, "e2e4", 0.1), None, "the engine would have played it");
        assert_eq!(mark(Color::Black, "a7a6", 0.95), Some(Mark::Blunder));
        assert_eq!(mark(Color::Black, "a7a6", 0.1), None);
    }

    #[test]
    fn in_won_and_lost_positions_a_turn_is_marked_by_material_and_mates() {
        use Score::{Centipawns, Mate};
        for (before, after, expected) in [
            // A piece is lost.
            (Centipawns(-398), Centipawns(-823), Some(Mark::Inaccuracy)),
            (Centipawns(1_200), Centipawns(750), Some(Mark::Inaccuracy)),
            // A queen is lost.
            (Centipawns(-1_000), Centipawns(-1_900), Some(Mark::Mistake)),
            (Centipawns(-398), Centipawns(-650), None),
            (Centipawns(2_000), Centipawns(1_500), None),
            (Centipawns(-823), Centipawns(-398), None),
            // A mate is missed or allowed.
            (Mate(2), Centipawns(1_500), Some(Mark::Inaccuracy)),
            (Mate(2), Centipawns(400), Some(Mark::Mistake)),
            (Mate(9), Centipawns(1_500), None),
            (Mate(2), Mate(4), None),
            (Centipawns(-1_500), Mate(-2), Some(Mark::Inaccuracy)),
            (Centipawns(-600), Mate(-2), Some(Mark::Mistake)),
            (Centipawns(-600), Mate(-9), None),
            (Mate(-4), Mate(-1), None),
        ] {
            assert_eq!(mark_of_scores(before, after), expected, "{before:?} to {after:?}");
        }
        // The larger of both marks counts, for both sides.
        let position = |points, score| Judgement { score: Some(score), ..judged(points, "") };
        let (before, after) = (position(0.97, Mate(2)), position(0.1, Centipawns(-500)));
        assert_eq!(before.judge(Color::White, "a2a3", &after).1, Some(Mark::Blunder));
        let (before, after) = (position(0.98, Centipawns(398)), position(1.0, Centipawns(823)));
        assert_eq!(before.judge(Color::Black, "g7g5", &after).1, Some(Mark::Inaccuracy));
    }

    #[test]
    fn accuracy_falls_most_in_volatile_positions() {
        let turn = |color, lost, points| ReviewedTurn { color, lost, points };
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(accuracies(&[]), [None; 2]);
        let [only, none] = accuracies(&[turn(white, 0.0, 0.5)]);
        assert!((only.unwrap() - 100.0).abs() < 1e-3 && none.is_none());
        // 1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7
        let points = [0.55, 0.55, 0.43, 0.38, 0.0, 0.0];
        let lost = [0.0, 0.0, 0.12, 0.05, 0.38, 0.0];
        let turns: Vec<ReviewedTurn> = std::iter::zip(points, lost)
            .enumerate()
            .map(|(ply, (points, lost))| turn([white, black][ply % 2], lost, points))
            .collect();
        let [loser, winner] = accuracies(&turns).map(Option::unwrap);
        assert!(loser < 45.0 && winner > 85.0, "{loser} {winner}");
        // A loss weighs less if the points hardly change nearby.
        let quiet: Vec<ReviewedTurn> =
            turns.iter().map(|one| turn(one.color, one.lost, 0.5)).collect();
        assert!(accuracies(&quiet)[0].unwrap() > loser);
    }
}
