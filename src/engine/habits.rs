//! The engine's human habits: resigning lost games, offering draws and pausing before a reply.
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Strength;
use crate::game::{Game, on_stage};
use crate::random::Rng;
use crate::types::Score;

/// The human habits that the engine has in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    /// Whether an engine of limited strength pauses before a reply in games without clocks.
    pub pauses: bool,
    /// Whether an engine of level 7 or higher resigns lost games and offers draws.
    pub resigns: bool,
}

impl Habits {
    /// All habits.
    pub const ALL: Habits = Habits { pauses: true, resigns: true };
}

/// The lowest level that resigns and offers draws. Lower levels do neither, because their scores are too
/// inaccurate.
const POLITE: Strength = Strength::Level(7);

/// The shortest pause before a reply, in milliseconds.
const SHORTEST_PAUSE: u64 = 500;
/// The longest pause before a reply, in milliseconds.
const LONGEST_PAUSE: u64 = 1_500;

/// Returns a random time to wait before a reply.
pub fn pause_before_reply(rng: &mut Rng) -> Duration {
    Duration::from_millis(SHORTEST_PAUSE + rng.below(LONGEST_PAUSE - SHORTEST_PAUSE + 1))
}

/// The score, in centipawns, at or below which the engine considers its position lost.
const LOST: i32 = -700;
/// The number of consecutive lost scores after which the engine resigns.
const LOST_IN_A_ROW: u32 = 4;
/// The minimum length of a game, in plies, before the engine resigns.
const PLIES_BEFORE_RESIGNING: usize = 20;
/// The engine does not resign if the opponent has less time left than this.
const TIME_TROUBLE: Duration = Duration::from_secs(20);

/// The largest absolute score, in centipawns, at which the engine considers the position equal.
const LEVEL: i32 = 30;
/// The number of consecutive equal scores that a draw offer requires.
const LEVEL_IN_A_ROW: u32 = 6;
/// The number of plies without a capture or pawn move that a draw offer requires.
const QUIET_PLIES: u16 = 10;
/// The minimum length of a game, in plies, before the engine offers a draw.
const LONG: usize = 70;
/// The minimum number of plies between two draw offers: twenty moves.
const PLIES_BETWEEN_OFFERS: usize = 40;

/// The minimum length of a game, in plies, before the engine accepts a draw.
pub const PLIES_BEFORE_DRAWS: usize = 20;

/// The engine's decision to resign instead of moving, or to offer a draw with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndDecision {
    /// Resign instead of moving.
    Resign,
    /// Make the move and offer a draw.
    OfferDraw,
}

/// The state of a game at the time when the engine has chosen a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext {
    /// The score from the engine's point of view. `None` in a placement phase and for moves without a
    /// search.
    pub score: Option<Score>,
    /// The number of plies played, not counting placements.
    pub plies: usize,
    /// The number of plies since the last capture or pawn move.
    pub quiet: u16,
    /// The time on the opponent's clock.
    pub opponent_time: Option<Duration>,
}

impl MoveContext {
    /// Returns the state of a game, given the score from the engine's point of view.
    pub fn new(game: &Game, score: Option<Score>, opponent_time: Option<Duration>) -> MoveContext {
        MoveContext {
            score: score.filter(|_| !game.is_setup()),
            plies: game.turns().iter().filter(|turn| !turn.placement).count(),
            quiet: on_stage!(game.stage(), _ => 0, game => game.position().halfmove_clock()),
            opponent_time,
        }
    }
}

/// Data about the engine's last moves in a game, from which it decides whether to resign or offer a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OutcomeTracker {
    /// The number of consecutive moves at which the engine considered its position lost.
    lost: u32,
    /// The number of consecutive moves at which the engine considered the position equal.
    level: u32,
    /// The ply at which the engine last offered a draw.
    offered: Option<usize>,
}

impl OutcomeTracker {
    /// Returns whether the engine resigns or offers a draw at its next move, and records the score.
    pub fn end_decision(
        &mut self,
        strength: Strength,
        context: &MoveContext,
    ) -> Option<EndDecision> {
        let MoveContext { score, plies, quiet, opponent_time } = *context;
        let is_polite = strength.elo().is_none_or(|elo| Some(elo) >= POLITE.elo());
        let score = score.filter(|_| is_polite);
        self.lost = if score.is_some_and(is_lost) { self.lost + 1 } else { 0 };
        self.level = if score.is_some_and(is_level) { self.level + 1 } else { 0 };
        // Let the opponent deliver a mate in one.
        let is_about_to_be_mated = score == Some(Score::Mate(-1));
        let has_time = opponent_time.is_none_or(|time| time >= TIME_TROUBLE);
        let is_over = self.lost >= LOST_IN_A_ROW && plies >= PLIES_BEFORE_RESIGNING;
        if is_over && has_time && !is_about_to_be_mated {
            return Some(EndDecision::Resign);
        }
        let is_drawish = self.level >= LEVEL_IN_A_ROW && quiet >= QUIET_PLIES && plies >= LONG;
        let may_offer = self.offered.is_none_or(|ply| plies >= ply + PLIES_BETWEEN_OFFERS);
        if is_drawish && may_offer {
            self.offered = Some(plies);
            return Some(EndDecision::OfferDraw);
        }
        None
    }

    /// Resets the counts of lost and equal scores, and keeps the ply of the last draw offer. Called after
    /// moves were taken back.
    pub fn forget(&mut self) {
        (self.lost, self.level) = (0, 0);
    }
}

const fn is_lost(score: Score) -> bool {
    match score {
        Score::Centipawns(value) => value <= LOST,
        Score::Mate(moves) => moves <= 0,
    }
}

const fn is_level(score: Score) -> bool {
    matches!(score, Score::Centipawns(value) if value.abs() <= LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Strength = Strength::Level(12);

    fn context(score: i32, plies: usize) -> MoveContext {
        let score = Some(Score::Centipawns(score));
        MoveContext { score, plies, quiet: QUIET_PLIES, opponent_time: None }
    }

    /// Returns the engine's decisions at successive moves with the given scores. The first move comes after
    /// `first` plies.
    fn end_decisions(strength: Strength, first: usize, scores: &[i32]) -> Vec<Option<EndDecision>> {
        let mut outcome_tracker = OutcomeTracker::default();
        let plies = (first..).step_by(2);
        let end_decision =
            |(&score, plies)| outcome_tracker.end_decision(strength, &context(score, plies));
        scores.iter().zip(plies).map(end_decision).collect()
    }

    #[test]
    fn the_engine_resigns_after_several_lost_scores() {
        let resigns = |strength, first, scores: &[i32]| {
            end_decisions(strength, first, scores)
                .iter()
                .position(|end_decision| *end_decision == Some(EndDecision::Resign))
        };
        assert_eq!(resigns(FULL, 30, &[-700; 5]), Some(3));
        assert_eq!(resigns(FULL, 30, &[-900, -900, -900, -650, -900, -900]), None, "in a row");
        assert_eq!(resigns(FULL, 10, &[-900; 8]), Some(5), "not within the first ten moves");
        assert_eq!(resigns(Strength::Level(7), 30, &[-700; 4]), Some(3));
        assert_eq!(resigns(Strength::Level(6), 30, &[-900; 9]), None);
        assert_eq!(resigns(Strength::Elo(1599), 30, &[-900; 9]), None);
    }

    #[test]
    fn the_engine_does_not_resign_to_mate_in_one_or_in_time_trouble() {
        let mut outcome_tracker =
            OutcomeTracker { lost: LOST_IN_A_ROW, ..OutcomeTracker::default() };
        let lost = context(-2_000, 50);
        let mated = |moves| MoveContext { score: Some(Score::Mate(moves)), ..lost };
        assert_eq!(outcome_tracker.end_decision(FULL, &mated(-1)), None);
        assert_eq!(outcome_tracker.end_decision(FULL, &mated(-2)), Some(EndDecision::Resign));
        let with =
            |seconds| MoveContext { opponent_time: Some(Duration::from_secs(seconds)), ..lost };
        assert_eq!(outcome_tracker.end_decision(FULL, &with(19)), None);
        assert_eq!(outcome_tracker.end_decision(FULL, &with(20)), Some(EndDecision::Resign));
        outcome_tracker.forget();
        assert_eq!(
            outcome_tracker.end_decision(FULL, &lost),
            None,
            "scores before a move was taken back do not count"
        );
    }

    #[test]
    fn draws_are_offered_rarely_and_only_in_quiet_positions() {
        let offers = |first, scores: &[i32]| -> Vec<usize> {
            let end_decisions = end_decisions(FULL, first, scores);
            let is_offer = |index: &usize| end_decisions[*index] == Some(EndDecision::OfferDraw);
            (0..end_decisions.len()).filter(is_offer).collect()
        };
        assert_eq!(offers(80, &[0; 50]), [5, 25, 45], "at most one offer in twenty moves");
        assert_eq!(offers(10, &[10; 35]), [30], "after 35 moves");
        assert!(offers(80, &[0, 10, -20, 30, 0, 31, 0, 0, 0, 0, 0]).is_empty());
        let mut outcome_tracker =
            OutcomeTracker { level: LEVEL_IN_A_ROW, ..OutcomeTracker::default() };
        assert_eq!(
            outcome_tracker.end_decision(FULL, &MoveContext { quiet: 9, ..context(0, 90) }),
            None
        );
        assert_eq!(
            outcome_tracker.end_decision(FULL, &MoveContext { score: None, ..context(0, 90) }),
            None,
            "no draw offer in a placement phase"
        );
        assert_eq!(outcome_tracker, OutcomeTracker::default());
    }

    #[test]
    fn pauses_vary_within_their_bounds() {
        let mut rng = Rng::new(1);
        let pauses: Vec<u128> =
            (0..1_000).map(|_| pause_before_reply(&mut rng).as_millis()).collect();
        let (least, most) = (pauses.iter().min().unwrap(), pauses.iter().max().unwrap());
        assert!((500..520).contains(least) && (1_480..=1_500).contains(most), "{least} {most}");
    }
}
