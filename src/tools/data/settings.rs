use serde::{Deserialize, Serialize};

use super::mix::Mix;
use crate::rules::BoardSize;
use crate::types::Value;

/// Everything that decides what games datagen makes, besides the program itself. Game `i` of a
/// set is a function of these, of `i`, and of evaluation and search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatagenSettings {
    /// Kinds of starts.
    pub variant: Mix,
    pub seed: u64,
    /// Nodes of a search after which no further iteration begins.
    pub nodes: u64,
    /// Nodes at which a search stops wherever it is.
    pub hard_nodes: u64,
    /// MiB of hash.
    pub hash: usize,
    /// Random plies after the start: at least this many, ...
    pub random_min: u8,
    /// ... and at most this many.
    pub random_max: u8,
    /// A start is drawn again if the first search gives it a score of a larger size.
    pub start_score: Value,
    /// A game is won after `win_plies` plies with scores of at least this size.
    pub win_score: Value,
    pub win_plies: u32,
    /// This percentage of the games is not won by scores, so that networks see how won positions are
    /// won. Older manifests do not name it.
    #[serde(default)]
    pub play_out: u32,
    /// A game is drawn after `draw_plies` plies with scores below this size, ...
    pub draw_score: Value,
    pub draw_plies: u32,
    /// ... if it is this long, random plies included.
    pub draw_ply: u32,
    /// Games that are this long are drawn.
    pub max_plies: u32,
}

impl Default for DatagenSettings {
    /// What the networks learn from, with seed 0.
    fn default() -> DatagenSettings {
        DatagenSettings {
            variant: Mix::of_board(BoardSize::Eight),
            seed: 0,
            nodes: 100,
            hard_nodes: 8 * 100,
            hash: 1,
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

/// A setting with which no games can be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} is {value}; it must be at {bound}")]
pub struct DatagenSettingsError {
    name: &'static str,
    value: i64,
    /// `least N` or `most N`.
    bound: String,
}

impl DatagenSettings {
    /// Whether the game with this index is not won by scores; such games are spread evenly.
    pub const fn plays_out(&self, index: u32) -> bool {
        index % 100 * self.play_out % 100 < self.play_out
    }

    /// Whether games can be made with these numbers.
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
            // The format has 16 bits for it.
            ("max-plies", self.max_plies.into(), longest_start + 1, 10_000),
        ] {
            let fault = |bound| Err(DatagenSettingsError { name, value, bound });
            if value < least {
                return fault(format!("least {least}"));
            }
            if value > most {
                return fault(format!("most {most}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_back() {
        let settings = DatagenSettings { seed: u64::MAX, ..DatagenSettings::default() };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<DatagenSettings>(&text).unwrap(), settings);
        assert!(serde_json::from_str::<DatagenSettings>("{\"seed\":1}").is_err());
        let older = text.replace(",\"play_out\":10", "");
        assert_ne!(older, text);
        assert_eq!(serde_json::from_str::<DatagenSettings>(&older).unwrap().play_out, 0);
    }

    #[test]
    fn so_many_of_hundred_games_are_played_out() {
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
    fn impossible_numbers_are_named() {
        let fault = |settings: DatagenSettings| settings.check().unwrap_err().to_string();
        let usual = DatagenSettings::default;
        assert_eq!(usual().check(), Ok(()));
        assert!(fault(DatagenSettings { nodes: 0, ..usual() }).contains("nodes is 0"));
        assert!(fault(DatagenSettings { hard_nodes: 99, ..usual() }).contains("at least 100"));
        assert!(fault(DatagenSettings { random_min: 10, ..usual() }).contains("random-max is 9"));
        assert!(fault(DatagenSettings { max_plies: 9, ..usual() }).contains("max-plies"));
        assert!(fault(DatagenSettings { max_plies: 70_000, ..usual() }).contains("at most 10000"));
        assert!(fault(DatagenSettings { play_out: 101, ..usual() }).contains("at most 100"));
        assert!(fault(DatagenSettings { hash: usize::MAX, ..usual() }).contains("hash"));
    }
}
