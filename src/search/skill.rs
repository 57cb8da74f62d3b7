//! Deliberate weakness.

use crate::types::Value;
use crate::types::score::MAX_EVAL;

/// How much worse than it can a search plays: by errors of the evaluation and a limit of nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// The evaluation is off by up to this many centipawns, either way.
    pub error: Value,
    /// No search has more nodes than this.
    pub nodes: u64,
    /// Which errors they are.
    pub seed: u64,
}

impl Skill {
    /// The evaluation of the position with this key, with its error: always the same in a game, so
    /// that the search stays consistent.
    #[inline]
    pub fn distort(self, eval: Value, key: u64) -> Value {
        // Two draws: errors near zero are more frequent than large ones.
        let mixed = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let draw = |bits: u64| (bits & 0xffff) as i64 - 0x8000;
        let sum = draw(mixed >> 48) + draw(mixed >> 32);
        let error = (sum * i64::from(self.error) / 0x1_0000) as Value;
        (eval + error).clamp(-MAX_EVAL, MAX_EVAL)
    }
}
