use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Strength;
use crate::engine::Score;
use crate::game::{Game, on_stage};
use crate::random::Rng;

/// What the engine does as people do, besides its moves: what of it is wanted in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Habits {
    /// Below full strength it takes a moment before it answers in games without clocks.
    pub pauses: bool,
    /// From level 7 on it resigns lost games and offers draws.
    pub resigns: bool,
}

impl Habits {
    /// All of them.
    pub const ALL: Habits = Habits { pauses: true, resigns: true };
}

/// The weakest level that resigns and offers draws: a weaker one knows too little of its chances.
const POLITE: Strength = Strength::Level(7);

/// In thousandths of a second.
const SHORTEST_PAUSE: u64 = 500;
const LONGEST_PAUSE: u64 = 1_500;

/// How long the engine waits before an answer.
pub fn pause(rng: &mut Rng) -> Duration {
    Duration::from_millis(SHORTEST_PAUSE + rng.below(LONGEST_PAUSE - SHORTEST_PAUSE + 1))
}

/// So many centipawns behind the engine holds a game for lost, and before so many plies it does
/// not give one up.
const LOST: i32 = -700;
const LOST_IN_A_ROW: u32 = 4;
const PLIES_BEFORE_RESIGNING: usize = 20;
/// An opponent with less time than this has to show that it wins.
const TIME_TROUBLE: Duration = Duration::from_secs(20);

/// A game is level when nobody is ahead by more centipawns, quiet when nothing was taken and no
/// pawn moved for so many plies, and long after so many.
const LEVEL: i32 = 30;
const LEVEL_IN_A_ROW: u32 = 6;
const QUIET_PLIES: u16 = 10;
const LONG: usize = 70;
/// Plies from one offer to the next: twenty moves.
const PLIES_BETWEEN_OFFERS: usize = 40;

/// What the engine wants besides its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// To give up instead of moving.
    Resign,
    /// To offer a draw with its move.
    OfferDraw,
}

/// The game when the engine has thought about a move of it.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// What the engine thinks of it, for itself; nothing in a set-up, or where it did not search.
    pub score: Option<Score>,
    /// Moves of both sides past the set-up.
    pub plies: usize,
    /// Plies since something was taken or a pawn moved.
    pub quiet: u16,
    /// What is on the opponent's clock.
    pub opponent_time: Option<Duration>,
}

impl Moment {
    /// The game as it stands, with what the engine thinks of it.
    pub fn new(game: &Game, score: Option<Score>, opponent_time: Option<Duration>) -> Moment {
        Moment {
            score: score.filter(|_| !game.is_setup()),
            plies: game.turns().iter().filter(|turn| !turn.placement).count(),
            quiet: on_stage!(game.stage(), _ => 0, game => game.position().halfmove_clock()),
            opponent_time,
        }
    }
}

/// What one engine remembers of its last moves in a game, to know when it wants to end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mood {
    /// Moves in a row at which the game was lost, or level.
    lost: u32,
    level: u32,
    /// At which ply it has offered a draw.
    offered: Option<usize>,
}

impl Mood {
    /// What the engine wants now, with the move that it has found.
    pub fn wish(&mut self, strength: Strength, moment: &Moment) -> Option<Wish> {
        let Moment { score, plies, quiet, opponent_time } = *moment;
        let is_polite = strength.elo().is_none_or(|elo| Some(elo) >= POLITE.elo());
        let score = score.filter(|_| is_polite);
        self.lost = if score.is_some_and(is_lost) { self.lost + 1 } else { 0 };
        self.level = if score.is_some_and(is_level) { self.level + 1 } else { 0 };
        // Who mates with the next move is not robbed of it.
        let is_about_to_be_mated = score == Some(Score::Mate(-1));
        let has_time = opponent_time.is_none_or(|time| time >= TIME_TROUBLE);
        let is_over = self.lost >= LOST_IN_A_ROW && plies >= PLIES_BEFORE_RESIGNING;
        if is_over && has_time && !is_about_to_be_mated {
            return Some(Wish::Resign);
        }
        let is_drawish = self.level >= LEVEL_IN_A_ROW && quiet >= QUIET_PLIES && plies >= LONG;
        let may_offer = self.offered.is_none_or(|ply| plies >= ply + PLIES_BETWEEN_OFFERS);
        if is_drawish && may_offer {
            self.offered = Some(plies);
            return Some(Wish::OfferDraw);
        }
        None
    }

    /// Moves were taken back: what was thought of them counts no longer. That a draw was offered
    /// does.
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

    fn moment(score: i32, plies: usize) -> Moment {
        let score = Some(Score::Centipawns(score));
        Moment { score, plies, quiet: QUIET_PLIES, opponent_time: None }
    }

    /// What the engine wants at each of its moves, the first one after so many plies.
    fn wishes(strength: Strength, first: usize, scores: &[i32]) -> Vec<Option<Wish>> {
        let mut mood = Mood::default();
        let plies = (first..).step_by(2);
        let wish = |(&score, plies)| mood.wish(strength, &moment(score, plies));
        scores.iter().zip(plies).map(wish).collect()
    }

    #[test]
    fn a_lost_game_is_given_up_after_a_while() {
        let resigns = |strength, first, scores: &[i32]| {
            wishes(strength, first, scores).iter().position(|wish| *wish == Some(Wish::Resign))
        };
        assert_eq!(resigns(FULL, 30, &[-700; 5]), Some(3));
        assert_eq!(resigns(FULL, 30, &[-900, -900, -900, -650, -900, -900]), None, "in a row");
        assert_eq!(resigns(FULL, 10, &[-900; 8]), Some(5), "not within the first ten moves");
        assert_eq!(resigns(Strength::Level(7), 30, &[-700; 4]), Some(3));
        assert_eq!(resigns(Strength::Level(6), 30, &[-900; 9]), None);
        assert_eq!(resigns(Strength::Elo(1599), 30, &[-900; 9]), None);
    }

    #[test]
    fn who_mates_now_or_has_no_time_must_win_it() {
        let mut mood = Mood { lost: LOST_IN_A_ROW, ..Mood::default() };
        let lost = moment(-2_000, 50);
        let mated = |moves| Moment { score: Some(Score::Mate(moves)), ..lost };
        assert_eq!(mood.wish(FULL, &mated(-1)), None);
        assert_eq!(mood.wish(FULL, &mated(-2)), Some(Wish::Resign));
        let with = |seconds| Moment { opponent_time: Some(Duration::from_secs(seconds)), ..lost };
        assert_eq!(mood.wish(FULL, &with(19)), None);
        assert_eq!(mood.wish(FULL, &with(20)), Some(Wish::Resign));
        mood.forget();
        assert_eq!(mood.wish(FULL, &lost), None, "what was taken back counts no longer");
    }

    #[test]
    fn draws_are_offered_seldom_and_only_where_nothing_happens() {
        let offers = |first, scores: &[i32]| -> Vec<usize> {
            let wishes = wishes(FULL, first, scores);
            let is_offer = |index: &usize| wishes[*index] == Some(Wish::OfferDraw);
            (0..wishes.len()).filter(is_offer).collect()
        };
        assert_eq!(offers(80, &[0; 50]), [5, 25, 45], "every twenty moves at most");
        assert_eq!(offers(10, &[10; 35]), [30], "after 35 moves");
        assert!(offers(80, &[0, 10, -20, 30, 0, 31, 0, 0, 0, 0, 0]).is_empty());
        let mut mood = Mood { level: LEVEL_IN_A_ROW, ..Mood::default() };
        assert_eq!(mood.wish(FULL, &Moment { quiet: 9, ..moment(0, 90) }), None);
        assert_eq!(mood.wish(FULL, &Moment { score: None, ..moment(0, 90) }), None, "a set-up");
        assert_eq!(mood, Mood::default());
    }

    #[test]
    fn pauses_differ_within_their_bounds() {
        let mut rng = Rng::new(1);
        let pauses: Vec<u128> = (0..1_000).map(|_| pause(&mut rng).as_millis()).collect();
        let (least, most) = (pauses.iter().min().unwrap(), pauses.iter().max().unwrap());
        assert!((500..520).contains(least) && (1_480..=1_500).contains(most), "{least} {most}");
    }
}
