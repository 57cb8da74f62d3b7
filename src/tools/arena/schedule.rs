//! The schedule of a tournament: which engines play each other, and in which order.

/// The form of a tournament.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Default,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Every engine plays every other engine.
    #[default]
    RoundRobin,
    /// The first engine plays every other engine.
    Gauntlet,
}

/// Two games from one opening, with colours reversed in the second game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The index of the pair in the order in which pairs are started.
    pub index: usize,
    /// The index of the opening.
    pub round: usize,
    /// The numbers of the two engines. The first engine plays White in the first game.
    pub engines: [usize; 2],
}

/// All pairs of games of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairSchedule {
    encounters: Vec<[usize; 2]>,
    rounds: usize,
}

impl PairSchedule {
    /// Creates a schedule. `games` is the number of games per encounter. An odd number is rounded up, because
    /// games are played in pairs.
    pub fn new(form: Form, engines: usize, games: usize) -> PairSchedule {
        let encounters = (0..engines)
            .flat_map(|first| (first + 1..engines).map(move |second| [first, second]))
            .filter(|[first, _]| form == Form::RoundRobin || *first == 0)
            .collect();
        PairSchedule { encounters, rounds: games.div_ceil(2) }
    }

    /// Returns the total number of games.
    pub fn games(&self) -> usize {
        self.rounds.saturating_mul(2 * self.encounters.len())
    }

    /// Returns the pair with an index, or `None` after the last pair. In each round, every encounter plays
    /// one pair, and all pairs of a round start from the same opening.
    pub fn pair(&self, index: usize) -> Option<Pair> {
        let round = index.checked_div(self.encounters.len())?;
        let engines = self.encounters[index % self.encounters.len()];
        (round < self.rounds).then_some(Pair { index, round, engines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(schedule: &PairSchedule) -> impl Iterator<Item = Pair> {
        (0..).map_while(|index| schedule.pair(index))
    }

    #[test]
    fn every_engine_plays_every_other_engine_from_each_opening() {
        let schedule = PairSchedule::new(Form::RoundRobin, 3, 4);
        assert_eq!(schedule.games(), 12);
        let pairs: Vec<_> = all(&schedule).map(|pair| (pair.round, pair.engines)).collect();
        let round = |round| [(round, [0, 1]), (round, [0, 2]), (round, [1, 2])];
        assert_eq!(pairs, [round(0), round(1)].concat());
        assert!(all(&schedule).enumerate().all(|(index, pair)| pair.index == index));
    }

    #[test]
    fn in_a_gauntlet_the_first_engine_plays_every_other_engine() {
        let schedule = PairSchedule::new(Form::Gauntlet, 4, 3);
        let pairs: Vec<_> = all(&schedule).map(|pair| pair.engines).collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [0, 1], [0, 2], [0, 3]]);
        assert_eq!(schedule.games(), 12);
        let alone = PairSchedule::new(Form::Gauntlet, 1, 10);
        assert_eq!((alone.games(), alone.pair(0)), (0, None));
    }

    #[test]
    fn the_number_of_games_cannot_overflow() {
        let endless = PairSchedule::new(Form::RoundRobin, 3, usize::MAX);
        assert_eq!(endless.games(), usize::MAX);
        assert_eq!(endless.pair(4).map(|pair| (pair.round, pair.engines)), Some((1, [0, 2])));
        assert!(endless.pair(usize::MAX).is_some());
    }
}
