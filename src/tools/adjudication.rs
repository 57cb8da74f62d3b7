//! Adjudication: ends a game early when both engines' scores agree on the result.

use crate::game::Termination;
use crate::types::Color;

/// Adjudicates a game as won when both engines' scores have agreed on the winner for `plies` plies in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WinRule {
    pub plies: usize,
    /// The winner's minimum score in centipawns. The loser's score must be at most the negative of this
    /// value.
    pub score: i32,
}

/// Adjudicates a game as drawn when both engines' scores have been small for `plies` plies in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct DrawRule {
    /// The number of plies after which a game can be adjudicated as drawn.
    pub from_ply: usize,
    pub plies: usize,
    /// The maximum absolute score in centipawns.
    pub score: i32,
}

/// The adjudication rules of a game. A rule that is `None` does not apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Adjudication {
    pub win: Option<WinRule>,
    pub draw: Option<DrawRule>,
    /// The number of plies after which a game is adjudicated as drawn, whatever the scores.
    pub longest: Option<usize>,
}

/// Follows the engines' scores in a game and decides when to end the game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// The side that is winning according to the last score, and the number of plies in a row whose scores
    /// agree.
    winning: (Color, usize),
    /// The number of plies in a row with a score small enough for a draw.
    quiet: usize,
}

impl Adjudicator {
    /// Creates an adjudicator for a new game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, winning: (Color::White, 0), quiet: 0 }
    }

    /// Returns how the game ends if a rule applies after a ply, otherwise `None`. `score` is the score of
    /// `mover`, the side that made the ply. `plies` is the length of the game so far. A ply without a score
    /// resets all counts.
    pub fn judge(&mut self, mover: Color, score: Option<i32>, plies: usize) -> Option<Termination> {
        let Adjudication { win, draw, longest } = self.rules;
        let better = if score > Some(0) { mover } else { !mover };
        let before = if self.winning.0 == better { self.winning.1 } else { 0 };
        let is =
            |rule: &dyn Fn(i32) -> bool| score.is_some_and(|score| rule(score.saturating_abs()));
        let clear = win.is_some_and(|rule| is(&|size| size >= rule.score));
        self.winning = (better, if clear { before + 1 } else { 0 });
        let quiet = draw.is_some_and(|rule| is(&|size| size <= rule.score));
        self.quiet = if quiet { self.quiet + 1 } else { 0 };
        if win.is_some_and(|rule| rule.plies > 0 && self.winning.1 >= rule.plies) {
            Some(Termination::WinByScore(better))
        } else if draw.is_some_and(|rule| {
            rule.plies > 0 && self.quiet >= rule.plies && plies >= rule.from_ply
        }) {
            Some(Termination::DrawByScore)
        } else {
            longest.filter(|&longest| plies >= longest).map(|_| Termination::Length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the decision after the last of these scores. White moved first, and each score is the mover's.
    fn decision(rules: Adjudication, scores: &[i32]) -> Option<Termination> {
        let mut adjudicator = Adjudicator::new(rules);
        let movers = [Color::White, Color::Black].into_iter().cycle();
        let judged = (1..)
            .zip(movers.zip(scores))
            .map(|(plies, (mover, &score))| adjudicator.judge(mover, Some(score), plies));
        judged.last().flatten()
    }

    #[test]
    fn both_engines_must_agree_for_the_required_plies() {
        let win = Some(WinRule { plies: 4, score: 600 });
        let rules = Adjudication { win, ..Adjudication::default() };
        let white = Some(Termination::WinByScore(Color::White));
        assert_eq!(decision(rules, &[700, -700, 650, -600]), white);
        assert_eq!(decision(rules, &[700, -700, 650, -599]), None);
        assert_eq!(decision(rules, &[700, -700, 650]), None);
        assert_eq!(
            decision(rules, &[0, 0, -700, 700, -650, 600]),
            Some(Termination::WinByScore(Color::Black))
        );
        // Both sides claim that they are winning.
        assert_eq!(decision(rules, &[700, 700, 700, 700]), None);
    }

    #[test]
    fn draws_need_a_minimum_length() {
        let draw = Some(DrawRule { from_ply: 6, plies: 2, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(decision(rules, &[0; 5]), None);
        assert_eq!(decision(rules, &[0; 6]), Some(Termination::DrawByScore));
        assert_eq!(decision(rules, &[0, 0, 0, 0, 0, 11]), None);
        assert_eq!(decision(rules, &[50, 50, 50, 50, -10, 10]), Some(Termination::DrawByScore));
    }

    #[test]
    fn without_scores_or_rules_nothing_is_decided() {
        let win = Some(WinRule { plies: 4, score: 0 });
        let rules = Adjudication { win, draw: None, longest: Some(11) };
        let mut adjudicator = Adjudicator::new(rules);
        assert!((1..=10).all(|plies| adjudicator.judge(Color::White, None, plies).is_none()));
        assert_eq!(adjudicator.judge(Color::White, None, 11), Some(Termination::Length));
        assert_eq!(decision(Adjudication::default(), &[9_999; 400]), None);
        let nonsense = Some(WinRule { plies: 0, score: 0 });
        assert_eq!(decision(Adjudication { win: nonsense, ..rules }, &[5]), None);
    }
}
