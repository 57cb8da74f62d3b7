//! The settings of data generation.

use serde::{Deserialize, Serialize};

use super::mix::Mix;
use crate::rules::BoardSize;
use crate::types::Value;

/// All settings that determine which games datagen generates. Game `i` of a data set depends only on these
/// settings, on `i`, and on the program's evaluation and search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatagenSettings {
    /// The mix of starting positions. A single variant is also a mix.
    pub variant: Mix,
    pub seed: u64,
    /// The number of nodes after which a search starts no further iteration.
    pub nodes: u64,
    /// The number of nodes after which a search stops immediately.
    pub hard_nodes: u64,
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// The minimum number of random plies after the starting position.
    pub random_min: u8,
    /// The maximum number of random plies after the starting position.
    pub random_max: u8,
    /// If the first search of a game finds a score above this limit in absolute value, another starting
    /// position is drawn.
    pub start_score: Value,
    /// A game is adjudicated as won after `win_plies` plies in a row with scores of at least `win_score` in
    /// absolute value.
    pub win_score: Value,
    pub win_plies: u32,
    /// The percentage of games in which wins are not adjudicated, so that networks also learn from the
    /// conversion of won positions.
    pub play_out: u32,
    /// A game is adjudicated as drawn after `draw_plies` plies in a row with scores below `draw_score` in
    /// absolute value.
    pub draw_score: Value,
    pub draw_plies: u32,
    /// The minimum length in plies of a game that is adjudicated as drawn, including the random plies.
    pub draw_ply: u32,
    /// The length in plies at which a game is adjudicated as drawn.
    pub max_plies: u32,
}

impl Default for DatagenSettings {
    /// Returns the defaults for training data, with seed 0.
    fn default() -> DatagenSettings {
        DatagenSettings {
            variant: Mix::of_board(BoardSize::Eight),
            seed: 0,
            nodes: 400,
            hard_nodes: 8 * 400,
            hash: 4,
            random_min: 6,
            random_max: 9,
            start_score: 600,
            win_score: 2_000,
            win_plies: 4,
            play_out: 10,
            draw_score: 8,
            draw_plies: 10,
            draw_ply: 60,
            max_plies: 800,
        }
    }
}

/// A setting that is out of its range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the setting {name} is {value}, but must be at {bound}")]
pub struct DatagenSettingsError {
    name: &'static str,
    value: i64,
    /// The bound that the setting violates, as text: `least N` or `most N`.
    bound: String,
}

impl DatagenSettings {
    /// Returns whether wins are not adjudicated in the game with this index. The indices of these games are
    /// spread evenly.
    pub const fn plays_out(&self, index: u32) -> bool {
        index % 100 * self.play_out % 100 < self.play_out
    }

    /// Checks that all settings are in their ranges.
    pub fn check(&self) -> Result<(), DatagenSettingsError> {
        let large = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let nodes = large(self.nodes);
        let longest_start = i64::from(self.random_max);
        for (name, value, least, most) in [
            ("nodes", nodes, 1, i64::MAX),
            ("hard-nodes", large(self.hard_nodes), nodes, i64::MAX),
            ("hash", large(self.hash as u64), 1, 65_536),
            ("random-max", longest_start, self.random_min.into(), i64::MAX),
            ("start-score", self.start_score.into(), 1, i64::MAX),
            ("win-score", self.win_score.into(), 1, i64::MAX),
            ("win-plies", self.win_plies.into(), 1, i64::MAX),
            ("play-out", self.play_out.into(), 0, 100),
            ("draw-score", self.draw_score.into(), 0, i64::MAX),
            ("draw-plies", self.draw_plies.into(), 1, i64::MAX),
            // The upper limit is low enough for the 16 bits in which the file format stores the number of
            // plies.
            ("max-plies", self.max_plies.into(), longest_start + 1, 10_000),
        ] {
            let error = |bound| Err(DatagenSettingsError { name, value, bound });
            if value < least {
                return error(format!("least {least}"));
            }
            if value > most {
                return error(format!("most {most}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip_through_json() {
        let settings = DatagenSettings { seed: u64::MAX, ..DatagenSettings::default() };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<DatagenSettings>(&text).unwrap(), settings);
        assert!(serde_json::from_str::<DatagenSettings>("{\"seed\":1}").is_err());
    }

    #[test]
    fn play_out_is_the_percentage_of_games_played_out() {
        for play_out in 0..=100 {
            let settings = DatagenSettings { play_out, ..DatagenSettings::default() };
            let games = |indices: std::ops::Range<u32>| {
                indices.filter(|&index| settings.plays_out(index)).count() as u32
            };
            assert_eq!(games(0..100), play_out);
            assert_eq!(games(4_294_967_100..4_294_967_200), play_out);
        }
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let error = |settings: DatagenSettings| settings.check().unwrap_err().to_string();
        let default = DatagenSettings::default;
        assert_eq!(default().check(), Ok(()));
        assert!(error(DatagenSettings { nodes: 0, ..default() }).contains("nodes is 0"));
        assert!(error(DatagenSettings { hard_nodes: 399, ..default() }).contains("at least 400"));
        assert!(error(DatagenSettings { random_min: 10, ..default() }).contains("random-max is 9"));
        assert!(error(DatagenSettings { max_plies: 9, ..default() }).contains("max-plies"));
        assert!(
            error(DatagenSettings { max_plies: 70_000, ..default() }).contains("at most 10000")
        );
        assert!(error(DatagenSettings { play_out: 101, ..default() }).contains("at most 100"));
        assert!(error(DatagenSettings { hash: usize::MAX, ..default() }).contains("hash"));
    }
}
