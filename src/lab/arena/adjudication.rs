//! Games that are decided as far as both engines can see are not played out.

use crate::types::Color;

/// When a game counts as won: both engines say so, for some moves on end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct WinRule {
    /// Moves of each side.
    pub moves: usize,
    /// Centipawns.
    pub score: i32,
}

/// When a game counts as drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DrawRule {
    /// Not before this move of the game.
    pub from_move: usize,
    /// Moves of each side.
    pub moves: usize,
    /// Centipawns, either way.
    pub score: i32,
}

/// The rules in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Adjudication {
    pub win: Option<WinRule>,
    pub draw: Option<DrawRule>,
    /// A game of this many plies is a draw.
    pub longest: Option<usize>,
}

/// What was decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Win(Color),
    Draw,
    /// A draw because the game is too long.
    TooLong,
}

/// Follows the scores of a game.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// After each ply White's score in centipawns; nothing where an engine gave none.
    plies: Vec<Option<i32>>,
}

impl Scores {
    /// Notes what the side that has just moved thinks, in its own view.
    pub fn add(&mut self, mover: Color, score: Option<i32>) {
        let for_white = |score: i32| if mover == Color::White { score } else { -score };
        self.plies.push(score.map(for_white));
    }

    /// Whether the rules decide the game now.
    pub fn decision(&self, rules: &Adjudication) -> Option<Decision> {
        let recent = |moves: usize| {
            let from = self.plies.len().checked_sub(2 * moves)?;
            (moves > 0).then(|| &self.plies[from..])
        };
        let all = |moves: usize, says: &dyn Fn(i32) -> bool| {
            recent(moves).is_some_and(|plies| plies.iter().all(|score| score.is_some_and(says)))
        };
        if let Some(WinRule { moves, score }) = rules.win {
            if all(moves, &|white| white >= score) {
                return Some(Decision::Win(Color::White));
            }
            if all(moves, &|white| white <= -score) {
                return Some(Decision::Win(Color::Black));
            }
        }
        if let Some(DrawRule { from_move, moves, score }) = rules.draw
            && self.plies.len() >= 2 * from_move
            && all(moves, &|white| white.abs() <= score)
        {
            return Some(Decision::Draw);
        }
        rules.longest.filter(|&plies| self.plies.len() >= plies).map(|_| Decision::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores in the mover's view, White first.
    fn decision(rules: Adjudication, scores: &[i32]) -> Option<Decision> {
        let mut followed = Scores::default();
        for (ply, &score) in scores.iter().enumerate() {
            followed.add(if ply % 2 == 0 { Color::White } else { Color::Black }, Some(score));
        }
        followed.decision(&rules)
    }

    #[test]
    fn both_engines_must_agree_for_as_long_as_asked() {
        let win = Some(WinRule { moves: 2, score: 600 });
        let rules = Adjudication { win, ..Adjudication::default() };
        let white = Some(Decision::Win(Color::White));
        assert_eq!(decision(rules, &[700, -700, 650, -600]), white);
        assert_eq!(decision(rules, &[700, -700, 650, -599]), None);
        assert_eq!(decision(rules, &[700, -700, 650]), None);
        assert_eq!(
            decision(rules, &[0, 0, -700, 700, -650, 600]),
            Some(Decision::Win(Color::Black))
        );
        // Each thinks that it is winning.
        assert_eq!(decision(rules, &[700, 700, 700, 700]), None);
    }

    #[test]
    fn draws_have_to_wait() {
        let draw = Some(DrawRule { from_move: 3, moves: 1, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(decision(rules, &[0; 5]), None);
        assert_eq!(decision(rules, &[0; 6]), Some(Decision::Draw));
        assert_eq!(decision(rules, &[0, 0, 0, 0, 0, 11]), None);
        assert_eq!(decision(rules, &[50, 50, 50, 50, -10, 10]), Some(Decision::Draw));
    }

    #[test]
    fn without_scores_or_rules_nothing_is_decided() {
        let mut scores = Scores::default();
        (0..10).for_each(|_| scores.add(Color::White, None));
        let win = Some(WinRule { moves: 2, score: 0 });
        let rules = Adjudication { win, draw: None, longest: Some(11) };
        assert_eq!(scores.decision(&rules), None);
        assert_eq!(
            scores.decision(&Adjudication { longest: Some(10), ..rules }),
            Some(Decision::TooLong)
        );
        assert_eq!(decision(Adjudication::default(), &[9_999; 400]), None);
        let nonsense = Some(WinRule { moves: 0, score: 0 });
        assert_eq!(decision(Adjudication { win: nonsense, ..rules }, &[]), None);
    }
}
