//! The standings of a tournament.

use std::collections::{BTreeMap, HashMap};

use super::record::GameRecord;
use super::schedule::{Pair, PairSchedule};
use crate::tools::stats::{Pentanomial, Points, Tally};
use crate::types::Color;

/// The results of one engine against all its opponents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StandingsRow {
    pub name: String,
    pub games: Tally,
    /// The results of the complete pairs.
    pub pairs: Pentanomial,
    /// The number of failures of each kind.
    pub failures: BTreeMap<&'static str, u64>,
}

/// The results of all engines in a tournament.
#[derive(Clone, Debug)]
pub struct Standings {
    /// The results by engine, in the order in which the engines were named.
    rows: Vec<StandingsRow>,
    schedule: PairSchedule,
    /// The first engine's points in both games of each started pair, by the index of the pair.
    pairs: HashMap<usize, [Option<Points>; 2]>,
    /// White's results in all games, whichever engine played White.
    white: Tally,
    plies: u64,
    endings: BTreeMap<String, u64>,
}

impl Standings {
    /// Creates the standings before the first game.
    pub fn new(names: impl IntoIterator<Item = String>, schedule: PairSchedule) -> Standings {
        let rows = names
            .into_iter()
            .map(|name| StandingsRow { name, ..StandingsRow::default() })
            .collect();
        let (pairs, endings) = (HashMap::new(), BTreeMap::new());
        Standings { rows, schedule, pairs, white: Tally::default(), plies: 0, endings }
    }

    /// Adds a game. Returns false if the game was already added or is not in the schedule.
    pub fn add(&mut self, record: &GameRecord) -> bool {
        let Some(Pair { engines, .. }) = self.schedule.pair(record.pair) else { return false };
        let results = self.pairs.entry(record.pair).or_default();
        let Some(place) = results.get_mut(record.game) else { return false };
        if place.is_some() {
            return false;
        }
        // Colours are reversed in the second game of a pair.
        let color = if record.game == 0 { Color::White } else { Color::Black };
        let points = record.result.points(color);
        *place = Some(points);
        let [first, second] = engines;
        self.rows[first].games.add(points);
        self.rows[second].games.add(points.reversed());
        if let [Some(one), Some(other)] = *results {
            self.rows[first].pairs.add(one, other);
            self.rows[second].pairs.add(one.reversed(), other.reversed());
        }
        if let Some(failure) = &record.failure
            && let Some(row) = self.rows.iter_mut().find(|row| row.name == failure.engine)
        {
            *row.failures.entry(failure.failure.name()).or_default() += 1;
        }
        self.white.add(record.result.points(Color::White));
        self.plies += record.moves.len() as u64;
        *self.endings.entry(record.reason.clone()).or_default() += 1;
        true
    }

    /// Returns the results of each engine, in the order in which the engines were named.
    pub fn rows(&self) -> &[StandingsRow] {
        &self.rows
    }

    /// Returns the results of each engine. The engine with the best score comes first.
    pub fn ranked(&self) -> Vec<&StandingsRow> {
        let mut rows: Vec<&StandingsRow> = self.rows.iter().collect();
        rows.sort_by(|a, b| b.games.score().total_cmp(&a.games.score()));
        rows
    }

    /// Returns the number of finished games.
    pub fn games(&self) -> u64 {
        self.white.games()
    }

    /// Returns White's results in all games.
    pub fn white(&self) -> &Tally {
        &self.white
    }

    /// Returns the number of moves by both sides in all games. Placements do not count.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Returns the number of games by the reason for which they ended.
    pub fn endings(&self) -> &BTreeMap<String, u64> {
        &self.endings
    }

    /// Returns the number of failures of all engines together.
    pub fn failures(&self) -> u64 {
        self.rows.iter().flat_map(|row| row.failures.values()).sum()
    }

    /// Returns whether game 0 or 1 of a pair is finished.
    pub fn is_over(&self, pair: usize, game: usize) -> bool {
        self.pairs.get(&pair).and_then(|results| results.get(game)).is_some_and(Option::is_some)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::failure::Failure;
    use super::super::record::EngineFailure;
    use super::super::schedule::Form;
    use super::*;
    use crate::game::Outcome;

    pub fn record(pair: usize, game: usize, result: Outcome) -> GameRecord {
        let names = if game == 0 { ["a", "b"] } else { ["b", "a"] };
        GameRecord {
            pair,
            game,
            round: pair,
            white: names[0].to_owned(),
            black: names[1].to_owned(),
            date: "2026-11-22".to_owned(),
            variant: "chess".to_owned(),
            opening: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".to_owned(),
            placements: Vec::new(),
            start: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".to_owned(),
            result,
            reason: "mate".to_owned(),
            failure: None,
            moves: Vec::new(),
        }
    }

    #[test]
    fn a_pair_counts_when_both_games_are_over() {
        use Outcome::{BlackWins, Draw, WhiteWins};
        let schedule = PairSchedule::new(Form::RoundRobin, 2, 6);
        let mut standings = Standings::new(["a".to_owned(), "b".to_owned()], schedule);
        assert!(standings.add(&record(0, 1, BlackWins)));
        assert_eq!(standings.rows()[0].pairs.pairs(), 0);
        assert!(standings.add(&record(0, 0, WhiteWins)));
        assert_eq!(standings.rows()[0].pairs, Pentanomial([0, 0, 0, 0, 1]));
        assert_eq!(standings.rows()[1].pairs, Pentanomial([1, 0, 0, 0, 0]));
        assert!(standings.add(&record(2, 0, Draw)));
        // Neither a game that was added before nor a game outside the schedule is added.
        assert!(!standings.add(&record(2, 0, WhiteWins)));
        assert!(!standings.add(&record(3, 0, WhiteWins)));
        assert!(!standings.add(&record(1, 2, WhiteWins)));
        let [a, b] = standings.rows() else { unreachable!() };
        assert_eq!(a.games, Tally { wins: 2, draws: 1, losses: 0 });
        assert_eq!(b.games, Tally { wins: 0, draws: 1, losses: 2 });
        assert_eq!(standings.white(), &Tally { wins: 1, draws: 1, losses: 1 });
        assert_eq!((standings.games(), standings.ranked()[0].name.as_str()), (3, "a"));
        assert!(standings.is_over(2, 0) && !standings.is_over(2, 1) && !standings.is_over(9, 0));
    }

    #[test]
    fn failures_are_counted_by_kind() {
        let schedule = PairSchedule::new(Form::RoundRobin, 2, 2);
        let mut standings = Standings::new(["a".to_owned(), "b".to_owned()], schedule);
        let failure = Failure::Crash { status: String::new(), said: String::new() };
        let failure = Some(EngineFailure { engine: "b".to_owned(), failure });
        standings.add(&GameRecord { failure, ..record(0, 0, Outcome::WhiteWins) });
        assert_eq!(standings.rows()[1].failures.get("crash"), Some(&1));
        assert_eq!(standings.failures(), 1);
    }
}
