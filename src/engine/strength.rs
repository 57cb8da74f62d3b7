//! How strong play is: deliberate weakness.

use crate::search::{Skill, skill};
use crate::types::Value;

/// The strengths that `UCI_Elo` offers.
pub const ELO_RANGE: std::ops::RangeInclusive<u32> = 400..=2600;

/// From which Elo on no move is overlooked.
const ATTENTIVE: u32 = 800;

/// Up to which Elo the opening is played by rule: who errs more would begin with odd moves.
const OPENS_BY_RULE: u32 = 1400;

/// How the strength of an Elo is reached. The scale is nominal. The seed says which errors they are.
pub(super) fn skill_of(elo: u32, seed: u64) -> Skill {
    let elo = elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end());
    if elo < ATTENTIVE { beginner(elo, seed) } else { player(elo, seed) }
}

/// By what is overlooked: the judgement of what is seen is fair.
fn beginner(elo: u32, seed: u64) -> Skill {
    let above = u64::from(elo - ELO_RANGE.start());
    let attention = 610 + 210 * above / u64::from(ATTENTIVE - ELO_RANGE.start());
    Skill { error: 20, nodes: 40, attention, opens_by_rule: true, seed }
}

/// By errors of the evaluation, which grow the weaker the play is to be, and few nodes.
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
