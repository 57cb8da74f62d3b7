//! The engine's human habits: it resigns lost games, offers draws and pauses before a reply.
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Strength;
use crate::game::{Game, on_stage};
use crate::random::Rng;
use crate::types::Score;

/// Which human habits the engine shows in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    /// Below full strength it pauses before a reply in games without clocks.
    pub pauses: bool,
    /// From level 7 it resigns lost games and offers draws.
    pub resigns: bool,
}

impl Habits {
    /// All habits.
    pub const ALL: Habits = Habits { pauses: true, resigns: true };
}

/// The weakest level that resigns and offers draws. Weaker ones judge positions too badly.
const POLITE: Strength = Strength::Level(7);

/// In milliseconds.
const SHORTEST_PAUSE: u64 = 500;
const LONGEST_PAUSE: u64 = 1_500;

/// Returns a random time to wait before a reply.
pub fn pause_before_reply(rng: &mut Rng) -> Duration {
    Duration::from_millis(SHORTEST_PAUSE + rng.below(LONGEST_PAUSE - SHORTEST_PAUSE + 1))
}

/// A score of at most `LOST` centipawns is lost. The engine resigns after `LOST_IN_A_ROW` lost
/// scores in a row, but not before `PLIES_BEFORE_RESIGNING` plies.
const LOST: i32 = -700;
const LOST_IN_A_ROW: u32 = 4;
const PLIES_BEFORE_RESIGNING: usize = 20;
/// The engine does not resign to an opponent with less time than this.
const TIME_TROUBLE: Duration = Duration::from_secs(20);

/// A score of at most `LEVEL` centipawns either way is level. The engine offers a draw after
/// `LEVEL_IN_A_ROW` level scores in a row and `QUIET_PLIES` plies without a capture or pawn move,
/// from ply `LONG`.
const LEVEL: i32 = 30;
const LEVEL_IN_A_ROW: u32 = 6;
const QUIET_PLIES: u16 = 10;
const LONG: usize = 70;
/// Plies from one offer to the next: twenty moves.
const PLIES_BETWEEN_OFFERS: usize = 40;

/// The engine accepts no draw before this many plies.
pub const PLIES_BEFORE_DRAWS: usize = 20;

/// What the engine does instead of, or with, its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndDecision {
    /// Resign instead of moving.
    Resign,
    /// Offer a draw with its move.
    OfferDraw,
}

/// The state of a game when the engine has chosen a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext {
    /// The score for the engine; `None` in a setup and without a search.
    pub score: Option<Score>,
    /// Moves by both sides, without placements.
    pub plies: usize,
    /// Plies since the last capture or pawn move.
    pub quiet: u16,
    /// The time on the opponent's clock.
    pub opponent_time: Option<Duration>,
}

impl MoveContext {
    /// The state of `game` with the engine's score.
    pub fn new(game: &Game, score: Option<Score>, opponent_time: Option<Duration>) -> MoveContext {
        MoveContext {
            score: score.filter(|_| !game.is_setup()),
            plies: game.turns().iter().filter(|turn| !turn.placement).count(),
            quiet: on_stage!(game.stage(), _ => 0, game => game.position().halfmove_clock()),
            opponent_time,
        }
    }
}

/// What the engine remembers of its last moves in a game, to decide when to end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OutcomeTracker {
    /// Consecutive moves at which its score was lost, or level.
    lost: u32,
    level: u32,
    /// The ply at which it last offered a draw.
    offered: Option<usize>,
}

impl OutcomeTracker {
    /// Returns the engine's decision at its next move.
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
        // The opponent may deliver a mate in one.
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

    /// Resets the scores after moves were taken back, but remembers the draw offer.
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

    /// The engine's decisions at its successive moves, the first after `first` plies.
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
            "moves taken back do not count"
        );
    }

    #[test]
    fn draws_are_offered_rarely_and_only_in_quiet_positions() {
        let offers = |first, scores: &[i32]| -> Vec<usize> {
            let end_decisions = end_decisions(FULL, first, scores);
            let is_offer = |index: &usize| end_decisions[*index] == Some(EndDecision::OfferDraw);
            (0..end_decisions.len()).filter(is_offer).collect()
        };
        assert_eq!(offers(80, &[0; 50]), [5, 25, 45], "every twenty moves at most");
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
            "a setup"
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
