//! Playing strength: the levels, and how a weaker one is simulated.

use serde::{Deserialize, Serialize};

use crate::search::{Skill, skill};
use crate::types::Value;

/// The range of `UCI_Elo`.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 400..=2600;

/// The levels, weakest first.
pub const LEVELS: std::ops::RangeInclusive<u8> = 1..=12;

/// The default level.
pub const USUAL_LEVEL: u8 = 5;

/// The engine's strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// One of [`LEVELS`]: 200 Elo apart, with full strength as the last one.
    Level(u8),
    /// An Elo as in the option `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    /// Returns the Elo to play at; `None` is full strength.
    pub fn elo(self) -> Option<u32> {
        match self {
            Strength::Level(level) if level >= *LEVELS.end() => None,
            Strength::Level(level) => {
                Some(ELO_RANGE.start() + 200 * u32::from(level.max(*LEVELS.start()) - 1))
            }
            Strength::Elo(elo) => Some(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end())),
        }
    }

    /// Whether the strength is unlimited, so that the engine's scores are real evaluations.
    pub fn is_full(self) -> bool {
        self.elo().is_none()
    }
}

/// The Elo from which no moves are overlooked.
const ATTENTIVE: u32 = 800;

/// The highest Elo at which the opening is played by rules, because a player with large errors
/// would begin with odd moves.
const OPENS_BY_RULE: u32 = 1400;

/// Returns the skill for a nominal Elo. The seed determines the errors.
pub(super) fn skill_of(elo: u32, seed: u64) -> Skill {
    let elo = elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end());
    if elo < ATTENTIVE { beginner(elo, seed) } else { player(elo, seed) }
}

/// Weakens a beginner by overlooked moves; the moves it considers are evaluated fairly.
fn beginner(elo: u32, seed: u64) -> Skill {
    let above = u64::from(elo - ELO_RANGE.start());
    let attention = 610 + 210 * above / u64::from(ATTENTIVE - ELO_RANGE.start());
    Skill { error: 20, nodes: 40, attention, opens_by_rule: true, seed }
}

/// Weakens a player by few nodes and by evaluation errors, which grow as the Elo falls.
fn player(elo: u32, seed: u64) -> Skill {
    let below = f64::from(ELO_RANGE.end() - elo) / f64::from(ELO_RANGE.end() - ATTENTIVE);
    // From 40 nodes at `ATTENTIVE` to 40,000 at the top, and from 300 centipawns to none.
    let nodes = (40_000.0 / libm::pow(1000.0, below)) as u64;
    let error = (300.0 * below * below) as Value;
    let opens_by_rule = elo <= OPENS_BY_RULE;
    Skill { error, nodes, attention: skill::ALL_SEEN, opens_by_rule, seed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_the_same_nodes_on_every_platform() {
        let nodes = [400, 800, 1400, 1700, 2000, 2600].map(|elo| skill_of(elo, 1).nodes);
        assert_eq!(nodes, [40, 40, 400, 1_264, 4_000, 40_000]);
    }
}
