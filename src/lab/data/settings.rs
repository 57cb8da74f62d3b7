use serde::{Deserialize, Serialize};

use super::mix::Mix;
use crate::rules::BoardSize;
use crate::types::Value;

/// Everything that decides what games datagen makes, besides the program itself. Game `i` of a
/// set is a function of these, of `i`, and of evaluation and search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
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
    /// A game is drawn after `draw_plies` plies with scores below this size, ...
    pub draw_score: Value,
    pub draw_plies: u32,
    /// ... if it is this long, random plies included.
    pub draw_ply: u32,
    /// Games that are this long are drawn.
    pub max_plies: u32,
}

impl Default for Settings {
    /// What the networks learn from, with seed 0.
    fn default() -> Settings {
        Settings {
            variant: Mix::of_board(BoardSize::Eight),
            seed: 0,
            nodes: 1_000,
            hard_nodes: 8 * 1_000,
            hash: 1,
            random_min: 6,
            random_max: 9,
            start_score: 600,
            win_score: 2_000,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 10,
            draw_ply: 60,
            max_plies: 800,
        }
    }
}

/// A setting with which no games can be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{name} is {value}; it must be at least {least}")]
    TooSmall { name: &'static str, value: i64, least: i64 },
    #[error("{name} is {value}; it can be at most {most}")]
    TooLarge { name: &'static str, value: i64, most: i64 },
}

impl Settings {
    /// The most plies that a game may have; the format has 16 bits for it.
    const MOST_PLIES: i64 = 10_000;

    /// Whether games can be made with these numbers.
    pub fn check(&self) -> Result<(), SettingsError> {
        let nodes = i64::try_from(self.nodes).unwrap_or(i64::MAX);
        let hard = i64::try_from(self.hard_nodes).unwrap_or(i64::MAX);
        let longest_start = i64::from(self.random_max);
        let largest = [
            ("max-plies", i64::from(self.max_plies), Settings::MOST_PLIES),
            ("hash", i64::try_from(self.hash).unwrap_or(i64::MAX), 65_536),
        ];
        let smallest = [
            ("nodes", nodes, 1),
            ("hard-nodes", hard, nodes),
            ("hash", largest[1].1, 1),
            ("random-max", longest_start, i64::from(self.random_min)),
            ("start-score", i64::from(self.start_score), 1),
            ("win-score", i64::from(self.win_score), 1),
            ("win-plies", i64::from(self.win_plies), 1),
            ("draw-score", i64::from(self.draw_score), 0),
            ("draw-plies", i64::from(self.draw_plies), 1),
            ("max-plies", largest[0].1, longest_start + 1),
        ];
        for (name, value, least) in smallest {
            if value < least {
                return Err(SettingsError::TooSmall { name, value, least });
            }
        }
        for (name, value, most) in largest {
            if value > most {
                return Err(SettingsError::TooLarge { name, value, most });
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
        let settings = Settings { seed: u64::MAX, ..Settings::default() };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        assert!(serde_json::from_str::<Settings>("{\"seed\":1}").is_err());
    }

    #[test]
    fn impossible_numbers_are_named() {
        let fault = |settings: Settings| settings.check().unwrap_err().to_string();
        let usual = Settings::default;
        assert_eq!(usual().check(), Ok(()));
        assert!(fault(Settings { nodes: 0, ..usual() }).contains("nodes is 0"));
        assert!(fault(Settings { hard_nodes: 999, ..usual() }).contains("at least 1000"));
        assert!(fault(Settings { random_min: 10, ..usual() }).contains("random-max is 9"));
        assert!(fault(Settings { max_plies: 9, ..usual() }).contains("max-plies"));
        assert!(fault(Settings { max_plies: 70_000, ..usual() }).contains("at most 10000"));
        assert!(fault(Settings { hash: usize::MAX, ..usual() }).contains("hash"));
    }
}
