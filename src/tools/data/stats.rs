//! Computes statistics of a file of games.

use std::collections::BTreeMap;

use super::component::Component;
use super::filter::Filter;
use super::game::StoredGame;
use super::manifest::Counts;
use super::termination::{TERMINATIONS, code};
use crate::types::Value;
use crate::types::score::MATE_BOUND;

/// Statistics of the games in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    filter: Filter,
    /// The numbers of games and plies by kind of starting position. `kept` counts the plies that the filter
    /// keeps.
    pub components: BTreeMap<Component, Counts>,
    /// The number of games by termination, in the order of [`TERMINATIONS`].
    pub terminations: [u64; TERMINATIONS.len()],
    /// The number of searched plies by the absolute value of the score, in the classes of [`Stats::CLASSES`].
    pub scores: [u64; Stats::CLASSES.len()],
    pub random_plies: u64,
    pub shortest: Option<usize>,
    pub longest: usize,
}

impl Stats {
    /// The exclusive upper bounds of the classes of scores.
    pub const CLASSES: [Value; 9] = [25, 50, 100, 200, 400, 800, 1_600, MATE_BOUND + 1, Value::MAX];

    /// Creates empty statistics. The filter decides which plies count as kept.
    pub fn new(filter: Filter) -> Stats {
        Stats { filter, ..Stats::default() }
    }

    /// Adds a game to the statistics.
    pub fn add(&mut self, game: &StoredGame) {
        let plies = game.plies().len();
        self.components.entry(game.component).or_default().add(game, self.filter);
        for ply in game.plies().filter(|ply| !ply.is_random()) {
            let size = ply.score().abs();
            let class = Stats::CLASSES.iter().take_while(|bound| size >= **bound).count();
            self.scores[class] += 1;
        }
        self.terminations[code(game.termination)] += 1;
        self.random_plies += game.random_plies as u64;
        self.shortest = Some(self.shortest.map_or(plies, |shortest| shortest.min(plies)));
        self.longest = self.longest.max(plies);
    }

    /// Returns the sum of the counts over all kinds of starting positions.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.components.values().for_each(|counts| total += *counts);
        total
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.plies += other.plies;
        self.kept += other.kept;
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
    }
}
