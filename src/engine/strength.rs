//! Playing strength: the levels, and the parameters of limited strength.

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
    /// One of [`LEVELS`]. The levels are 200 Elo apart; the highest level is full strength.
    Level(u8),
    /// A strength in Elo, as in the option `UCI_Elo`.
    Elo(u32),
}

impl Strength {
    /// Returns the strength in Elo, or `None` for full strength.
    pub fn elo(self) -> Option<u32> {
        match self {
            Strength::Level(level) if level >= *LEVELS.end() => None,
            Strength::Level(level) => {
                Some(ELO_RANGE.start() + 200 * u32::from(level.max(*LEVELS.start()) - 1))
            }
            Strength::Elo(elo) => Some(elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end())),
        }
    }

    /// Whether this is full strength. Only then the engine's scores are accurate evaluations.
    pub fn is_full(self) -> bool {
        self.elo().is_none()
    }
}

/// The lowest Elo at which the engine considers every move. Below this Elo the engine overlooks moves.
const ATTENTIVE: u32 = 800;

/// The highest Elo at which the engine follows simple opening rules. Without these rules, the large
/// evaluation errors of a weak level would lead to odd opening moves.
const OPENS_BY_RULE: u32 = 1400;

/// Returns the skill parameters for a strength in Elo. The seed determines the errors.
pub(super) fn skill_of(elo: u32, seed: u64) -> Skill {
    let elo = elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end());
    if elo < ATTENTIVE { beginner(elo, seed) } else { player(elo, seed) }
}

/// Returns the skill parameters for a strength below [`ATTENTIVE`]. The engine overlooks moves, but
/// evaluates the other moves with small errors.
fn beginner(elo: u32, seed: u64) -> Skill {
    let above = u64::from(elo - ELO_RANGE.start());
    let attention = 610 + 210 * above / u64::from(ATTENTIVE - ELO_RANGE.start());
    Skill { error: 20, nodes: 40, attention, opens_by_rule: true, seed }
}

/// Returns the skill parameters for a strength of [`ATTENTIVE`] or more. The lower the Elo, the fewer
/// nodes the engine searches and the larger its evaluation errors are.
fn player(elo: u32, seed: u64) -> Skill {
    let below = f64::from(ELO_RANGE.end() - elo) / f64::from(ELO_RANGE.end() - ATTENTIVE);
    // From `ATTENTIVE` to the highest Elo, the node limit rises from 40 to 40,000 and the largest evaluation
    // error falls from 300 centipawns to 0.
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
